"""The operators of bit-vectors and arrays as gates: what bit-blasting is made of.

A value is a word of bits, least significant first. An array is the words of its cells, one after the
other, in the order of their indices: exact, and only for those with few cells. A read is a tree of
multiplexers, a write compares its index with that of every cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from revet.errors import UsageError
from revet.logic.arrays import select
from revet.logic.bits import bit, bv
from revet.logic.core import boolean
from revet.logic.sorts import BOOL, ArraySort, BitVecSort, Sort
from revet.logic.terms import Op, Term
from revet.logic.values import ArrayValue, Value
from revet.transform.gates import FALSE, TRUE, Gates, Word, inverted

MOST_CELLS = 1 << 12
"""Of one array."""


def is_made_of_bits(sort: Sort) -> bool:
    """Has the sort a width: Booleans, bit-vectors, and arrays of such with few cells?"""
    if isinstance(sort, ArraySort):
        index = sort.index
        small = index is BOOL or (isinstance(index, BitVecSort) and 1 << index.width <= MOST_CELLS)
        return small and is_made_of_bits(sort.element)
    return sort is BOOL or isinstance(sort, BitVecSort)


def width_of(sort: Sort) -> int:
    """How many bits a value of the sort has."""
    if sort is BOOL:
        return 1
    if isinstance(sort, BitVecSort):
        return sort.width
    assert isinstance(sort, ArraySort)
    return width_of(sort.element) << width_of(sort.index)


def bits_of(value: Value, sort: Sort) -> list[int]:
    """A value as its bits; :func:`value_of` is the way back."""
    if isinstance(sort, ArraySort):
        assert isinstance(value, ArrayValue)
        cells = (value.select(number) for number in _indices(sort))
        return [x for cell in cells for x in bits_of(cell, sort.element)]
    assert isinstance(value, int)
    return [int(value) >> n & 1 for n in range(width_of(sort))]


def value_of(bits: list[int], sort: Sort) -> Value:
    if isinstance(sort, ArraySort):
        width = width_of(sort.element)
        cells = [value_of(bits[n : n + width], sort.element) for n in range(0, len(bits), width)]
        most = max(set(cells), key=cells.count) if len(cells) < 1000 else cells[0]
        return ArrayValue(most, dict(zip(_indices(sort), cells, strict=True)))
    number = sum(x << n for n, x in enumerate(bits))
    return bool(number) if sort is BOOL else number


def _indices(sort: ArraySort) -> Iterable[Value]:
    return (False, True) if sort.index is BOOL else range(1 << width_of(sort.index))


def atoms_of(term: Term) -> list[Term]:
    """The bits of a term as Boolean terms."""
    if term.sort is BOOL:
        return [term]
    if isinstance(term.sort, ArraySort):
        index = term.sort.index
        width = width_of(index)
        numbers = [boolean(n == 1) if index is BOOL else bv(n, width) for n in range(1 << width)]
        return [atom for number in numbers for atom in atoms_of(select(term, number))]
    return [bit(term, n) for n in range(width_of(term.sort))]


Operation = Callable[[Gates, Term, list[Word]], Word]


def _constant(gates: Gates, term: Term, args: list[Word]) -> Word:
    return bits_of(term.payload, term.sort)


def _any(gates: Gates, term: Term, args: list[Word]) -> Word:
    return [gates.all([word[0] ^ 1 for word in args]) ^ 1]


def _cells(word: Word, indices: int) -> list[Word]:
    width = len(word) // indices
    return [word[n : n + width] for n in range(0, len(word), width)]


def _select(gates: Gates, term: Term, args: list[Word]) -> Word:
    cells = _cells(args[0], 1 << len(args[1]))
    for x in args[1]:
        pairs = zip(cells[::2], cells[1::2], strict=True)
        cells = [gates.choose(x, odd, even) for even, odd in pairs]
    return cells[0]


def _store(gates: Gates, term: Term, args: list[Word]) -> Word:
    array, index, value = args
    hits = [TRUE]
    for x in reversed(index):  # the most significant bit first, so that low indices come first
        hits = [gates.and_(hit, y) for hit in hits for y in (x ^ 1, x)]
    cells = zip(hits, _cells(array, len(hits)), strict=True)
    return [x for hit, cell in cells for x in gates.choose(hit, value, cell)]


def _everywhere(gates: Gates, term: Term, args: list[Word]) -> Word:
    return args[0] * (width_of(term.sort) // len(args[0]))


OPERATIONS: dict[str, Operation] = {
    Op.CONST: _constant,
    Op.NOT: lambda g, t, a: inverted(a[0]),
    Op.AND: lambda g, t, a: [g.all([word[0] for word in a])],
    Op.OR: _any,
    Op.ITE: lambda g, t, a: g.choose(a[0][0], a[1], a[2]),
    Op.EQ: lambda g, t, a: [g.equal(a[0], a[1])],
    Op.BVADD: lambda g, t, a: g.add(a[0], a[1]),
    Op.BVSUB: lambda g, t, a: g.sub(a[0], a[1]),
    Op.BVMUL: lambda g, t, a: g.multiply(a[0], a[1]),
    Op.BVNEG: lambda g, t, a: g.negate(a[0]),
    Op.BVUDIV: lambda g, t, a: g.divide(a[0], a[1])[0],
    Op.BVUREM: lambda g, t, a: g.divide(a[0], a[1])[1],
    Op.BVSDIV: lambda g, t, a: g.divide_signed(a[0], a[1])[0],
    Op.BVSREM: lambda g, t, a: g.divide_signed(a[0], a[1])[1],
    Op.BVSMOD: lambda g, t, a: g.modulo_signed(a[0], a[1]),
    Op.BVAND: lambda g, t, a: [g.and_(x, y) for x, y in zip(*a, strict=True)],
    Op.BVOR: lambda g, t, a: [g.or_(x, y) for x, y in zip(*a, strict=True)],
    Op.BVXOR: lambda g, t, a: [g.xor(x, y) for x, y in zip(*a, strict=True)],
    Op.BVNOT: lambda g, t, a: inverted(a[0]),
    Op.BVSHL: lambda g, t, a: g.shift(a[0], a[1], True, FALSE),
    Op.BVLSHR: lambda g, t, a: g.shift(a[0], a[1], False, FALSE),
    Op.BVASHR: lambda g, t, a: g.shift(a[0], a[1], False, a[0][-1]),
    Op.BVULT: lambda g, t, a: [g.less(a[0], a[1])],
    Op.BVULE: lambda g, t, a: [g.less(a[1], a[0]) ^ 1],
    Op.BVSLT: lambda g, t, a: [g.less_signed(a[0], a[1])],
    Op.BVSLE: lambda g, t, a: [g.less_signed(a[1], a[0]) ^ 1],
    Op.CONCAT: lambda g, t, a: [*a[1], *a[0]],
    Op.EXTRACT: lambda g, t, a: a[0][t.payload[1] : t.payload[0] + 1],
    Op.ZERO_EXTEND: lambda g, t, a: [*a[0], *([FALSE] * t.payload)],
    Op.SIGN_EXTEND: lambda g, t, a: [*a[0], *([a[0][-1]] * t.payload)],
    Op.SELECT: _select,
    Op.STORE: _store,
    Op.CONST_ARRAY: _everywhere,
}


def word_of(gates: Gates, term: Term, args: list[Word]) -> Word:
    """Gates for a term whose arguments have gates; raises :class:`UsageError` where there are none."""
    operation = OPERATIONS.get(term.op)
    if operation is None or not is_made_of_bits(term.sort):
        raise UsageError(f"there are no gates for {term.op} of sort {term.sort}")
    return operation(gates, term, args)
