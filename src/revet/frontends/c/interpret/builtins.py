"""The library functions whose meaning Revet knows, as functions on the machine.

Each takes the machine, the evaluated arguments and the place of the call, and returns the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from revet.errors import Position
from revet.frontends.c.interpret.extended import FUNCTIONS, signed
from revet.frontends.c.interpret.machine import Machine
from revet.frontends.c.interpret.memory import MemoryObject
from revet.frontends.c.interpret.outcome import Stop
from revet.frontends.c.interpret.preconditions import PRECONDITIONS, QUESTIONS, writable
from revet.frontends.c.library.conventions import ASSERTIONS, ASSUMPTIONS, FAILURE, NOTHING, OBJECT

Builtin = Callable[[Machine, list[Any], Position], Any]


# ---- the end of the run -----------------------------------------------------------------------


def _assert(m: Machine, arguments: list[Any], at: Position) -> Any:
    """``assert`` used without its header: an assertion all the same."""
    if not arguments or not arguments[0]:
        text = m.at.text.rstrip("; ") if m.at is not None else ""
        raise Stop("error", f"the assertion fails: {text}" if text else "the assertion fails", at)
    return 0


def _assume(m: Machine, arguments: list[Any], at: Position) -> int:
    if not arguments[0]:
        raise Stop("assume", "an assumption does not hold", at)
    return 0


def _abort(m: Machine, arguments: list[Any], at: Position) -> int:
    raise Stop("abort", "abort()", at, 134)


def _exit(m: Machine, arguments: list[Any], at: Position) -> int:
    left = m.look_for_leaks(at)
    raise Stop("exit", f"exit(){left}", at, arguments[0] & 255 if arguments else 0)


def _end_thread(m: Machine, arguments: list[Any], at: Position) -> int:
    """Of the only thread: the program ends with status 0."""
    return _exit(m, [0], at)


def _unreachable(m: Machine, arguments: list[Any], at: Position) -> int:
    raise m.stuck("call", "__builtin_unreachable() is reached", at)


# ---- memory -----------------------------------------------------------------------------------


def _allocate(m: Machine, size: int, name: str, at: Position, *, drawn: bool = True) -> int:
    """A new block: what the run's draws say, or zeros."""
    target = m.memory.allocate(name, size, "heap", written=not drawn)
    if drawn:
        m.holds(target, m.draws.block(at, size))
    target.made = at
    m.memory.blocks[target] = None
    return m.memory.address_of(target)


def _fails(m: Machine, size: int, at: Position) -> bool:
    """Does an allocation of so many bytes fail? By SV-COMP's rule there is no run in which it does."""
    if size > (1 << (8 * m.program.data_model.pointer_size - 1)) - 1:
        if m.malloc == "never-fails":
            raise Stop("assume", f"{size} bytes are allocated", at)
        return True
    return m.malloc == "may-fail" and bool(m.draws.call(FAILURE, m.program.data_model.int, at))


def _malloc(m: Machine, arguments: list[Any], at: Position) -> int:
    if _fails(m, arguments[0], at):
        return 0
    if not arguments[0]:
        m.unspecified("nothing is allocated, which may give null or not", at)
    return _allocate(m, arguments[0], "allocated memory", at)


def _object(m: Machine, arguments: list[Any], at: Position) -> int:
    """An object with any contents; reading them is no mistake."""
    named, start = m.locate(arguments[0], 1, at)
    name = bytes(named.data[start:]).split(b"\0")[0].decode("utf-8", "replace")
    target = m.memory.allocate(name, arguments[1], "heap", written=False)
    m.holds(target, m.draws.block(at, arguments[1]))
    target.initial = bytearray(target.data)
    m.given.append(target)
    return m.memory.address_of(target)


def _calloc(m: Machine, arguments: list[Any], at: Position) -> int:
    if _fails(m, arguments[0] * arguments[1], at):
        return 0
    if not arguments[0] * arguments[1]:
        m.unspecified("nothing is allocated, which may give null or not", at)
    return _allocate(m, arguments[0] * arguments[1], "allocated memory", at, drawn=False)


def _alloca(m: Machine, arguments: list[Any], at: Position) -> int:
    target = m.memory.allocate("alloca", arguments[0], "variable", written=False)
    m.holds(target, m.draws.block(at, arguments[0]))
    m.frame.objects.append(target)
    return m.memory.address_of(target)


def _heap_object(m: Machine, address: int, at: Position) -> MemoryObject:
    """The block that may be freed; an object that a driver made (``revet_any_object``) is one."""
    target = m.memory.find(address)
    if target is None or not (target in m.memory.blocks or target in m.given):
        raise m.stuck("free", f"free of {m.memory.described(address)}", at)
    return target


def _free(m: Machine, arguments: list[Any], at: Position) -> int:
    if arguments[0]:
        m.memory.release(_heap_object(m, arguments[0], at), at)
    return 0


def _realloc(m: Machine, arguments: list[Any], at: Position) -> int:
    address = _malloc(m, arguments[1:], at)
    if arguments[0] and address:
        old = _heap_object(m, arguments[0], at)
        new = m.memory.find(address)
        assert new is not None
        kept = min(old.size, new.size)
        m.copy_bytes(old, 0, new, 0, kept, at)
        m.memory.release(old, at)
    return address


def _copy(m: Machine, arguments: list[Any], at: Position) -> int:
    """memmove."""
    to, source, size = arguments
    if size:
        origin, start = m.locate(source, size, at)
        target, offset = writable(m, to, size, at)
        m.copy_bytes(origin, start, target, offset, size, at)
    return int(to)


def _memcpy(m: Machine, arguments: list[Any], at: Position) -> int:
    to, source, size = arguments
    if size and -size < to - source < size:
        m.locate(source, size, at)  # so many bytes are there at all
        writable(m, to, size, at)
        m.undefined("library", f"{size} bytes at both places overlap", at)
    return _copy(m, arguments, at)


def _memset(m: Machine, arguments: list[Any], at: Position) -> int:
    to, value, size = arguments
    if size:
        target, offset = writable(m, to, size, at)
        target.data[offset : offset + size] = bytes([value & 255]) * size
        if target.marks is not None:
            target.written(offset, size)
    return int(to)


def _memcmp(m: Machine, arguments: list[Any], at: Position) -> int:
    left, right, size = arguments
    if size == 0:
        return 0
    first, one = m.locate(left, size, at)
    second, two = m.locate(right, size, at)
    return _order(m.read_bytes(first, one, size, at), m.read_bytes(second, two, size, at))


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
    return m.read_bytes(target, offset, end - offset + 1, at)[:-1]


def _strlen(m: Machine, arguments: list[Any], at: Position) -> int:
    return len(_text(m, arguments[0], at))


def _put(m: Machine, address: int, data: bytes, at: Position) -> None:
    target, offset = writable(m, address, len(data), at)
    target.data[offset : offset + len(data)] = data
    if target.marks is not None:
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
    below = math.floor(abs(value))
    return math.copysign(below + (abs(value) - below >= 0.5), value)


def _fmod(m: Machine, arguments: list[Any], at: Position) -> float:
    left, right = float(arguments[0]), float(arguments[1])
    if math.isinf(left) or right == 0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.fmod(left, right)


def _copysign(m: Machine, arguments: list[Any], at: Position) -> float:
    return math.copysign(float(arguments[0]), float(signed(m, arguments[1], at)))


def _remainder(m: Machine, arguments: list[Any], at: Position) -> float:
    left, right = float(arguments[0]), float(arguments[1])
    if math.isinf(left) or right == 0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.remainder(left, right)


_FLOAT_FUNCTIONS: dict[str, Callable[[float], Any]] = {
    "fabs": abs, "floor": _whole(math.floor), "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc), "round": _whole(_round_away),
}

BUILTINS: dict[str, Builtin] = {
    **dict.fromkeys(ASSUMPTIONS, _assume), **dict.fromkeys(ASSERTIONS, _assert),
    "abort": _abort, "exit": _exit, "_exit": _exit, "_Exit": _exit, "quick_exit": _exit,
    "klee_silent_exit": _exit, "pthread_exit": _end_thread,
    "__builtin_abort": _abort, "__builtin_trap": _abort, "__builtin_unreachable": _unreachable,
    "malloc": _malloc, "calloc": _calloc, "free": _free, "realloc": _realloc,
    OBJECT: _object, "__builtin_malloc": _malloc, "alloca": _alloca, "__builtin_alloca": _alloca,
    **PRECONDITIONS, **QUESTIONS,
    "memcpy": _memcpy, "memmove": _copy, "memset": _memset, "memcmp": _memcmp,
    "__builtin_memcpy": _memcpy, "__builtin_memset": _memset,
    "strlen": _strlen, "strcpy": _strcpy, "strncpy": _strncpy, "strcat": _strcat,
    "strcmp": _strcmp, "strncmp": _strncmp,
    "abs": _abs, "labs": _abs, "llabs": _abs, "__builtin_expect": _first,
    "__builtin_expect_with_probability": _first,
    **dict.fromkeys(NOTHING, _nothing),
    "fmod": _fmod, "fmodf": _fmod, "copysign": _copysign, "copysignf": _copysign,
    "remainder": _remainder, "remainderf": _remainder,
    "nan": lambda m, a, at: math.nan, "nanf": lambda m, a, at: math.nan,
    "__builtin_inf": lambda m, a, at: math.inf, "__builtin_inff": lambda m, a, at: math.inf,
    "__builtin_huge_val": lambda m, a, at: math.inf, "__builtin_nan": lambda m, a, at: math.nan,
    "__builtin_nanf": lambda m, a, at: math.nan,
    **FUNCTIONS,
}

for _name, _function in _FLOAT_FUNCTIONS.items():
    for _spelling in (_name, _name + "f", f"__{_name}", f"__{_name}f", f"__builtin_{_name}"):
        BUILTINS.setdefault(_spelling, _float_function(_function))
