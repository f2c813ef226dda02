"""Instructions for C's operators and conversions, exact for every integer type.

Operands and results are values of :mod:`access`. Signed overflow wraps, as with ``-fwrapv``, and
is noted; shifts by too much use the low bits of the count, as the hardware does, and are noted;
division by zero ends the run.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from revet.errors import Position
from revet.frontends.c.interpret import floating
from revet.frontends.c.interpret.machine import Instruction, Machine
from revet.frontends.c.interpret.memory import is_address
from revet.frontends.c.types import CType, Floating, Int, Pointer, Void

NOWHERE = 1 << 16  # from the end of the address space: where no object is

Operation = Callable[[Any, Any], Any]

_PLAIN: dict[str, Operation] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
}

COMPARE: dict[str, Operation] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}

COMPARISONS = frozenset(COMPARE)


def push(value: Any) -> Instruction:
    def run(m: Machine) -> None:
        m.stack.append(value)

    return run


def pop(m: Machine) -> None:
    m.stack.pop()


def binary(op: str, type: CType, at: Position) -> Instruction:
    """``left op right``; the operands have ``type`` (for shifts only the left one)."""
    if op in COMPARE:
        return _compare(COMPARE[op])
    if isinstance(type, Floating):
        return _floating(op, type)
    assert isinstance(type, Int), f"{op} on {type}"
    if op in ("/", "%"):
        return _division(op, type, at)
    if op in ("<<", ">>"):
        return _shift(op, type, at)
    return _plain(op, type, at)


def binary_with(op: str, type: CType, right: int, at: Position) -> Instruction | None:
    """``left op right`` with a constant on the right, where that is worth an instruction of its own."""
    if op in COMPARE:
        compare = COMPARE[op]

        def decide(m: Machine) -> None:
            m.stack[-1] = +compare(m.stack[-1], right)

        return decide
    if op not in _PLAIN or not isinstance(type, Int):
        return None
    operation, least, greatest = _PLAIN[op], type.least, type.greatest

    def run(m: Machine) -> None:
        value = operation(m.stack[-1], right)
        m.stack[-1] = value if least <= value <= greatest else _beyond(m, op, type, right, value, at)

    return run


def _compare(operation: Operation) -> Instruction:
    def run(m: Machine) -> None:
        right = m.stack.pop()
        m.stack[-1] = +operation(m.stack[-1], right)

    return run


def check_pointers(op: str, at: Position) -> Instruction:
    """(left, right) are pointers about to be compared: is the result up to the compiler?"""
    ordered = op not in ("==", "!=")

    def run(m: Machine) -> None:
        left, right = m.stack[-2:]
        if not (left and right) and not ordered:
            return
        one, other = m.memory.owner(left), m.memory.owner(right)
        if one is None or other is None:
            if is_address(left) or is_address(right):
                m.unspecified("a pointer to no object is compared", at)
            return
        if one is other:
            return
        if ordered:
            raise m.stuck("comparison", f"pointers into {one.name} and {other.name} are compared by {op}", at)
        if one.kind == other.kind == "string" and _may_be_merged(one.data, other.data):
            raise m.stuck("comparison", "string literals that may be one object are compared", at)
        if left >= one.address + one.size or right >= other.address + other.size:
            m.unspecified(f"a pointer behind {one.name} or {other.name} is compared with another's", at)
        elif one.kind == other.kind == "string":
            m.unspecified("constants that may share their place are compared", at)

    return run


def _may_be_merged(one: bytearray, other: bytearray) -> bool:
    return one.endswith(other) or other.endswith(one)


def _plain(op: str, type: Int, at: Position) -> Instruction:
    operation, least, greatest = _PLAIN[op], type.least, type.greatest

    def run(m: Machine) -> None:
        right = m.stack.pop()
        value = operation(m.stack[-1], right)
        m.stack[-1] = value if least <= value <= greatest else _beyond(m, op, type, right, value, at)

    return run


def _beyond(m: Machine, op: str, type: Int, right: int, value: int, at: Position) -> int:
    """A result that the type does not have."""
    if type.signed:
        m.undefined("overflow", f"overflow in {m.stack[-1]} {op} {right}", at)
    return type.wrap(value)


def _division(op: str, type: Int, at: Position) -> Instruction:
    wrap = type.wrap
    quotient = op == "/"
    least = type.least if type.signed else None

    def run(m: Machine) -> None:
        right = m.stack.pop()
        left = m.stack[-1]
        if right == 0:
            raise m.stuck("division", f"division by zero: {left} {op} 0", at)
        if right == -1 and left == least:
            m.undefined("overflow", f"overflow in {left} {op} -1", at)
        value = abs(left) // abs(right)
        if (left < 0) != (right < 0):
            value = -value
        m.stack[-1] = wrap(value if quotient else left - value * right)

    return run


def _shift(op: str, type: Int, at: Position) -> Instruction:
    bits, wrap, signed, greatest = type.bits, type.wrap, type.signed, type.greatest
    to_left = op == "<<"

    def run(m: Machine) -> None:
        count = m.stack.pop()
        left = m.stack[-1]
        if not 0 <= count < bits:
            m.undefined("shift", f"shift of {left} by {count}, which is not in 0..{bits - 1}", at)
            count &= bits - 1
        if to_left:
            value = left << count
            if signed and not 0 <= value <= greatest:
                m.undefined("shift", f"overflow in {left} << {count}", at)
            m.stack[-1] = wrap(value)
        else:
            m.stack[-1] = left >> count

    return run


def _floating(op: str, type: Floating) -> Instruction:
    bits, arithmetic = type.bits, floating.arithmetic

    def run(m: Machine) -> None:
        right = m.stack.pop()
        m.stack[-1] = arithmetic(op, m.stack[-1], right, bits, m.rounding)

    return run


def unary(op: str, type: CType, at: Position) -> Instruction:
    """``op operand``, the operand of the (promoted) type."""
    if op == "!":
        return _not
    if isinstance(type, Floating):
        return _negate_floating
    assert isinstance(type, Int)
    if op == "~":
        return _complement(type)
    return _negate(type, at)


def _not(m: Machine) -> None:
    m.stack[-1] = 0 if m.stack[-1] else 1


def _negate_floating(m: Machine) -> None:
    m.stack[-1] = floating.negate(m.stack[-1])


def _complement(type: Int) -> Instruction:
    wrap = type.wrap

    def run(m: Machine) -> None:
        m.stack[-1] = wrap(~m.stack[-1])

    return run


def _negate(type: Int, at: Position) -> Instruction:
    wrap, least, signed = type.wrap, type.least, type.signed

    def run(m: Machine) -> None:
        value = m.stack[-1]
        if signed and value == least:
            m.undefined("overflow", f"overflow in -({value})", at)
        m.stack[-1] = wrap(-value)

    return run


def conversion(source: CType, target: CType, at: Position) -> Instruction | None:
    """The conversion of a value between types; None where nothing changes."""
    match source, target:
        case _, Void():
            return _to_void
        case Int(), Int():
            if target.least <= source.least and source.greatest <= target.greatest:
                return None
            return _wrap(target)
        case Int(), Pointer(size=size):
            return _seen(Int(8 * size, False), "a number is taken for an address", at)
        case Pointer(), Int():
            return _wrap(target) if target.boolean else _seen(target, "an address is taken for a number", at)
        case Int(), Floating(bits=bits):
            return _rounded(floating.from_integer, bits)
        case Floating(), Int():
            return _to_integer(target, at)
        case Floating(), Floating(bits=bits):
            return None if bits == source.bits else _rounded(floating.convert, bits)
        case _:
            return None  # pointers to pointers, records to themselves


def _to_void(m: Machine) -> None:
    m.stack[-1] = 0


def _wrap(target: Int) -> Instruction:
    wrap = target.wrap

    def run(m: Machine) -> None:
        m.stack[-1] = wrap(m.stack[-1])

    return run


def _seen(target: Int, message: str, at: Position) -> Instruction:
    """A conversion between pointers and numbers, which shows where the machine puts things."""
    wrap = target.wrap

    def run(m: Machine) -> None:
        value = m.stack[-1]
        m.stack[-1] = wrap(value)
        if is_address(value):
            m.unspecified(message, at)

    return run


def _rounded(convert: Callable[[Any, int, str], Any], bits: int) -> Instruction:
    def run(m: Machine) -> None:
        m.stack[-1] = convert(m.stack[-1], bits, m.rounding)

    return run


def _to_integer(target: Int, at: Position) -> Instruction:
    def run(m: Machine) -> None:
        value = m.stack[-1]
        if target.boolean:
            m.stack[-1] = int(value != 0)
            return
        whole = floating.to_integer(value)
        if whole is None or not target.least <= whole <= target.greatest:
            m.undefined("conversion", f"{floating.shown(value)} does not fit into {target}", at)
            whole = 1 << max(target.bits - 1, 31)  # the hardware's "integer indefinite"
        m.stack[-1] = target.wrap(whole)

    return run


def pointer_add(size: int, pointer_bits: int, negative: bool, at: Position) -> Instruction:
    mask = (1 << pointer_bits) - 1
    factor = -size if negative else size

    def run(m: Machine) -> None:
        count = m.stack.pop()
        old = m.stack[-1]
        exact = old + factor * count
        new = m.stack[-1] = exact & mask
        if m.memory.moves_into_another(old, new):
            what = "from one object into another"
        elif new != exact and "dereference" in m.stop_at:
            what = "around all addresses"
        else:
            return
        m.undefined("address", f"a pointer is moved {what}", at)
        if "dereference" in m.stop_at:
            m.stack[-1] = mask - NOWHERE

    return run


def pointer_difference(size: int, at: Position) -> Instruction:
    def run(m: Machine) -> None:
        right = m.stack.pop()
        left = m.stack[-1]
        distance = left - right
        if distance % max(size, 1) or (distance and m.memory.owner(left) is not m.memory.owner(right)):
            raise m.stuck("dereference", "difference of pointers into different objects", at)
        m.stack[-1] = distance // max(size, 1)

    return run
