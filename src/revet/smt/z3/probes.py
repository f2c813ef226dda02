"""At which arguments to look at a function that only compares its argument with known numbers."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from revet.logic.sorts import INT, REAL, BitVecSort, Sort
from revet.logic.values import Value
from revet.smt.protocol import SolverError


def probes(domain: Sort, numbers: Iterable[int | Fraction]) -> tuple[set[Value], set[Value]]:
    """The known numbers, and some around them and between them: if it has one value at all these others, it
    has that everywhere but at the known ones."""
    known = {Fraction(n) for n in numbers} or {Fraction(0)}
    others = {n + d for n in known for d in (-1, 1)}
    if domain is REAL:
        return {*known}, {*others, *((x + y) / 2 for x, y in pairwise(sorted(known)))}
    if domain is INT:
        return set(map(int, known)), set(map(int, others))
    if isinstance(domain, BitVecSort):
        size = 1 << domain.width
        return {int(n) % size for n in known}, {int(n) % size for n in others}
    raise SolverError("z3's model has an array that cannot be read back")
