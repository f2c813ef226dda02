"""Integers of C as terms: the interface, and the encoding by mathematical integers.

A value of type T is an ``Int`` term that always lies in T's range. Unsigned arithmetic wraps (an
``ite`` for sums, ``mod`` otherwise), conversions narrow, and signed arithmetic *requires* that its
result is in range: the caller turns the requirement into an assumption or into a check
(docs/decisions/0003-c-integers.md). Operations whose result is known to be in range from the
intervals of their operands require nothing. Bit operations with constants are exact here; the
others raise :class:`NeedsBitVectors`, and the whole program is encoded with bit-vectors instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from revet.frontends.c.checks import Check
from revet.frontends.c.types import Int
from revet.logic import build as b
from revet.logic.sorts import INT, Sort
from revet.logic.terms import Op, Term

Require = Callable[[Term, Check], None]  # a fact without which behaviour is undefined, and what that breaks
Interval = tuple[int, int]


class NeedsBitVectors(Exception):
    """The program uses an operation that only the bit-vector encoding has."""


class Arithmetic(Protocol):
    """What lowering needs to know about an encoding of integers."""

    name: str

    def sort(self, type: Int) -> Sort: ...
    def constant(self, type: Int, value: int) -> Term: ...
    def declare(self, variable: Term, type: Int) -> None:
        """``variable`` always holds a value of ``type``."""
    def in_range(self, type: Int, term: Term) -> Term:
        """What an arbitrary value of the sort must satisfy to be one of the type."""
    def binary(self, op: str, type: Int, left: Term, right: Term, require: Require) -> Term: ...
    def shift(
        self, op: str, type: Int, left: Term, count_type: Int, count: Term, require: Require
    ) -> Term: ...
    def negate(self, type: Int, term: Term, require: Require) -> Term: ...
    def complement(self, type: Int, term: Term) -> Term: ...
    def compare(self, op: str, type: Int, left: Term, right: Term) -> Term: ...
    def convert(self, source: Int, target: Int, term: Term) -> Term: ...
    def truth(self, type: Int, term: Term) -> Term: ...
    def from_truth(self, type: Int, condition: Term) -> Term: ...


class Integers:
    """Mathematical integers with ranges."""

    name = "int"

    def __init__(self, wrap_signed: bool = False, checks: frozenset[Check] = frozenset()) -> None:
        self._wrap_signed = wrap_signed
        self._checks = checks
        self._ranges: dict[Term, Interval] = {}
        self._intervals: dict[Term, Interval | None] = {}
        self._converted: dict[tuple[Term, Int, Int], Term] = {}

    def sort(self, type: Int) -> Sort:
        return INT

    def constant(self, type: Int, value: int) -> Term:
        return b.integer(value)

    def declare(self, variable: Term, type: Int) -> None:
        self._ranges[variable] = (type.least, type.greatest)

    def in_range(self, type: Int, term: Term) -> Term:
        return b.and_(b.integer(type.least) <= term, term <= b.integer(type.greatest))

    # ---- intervals --------------------------------------------------------------------------

    def interval(self, term: Term) -> Interval | None:
        """Bounds that follow from declared ranges; None if none are known. Iterative."""
        stack = [term]
        known = self._intervals
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            wanted = [arg for arg in _numeric_parts(node) if arg not in known]
            if wanted:
                stack += wanted
                continue
            stack.pop()
            known[node] = self._interval_of(node)
        return known[term]

    def _interval_of(self, node: Term) -> Interval | None:
        if node.op == Op.CONST:
            return (node.payload, node.payload)
        if node.op == Op.VAR:
            return self._ranges.get(node)
        if node.op == Op.MOD and node.args[1].op == Op.CONST and node.args[1].payload:
            return (0, abs(node.args[1].payload) - 1)
        parts = [self._intervals[arg] for arg in _numeric_parts(node)]
        bounds = [part for part in parts if part is not None]
        if not parts or len(bounds) != len(parts):
            return None
        if node.op == Op.ITE:
            return (min(low for low, _ in bounds), max(high for _, high in bounds))
        if node.op == Op.ADD:
            return (sum(low for low, _ in bounds), sum(high for _, high in bounds))
        if node.op == Op.MUL:
            product = bounds[0]
            for low, high in bounds[1:]:
                corners = [x * y for x in product for y in (low, high)]
                product = (min(corners), max(corners))
            return product
        if node.op == Op.DIV and node.args[1].op == Op.CONST and node.args[1].payload > 0:
            divisor = node.args[1].payload
            return (bounds[0][0] // divisor, bounds[0][1] // divisor)
        return None

    def within(self, term: Term, low: int, high: int) -> bool:
        found = self.interval(term)
        return found is not None and low <= found[0] and found[1] <= high

    # ---- arithmetic -------------------------------------------------------------------------

    def binary(self, op: str, type: Int, left: Term, right: Term, require: Require) -> Term:
        match op:
            case "+":
                return self._bounded(type, left + right, require, one_wrap=True)
            case "-":
                return self._bounded(type, left - right, require, one_wrap=True)
            case "*":
                return self._bounded(type, left * right, require)
            case "/" | "%":
                return self._divide(op, type, left, right, require)
            case "&" | "|" | "^":
                return self._bitwise(op, type, left, right)
        raise AssertionError(op)

    def _bounded(
        self, type: Int, result: Term, require: Require, check: Check = Check.OVERFLOW, *,
        one_wrap: bool = False,
    ) -> Term:
        """A mathematical result as a value of the type; ``check`` is what a result beyond it breaks."""
        if self.within(result, type.least, type.greatest):
            return result
        if type.signed and not self._wrap_signed:
            require(self._fits(type, result), check)
            return result
        if not one_wrap:
            return self._wrapped(type, result)
        size = b.integer(1 << type.bits)
        high = b.ite(b.integer(type.greatest) < result, result - size, result)
        return b.ite(result < b.integer(type.least), result + size, high)

    def _fits(self, type: Int, result: Term) -> Term:
        """The part of the range condition that the intervals do not already give."""
        found = self.interval(result)
        low, high = b.integer(type.least) <= result, result <= b.integer(type.greatest)
        if found is not None and found[0] >= type.least:
            return high
        if found is not None and found[1] <= type.greatest:
            return low
        return b.and_(low, high)

    def _wrapped(self, type: Int, term: Term) -> Term:
        if self.within(term, type.least, type.greatest):
            return term
        size = b.integer(1 << type.bits)
        if not type.signed:
            return b.mod(term, size)
        half = b.integer(1 << (type.bits - 1))
        return b.mod(term + half, size) - half

    def _divide(self, op: str, type: Int, left: Term, right: Term, require: Require) -> Term:
        if not self.within(right, 1, type.greatest):
            require(b.not_(b.eq(right, b.integer(0))), Check.DIVISION)
        if type.signed:
            interval = self.interval(right)
            if interval is None or interval[0] <= -1 <= interval[1]:
                safe = b.or_(
                    b.not_(b.eq(right, b.integer(-1))), b.not_(b.eq(left, b.integer(type.least)))
                )
                require(safe, Check.OVERFLOW)
        if self.within(left, 0, type.greatest):
            return b.div(left, right) if op == "/" else b.mod(left, right)
        return b.tdiv(left, right) if op == "/" else b.trem(left, right)

    def negate(self, type: Int, term: Term, require: Require) -> Term:
        return self._bounded(type, -term, require, one_wrap=True)

    # ---- bits -------------------------------------------------------------------------------

    def complement(self, type: Int, term: Term) -> Term:
        return b.integer(-1 if type.signed else type.greatest) - term

    def _bitwise(self, op: str, type: Int, left: Term, right: Term) -> Term:
        if left.op == Op.CONST:
            left, right = right, left
        if right.op == Op.CONST:
            conjunction = self._masked(left, right.payload)
        elif self.within(left, 0, 1) or self.within(right, 0, 1):
            zero, one = b.integer(0), b.integer(1)
            if not self.within(left, 0, 1):
                left, right = right, left
            conjunction = b.ite(b.eq(left, zero), zero, b.mod(right, b.integer(2)))
            if self.within(right, 0, 1):
                conjunction = b.ite(b.and_(b.eq(left, one), b.eq(right, one)), one, zero)
        else:
            raise NeedsBitVectors(op)
        match op:
            case "&":
                return conjunction
            case "|":
                return left + right - conjunction
        return left + right - conjunction - conjunction

    def _masked(self, term: Term, mask: int) -> Term:
        """``term & mask`` in two's complement: one ``div``/``mod`` for every run of ones."""
        if mask < 0:
            return term - self._masked(term, ~mask)
        runs = _runs(mask)
        if len(runs) > 4:
            raise NeedsBitVectors("&")
        total = b.integer(0)
        for start, length in runs:
            shifted = b.div(term, b.integer(1 << start)) if start else term
            part = shifted if self.within(shifted, 0, (1 << length) - 1) else (
                b.mod(shifted, b.integer(1 << length))
            )
            total = total + part * b.integer(1 << start)
        return total

    def shift(
        self, op: str, type: Int, left: Term, count_type: Int, count: Term, require: Require
    ) -> Term:
        if count.op != Op.CONST:
            raise NeedsBitVectors(op)
        if not 0 <= count.payload < type.bits:
            require(b.boolean(False), Check.SHIFT)
            return b.integer(0)
        factor = b.integer(1 << count.payload)
        if op == ">>":
            return b.div(left, factor)
        if Check.SHIFT in self._checks and type.signed and not self.within(left, 0, type.greatest):
            require(b.integer(0) <= left, Check.SHIFT_VALUE)
        return self._bounded(type, left * factor, require, Check.SHIFT_VALUE)

    # ---- comparisons and conversions --------------------------------------------------------

    def compare(self, op: str, type: Int, left: Term, right: Term) -> Term:
        match op:
            case "==":
                return b.eq(left, right)
            case "!=":
                return b.not_(b.eq(left, right))
            case "<":
                return b.lt(left, right)
            case "<=":
                return b.le(left, right)
            case ">":
                return b.lt(right, left)
        return b.le(right, left)

    def convert(self, source: Int, target: Int, term: Term) -> Term:
        if source is target:
            return term
        key = (term, source, target)
        found = self._converted.get(key)
        if found is None:
            found = self._converted[key] = self._convert(source, target, term)
        return found

    def _convert(self, source: Int, target: Int, term: Term) -> Term:
        if target.boolean:
            return self.from_truth(target, self.truth(source, term))
        if self.within(term, target.least, target.greatest):
            return term
        if source.least >= target.least and source.greatest <= target.greatest:
            return term
        size = b.integer(1 << target.bits)
        if source.bits == target.bits:
            if target.signed:
                return b.ite(b.integer(target.greatest) < term, term - size, term)
            return b.ite(term < b.integer(0), term + size, term)
        if source.signed and not target.signed and source.bits < target.bits:
            return b.ite(term < b.integer(0), term + size, term)
        return self._wrapped(target, term)

    def truth(self, type: Int, term: Term) -> Term:
        if term.op == Op.ITE and all(arm.op == Op.CONST for arm in term.args[1:]):
            then, otherwise = (b.boolean(arm.payload != 0) for arm in term.args[1:])
            return b.ite(term.args[0], then, otherwise)
        return b.not_(b.eq(term, b.integer(0)))

    def from_truth(self, type: Int, condition: Term) -> Term:
        return b.ite(condition, b.integer(1), b.integer(0))


def _numeric_parts(node: Term) -> tuple[Term, ...]:
    """The arguments whose intervals determine the node's."""
    if node.op == Op.ITE:
        return node.args[1:]
    if node.op in (Op.ADD, Op.MUL):
        return node.args
    if node.op == Op.DIV:
        return node.args[:1]
    return ()


def _runs(mask: int) -> list[tuple[int, int]]:
    """The runs of ones of a non-negative number: (position of the lowest bit, length)."""
    found = []
    at = 0
    while mask >> at:
        if mask >> at & 1:
            length = 0
            while mask >> (at + length) & 1:
                length += 1
            found.append((at, length))
            at += length
        else:
            at += 1
    return found
