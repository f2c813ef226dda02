"""Functions that stand for operators of SMT-LIB.

``{:bvbuiltin "bvadd"}`` and ``{:builtin "…"}`` name one; parameters are part of the name
(``"zero_extend 24"``, ``"(_ extract 7 0)"``) or in ULTIMATE's ``{:indices 24}``. ``{:const_array}`` marks
the function that makes a map which has its argument everywhere. Bit-vector division by zero is
SMT-LIB's: all ones, and the dividend as remainder.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from revet.frontends.boogie import syntax as s
from revet.logic import build as b
from revet.logic.terms import Term


class Builtin(NamedTuple):
    operator: str
    indices: tuple[int, ...] = ()


CONST_ARRAY = "const_array"

UNARY: dict[str, Callable[[Term], Term]] = {"bvneg": b.bvneg, "bvnot": b.bvnot, "not": b.not_}
BINARY: dict[str, Callable[[Term, Term], Term]] = {
    "bvadd": b.bvadd, "bvsub": b.bvsub, "bvmul": b.bvmul, "bvudiv": b.bvudiv, "bvurem": b.bvurem,
    "bvsdiv": b.bvsdiv, "bvsrem": b.bvsrem, "bvsmod": b.bvsmod, "bvand": b.bvand, "bvor": b.bvor,
    "bvxor": b.bvxor, "bvshl": b.bvshl, "bvlshr": b.bvlshr, "bvashr": b.bvashr, "concat": b.concat,
    "bvnand": lambda x, y: b.bvnot(b.bvand(x, y)),
    "bvnor": lambda x, y: b.bvnot(b.bvor(x, y)),
    "bvxnor": lambda x, y: b.bvnot(b.bvxor(x, y)),
    "bvult": b.bvult, "bvule": b.bvule, "bvslt": b.bvslt, "bvsle": b.bvsle,
    "bvugt": lambda x, y: b.bvult(y, x), "bvuge": lambda x, y: b.bvule(y, x),
    "bvsgt": lambda x, y: b.bvslt(y, x), "bvsge": lambda x, y: b.bvsle(y, x),
}
INDEXED: dict[str, Callable[[tuple[int, ...], Term], Term]] = {
    "zero_extend": lambda indices, x: b.zero_extend(indices[0], x),
    "sign_extend": lambda indices, x: b.sign_extend(indices[0], x),
    "extract": lambda indices, x: b.extract(indices[0], indices[1], x),
}
_INDICES = {"zero_extend": 1, "sign_extend": 1, "extract": 2}


def builtin_of(function: s.Function, program: s.Program) -> Builtin | None:
    """What the function's attributes say it is; None: nothing."""
    named: str | None = None
    indices: tuple[int, ...] = ()
    for attribute in function.attributes:
        if attribute.name in ("bvbuiltin", "builtin"):
            texts = [one for one in attribute.arguments if isinstance(one, str)]
            named = texts[0] if texts else ""
        elif attribute.name == "indices":
            found = (one for one in attribute.arguments if isinstance(one, s.IntLiteral))
            indices = tuple(one.value for one in found)
        elif attribute.name == CONST_ARRAY:
            return Builtin(CONST_ARRAY)
    if named is None:
        return None
    words = named.replace("(", " ").replace(")", " ").split()
    words = words[1:] if words[:1] == ["_"] else words
    if words and all(word.isdigit() for word in words[1:]):
        made = Builtin(words[0], tuple(map(int, words[1:])) or indices)
        arity = 1 if made.operator in UNARY or made.operator in INDEXED else 2
        fits = made.operator in UNARY or made.operator in BINARY or made.operator in INDEXED
        if fits and len(made.indices) == _INDICES.get(made.operator, 0) and arity == len(function.parameters):
            return made
    raise program.unsupported(f"the built-in function {named!r} is not supported", function.position)


def term_of(builtin: Builtin, arguments: list[Term]) -> Term:
    if builtin.operator in UNARY:
        return UNARY[builtin.operator](*arguments)
    if builtin.operator in INDEXED:
        return INDEXED[builtin.operator](builtin.indices, *arguments)
    return BINARY[builtin.operator](*arguments)
