"""Bounds of differences that sample states meet: ``x - y <= c``, with sums of two on one side or both.

Sums are what copying one string behind another needs: both pointers move alike, and what is left of the
source fits into what is left of the target. A bound that is met by few samples is an accident of the inputs
drawn, so those that are met most often are taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations

from revet.logic.arith import add, le, sub
from revet.logic.core import const
from revet.logic.sorts import INT
from revet.logic.terms import Term

_MET = 2  # different samples, at least
_WIDEST = 8  # terms
_TAKEN = 60  # bounds, at most


def bounds_met(columns: Mapping[Term, Sequence[int]]) -> list[Term]:
    """Bounds of differences for the first of these terms, each with its values in the samples. Terms that
    differ by a constant (or are one) count once."""
    different: dict[tuple[int, ...], Term] = {}
    for x, values in columns.items():
        different.setdefault(tuple(value - values[0] for value in values), x)
    chosen = [x for moved, x in different.items() if any(moved)][:_WIDEST]
    found = sorted(_met({x: columns[x] for x in chosen}), key=lambda pair: -pair[0])
    return [bound for _, bound in found[:_TAKEN]]


def _met(columns: Mapping[Term, Sequence[int]]) -> Iterator[tuple[int, Term]]:
    """With the number of different samples that meet it; equations are not among them."""
    for more, less in _sides(list(columns)):
        above = [sum(values) for values in zip(*(columns[x] for x in more), strict=True)]
        below = [sum(values) for values in zip(*(columns[x] for x in less), strict=True)]
        values = [a - b for a, b in zip(above, below, strict=True)]
        most = max(values, default=0)
        meeting = {pair for pair in zip(above, below, strict=True) if pair[0] - pair[1] == most}
        if len(meeting) >= _MET and min(values) < most:
            yield len(meeting), le(sub(add(*more), add(*less)), const(most, INT))


def _sides(terms: list[Term]) -> Iterator[tuple[tuple[Term, ...], tuple[Term, ...]]]:
    yield from (((x,), (y,)) for x, y in permutations(terms, 2))
    for two in combinations(terms, 2):
        others = [x for x in terms if x not in two]
        yield from ((two, (x,)) for x in others)
        yield from (((x,), two) for x in others)
        yield from ((two, less) for less in combinations(others, 2))
