"""What Lustre's operators on scalars mean as terms, by the type of their operands.

``div`` and ``mod`` on ``int`` are Euclidean, as in KIND 2; machine integers wrap, and their
division rounds towards zero.
"""

from __future__ import annotations

from collections.abc import Callable

from revet.frontends.lustre.core import Op
from revet.frontends.lustre.types import INT, REAL, Machine, Type
from revet.logic import build as b
from revet.logic.terms import Term

_Binary = Callable[[Term, Term], Term]

_BOOLEAN: dict[str, _Binary] = {
    "and": b.and_, "or": b.or_, "xor": b.xor, "=>": b.implies,
}
_NUMBER: dict[str, _Binary] = {
    "+": b.add, "-": b.sub, "*": b.mul, "/": b.rdiv, "div": b.div, "mod": b.mod,
    "<": b.lt, "<=": b.le, ">": b.gt, ">=": b.ge,
}
_MACHINE: dict[str, _Binary] = {
    "+": b.bvadd, "-": b.bvsub, "*": b.bvmul, "&&": b.bvand, "||": b.bvor, "lsh": b.bvshl, "++": b.concat,
}
_SIGNED: dict[str, _Binary] = {
    "div": b.bvsdiv, "mod": b.bvsrem, "<": b.bvslt, "<=": b.bvsle, "rsh": b.bvashr,
    ">": lambda x, y: b.bvslt(y, x), ">=": lambda x, y: b.bvsle(y, x),
}
_UNSIGNED: dict[str, _Binary] = {
    "div": b.bvudiv, "mod": b.bvurem, "<": b.bvult, "<=": b.bvule, "rsh": b.bvlshr,
    ">": lambda x, y: b.bvult(y, x), ">=": lambda x, y: b.bvule(y, x),
}


def operator_term(expr: Op, arguments: list[Term]) -> Term:
    """An operator applied to the terms of its arguments; equality is not here."""
    operator, type_ = expr.operator, expr.arguments[0].type
    if operator == "#":
        return _at_most_one(arguments)
    if operator == "convert":
        return convert(arguments[0], type_, expr.type)
    if operator == "extract":
        assert expr.bits is not None
        return b.extract(expr.bits[0], expr.bits[1], arguments[0])
    if len(arguments) == 1:
        return {"not": b.not_, "-": b.negate, "!": b.bvnot}[operator](arguments[0])
    left, right = arguments
    if operator in _BOOLEAN:
        return _BOOLEAN[operator](left, right)
    if not isinstance(type_, Machine):
        return _NUMBER[operator](left, right)
    if operator in _MACHINE:
        return _MACHINE[operator](left, right)
    return (_SIGNED if type_.signed else _UNSIGNED)[operator](left, right)


def convert(term: Term, source: Type, target: Type) -> Term:
    if target == source:
        return term
    if target == REAL:
        return b.to_real(convert(term, source, INT))
    if target == INT:
        return b.to_int(term) if source == REAL else _as_integer(term, source)
    assert isinstance(target, Machine)
    if not isinstance(source, Machine):
        return b.int2bv(target.width, convert(term, source, INT))
    if target.width <= source.width:
        return b.extract(target.width - 1, 0, term)
    extend = b.sign_extend if source.signed else b.zero_extend
    return extend(target.width - source.width, term)


def _as_integer(term: Term, source: Type) -> Term:
    assert isinstance(source, Machine)
    unsigned = b.bv2nat(term)
    if not source.signed:
        return unsigned
    half, whole = 1 << (source.width - 1), 1 << source.width
    return b.ite(unsigned >= half, unsigned - whole, unsigned)


def _at_most_one(terms: list[Term]) -> Term:
    pairs = [(x, y) for position, x in enumerate(terms) for y in terms[position + 1 :]]
    return b.conjunction(b.not_(b.and_(x, y)) for x, y in pairs)
