"""Lowering a whole program: globals, ``main``, the finished automaton and its source map."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from revet.errors import InputError, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.analysis.alignment import loosening_places
from revet.frontends.c.analysis.call_graph import recursion_limits
from revet.frontends.c.analysis.inlining import shared_functions
from revet.frontends.c.analysis.storage import Storage
from revet.frontends.c.ast.program import spoken
from revet.frontends.c.checks import TRACKED, Check
from revet.frontends.c.lower import rounding
from revet.frontends.c.lower.arithmetic import Arithmetic, Integers, NeedsBitVectors
from revet.frontends.c.lower.bitvectors import BitVectors
from revet.frontends.c.lower.calls import Calls
from revet.frontends.c.lower.context import ALIGNED, Context, Frame
from revet.frontends.c.lower.evaluation import Evaluation
from revet.frontends.c.lower.expressions import Expressions
from revet.frontends.c.lower.flow import MOST_EDGES, Annotation, Held, Input, Loop, TooLarge
from revet.frontends.c.lower.heap import Heap
from revet.frontends.c.lower.layout import Layout
from revet.frontends.c.lower.leaks import check_leaks
from revet.frontends.c.lower.memory import Memory
from revet.frontends.c.lower.numbers import Numbers
from revet.frontends.c.lower.objects import Objects
from revet.frontends.c.lower.places import Cell, Places
from revet.frontends.c.lower.statements import Statements
from revet.frontends.c.lower.symbols import Meaning
from revet.frontends.c.lower.written import Written
from revet.frontends.c.options import Options
from revet.frontends.c.sequencing import Orders
from revet.frontends.c.types import Array, Int
from revet.frontends.c.walk import mentioned
from revet.frontends.kit.procedures import variables_of
from revet.logic.terms import Term
from revet.model.cfa import Cfa, Edge, Location

_LARGE = 30_000  # edges from which on recursion is copied to a small depth only,
_FEW = 3, 1  # the first of these with which the program is smaller


@dataclass(frozen=True, eq=False)
class Lowered:
    """The automaton and how to read it in terms of the source.

    ``inputs`` says which values from outside an edge draws, in order; ``meanings`` what every
    variable is; ``open_ends`` are locations at which the *model* ends (recursion limits);
    ``loops`` what the loop heads are; ``annotations`` what a witness claims; ``orders`` where the order of
    evaluation makes a difference; ``starts`` the statements that begin at a location, in order, each with
    the depth of its function's activation; ``broken`` what reaching an error location means; ``accepted``
    locations that were errors before somebody accepted them, ``unmatched`` says what accepts nothing
    (``accepted.py``).
    """

    cfa: Cfa
    meanings: dict[Term, Meaning]
    inputs: dict[Edge, tuple[Input | Held, ...]]
    assumptions: tuple[str, ...]
    open_ends: tuple[Location, ...]
    arithmetic: str
    precise: bool
    layout: Layout
    orders: Orders
    loops: dict[Location, Loop] = field(default_factory=dict)
    annotations: tuple[Annotation, ...] = ()
    starts: dict[Location, list[tuple[ast.Stmt, int]]] = field(default_factory=dict)
    broken: dict[Location, Check] = field(default_factory=dict)
    accepted: tuple[Location, ...] = ()
    unmatched: tuple[str, ...] = ()


def lower(program: ast.CProgram, options: Options) -> Lowered:
    """Choose the encoding of integers and lower; bit-vectors where integers do not suffice."""
    if program.start not in program.functions:
        files = ", ".join(map(str, program.files))
        raise InputError(f"{files}: there is no function {program.start}")
    if options.recursion == 0 and recursion_limits(program):
        for depth in (0, *_FEW):  # where many deep copies are too large, few of them say more than none
            options = replace(options, recursion=depth)
            try:
                return _lower_to(program, options, _LARGE)
            except TooLarge:
                continue
    try:
        return _lower_to(program, options, MOST_EDGES)
    except TooLarge as problem:
        raise Unsupported(str(problem), program.functions[program.start].position) from problem


def _lower_to(program: ast.CProgram, options: Options, most: int) -> Lowered:
    """With at most so many edges; raises :class:`TooLarge`."""
    limits = recursion_limits(program, options.recursion)
    shared = shared_functions(program, frozenset(limits), program.start)
    storage = Storage(program, limits, shared, program.start, not options.checks.isdisjoint(TRACKED))
    orders = orders_of(program, options, storage)

    def lowered(arithmetic: Arithmetic) -> Lowered:
        context = new_context(program, options, arithmetic, storage, orders)
        context.flow.limit = most
        return _lower(context)

    if options.arithmetic != "bv":
        try:
            return lowered(Integers(options.overflow == "wrap", options.checks))
        except NeedsBitVectors as reason:
            if options.arithmetic == "int":
                raise InputError(f"the operation {reason} needs --arithmetic bv or --approximate") from reason
    return lowered(BitVectors(options.checks))


def _lower(context: Context) -> Lowered:
    main = context.program.functions[context.program.start]
    end = Location("end", main.position)
    lower_entry(context, main, end)
    return _finish(context, end)


def orders_of(program: ast.CProgram, options: Options, storage: Storage) -> Orders:
    return Orders(
        program, storage.points_to, options.errors, checks=options.checks, chosen=options.evaluation_order
    )


def new_context(
    program: ast.CProgram, options: Options, arithmetic: Arithmetic, storage: Storage, orders: Orders
) -> Context:
    context = Context(program, options, arithmetic, storage, orders)
    context.evaluation = Evaluation(context)
    context.places = Places(context)
    context.expressions = Expressions(context)
    context.statements = Statements(context)
    context.objects = Objects(context) if context.tracks else None
    context.numbers = Numbers(context) if storage.shows_addresses else None
    context.memory = Memory(context)
    context.written = Written(context) if Check.UNINITIALISED in options.checks else None
    context.heap = Heap(context)
    context.calls = Calls(context)
    return context


def lower_entry(context: Context, main: ast.FunctionDef, end: Location) -> None:
    """From the start of the run to the end of the function where it starts."""
    finish = end if context.objects is None else context.flow.location(main.name, main.position, ":exit")
    frame = Frame(main, 0, finish, None)
    context.frames.append(frame)
    if context.storage.points_to.allocates:
        context.flow.enter(ast.Span(main.position, main.position, "the heap is empty"), "globals")
        context.heap.start()
    if context.objects is not None:
        context.flow.enter(ast.Span(main.position, main.position, "no object is there"), "globals")
        context.objects.start()
    if context.numbers is not None:
        context.numbers.start()
    rounding.start(context)
    _globals(context)
    context.flow.enter(ast.Span(main.position, main.position, f"{main.name}()"), main.name)
    for parameter in main.parameters:  # of main, which does not look at them; a driver has none
        context.places.havoc(context.places.of_variable(parameter))
    frame.result = context.calls.result(main, 0)
    context.statements.lower(main.body)
    context.flow.jump(finish)
    if context.objects is not None:
        context.flow.resume(finish)
        check_leaks(context, _entered(context, main).position)
        context.flow.jump(end)


def _entered(context: Context, main: ast.FunctionDef) -> ast.FunctionDef:
    """The function that is asked about: what a driver calls, or where the run starts."""
    driver, functions = context.program.driver, context.program.functions
    entries = [one for name, one in functions.items() if driver is not None and spoken(name) == driver.entry]
    return entries[0] if entries else main


def _globals(context: Context) -> None:
    """Objects that live for ever: zero, or their initialiser; any value where defined elsewhere."""
    external = any(variable.external for variable in context.program.globals)
    used = mentioned(context.program) if external else set()
    for variable in context.program.globals:
        if variable.external and variable not in used:
            continue
        span = ast.Span(variable.position, variable.position, f"{variable.type} {variable.name}")
        context.flow.enter(span, "globals")
        if isinstance(variable.type, Array) and variable.type.count is None:
            continue  # an incomplete array that no file completes: every access is unsupported
        place = context.places.of_variable(variable, 0)
        if isinstance(place, Cell) and _zeroed(context, variable, place):
            continue
        if variable.initialiser is not None:
            context.statements.initialise(variable, place)
        elif variable.external:
            if variable.name == "errno":  # which functions of the library set; here they would not
                raise context.unsupported(variable.position, "errno declared by hand: include <errno.h>")
            context.assumption(f"{variable.name} is defined elsewhere: any initial value")
            context.places.havoc(place)
            context.statements.remember(variable, place)
            if context.written is not None:
                context.written.fill_place(place, True)
        else:
            context.places.zero(place)


def _zeroed(context: Context, variable: ast.Variable, place: Cell) -> bool:
    plain = variable.initialiser is None and not variable.external
    return plain and isinstance(variable.type, Array) and context.memory.whole.zero_object(variable, place)


def _strings(context: Context, first: Location) -> Location:
    """String literals that are read get their contents before everything else."""
    flow = context.flow
    start = flow.location("strings", None)
    flow.resume(start)
    for node, cell in context.memory.pending_strings():
        if context.storage.points_to.object_of(node).dereferenced:
            span = ast.Span(node.at, node.at, "string literal")
            flow.enter(span, "strings")
            for number, element in enumerate(node.data):
                place = context.places.step(cell, number)
                assert isinstance(place.type, Int)
                context.places.store(place, context.arithmetic.constant(place.type, element))
    flow.start(first)
    return start


def _unwritten(context: Context, written: Written, first: Location) -> Location:
    """Nothing in memory has been written before everything else."""
    start = context.flow.location("memory", None)
    context.flow.resume(start)
    at = context.program.functions[context.program.start].position
    context.flow.enter(ast.Span(at, at, "nothing is written"), "memory")
    for shadow, value in written.start():
        context.flow.assign(shadow, value)
    context.flow.start(first)
    return start


def _endless_loops(context: Context, objects: Objects, end: Location) -> None:
    """Blocks that nobody frees are looked for at the end of a run: the model ends at loops without one."""
    if not objects.counts:
        return
    before: dict[Location, list[Location]] = {}
    for edge in context.flow.edges:
        before.setdefault(edge.target, []).append(edge.source)
    ending, stack = {end}, [end]
    while stack:
        for source in before.get(stack.pop(), ()):
            if source not in ending:
                ending.add(source)
                stack.append(source)
    for head, loop in context.flow.loops.items():
        if head not in ending:
            target = context.open_end(f"a loop without end at {loop.at}", loop.at)
            context.flow.edges.append(Edge(head, target, (), loop.at, None))


def _finish(context: Context, end: Location) -> Lowered:
    """Drop what cannot be reached, collect the variables that are used."""
    flow = context.flow
    initial = flow.locations[0]
    if context.program.volatile_reads:
        context.assumptions.add(
            "volatile objects are plain memory: nothing outside the program changes them",
            context.program.volatile_reads,
        )
    for text, places in context.program.notes:
        context.assumptions.add(text, places)
    if Check.ALIGNMENT not in context.checks:
        for at in loosening_places(context.program, context.storage):
            context.assumptions.add(ALIGNED, [at])
    if context.memory.pending_strings():
        initial = _strings(context, initial)
    if context.written is not None and context.written.start():
        initial = _unwritten(context, context.written, initial)
    if context.objects is not None:
        _endless_loops(context, context.objects, end)
    outgoing: dict[Location, list[Edge]] = {}
    for edge in flow.edges:
        outgoing.setdefault(edge.source, []).append(edge)
    reached = {initial}
    stack = [initial]
    while stack:
        for edge in outgoing.get(stack.pop(), ()):
            if edge.target not in reached:
                reached.add(edge.target)
                stack.append(edge.target)
    edges = tuple(edge for edge in flow.edges if edge.source in reached)
    errors = tuple(context.errors.values())
    open_ends = tuple(context.open_ends.values())
    locations = [location for location in (*flow.locations, end) if location in reached]
    locations += (*errors, *open_ends)
    used = variables_of(edges)
    variables = tuple(term for term in context.symbols.meanings if term in used)
    name = context.program.files[0].name if context.program.files else "program"
    cfa = Cfa(variables, tuple(locations), edges, initial, errors, name=name)
    return Lowered(
        cfa, {term: context.symbols.meanings[term] for term in variables},
        {edge: drawn for edge, drawn in flow.inputs.items() if edge.source in reached},
        (*_about_entry(context), *context.assumptions.listed(), *context.approximated), open_ends,
        context.arithmetic.name,
        context.precise, context.memory.layout, context.orders,
        {head: loop for head, loop in flow.loops.items() if head in reached},
        tuple(claim for claim in flow.annotations if claim.location in reached),
        {location: begun for location, begun in flow.starts.items() if location in reached},
        context.broken,
    )


def _about_entry(context: Context) -> tuple[str, ...]:
    driver = context.program.driver
    return driver.assumptions if driver is not None else ()
