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
from revet.frontends.c.lower.program import lower_entry, new_context, variables_of
from revet.frontends.c.options import Options
from revet.logic.sorts import ArraySort
from revet.logic.terms import Term
from revet.logic.walk import free_vars_of
from revet.model.cfa import Cfa, Edge, Location
from revet.model.procedures import Call, Procedure, Procedures


def has_procedures(program: ast.CProgram, options: Options) -> bool:
    """Are there recursive functions, and is the program such that they might be handled here?"""
    limits = recursion_limits(program)
    return bool(limits) and options.entry not in limits


def lower_procedures(program: ast.CProgram, options: Options, arithmetic: str) -> Procedures:
    """``arithmetic`` is the encoding that the automaton has. Raises Unsupported."""
    integers = Integers(options.overflow == "wrap")
    vectors = BitVectors(options.property == "no-overflow")
    storage = Storage(program, recursion_limits(program), (), options.entry)
    context = new_context(program, options, integers if arithmetic == "int" else vectors, storage)
    recorded: list[tuple[str, Call]] = []
    context.calls.recorded = recorded
    main = program.functions[options.entry]
    end = Location("end", main.position)
    start = context.flow.here
    lower_entry(context, main, end)
    bodies: dict[str, tuple[Location, Location]] = {main.name: (start, end)}
    for name, _ in recorded:  # grows while the bodies are lowered
        if name not in bodies:
            bodies[name] = _lower_body(context, program.functions[name])
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
    leaving: dict[Location, list[Edge]] = {}
    calling: dict[Location, list[Call]] = {}
    for edge in context.flow.edges:
        leaving.setdefault(edge.source, []).append(edge)
    for call in calls:
        calling.setdefault(call.source, []).append(call)
    meanings = context.symbols.meanings
    used = variables_of(context.flow.edges)
    used |= free_vars_of(x for call in calls for x in (*call.arguments, *call.results))
    shared = [x for x, meaning in meanings.items() if x in used and meaning.is_global]
    if any(isinstance(x.sort, ArraySort) for x in used):
        at = context.program.functions[main].position
        raise Unsupported("recursive functions together with arrays", at)
    procedures = {}
    for name, (entry, exit_) in bodies.items():
        found = _reached(entry, leaving, calling)
        edges = tuple(edge for place in found for edge in leaving.get(place, ()))
        own = tuple(call for place in found for call in calling.get(place, ()))
        parameters, results = _interface(context, name, main)
        local = variables_of(edges) | {*parameters, *results}
        local |= free_vars_of(x for call in own for x in (*call.arguments, *call.results))
        variables = (*shared, *(x for x in meanings if x in local and x not in shared))
        errors = tuple(place for place in context.errors.values() if place in found)
        places = tuple(dict.fromkeys((*found, exit_)))
        cfa = Cfa(variables, places, edges, entry, errors, name=name)
        procedures[name] = Procedure(name, cfa, exit_, parameters, results, own)
    title = context.program.files[0].name if context.program.files else "program"
    return Procedures(tuple(shared), procedures, main, title)


def _interface(context: Context, name: str, main: str) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """The variables that hold the parameters and the result of a function."""
    if name == main:
        return (), ()
    function = context.program.functions[name]
    load, of_variable = context.places.load, context.places.of_variable
    parameters = tuple(load(of_variable(parameter, 0)) for parameter in function.parameters)
    result = context.calls.result(function, 0)
    return parameters, () if result is None else (load(result),)


def _reached(
    entry: Location, leaving: dict[Location, list[Edge]], calling: dict[Location, list[Call]]
) -> dict[Location, None]:
    found = {entry: None}
    stack = [entry]
    while stack:
        place = stack.pop()
        for step in (*leaving.get(place, ()), *calling.get(place, ())):
            if step.target not in found:
                found[step.target] = None
                stack.append(step.target)
    return found
