"""The operators as terms of :mod:`revet.logic`, agreeing with :mod:`revet.streams.evaluate`.

Functions that the logic does not have (sine and the like) are uninterpreted: a proof holds whatever
they are, and a counterexample counts only if the interpreter confirms it. The translation makes their
values inputs, equal within an instant where the arguments are (:meth:`translate.Terms.functional`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from revet.logic import build as b
from revet.logic.sorts import REAL
from revet.logic.terms import FunctionSymbol, Term
from revet.streams.types import Scalar


def operator_term(operator: str, type_: Scalar, types: Sequence[Scalar], args: Sequence[Term]) -> Term:
    if operator == "mux":
        return b.ite(*args)
    if operator in ("eq", "lt", "le"):
        return _compare(operator, types[0], *args)
    if operator == "cast":
        return cast_term(args[0], types[0], type_)
    match type_.kind:
        case "bool":
            return _LOGIC[operator](*args)
        case "float":
            return _float(operator, type_, args)
        case "integer":
            return _INTEGER[operator](*args)
        case "real":
            return _real(operator, args)
    if operator in ("shl", "shr"):
        return _shift(operator, type_, types[1], *args)
    table = _SIGNED if type_.signed and operator in _SIGNED else _MACHINE
    return table[operator](*args)


def _compare(operator: str, type_: Scalar, x: Term, y: Term) -> Term:
    if type_.kind == "float":
        return {"eq": b.fp_eq, "lt": b.fp_lt, "le": b.fp_le}[operator](x, y)
    if operator == "eq":
        return b.eq(x, y)
    if type_.kind in ("integer", "real"):
        return b.lt(x, y) if operator == "lt" else b.le(x, y)
    if type_.signed:
        return b.bvslt(x, y) if operator == "lt" else b.bvsle(x, y)
    return b.bvult(x, y) if operator == "lt" else b.bvule(x, y)


_Operator = Callable[..., Term]

_LOGIC: dict[str, _Operator] = {"not": b.not_, "and": b.and_, "or": b.or_, "xor": b.xor}


def _by_zero(divisor: Term, result: Term, otherwise: Term) -> Term:
    return b.ite(b.eq(divisor, b.bv(0, b.width_of(divisor))), result, otherwise)


def _zero(x: Term) -> Term:
    return b.bv(0, b.width_of(x))


def _machine_floor(x: Term, y: Term) -> Term:
    """Towards minus infinity: one less than C's quotient if the signs differ and it is not exact."""
    quotient = b.bvsdiv(x, y)
    return _by_zero(y, _zero(x), b.ite(_corrects(x, y), b.bvsub(quotient, b.bv(1, b.width_of(x))), quotient))


def _corrects(x: Term, y: Term) -> Term:
    remainder = b.bvsrem(x, y)
    negative = b.xor(b.bvslt(remainder, _zero(x)), b.bvslt(y, _zero(x)))
    return b.and_(b.not_(b.eq(remainder, _zero(x))), negative)


_SIGNED: dict[str, _Operator] = {
    "div": _machine_floor,
    "mod": lambda x, y: _by_zero(y, x, b.bvsmod(x, y)),
    "quot": lambda x, y: _by_zero(y, _zero(x), b.bvsdiv(x, y)),
    "rem": lambda x, y: _by_zero(y, x, b.bvsrem(x, y)),
    "abs": lambda x: b.ite(b.bvslt(x, _zero(x)), b.bvneg(x), x),
}
_MACHINE: dict[str, _Operator] = {
    "add": b.bvadd, "sub": b.bvsub, "mul": b.bvmul, "neg": b.bvneg, "abs": lambda x: x,
    "div": lambda x, y: _by_zero(y, _zero(x), b.bvudiv(x, y)),
    "mod": lambda x, y: _by_zero(y, x, b.bvurem(x, y)),
    "quot": lambda x, y: _by_zero(y, _zero(x), b.bvudiv(x, y)),
    "rem": lambda x, y: _by_zero(y, x, b.bvurem(x, y)),
    "and": b.bvand, "or": b.bvor, "xor": b.bvxor, "not": b.bvnot,
}


def _floor_div(x: Term, y: Term) -> Term:
    """SMT-LIB's division is Euclidean; with a positive divisor that is the floor. By zero: 0."""
    return b.ite(y < 0, b.div(b.neg(x), b.neg(y)), b.div(x, y))


_INTEGER: dict[str, _Operator] = {
    "add": b.add, "sub": b.sub, "mul": b.mul, "neg": b.neg, "abs": b.abs_,
    "div": _floor_div,
    "mod": lambda x, y: b.sub(x, b.mul(y, _floor_div(x, y))),
    "quot": lambda x, y: b.ite(y.eq(0), b.integer(0), b.tdiv(x, y)),
    "rem": lambda x, y: b.ite(y.eq(0), x, b.trem(x, y)),
}


def _real(operator: str, args: Sequence[Term]) -> Term:
    if operator in _REAL:
        return _REAL[operator](*args)
    return b.apply(FunctionSymbol(f"{operator}.Real", [REAL] * len(args), REAL), *args)


_REAL: dict[str, _Operator] = {
    "add": b.add, "sub": b.sub, "mul": b.mul, "neg": b.neg, "abs": b.abs_, "fdiv": b.rdiv,
    "floor": lambda x: b.to_real(b.to_int(x)), "ceil": lambda x: b.neg(b.to_real(b.to_int(b.neg(x)))),
}


def _shift(operator: str, type_: Scalar, amount_type: Scalar, value: Term, amount: Term) -> Term:
    """The solver's shifts take an amount of the value's width; larger ones move every bit out."""
    width = type_.width
    shift = b.bvshl if operator == "shl" else b.bvashr if type_.signed else b.bvlshr
    if amount_type.width <= width:
        return shift(value, b.zero_extend(width - amount_type.width, amount))
    last = b.bv(width - 1, width)
    all_out = b.bvashr(value, last) if operator == "shr" and type_.signed else b.bv(0, width)
    beyond = b.bvule(b.bv(width, amount_type.width), amount)
    return b.ite(beyond, all_out, shift(value, b.extract(width - 1, 0, amount)))


def _float(operator: str, type_: Scalar, args: Sequence[Term]) -> Term:
    match operator:
        case "floor":
            return b.fp_round(args[0], "RTN")
        case "ceil":
            return b.fp_round(args[0], "RTP")
    known: dict[str, _Operator] = {
        "add": b.fp_add, "sub": b.fp_sub, "mul": b.fp_mul, "fdiv": b.fp_div,
        "neg": b.fp_neg, "abs": b.fp_abs, "sqrt": b.fp_sqrt,
    }
    if operator in known:
        return known[operator](*args)
    symbol = FunctionSymbol(f"{operator}.{type_.name}", [type_.sort] * len(args), type_.sort)
    return b.apply(symbol, *args)


def cast_term(term: Term, source: Scalar, target: Scalar) -> Term:
    match source.kind, target.kind:
        case "integer", "real":
            return b.to_real(term)
        case "bool", "integer":
            return b.ite(term, b.integer(1), b.integer(0))
        case "bool", "int":
            return b.bool_to_bv(term, target.width)
        case "bool", "float":
            return b.ite(term, b.fp_const(1, target.sort), b.fp_const(0, target.sort))
        case "float", "float":
            return b.fp_to_fp(target.sort, term)
        case "float", "int":
            return (b.fp_to_sbv if target.signed else b.fp_to_ubv)(target.width, term)
        case "int", "float":
            return (b.fp_from_sbv if source.signed else b.fp_from_ubv)(target.sort, term)
        case "integer", "int":
            return b.int2bv(target.width, term)
        case "int", "integer":
            unsigned = b.bv2nat(term)
            if not source.signed:
                return unsigned
            return b.ite(unsigned > source.high, unsigned - (1 << source.width), unsigned)
    if target.width <= source.width:
        return b.extract(target.width - 1, 0, term)
    extend = b.sign_extend if source.signed else b.zero_extend
    return extend(target.width - source.width, term)
