"""The Boolean structure of a formula in C, and floating-point atoms."""

from __future__ import annotations

import struct

from revet.frontends.c.expression.bits import COMPARISONS, BitPrinter
from revet.frontends.c.expression.integers import IntegerPrinter, leaf
from revet.frontends.c.expression.names import Names, NotExpressible
from revet.frontends.c.types import Floating, Pointer
from revet.logic.sorts import BOOL, FLOAT32, FLOAT64, INT, BitVecSort
from revet.logic.terms import FALSE, TRUE, Op, Term

_DEEPEST = 150  # nobody reads deeper formulas, and printing recurses
_LONGEST = 20_000

_FLOAT_COMPARE = {Op.FP_LE: "<=", Op.FP_LT: "<", Op.FP_EQ: "=="}
_FLOAT_OPERATORS = {Op.FP_ADD: "+", Op.FP_SUB: "-", Op.FP_MUL: "*", Op.FP_DIV: "/"}


def c_expression(formula: Term, names: Names) -> str:
    """The formula as one C expression; raises :class:`NotExpressible`."""
    if _depth(formula) > _DEEPEST:
        raise NotExpressible("the formula is too deep")
    text = _Printer(names).formula(formula)
    if len(text) > _LONGEST:
        raise NotExpressible("the expression is too long")
    return text


def c_conjuncts(formula: Term, names: Names) -> tuple[list[str], list[tuple[Term, str]]]:
    """The conjuncts that C can say, and those that it cannot with the reason."""
    said: list[str] = []
    left_out: list[tuple[Term, str]] = []
    stack = [formula]
    while stack:
        part = stack.pop()
        if part.op == Op.AND:
            stack.extend(reversed(part.args))
        elif part is not TRUE:
            try:
                said.append(c_expression(part, names))
            except NotExpressible as reason:
                left_out.append((part, str(reason)))
    return said, left_out


def _depth(root: Term) -> int:
    from revet.logic.walk import subterms

    depth: dict[Term, int] = {}
    for term in subterms(root):
        depth[term] = 1 + max((depth[arg] for arg in term.args), default=0)
    return depth[root]


class _Printer:
    def __init__(self, names: Names) -> None:
        self._names = names
        self._integers = IntegerPrinter(names, self.formula)
        self._bits = BitPrinter(names, self.formula)

    def formula(self, term: Term) -> str:
        op, args = term.op, term.args
        if term is TRUE or term is FALSE:
            return "1" if term is TRUE else "0"
        if op in (Op.AND, Op.OR):
            symbol = " && " if op == Op.AND else " || "
            return symbol.join(f"({self.formula(arg)})" for arg in args)
        if op == Op.NOT:
            inner = args[0]
            if inner.op == Op.EQ and inner.args[0].sort is not BOOL:
                return self._equation("!=", inner.args[0], inner.args[1])
            return f"!({self.formula(inner)})"
        if op == Op.ITE:
            condition, then, otherwise = (self.formula(arg) for arg in args)
            return f"({condition}) ? ({then}) : ({otherwise})"
        if op == Op.EQ:
            return self._equation("==", args[0], args[1])
        if op in (Op.LE, Op.LT) and args[0].sort is INT:
            return self._integers.comparison(op, args[0], args[1])
        if op in COMPARISONS:
            return self._bits.comparison(op, args[0], args[1])
        if op in _FLOAT_COMPARE:
            return f"{self._float(args[0])} {_FLOAT_COMPARE[op]} {self._float(args[1])}"
        if op == Op.FP_IS_NAN:
            return f"{self._float(args[0])} != {self._float(args[0])}"
        raise NotExpressible(f"the operator {op}")

    def _equation(self, symbol: str, left: Term, right: Term) -> str:
        sort = left.sort
        if sort is BOOL:
            return f"!({self.formula(left)}) {symbol} !({self.formula(right)})"
        pointers = self._pointers(left, right)
        if pointers is not None:
            return f"{pointers[0]} {symbol} {pointers[1]}"
        if sort is INT:
            return self._integers.comparison(symbol, left, right)
        if isinstance(sort, BitVecSort):
            return self._bits.comparison(symbol, left, right)
        raise NotExpressible(f"equality of values of sort {sort}")

    def _pointers(self, left: Term, right: Term) -> list[str] | None:
        """Pointers are addresses in the model; C can say that they are equal or null."""
        texts = []
        found = False
        for term in (left, right):
            named = leaf(term, self._names) if term.op in (Op.VAR, Op.SELECT) else None
            if named is not None and isinstance(named.type, Pointer):
                texts.append(f"(void *){named.text}")
                found = True
            elif term.is_const and term.payload == 0:
                texts.append("(void *)0")
        return texts if found and len(texts) == 2 else None

    def _float(self, term: Term) -> str:
        if term.sort is not FLOAT32 and term.sort is not FLOAT64:
            raise NotExpressible(f"values of sort {term.sort}")
        if term.is_const:
            return _float_constant(term)
        named = leaf(term, self._names) if term.op in (Op.VAR, Op.SELECT) else None
        if named is not None:
            bits = 32 if term.sort is FLOAT32 else 64
            if not isinstance(named.type, Floating) or named.type.bits != bits:
                raise NotExpressible(f"{named.text} is not a float of {bits} bits")
            return named.text
        if term.op == Op.FP_NEG:
            return f"(-{self._float(term.args[0])})"
        if term.op in _FLOAT_OPERATORS and term.payload in (None, "RNE"):
            spelling = "float" if term.sort is FLOAT32 else "double"
            left, right = (self._float(arg) for arg in term.args[-2:])
            return f"({spelling})({left} {_FLOAT_OPERATORS[term.op]} {right})"
        raise NotExpressible(f"the operator {term.op}")


def _float_constant(term: Term) -> str:
    bits = int(term.payload)
    single = term.sort is FLOAT32
    value = struct.unpack("<f" if single else "<d", bits.to_bytes(4 if single else 8, "little"))[0]
    if value != value or value in (float("inf"), float("-inf")):
        raise NotExpressible("an infinite constant or NaN")
    return f"{value.hex()}{'f' if single else ''}"
