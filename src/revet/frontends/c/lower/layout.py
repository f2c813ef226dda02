"""Which SMT arrays a class of memory lives in, and where its pointers lead: for whoever reads a run.

A run of the automaton has the contents of *typed* and *bytes* memory in arrays indexed by our own
addresses. To run the source with the same contents one must know which array an object's scalars are
in, and, if such a scalar is a pointer, in which class what it points to is (see replay.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from revet.frontends.c.analysis.classes import Kind, Node
from revet.frontends.c.analysis.lvalues import Key
from revet.frontends.c.analysis.storage import Storage
from revet.frontends.c.ast import Variable
from revet.frontends.c.types import Array, CType, Int, Pointer, Record, Void, floating, size_of
from revet.logic.terms import Term


@dataclass(eq=False)
class Layout:
    """Filled while memory is lowered. ``objects_end`` is the first address after the variables'; ``heap``
    has the one after all blocks, if there are any."""

    storage: Storage
    objects_start: int
    heap_start: int
    pointer_size: int
    typed: dict[int, dict[Kind, Term]] = field(default_factory=dict)
    bytes: dict[int, Term] = field(default_factory=dict)
    nodes: dict[int, Node] = field(default_factory=dict)
    objects_end: int = 0
    heap: Term | None = None

    def is_own(self, address: int, heap_end: int) -> bool:
        """Is this where one of the program's own objects may be, if the heap has come so far?"""
        return self.objects_start <= address < self.objects_end or self.heap_start <= address < heap_end

    def scalars(self, region: int) -> list[CType]:
        """One type of every kind of scalars that are in a class of memory."""
        types: dict[str, Callable[[int], CType]] = {
            "int": lambda bits: Int(bits, True),
            "float": lambda bits: floating(bits, self.pointer_size),
            "pointer": lambda bits: Pointer(Void(), self.pointer_size),
        }
        return [types[name](bits) for name, bits in self.typed.get(region, {})]

    def pointee_in(self, region: int, type: CType | None, offset: int) -> int | None:
        """The class that the pointer at an offset of an object of a class points into."""
        node = self.nodes.get(region)
        return None if node is None else self._pointee(node.find(), type, offset)

    def pointee_of(self, variable: Variable, offset: int) -> int | None:
        return self._pointee(self.storage.points_to.object_of(variable), variable.type, offset)

    def _pointee(self, node: Node, type: CType | None, offset: int) -> int | None:
        """``type`` is the object's; without it, one that the program takes such objects for."""
        kinds = [type] if type is not None else [*node.pointed_types, *node.casts]
        keys = [key_at(kind, offset) for kind in kinds] if not node.collapsed else []
        for key in (*keys, None):
            if key in node.pointees:
                return self.storage.region(node.pointees[key])
        return None


def key_at(type: CType, offset: int) -> Key:
    """The field that the scalar at an offset is: see ``analysis/lvalues.py``."""
    key: Key = None
    while True:
        if isinstance(type, Array):
            type = type.element
        elif isinstance(type, Record) and type.fields and size_of(type):
            offset %= size_of(type)
            inside = [f for f in type.fields if f.offset <= 8 * offset]
            found = type.fields[0] if type.union or not inside else inside[-1]
            key = (type, -1 if type.union else found.offset)
            type, offset = found.type, offset - found.offset // 8
        else:
            return key
