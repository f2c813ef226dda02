"""Do all runs of an automaton end after a few steps, whatever the inputs are?

The numbers that are known along a path (constants, counters) are followed, everything else may be
anything; so all paths that a run could take are walked, and some that none takes. Where that ends soon, and
no path comes back to where it was, unfolding the automaton decides it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.logic.terms import FALSE, Op
from revet.logic.walk import substitute
from revet.transform.graph import live_variables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from revet.logic.terms import Term
    from revet.model.cfa import Cfa, Location

    _State = tuple[Location, frozenset[tuple[Term, Term]]]

_LARGE = 600  # edges of an automaton that is not looked at
_MOST = 500  # states that are


def has_short_runs(cfa: Cfa) -> bool:
    """Depth first, without merging paths that know different numbers."""
    if len(cfa.edges) > _LARGE:
        return False
    live = live_variables(cfa, cfa.locations)
    finished: set[_State] = set()
    start: _State = (cfa.initial, frozenset())
    path = {start: _after(cfa, start, live)}
    while path:
        state, rest = next(reversed(path.items()))
        new = next(rest, None)
        if new is None:
            finished.add(state)
            del path[state]
        elif new in path or len(finished) + len(path) > _MOST:
            return False
        elif new not in finished:
            path[new] = _after(cfa, new, live)
    return True


def _after(cfa: Cfa, state: _State, live: Mapping[Location, list[Term]]) -> Iterator[_State]:
    """What may come next, with the numbers that matter there."""
    location, values = state
    before = dict(values)
    for edge in cfa.outgoing[location]:
        step = cfa.relation(edge)
        memo: dict[Term, Term] = {}
        if substitute(step.guard, before, memo) is not FALSE:
            after = ((x, substitute(step.after(x), before, memo)) for x in live[edge.target])
            yield edge.target, frozenset((x, value) for x, value in after if value.op == Op.CONST)
