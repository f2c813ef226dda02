"""Floating-point values of the interpreter: IEEE 754, by default rounded to nearest, ties to even.

Rounding modes have SMT-LIB's names ("RNE", and after ``fesetround`` "RTN", "RTP" and "RTZ"): in the latter
everything is computed exactly, on fractions, and rounded once. In the default mode ``float`` operations
are computed in double precision and rounded once more, which is exact because 53 >= 2·24 + 2 (Figueroa,
*When is double rounding innocuous?*, 1995). Values of ``float`` and ``double`` are Python floats, those of
``long double`` fractions with a 64-bit significand (and Python floats for infinities, NaN and zeros).
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction

from revet.frontends.c.types import Floating
from revet.logic.softfloat import round_quotient

Number = float | Fraction

_FRACTION = (1 << 63) - 1

# (significand bits, least exponent of the last place, greatest exponent) by format width
_FORMATS = {32: (24, -149, 128), 64: (53, -1074, 1024), 80: (64, -16445, 16384)}


def is_special(value: Number) -> bool:
    """Infinity or NaN."""
    return isinstance(value, float) and (math.isinf(value) or math.isnan(value))


def rounded(value: Fraction, bits: int, mode: str = "RNE") -> Number:
    """The value of the format to which an exact number is rounded."""
    precision, least, greatest = _FORMATS[bits]
    if value == 0:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude >= Fraction(2) ** exponent:
        exponent += 1  # now 2**(exponent-1) <= magnitude < 2**exponent
    place = max(exponent - precision, least)
    units = magnitude / Fraction(2) ** place
    scaled = round_quotient(units.numerator, units.denominator, value < 0, mode)
    if scaled.bit_length() + place > greatest:
        if mode == "RNE" or mode == ("RTP" if value > 0 else "RTN"):
            return math.inf if value > 0 else -math.inf
        scaled, place = (1 << precision) - 1, greatest - precision
    exact = scaled * Fraction(2) ** place * (1 if value > 0 else -1)
    if bits == 80:
        return exact if exact else math.copysign(0.0, value)
    return float(exact) if exact else math.copysign(0.0, value)


def narrow(value: float, bits: int) -> float:
    """A double as a value of a format with at most 64 bits."""
    if bits == 64:
        return value
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def convert(value: Number, bits: int, mode: str = "RNE") -> Number:
    """A number of one format as a number of another."""
    if isinstance(value, Fraction):
        return rounded(value, bits, mode)
    if mode != "RNE" and value != 0 and not is_special(value):
        return rounded(Fraction(value), bits, mode)
    if bits == 80:
        return value if is_special(value) or value == 0 else Fraction(value)
    return narrow(value, bits)


def from_integer(value: int, bits: int, mode: str = "RNE") -> Number:
    return rounded(Fraction(value), bits, mode)


def to_integer(value: Number) -> int | None:
    """Truncated towards zero; None for infinities and NaN."""
    return None if is_special(value) else math.trunc(value)


def _special(op: str, left: float, right: float) -> float:
    """The operation where an operand is special or a divisor zero: precision does not matter."""
    if op == "+":
        return left + right
    if op == "-":
        return left - right
    if op == "*":
        return left * right
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _sign_of(value: Number) -> float:
    """A float with the sign, the zeroness and the specialness of the number."""
    if isinstance(value, float):
        return value if is_special(value) or value == 0 else math.copysign(1.0, value)
    return 1.0 if value > 0 else -1.0 if value < 0 else 0.0


def arithmetic(op: str, left: Number, right: Number, bits: int, mode: str = "RNE") -> Number:
    """``left op right`` for ``+ - * /``, rounded to the format."""
    if is_special(left) or is_special(right) or (op == "/" and right == 0):
        return _special(op, _sign_of(left), _sign_of(right))
    if bits == 80 or mode != "RNE":
        return _exact(op, left, right, bits, mode)
    a, b = float(left), float(right)
    value = a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b
    return narrow(value, bits)


def _exact(op: str, left: Number, right: Number, bits: int, mode: str) -> Number:
    a, b = Fraction(left), Fraction(right)
    value = a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b
    if value == 0 and op in "*/":
        return _special(op, _sign_of(left), _sign_of(right)) * 0.0
    if value == 0:
        return _zero_sum(left, negate(right) if op == "-" else right, mode)
    return rounded(value, bits, mode)


def _zero_sum(left: Number, right: Number, mode: str) -> float:
    """The sign of a sum that is zero: that of both, or else the mode's."""
    if left == 0 and right == 0 and _is_minus(left) is _is_minus(right):
        return -0.0 if _is_minus(left) else 0.0
    return -0.0 if mode == "RTN" else 0.0


def _is_minus(zero: Number) -> bool:
    return isinstance(zero, float) and math.copysign(1.0, zero) < 0


def fused(x: Number, y: Number, z: Number, bits: int, mode: str = "RNE") -> Number:
    """``x * y + z``, rounded once."""
    if is_special(x) or is_special(y) or is_special(z):
        product = _sign_of(x) * _sign_of(y)
        return product + _sign_of(z) if is_special(product) or is_special(z) else product
    exact = Fraction(x) * Fraction(y)
    if exact == 0:
        return arithmetic("+", arithmetic("*", x, y, bits), z, bits, mode)
    return rounded(exact + Fraction(z), bits, mode) if exact + Fraction(z) else _zero_sum(1.0, -1.0, mode)


def root(value: Number, bits: int, mode: str = "RNE") -> Number:
    """The square root, rounded once."""
    if value == 0 or value != value or (is_special(value) and value > 0):
        return value
    if value < 0:
        return math.nan
    exact = Fraction(value)
    shift = 2 * ((200 + exact.denominator.bit_length()) // 2)  # at least 100 bits of the root are whole
    scaled = exact * 2**shift
    whole = math.isqrt(math.floor(scaled))
    beyond = 0 if whole * whole == scaled else Fraction(1, 2)  # between two numbers, neither of them a tie
    return rounded((whole + beyond) / Fraction(2) ** (shift // 2), bits, mode)


def whole(value: Number, bits: int, mode: str = "RNE") -> Number:
    """The whole number to which it is rounded, with its sign."""
    if is_special(value) or value == 0:
        return value
    exact = Fraction(value)
    units = round_quotient(abs(exact.numerator), exact.denominator, exact < 0, mode)
    found = rounded(Fraction(units), bits)
    return negate(found) if exact < 0 else found


def negate(value: Number) -> Number:
    return -value if value != 0 or not isinstance(value, Fraction) else -0.0


def pack(value: Number, type: Floating) -> bytes:
    """The value's bytes in memory."""
    if type.bits == 32:
        return struct.pack("<f", float(value))
    if type.bits == 64:
        return struct.pack("<d", float(value))
    sign = 1 if (isinstance(value, float) and math.copysign(1.0, value) < 0) or value < 0 else 0
    if is_special(value):
        significand, exponent = (3 << 62 if math.isnan(value) else 1 << 63), 0x7FFF
    elif value == 0:
        significand, exponent = 0, 0
    else:
        magnitude = abs(Fraction(value))
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        exponent += 1 if magnitude >= Fraction(2) ** exponent else 0
        place = max(exponent - 64, -16445)
        significand = int(magnitude / Fraction(2) ** place)
        exponent = place + 16446 if significand >> 63 else 0
    head = significand.to_bytes(8, "little") + (sign << 15 | exponent).to_bytes(2, "little")
    return head + bytes(type.size - 10)


def unpack(data: bytes | bytearray, offset: int, type: Floating) -> Number:
    """The value of the bytes at an offset."""
    if type.bits == 32:
        return float(struct.unpack_from("<f", data, offset)[0])
    if type.bits == 64:
        return float(struct.unpack_from("<d", data, offset)[0])
    significand = int.from_bytes(data[offset : offset + 8], "little")
    high = int.from_bytes(data[offset + 8 : offset + 10], "little")
    negative, exponent = bool(high >> 15), high & 0x7FFF
    if exponent == 0x7FFF:
        special = math.inf if significand == 1 << 63 else math.nan
        return -special if negative else special
    if significand == 0 and exponent == 0:
        return -0.0 if negative else 0.0
    if exponent and not significand >> 63:
        return math.nan  # no number of the format: every operation on it is invalid
    value = significand * Fraction(2) ** (max(exponent, 1) - 16446)
    return -value if negative else value


def pattern(value: Number, type: Floating) -> int:
    """The bits of a value as IEEE 754 writes its format: sign, exponent, fraction. A ``long double`` has the
    first bit of its significand in memory, but not here."""
    bits = int.from_bytes(pack(value, type)[: type.bits // 8], "little")
    return bits if type.bits != 80 else bits >> 64 << 63 | bits & _FRACTION


def from_pattern(bits: int, width: int) -> Number:
    """The inverse of :func:`pattern`, for formats of 32, 64 and (``long double``) 79 bits."""
    if width != 79:
        return unpack(bits.to_bytes(width // 8, "little"), 0, Floating(width, width // 8))
    head = bits >> 63
    significand = bits & _FRACTION | (1 << 63 if head & 0x7FFF else 0)
    return unpack((head << 64 | significand).to_bytes(10, "little"), 0, Floating(80, 10))


def shown(value: Number) -> str:
    """For people: up to 17 digits."""
    if isinstance(value, float):
        return repr(value)
    exponent = 0 if not value else (abs(value.numerator).bit_length() - value.denominator.bit_length())
    if abs(exponent) < 1000:
        return repr(float(value))
    return f"{float(value / Fraction(2) ** exponent)!r} * 2^{exponent}"
