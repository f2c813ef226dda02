"""Calls: of functions with a body, of the library functions Revet knows, of unknown ones.

A function without a body that is not known here follows SV-COMP's rule: it returns any value and
leaves the program's memory alone; the value is drawn. Functions that only print do nothing.
"""

from __future__ import annotations

from typing import Any

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.interpret import floating
from revet.frontends.c.interpret.builtins import BUILTINS
from revet.frontends.c.interpret.formatting import print_into
from revet.frontends.c.interpret.machine import Instruction, Machine, Stop
from revet.frontends.c.interpret.memory import MemoryObject, drawn_pointer
from revet.frontends.c.interpret.operators import conversion, push
from revet.frontends.c.interpret.pieces import Leave, Piece, Place, Value
from revet.frontends.c.libc import FORMATTED
from revet.frontends.c.types import CType, Floating, Int, Pointer, Record, Void, size_of


def call_function(name: str, types: tuple[CType, ...], result: CType, at: Position) -> Piece:
    """Call by name; the arguments are on the operand stack."""
    count = len(types)

    def run(m: Machine) -> None:
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
        _enter(m, target.name, arguments, types, result, at)

    return Leave(run)


def _enter(
    m: Machine, name: str, arguments: list[Any], types: tuple[CType, ...], result: CType, at: Position
) -> None:
    if name in m.error_functions:
        raise Stop("error", f"call of {name}()", at)
    definition = m.program.functions.get(name)
    if definition is not None:
        _enter_definition(m, definition, arguments, types, at)
        return
    if name.startswith("__VERIFIER_nondet_"):
        m.stack.append(draw(m, name, result, at))
        return
    if name in FORMATTED:
        m.stack.append(fit(print_into(m, name, arguments, types, at), result))
        return
    known = BUILTINS.get(name)
    if known is not None:
        value = known(m, arguments, at)
        m.stack.append(fit(value, result))
        return
    m.stack.append(0 if isinstance(result, Void) else draw(m, name, result, at))


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
    from revet.frontends.c.interpret.access import access

    if source != type:
        convert = conversion(source, type, at)
        if convert is not None:
            m.stack.append(value)
            convert(m)
            value = m.stack.pop()
    access(type).write(target.data, 0, value)
    if m.recorder is not None:
        m.recorder.store(m, target, 0, target.size, type, value)


# ---- arguments of variadic functions ----------------------------------------------------------
# A va_list holds the number of a cursor into the arguments of one frame.


def argument_list_pieces(name: str, call: ast.Call) -> list[Piece]:
    """``va_start``, ``va_end`` and ``va_copy``."""
    lists = call.arguments[:2] if name.endswith("copy") else call.arguments[:1]
    pieces: list[Piece] = [_list_place(argument) for argument in lists]
    if name.endswith("start"):
        return [*pieces, _start_arguments(call.at)]
    if name.endswith("copy"):
        return [*pieces, _copy_arguments(call.at)]
    return [push(0)]


def _list_place(argument: ast.Expr) -> Piece:
    """A va_list is an array of a record (LP64), which decays, or a plain pointer (ILP32)."""
    inner = argument
    while isinstance(inner, ast.Cast):
        inner = inner.operand
    if isinstance(inner, ast.Decay):
        return Place(inner.array)
    if isinstance(inner.type, Pointer) and isinstance(inner.type.target, Record):
        return Value(inner)
    return Place(inner)


def _start_arguments(at: Position) -> Instruction:
    def run(m: Machine) -> None:
        target, offset = m.locate(m.stack[-1], 4, at)
        number = len(m.argument_lists) + 1
        m.argument_lists[number] = [m.frame.extra_arguments, 0]
        target.data[offset : offset + 4] = number.to_bytes(4, "little")
        target.unwritten = None
        m.stack[-1] = 0

    return run


def _copy_arguments(at: Position) -> Instruction:
    def run(m: Machine) -> None:
        source, source_offset = m.locate(m.stack.pop(), 4, at)
        target, offset = m.locate(m.stack[-1], 4, at)
        cursor = m.argument_lists[int.from_bytes(source.data[source_offset : source_offset + 4], "little")]
        number = len(m.argument_lists) + 1
        m.argument_lists[number] = list(cursor)
        target.data[offset : offset + 4] = number.to_bytes(4, "little")
        target.unwritten = None
        m.stack[-1] = 0

    return run


def next_argument(type: CType, at: Position) -> Instruction:
    """``va_arg``: the next of the frame's extra arguments."""

    def run(m: Machine) -> None:
        target, offset = m.locate(m.stack[-1], 4, at)
        cursor = m.argument_lists.get(int.from_bytes(target.data[offset : offset + 4], "little"))
        if cursor is None or cursor[1] >= len(cursor[0]):
            raise m.stuck("call", "va_arg finds no further argument", at)
        value, source = cursor[0][cursor[1]]
        cursor[1] += 1
        m.stack[-1] = value
        convert = conversion(source, type, at)
        if convert is not None and source != type:
            convert(m)

    return run
