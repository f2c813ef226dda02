"""What it means for the classes of memory that their objects are accessed as several types."""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.analysis.classes import Classes, Node, kind_of
from revet.frontends.c.analysis.lvalues import element_of
from revet.frontends.c.analysis.views import is_confused, mixes_pointers
from revet.frontends.c.types import Array, CType, Field, Function, Int, Pointer, Record, Void

_BYTE = Int(8, False, name="unsigned char")


class MixedClasses(Classes):
    """Classes that know how unions are used and which variables pointers may reach."""

    def __init__(self) -> None:
        super().__init__()
        self.address_taken: dict[ast.Variable, None] = {}
        self.union_members: dict[Record, dict[Field, None]] = {}  # that are used

    def _access(self, node: Node, type: CType) -> None:
        """A scalar (or every scalar of a record) of class ``node`` is read or written."""
        node = node.find()
        seen: set[CType] = set()
        stack = [type]
        while stack:
            current = stack.pop()
            if isinstance(current, Array):
                stack.append(current.element)
            elif isinstance(current, Record):
                if current in seen:
                    continue
                seen.add(current)
                if current.union:
                    node.unions[current] = None
                node.bit_fields |= any(member.width is not None for member in current.fields)
                stack += [member.type for member in current.fields]
            elif not isinstance(current, Void | Function):
                node.kinds[kind_of(current)] = None
                if isinstance(current, Pointer):
                    node.targets[current.target] = None

    def _retyped(self, node: Node, *types: CType) -> None:
        """Pointers into the class have been of several types."""
        for type in types:
            if isinstance(type, Pointer) and not isinstance(type.target, Void | Function):
                node.find().casts[type.target] = None

    def _moved(self, node: Node, pointer: CType) -> None:
        """Arithmetic on pointers of this type leads from one element to others."""
        if isinstance(pointer, Pointer) and not isinstance(pointer.target, Function):
            target = pointer.target
            node.find().moved[_BYTE if isinstance(target, Void) else element_of(target)] = None

    def is_mixed(self, union: Record) -> bool:
        """Is a union used through members of different types?"""
        used = list(self.union_members.get(union, ()))
        return any(member.type != used[0].type or member.width is not None for member in used[1:])

    def object_types(self, node: Node) -> list[CType]:
        """The types of the variables of a class that pointers may reach."""
        return [variable.type for variable in node.variables if variable in self.address_taken]

    def _mixes_types(self, node: Node) -> bool:
        """May one field of the class be accessed as another?"""
        return super()._mixes_types(node) or any(map(self.is_mixed, node.unions))

    def _spread_casts(self, node: Node) -> None:
        """Where pointers are read as something else, so may be what they point to."""
        if len(node.targets) < 2 or not node.pointees:
            return
        if mixes_pointers(node) or is_confused(node, self.object_types(node), self.is_mixed):
            targets = [type for type in node.targets if not isinstance(type, Void | Function)]
            for pointee in [pointee.find() for pointee in node.pointees.values()]:
                for target in targets:
                    if target not in pointee.casts:
                        pointee.casts[target] = None
                        self._changes += 1
