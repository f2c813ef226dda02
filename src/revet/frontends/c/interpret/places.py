"""Instructions that read and write objects, and that call functions and return.

A *place* on the operand stack is an address. Named variables are reached without an address: the
frame or the table of statics holds their object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from revet.errors import Position
from revet.frontends.c.ast import Variable
from revet.frontends.c.interpret.access import Access
from revet.frontends.c.interpret.floating import arithmetic
from revet.frontends.c.interpret.machine import Instruction, Machine
from revet.frontends.c.interpret.memory import NO_NUMBER, Marked, MemoryObject
from revet.frontends.c.interpret.outcome import Stop
from revet.frontends.c.types import Array, CType, Floating, Int, Pointer, Record, size_of

Find = Callable[[Machine], MemoryObject]


def local(slot: int) -> Find:
    """The object of a local variable."""

    def find(m: Machine) -> MemoryObject:
        return m.frame.slots[slot] or m.declare(slot, written=False)

    return find


def static(variable: Variable) -> Find:
    """The object of a variable that lives for ever."""

    def find(m: Machine) -> MemoryObject:
        return m.statics[variable]

    return find


def load_variable(find: Find, access: Access, at: Position) -> Instruction:
    read = access.read

    def run(m: Machine) -> None:
        target = find(m)
        if target.marks is None:
            m.stack.append(read(target.data, 0))
        else:
            m.stack.append(m.read_marked(target, 0, access, at))

    return run


def load_local(slot: int, access: Access, at: Position) -> Instruction:
    """The same for a local variable: by far the most frequent instruction."""
    read = access.read

    def run(m: Machine) -> None:
        target = m.frame.slots[slot] or m.declare(slot, written=False)
        if target.marks is None:
            m.stack.append(read(target.data, 0))
        else:
            m.stack.append(m.read_marked(target, 0, access, at))

    return run


def store_variable(find: Find, access: Access, offset: int = 0) -> Instruction:
    """Write the value on top of the stack, and leave it there."""
    put = put_variable(find, access, offset)
    fit = access.fit

    def run(m: Machine) -> None:
        value = m.stack[-1]
        put(m)
        m.stack.append(value if fit is None else fit(value))

    return run


def put_variable(find: Find, access: Access, offset: int = 0) -> Instruction:
    """Write the value on top of the stack, and take it off."""
    write, size, type, fit, plain = access.write, access.size, access.type, access.fit, access.plain
    offset += access.skip

    def run(m: Machine) -> None:
        target = find(m)
        value = m.stack.pop()
        write(target.data, offset, value)
        if target.marks is not None or not plain:
            mark(target, offset, access, value)
        if m.recorder is not None:
            m.recorder.store(m, target, offset, size, type, value if fit is None else fit(value))

    return run


def load_element(find: Find, access: Access, count: int, at: Position) -> Instruction:
    """(index): the value of that element of a named array, which needs no address for this."""
    read, size = access.read, access.size

    def run(m: Machine) -> None:
        position = m.stack[-1]
        if not 0 <= position < count:
            raise outside(m, position, count, at)
        target = find(m)
        if target.marks is None:
            m.stack[-1] = read(target.data, position * size)
        else:
            m.stack[-1] = m.read_marked(target, position * size, access, at)

    return run


def put_element(find: Find, access: Access, count: int, at: Position) -> Instruction:
    """(value, index): write that element of a named array, and take both off."""
    write, size, type, plain = access.write, access.size, access.type, access.plain

    def run(m: Machine) -> None:
        position = m.stack.pop()
        if not 0 <= position < count:
            raise outside(m, position, count, at)
        target, value, offset = find(m), m.stack.pop(), position * size
        write(target.data, offset, value)
        if target.marks is not None or not plain:
            mark(target, offset, access, value)
        if m.recorder is not None:
            m.recorder.store(m, target, offset, size, type, value)

    return run


def outside(m: Machine, position: int, count: int, at: Position, kind: str = "index") -> Stop:
    return m.stuck(kind, f"index {position} is outside of an array of {count}", at)


def address_of_variable(find: Find) -> Instruction:
    def run(m: Machine) -> None:
        m.stack.append(m.memory.address_of(find(m)))

    return run


def load(access: Access, at: Position) -> Instruction:
    """Replace the place on top of the stack by its value."""
    read, size, skip = access.read, access.size, access.skip

    def run(m: Machine) -> None:
        target, offset = m.locate(m.stack[-1] + skip, size, at)
        if target.kind == "function":
            raise m.stuck("dereference", f"function {target.name} is read as an object", at)
        marks = target.marks
        if marks is None or marks.count(0, offset, offset + size) == size:
            m.stack[-1] = read(target.data, offset)
        else:
            m.stack[-1] = m.read_marked(target, offset, access, at)

    return run


def store(access: Access, at: Position) -> Instruction:
    """(value, place) on the stack: write, and leave the value."""

    def run(m: Machine) -> None:
        address = m.stack.pop()
        m.stack[-1] = write_at(m, address, access, m.stack[-1], at)

    return run


def write_at(m: Machine, address: int, access: Access, value: Any, at: Position) -> Any:
    """Write a value to an address; the value that stays."""
    target, offset = m.locate(address + access.skip, access.size, at)
    if target.kind == "function" or target.constant:
        raise m.stuck("dereference", f"{target.name} is written to", at)
    access.write(target.data, offset, value)
    marks, size = target.marks, access.size
    if not access.plain or (marks is not None and marks.count(0, offset, offset + size) != size):
        mark(target, offset, access, value)
    if access.fit is not None:
        value = access.fit(value)
    if m.recorder is not None:
        m.recorder.store(m, target, offset, access.size, access.type, value)
    return value


def mark(target: MemoryObject, offset: int, access: Access, value: Any) -> None:
    """A value was written: note what is known of its bytes."""
    if isinstance(access.type, Pointer):
        target.address_written(offset, access.size, value)
    elif isinstance(value, Marked):
        target.mark(offset, value.marks)
    elif isinstance(value, float) and value != value:
        target.mark(offset, bytes((NO_NUMBER,)) * access.size)
    elif target.marks is None:
        return
    elif access.fit is None:
        target.written(offset, access.size)
    else:
        target.partly_written(offset, access.size)


def swap(m: Machine) -> None:
    """(a, b) becomes (b, a)."""
    m.stack[-1], m.stack[-2] = m.stack[-2], m.stack[-1]


def again(m: Machine) -> None:
    """(place, value) becomes (place, value, place): the place is read, and written later."""
    m.stack.append(m.stack[-2])


def add_offset(offset: int) -> Instruction:
    def run(m: Machine) -> None:
        m.stack[-1] += offset

    return run


def index(element: int, count: int | None, at: Position, kind: str = "subscript") -> Instruction:
    """(array place, index): the element's place. ``count`` bounds the index where it is known; ``kind`` is
    what an index beyond it is: index (of an array that is an object of its own), subscript (of one that is
    a part), address (nothing is accessed: a run whose accesses are checked goes on)."""
    formed = kind == "address"

    def run(m: Machine) -> None:
        position = m.stack.pop()
        if count is not None and not 0 <= position < count:
            if not formed or "dereference" not in m.stop_at:
                raise outside(m, position, count, at, kind)
            m.undefined(kind, f"the address of element {position} of an array of {count - 1}", at)
        m.stack[-1] += position * element

    return run


def index_of_variable_length(element: int, at: Position) -> Instruction:
    """The same for an array whose length only the run knows."""

    def run(m: Machine) -> None:
        position = m.stack.pop()
        target = m.memory.find(m.stack[-1])
        if target is not None and not 0 <= position < target.size // element:
            raise outside(m, position, target.size // element, at)
        m.stack[-1] += position * element

    return run


def member_index(element: int, count: int, at: Position) -> Instruction:
    """The same for a member of a structure: leaving it is an error only where that is looked for."""

    def run(m: Machine) -> None:
        position = m.stack.pop()
        if not 0 <= position < count and "subscript" in m.stop_at:
            raise outside(m, position, count, at, "subscript")
        m.stack[-1] += position * element

    return run


def member_of_value(access: Access, offset: int, at: Position) -> Instruction:
    """A field of a record *value*."""
    offset += access.skip

    def run(m: Machine) -> None:
        record = m.stack[-1]
        m.stack[-1] = access.read(record, offset)
        if isinstance(record, Marked):
            marks = record.marks[offset : offset + access.size]
            if isinstance(access.type, Record | Array):
                m.stack[-1] = Marked.of(m.stack[-1], marks)
            else:
                m.judge(marks, access.type, "a record", at)

    return run


def _next_value(m: Machine, type: CType, old: Any, delta: int, at: Position) -> Any:
    """``old`` plus or minus one, in the type (narrow ones are promoted and cannot overflow)."""
    if isinstance(type, Pointer):
        return (old + delta * size_of(type.target)) & ((1 << 8 * type.size) - 1)
    if isinstance(type, Floating):
        return arithmetic("+", old, float(delta), type.bits, m.rounding)
    assert isinstance(type, Int)
    new = old + delta
    if type.signed and type.bits >= 32 and not type.least <= new <= type.greatest:
        m.undefined("overflow", f"overflow in {old} {'+' if delta > 0 else '-'} 1", at)
    return type.wrap(new)


def increment_variable(
    find: Find, access: Access, delta: int, at: Position, *, prefix: bool | None
) -> Instruction:
    """``++x`` and its kin on a named variable; ``prefix`` is None if nobody wants the value."""
    type, read, write = access.type, access.read, access.write
    # Strictly between these one more is in range; there is nothing between 1 and 0.
    low, high = (type.least, type.greatest) if isinstance(type, Int) and not type.boolean else (1, 0)

    def run(m: Machine) -> None:
        target = find(m)
        old = read(target.data, 0) if target.marks is None else m.read_marked(target, 0, access, at)
        new = old + delta if low < old < high else _next_value(m, type, old, delta, at)
        write(target.data, 0, new)
        if target.marks is not None:
            mark(target, 0, access, new)
        if m.recorder is not None:
            m.recorder.store(m, target, 0, access.size, type, new)
        if prefix is not None:
            m.stack.append(new if prefix else old)

    return run


def increment_at(access: Access, delta: int, prefix: bool, at: Position) -> Instruction:
    """The same on the place on top of the stack."""
    read = load(access, at)

    def run(m: Machine) -> None:
        address = m.stack[-1]
        read(m)
        old = m.stack[-1]
        new = write_at(m, address, access, _next_value(m, access.type, old, delta, at), at)
        m.stack[-1] = new if prefix else old

    return run


def zero_object(find: Find) -> Instruction:
    def run(m: Machine) -> None:
        target = find(m)
        target.data[:] = bytes(target.size)

    return run


def declare(slot: int, *, written: bool) -> Instruction:
    def run(m: Machine) -> None:
        m.declare(slot, written=written)

    return run


def declare_array(slot: int, element: int, at: Position) -> Instruction:
    """(length): an array of variable length comes into being."""

    def run(m: Machine) -> None:
        count = m.stack.pop()
        if count < 0:
            raise m.stuck("subscript", f"an array of {count} elements", at)
        if not count:  # undefined; compilers make an object without elements
            m.undefined("subscript", "an array of 0 elements", at)
        m.declare(slot, written=False, size=count * element)

    return run


def stop(kind: str, message: str, at: Position) -> Instruction:
    def run(m: Machine) -> None:
        raise Stop(kind, message, at)

    return run
