"""What Lustre's operators mean as terms, by the type of their operands.

``div`` and ``mod`` on ``int`` are Euclidean, as in KIND 2; machine integers wrap, and their
division rounds towards zero.
"""

from __future__ import annotations

from collections.abc import Callable

from revet.frontends.lustre.types import MACHINE, Type
from revet.logic import build as b
from revet.logic.sorts import BitVecSort
from revet.logic.terms import Term

_Binary = Callable[[Term, Term], Term]

_BOOLEAN: dict[str, _Binary] = {
    "and": b.and_, "or": b.or_, "xor": b.xor, "=>": b.implies,
}
_EQUALITY: dict[str, _Binary] = {"=": b.eq, "<>": lambda x, y: b.not_(b.eq(x, y))}
_NUMBER: dict[str, _Binary] = {
    "+": b.add, "-": b.sub, "*": b.mul, "/": b.rdiv, "div": b.div, "mod": b.mod,
    "<": b.lt, "<=": b.le, ">": b.gt, ">=": b.ge,
}
_MACHINE: dict[str, _Binary] = {"+": b.bvadd, "-": b.bvsub, "*": b.bvmul}
_SIGNED: dict[str, _Binary] = {
    "div": b.bvsdiv, "/": b.bvsdiv, "mod": b.bvsrem, "<": b.bvslt, "<=": b.bvsle,
    ">": lambda x, y: b.bvslt(y, x), ">=": lambda x, y: b.bvsle(y, x),
}
_UNSIGNED: dict[str, _Binary] = {
    "div": b.bvudiv, "/": b.bvudiv, "mod": b.bvurem, "<": b.bvult, "<=": b.bvule,
    ">": lambda x, y: b.bvult(y, x), ">=": lambda x, y: b.bvule(y, x),
}


def binary_term(operator: str, left: Term, right: Term, type_: Type) -> Term:
    """``type_`` is that of the operands."""
    for table in (_BOOLEAN, _EQUALITY):
        if operator in table:
            return table[operator](left, right)
    if not type_.width:
        return _NUMBER[operator](left, right)
    if operator in _MACHINE:
        return _MACHINE[operator](left, right)
    return (_SIGNED if type_.signed else _UNSIGNED)[operator](left, right)


def unary_term(operator: str, argument: Term, type_: Type) -> Term:
    """``not``, ``-``, and conversions by the name of the target type."""
    if operator == "not":
        return b.not_(argument)
    if operator == "-":
        return b.negate(argument)
    return convert(argument, type_, operator)


def convert(term: Term, source: Type, target: str) -> Term:
    if target == "real":
        return term if source.name == "real" else b.to_real(convert(term, source, "int"))
    if target == "int":
        if source.name == "real":
            return b.to_int(term)
        return _as_integer(term, source) if source.width else term
    width = MACHINE[target].width
    if not source.width:
        return b.int2bv(width, convert(term, source, "int"))
    if width <= source.width:
        return b.extract(width - 1, 0, term)
    extend = b.sign_extend if source.signed else b.zero_extend
    return extend(width - source.width, term)


def _as_integer(term: Term, source: Type) -> Term:
    assert isinstance(term.sort, BitVecSort)
    unsigned = b.bv2nat(term)
    if not source.signed:
        return unsigned
    half, whole = 1 << (source.width - 1), 1 << source.width
    return b.ite(unsigned >= half, unsigned - whole, unsigned)
