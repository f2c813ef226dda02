"""Printing functions with a literal format, written as C for each call where memory is checked.

``sprintf`` and ``snprintf`` write exactly the text that C prescribes, without loops for numbers (a ten-digit
number is ten steps), so that a proof sees at once how long the text may be. ``printf`` and ``fprintf`` whose
result nobody uses look at their arguments only: strings end with a zero, types are those of the format.

Covered: ``%d %i %u %x %X %o %c %s %%`` with ``h hh l ll z j t``, a width, the flags ``-`` and ``0``, and a
precision for strings; for the second kind also floating point and addresses, which are not looked into. For
anything else there is no model (None), and ``lower/formatting.py`` says what then.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from zlib import crc32

from revet.frontends.c import ast
from revet.frontends.c.library.typed import PREFIX, literal_text, scalar_name
from revet.frontends.c.types import CType, Floating, Int, Pointer, Void

_PLACES = {"sprintf": 1, "snprintf": 2, "revet_quiet_printf": 0, "revet_quiet_fprintf": 1}
"""Which argument the format is."""
_PIECE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*)(?:\.(?P<precision>\d*))?"
    r"(?P<size>hh|h|ll|l|j|z|t|L|)(?P<what>.)|[^%]+",
    re.DOTALL,
)
_WIDEST = 64
_BITS = {"": 32, "h": 32, "hh": 32, "ll": 64, "j": 64}  # as they are passed; "l", "z" and "t": as a pointer


@dataclass(frozen=True)
class _Conversion:
    """One conversion of a format; ``argument`` is the name of the parameter that it prints."""

    flags: str
    width: int
    precision: int | None
    size: str
    what: str
    argument: str = ""


def printed(call: ast.Call, arguments_checked: bool) -> tuple[str, str] | None:
    """A name for the model of this call, and its definition; None if there is none. ``arguments_checked``:
    arguments that do not fit the format break a precondition; else there is no model."""
    assert isinstance(call.function, ast.FunctionRef)
    name = call.function.name
    place = _PLACES.get(name)
    if place is None or len(call.arguments) <= place or (place == 0 and not arguments_checked):
        return None
    if name.startswith("revet_quiet") and not arguments_checked:
        return None
    text = literal_text(call.arguments[place])
    pieces = _pieces(text) if text is not None else None
    types = [_parameter(argument.type) for argument in call.arguments]
    if pieces is None or any(type is None for type in types):
        return None
    return _definition(name, place, pieces, call, [str(type) for type in types], arguments_checked)


def _definition(
    name: str, place: int, pieces: list[_Conversion | str], call: ast.Call, types: list[str], checked: bool
) -> tuple[str, str] | None:
    plain = name.removeprefix("revet_quiet_")
    given = list(enumerate(call.arguments))[place + 1 :]
    body, fits = "", True
    for piece in pieces:
        if isinstance(piece, str):
            body += "".join(f"  PUT({ord(letter)});\n" for letter in piece)
            continue
        if not given:
            fits = False
            break
        number, argument = given.pop(0)
        if not _suits(piece, argument.type, call.arguments[place].type):
            fits = False
            break
        written = _converted(piece, f"a{number}", argument.type)
        if written is None and plain not in ("printf", "fprintf"):
            return None
        body += written or ""
    if not fits:
        if not checked:
            return None
        body = "  __revet_require(0);\n"
    parameters = ", ".join(f"{type} a{number}" for number, type in enumerate(types))
    key = crc32(repr((pieces, types, plain, fits)).encode())
    own = f"{PREFIX}{plain}_{key:08x}"
    head = f"int {own}({parameters}) {{\n  size_t n = 0, k = 0;\n"
    return own, head + _finished(plain, body) + "}"


def _finished(plain: str, body: str) -> str:
    if plain == "sprintf":
        put = re.sub(r"PUT\((.*)\);", r"{ a0[n] = (char)(\1); n++; }", body)
        return put + "  a0[n] = 0;\n  return (int)n;\n"
    if plain == "snprintf":
        start = "  if (a1 > 0) { __revet_writable(a0, a1); }\n"
        put = re.sub(r"PUT\((.*)\);", r"{ if (n + 1 < a1) a0[n] = (char)(\1); n++; }", body)
        return start + put + "  if (a1 > 0) a0[n < a1 ? n : a1 - 1] = 0;\n  return (int)n;\n"
    return re.sub(r"PUT\((.*)\);", "n++;", body) + "  return 0;\n"


def _pieces(text: str) -> list[_Conversion | str] | None:
    found: list[_Conversion | str] = []
    place = 0
    while place < len(text):
        match = _PIECE.match(text, place)
        if match is None:
            return None
        place = match.end()
        if match["what"] is None:
            found.append(match[0])
        elif match[0] == "%%":
            found.append("%")
        else:
            width, precision = int(match["width"] or 0), match["precision"]
            exact = None if precision is None else int(precision or 0)
            if width > _WIDEST or match["what"] not in "diuxXocspfFeEgGaA":
                return None
            found.append(_Conversion(match["flags"], width, exact, match["size"], match["what"]))
    return found


def _parameter(type: CType) -> str | None:
    """How C writes the type of an argument as it is passed."""
    if isinstance(type, Pointer):
        target = type.target
        return "char *" if isinstance(target, Int) and target.bits == 8 else "void *"
    return scalar_name(type)


def _suits(piece: _Conversion, type: CType, pointer: CType) -> bool:
    """Is this what the conversion takes?"""
    if piece.what in "fFeEgGaA":
        return isinstance(type, Floating) and type.bits == (64 if piece.size in ("", "l") else 80)
    if piece.what == "p":
        return isinstance(type, Pointer)
    if piece.what == "s":
        target = type.target if isinstance(type, Pointer) else None
        letter = 32 if piece.size == "l" else 8
        return (isinstance(target, Int) and target.bits == letter) or isinstance(target, Void)
    if not isinstance(type, Int):
        return False
    word = pointer.size * 8 if isinstance(pointer, Pointer) else 64
    return type.bits == (32 if piece.what == "c" else _BITS.get(piece.size, word))


def _converted(piece: _Conversion, argument: str, type: CType) -> str | None:
    """C that writes the text of one conversion with PUT; None where that is not known."""
    if piece.what == "s" and not set(piece.flags) - {"-"} and piece.size == "":
        return _string(piece, argument)
    if piece.what == "c" and piece.size == "" and not set(piece.flags) - {"-"} and piece.precision is None:
        return _padded(piece, "1", f"  PUT({argument});\n")
    if piece.what in "diuxXo" and not set(piece.flags) - {"-", "0"} and piece.precision is None:
        assert isinstance(type, Int)
        return _number(piece, argument, type)
    return None


def _string(piece: _Conversion, argument: str) -> str:
    most = f"k < {piece.precision} && " if piece.precision is not None else ""
    s = f"((char *){argument})"
    put = f"  for (k = 0; {most}{s}[k]; k++) PUT({s}[k]);\n"
    if piece.width == 0:
        return put
    length = f"  size_t w{argument} = 0;\n  for (k = 0; {most}{s}[k]; k++) w{argument}++;\n"
    return f"  {{\n{length}{_padded(piece, f'w{argument}', put)}  }}\n"


def _padded(piece: _Conversion, length: str, put: str, pad: str = "' '") -> str:
    """``width - length`` times the padding, before the text or behind it."""
    padding = "".join(f"  if ({length} < {k}) PUT({pad});\n" for k in range(piece.width, 0, -1))
    return put + padding if "-" in piece.flags else padding + put


def _number(piece: _Conversion, argument: str, type: Int) -> str:
    """The digits of a number, from the first that is not zero; all steps are the same for every number."""
    bits = {"h": 16, "hh": 8}.get(piece.size, type.bits)
    base = {"x": 16, "X": 16, "o": 8}.get(piece.what, 10)
    wide = "unsigned long long" if bits == 64 else "unsigned"
    narrow = {8: "char", 16: "short", 32: "int", 64: "long long"}[bits]
    signed = piece.what in "di"
    value = f"({'signed' if signed else 'unsigned'} {narrow}){argument}"
    u, minus = f"u{argument}", f"m{argument}"
    text = f"  {{\n  int {minus} = {f'({value}) < 0' if signed else '0'};\n"
    text += f"  {wide} {u} = {minus} ? 0 - ({wide})({value}) : ({wide})({value});\n"
    powers = [1]
    while powers[-1] * base < 1 << bits:
        powers.append(powers[-1] * base)
    suffix = "ull" if bits == 64 else "u"
    length = " + ".join([f"1 + {minus}", *(f"({u} >= {power}{suffix})" for power in powers[1:])])
    text += f"  int l{argument} = {length};\n" if piece.width else ""
    sign = f"  if ({minus}) PUT('-');\n"
    digits = ""
    for power in reversed(powers):
        digit = f"{u} / {power}{suffix} % {base}{suffix}"
        letter = f"'0' + {digit}"
        if base == 16:
            letter = f"{digit} < 10 ? '0' + {digit} : '{'a' if piece.what == 'x' else 'A'}' - 10 + {digit}"
        digits += f"  if ({u} >= {power}{suffix}) PUT({letter});\n" if power > 1 else f"  PUT({letter});\n"
    if "0" in piece.flags and "-" not in piece.flags:
        return text + sign + _padded(piece, f"l{argument}", digits, "'0'") + "  }\n"
    return text + _padded(piece, f"l{argument}", sign + digits) + "  }\n"
