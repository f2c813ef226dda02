"""Terms as a person would write them: infix, few parentheses, C's operator names.

For reading only; :mod:`revet.logic.smtlib` prints what machines read.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from revet.logic.sorts import BitVecSort, FloatSort, Sort
from revet.logic.terms import Op, Term

# Binding strength, from loosest to tightest.
_OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _UNARY, _ATOM = range(8)

_INFIX = {
    Op.LE: ("<=", _COMPARE), Op.LT: ("<", _COMPARE), Op.EQ: ("=", _COMPARE),
    Op.BVULE: ("<=u", _COMPARE), Op.BVULT: ("<u", _COMPARE), Op.BVSLE: ("<=s", _COMPARE),
    Op.BVSLT: ("<s", _COMPARE), Op.DIV: ("div", _PRODUCT), Op.MOD: ("mod", _PRODUCT),
    Op.RDIV: ("/", _PRODUCT), Op.BVADD: ("+", _SUM), Op.BVSUB: ("-", _SUM), Op.BVMUL: ("*", _PRODUCT),
    Op.BVUDIV: ("/u", _PRODUCT), Op.BVUREM: ("%u", _PRODUCT), Op.BVSDIV: ("/s", _PRODUCT),
    Op.BVSREM: ("%s", _PRODUCT), Op.BVAND: ("&", _PRODUCT), Op.BVOR: ("|", _PRODUCT),
    Op.BVXOR: ("^", _PRODUCT), Op.BVSHL: ("<<", _PRODUCT), Op.BVLSHR: (">>u", _PRODUCT),
    Op.BVASHR: (">>s", _PRODUCT), Op.FP_ADD: ("+", _SUM), Op.FP_SUB: ("-", _SUM),
    Op.FP_MUL: ("*", _PRODUCT), Op.FP_DIV: ("/", _PRODUCT), Op.FP_LE: ("<=", _COMPARE),
    Op.FP_LT: ("<", _COMPARE), Op.FP_EQ: ("==", _COMPARE), Op.CONCAT: ("::", _SUM),
}


def pretty(term: Term, limit: int | None = None) -> str:
    """``limit`` cuts the text of large terms, and the work spent on them."""
    # A shared subterm is spelt out at each use, so bound the number of nodes visited.
    fuel = 100_000 if limit is None else limit
    pieces: list[str] = []
    stack: list[Any] = [(term, _OR)]
    length = 0
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(item)
            length += len(item)
        else:
            fuel -= 1
            if fuel < 0 or (limit is not None and length > limit):
                pieces.append("…")
                break
            stack.extend(reversed(_layout(item[0], item[1])))
    text = "".join(pieces)
    return text if limit is None or len(text) <= limit else text[: limit - 1] + "…"


def format_value(value: Any, sort: Sort | None = None) -> str:
    """A value for tables and messages."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(sort, FloatSort):
        from revet.logic import softfloat

        return softfloat.format_bits(value, sort)
    if isinstance(sort, BitVecSort) and isinstance(value, int) and sort.width > 1 << 7:
        return hex(value)
    return str(value)


def _layout(term: Term, outer: int) -> list[Any]:
    """The pieces of one node: strings, and (subterm, context strength) pairs."""
    pieces, strength = _node(term)
    return ["(", *pieces, ")"] if strength < outer else pieces


def _joined(args: tuple[Term, ...], separator: str, strength: int) -> list[Any]:
    pieces: list[Any] = []
    for arg in args:
        pieces += [separator, (arg, strength)]
    return pieces[1:]


def _node(term: Term) -> tuple[list[Any], int]:
    op, args = term.op, term.args
    if op == Op.VAR:
        return [term.name], _ATOM
    if op == Op.CONST:
        text = format_value(term.payload, term.sort)
        return [text], _UNARY if text.startswith("-") else _ATOM
    if op == Op.AND:
        return _joined(args, " and ", _NOT), _AND
    if op == Op.OR:
        return _joined(args, " or ", _AND), _OR
    if op == Op.NOT:
        inner = args[0]
        if inner.op == Op.EQ:
            return [(inner.args[0], _SUM), " != ", (inner.args[1], _SUM)], _COMPARE
        return ["not ", (inner, _UNARY if inner.op != Op.NOT else _NOT)], _NOT
    if op == Op.ADD:
        return _sum(args), _SUM
    if op == Op.MUL:
        return _joined(args, "*", _UNARY), _PRODUCT
    if op == Op.ITE:
        return [(args[0], _AND), " ? ", (args[1], _AND), " : ", (args[2], _AND)], -1
    if op == Op.SELECT:
        return [(args[0], _ATOM), "[", (args[1], -1), "]"], _ATOM
    if op == Op.STORE:
        return [(args[0], _ATOM), "[", (args[1], -1), " := ", (args[2], -1), "]"], _ATOM
    if op in (Op.FORALL, Op.EXISTS):
        bound = ", ".join(variable.name for variable in term.payload)
        return [f"{op} {bound}. ", (args[0], _OR)], -1
    if op in (Op.LE, Op.LT) and (turned := _turned(args, f" {op} ")):
        return turned, _COMPARE
    if op in _INFIX:
        symbol, strength = _INFIX[op]
        return [(args[0], strength + 1), f" {symbol} ", (args[1], strength + 1)], strength
    name = term.payload.name if op == Op.APPLY else op
    parameter = f"[{term.payload}]" if op != Op.APPLY and term.payload is not None else ""
    return [f"{name}{parameter}(", *_joined(args, ", ", -1), ")"], _ATOM


def _turned(args: tuple[Term, ...], symbol: str) -> list[Any] | None:
    """``-21 < -1*x`` as ``x < 21``: a constant against something with a minus sign in front."""
    left, right = args
    if left.op == Op.CONST and right.op == Op.MUL and (negated := _negated(right)):
        return [*negated, symbol, format_value(-left.payload)]
    if right.op == Op.CONST and left.op == Op.MUL and (negated := _negated(left)):
        return [format_value(-right.payload), symbol, *negated]
    return None


def _sum(args: tuple[Term, ...]) -> list[Any]:
    pieces: list[Any] = []
    for position, arg in enumerate(args):
        negative = _negated(arg)
        if position == 0 or negative is None:
            pieces += ([" + "] if position else []) + [(arg, _SUM)]
        else:
            pieces += [" - ", *negative]
    return pieces


def _negated(arg: Term) -> list[Any] | None:
    """The pieces of ``-arg`` when ``arg`` carries a minus sign in front."""
    if arg.op == Op.CONST and arg.payload < 0:
        return [format_value(-arg.payload)]
    if arg.op == Op.MUL and arg.args[0].op == Op.CONST and arg.args[0].payload < 0:
        factor = -arg.args[0].payload
        rest = _joined(arg.args[1:], "*", _UNARY)
        return rest if factor == 1 else [f"{format_value(factor)}*", *rest]
    return None
