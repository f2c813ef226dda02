"""What it means for the classes of memory that their objects are accessed as several types."""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.analysis.block_operations import COPIERS, block_element, is_zero, pointed_type
from revet.frontends.c.analysis.classes import Classes, Node, kind_of
from revet.frontends.c.analysis.lvalues import element_of
from revet.frontends.c.analysis.views import is_confused, mixes_pointers
from revet.frontends.c.types import Array, CType, Field, Function, Int, Pointer, Record, Void, size_of

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

    def _retyped(self, node: Node, *types: CType, harmless: bool = False) -> None:
        """Pointers into the class have been of several types. It is *harmless* where that gives a new block
        its type, or where nothing is read through the new pointer."""
        for type in types:
            if isinstance(type, Pointer) and not isinstance(type.target, Void | Function):
                node.find().casts[type.target] = None
                node.find().retyped |= not harmless

    def _moved(self, node: Node, pointer: CType) -> None:
        """Arithmetic on pointers of this type leads from one element to others."""
        if isinstance(pointer, Pointer) and not isinstance(pointer.target, Function):
            target = pointer.target
            node.find().moved[_BYTE if isinstance(target, Void) else element_of(target)] = None

    def _printed(self, node: Node, pointer: CType, wide: bool) -> None:
        """Characters are written somewhere behind a pointer, whatever it points to."""
        node = node.find()
        node.dereferenced = node.indexed = True
        target = pointer.target if isinstance(pointer, Pointer) else Void()
        character = target if wide else Int(8, True, name="char")
        for type in (target, character):
            if not isinstance(type, Void):
                node.casts[type] = node.pointed_types[type] = node.moved[type] = None
                node.retyped = True
        self._access(node, character)

    def _copy(self, name: str, call: ast.Call, values: list[Node]) -> None:
        """``memcpy`` and its kin: what is copied or filled, element by element or byte by byte."""
        target, source, size = call.arguments
        node = values[0].find()
        node.copied = node.dereferenced = True
        pointers = [target]
        if name in COPIERS:
            self.unify(node, values[1])  # one class, so that kinds of scalars are compared
            pointers.append(source)
        elif not is_zero(source):
            node.filled = True
        element = block_element(pointers, size)
        if element is None or size_of(element) == 1:
            node.find().partial = True
        elif any(pointed_type(pointer) != element for pointer in pointers):
            node.find().loose = True

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
                    if target not in pointee.casts or not pointee.retyped:
                        pointee.casts[target] = None
                        pointee.retyped = True
                        self._changes += 1
