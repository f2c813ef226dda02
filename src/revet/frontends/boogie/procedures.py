"""The model with procedures: recursive ones as they are, all others inlined into them.

The same lowering as for the automaton, except that a call of a recursive procedure is a step of its
own. ``main`` is the start of a run, which goes into one of the entries; an entry that is recursive is
called from there, with any arguments that it requires.
"""

from __future__ import annotations

from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.call_graph import entries, recursion_limits
from revet.frontends.boogie.lower import start
from revet.frontends.boogie.lower_flow import TooLarge
from revet.frontends.kit.procedures import split, used_in
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.cfa import Location
from revet.model.procedures import Call, Procedures

_MAIN = "start of the run"


def is_recursive(checked: s.Checked) -> bool:
    """Are there recursive procedures?"""
    return bool(recursion_limits(checked))


def lower_procedures(checked: s.Checked) -> Procedures:
    """Raises Unsupported."""
    begun = start(checked, recursion_limits(checked))
    lowering, flow = begun.lowering, begun.lowering.flow
    recorded: list[Call] = []
    lowering.calls.recorded = recorded
    initial, end = flow.here, flow.location("end", None)
    bodies: dict[str, tuple[Location, Location]] = {_MAIN: (initial, end)}
    try:
        for procedure in entries(checked):
            flow.here = initial
            lowering.calls.enter(procedure, end)
        for call in recorded:  # grows while the bodies are lowered
            if call.callee not in bodies:
                bodies[call.callee] = lowering.calls.lower_recursive(checked.procedures[call.callee])
    except TooLarge:
        at = entries(checked)[0].position
        raise checked.program.unsupported("inlining makes too many edges", at) from None
    expressions = lowering.expressions
    used = used_in(flow.edges, recorded) | free_vars(begun.precondition)
    everywhere = {*expressions.shared.values(), *expressions.unknowns.values()}
    shared = [x for x in expressions.names.variables if x in everywhere and x in used]

    def interface(name: str) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        return lowering.calls.interface(checked.procedures[name])

    return split(
        checked.program.path, _MAIN, bodies, flow.edges, recorded, tuple(lowering.errors.values()),
        expressions.names.variables, shared, interface, begun.precondition,
    )
