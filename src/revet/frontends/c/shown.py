"""Objects and values of a run as people write them: ``r->buf[3]``, ``&f``, ``HEAT``; never addresses.

Allocated memory has no name of its own. It gets that of the first pointer that leads to it (``p``, then
``p#2`` for the next one), and its elements the type that the pointer has.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from revet.frontends.c.ast.program import spoken
from revet.frontends.c.interpret.access import access, describe, nesting
from revet.frontends.c.interpret.memory import InvalidAccess
from revet.frontends.c.types import Array, CType, Function, Int, Pointer, Record, Void, is_scalar, size_of

if TYPE_CHECKING:
    from revet.frontends.c.interpret.machine import Machine
    from revet.frontends.c.interpret.memory import MemoryObject

ALLOCATED = "allocated memory"  # what the interpreter calls it
_MOST_ELEMENTS = 16
_ESCAPES = {
    '"': '\\"', "\\": "\\\\", **{chr(code): f"\\{code:03o}" for code in (*range(32), 127)},
    "\n": "\\n", "\t": "\\t", "\r": "\\r",
}


class Shown:
    """The names that objects have in one run."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[MemoryObject, str, CType | None]] = {}  # by identity: kept alive
        self._taken: dict[str, int] = {}

    def learn(self, machine: Machine, pointer: str, type: CType, value: Any) -> None:
        """A pointer with this name holds this value."""
        if not isinstance(type, Pointer) or isinstance(type.target, Void | Function) or not value:
            return
        target = machine.memory.find(value)
        if target is None or target.kind != "heap":
            return
        known = self._names.get(id(target))
        if known is not None and known[2] is not None:
            return
        each = size_of(type.target)
        if each == 0 or (isinstance(type.target, Record) and not type.target.complete):
            return
        single = target.size == each and isinstance(type.target, Record)
        whole = type.target if single else Array(type.target, target.size // each)
        name = known[1] if known is not None else self._name(target, pointer)
        self._names[id(target)] = (target, name, whole)

    def _name(self, target: MemoryObject, pointer: str) -> str:
        name = pointer if target.name == ALLOCATED else target.name
        count = self._taken[name] = self._taken.get(name, 0) + 1
        return name if count == 1 else f"{name}#{count}"

    def place(self, target: MemoryObject, offset: int, size: int) -> str:
        """Some bytes of an object."""
        return self._with_part(target, describe(self._type(target), offset, size))

    def _type(self, target: MemoryObject) -> CType | None:
        return target.type if target.kind != "heap" else self._names.get(id(target), (0, 0, None))[2]

    def _with_part(self, target: MemoryObject, part: str) -> str:
        if target.kind != "heap":
            return target.name + part
        _, name, type = self._names.get(id(target), (target, target.name, None))
        if isinstance(type, Record):
            return f"{name}->{part[1:]}" if part.startswith(".") else f"*{name}{part}"
        return name + part

    def now(self, machine: Machine, target: MemoryObject, offset: int) -> tuple[str, str] | None:
        """The scalar, or the string, that the byte at ``offset`` is part of, with what it holds; None where
        the type of the object does not say."""
        parts = list(nesting(self._type(target), offset, 1))
        if not parts:
            return None
        part, begin, type = parts[-1]
        if isinstance(type, Int) and type.bits == 8 and len(parts) > 1:
            part, begin, whole = parts[-2]
            return self._with_part(target, part), _quoted(bytes(target.data[begin : begin + size_of(whole)]))
        if not is_scalar(type):
            return None
        value = access(type).read(target.data, begin)
        return self._with_part(target, part), self.value(machine, value, type)

    def contents(self, machine: Machine) -> dict[str, str]:
        """What the arrays held that were made with any contents (``revet_any_object``)."""
        found: dict[str, str] = {}
        for target in machine.given:
            _, name, type = self._names.get(id(target), (target, target.name, None))
            if target.initial is None or not isinstance(type, Array) or not is_scalar(type.element):
                continue
            each, how = size_of(type.element), access(type.element)
            count = min(type.count or 0, _MOST_ELEMENTS)
            values = [how.read(target.initial, number * each) for number in range(count)]
            more = ", …" if count < (type.count or 0) else ""
            shown = ", ".join(self.value(machine, value, type.element) for value in values)
            found[f"{name}[{type.count}]"] = f"{{{shown}{more}}}"
        return found

    def strings(self, machine: Machine) -> dict[str, str]:
        """The strings that were made with any contents, by name; elements of one array are numbered."""
        found: dict[str, str] = {}
        count = Counter[str]()
        for target in machine.given:
            array, bracket, _ = target.name.partition("[")
            if bracket:
                found[f"{array}[{count[array]}]"] = _quoted(bytes(target.initial or b"")[:-1])
                count[array] += 1
        return found

    def value(self, machine: Machine, value: Any, type: CType | None) -> str:
        """A value as a debugger prints it."""
        if isinstance(value, bytes):
            text = isinstance(type, Array) and isinstance(type.element, Int) and type.element.bits == 8
            return _quoted(value) if text else "{…}"
        if isinstance(value, (float, Fraction)):
            return repr(float(value))
        if isinstance(type, Pointer):
            return self._pointer(machine, value, type)
        if isinstance(type, Int) and type.enumerators:
            return dict(type.enumerators).get(value, str(value))
        if isinstance(type, Int) and type.bits == 8 and not type.boolean and 32 <= value < 127:
            return f"{value} '{chr(value)}'"
        return str(value)

    def _pointer(self, machine: Machine, address: int, type: Pointer) -> str:
        if address == 0:
            return "NULL"
        try:
            target, offset = machine.memory.locate(address, 0)
        except InvalidAccess:
            return f"{address:#x}"
        if target.kind == "function":
            return spoken(target.name)
        if target.kind == "string":
            return _quoted(bytes(target.data[offset:]))
        size = 1 if isinstance(type.target, Void | Function) else max(1, size_of(type.target))
        place = self.place(target, offset, size)
        return f"object {place[1:]}" if place.startswith("*") else f"&{place}"


def _quoted(data: bytes) -> str:
    """Characters up to the first zero, as C writes them."""
    return typed(data.split(b"\0")[0])


def typed(data: bytes) -> str:
    """A text as C writes it, zeros and all."""
    text = data.decode("utf-8", "replace")
    return '"' + "".join(_ESCAPES.get(letter, letter) for letter in text) + '"'
