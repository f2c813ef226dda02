"""Where to cut an automaton for large blocks: at loop heads, and where blocks would multiply.

Between two cuts all paths become one block, so a location is encoded once for every pair (cut
that reaches it, cut that it reaches). Programs with many loops one behind the other make that
quadratic: n loops need n² blocks, each crossing the code in between. One more cut between them,
where all paths meet, makes it linear again. Few programs need it, and a cut that is not a loop
head costs the engines precision, so cuts are added only above a limit.
"""

from __future__ import annotations

from revet.model.cfa import Edge, Location
from revet.transform.graph import topological

# How many times a location may be encoded, on average, before another cut is made.
_TOLERATED = 6.0
# A round of cuts that leaves more than this share of the work was the last one.
_WORTH_IT = 0.8


def add_cuts(
    leaving: dict[Location, list[Edge]], cuts: dict[Location, None], errors: frozenset[Location]
) -> dict[Location, None]:
    """``cuts`` and as many more as it takes; deterministic."""
    cuts = dict(cuts)
    order = topological(cuts, leaving, cuts)
    last: float = float("inf")
    while True:
        before, after = _cuts_around(order, leaving, cuts)
        pairs = {
            location: before[location].bit_count() * after[location].bit_count()
            for location in order
            if location not in cuts and location not in errors
        }
        total = sum(pairs.values())
        if total <= _TOLERATED * len(order) or total > _WORTH_IT * last:
            return cuts
        last = total
        chosen, claimed = [], 0
        # The worst places of one round should lie in different parts of the program.
        for location in sorted(pairs, key=lambda place: -pairs[place]):
            if pairs[location] <= _TOLERATED:
                break
            if not before[location] & claimed:
                chosen.append(location)
                claimed |= before[location]
        if not chosen:
            return cuts
        cuts.update(dict.fromkeys(chosen))


def _cuts_around(
    order: list[Location], leaving: dict[Location, list[Edge]], cuts: dict[Location, None]
) -> tuple[dict[Location, int], dict[Location, int]]:
    """For each location: the cuts that reach it, and those that it reaches, crossing none.

    Sets of cuts are bit masks.
    """
    bit = {cut: 1 << number for number, cut in enumerate(cuts)}
    before = {location: bit.get(location, 0) for location in order}
    for location in order:
        mask = before[location]
        for edge in leaving.get(location, ()):
            if edge.target not in cuts:
                before[edge.target] |= mask
    after: dict[Location, int] = dict.fromkeys(order, 0)
    for location in reversed(order):
        mask = 0
        for edge in leaving.get(location, ()):
            mask |= bit[edge.target] if edge.target in cuts else after[edge.target]
        after[location] = mask
    return before, after
