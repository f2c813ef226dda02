"""Values of terms: what evaluation yields and what traces carry.

======================  =====================================================
sort                    Python value
======================  =====================================================
Bool                    ``bool``
Int                     ``int``
Real                    ``fractions.Fraction``
BitVec(n)               ``int`` in ``range(2**n)``
Float(e, s)             ``int``: the bit pattern, NaN in canonical form
Array                   :class:`ArrayValue`
Uninterpreted           ``int`` naming the element
======================  =====================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from revet.logic.sorts import BOOL, REAL, ArraySort, BitVecSort, FloatSort, Sort

LARGEST_EXPONENT = 4000  # of what is written 1e4000: there are short texts of numbers that fill the memory


def rational(text: str) -> Fraction:
    """The number that is written ``-3/4``, ``0.25`` or ``1.5e-3``. Raises ValueError, also for one whose
    exponent is too large to be computed with."""
    _, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > LARGEST_EXPONENT:
        raise ValueError(f"{text}: too large an exponent")
    return Fraction(text)


class ArrayValue:
    """A total map: finitely many entries and a default. Hashable, immutable.

    Two of them are ``==`` if they are written alike, which for an infinite index sort is the same
    as being the same map; :func:`same` decides that for every sort.
    """

    __slots__ = ("_hash", "default", "entries")

    def __init__(self, default: Value, entries: Mapping[Value, Value] | None = None) -> None:
        self.default = default
        self.entries: dict[Value, Value] = {
            index: value for index, value in (entries or {}).items() if value != default
        }
        self._hash: int | None = None

    def select(self, index: Value) -> Value:
        return self.entries.get(index, self.default)

    def store(self, index: Value, value: Value) -> ArrayValue:
        after = ArrayValue(self.default)
        after.entries = dict(self.entries)
        if value == self.default:
            after.entries.pop(index, None)
        else:
            after.entries[index] = value
        return after

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ArrayValue)
            and self.default == other.default
            and self.entries == other.entries
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.default, frozenset(self.entries.items())))
        return self._hash

    def __repr__(self) -> str:
        shown = [f"{index}: {value}" for index, value in sorted(self.entries.items(), key=repr)]
        return "{" + ", ".join([*shown, f"else: {self.default}"]) + "}"


Value = bool | int | Fraction | ArrayValue


def default_value(sort: Sort) -> Value:
    """Some value of the sort: false, zero, or the array that is zero everywhere."""
    if sort is BOOL:
        return False
    if sort is REAL:
        return Fraction(0)
    if isinstance(sort, ArraySort):
        return ArrayValue(default_value(sort.element))
    return 0


def is_value(value: object, sort: Sort) -> bool:
    """Is ``value`` one of the sort's values? (Traces read from files are checked with this.)"""
    if sort is BOOL:
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if sort is REAL:
        return isinstance(value, Fraction)
    if isinstance(sort, BitVecSort):
        return isinstance(value, int) and 0 <= value < 1 << sort.width
    if isinstance(sort, FloatSort):
        from revet.logic.softfloat import canonical

        return isinstance(value, int) and 0 <= value < 1 << sort.width and canonical(value, sort) == value
    if isinstance(sort, ArraySort):
        return (
            isinstance(value, ArrayValue)
            and is_value(value.default, sort.element)
            and all(
                is_value(index, sort.index) and is_value(entry, sort.element)
                for index, entry in value.entries.items()
            )
        )
    return isinstance(value, int)


def same(left: Value, right: Value, sort: Sort) -> bool:
    """Are they one value? Over a finite index sort one array can be written with any default."""
    if not isinstance(sort, ArraySort):
        return left == right
    assert isinstance(left, ArrayValue) and isinstance(right, ArrayValue)
    if left == right:
        return True
    indices = left.entries.keys() | right.entries.keys()
    if not all(same(left.select(index), right.select(index), sort.element) for index in indices):
        return False
    return len(indices) == cardinality(sort.index) or same(left.default, right.default, sort.element)


def cardinality(sort: Sort) -> int | None:
    """How many values a sort has; None for infinitely many or an unknown number."""
    if sort is BOOL:
        return 2
    if isinstance(sort, BitVecSort):
        return 1 << sort.width
    if isinstance(sort, FloatSort):  # all the patterns of NaN are one value
        return (1 << sort.width) - (1 << sort.significand) + 3
    return None
