"""Terms of the logic as expressions of Lustre, where they have one: Booleans, integers and reals."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from revet.frontends.lustre.shapes import Value, terms
from revet.frontends.lustre.types import BOOL as BOOLEAN
from revet.frontends.lustre.types import INT as INTEGER
from revet.frontends.lustre.types import REAL as RATIONAL
from revet.frontends.lustre.types import ArrayOf, Record, TupleOf, Type, plain
from revet.logic.sorts import BOOL, INT, REAL
from revet.logic.terms import Op, Term

if TYPE_CHECKING:
    from revet.frontends.lustre.core import Stream

_INFIX = {Op.AND: "and", Op.OR: "or", Op.ADD: "+", Op.MUL: "*", Op.LE: "<=", Op.LT: "<", Op.EQ: "="}


def lustre_text(term: Term, names: Mapping[Term, str]) -> str | None:
    """The expression; None where the term has variables without a name or operators that are not there."""
    match term.op:
        case Op.VAR:
            return names.get(term)
        case Op.CONST:
            return _constant(term)
        case Op.NOT:
            inner = lustre_text(term.args[0], names)
            return None if inner is None else f"not {_nested(term.args[0], inner)}"
        case Op.ITE:
            parts = [lustre_text(arg, names) for arg in term.args]
            return None if None in parts else f"if {parts[0]} then {parts[1]} else {parts[2]}"
    if term.op not in _INFIX or any(arg.sort not in (BOOL, INT, REAL) for arg in term.args):
        return None
    texts = [lustre_text(arg, names) for arg in term.args]
    if any(text is None for text in texts):
        return None
    joined = [_nested(arg, text) for arg, text in zip(term.args, texts, strict=True) if text is not None]
    return f" {_INFIX[term.op]} ".join(joined)


def _nested(term: Term, text: str) -> str:
    return text if term.op == Op.VAR or (term.op == Op.CONST and text[0] != "-") else f"({text})"


def _constant(term: Term) -> str | None:
    value = term.value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and term.sort is INT:
        return str(value)
    if isinstance(value, (int, Fraction)) and term.sort is REAL:
        number = Fraction(value)
        whole = f"{number.numerator}.0"
        return whole if number.denominator == 1 else f"{whole} / {number.denominator}.0"
    return None


def leaves(stream: Stream, value: Value) -> dict[str, Term]:
    """The scalars that a stream is made of, as Lustre writes them, and their terms; those that are not
    Booleans, integers or reals are left out."""
    return {
        name: term
        for term, (name, type_) in zip(terms(value), _leaves(stream.name, stream.type), strict=False)
        if type_ in (BOOLEAN, INTEGER, RATIONAL)
    }


def _leaves(name: str, type_: Type) -> list[tuple[str, Type]]:
    match plain(type_):
        case Record(fields=fields):
            return [leaf for field, part in fields for leaf in _leaves(f"{name}.{field}", part)]
        case TupleOf(items=items):
            return [leaf for k, part in enumerate(items) for leaf in _leaves(f"{name}.%{k}", part)]
        case ArrayOf(element=element) as array if array.length is not None:
            return [leaf for k in range(array.length) for leaf in _leaves(f"{name}[{k}]", element)]
        case scalar:
            return [(name, scalar)]
