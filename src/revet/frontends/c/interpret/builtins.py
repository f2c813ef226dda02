"""The library functions whose meaning Revet knows, as functions on the machine.

Each takes the machine, the evaluated arguments and the place of the call, and returns the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from revet.errors import Position
from revet.frontends.c.interpret.machine import Machine, Stop
from revet.frontends.c.interpret.memory import MemoryObject

Builtin = Callable[[Machine, list[Any], Position], Any]


# ---- the end of the run -----------------------------------------------------------------------


def _assert(m: Machine, arguments: list[Any], at: Position) -> Any:
    """``assert`` used without its header: an assertion all the same."""
    if not arguments or not arguments[0]:
        raise Stop("error", "the assertion fails", at)
    return 0


def _assume(m: Machine, arguments: list[Any], at: Position) -> int:
    if not arguments[0]:
        raise Stop("assume", "an assumption does not hold", at)
    return 0


def _abort(m: Machine, arguments: list[Any], at: Position) -> int:
    raise Stop("abort", "abort()", at, 134)


def _exit(m: Machine, arguments: list[Any], at: Position) -> int:
    raise Stop("exit", "exit()", at, arguments[0] & 255 if arguments else 0)


def _unreachable(m: Machine, arguments: list[Any], at: Position) -> int:
    raise m.stuck("call", "__builtin_unreachable() is reached", at)


# ---- memory -----------------------------------------------------------------------------------


def _allocate(m: Machine, size: int, name: str, at: Position | None = None) -> int:
    """A new block: zeros, or (with the place of the call) what the run's draws say."""
    target = m.memory.allocate(name, size, "heap", written=at is None)
    if at is not None:
        m.holds(target, m.draws.block(at, size))
    return m.memory.address_of(target)


def _malloc(m: Machine, arguments: list[Any], at: Position) -> int:
    return _allocate(m, arguments[0], "allocated memory", at)


def _calloc(m: Machine, arguments: list[Any], at: Position) -> int:
    return _allocate(m, arguments[0] * arguments[1], "allocated memory")


def _alloca(m: Machine, arguments: list[Any], at: Position) -> int:
    target = m.memory.allocate("alloca", arguments[0], "variable", written=False)
    m.holds(target, m.draws.block(at, arguments[0]))
    m.frame.objects.append(target)
    return m.memory.address_of(target)


def _heap_object(m: Machine, address: int, at: Position) -> MemoryObject:
    target = m.memory.find(address)
    if target is None or target.kind != "heap":
        raise m.stuck("dereference", f"address {address:#x} was not allocated, or is freed already", at)
    return target


def _free(m: Machine, arguments: list[Any], at: Position) -> int:
    if arguments[0]:
        m.memory.release(_heap_object(m, arguments[0], at))
    return 0


def _realloc(m: Machine, arguments: list[Any], at: Position) -> int:
    address = _malloc(m, arguments[1:], at)
    if arguments[0]:
        old = _heap_object(m, arguments[0], at)
        new = m.memory.find(address)
        assert new is not None
        kept = min(old.size, new.size)
        old.choose(0, None, kept)
        new.data[:kept] = old.data[:kept]
        if new.unwritten is not None:
            new.mark(0, old.unwritten[:kept] if old.unwritten is not None else bytes(kept))
        m.memory.release(old)
    return address


def _copy(m: Machine, arguments: list[Any], at: Position) -> int:
    """memcpy and memmove, keeping track of unwritten bytes."""
    to, source, size = arguments
    if size:
        origin, start = m.locate(source, size, at)
        target, offset = m.locate(to, size, at)
        origin.choose(start, None, size)
        target.data[offset : offset + size] = bytes(origin.data[start : start + size])
        if origin.unwritten is not None or target.unwritten is not None:
            marks = bytes(size) if origin.unwritten is None else origin.unwritten[start : start + size]
            target.mark(offset, marks)
    return int(to)


def _memset(m: Machine, arguments: list[Any], at: Position) -> int:
    to, value, size = arguments
    if size:
        target, offset = m.locate(to, size, at)
        target.data[offset : offset + size] = bytes([value & 255]) * size
        if target.unwritten is not None:
            target.written(offset, size)
    return int(to)


def _memcmp(m: Machine, arguments: list[Any], at: Position) -> int:
    left, right, size = arguments
    if size == 0:
        return 0
    first, one = m.locate(left, size, at)
    second, two = m.locate(right, size, at)
    first.choose(one, None, size)
    second.choose(two, None, size)
    return _order(bytes(first.data[one : one + size]), bytes(second.data[two : two + size]))


def _order(left: bytes, right: bytes) -> int:
    return (left > right) - (left < right)


# ---- strings ----------------------------------------------------------------------------------


def _text(m: Machine, address: int, at: Position) -> bytes:
    target, offset = m.locate(address, 1, at)
    if target.contents is not None:
        target.choose(offset, None, target.size - offset)
    end = target.data.find(0, offset)
    if end < 0:
        raise m.stuck("dereference", f"{target.name} is not a string: it has no final zero", at)
    return bytes(target.data[offset:end])


def _strlen(m: Machine, arguments: list[Any], at: Position) -> int:
    return len(_text(m, arguments[0], at))


def _put(m: Machine, address: int, data: bytes, at: Position) -> None:
    target, offset = m.locate(address, len(data), at)
    target.data[offset : offset + len(data)] = data
    if target.unwritten is not None:
        target.written(offset, len(data))


def _strcpy(m: Machine, arguments: list[Any], at: Position) -> int:
    _put(m, arguments[0], _text(m, arguments[1], at) + b"\0", at)
    return int(arguments[0])


def _strncpy(m: Machine, arguments: list[Any], at: Position) -> int:
    to, source, size = arguments
    if size:
        _put(m, to, _text(m, source, at)[:size].ljust(size, b"\0"), at)
    return int(to)


def _strcat(m: Machine, arguments: list[Any], at: Position) -> int:
    to = arguments[0]
    _put(m, to + len(_text(m, to, at)), _text(m, arguments[1], at) + b"\0", at)
    return int(to)


def _strcmp(m: Machine, arguments: list[Any], at: Position) -> int:
    return _order(_text(m, arguments[0], at), _text(m, arguments[1], at))


def _strncmp(m: Machine, arguments: list[Any], at: Position) -> int:
    size = arguments[2]
    return _order(_text(m, arguments[0], at)[:size], _text(m, arguments[1], at)[:size])


# ---- numbers ----------------------------------------------------------------------------------


def _abs(m: Machine, arguments: list[Any], at: Position) -> int:
    return abs(int(arguments[0]))


def _first(m: Machine, arguments: list[Any], at: Position) -> Any:
    return arguments[0]


def _nothing(m: Machine, arguments: list[Any], at: Position) -> int:
    return 0


def _float_function(function: Callable[[float], Any]) -> Builtin:
    def run(m: Machine, arguments: list[Any], at: Position) -> Any:
        return function(float(arguments[0]))

    return run


def _whole(function: Callable[[float], Any]) -> Callable[[float], float]:
    def run(value: float) -> float:
        if math.isnan(value) or math.isinf(value):
            return value
        return math.copysign(float(function(value)), value)

    return run


def _round_away(value: float) -> float:
    return math.copysign(math.floor(abs(value) + 0.5) if abs(value) < 2**52 else abs(value), value)


def _fpclassify(value: float) -> int:
    """glibc's numbers: FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_NORMAL 4 (doubles)."""
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return 1
    return 2 if value == 0 else 3 if abs(value) < 2.0**-1022 else 4


def _fmod(m: Machine, arguments: list[Any], at: Position) -> float:
    left, right = float(arguments[0]), float(arguments[1])
    if math.isinf(left) or right == 0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.fmod(left, right)


def _copysign(m: Machine, arguments: list[Any], at: Position) -> float:
    return math.copysign(float(arguments[0]), float(arguments[1]))


def _fmax(m: Machine, arguments: list[Any], at: Position) -> float:
    left, right = float(arguments[0]), float(arguments[1])
    return right if math.isnan(left) else left if math.isnan(right) else max(left, right)


def _fmin(m: Machine, arguments: list[Any], at: Position) -> float:
    left, right = float(arguments[0]), float(arguments[1])
    return right if math.isnan(left) else left if math.isnan(right) else min(left, right)


_FLOAT_FUNCTIONS: dict[str, Callable[[float], Any]] = {
    "fabs": abs, "floor": _whole(math.floor), "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc), "round": _whole(_round_away), "rint": _whole(round),
    "nearbyint": _whole(round), "sqrt": lambda v: math.sqrt(v) if v >= 0 else math.nan,
    "isnan": lambda v: int(math.isnan(v)), "isinf": lambda v: int(math.isinf(v)) * (1 if v > 0 else -1),
    "finite": lambda v: int(math.isfinite(v)), "isfinite": lambda v: int(math.isfinite(v)),
    "signbit": lambda v: int(math.copysign(1.0, v) < 0), "fpclassify": _fpclassify,
}

BUILTINS: dict[str, Builtin] = {
    "__VERIFIER_assume": _assume, "assume": _assume, "assume_abort_if_not": _assume,
    "assert": _assert, "__VERIFIER_assert": _assert,
    "abort": _abort, "exit": _exit, "_exit": _exit, "_Exit": _exit,
    "__builtin_abort": _abort, "__builtin_trap": _abort, "__builtin_unreachable": _unreachable,
    "malloc": _malloc, "calloc": _calloc, "free": _free, "realloc": _realloc,
    "__builtin_malloc": _malloc, "alloca": _alloca, "__builtin_alloca": _alloca,
    "memcpy": _copy, "memmove": _copy, "memset": _memset, "memcmp": _memcmp,
    "__builtin_memcpy": _copy, "__builtin_memset": _memset,
    "strlen": _strlen, "strcpy": _strcpy, "strncpy": _strncpy, "strcat": _strcat,
    "strcmp": _strcmp, "strncmp": _strncmp,
    "abs": _abs, "labs": _abs, "llabs": _abs, "__builtin_expect": _first,
    "__VERIFIER_atomic_begin": _nothing, "__VERIFIER_atomic_end": _nothing,
    "fmod": _fmod, "fmodf": _fmod, "copysign": _copysign, "copysignf": _copysign,
    "fmax": _fmax, "fmaxf": _fmax, "fmin": _fmin, "fminf": _fmin,
    "__builtin_inf": lambda m, a, at: math.inf, "__builtin_inff": lambda m, a, at: math.inf,
    "__builtin_huge_val": lambda m, a, at: math.inf, "__builtin_nan": lambda m, a, at: math.nan,
    "__builtin_nanf": lambda m, a, at: math.nan,
}

for _name, _function in _FLOAT_FUNCTIONS.items():
    for _spelling in (_name, _name + "f", f"__{_name}", f"__{_name}f", f"__builtin_{_name}"):
        BUILTINS.setdefault(_spelling, _float_function(_function))
