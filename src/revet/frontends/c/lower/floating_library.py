"""The parts of ``<math.h>`` that have an exact meaning in IEEE arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.lower import floating
from revet.frontends.c.lower.rounding import rounded
from revet.frontends.c.types import Floating, Int
from revet.logic import build as b
from revet.logic import floats as fp
from revet.logic.sorts import FloatSort
from revet.logic.terms import FALSE, Term

if TYPE_CHECKING:
    from revet.frontends.c.lower.context import Context

_ROUNDINGS = {
    "floor": "RTN", "ceil": "RTP", "trunc": "RTZ", "round": "RNA",
}
_BY_MODE = ("rint", "nearbyint")
_BARE = (
    *_ROUNDINGS, *_BY_MODE, "isnan", "__isnan", "__isinf", "isfinite", "finite", "__finite", "fabs", "sqrt",
    "fmin", "fmax", "copysign",
)
NAMES = (
    *(prefix + name + suffix for name in _BARE for suffix in ("", "f", "l") for prefix in ("", "__builtin_")),
    *(f"__builtin_{name}{suffix}" for name in ("inf", "huge_val", "nan") for suffix in ("", "f", "l")),
    "__builtin_isinf_sign", "nan", "nanf", "nanl",
)
COMPUTED = ("fmod", "remainder", "fma", "ldexp", "scalbn", "scalbln")
"""Functions of which a proof knows less than the value for some arguments: see ``remainders.py``."""


def call(context: Context, name: str, node: ast.Call, values: list[Term]) -> Term:
    base = name.removeprefix("__builtin_")
    if base not in (*_BARE, "inf", "huge_val") and base[-1] in "fl":
        base = base[:-1]
    if base in ("inf", "huge_val"):
        return fp.fp_inf(_sort(node))
    if base == "nan":
        return fp.fp_nan(_sort(node))
    argument_type = node.arguments[0].type
    if not isinstance(argument_type, Floating):
        raise context.unsupported(node.at, f"{name} of {argument_type} is not modelled")
    value = values[0]
    if base in ("isinf_sign", "__isinf"):
        return _infinity_sign(context, node, value)
    if base in ("isfinite", "finite", "__finite"):
        return _truth(context, node, b.not_(b.or_(fp.fp_is_nan(value), fp.fp_is_inf(value))))
    if base in ("isnan", "__isnan"):
        return _truth(context, node, fp.fp_is_nan(value))
    if base in _ROUNDINGS:
        return fp.fp_round(value, _ROUNDINGS[base])
    if base in _BY_MODE:
        return rounded(context, lambda mode: fp.fp_round(value, mode))
    if base == "fabs":
        return fp.fp_abs(value)
    if base == "sqrt":
        return rounded(context, lambda mode: fp.fp_sqrt(value, mode))
    if base == "copysign":
        same = b.iff(fp.fp_is_negative(value), _negative(context, node, values[1]))
        return b.ite(same, value, fp.fp_neg(value))
    return _extreme(context, base, node, value, values[1])


def _negative(context: Context, node: ast.Call, value: Term) -> Term:
    """Is the sign bit set? That of "not a number" is the processor's and the compiler's choice."""
    no_number = fp.fp_is_nan(value)
    if no_number is FALSE:
        return fp.fp_is_negative(value)
    return b.ite(no_number, fp.fp_is_negative(_any_value(context, node)), fp.fp_is_negative(value))


def _any_value(context: Context, node: ast.Call) -> Term:
    value = context.temporary((node, "sign"), "sign", node.type)
    context.flow.havoc(value)
    return value


def _extreme(context: Context, base: str, node: ast.Call, left: Term, right: Term) -> Term:
    """``fmin`` and ``fmax``; which of two zeros they give is the library's choice."""
    better = fp.fp_lt(left, right) if base == "fmin" else fp.fp_lt(right, left)
    either = b.and_(
        fp.fp_is_zero(left), fp.fp_is_zero(right),
        b.not_(b.iff(fp.fp_is_negative(left), fp.fp_is_negative(right))),
    )
    if either is not FALSE:
        better = b.ite(either, fp.fp_is_negative(_any_value(context, node)), better)
    return b.ite(fp.fp_is_nan(left), right, b.ite(b.or_(fp.fp_is_nan(right), better), left, right))


def _infinity_sign(context: Context, node: ast.Call, value: Term) -> Term:
    """glibc: 1 for +inf, -1 for -inf."""
    assert isinstance(node.type, Int)
    constant = context.arithmetic.constant
    sign = b.ite(fp.fp_is_negative(value), constant(node.type, -1), constant(node.type, 1))
    return b.ite(fp.fp_is_inf(value), sign, constant(node.type, 0))


def _truth(context: Context, node: ast.Call, condition: Term) -> Term:
    assert isinstance(node.type, Int)
    return context.arithmetic.from_truth(node.type, condition)


def _sort(node: ast.Call) -> FloatSort:
    assert isinstance(node.type, Floating)
    return floating.sort_of(node.type)
