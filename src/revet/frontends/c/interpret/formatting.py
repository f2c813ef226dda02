"""``sprintf``, ``snprintf`` and ``swprintf`` as C has them, for integers, characters and strings.

Conversions beyond these (floating point, addresses, wide strings) end the run as *unsupported*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from revet.errors import Position
from revet.frontends.c.interpret.machine import Machine, Stop
from revet.frontends.c.types import CType, Int, Pointer

_CONVERSION = re.compile(r"%([-+ 0]*)(\d*)(?:\.(\d*))?(hh|h|ll|l|)([diuxXocs%])")


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
        if match is None or (match[5] == "s" and (each != 1 or match[4])) or (match[5] == "c" and match[4]):
            raise Stop("unsupported", "a conversion of a printing function that is not modelled", at)
        place = match.end()
        if match[5] == "%":
            found.append(ord("%"))
            continue
        value, type = next(given, (None, None))
        if value is None or isinstance(type, Int) == (match[5] == "s"):
            raise m.stuck("call", "the arguments of a printing function do not fit its format", at)
        if match[5] == "s":
            found += _padded(_text(m, value, 1, at), match)
        else:
            digits = _number(match, value, m.program.data_model.long_bits)
            found += _padded([ord(letter) for letter in digits], match)
    return found


def _number(match: re.Match[str], value: int, long_bits: int) -> str:
    flags, precision, kind = match[1], match[3], match[5]
    if kind == "c":
        return chr(value & 255)
    bits = {"hh": 8, "h": 16, "": 32, "l": long_bits, "ll": 64}[match[4]]
    number = Int(bits, kind in "di").wrap(value)
    digits = format(abs(number), {"x": "x", "X": "X", "o": "o"}.get(kind, "d"))
    if precision is not None:
        digits = "" if number == 0 and int(precision or 0) == 0 else digits.zfill(int(precision or 0))
    sign = "-" if number < 0 else ""
    if kind in "di" and number >= 0:
        sign = "+" if "+" in flags else " " if " " in flags else ""
    if "0" in flags and "-" not in flags and precision is None:
        digits = digits.zfill(int(match[2] or 0) - len(sign))
    return sign + digits


def _padded(text: list[int], match: re.Match[str]) -> list[int]:
    if match[5] == "s" and match[3] is not None:
        text = text[: int(match[3] or 0)]
    blanks = [ord(" ")] * (int(match[2] or 0) - len(text))
    return text + blanks if "-" in match[1] else blanks + text
