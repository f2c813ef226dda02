"""``sprintf``, ``snprintf`` and ``swprintf`` as C has them, for numbers, characters and strings.

Conversions beyond these (NaN, ``long double``, addresses, wide strings) end the run as *unsupported*.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from revet.errors import Position
from revet.frontends.c.interpret.machine import Machine
from revet.frontends.c.interpret.outcome import Stop
from revet.frontends.c.types import CType, Floating, Int, Pointer

_CONVERSION = re.compile(r"%([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|)([diuxXocsfFeEgG%])")
_FLOATS = "fFeEgG"


@dataclass(frozen=True, slots=True)
class _Conversion:
    """``%-08.3ld``: its flags, width, precision (None where it is not given), size and letter."""

    flags: str
    width: int
    precision: int | None
    size: str
    letter: str

    @property
    def takes(self) -> type[CType]:
        """The kind of argument."""
        return Pointer if self.letter == "s" else Floating if self.letter in _FLOATS else Int



def print_into(
    m: Machine, name: str, arguments: Sequence[Any], types: Sequence[CType], at: Position
) -> int:
    """Write the text and its final zero; the text's length."""
    bounded = len(types) > 1 and isinstance(types[1], Int)
    first = 2 if bounded else 1
    if first >= len(types):
        raise m.stuck("call", f"{name} needs a format", at)
    each = _character_size(types[0]) if name == "swprintf" else 1
    pairs = list(zip(arguments, types, strict=True))[first + 1 :]
    text = _formatted(m, _text(m, arguments[first], each, at), pairs, each, at)
    room = arguments[1] if bounded else len(text) + 1
    if room > 0:
        if bounded and name == "swprintf" and len(text) >= room:
            return -1  # what is written then is unspecified: nothing, here
        _put(m, arguments[0], [*text[: room - 1], 0], each, at)
    return len(text)


def print_count(
    m: Machine, name: str, arguments: Sequence[Any], types: Sequence[CType], at: Position
) -> int:
    """How many characters a function writes to a stream, which is what it returns."""
    if name not in ("printf", "fprintf"):
        raise Stop("unsupported", f"what {name} returns is not modelled", at)
    first = 1 if name == "fprintf" else 0
    pairs = list(zip(arguments, types, strict=True))[first + 1 :]
    return len(_formatted(m, _text(m, arguments[first], 1, at), pairs, 1, at))


def _character_size(type: CType) -> int:
    target = type.target if isinstance(type, Pointer) else None
    return target.size if isinstance(target, Int) else 1


def _text(m: Machine, address: int, each: int, at: Position) -> list[int]:
    """The characters before the final zero, which may be cut off by the end of a literal."""
    found: list[int] = []
    while True:
        place = address + each * len(found)
        try:
            target, offset = m.locate(place, 1, at)
        except Stop:
            raise m.stuck("dereference", "a string without a final zero", at) from None
        value = int.from_bytes(m.read_bytes(target, offset, each, at), "little")
        if value == 0:
            return found
        found.append(value)


def text_at(m: Machine, address: int, at: Position) -> bytes:
    """The string at an address."""
    return bytes(_text(m, address, 1, at))


def _put(m: Machine, address: int, text: Sequence[int], each: int, at: Position) -> None:
    data = b"".join(character.to_bytes(each, "little") for character in text)
    target, offset = m.locate(address, len(data), at)
    if target.kind == "function" or target.constant:
        raise m.stuck("dereference", f"{target.name} is written to", at)
    target.data[offset : offset + len(data)] = data
    if target.marks is not None:
        target.written(offset, len(data))


def _formatted(
    m: Machine, layout: Sequence[int], arguments: list[tuple[Any, CType]], each: int, at: Position
) -> list[int]:
    given = iter(arguments)
    letters = "".join(map(chr, layout))
    found: list[int] = []
    place = 0
    while place < len(letters):
        if letters[place] != "%":
            found.append(layout[place])
            place += 1
            continue
        match = _CONVERSION.match(letters, place)
        if match is None or not _known(match, each):
            raise Stop("unsupported", "a conversion of a printing function that is not modelled", at)
        place = match.end()
        if match[5] == "%":
            found.append(ord("%"))
            continue
        conversion = _resolved(m, match, given, at)
        value = _next(m, given, conversion.takes, at)
        if conversion.letter == "s":
            text = _text(m, value, 1, at)
            found += _padded(text[: conversion.precision], conversion)
        elif conversion.letter in _FLOATS:
            found += _padded(list(_float(m, conversion, value, at).encode()), conversion)
        else:
            digits = _number(conversion, value, m.program.data_model.long_bits)
            found += _padded([ord(letter) for letter in digits], conversion)
    return found


def _known(match: re.Match[str], each: int) -> bool:
    """Wide strings and characters are not, nor sizes of what has none."""
    return not (match[5] == "s" and each != 1) and not (match[4] and match[5] in "sc")


def _resolved(
    m: Machine, match: re.Match[str], given: Iterator[tuple[Any, CType]], at: Position
) -> _Conversion:
    """The conversion, with the arguments that its stars stand for."""
    flags, precision = match[1], match[3]
    width = _next(m, given, Int, at) if match[2] == "*" else int(match[2] or 0)
    if width < 0:
        flags, width = flags + "-", -width
    exact = -1 if precision is None else int(precision or 0) if precision != "*" else _next(m, given, Int, at)
    return _Conversion(flags, width, None if exact < 0 else exact, match[4], match[5])


def _next(m: Machine, given: Iterator[tuple[Any, CType]], kind: type[CType], at: Position) -> Any:
    value, type = next(given, (None, None))
    if not isinstance(type, kind):
        raise m.stuck("call", "the arguments of a printing function do not fit its format", at)
    return value


def _float(m: Machine, conversion: _Conversion, value: Any, at: Position) -> str:
    """A double in the decimal digits that are nearest to it, which Python and C choose alike."""
    if not isinstance(value, float) or math.isnan(value):
        raise Stop("unsupported", "printing NaN or a long double is not modelled", at)
    if m.rounding != "RNE":
        raise Stop("unsupported", "printing floats in another rounding mode is not modelled", at)
    flags = conversion.flags
    if math.isinf(value) or "-" in flags:
        flags = flags.replace("0", "")
    width = conversion.width if "0" in flags else ""
    exact = 6 if conversion.precision is None else conversion.precision
    return f"%{flags}{width}.{exact}{conversion.letter}" % value


def _number(conversion: _Conversion, value: int, long_bits: int) -> str:
    flags, precision, kind = conversion.flags, conversion.precision, conversion.letter
    if kind == "c":
        return chr(value & 255)
    bits = {"hh": 8, "h": 16, "": 32, "l": long_bits, "z": long_bits, "t": long_bits}.get(conversion.size, 64)
    number = Int(bits, kind in "di").wrap(value)
    digits = format(abs(number), {"x": "x", "X": "X", "o": "o"}.get(kind, "d"))
    if precision is not None:
        digits = "" if number == 0 and precision == 0 else digits.zfill(precision)
    sign = "-" if number < 0 else ""
    if kind in "di" and number >= 0:
        sign = "+" if "+" in flags else " " if " " in flags else ""
    if "#" in flags and kind == "o" and not digits.startswith("0"):
        digits = f"0{digits}"
    if "#" in flags and kind in "xX" and number:
        sign = f"0{kind}"
    if "0" in flags and "-" not in flags and precision is None:
        digits = digits.zfill(conversion.width - len(sign))
    return sign + digits


def _padded(text: list[int], conversion: _Conversion) -> list[int]:
    blanks = [ord(" ")] * (conversion.width - len(text))
    return text + blanks if "-" in conversion.flags else blanks + text
