"""Is a function declared as its header declares it? Another one of that name is none of the library's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from revet.frontends.c import ast
from revet.frontends.c.types import CType, DataModel, Floating, Function, Int, Pointer, Record, Void

_QUALIFIERS = re.compile(r"\b(?:const|restrict|volatile|struct)\b")
_INTEGERS = {
    "char": 8, "signed char": 8, "unsigned char": 8, "short": 16, "int": 32, "unsigned": 32,
    "long long": 64, "unsigned long long": 64, "intmax_t": 64, "uintmax_t": 64, "wchar_t": 32,
    "uint16_t": 16, "uint32_t": 32, "uint64_t": 64,
}
_WORDS = ("long", "unsigned long", "size_t", "ssize_t", "uintptr_t")
_ANY_INTEGER = ("time_t", "clock_t", "mode_t", "pid_t", "uid_t", "gid_t", "off_t", "_Bool")
_FLOATS = {"float": 32, "double": 64, "long double": 80}


DIVISIONS = ("div", "ldiv", "lldiv", "imaxdiv")


def is_division(call: ast.Call) -> bool:
    """Is this a call of ``div`` or its kin, with a result of two members of the arguments' type?"""
    if len(call.arguments) != 2 or not isinstance(call.type, Record):
        return False
    type = call.arguments[0].type
    members = {field.name: field.type for field in call.type.fields}
    return members == {"quot": type, "rem": type} and call.arguments[1].type == type


@lru_cache(maxsize=4096)
def _split(prototype: str) -> tuple[str, tuple[str, ...], bool]:
    """Result, parameters, and whether there may be more."""
    head, _, rest = prototype.partition("(")
    result = re.sub(r"\w+$", "", head)
    inside = rest[: rest.rindex(")")]
    parts: list[str] = []
    depth = 0
    for piece in inside.split(","):
        if depth:
            parts[-1] += "," + piece
        else:
            parts.append(piece)
        depth += piece.count("(") - piece.count(")")
    parameters = tuple(part.strip() for part in parts if part.strip())
    variadic = parameters[-1:] == ("...",)
    parameters = parameters[:-1] if variadic else parameters
    return result.strip(), (() if parameters == ("void",) else parameters), variadic


def fits_call(prototype: str, result: CType, arguments: Sequence[CType], model: DataModel) -> bool:
    """Is a call made as the header's prototype wants it? Compilers know some functions better than programs
    declare them, so the declaration does not tell."""
    if prototype.endswith("()"):
        return True
    split = _split(prototype)
    fixed = len(split[1])
    if len(arguments) < fixed or (len(arguments) > fixed and not split[2]):
        return False
    return fits(prototype, Function(result, tuple(arguments[:fixed]), split[2]), model)


def fits(prototype: str, declared: Function | None, model: DataModel) -> bool:
    """Does the declaration mean the same function? Signs of integers and qualifiers are overlooked, because
    they change nothing of how it is called."""
    if declared is None:
        return False
    if prototype.endswith("()"):
        return True
    result, parameters, variadic = _split(prototype)
    if not _same(result, declared.result, model):
        return False
    if declared.parameters is None:
        return True
    if len(declared.parameters) != len(parameters) or declared.variadic != variadic:
        return False
    return all(_same(one, other, model) for one, other in zip(parameters, declared.parameters, strict=True))


def _same(text: str, type: CType, model: DataModel) -> bool:
    text = " ".join(_QUALIFIERS.sub(" ", text.replace("*", " * ")).split())
    if "(" in text:
        return isinstance(type, Pointer)
    if text.endswith("*"):
        if not isinstance(type, Pointer):
            return False
        target = text[:-1].strip()
        return target == "void" or isinstance(type.target, Void) or _same(target, type.target, model)
    if text == "void":
        return isinstance(type, Void)
    if text in _FLOATS:
        return isinstance(type, Floating) and type.bits == _FLOATS[text]
    if text in _ANY_INTEGER:
        return isinstance(type, Int)
    if text == "va_list":
        return not isinstance(type, Void | Floating)
    bits = _INTEGERS.get(text) or (model.long_bits if text in _WORDS[:2] else None)
    bits = bits or (model.pointer_size * 8 if text in _WORDS else None)
    if bits is not None:
        return isinstance(type, Int) and type.bits == bits
    return not isinstance(type, Void | Int | Floating)  # FILE, div_t, va_list: the header's own
