"""Calls: of functions with a body, of the library functions Revet knows, of the user's own.

A function without a body that is the user's own (:func:`revet.frontends.c.library.classify`) follows
SV-COMP's rule: it returns any value and leaves the program's memory alone; the value is drawn.
Functions that only print do nothing. A known function that is not modelled ends the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.analysis.calling import alike, fits
from revet.frontends.c.interpret import floating
from revet.frontends.c.interpret.access import access
from revet.frontends.c.interpret.builtins import BUILTINS
from revet.frontends.c.interpret.footprints import EVERYTHING
from revet.frontends.c.interpret.formatting import print_count, print_into
from revet.frontends.c.interpret.jumps import JUMPS
from revet.frontends.c.interpret.machine import Instruction, Machine
from revet.frontends.c.interpret.memory import InvalidAccess, MemoryObject, drawn_pointer
from revet.frontends.c.interpret.operators import conversion
from revet.frontends.c.interpret.outcome import Stop
from revet.frontends.c.interpret.pieces import Leave, Piece
from revet.frontends.c.interpret.places import mark
from revet.frontends.c.interpret.scanning import scanned
from revet.frontends.c.libc import FORMATTED
from revet.frontends.c.library.classify import Standing, classify, library_name
from revet.frontends.c.library.conventions import ANYHOW, ERRORS, SCANNED
from revet.frontends.c.library.prototypes import DIVISIONS
from revet.frontends.c.library.table import Treatment
from revet.frontends.c.library.uses import QUIET, plain_name
from revet.frontends.c.reader.argument_lists import MOST
from revet.frontends.c.types import CType, Floating, Function, Int, Pointer, Record, Void, size_of


def call_function(
    name: str, types: tuple[CType, ...], result: CType, at: Position, passed: Sequence[CType] | None = None
) -> Piece:
    """Call by name; the arguments are on the operand stack. ``passed`` are the types with which they are
    passed; without, as the function wants them."""
    count = len(types)

    def run(m: Machine) -> None:
        if passed is not None and name not in m.error_functions:
            _check_fit(m, name, passed, result, at)
        arguments = m.stack[len(m.stack) - count :] if count else []
        if count:
            del m.stack[len(m.stack) - count :]
        _enter(m, name, arguments, types, result, at)

    return Leave(run)


def call_pointer(types: tuple[CType, ...], result: CType, at: Position) -> Piece:
    """Call through a pointer; it lies below the arguments."""
    count = len(types)

    def run(m: Machine) -> None:
        arguments = m.stack[len(m.stack) - count :] if count else []
        if count:
            del m.stack[len(m.stack) - count :]
        address = m.stack.pop()
        target = m.memory.find(address)
        if target is None or target.kind != "function":
            raise m.stuck("call", f"call through a pointer to no function (address {address:#x})", at)
        _check_fit(m, target.name, types, result, at)
        _enter(m, target.name, arguments, types, result, at)

    return Leave(run)


def _check_fit(m: Machine, name: str, passed: Sequence[CType], result: CType, at: Position) -> None:
    definition = m.program.functions.get(name)
    if definition is not None and not fits(definition, passed, result):
        raise m.stuck("call", f"{name} is called as if it were another function", at)


def _enter(
    m: Machine, name: str, arguments: list[Any], types: tuple[CType, ...], result: CType, at: Position
) -> None:
    if name in m.error_functions:
        raise Stop("error", _failure(m, name, arguments), at)
    definition = m.program.functions.get(name)
    if definition is not None:
        _enter_definition(m, definition, arguments, types, at)
        return
    if m.watching:
        m.touched.append(EVERYTHING)
    if name == SCANNED:
        m.stack.append(fit(scanned(m, arguments, at), result))
        return
    if name.startswith("__VERIFIER_nondet_"):
        m.stack.append(draw(m, name, result, at))
        return
    if name in ERRORS:  # nobody asks whether it is called
        raise Stop("abort", f"{name}() does not return", at, 134)
    if name in JUMPS:
        m.stack.append(JUMPS[name](m, arguments, at))
        return
    standing = _standing(m, name)
    if standing.refused and standing.row is not None and name not in ANYHOW:
        raise Stop("unsupported", f"{name} is not modelled: {standing.reason}", at)
    if name in FORMATTED:
        m.builtin = (name, at)
        m.stack.append(fit(print_into(m, name, arguments, types, at), result))
        m.builtin = None
        return
    if standing.treatment is Treatment.PRINT:
        m.builtin = (name, at)
        count = 0 if name.startswith(QUIET) else print_count(m, name, arguments, types, at)
        m.builtin = None
        m.stack.append(fit(count, result))
        return
    if name in DIVISIONS and isinstance(result, Record):
        m.stack.append(_divided(m, arguments, result, at))
        return
    known = BUILTINS.get(name) or BUILTINS.get(library_name(name))
    if known is not None:
        m.builtin = (name, at) if standing.row is not None else None
        value = known(m, arguments, at)
        m.builtin = None
        m.stack.append(fit(value, result))
        return
    if standing.row is not None or standing.refused:
        raise Stop("unsupported", f"{name} is not modelled", at)
    if name in m.program.noreturn:
        raise Stop("exit", f"{name}() does not return", at)
    if any(isinstance(type, Pointer) and isinstance(type.target, Function) for type in types):
        m.unspecified(f"{name}() may call the functions that it is given", at)
    m.stack.append(0 if isinstance(result, Void) else draw(m, name, result, at))


def _divided(m: Machine, arguments: list[Any], result: Record, at: Position) -> bytes:
    """``div``: quotient and remainder, rounded towards zero."""
    left, right = arguments
    type = result.fields[0].type
    assert isinstance(type, Int)
    if right == 0:
        raise m.stuck("division", "division by zero", at)
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    if quotient > type.greatest:
        m.undefined("overflow", "signed overflow in /", at)
    values = {"quot": type.wrap(quotient), "rem": left - quotient * right}
    data = bytearray(result.size)
    for field in result.fields:
        start = field.offset // 8
        data[start : start + type.size] = values[field.name].to_bytes(type.size, "little", signed=True)
    return bytes(data)


def _failure(m: Machine, name: str, arguments: list[Any]) -> str:
    """What an error function says: ``assert`` passes the text of its condition."""
    place = {"__assert_fail": 0, "__assert_rtn": 3}.get(name)
    if place is None or len(arguments) <= place:
        return f"call of {name}()"
    try:
        target, start = m.memory.locate(arguments[place], 1)
    except InvalidAccess:
        return f"call of {name}()"
    text = bytes(target.data[start:]).split(b"\0")[0].decode("utf-8", "replace")
    return f"assertion `{text}` fails"


def _standing(m: Machine, name: str) -> Standing:
    """How a function without a body is treated."""
    found = m.standings.get(name)
    if found is None:
        plain = plain_name(name)
        program = m.program
        found = classify(plain, program.declared.get(plain), program.data_model, program.system)
        m.standings[name] = found
    return found


def draw(m: Machine, name: str, result: CType, at: Position) -> Any:
    """A value of the result type from the run's draws."""
    value = m.draws.call(name, result, at)
    if isinstance(result, Record) and not isinstance(value, bytes):
        value = bytes(size_of(result))
    if isinstance(result, Pointer):
        value = drawn_pointer(value, result.size)
    if m.recorder is not None:
        m.recorder.drawn(m, name, value)
    return value


def fit(value: Any, result: CType) -> Any:
    """A library function's value in the type with which the program declares it."""
    if isinstance(result, Int) and isinstance(value, int):
        return result.wrap(value)
    if isinstance(result, Floating) and not isinstance(value, int):
        return floating.convert(value, result.bits)
    return value


def _enter_definition(
    m: Machine, definition: ast.FunctionDef, arguments: list[Any], types: tuple[CType, ...], at: Position
) -> None:
    code = m.compile_function(definition.name)
    if len(arguments) < code.parameters:
        raise m.stuck("call", f"{definition.name} needs {code.parameters} arguments", at)
    m.push_frame(code, list(zip(arguments, types, strict=True)), at)
    for slot, parameter in enumerate(definition.parameters):
        target = m.memory.allocate(parameter.name, size_of(parameter.type), "variable", parameter.type)
        _write(m, target, arguments[slot], types[slot], parameter.type, at)
        m.frame.slots[slot] = target
        m.frame.objects.append(target)


def _write(
    m: Machine, target: MemoryObject, value: Any, source: CType, type: CType, at: Position
) -> None:
    """Store an argument; calls without a prototype may pass another type than the parameter's."""
    if source != type:
        convert = conversion(source, type, at)
        if convert is not None:
            m.stack.append(value)
            convert(m)
            value = m.stack.pop()
    how = access(type)
    how.write(target.data, 0, value)
    mark(target, 0, how, value)
    if m.recorder is not None:
        m.recorder.store(m, target, 0, target.size, type, value)


# ---- arguments of variadic functions ----------------------------------------------------------
# A va_list holds the number of the next argument: see reader/argument_lists.py.


def start_arguments(m: Machine) -> None:
    """``va_start``: the number of the activation's first argument behind the named ones."""
    number = len(m.argument_lists) + 1
    m.argument_lists[number] = m.frame.extra_arguments
    m.stack.append(number * MOST)


def next_argument(type: CType, at: Position) -> Instruction:
    """``va_arg``: the argument with the number on the stack."""

    def run(m: Machine) -> None:
        number, place = divmod(m.stack[-1], MOST)
        arguments = m.argument_lists.get(number, [])
        if place >= len(arguments):
            raise m.stuck("call", "va_arg finds no further argument", at)
        value, passed = arguments[place]
        if not alike(passed, type):
            raise m.stuck("call", f"va_arg takes an argument of type {passed} as {type}", at)
        m.stack[-1] = value
        convert = conversion(passed, type, at)
        if convert is not None and passed != type:
            convert(m)

    return run
