"""Syntax trees on values: the interpreter that confirms traces without terms or solvers.

Written apart from :mod:`revet.frontends.kit.lowering` and :mod:`revet.logic.semantics` on purpose: a
mistake in the lowering shows as a trace that this interpreter does not confirm. Only the sorts
that type checking found are shared.

A division by zero gives :data:`UNDEFINED`, which spreads to everything that needs it;
``and``, ``or``, ``implies`` and ``ite`` ignore what they do not need. Languages in which a
division by zero has a value pass ``by_zero``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from revet.frontends.kit.syntax import DIVISIONS, Expr, postorder
from revet.logic.sorts import INT, BitVecSort, FloatSort, Sort
from revet.logic.values import ArrayValue


class Undefined:
    """The value of a division by zero."""

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED: Final = Undefined()
ByZero = Callable[[Expr], Any]


class Interpreter:
    """Evaluates trees under states (values by name); ``sorts`` come from type checking."""

    def __init__(self, sorts: Mapping[Expr, Sort], by_zero: ByZero | None = None) -> None:
        self.sorts = sorts
        self.by_zero = by_zero

    def value(
        self, expr: Expr, state: Mapping[str, Any], choices: Mapping[Expr, Any] | None = None
    ) -> Any:
        """``choices`` are the values of ``nondet`` nodes."""
        stack: list[Any] = []
        for node in postorder(expr):
            count = len(node.args)
            if count:
                args = stack[-count:]
                del stack[-count:]
                stack.append(self._apply(node, args))
            elif node.op == "name":
                stack.append(state[node.payload])
            elif node.op == "nondet":
                stack.append((choices or {})[node])
            elif node.op == "bits":
                value, width = node.payload
                stack.append(value % 2**width)
            else:
                stack.append(node.payload)
        return stack.pop()

    def _apply(self, node: Expr, args: list[Any]) -> Any:
        lazy = _LAZY.get(node.op)
        if lazy is not None:
            return lazy(args)
        if any(arg is UNDEFINED for arg in args):
            return UNDEFINED
        sorts = [self.sorts[arg] for arg in node.args]
        if any(isinstance(sort, FloatSort) for sort in sorts) or node.op.startswith(("fp.", "float")):
            from revet.frontends.kit.lowering_floats import evaluate_float

            return evaluate_float(node, self.sorts[node], sorts, args)
        if node.op in DIVISIONS:
            if args[1] == 0:
                return self.by_zero(node) if self.by_zero is not None else UNDEFINED
            return _divide(node.op, args[0], args[1], self.sorts[node])
        if isinstance(sorts[0], BitVecSort):
            return _bits(node, args, sorts)
        return _PLAIN[node.op](node, args)


def _divide(op: str, x: Any, y: Any, sort: Sort) -> Any:
    if sort is not INT:
        return Fraction(x) / Fraction(y)
    quotient, rest = divmod(x, abs(y))  # the divisor is positive: 0 <= rest < |y|
    match op:
        case "mod":
            return rest
        case "rem":
            return rest if y > 0 else -rest
        case "tdiv":
            return _towards_zero(x, y)
        case "trem":
            return x - y * _towards_zero(x, y)
        case _:
            return quotient if y > 0 else -quotient


def _and(args: list[Any]) -> Any:
    return args[1] if args[0] is True else args[0]


def _or(args: list[Any]) -> Any:
    return args[1] if args[0] is False else args[0]


def _implies(args: list[Any]) -> Any:
    return args[1] if args[0] is True else UNDEFINED if args[0] is UNDEFINED else True


def _ite(args: list[Any]) -> Any:
    if args[0] is UNDEFINED:
        return UNDEFINED
    return args[1] if args[0] else args[2]


_LAZY: dict[str, Callable[[list[Any]], Any]] = {"and": _and, "or": _or, "implies": _implies, "ite": _ite}

_PLAIN: dict[str, Callable[[Expr, list[Any]], Any]] = {
    "not": lambda node, a: not a[0],
    "iff": lambda node, a: a[0] == a[1],
    "xor": lambda node, a: a[0] != a[1],
    "=": lambda node, a: a[0] == a[1],
    "!=": lambda node, a: a[0] != a[1],
    "<": lambda node, a: a[0] < a[1],
    "<=": lambda node, a: a[0] <= a[1],
    ">": lambda node, a: a[0] > a[1],
    ">=": lambda node, a: a[0] >= a[1],
    "+": lambda node, a: a[0] + a[1],
    "-": lambda node, a: a[0] - a[1],
    "*": lambda node, a: a[0] * a[1],
    "neg": lambda node, a: -a[0],
    "pos": lambda node, a: a[0],
    "select": lambda node, a: a[0].select(a[1]),
    "store": lambda node, a: a[0].store(a[1], a[2]),
    "array": lambda node, a: _array(a),
}


def _array(args: list[Any]) -> ArrayValue:
    result = ArrayValue(args[-1])
    for position in range(0, len(args) - 1, 2):
        result = result.store(args[position], args[position + 1])
    return result


def _bits(node: Expr, args: list[Any], sorts: list[Sort]) -> Any:
    sort = sorts[0]
    assert isinstance(sort, BitVecSort)
    width, op, x = sort.width, node.op, args[0]
    limit = 2**width
    if op in ("=", "!="):
        return (x == args[1]) == (op == "=")
    if len(args) == 1:
        match op:
            case "bvneg" | "neg":
                return -x % limit
            case "bvnot":
                return limit - 1 - x
            case "extract":
                high, low = node.payload
                return x // 2**low % 2 ** (high - low + 1)
            case "zero_extend" | "bvpos" | "pos":
                return x
            case "sign_extend":
                return _signed(x, width) % 2**node.payload
    if op == "concat":
        second = sorts[1]
        assert isinstance(second, BitVecSort)
        return x * 2**second.width + args[1]
    y = args[1]
    if op in _COMPARE:
        signed = op.startswith("bvs")
        return _COMPARE[op](_signed(x, width), _signed(y, width)) if signed else _COMPARE[op](x, y)
    return _bits_binary(op, x, y, width) % limit


_ORDER: dict[str, Callable[[int, int], bool]] = {
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}
_COMPARE = {f"bv{sign}{kind}": test for kind, test in _ORDER.items() for sign in "us"} | {
    symbol: _ORDER[kind] for symbol, kind in (("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge"))
}


def _signed(value: int, width: int) -> int:
    return value if value < 2 ** (width - 1) else value - 2**width


def _bits_binary(op: str, x: int, y: int, width: int) -> int:
    """Before reduction modulo 2**width."""
    sx, sy = _signed(x, width), _signed(y, width)
    match op:
        case "bvadd" | "+":
            return x + y
        case "bvsub" | "-":
            return x - y
        case "bvmul" | "*":
            return x * y
        case "bvudiv":
            return x // y if y else -1
        case "bvurem":
            return x % y if y else x
        case "bvsdiv":
            return _towards_zero(sx, sy) if sy else (1 if sx < 0 else -1)
        case "bvsrem":
            return sx - sy * _towards_zero(sx, sy) if sy else x
        case "bvsmod":
            return sx % sy if sy else x
        case "bvand":
            return x & y
        case "bvor":
            return x | y
        case "bvxor":
            return x ^ y
        case "bvshl":
            return x << min(y, width)
        case "bvlshr":
            return x >> min(y, width)
        case "bvashr":
            return sx >> min(y, width)
        case "rotate_left" | "rotate_right":
            steps = y % width if op == "rotate_left" else -y % width
            return x << steps | x >> (width - steps)
    raise AssertionError(op)


def _towards_zero(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return quotient if (x >= 0) == (y > 0) else -quotient
