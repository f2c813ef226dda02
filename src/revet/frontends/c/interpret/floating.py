"""Floating-point values of the interpreter: IEEE 754 with rounding to nearest, ties to even.

``float`` and ``double`` values are Python floats; a ``float`` operation is computed in double
precision and rounded once more, which is exact because 53 >= 2·24 + 2 (Figueroa, *When is double
rounding innocuous?*, 1995). ``long double`` values are fractions with a 64-bit significand (and
Python floats for infinities, NaN and minus zero).
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction

from revet.frontends.c.types import Floating

Number = float | Fraction

_FRACTION = (1 << 63) - 1

# (significand bits, least exponent of the last place, greatest exponent) by format width
_FORMATS = {32: (24, -149, 128), 64: (53, -1074, 1024), 80: (64, -16445, 16384)}


def is_special(value: Number) -> bool:
    """Infinity or NaN."""
    return isinstance(value, float) and (math.isinf(value) or math.isnan(value))


def rounded(value: Fraction, bits: int) -> Number:
    """The nearest value of the format to an exact number."""
    precision, least, greatest = _FORMATS[bits]
    if value == 0:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude >= Fraction(2) ** exponent:
        exponent += 1  # now 2**(exponent-1) <= magnitude < 2**exponent
    place = max(exponent - precision, least)
    scaled = round(magnitude / Fraction(2) ** place)  # Python rounds halves to even
    if scaled.bit_length() + place > greatest:
        return math.inf if value > 0 else -math.inf
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


def convert(value: Number, bits: int) -> Number:
    """A number of one format as a number of another."""
    if isinstance(value, Fraction):
        return rounded(value, bits)
    if bits == 80:
        return value if is_special(value) or value == 0 else Fraction(value)
    return narrow(value, bits)


def from_integer(value: int, bits: int) -> Number:
    return rounded(Fraction(value), bits)


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


def arithmetic(op: str, left: Number, right: Number, bits: int) -> Number:
    """``left op right`` for ``+ - * /``, rounded to the format."""
    if is_special(left) or is_special(right) or (op == "/" and right == 0):
        return _special(op, _sign_of(left), _sign_of(right))
    if bits == 80:
        return _exact(op, left, right)
    a, b = float(left), float(right)
    value = a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b
    return narrow(value, bits)


def _exact(op: str, left: Number, right: Number) -> Number:
    a, b = Fraction(left), Fraction(right)
    value = a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b
    if value == 0:
        return _special(op, _sign_of(left), _sign_of(right)) * 0.0 if op in "*/" else (
            _special(op, *(v if v == 0 else 0.0 for v in (_sign_of(left), _sign_of(right))))
        )
    return rounded(value, 80)


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
