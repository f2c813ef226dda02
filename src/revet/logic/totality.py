"""SMT-LIB's partial operators made total: where our total semantics adds to the standard.

SMT-LIB leaves ``div``, ``mod`` and ``/`` by zero open, and the conversions of floats that do not
fit. For each such node :func:`guarded` gives the condition under which the standard fixes its
value, and what :mod:`revet.logic.semantics` says otherwise. Solver translations and the SMT-LIB
printer take it from here, so there is one definition to trust.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from revet.logic import floats, softfloat
from revet.logic.core import and_, const, eq, ite, not_, or_
from revet.logic.sorts import Float, FloatSort
from revet.logic.terms import Op, Term, intern
from revet.logic.values import default_value
from revet.logic.walk import rewrite

_DIVISIONS = (Op.DIV, Op.MOD, Op.RDIV)


class Guarded(NamedTuple):
    """``ite(condition, partial, otherwise)``, with ``partial`` meant in SMT-LIB's sense."""

    condition: Term
    partial: Term
    otherwise: Term


def guarded(term: Term) -> Guarded | None:
    """How to say this node in SMT-LIB; None where the standard means what we mean."""
    op = term.op
    if op in _DIVISIONS:
        left, right = term.args
        if right.op == Op.CONST and right.payload != 0:
            return None
        zero = const(0, right.sort)
        return Guarded(not_(eq(right, zero)), term, left if op == Op.MOD else zero)
    if op == Op.FP_TO_REAL:
        special = or_(floats.fp_is_nan(term.args[0]), floats.fp_is_inf(term.args[0]))
        return Guarded(not_(special), term, const(Fraction(0), term.sort))
    if op in (Op.FP_TO_SBV, Op.FP_TO_UBV):
        return _to_bitvector(term)
    return None


def _to_bitvector(term: Term) -> Guarded:
    """0 where the rounded number is out of range; NaN fails both comparisons."""
    mode, width = term.payload
    signed = term.op == Op.FP_TO_SBV
    argument = widened(term.args[0])
    sort = floats.float_sort(argument)
    whole = floats.fp_round(argument, mode)
    above = floats.fp_const(1 << (width - signed), sort)  # infinite if beyond the format
    if signed and softfloat.max_exponent(sort) >= width - 1:
        at_least = floats.fp_le(floats.fp_const(-(1 << (width - 1)), sort), whole)
    else:  # an unsigned integer is above -1, a signed one of a small format above -infinity
        below = floats.fp_inf(sort, negative=True) if signed else floats.fp_const(-1, sort)
        at_least = floats.fp_lt(below, whole)
    partial = intern(term.op, (whole,), term.sort, ("RTZ", width))
    condition = and_(at_least, floats.fp_lt(whole, above))
    return Guarded(condition, partial, const(default_value(term.sort), term.sort))


def widened(term: Term) -> Term:
    """The same number in a format where rounding to an integer never overflows (usually its own)."""
    sort = floats.float_sort(term)
    if softfloat.max_exponent(sort) >= softfloat.fraction_bits(sort):
        return term
    return floats.fp_to_fp(Float(sort.significand.bit_length() + 2, sort.significand), term)


def expanded(term: Term) -> Term:
    """``fp.roundToIntegral`` in a format without room for the result, through a wider one."""
    if term.op != Op.FP_ROUND or not isinstance(term.sort, FloatSort):
        return term
    wide = widened(term.args[0])
    if wide is term.args[0]:
        return term
    return floats.fp_to_fp(term.sort, floats.fp_round(wide, term.payload), term.payload)


def totalized(root: Term) -> Term:
    """``root`` for a reader that knows only SMT-LIB: every partial operator under its guard.

    The result is for printing and translating; under our own semantics it equals ``root``.
    """
    return rewrite(root, _total)


def _total(node: Term) -> Term:
    built = expanded(node)
    guard = guarded(built)
    return built if guard is None else ite(*guard)
