"""Classes of objects, and their unification.

A class is a node of a union-find forest (:meth:`Node.find`). Unifying two classes unifies what their
fields point into, and so on: a work list, so that long chains cost no stack.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from revet.frontends.c import ast
from revet.frontends.c.analysis.lvalues import Key, element_of
from revet.frontends.c.types import CType, Floating, Int, Record

Kind = tuple[str, int]  # ("int", bits), ("pointer", 0) or ("float", bits)


def kind_of(type: CType) -> Kind:
    if isinstance(type, Int):
        return ("int", type.bits)
    if isinstance(type, Floating):
        return ("float", type.bits)
    return ("pointer", 0)


def kind_size(kind: Kind) -> int:
    """In bytes; for pointers something that is more than one."""
    return kind[1] // 8 or 4


@dataclass(eq=False, slots=True)
class Node:
    """A class of objects; after unification follow ``parent``."""

    parent: Node | None = None
    pointees: dict[Key, Node] = field(default_factory=dict)
    collapsed: bool = False
    variables: dict[ast.Variable, None] = field(default_factory=dict)
    strings: dict[ast.StringConst, None] = field(default_factory=dict)
    blocks: dict[ast.Call, None] = field(default_factory=dict)  # allocation sites
    pointed_types: dict[CType, None] = field(default_factory=dict)  # of dereferences
    indexed: bool = False  # an array inside is indexed by other than constants, through a pointer
    unknown: bool = False
    dereferenced: bool = False
    kinds: dict[Kind, None] = field(default_factory=dict)
    casts: dict[CType, None] = field(default_factory=dict)
    retyped: bool = False  # by one of the casts an object that has a type may be taken for another one
    unions: dict[Record, None] = field(default_factory=dict)
    copied: bool = False  # as bytes, by memcpy and its kin
    partial: bool = False  # copied or filled, perhaps not by whole scalars
    loose: bool = False  # copied through pointers to something else than what is copied
    filled: bool = False  # with bytes other than zero
    zeroed: bool = False  # blocks that begin as zeros
    bit_fields: bool = False  # are accessed
    moved: dict[CType, None] = field(default_factory=dict)  # what pointers with arithmetic point to
    computed: bool = False  # pointers made by arithmetic on integers
    numbered: bool = False  # pointers are converted to integers
    inner: bool = False  # pointers to members or elements are made
    targets: dict[CType, None] = field(default_factory=dict)  # of pointers stored in the class
    foreign: bool = False  # pointers from outside the program lead here
    escaped: bool = False  # what is outside the program may know these objects

    @property
    def heap(self) -> bool:
        return bool(self.blocks)

    def find(self) -> Node:
        root = self
        while root.parent is not None:
            root = root.parent
        node = self
        while node.parent is not None and node.parent is not root:
            node.parent, node = root, node.parent
        return root


_FLAGS = (
    "indexed", "unknown", "dereferenced", "collapsed", "copied", "partial", "loose", "filled", "zeroed",
    "bit_fields", "computed", "retyped", "numbered", "inner", "foreign", "escaped",
)
_TABLES = (
    "variables", "strings", "kinds", "casts", "unions", "blocks", "pointed_types", "moved", "targets",
)


class Classes:
    """The class of every object; :class:`revet.frontends.c.analysis.points_to.PointsTo` fills it."""

    def __init__(self) -> None:
        self._objects: dict[object, Node] = {}
        self._values: dict[ast.Expr, Node] = {}
        self._copies: list[tuple[Node, Node]] = []
        self._changes = 0

    def _object(self, item: object) -> Node:
        node = self._objects.get(item)
        if node is None:
            node = self._objects[item] = Node()
            if isinstance(item, ast.Variable):
                node.variables[item] = None
            elif isinstance(item, ast.StringConst):
                node.strings[item] = None
        return node

    @property
    def allocates(self) -> bool:
        """Is there an allocation that is not a variable?"""
        return any(node.find().blocks for node in self._objects.values())

    def objects(self) -> list[Node]:
        """The classes of all objects."""
        return list(dict.fromkeys(node.find() for node in self._objects.values()))

    def items(self) -> list[tuple[object, Node]]:
        """All objects (variables, strings, blocks, results of functions and calls) with their classes."""
        return list(self._objects.items())

    def object_of(self, item: object) -> Node:
        """The class of a variable, string or allocation site."""
        return self._object(item).find()

    def _pointee(self, node: Node, key: Key = None) -> Node:
        node = node.find()
        if node.collapsed:
            key = None
        if key not in node.pointees:
            node.pointees[key] = Node()
        return node.pointees[key].find()

    def _all_alike(self, node: Node) -> list[tuple[Node, Node]]:
        """What to unify so that all scalars of a class point into one class."""
        pointees = list(node.pointees.values())
        node.pointees = {None: pointees[0]} if pointees else {}
        return [(pointees[0], other) for other in pointees[1:]]

    def settle(self) -> None:
        """Copies of whole structures relate all their fields; casts may make fields one."""
        while True:
            before = self._changes
            for target, source in self._copies:
                target, source = target.find(), source.find()
                for key in [*target.pointees, *source.pointees]:
                    self.unify(self._pointee(target, key), self._pointee(source, key))
            for node in self.roots():
                if not node.collapsed and self._mixes_types(node):
                    self._collapse(node)
                self._spread_casts(node)
            if self._changes == before:
                return

    def _mixes_types(self, node: Node) -> bool:
        """May one field of the class be accessed as another?"""
        types = {element_of(type) for type in node.casts}
        return node.copied or len(types) > 1 or bool(node.unions and types)

    def _spread_casts(self, node: Node) -> None:
        """What mixing types in a class means for the classes that its pointers lead to."""

    def _collapse(self, node: Node) -> None:
        node.collapsed = True
        self._changes += 1
        for one, other in self._all_alike(node):
            self.unify(one, other)

    def roots(self) -> list[Node]:
        found: dict[Node, None] = {}
        stack = [*self._objects.values(), *self._values.values()]
        while stack:
            node = stack.pop().find()
            if node not in found:
                found[node] = None
                stack += node.pointees.values()
        return list(found)

    def unify(self, one: Node, other: Node) -> None:
        pending = [(one, other)]
        while pending:
            first, second = pending.pop()
            first, second = first.find(), second.find()
            if first is second:
                continue
            second.parent = first
            self._changes += 1
            for flag in _FLAGS:
                if getattr(second, flag):
                    setattr(first, flag, True)
            for table in _TABLES:
                getattr(first, table).update(getattr(second, table))
            for key, pointee in second.pointees.items():
                known = first.pointees.setdefault(key, pointee)
                if known is not pointee:
                    pending.append((known, pointee))
            if first.collapsed:
                pending += self._all_alike(first)
