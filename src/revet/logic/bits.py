"""Smart constructors for bit-vectors (SMT-LIB's operators) and the conversions to integers."""

from __future__ import annotations

from revet.errors import SortError
from revet.logic.core import boolean, const, eq, fold, ite, require, require_same
from revet.logic.sorts import BOOL, INT, BitVec, BitVecSort
from revet.logic.terms import FALSE, TRUE, Op, Term


def bv(value: int, width: int) -> Term:
    """A bit-vector constant; ``value`` is taken modulo ``2**width``."""
    return const(value % (1 << width), BitVec(width))


def width_of(term: Term) -> int:
    if not isinstance(term.sort, BitVecSort):
        raise SortError(f"expected a bit-vector, got {term!r} of sort {term.sort}")
    return term.sort.width


def _binary(op: str, left: Term, right: Term) -> Term:
    return fold(op, (left, right), left.sort)


def _same_width(op: str, left: Term, right: Term) -> int:
    """The common width; every operator checks it before it takes a shortcut."""
    require_same(op, left, right)
    return width_of(left)


def _is(term: Term, value: int) -> bool:
    return term.op == Op.CONST and term.payload == value


def _commutative(op: str, left: Term, right: Term) -> Term:
    """Constants go right, otherwise the older term goes left."""
    if left.op == Op.CONST or (right.op != Op.CONST and left.id > right.id):
        left, right = right, left
    return _binary(op, left, right)


def bvadd(left: Term, right: Term) -> Term:
    _same_width(Op.BVADD, left, right)
    if _is(right, 0):
        return left
    if _is(left, 0):
        return right
    return _commutative(Op.BVADD, left, right)


def bvsub(left: Term, right: Term) -> Term:
    _same_width(Op.BVSUB, left, right)
    if _is(right, 0):
        return left
    if left is right:
        return bv(0, width_of(left))
    if right.op == Op.CONST:
        return bvadd(left, bv(-int(right.payload), width_of(left)))
    return _binary(Op.BVSUB, left, right)


def bvmul(left: Term, right: Term) -> Term:
    _same_width(Op.BVMUL, left, right)
    for this, that in ((left, right), (right, left)):
        if _is(this, 1):
            return that
        if _is(this, 0):
            return this
    return _commutative(Op.BVMUL, left, right)


def bvneg(term: Term) -> Term:
    width_of(term)
    return term.args[0] if term.op == Op.BVNEG else fold(Op.BVNEG, (term,), term.sort)


def bvudiv(left: Term, right: Term) -> Term:
    _same_width(Op.BVUDIV, left, right)
    return left if _is(right, 1) else _binary(Op.BVUDIV, left, right)


def bvurem(left: Term, right: Term) -> Term:
    _same_width(Op.BVUREM, left, right)
    return _binary(Op.BVUREM, left, right)


def bvsdiv(left: Term, right: Term) -> Term:
    width = _same_width(Op.BVSDIV, left, right)
    return left if _is(right, 1) and width > 1 else _binary(Op.BVSDIV, left, right)


def bvsrem(left: Term, right: Term) -> Term:
    _same_width(Op.BVSREM, left, right)
    return _binary(Op.BVSREM, left, right)


def bvsmod(left: Term, right: Term) -> Term:
    _same_width(Op.BVSMOD, left, right)
    return _binary(Op.BVSMOD, left, right)


def bvand(left: Term, right: Term) -> Term:
    ones = (1 << _same_width(Op.BVAND, left, right)) - 1
    if left is right:
        return left
    for this, that in ((left, right), (right, left)):
        if _is(this, 0):
            return this
        if _is(this, ones):
            return that
    return _commutative(Op.BVAND, left, right)


def bvor(left: Term, right: Term) -> Term:
    ones = (1 << _same_width(Op.BVOR, left, right)) - 1
    if left is right:
        return left
    for this, that in ((left, right), (right, left)):
        if _is(this, 0):
            return that
        if _is(this, ones):
            return this
    return _commutative(Op.BVOR, left, right)


def bvxor(left: Term, right: Term) -> Term:
    _same_width(Op.BVXOR, left, right)
    if left is right:
        return bv(0, width_of(left))
    for this, that in ((left, right), (right, left)):
        if _is(this, 0):
            return that
    return _commutative(Op.BVXOR, left, right)


def bvnot(term: Term) -> Term:
    width_of(term)
    return term.args[0] if term.op == Op.BVNOT else fold(Op.BVNOT, (term,), term.sort)


def bvshl(left: Term, right: Term) -> Term:
    _same_width(Op.BVSHL, left, right)
    return left if _is(right, 0) else _binary(Op.BVSHL, left, right)


def bvlshr(left: Term, right: Term) -> Term:
    _same_width(Op.BVLSHR, left, right)
    return left if _is(right, 0) else _binary(Op.BVLSHR, left, right)


def bvashr(left: Term, right: Term) -> Term:
    _same_width(Op.BVASHR, left, right)
    return left if _is(right, 0) else _binary(Op.BVASHR, left, right)


def _compare(op: str, left: Term, right: Term, reflexive: Term) -> Term:
    _same_width(op, left, right)
    return reflexive if left is right else fold(op, (left, right), BOOL)


def bvult(left: Term, right: Term) -> Term:
    _same_width(Op.BVULT, left, right)
    return FALSE if _is(right, 0) else _compare(Op.BVULT, left, right, FALSE)


def bvule(left: Term, right: Term) -> Term:
    _same_width(Op.BVULE, left, right)
    return TRUE if _is(left, 0) else _compare(Op.BVULE, left, right, TRUE)


def bvslt(left: Term, right: Term) -> Term:
    return _compare(Op.BVSLT, left, right, FALSE)


def bvsle(left: Term, right: Term) -> Term:
    return _compare(Op.BVSLE, left, right, TRUE)


def concat(high: Term, low: Term) -> Term:
    return fold(Op.CONCAT, (high, low), BitVec(width_of(high) + width_of(low)))


def extract(high: int, low: int, term: Term) -> Term:
    """Bits ``high`` down to ``low``, both included."""
    width = width_of(term)
    if not 0 <= low <= high < width:
        raise SortError(f"cannot take bits {high}..{low} of {width}")
    while high - low + 1 < width:  # look through what only moves bits, however deep
        if term.op == Op.EXTRACT:
            offset = term.payload[1]
            high, low, term = high + offset, low + offset, term.args[0]
        elif term.op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND) and high < width_of(term.args[0]):
            term = term.args[0]
        elif term.op == Op.CONCAT and high < width_of(term.args[1]):
            term = term.args[1]
        elif term.op == Op.CONCAT and low >= width_of(term.args[1]):
            middle = width_of(term.args[1])
            high, low, term = high - middle, low - middle, term.args[0]
        else:
            return fold(Op.EXTRACT, (term,), BitVec(high - low + 1), (high, low))
        width = width_of(term)
    return term


def zero_extend(count: int, term: Term) -> Term:
    if count == 0:
        return term
    return fold(Op.ZERO_EXTEND, (term,), BitVec(width_of(term) + count), count)


def sign_extend(count: int, term: Term) -> Term:
    if count == 0:
        return term
    return fold(Op.SIGN_EXTEND, (term,), BitVec(width_of(term) + count), count)


def bv2nat(term: Term) -> Term:
    """The unsigned reading as an integer."""
    width_of(term)
    return fold(Op.BV2NAT, (term,), INT)


def int2bv(width: int, term: Term) -> Term:
    """An integer modulo ``2**width``."""
    require(Op.INT2BV, term, INT)
    if term.op == Op.BV2NAT and width_of(term.args[0]) == width:
        return term.args[0]
    return fold(Op.INT2BV, (term,), BitVec(width), width)


def bool_to_bv(term: Term, width: int = 1) -> Term:
    return ite(term, bv(1, width), bv(0, width))


def bv_to_bool(term: Term) -> Term:
    """Is any bit set?"""
    if term.op == Op.ITE and all(arm.op == Op.CONST for arm in term.args[1:]):
        then, otherwise = (boolean(arm.payload != 0) for arm in term.args[1:])
        return ite(term.args[0], then, otherwise)
    return ~eq(term, bv(0, width_of(term)))


def bit(term: Term, position: int) -> Term:
    """One bit, as a Boolean."""
    return eq(extract(position, position, term), bv(1, 1))
