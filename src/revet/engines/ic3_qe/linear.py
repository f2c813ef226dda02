"""Linear terms over the integers and reals: ``3*x - y + 7`` as coefficients and a constant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from revet.logic.arith import add, le, lt, mul
from revet.logic.core import conjunction, const, eq, var
from revet.logic.linear import Number, linear_form
from revet.logic.sorts import INT, REAL, Sort
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.values import Value


class NotLinear(Exception):
    """A term is not a linear combination of variables."""


@dataclass(frozen=True)
class Linear:
    """``sum(coefficients[x] * x) + constant``; no coefficient is zero."""

    coefficients: Mapping[Term, Number] = field(default_factory=dict)
    constant: Number = 0

    def __getitem__(self, variable: Term) -> Number:
        return self.coefficients.get(variable, 0)

    def __add__(self, other: Linear) -> Linear:
        merged = dict(self.coefficients)
        for x, factor in other.coefficients.items():
            merged[x] = merged.get(x, 0) + factor
        ordered = sorted(merged.items(), key=lambda entry: entry[0].id)
        return Linear({x: f for x, f in ordered if f}, self.constant + other.constant)

    def __mul__(self, factor: Number) -> Linear:
        if factor == 0:
            return Linear()
        return Linear({x: f * factor for x, f in self.coefficients.items()}, self.constant * factor)

    def __sub__(self, other: Linear) -> Linear:
        return self + other * -1

    def shifted(self, by: Number) -> Linear:
        return Linear(self.coefficients, self.constant + by)

    def without(self, variable: Term) -> Linear:
        return Linear({x: f for x, f in self.coefficients.items() if x is not variable}, self.constant)

    def replace(self, variable: Term, value: Linear) -> Linear:
        return self.without(variable) + value * self[variable]

    def value(self, valuation: Mapping[Term, Value]) -> Number:
        total: Number = self.constant
        for x, factor in self.coefficients.items():
            number = valuation[x]
            assert isinstance(number, (int, Fraction))
            total += factor * number
        return total

    def term(self, sort: Sort = INT) -> Term:
        parts = [mul(const(factor, sort), x) for x, factor in self.coefficients.items()]
        return add(*parts, const(self.constant, sort))


def linear(term: Term) -> Linear:
    """Read a term; raises :class:`NotLinear`."""
    coefficients, constant = linear_form(term)
    for base in coefficients:
        if base.op != Op.VAR:
            raise NotLinear(f"{base!r} is not linear")
    return Linear(coefficients, constant)


def normal_literal(literal: Term) -> Term:
    """A comparison of numbers in one form, so that equal ones are one term.

    Integers: ``a1*x1 + … <= c`` with coprime coefficients, the constant rounded (``2*x < 7``
    is ``x <= 3``). Reals: the first coefficient is 1 or -1. Other literals stay as they are.
    """
    if literal.op not in (Op.LE, Op.LT, Op.EQ) or literal.args[0].sort not in (INT, REAL):
        return literal
    try:
        difference = linear(literal.args[0]) - linear(literal.args[1])
    except NotLinear:
        return literal
    sort = literal.args[0].sort
    if not difference.coefficients:
        zero = difference.constant
        holds = {Op.LE: zero <= 0, Op.LT: zero < 0, Op.EQ: zero == 0}[literal.op]
        return TRUE if holds else FALSE
    if sort is REAL:
        lead: Number = next(f for f in difference.coefficients.values())
        scaled = difference * Fraction(1, abs(Fraction(lead)))
        left, right = Linear(scaled.coefficients).term(REAL), const(Fraction(-scaled.constant), REAL)
        return {Op.LE: le, Op.LT: lt, Op.EQ: eq}[literal.op](left, right)
    return _normal_integers(literal.op, difference)


def _normal_integers(op: str, difference: Linear) -> Term:
    if op == Op.LT:
        difference = difference.shifted(1)
    common = gcd(*(int(f) for f in difference.coefficients.values()))
    coefficients: dict[Term, Number] = {x: int(f) // common for x, f in difference.coefficients.items()}
    bound = -int(difference.constant)
    if op == Op.EQ:
        if bound % common:
            return FALSE
        if next(iter(coefficients.values())) < 0:
            coefficients, bound = {x: -f for x, f in coefficients.items()}, -bound
        return eq(Linear(coefficients).term(), const(bound // common, INT))
    return le(Linear(coefficients).term(), const(bound // common, INT))


def common_multiple(numbers: list[Number]) -> int:
    return lcm(*(abs(int(n)) for n in numbers)) if numbers else 1


def magnitude(number: Number) -> Number:
    """The absolute value, with a type that says so."""
    return number if number >= 0 else -number


def relaxed(variables: Sequence[Term], literals: Iterable[Term]) -> tuple[list[Term], Term]:
    """Real copies of the variables, and the linear literals about them: a weaker formula.

    Bounds of the relaxation are bounds of the integers, and linear programming is a hundred
    times faster than integer programming.
    """
    copies: dict[Term, Term] = {}

    def copy(x: Term) -> Term:
        if x.sort is REAL:
            return x
        return copies.setdefault(x, var(f"{x.name}!real", REAL))

    parts = []
    for literal in literals:
        if literal.op in (Op.LE, Op.LT, Op.EQ) and literal.args[0].sort in (INT, REAL):
            try:
                gap = linear(literal.args[0]) - linear(literal.args[1])
            except NotLinear:
                continue
            factors = {copy(x): Fraction(f) for x, f in gap.coefficients.items()}
            total = Linear(factors, Fraction(gap.constant))
            make = {Op.LE: le, Op.LT: lt, Op.EQ: eq}[literal.op]
            parts.append(make(total.term(REAL), const(Fraction(0), REAL)))
    return [copy(x) for x in variables], conjunction(parts)
