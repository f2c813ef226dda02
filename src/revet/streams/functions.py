"""What is known of functions that the logic does not have: their ranges, and where floats have no value.

The ranges are those of the mathematical functions, with bounds that no rounding to single or double precision
leaves (C's library gives no sine above 1). Of floats, a value is NaN exactly where C's standard says so
(annex F), and the interpreter agrees (``tests/streams/test_functions.py`` compares them). Of Reals, outside
of a function's domain nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from revet.logic import build as b
from revet.logic.sorts import REAL
from revet.logic.terms import Term

Bounds = tuple[Fraction | None, Fraction | None]

_ONE, _RIGHT, _STRAIGHT = Fraction(1), Fraction(15708, 10000), Fraction(31416, 10000)
_ZERO = Fraction(0)

RANGES: dict[str, Bounds] = {
    "sin": (-_ONE, _ONE), "cos": (-_ONE, _ONE), "tanh": (-_ONE, _ONE),
    "asin": (-_RIGHT, _RIGHT), "atan": (-_RIGHT, _RIGHT), "acos": (_ZERO, _STRAIGHT),
    "atan2": (-_STRAIGHT, _STRAIGHT),
    "exp": (_ZERO, None), "cosh": (_ONE, None), "acosh": (_ZERO, None), "sqrt": (_ZERO, None),
}


def facts(application: Term, value: Term) -> list[Term]:
    """Formulas that hold if ``value`` is the value of the application."""
    name = application.payload.name.partition(".")[0]
    low, high = RANGES.get(name, (None, None))
    if value.sort is REAL:
        bounds = [b.const(low, REAL) <= value] if low is not None else []
        return bounds + ([value <= b.const(high, REAL)] if high is not None else [])
    inside = [b.fp_le(b.fp_const(low, value.sort), value)] if low is not None else []
    inside += [b.fp_le(value, b.fp_const(high, value.sort))] if high is not None else []
    found = [b.or_(b.fp_is_nan(value), b.conjunction(inside))] if inside else []
    undefined = _UNDEFINED.get(name)
    if undefined is not None:
        found.append(b.eq(b.fp_is_nan(value), undefined(*application.args)))
    return found


def _not_finite(x: Term) -> Term:
    return b.or_(b.fp_is_nan(x), b.fp_is_inf(x))


def _outside(low: int | None, high: int | None) -> Callable[[Term], Term]:
    """The argument is NaN, or not between the bounds."""

    def test(x: Term) -> Term:
        inside = [b.fp_le(b.fp_const(low, x.sort), x)] if low is not None else []
        inside += [b.fp_le(x, b.fp_const(high, x.sort))] if high is not None else []
        return b.not_(b.conjunction(inside))

    return test


_UNDEFINED: dict[str, Callable[..., Term]] = {
    **dict.fromkeys(("sin", "cos", "tan"), _not_finite),
    **dict.fromkeys(("atan", "sinh", "cosh", "tanh", "asinh", "exp"), b.fp_is_nan),
    **dict.fromkeys(("asin", "acos", "atanh"), _outside(-1, 1)),
    "acosh": _outside(1, None), "log": _outside(0, None),
    "atan2": lambda y, x: b.or_(b.fp_is_nan(y), b.fp_is_nan(x)),
}
