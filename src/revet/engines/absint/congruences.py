"""Congruences: the integers that leave one remainder, ``r + m*k`` (Granger, *Static analysis of arithmetical
congruences*, 1989).

Modulus 0 is a single number (also a fraction), 1 stands for all numbers, also those that are not integers.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, gcd, lcm
from typing import NamedTuple

from revet.engines.absint.domain import EITHER, Domain, Number, truth
from revet.logic.arith import mod
from revet.logic.core import const, eq, integer
from revet.logic.sorts import INT
from revet.logic.terms import TRUE, Term


class Congruence(NamedTuple):
    modulus: int
    residue: Number


_TOP = Congruence(1, 0)


def _made(modulus: int, residue: Number) -> Congruence:
    """In normal form; what is no integer has no congruences."""
    if modulus == 0:
        return Congruence(0, residue)
    if modulus == 1 or Fraction(residue).denominator != 1:
        return _TOP
    return Congruence(modulus, int(residue) % modulus)


def _is_integral(value: Congruence) -> bool:
    """All members are integers, and that is known."""
    return value.modulus > 1 or (value.modulus == 0 and Fraction(value.residue).denominator == 1)


class Congruences(Domain[Congruence]):
    name = "congruences"
    top = _TOP

    def constant(self, number: Number) -> Congruence:
        return Congruence(0, number)

    def contains(self, value: Congruence, number: Number) -> bool:
        modulus, residue = value
        if modulus <= 1:
            return modulus == 1 or number == residue
        return Fraction(number).denominator == 1 and number % modulus == residue

    def to_formula(self, term: Term, value: Congruence) -> Term:
        modulus, residue = value
        if modulus == 0:
            return eq(term, const(residue, term.sort))
        if modulus == 1 or term.sort is not INT:
            return TRUE
        return eq(mod(term, integer(modulus)), integer(int(residue)))

    def show(self, name: str, value: Congruence) -> str:
        modulus, residue = value
        if modulus == 0:
            return f"{name} = {residue}"
        return f"{name} any" if modulus == 1 else f"{name} = {residue} mod {modulus}"

    def join(self, left: Congruence, right: Congruence) -> Congruence:
        if left == right:
            return left
        if not (_is_integral(left) and _is_integral(right)):
            return _TOP
        distance = abs(int(left.residue) - int(right.residue))
        return _made(gcd(left.modulus, right.modulus, distance), left.residue)

    def meet(self, left: Congruence, right: Congruence) -> Congruence | None:
        if left.modulus <= 1 or right.modulus <= 1:
            one, other = (left, right) if left.modulus != 1 else (right, left)
            if other.modulus == 1:
                return one
            number = one if one.modulus == 0 else other
            rest = other if number is one else one
            return number if self.contains(rest, number.residue) else None
        common = gcd(left.modulus, right.modulus)
        distance = int(right.residue) - int(left.residue)
        if distance % common:
            return None
        factor = distance // common * pow(left.modulus // common, -1, right.modulus // common)
        return _made(lcm(left.modulus, right.modulus), left.residue + left.modulus * factor)

    def add(self, left: Congruence, right: Congruence) -> Congruence:
        if left.modulus == 0 and right.modulus == 0:
            return Congruence(0, left.residue + right.residue)
        if not (_is_integral(left) and _is_integral(right)):
            return _TOP
        return _made(gcd(left.modulus, right.modulus), left.residue + right.residue)

    def mul(self, left: Congruence, right: Congruence) -> Congruence:
        if (0, 0) in (left, right):
            return Congruence(0, 0)
        if left.modulus == 0 and right.modulus == 0:
            return Congruence(0, left.residue * right.residue)
        if not (_is_integral(left) and _is_integral(right)):
            return _TOP
        (m, r), (n, s) = left, right
        return _made(gcd(m * n, m * int(s), n * int(r)), r * s)

    def div(self, left: Congruence, right: Congruence) -> Congruence:
        divisor = right.residue
        if right.modulus != 0:
            return Congruence(0, 0) if left == (0, 0) else _TOP
        if divisor == 0:
            return Congruence(0, 0)
        if left.modulus == 0:
            number = left.residue
            return Congruence(0, number // divisor if divisor > 0 else -(number // -divisor))
        if left.modulus > 1 and left.modulus % divisor == 0 and left.residue % divisor == 0:
            return _made(abs(left.modulus // int(divisor)), left.residue // divisor)
        return _TOP

    def mod(self, left: Congruence, right: Congruence) -> Congruence:
        if right == (0, 0):
            return left
        if right.modulus == 0 and left.modulus == 0:
            return Congruence(0, left.residue % max(right.residue, -right.residue))
        if not (_is_integral(left) and _is_integral(right)):
            return _TOP
        divisor = abs(int(right.residue))
        if right.modulus == 0 and left.modulus % divisor == 0:
            return Congruence(0, left.residue % divisor)
        # The result is the dividend less a multiple of the divisor (of 0: the dividend itself).
        return _made(gcd(left.modulus, right.modulus, divisor), left.residue)

    def rdiv(self, left: Congruence, right: Congruence) -> Congruence:
        if right == (0, 0):
            return Congruence(0, Fraction(0))
        if left.modulus == 0 and right.modulus == 0:
            return Congruence(0, Fraction(left.residue) / right.residue)
        return _TOP

    def floor(self, value: Congruence) -> Congruence:
        return Congruence(0, floor(value.residue)) if value.modulus == 0 else value

    def at_most(self, left: Congruence, right: Congruence) -> int:
        if left.modulus == 0 and right.modulus == 0:
            return truth(left.residue <= right.residue)
        return EITHER

    def below(self, value: Congruence, *, strict: bool, integer: bool) -> Congruence:
        return _TOP

    def above(self, value: Congruence, *, strict: bool, integer: bool) -> Congruence:
        return _TOP

    def without(self, value: Congruence, other: Congruence, *, integer: bool) -> Congruence | None:
        return None if value == other and value.modulus == 0 else value

    def quotient(self, value: Congruence, factor: Number, *, integer: bool) -> Congruence | None:
        if value.modulus == 0:
            exact = Fraction(value.residue) / factor
            if not integer:
                return Congruence(0, exact)
            return Congruence(0, exact.numerator) if exact.denominator == 1 else None
        if value.modulus == 1 or not integer or Fraction(factor).denominator != 1:
            return _TOP
        common = gcd(int(factor), value.modulus)
        if int(value.residue) % common:
            return None
        modulus = value.modulus // common
        if modulus == 1:
            return _TOP
        return _made(modulus, int(value.residue) // common * pow(int(factor) // common, -1, modulus))
