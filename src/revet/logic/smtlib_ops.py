"""The operators of SMT-LIB's theories, as functions from arguments to terms.

Chainable, left-associative and right-associative operators take any number of arguments as the
standard says. An integer among reals is converted (z3 and others read ``(+ x 1)`` that way).
Arguments are terms, or strings for rounding modes. :class:`SortError` means: no such reading.

Operators that SMT-LIB leaves partly open are read in our total sense (``(div x 0)`` is 0);
``fp.min`` and ``fp.max``, which may choose between two zeros, are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from revet.errors import SortError
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, REAL, ArraySort, BitVecSort, Float, FloatSort, Sort
from revet.logic.terms import Op, Term

Operator = Callable[..., Term]

MODES = {
    "roundNearestTiesToEven": "RNE", "roundNearestTiesToAway": "RNA", "roundTowardPositive": "RTP",
    "roundTowardNegative": "RTN", "roundTowardZero": "RTZ",
    **{mode: mode for mode in ("RNE", "RNA", "RTP", "RTN", "RTZ")},
}


def converted(term: Term, sort: Sort) -> Term:
    """An integer where a real is expected, as a real; every other term as it is."""
    return b.to_real(term) if sort is REAL and term.sort is INT else term


def _mixed(operator: Operator) -> Operator:
    """Converts integers where another argument is real."""

    def build(*args: Term) -> Term:
        for arg in args:
            if arg.sort is REAL:
                return operator(*[converted(arg, REAL) for arg in args])
        return operator(*args)

    return build


def _chain(compare: Operator) -> Operator:
    mixed = _mixed(compare)

    def build(*args: Term) -> Term:
        if len(args) == 2:
            left, right = args
            return (compare if left.sort is right.sort else mixed)(left, right)
        if len(args) < 2:
            raise SortError("a comparison needs two arguments")
        return b.conjunction(mixed(x, y) for x, y in pairwise(args))

    return build


def _left(operator: Operator) -> Operator:
    def build(*args: Term) -> Term:
        if len(args) < 2:
            raise SortError("this operator needs two arguments")
        result = args[0]
        for arg in args[1:]:
            result = operator(result, arg)
        return result

    return build


def _right(operator: Operator) -> Operator:
    def build(*args: Term) -> Term:
        if len(args) < 2:
            raise SortError("this operator needs two arguments")
        result = args[-1]
        for arg in reversed(args[:-1]):
            result = operator(arg, result)
        return result

    return build


def _minus(*args: Term) -> Term:
    if len(args) == 1:
        return b.neg(args[0])
    return _left(b.sub)(*args)


def _slash(*args: Term) -> Term:
    return _left(b.rdiv)(*(converted(arg, REAL) for arg in args))


def _connective(operator: Operator) -> Operator:
    """``and_`` and ``or_`` check the sort of what they keep; here all arguments are checked."""

    def build(*args: Term) -> Term:
        for arg in args:
            if arg.sort is not BOOL:
                raise SortError(f"expected a formula, got sort {arg.sort}")
        return operator(*args)

    return build


_DIVISIONS = (Op.DIV, Op.MOD, Op.RDIV)


def _ite(condition: Term, then: Term, otherwise: Term) -> Term:
    """Recognises a division closed by our printer: ``(ite (= y 0) 0 (div x y))``."""
    then, otherwise = converted(then, otherwise.sort), converted(otherwise, then.sort)
    for flipped in (False, True) if otherwise.op in _DIVISIONS or then.op in _DIVISIONS else ():
        guard, closed, division = (b.not_(condition), otherwise, then) if flipped else (
            condition, then, otherwise,
        )
        if division.op in _DIVISIONS and guard.op == Op.EQ:
            left, right = division.args
            zero = b.const(0, right.sort)
            if guard is b.eq(right, zero) and closed is (left if division.op == Op.MOD else zero):
                return division
    return b.ite(condition, then, otherwise)


def _select(array: Term, index: Term) -> Term:
    sort = array.sort
    return b.select(array, converted(index, sort.index) if isinstance(sort, ArraySort) else index)


def _store(array: Term, index: Term, element: Term) -> Term:
    sort = array.sort
    if isinstance(sort, ArraySort):
        index, element = converted(index, sort.index), converted(element, sort.element)
    return b.store(array, index, element)


def _is_int(x: Term) -> Term:
    x = converted(x, REAL)
    return b.eq(b.to_real(b.to_int(x)), x)


def _fp(sign: Term, exponent: Term, significand: Term) -> Term:
    sort = Float(b.width_of(exponent), b.width_of(significand) + 1)
    return b.fp_from_bits(sort, b.concat(b.concat(sign, exponent), significand))


def _fp_is_positive(x: Term) -> Term:
    return b.and_(b.not_(b.fp_is_nan(x)), b.not_(b.fp_is_negative(x)))


def _rounded(operator: Operator) -> Operator:
    def build(mode: Any, *args: Term) -> Term:
        if isinstance(mode, Term):
            raise SortError("expected a rounding mode first")
        return operator(*args, mode)

    return build


def _bvcomp(x: Term, y: Term) -> Term:
    return b.bool_to_bv(b.eq(x, y))


OPERATORS: dict[str, Operator] = {
    "not": b.not_, "and": _connective(b.and_), "or": _connective(b.or_), "xor": _left(b.xor),
    "=>": _right(b.implies), "=": _chain(b.eq), "ite": _ite,
    "distinct": _mixed(lambda *args: b.distinct(args)),
    "+": _mixed(b.add), "*": _mixed(b.mul), "-": _mixed(_minus), "/": _slash,
    "div": _left(b.div), "mod": b.mod, "abs": b.abs_, "to_int": lambda x: b.to_int(converted(x, REAL)),
    "to_real": lambda x: x if x.sort is REAL else b.to_real(x),
    "is_int": _is_int,
    "<=": _chain(b.le), "<": _chain(b.lt),
    ">=": _chain(b.ge), ">": _chain(b.gt),
    "select": _select, "store": _store, "concat": _left(b.concat),
    "bv2nat": b.bv2nat, "ubv_to_int": b.bv2nat, "bvcomp": _bvcomp, "bvneg": b.bvneg, "bvnot": b.bvnot,
    "bvnand": lambda x, y: b.bvnot(b.bvand(x, y)), "bvnor": lambda x, y: b.bvnot(b.bvor(x, y)),
    "bvxnor": lambda x, y: b.bvnot(b.bvxor(x, y)),
    "bvugt": lambda x, y: b.bvult(y, x), "bvuge": lambda x, y: b.bvule(y, x),
    "bvsgt": lambda x, y: b.bvslt(y, x), "bvsge": lambda x, y: b.bvsle(y, x),
    **{op: getattr(b, op) for op in (
        Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE, Op.BVSUB, Op.BVUDIV, Op.BVUREM, Op.BVSDIV, Op.BVSREM,
        Op.BVSMOD, Op.BVSHL, Op.BVLSHR, Op.BVASHR,
    )},
    **{op: _left(getattr(b, op)) for op in (Op.BVADD, Op.BVMUL, Op.BVAND, Op.BVOR, Op.BVXOR)},
    "fp": _fp, "fp.neg": b.fp_neg, "fp.abs": b.fp_abs, "fp.rem": b.fp_rem,
    "fp.leq": _chain(b.fp_le), "fp.lt": _chain(b.fp_lt), "fp.eq": _chain(b.fp_eq),
    "fp.geq": _chain(b.fp_ge), "fp.gt": _chain(b.fp_gt), "fp.isNaN": b.fp_is_nan,
    "fp.isInfinite": b.fp_is_inf, "fp.isZero": b.fp_is_zero, "fp.isNegative": b.fp_is_negative,
    "fp.isPositive": _fp_is_positive, "fp.isNormal": b.fp_is_normal,
    "fp.isSubnormal": b.fp_is_subnormal, "fp.to_real": b.fp_to_real,
    "fp.add": _rounded(b.fp_add), "fp.sub": _rounded(b.fp_sub), "fp.mul": _rounded(b.fp_mul),
    "fp.div": _rounded(b.fp_div), "fp.sqrt": _rounded(b.fp_sqrt), "fp.fma": _rounded(b.fp_fma),
    "fp.roundToIntegral": _rounded(b.fp_round),
}


def _signed(x: Term) -> Term:
    width = b.width_of(x)
    return b.sub(b.bv2nat(x), b.ite(b.bvslt(x, b.bv(0, width)), b.integer(1 << width), b.integer(0)))


def _overflows(operator: Operator, extend: Operator, growth: int) -> Operator:
    """Is the result another one if operands are extended by ``growth`` times their width and a bit?"""

    def build(x: Term, y: Term) -> Term:
        more = growth * b.width_of(x) + 1
        return b.not_(b.eq(operator(extend(more, x), extend(more, y)), extend(more, operator(x, y))))

    return build


def _least(x: Term) -> Term:
    """Is it the least signed number?"""
    width = b.width_of(x)
    return b.eq(x, b.bv(1 << (width - 1), width))


def _all_ones(x: Term) -> Term:
    width = b.width_of(x)
    return b.eq(x, b.bv((1 << width) - 1, width))


def _rem(x: Term, y: Term) -> Term:
    return b.ite(b.le(b.integer(0), y), b.mod(x, y), b.neg(b.mod(x, y)))


# Of SMT-LIB 2.7 and of z3: names that scripts for older versions define themselves.
LATER_OPERATORS: dict[str, Operator] = {
    "sbv_to_int": _signed, "bvnego": _least,
    "bvuaddo": _overflows(b.bvadd, b.zero_extend, 0), "bvsaddo": _overflows(b.bvadd, b.sign_extend, 0),
    "bvumulo": _overflows(b.bvmul, b.zero_extend, 1), "bvsmulo": _overflows(b.bvmul, b.sign_extend, 1),
    "bvusubo": b.bvult, "bvssubo": _overflows(b.bvsub, b.sign_extend, 0),
    "bvsdivo": lambda x, y: b.and_(_least(x), _all_ones(y)),
    "bvredor": lambda x: b.bool_to_bv(b.not_(b.eq(x, b.bv(0, b.width_of(x))))),
    "bvredand": lambda x: b.bool_to_bv(_all_ones(x)), "rem": _rem,
}


def indexed(name: str, indices: Sequence[int], args: Sequence[Any]) -> Term | None:
    """``((_ name indices) args)``; None if there is no such operator."""
    match name, list(indices):
        case "extract", [high, low]:
            return b.extract(high, low, *args)
        case "zero_extend", [count]:
            return b.zero_extend(count, *args)
        case "sign_extend", [count]:
            return b.sign_extend(count, *args)
        case ("rotate_left" | "rotate_right"), [count]:
            width = b.width_of(*args)
            return _rotate(args[0], count if name == "rotate_left" else width - count % width)
        case "divisible", [divisor] if divisor >= 1 and len(args) == 1:
            return b.eq(b.mod(args[0], b.integer(divisor)), b.integer(0))
        case "repeat", [count] if count >= 1:
            return _left(b.concat)(*[args[0]] * count) if count > 1 else args[0]
        case ("int2bv" | "int_to_bv"), [width]:
            return b.int2bv(width, *args)
        case "to_fp", [exponent, significand]:
            return _to_fp(Float(exponent, significand), args)
        case "to_fp_unsigned", [exponent, significand]:
            mode, term = args
            return b.fp_from_ubv(Float(exponent, significand), term, mode)
        case "fp.to_ubv", [width]:
            return b.fp_to_ubv(width, args[1], args[0])
        case "fp.to_sbv", [width]:
            return b.fp_to_sbv(width, args[1], args[0])
    return None


def _rotate(term: Term, count: int) -> Term:
    width = b.width_of(term)
    split = width - count % width
    if split == width:
        return term
    return b.concat(b.extract(split - 1, 0, term), b.extract(width - 1, split, term))


def _to_fp(sort: FloatSort, args: Sequence[Any]) -> Term:
    if len(args) == 1:
        return b.fp_from_bits(sort, args[0])
    mode, term = args
    if isinstance(term.sort, FloatSort):
        return b.fp_to_fp(sort, term, mode)
    if isinstance(term.sort, BitVecSort):
        return b.fp_from_sbv(sort, term, mode)
    return b.fp_from_real(sort, b.to_real(term) if term.sort is INT else term, mode)


def indexed_constant(name: str, indices: Sequence[int]) -> Term | None:
    """``(_ name indices)`` as a constant: ``(_ bv5 8)``, ``(_ NaN 8 24)``."""
    if name.startswith("bv") and name[2:].isdigit() and len(indices) == 1:
        if int(name[2:]) >> indices[0]:
            raise SortError(f"{name[2:]} does not fit in {indices[0]} bits")
        return b.bv(int(name[2:]), indices[0])
    if len(indices) == 2 and name in ("NaN", "+oo", "-oo", "+zero", "-zero"):
        sort = Float(*indices)
        if name == "NaN":
            return b.fp_nan(sort)
        make = b.fp_inf if name.endswith("oo") else b.fp_zero
        return make(sort, negative=name[0] == "-")
    return None
