"""``fmod``, ``remainder``, ``fma``, ``ldexp`` and ``scalbn`` of constants: exact functions of IEEE 754.

Of other arguments solvers pay for them with circuits of thousands of steps (``fp.rem`` of doubles), or do not
know them: there a proof has any value, and the interpreter, which computes it, refutes a run that needs
another one.
"""

from __future__ import annotations

from fractions import Fraction

from revet.frontends.c import ast
from revet.frontends.c.lower import floating
from revet.frontends.c.types import Floating, Int
from revet.logic import floats as fp
from revet.logic import softfloat
from revet.logic.sorts import FloatSort
from revet.logic.terms import Op, Term


def folded(name: str, values: list[Term], node: ast.Call) -> Term | None:
    """The value of a call if all its arguments are constants."""
    if any(value.op != Op.CONST for value in values):
        return None
    assert isinstance(node.type, Floating)
    sort = floating.sort_of(node.type)
    match name:
        case "remainder":
            return fp.fp_rem(values[0], values[1])
        case "fmod":
            return fp.fp_bits(_fmod(values[0].payload, values[1].payload, sort), sort)
        case "fma":
            return _fma(values, sort)
        case "ldexp" | "scalbn" | "scalbln":
            exponent = node.arguments[1].type
            assert isinstance(exponent, Int)
            return _scaled(values[0], exponent.wrap(values[1].payload), sort)
    return None


def _is_number(pattern: int, sort: FloatSort) -> bool:
    """Finite, and not zero?"""
    return softfloat.is_finite(pattern, sort) and not softfloat.is_zero(pattern, sort)


def _fmod(left: int, right: int, sort: FloatSort) -> int:
    if not softfloat.is_finite(left, sort) or softfloat.is_nan(right, sort) or softfloat.is_zero(right, sort):
        return softfloat.nan(sort)
    if softfloat.is_infinite(right, sort):
        return left
    x, y = softfloat.to_rational(left, sort), softfloat.to_rational(right, sort)
    rest = abs(x) % abs(y) * (-1 if x < 0 else 1)
    return softfloat.round_rational(rest, "RNE", sort, softfloat.is_negative(left, sort))


def _fma(values: list[Term], sort: FloatSort) -> Term:
    x, y, z = values
    if not all(_is_number(value.payload, sort) for value in values[:2]):
        return fp.fp_add(fp.fp_mul(x, y), z)  # exact, or no number
    if not softfloat.is_finite(z.payload, sort):
        return z
    if softfloat.is_zero(z.payload, sort):
        return fp.fp_mul(x, y)
    exact = [softfloat.to_rational(value.payload, sort) for value in values]
    return fp.fp_const(exact[0] * exact[1] + exact[2], sort)


def _scaled(value: Term, exponent: int, sort: FloatSort) -> Term:
    if not _is_number(value.payload, sort):
        return value
    most = 4 * softfloat.max_exponent(sort)  # beyond it all is infinite, or zero
    exponent = max(-most, min(most, exponent))
    exact = softfloat.to_rational(value.payload, sort) * Fraction(2) ** exponent
    return fp.fp_bits(softfloat.round_rational(exact, "RNE", sort), sort)
