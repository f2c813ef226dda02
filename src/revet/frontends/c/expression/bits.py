"""Bit-vectors in C: every subterm is an unsigned expression with a value in 0 … 2^w - 1.

The C type is the narrowest of 8, 16, 32 and 64 bits that holds w. Arithmetic on the narrow ones
is done in ``unsigned int`` (their promotion to int could overflow) and cut back.
"""

from __future__ import annotations

from collections.abc import Callable

from revet.frontends.c.expression.integers import leaf
from revet.frontends.c.expression.names import Name, Names, NotExpressible
from revet.frontends.c.types import Int
from revet.logic.semantics import to_signed
from revet.logic.sorts import BitVecSort
from revet.logic.terms import Op, Term

_UNSIGNED = {8: "unsigned char", 16: "unsigned short", 32: "unsigned int", 64: "unsigned long long"}
_SIGNED = {8: "signed char", 16: "short", 32: "int", 64: "long long"}

_RING = {Op.BVADD: "+", Op.BVSUB: "-", Op.BVMUL: "*", Op.BVAND: "&", Op.BVOR: "|", Op.BVXOR: "^"}
_SHIFT = {Op.BVSHL: "<<", Op.BVLSHR: ">>"}
_DIVIDE = {Op.BVUDIV: "/", Op.BVUREM: "%"}
_COMPARE = {Op.BVULT: "<", Op.BVULE: "<=", Op.BVSLT: "<", Op.BVSLE: "<="}

COMPARISONS = frozenset(_COMPARE)


def width_of(term: Term) -> int:
    assert isinstance(term.sort, BitVecSort)
    if term.sort.width > 64:
        raise NotExpressible(f"a value of {term.sort.width} bits")
    return term.sort.width


def _holder(width: int) -> int:
    return next(bits for bits in (8, 16, 32, 64) if bits >= width)


class BitPrinter:
    """``condition`` prints the conditions inside ``ite``."""

    def __init__(self, names: Names, condition: Callable[[Term], str]) -> None:
        self._names = names
        self._condition = condition

    def comparison(self, operator: str, left: Term, right: Term) -> str:
        """Equality and the four orders."""
        signed = operator in (Op.BVSLT, Op.BVSLE)
        symbol = _COMPARE.get(operator, operator)
        both = self._both_signed(left, right) if signed or symbol in ("==", "!=") else None
        if both is None:
            both = [self._signed(t) if signed else self.text(t) for t in (left, right)]
        return f"{both[0]} {symbol} {both[1]}"

    def _both_signed(self, left: Term, right: Term) -> list[str] | None:
        """Plain texts where both sides are signed variables or constants: easier to read."""
        if not {32, 64} & {width_of(left)} and not left.is_var:
            return None
        texts = []
        for term in (left, right):
            named = leaf(term, self._names)
            if term.is_const:
                texts.append(_signed_constant(term))
            elif named is not None and isinstance(named.type, Int) and named.type.signed:
                texts.append(named.text)
            else:
                return None
        return texts

    def _signed(self, term: Term) -> str:
        width = width_of(term)
        if width not in _SIGNED:
            raise NotExpressible(f"a signed value of {width} bits")
        if term.is_const:
            return _signed_constant(term)
        named = leaf(term, self._names)
        if named is not None and isinstance(named.type, Int) and named.type.signed:
            return named.text
        return f"({_SIGNED[width]}){self.text(term)}"

    def text(self, term: Term) -> str:
        """An expression of type ``_UNSIGNED[holder]``, tightly bound."""
        width = width_of(term)
        if term.is_const:
            return _constant(term.payload, width)
        named = leaf(term, self._names)
        if named is not None:
            return _variable(named, width)
        op, args = term.op, term.args
        if op == Op.ITE:
            return f"(({self._condition(args[0])}) ? {self.text(args[1])} : {self.text(args[2])})"
        if op in _RING:
            return _cut(f"{self._wide(args[0])} {_RING[op]} {self._wide(args[1])}", width)
        if op in (Op.BVNEG, Op.BVNOT):
            return _cut(f"{'-' if op == Op.BVNEG else '~'}{self._wide(args[0])}", width)
        if op in _SHIFT or op == Op.BVASHR:
            return self._shift(op, args[0], args[1], width)
        if op in _DIVIDE:
            return self._divide(_DIVIDE[op], args[0], args[1], width)
        if op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND):
            inner = self.text(args[0]) if op == Op.ZERO_EXTEND else self._signed(args[0])
            return _cut(f"({_UNSIGNED[_holder(width)]}){inner}", width)
        if op == Op.EXTRACT:
            low = term.payload[1]
            inner = self.text(args[0])
            return _cut(f"{inner} >> {low}" if low else inner, width, force=True)
        if op == Op.CONCAT:
            spelling = _UNSIGNED[max(_holder(width), 32)]
            high = f"({spelling}){self.text(args[0])} << {width_of(args[1])}"
            return _cut(f"({high}) | {self.text(args[1])}", width)
        raise NotExpressible(f"the operator {op}")

    def _wide(self, term: Term) -> str:
        """At least ``unsigned int``, so that promotion to int cannot overflow."""
        text = self.text(term)
        return f"(unsigned int){text}" if _holder(width_of(term)) < 32 else text

    def _shift(self, op: str, left: Term, right: Term, width: int) -> str:
        if not right.is_const:
            raise NotExpressible("a shift by something else than a constant")
        count = int(right.payload)
        if op == Op.BVASHR:
            return _cut(f"{self._signed(left)} >> {min(count, width - 1)}", width, force=True)
        if count >= width:
            return _constant(0, width)
        return _cut(f"{self._wide(left)} {_SHIFT[op]} {count}", width)

    def _divide(self, symbol: str, left: Term, right: Term, width: int) -> str:
        if not right.is_const or right.payload == 0:
            raise NotExpressible("division by something else than a constant")
        return _cut(f"{self._wide(left)} {symbol} {self._wide(right)}", width)


def _variable(named: Name, width: int) -> str:
    if not isinstance(named.type, Int) or named.type.bits != width:
        raise NotExpressible(f"{named.text} is not an integer of {width} bits")
    if not named.type.signed:
        return named.text
    return f"({_UNSIGNED[width]}){named.text}"


def _constant(value: int, width: int) -> str:
    holder = _holder(width)
    if holder < 32:
        return f"({_UNSIGNED[holder]}){value}"
    return f"{value}{'U' if holder == 32 else 'ULL'}"


def _signed_constant(term: Term) -> str:
    width = width_of(term)
    value, suffix = to_signed(term.payload, width), "LL" if width > 32 else ""
    if value == -(1 << (_holder(width) - 1)) and width >= 32:
        return f"(-{-(value + 1)}{suffix} - 1)"
    return f"{value}{suffix}" if value >= 0 else f"(-{-value}{suffix})"


def _cut(text: str, width: int, *, force: bool = False) -> str:
    """The low bits of an unsigned expression, in the holder's type."""
    holder = _holder(width)
    if holder != width:
        mask = f"{(1 << width) - 1}{'U' if holder <= 32 else 'ULL'}"
        return f"({_UNSIGNED[holder]})(({text}) & {mask})"
    if holder < 32 or force:
        return f"({_UNSIGNED[holder]})({text})"
    return f"({text})"
