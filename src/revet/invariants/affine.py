"""Linear equations that hold in a set of points: the null space of a matrix, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

Row = list[Fraction]


def equations(points: Sequence[Sequence[int | Fraction]]) -> list[list[int]]:
    """Vectors ``a`` with ``a[0]*p[0] + … + a[n-1]*p[n-1] + a[n] = 0`` for every point p.

    A basis of the affine hull's equations with coprime integer coefficients, the simplest form of
    each (reduced echelon), so that ``x - y = 0`` comes out as such.
    """
    if not points:
        return []
    width = len(points[0]) + 1
    rows, pivots = _echelon([[*map(Fraction, point), Fraction(1)] for point in points], width)
    found = []
    for free in (column for column in range(width) if column not in pivots):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for row, pivot in zip(rows, pivots, strict=True):
            vector[pivot] = -row[free]
        found.append(_integers(vector))
    return found


def _echelon(matrix: list[Row], width: int) -> tuple[list[Row], list[int]]:
    """Reduced row echelon form without zero rows, and the column of each row's leading 1."""
    rows: list[Row] = []
    pivots: list[int] = []
    for row in matrix:
        for known, pivot in zip(rows, pivots, strict=True):
            if row[pivot]:
                row = _minus(row, known, row[pivot])
        lead = next((column for column in range(width) if row[column]), None)
        if lead is None:
            continue
        row = [value / row[lead] for value in row]
        rows = [_minus(known, row, known[lead]) if known[lead] else known for known in rows]
        rows.append(row)
        pivots.append(lead)
        if len(rows) == width:
            break
    return rows, pivots


def _minus(row: Row, other: Row, factor: Fraction) -> Row:
    return [a - factor * b if b else a for a, b in zip(row, other, strict=True)]


def _integers(vector: Row) -> list[int]:
    scale = lcm(*(value.denominator for value in vector))
    numbers = [int(value * scale) for value in vector]
    common = gcd(*numbers)
    return [number // common for number in numbers]
