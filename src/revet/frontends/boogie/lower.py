"""From a checked program to a control-flow automaton.

The automaton starts where constants and globals have any values that satisfy axioms, ``where`` clauses
and uniqueness, goes into one of the entries, and ends after it. :mod:`lower_calls` has procedures,
:mod:`lower_statements` what is inside them, :mod:`lower_formulas` conditions, and
:mod:`lower_expressions` terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.call_graph import copied_once, entries, is_library, recursion_limits
from revet.frontends.boogie.lower_calls import Calls
from revet.frontends.boogie.lower_expressions import Expressions, Scope, Unknown
from revet.frontends.boogie.lower_flow import Choice, Flow, TooLarge
from revet.frontends.boogie.lower_formulas import Witness
from revet.frontends.boogie.lower_statements import Failure, Lowering
from revet.frontends.boogie.lower_types import Names
from revet.frontends.kit.procedures import variables_of
from revet.logic import build as b
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.cfa import Cfa, Edge, Location

_MOST_EDGES = 60_000
_ACTIVATIONS = (0, 3, 2, 1)  # of recursive procedures: the usual, then fewer if that gets too large


@dataclass(frozen=True, eq=False)
class Lowered:
    """The automaton and how to read it in terms of the source.

    ``choices`` says what an edge decides; ``failures`` what an error location stands for; ``shared``
    and ``unknowns`` what holds a constant, a global, a function; ``witnesses`` are those of axioms.
    """

    cfa: Cfa
    choices: dict[Edge, tuple[Choice, ...]]
    failures: dict[str, Failure]
    shared: dict[s.Variable, Term]
    unknowns: dict[Unknown, Term]
    witnesses: tuple[Witness, ...]
    open_ends: tuple[Location, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Start:
    """``precondition`` is what holds when a run starts; its witnesses hold their values from then on."""

    lowering: Lowering
    precondition: Term
    witnesses: tuple[Witness, ...]


def lower(checked: s.Checked) -> Lowered:
    for wanted in _ACTIVATIONS:
        try:
            return _lower(checked, recursion_limits(checked, wanted))
        except TooLarge:
            continue
    at = entries(checked)[0].position
    raise checked.program.unsupported(f"inlining makes more than {_MOST_EDGES} edges", at)


def start(checked: s.Checked, limits: dict[str, int]) -> Start:
    """What every model of the program begins with; nothing is lowered yet."""
    expressions = Expressions(checked, Names())
    lowering = Lowering(checked, expressions, Flow(checked.program, _MOST_EDGES))
    lowering.calls = Calls(lowering, limits, copied_once(checked, limits), is_library(checked))
    nothing = Scope({}, {})
    conditions: list[Term] = list(_distinct(checked, expressions))
    witnesses: list[Witness] = []
    for formula in _axioms(checked):
        assumed = lowering.formulas.assumed(formula, nothing)
        conditions.append(assumed.condition)
        witnesses += assumed.witnesses
    return Start(lowering, b.conjunction(conditions), tuple(witnesses))


def _axioms(checked: s.Checked) -> Iterator[s.Expr]:
    yield from (axiom.formula for axiom in checked.axioms)
    for variable in (*checked.constants.values(), *checked.globals.values()):
        if variable.where is not None:
            yield variable.where


def _distinct(checked: s.Checked, expressions: Expressions) -> Iterator[Term]:
    """Unique constants of one type are different; those of the user's own types have numbers."""
    groups: dict[s.Type, list[Term]] = {}
    for constant in checked.constants.values():
        if constant.unique and constant not in expressions.numbers:
            groups.setdefault(constant.type, []).append(expressions.shared[constant])
    yield from (b.distinct(group) for group in groups.values())


def _lower(checked: s.Checked, limits: dict[str, int]) -> Lowered:
    begun = start(checked, limits)
    lowering = begun.lowering
    flow = lowering.flow
    initial, end = flow.here, flow.location("end", None)
    for procedure in entries(checked):
        flow.here = initial
        lowering.calls.enter(procedure, end)
    reached = _reached(initial, flow.edges)
    edges = tuple(edge for edge in flow.edges if edge.source in reached)
    open_ends = tuple(place for place in lowering.calls.open_ends.values() if place in reached)
    errors = {place: failure for failure, place in lowering.errors.items() if place in reached}
    places = (*(place for place in flow.locations if place in reached), *errors, *open_ends)
    used = variables_of(edges) | free_vars(begun.precondition)
    used |= {term for term in lowering.expressions.shared.values() if term.is_var}
    variables = tuple(x for x in lowering.expressions.names.variables if x in used)
    cfa = Cfa(
        variables, places, edges, initial, tuple(errors), begun.precondition, checked.program.path
    )
    return Lowered(
        cfa, {edge: flow.choices[edge] for edge in edges if edge in flow.choices},
        {place.name: failure for place, failure in errors.items()}, lowering.expressions.shared,
        {key: term for key, term in lowering.expressions.unknowns.items() if term in used},
        begun.witnesses, open_ends, tuple(_notes(checked, lowering)),
    )


def _reached(initial: Location, edges: Iterable[Edge]) -> set[Location]:
    leaving: dict[Location, list[Location]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge.target)
    found = {initial}
    stack = [initial]
    while stack:
        for target in leaving.get(stack.pop(), ()):
            if target not in found:
                found.add(target)
                stack.append(target)
    return found


def _notes(checked: s.Checked, lowering: Lowering) -> Iterator[str]:
    started = entries(checked)
    if not lowering.errors:
        yield "nothing is asserted that could fail: nothing can go wrong"
    if is_library(checked) and len(started) > 1:
        names = ", ".join(procedure.name for procedure in started[:8])
        more = ", …" if len(started) > 8 else ""
        yield f"a run starts in any of {names}{more}, with any globals and arguments that it requires"
    if any(len(key) == 1 for key in lowering.expressions.unknowns):
        yield "a division by zero gives an unknown value, which depends on the dividend alone"
    for quantifier in lowering.formulas.dropped:
        yield f"{quantifier.position}: this {quantifier.kind} is not used as an assumption"
