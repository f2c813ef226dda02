"""The model with procedures: recursive functions as they are, all others inlined into them.

The same lowering as for the automaton, except that a call of a recursive function is a step of its
own. Only for programs whose recursive part is made of scalars: nothing lives in memory that pointers
reach, so a function's variables are its own and globals are all that activations share.
"""

from __future__ import annotations

from revet.errors import Unsupported
from revet.frontends.c import ast
from revet.frontends.c.analysis.call_graph import recursion_limits
from revet.frontends.c.analysis.storage import Storage
from revet.frontends.c.lower.arithmetic import Integers
from revet.frontends.c.lower.bitvectors import BitVectors
from revet.frontends.c.lower.context import Context, Frame
from revet.frontends.c.lower.flow import TooLarge
from revet.frontends.c.lower.program import lower_entry, new_context, orders_of
from revet.frontends.c.options import Options
from revet.frontends.kit.procedures import split, used_in
from revet.logic.sorts import ArraySort
from revet.logic.terms import Term
from revet.model.cfa import Location
from revet.model.procedures import Call, Procedures


def has_procedures(program: ast.CProgram, options: Options) -> bool:
    """Are there recursive functions, and is the program such that they might be handled here?"""
    limits = recursion_limits(program)
    return bool(limits) and program.start not in limits


def lower_procedures(program: ast.CProgram, options: Options, arithmetic: str) -> Procedures:
    """``arithmetic`` is the encoding that the automaton has. Raises Unsupported."""
    integers = Integers(options.overflow == "wrap", options.checks)
    vectors = BitVectors(options.checks)
    storage = Storage(program, recursion_limits(program), (), program.start)
    for variable in storage.points_to.address_taken:
        if variable.function in storage.limits and not variable.lives_forever:
            what = "recursive functions together with addresses of their variables, which are many"
            raise Unsupported(what, variable.position)
    chosen = integers if arithmetic == "int" else vectors
    context = new_context(program, options, chosen, storage, orders_of(program, options, storage))
    recorded: list[tuple[str, Call]] = []
    context.calls.recorded = recorded
    main = program.functions[program.start]
    end = Location("end", main.position)
    start = context.flow.here
    try:
        lower_entry(context, main, end)
    except TooLarge as problem:
        raise Unsupported(str(problem), main.position) from problem
    bodies: dict[str, tuple[Location, Location]] = {main.name: (start, end)}
    for name, _ in recorded:  # grows while the bodies are lowered
        if name not in bodies:
            bodies[name] = _lower_body(context, program.functions[name])
    if context.open_ends:
        raise Unsupported(", ".join(context.open_ends), main.position)
    if context.memory.is_used:
        raise Unsupported("recursive functions together with memory that pointers reach", main.position)
    return _assembled(context, main.name, bodies, [call for _, call in recorded])


def _lower_body(context: Context, function: ast.FunctionDef) -> tuple[Location, Location]:
    flow = context.flow
    entry, exit_ = (
        flow.location(function.name, function.position, kind) for kind in (":entry", ":exit")
    )
    frame = Frame(function, 0, exit_, context.calls.result(function, 0))
    context.frames = [frame]
    flow.resume(entry)
    flow.enter(ast.Span(function.position, function.position, f"{function.name}()"), function.name)
    try:
        context.statements.lower(function.body)
        if frame.result is not None:
            context.places.havoc(frame.result)  # fell off the end: any value
        flow.start(exit_)
    except TooLarge as problem:
        raise Unsupported(str(problem), function.position) from problem
    return entry, exit_


def _assembled(
    context: Context, main: str, bodies: dict[str, tuple[Location, Location]], calls: list[Call]
) -> Procedures:
    edges, meanings = context.flow.edges, context.symbols.meanings
    used = used_in(edges, calls)
    shared = [x for x, meaning in meanings.items() if x in used and meaning.is_global]
    if any(isinstance(x.sort, ArraySort) for x in used):
        at = context.program.functions[main].position
        raise Unsupported("recursive functions together with arrays", at)
    title = context.program.files[0].name if context.program.files else "program"
    errors = tuple(context.errors.values())
    return split(
        title, main, bodies, edges, calls, errors, tuple(meanings), shared,
        lambda name: _interface(context, name),
    )


def _interface(context: Context, name: str) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """The variables that hold the parameters and the result of a function."""
    function = context.program.functions[name]
    load, of_variable = context.places.load, context.places.of_variable
    parameters = tuple(load(of_variable(parameter, 0)) for parameter in function.parameters)
    result = context.calls.result(function, 0)
    return parameters, () if result is None else (load(result),)
