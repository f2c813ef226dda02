"""``fmod``, ``remainder``, ``fma``, ``ldexp`` and ``scalbn``: exact functions of IEEE 754.

``fma`` is an operation of solvers. ``fp.rem`` is one, too, but a circuit of thousands of steps that no
solver gets through; so ``fmod`` is what C would compute: a quotient of at most as many bits as a
significand has, rounded towards zero, and one ``fma``, which is exact. Where the quotient is larger, and
for ``ldexp`` with an exponent that is not constant, a proof knows less than the value, and the interpreter,
which computes it, refutes a run that needs another one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.lower import floating
from revet.frontends.c.lower.rounding import rounded
from revet.frontends.c.types import Floating, Int
from revet.logic import build as b
from revet.logic import floats as fp
from revet.logic import softfloat
from revet.logic.sorts import FLOAT32, FloatSort
from revet.logic.terms import Op, Term

if TYPE_CHECKING:
    from revet.frontends.c.lower.context import Context


def computed(context: Context, name: str, values: list[Term], node: ast.Call) -> Term:
    """The value of a call of one of them (``name`` without the suffix for its type)."""
    assert isinstance(node.type, Floating)
    if name == "fma":
        return rounded(context, lambda mode: fp.fp_fma(values[0], values[1], values[2], mode))
    if name not in ("fmod", "remainder") and values[1].op == Op.CONST:
        exponent = node.arguments[1].type
        assert isinstance(exponent, Int)
        by = exponent.wrap(values[1].payload)
        return rounded(context, lambda mode: _scaled(values[0], by, mode))
    if all(value.op == Op.CONST for value in values):
        return _folded(name, values, floating.sort_of(node.type))
    if name == "fmod":
        return _signed(context, node, values, False)
    if name == "remainder":
        return _signed(context, node, values, True)
    value = context.temporary(node, name, node.type)
    context.flow.havoc(value)
    return value


def _folded(name: str, values: list[Term], sort: FloatSort) -> Term:
    """A remainder of constants."""
    if name == "remainder":
        return fp.fp_rem(values[0], values[1])
    return fp.fp_bits(_fmod(values[0].payload, values[1].payload, sort), sort)


def _fmod(left: int, right: int, sort: FloatSort) -> int:
    if not softfloat.is_finite(left, sort) or softfloat.is_nan(right, sort) or softfloat.is_zero(right, sort):
        return softfloat.nan(sort)
    if softfloat.is_infinite(right, sort):
        return left
    x, y = softfloat.to_rational(left, sort), softfloat.to_rational(right, sort)
    rest = abs(x) % abs(y) * (-1 if x < 0 else 1)
    return softfloat.round_rational(rest, "RNE", sort, softfloat.is_negative(left, sort))


def _scaled(value: Term, exponent: int, mode: str) -> Term:
    """``ldexp``: products with powers of two, of which only one rounds. Downwards, a first product that is
    not exact means a result below half of the smallest number, whatever the second one makes of it."""
    sort = fp.float_sort(value)
    most = softfloat.max_exponent(sort)
    step = most - 1 - sort.significand
    exponent = max(-2 * step - most, min(3 * most, exponent))
    while exponent < 1 - most or exponent > most:
        factor = -step if exponent < 0 else most
        value = fp.fp_mul(value, fp.fp_const(Fraction(2) ** factor, sort), mode)
        exponent -= factor
    return fp.fp_mul(value, fp.fp_const(Fraction(2) ** exponent, sort), mode)


# ---- remainders of what is not constant ---------------------------------------------------------


def _signed(context: Context, node: ast.Call, values: list[Term], nearest: bool) -> Term:
    """The remainder of magnitudes with the sign of the dividend, and what is no number."""
    x, y = values
    sort = floating.sort_of(node.type) if isinstance(node.type, Floating) else fp.float_sort(x)
    finite = b.not_(b.or_(fp.fp_is_nan(x), fp.fp_is_inf(x)))
    valid = b.and_(finite, b.not_(fp.fp_is_nan(y)), b.not_(fp.fp_is_zero(y)))
    rest = context.temporary(node, "rest", node.type)
    context.flow.havoc(rest)
    a, d = fp.fp_abs(x), fp.fp_abs(y)
    if nearest:
        exact, near = _nearest(a, d, rest)
        half = fp.fp_mul(d, fp.fp_const(Fraction(1, 2), sort), "RTP")
        facts = [fp.fp_le(fp.fp_abs(rest), half), fp.fp_le(fp.fp_abs(rest), a)]
    else:
        exact, near = _divided(a, d, rest)
        facts = [b.not_(fp.fp_is_negative(rest)), fp.fp_lt(rest, d), fp.fp_le(rest, a)]
    # All are true of the value; the first ones follow from the last where that says something.
    context.assume(b.implies(valid, b.and_(*facts, b.implies(near, b.eq(rest, exact)))))
    of_sign = b.ite(fp.fp_is_negative(x), fp.fp_neg(rest), rest)
    return b.ite(valid, of_sign, fp.fp_nan(sort))


def _divided(a: Term, d: Term, otherwise: Term) -> tuple[Term, Term]:
    """``fmod`` of magnitudes, and where it is that. A quotient below 2^p, with p bits of significand, has
    the right whole part if it is rounded towards zero; what is left is a number of the format."""
    sort = fp.float_sort(a)
    largest = fp.fp_const(2 ** (sort.significand - 1), sort)
    near = fp.fp_lt(a, fp.fp_mul(d, largest))  # if the product overflows, too
    whole = fp.fp_round(fp.fp_div(a, d, "RTZ"), "RTZ")
    left = fp.fp_fma(fp.fp_neg(whole), d, a)
    once = b.ite(fp.fp_lt(a, fp.fp_add(d, d)), fp.fp_sub(a, d), b.ite(near, left, otherwise))
    return b.ite(fp.fp_lt(a, d), a, once), near


def _nearest(a: Term, d: Term, otherwise: Term) -> tuple[Term, Term]:
    """``remainder`` of magnitudes: what is left of twice the divisor, less the divisor once or twice."""
    twice = fp.fp_add(d, d)
    rest, near = a, fp.fp_lt(a, twice)
    if fp.float_sort(a) is FLOAT32:  # of doubles it takes solvers minutes
        divided, near = _divided(a, twice, otherwise)
        rest = b.ite(fp.fp_is_inf(twice), a, divided)
    near = b.or_(fp.fp_is_inf(twice), near)
    less = fp.fp_sub(rest, d)
    least = b.ite(fp.fp_ge(fp.fp_add(less, less), d), fp.fp_sub(less, d), less)
    small = b.ite(fp.fp_gt(fp.fp_add(rest, rest), d), least, rest)
    return b.ite(fp.fp_is_inf(d), a, small), near
