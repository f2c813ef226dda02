"""IEEE 754 arithmetic for any binary format, by exact rationals and one correct rounding.

A value of sort ``Float(e, s)`` is its bit pattern: sign, ``e`` exponent bits, ``s - 1`` fraction
bits; there is one NaN (quiet, positive). Every operator decodes its arguments to rationals,
computes exactly, and rounds once (:func:`round_rational`); the special cases of infinities, NaN
and the sign of zero are those of IEEE 754-2019 and of SMT-LIB's theory of floating point.

Where SMT-LIB leaves a conversion open (NaN, infinities, out of range), the value is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from math import isqrt
from typing import Any

from revet.logic.sorts import FLOAT64, BitVecSort, FloatSort, Sort
from revet.logic.terms import Op
from revet.logic.values import Value

MODES = ("RNE", "RTZ", "RTP", "RTN", "RNA")
"""Rounding: to nearest with ties to even, towards zero, up, down, to nearest with ties away."""


# The format: where the fields of a bit pattern lie.


def fraction_bits(sort: FloatSort) -> int:
    return sort.significand - 1


def infinity(sort: FloatSort, negative: bool = False) -> int:
    return _signed(((1 << sort.exponent) - 1) << fraction_bits(sort), negative, sort)


def nan(sort: FloatSort) -> int:
    """The one NaN: positive and quiet."""
    return infinity(sort) | 1 << (fraction_bits(sort) - 1)


def max_exponent(sort: FloatSort) -> int:
    """The exponent of the largest binade; the smallest normal one is 1 minus this."""
    return (1 << (sort.exponent - 1)) - 1


def _signed(magnitude: int, negative: bool, sort: FloatSort) -> int:
    return magnitude | negative << (sort.width - 1)


def magnitude(bits: int, sort: FloatSort) -> int:
    return bits & ~(1 << (sort.width - 1))


def is_negative(bits: int, sort: FloatSort) -> bool:
    """The sign bit; NaN has none."""
    return bool(bits >> (sort.width - 1)) and not is_nan(bits, sort)


def is_nan(bits: int, sort: FloatSort) -> bool:
    return magnitude(bits, sort) > infinity(sort)


def is_infinite(bits: int, sort: FloatSort) -> bool:
    return magnitude(bits, sort) == infinity(sort)


def is_zero(bits: int, sort: FloatSort) -> bool:
    return magnitude(bits, sort) == 0


def is_subnormal(bits: int, sort: FloatSort) -> bool:
    return 0 < magnitude(bits, sort) < 1 << fraction_bits(sort)


def is_normal(bits: int, sort: FloatSort) -> bool:
    return 1 << fraction_bits(sort) <= magnitude(bits, sort) < infinity(sort)


def is_finite(bits: int, sort: FloatSort) -> bool:
    return magnitude(bits, sort) < infinity(sort)


def canonical(bits: int, sort: FloatSort) -> int:
    """The pattern itself, or the one NaN for any of them."""
    return nan(sort) if is_nan(bits, sort) else bits


def to_rational(bits: int, sort: FloatSort) -> Fraction:
    """The number that a finite pattern stands for (both zeros give 0)."""
    fraction = bits & ((1 << fraction_bits(sort)) - 1)
    biased = magnitude(bits, sort) >> fraction_bits(sort)
    if biased:
        fraction |= 1 << fraction_bits(sort)
    shift = max(biased, 1) - max_exponent(sort) - fraction_bits(sort)
    number = Fraction(fraction << shift) if shift >= 0 else Fraction(fraction, 1 << -shift)
    return -number if bits >> (sort.width - 1) else number


# Rounding, the only inexact step.


def round_quotient(numerator: int, denominator: int, negative: bool, mode: str) -> int:
    """The magnitude ``numerator / denominator`` (both nonnegative) as an integer; the direction
    of rounding depends on the sign of the number it is the magnitude of."""
    quotient, remainder = divmod(numerator, denominator)
    if remainder == 0:
        return quotient
    if mode == "RTZ":
        up = False
    elif mode == "RTP":
        up = not negative
    elif mode == "RTN":
        up = negative
    else:
        twice = 2 * remainder
        tie_up = mode == "RNA" or quotient & 1 == 1
        up = twice > denominator or (twice == denominator and tie_up)
    return quotient + up


def round_to_integer(number: Fraction, mode: str) -> int:
    negative = number < 0
    rounded = round_quotient(abs(number.numerator), number.denominator, negative, mode)
    return -rounded if negative else rounded


def round_rational(number: Fraction, mode: str, sort: FloatSort, zero_negative: bool = False) -> int:
    """The float nearest to ``number`` in the sense of ``mode``; ``zero_negative`` is the sign of
    the result if ``number`` is 0. A number that rounds to 0 keeps its own sign."""
    if number == 0:
        return _signed(0, zero_negative, sort)
    negative = number < 0
    n, d = abs(number.numerator), number.denominator
    exponent = n.bit_length() - d.bit_length()
    if (n << max(0, -exponent)) < (d << max(0, exponent)):
        exponent -= 1
    smallest = 1 - max_exponent(sort)
    exponent = max(exponent, smallest)
    shift = fraction_bits(sort) - exponent  # in units of the last place
    units = round_quotient(n << max(0, shift), d << max(0, -shift), negative, mode)
    # With the hidden bit included, a carry out of the fraction moves into the exponent by itself.
    packed = ((exponent - smallest) << fraction_bits(sort)) + units
    if packed >= infinity(sort):
        to_largest = mode == "RTZ" or mode == ("RTP" if negative else "RTN")
        packed = infinity(sort) - 1 if to_largest else infinity(sort)
    return _signed(packed, negative, sort)


# Arithmetic. Each takes bit patterns, the rounding mode and the common sort.


def _add(a: int, b: int, mode: str, sort: FloatSort) -> int:
    if is_nan(a, sort) or is_nan(b, sort):
        return nan(sort)
    if is_infinite(a, sort) or is_infinite(b, sort):
        if is_infinite(a, sort) and is_infinite(b, sort) and a != b:
            return nan(sort)
        return a if is_infinite(a, sort) else b
    both_zero = is_zero(a, sort) and a == b  # -0 + -0 is -0; otherwise the mode decides
    zero_negative = is_negative(a, sort) if both_zero else mode == "RTN"
    return round_rational(to_rational(a, sort) + to_rational(b, sort), mode, sort, zero_negative)


def _negate(a: int, sort: FloatSort) -> int:
    return a if is_nan(a, sort) else a ^ 1 << (sort.width - 1)


def _sub(a: int, b: int, mode: str, sort: FloatSort) -> int:
    return _add(a, _negate(b, sort), mode, sort)


def _mul(a: int, b: int, mode: str, sort: FloatSort) -> int:
    if is_nan(a, sort) or is_nan(b, sort):
        return nan(sort)
    negative = is_negative(a, sort) != is_negative(b, sort)
    if is_infinite(a, sort) or is_infinite(b, sort):
        if is_zero(a, sort) or is_zero(b, sort):
            return nan(sort)
        return infinity(sort, negative)
    return round_rational(to_rational(a, sort) * to_rational(b, sort), mode, sort, negative)


def _div(a: int, b: int, mode: str, sort: FloatSort) -> int:
    if is_nan(a, sort) or is_nan(b, sort):
        return nan(sort)
    negative = is_negative(a, sort) != is_negative(b, sort)
    if is_infinite(a, sort):
        return nan(sort) if is_infinite(b, sort) else infinity(sort, negative)
    if is_infinite(b, sort):
        return _signed(0, negative, sort)
    if is_zero(b, sort):
        return nan(sort) if is_zero(a, sort) else infinity(sort, negative)
    return round_rational(to_rational(a, sort) / to_rational(b, sort), mode, sort, negative)


def _fma(a: int, b: int, c: int, mode: str, sort: FloatSort) -> int:
    """``a * b + c``, rounded once."""
    product = _mul(a, b, mode, sort)
    if not (is_finite(a, sort) and is_finite(b, sort) and is_finite(c, sort)):
        # A finite product that overflows does not count as infinite.
        exact = product if not (is_finite(a, sort) and is_finite(b, sort)) else _signed(0, False, sort)
        return _add(exact, c, mode, sort)
    number = to_rational(a, sort) * to_rational(b, sort)
    if number == 0:
        return _add(product, c, mode, sort)  # a zero with its sign
    # An exact zero is a sum of numbers of different sign, or has no sign of its own.
    return round_rational(number + to_rational(c, sort), mode, sort, mode == "RTN")


def _rem(a: int, b: int, sort: FloatSort) -> int:
    """``a - b*n`` with ``n`` the integer nearest to ``a/b``, ties to even; always exact."""
    if is_nan(a, sort) or is_nan(b, sort) or is_infinite(a, sort) or is_zero(b, sort):
        return nan(sort)
    if is_infinite(b, sort):
        return a
    x, y = to_rational(a, sort), to_rational(b, sort)
    remainder = x - y * round_to_integer(x / y, "RNE")
    return round_rational(remainder, "RNE", sort, is_negative(a, sort))


def _sqrt(a: int, mode: str, sort: FloatSort) -> int:
    if is_nan(a, sort) or is_zero(a, sort):
        return a
    if is_negative(a, sort):
        return nan(sort)
    if is_infinite(a, sort):
        return a
    number = to_rational(a, sort)
    # An integer root with four bits to spare, and a sticky half for an inexact one, round alike.
    scale = sort.significand + 4 + max(0, number.denominator.bit_length())
    scaled = (number.numerator << 2 * scale) // number.denominator
    root = isqrt(scaled)
    inexact = root * root * number.denominator != number.numerator << 2 * scale
    return round_rational(Fraction(2 * root + inexact, 2 << scale), mode, sort)


def _round_to_integral(a: int, mode: str, sort: FloatSort) -> int:
    if not is_finite(a, sort):
        return a
    whole = Fraction(round_to_integer(to_rational(a, sort), mode))
    return round_rational(whole, mode, sort, is_negative(a, sort))


def _compare(a: int, b: int, sort: FloatSort) -> int | None:
    """Negative, zero or positive like ``a - b``; None if they are not ordered."""
    if is_nan(a, sort) or is_nan(b, sort):
        return None
    left, right = (
        -magnitude(x, sort) if is_negative(x, sort) else magnitude(x, sort) for x in (a, b)
    )
    return left - right


def _ordered(accept: Callable[[int], bool]) -> Callable[[Sequence[int], FloatSort], bool]:
    def relation(values: Sequence[int], sort: FloatSort) -> bool:
        difference = _compare(values[0], values[1], sort)
        return difference is not None and accept(difference)

    return relation


_ROUNDED: dict[str, Callable[..., int]] = {
    Op.FP_ADD: _add, Op.FP_SUB: _sub, Op.FP_MUL: _mul, Op.FP_DIV: _div, Op.FP_SQRT: _sqrt,
    Op.FP_ROUND: _round_to_integral, Op.FP_FMA: _fma,
}
_PLAIN: dict[str, Callable[[Sequence[int], FloatSort], Value]] = {
    Op.FP_REM: lambda v, s: _rem(v[0], v[1], s),
    Op.FP_NEG: lambda v, s: _negate(v[0], s),
    Op.FP_ABS: lambda v, s: v[0] if is_nan(v[0], s) else magnitude(v[0], s),
    Op.FP_LE: _ordered(lambda difference: difference <= 0),
    Op.FP_LT: _ordered(lambda difference: difference < 0),
    Op.FP_EQ: _ordered(lambda difference: difference == 0),
    Op.FP_IS_NAN: lambda v, s: is_nan(v[0], s),
    Op.FP_IS_INF: lambda v, s: is_infinite(v[0], s),
    Op.FP_IS_ZERO: lambda v, s: is_zero(v[0], s),
    Op.FP_IS_NEGATIVE: lambda v, s: is_negative(v[0], s),
    Op.FP_IS_NORMAL: lambda v, s: is_normal(v[0], s),
    Op.FP_IS_SUBNORMAL: lambda v, s: is_subnormal(v[0], s),
    Op.FP_TO_REAL: lambda v, s: to_rational(v[0], s) if is_finite(v[0], s) else Fraction(0),
}


def apply_operator(
    op: str, payload: Any, sort: Sort, arg_sorts: Sequence[Sort], values: Sequence[Any]
) -> Value:
    """The value of a floating-point operator; see :func:`revet.logic.semantics.apply_operator`."""
    source = arg_sorts[0]
    if isinstance(source, FloatSort):
        if op in _ROUNDED:
            return _ROUNDED[op](*values, payload, source)
        if op in _PLAIN:
            return _PLAIN[op](values, source)
        if op in (Op.FP_TO_SBV, Op.FP_TO_UBV):
            return _to_bitvector(values[0], source, payload[0], payload[1], op == Op.FP_TO_SBV)
        if op == Op.FP_FROM_FP and isinstance(sort, FloatSort):
            return convert(values[0], source, payload, sort)
    elif isinstance(sort, FloatSort):
        if op == Op.FP_FROM_BITS:
            return canonical(values[0], sort)
        number = values[0]
        if op == Op.FP_FROM_SBV and isinstance(source, BitVecSort) and number >> (source.width - 1):
            number -= 1 << source.width
        return round_rational(Fraction(number), payload, sort)
    raise TypeError(f"no meaning for operator {op}")


def convert(bits: int, source: FloatSort, mode: str, target: FloatSort) -> int:
    """A float in another format."""
    if is_nan(bits, source):
        return nan(target)
    negative = is_negative(bits, source)
    if is_infinite(bits, source):
        return infinity(target, negative)
    return round_rational(to_rational(bits, source), mode, target, negative)


def _to_bitvector(bits: int, sort: FloatSort, mode: str, width: int, signed: bool) -> int:
    if not is_finite(bits, sort):
        return 0
    whole = round_to_integer(to_rational(bits, sort), mode)
    low, high = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)
    return whole & ((1 << width) - 1) if low <= whole < high else 0


def format_bits(bits: int, sort: FloatSort) -> str:
    """The shortest decimal that reads back as this float, or ``NaN``, ``inf``, ``-inf``."""
    if is_nan(bits, sort):
        return "NaN"
    sign = "-" if is_negative(bits, sort) else ""
    if is_infinite(bits, sort):
        return sign + "inf"
    if is_zero(bits, sort):
        return sign + "0.0"
    number = to_rational(magnitude(bits, sort), sort)
    if sort is FLOAT64:
        return sign + repr(number.numerator / number.denominator)
    digits = 1
    while True:
        context = Context(prec=digits, Emax=10**9, Emin=-(10**9))
        text = context.divide(Decimal(number.numerator), Decimal(number.denominator))
        if round_rational(Fraction(text), "RNE", sort) == magnitude(bits, sort):
            return sign + _decimal_text(text)
        digits += 1


def _decimal_text(number: Decimal) -> str:
    """Like Python's ``repr`` of a float: an exponent only for very large and small numbers."""
    exponent = number.adjusted()
    if -5 < exponent < 16:
        text = f"{number:f}"
        return text if "." in text else text + ".0"
    return f"{number.normalize():e}"
