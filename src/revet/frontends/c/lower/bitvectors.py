"""Integers of C as bit-vectors of their own width: exact for every operator.

Signed arithmetic wraps, as compiled code with ``-fwrapv`` does. Where ``checks`` say so, every signed
operation *requires* that it does not overflow.
"""

from __future__ import annotations

from revet.frontends.c.checks import Check
from revet.frontends.c.lower.arithmetic import Require
from revet.frontends.c.types import Int
from revet.logic import build as b
from revet.logic.sorts import BitVec, Sort
from revet.logic.terms import TRUE, Op, Term


class BitVectors:
    name = "bv"

    def __init__(self, checks: frozenset[Check] = frozenset()) -> None:
        self._checks = checks

    def sort(self, type: Int) -> Sort:
        return BitVec(type.bits)

    def constant(self, type: Int, value: int) -> Term:
        return b.bv(value, type.bits)

    def declare(self, variable: Term, type: Int) -> None:
        pass

    def in_range(self, type: Int, term: Term) -> Term:
        return b.bvule(term, b.bv(1, type.bits)) if type.boolean else TRUE

    def binary(self, op: str, type: Int, left: Term, right: Term, require: Require) -> Term:
        match op:
            case "+" | "-" | "*":
                return self._ring(op, type, left, right, require)
            case "/" | "%":
                return self._divide(op, type, left, right, require)
            case "&":
                return b.bvand(left, right)
            case "|":
                return b.bvor(left, right)
        return b.bvxor(left, right)

    def _ring(self, op: str, type: Int, left: Term, right: Term, require: Require) -> Term:
        operator = {"+": b.bvadd, "-": b.bvsub, "*": b.bvmul}[op]
        result = operator(left, right)
        if type.signed and Check.OVERFLOW in self._checks:
            extra = type.bits if op == "*" else 1
            exact = operator(b.sign_extend(extra, left), b.sign_extend(extra, right))
            require(b.eq(b.sign_extend(extra, result), exact), Check.OVERFLOW)
        return result

    def _divide(self, op: str, type: Int, left: Term, right: Term, require: Require) -> Term:
        require(b.not_(b.eq(right, b.bv(0, type.bits))), Check.DIVISION)
        if not type.signed:
            return b.bvudiv(left, right) if op == "/" else b.bvurem(left, right)
        safe = b.or_(
            b.not_(b.eq(right, b.bv(-1, type.bits))), b.not_(b.eq(left, b.bv(type.least, type.bits)))
        )
        require(safe, Check.OVERFLOW)
        return b.bvsdiv(left, right) if op == "/" else b.bvsrem(left, right)

    def shift(
        self, op: str, type: Int, left: Term, count_type: Int, count: Term, require: Require
    ) -> Term:
        limit = b.bv(type.bits, count_type.bits)
        in_range = b.bvult(count, limit) if type.bits < 1 << count_type.bits else TRUE
        require(in_range, Check.SHIFT)
        amount = self.convert(Int(count_type.bits, False), Int(type.bits, False), count)
        if op == ">>":
            return b.bvashr(left, amount) if type.signed else b.bvlshr(left, amount)
        result = b.bvshl(left, amount)
        if type.signed and Check.SHIFT_VALUE in self._checks:
            back = b.eq(b.bvashr(result, amount), left)
            require(b.and_(back, b.bvsle(b.bv(0, type.bits), left)), Check.SHIFT_VALUE)
        return result

    def negate(self, type: Int, term: Term, require: Require) -> Term:
        if type.signed and Check.OVERFLOW in self._checks:
            require(b.not_(b.eq(term, b.bv(type.least, type.bits))), Check.OVERFLOW)
        return b.bvneg(term)

    def complement(self, type: Int, term: Term) -> Term:
        return b.bvnot(term)

    def compare(self, op: str, type: Int, left: Term, right: Term) -> Term:
        less, at_most = (b.bvslt, b.bvsle) if type.signed else (b.bvult, b.bvule)
        match op:
            case "==":
                return b.eq(left, right)
            case "!=":
                return b.not_(b.eq(left, right))
            case "<":
                return less(left, right)
            case "<=":
                return at_most(left, right)
            case ">":
                return less(right, left)
        return at_most(right, left)

    def convert(self, source: Int, target: Int, term: Term) -> Term:
        if target.boolean:
            return self.from_truth(target, self.truth(source, term))
        if target.bits <= source.bits:
            return b.extract(target.bits - 1, 0, term)
        extra = target.bits - source.bits
        return b.sign_extend(extra, term) if source.signed else b.zero_extend(extra, term)

    def truth(self, type: Int, term: Term) -> Term:
        while term.op == Op.ZERO_EXTEND:
            term = term.args[0]
        return b.bv_to_bool(term)

    def from_truth(self, type: Int, condition: Term) -> Term:
        return b.bool_to_bv(condition, type.bits)
