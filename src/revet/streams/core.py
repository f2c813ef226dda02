"""The core language: six kinds of nodes, all of scalar type.

What a stream is at instant t (the interpreter says the same in code):

=====================  ====================================================================
``Constant(v)``        v
``Extern(name)``       what the environment gives at t
``Apply(op, args)``    ``op`` of the arguments at t
``Delay(buffer, s)``   ``buffer[t]`` for the first instants, then s at ``t - len(buffer)``
``Drop(n, s)``         s at ``t + n``
``Variable``           its definition at t; made first and defined later, so streams can be
                       mutually recursive
=====================  ====================================================================

Nodes are compared by identity; sharing is sharing of objects.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from revet.errors import Position
from revet.streams.types import Scalar, Type, Value


class Node:
    __slots__ = ("place", "type")

    def __init__(self, type_: Scalar, place: Position) -> None:
        self.type = type_
        self.place = place

    @property
    def children(self) -> tuple[Node, ...]:
        return ()


class Constant(Node):
    __slots__ = ("value",)

    def __init__(self, type_: Scalar, place: Position, value: Value) -> None:
        super().__init__(type_, place)
        self.value = value


class Extern(Node):
    """``sample``: values for simulation, repeated from the start when they run out.

    ``whole`` is the type of the C variable, of which ``name`` may be a part (``p.x``).
    """

    __slots__ = ("name", "order", "sample", "whole")
    _count = itertools.count()

    def __init__(
        self, type_: Scalar, place: Position, name: str, sample: Sequence[Value] | None, whole: Type
    ) -> None:
        super().__init__(type_, place)
        self.order = next(self._count)  # tables and headers list externs as they were written
        self.name = name
        self.sample = sample
        self.whole = whole

    @property
    def variable(self) -> str:
        """The name of the C variable."""
        return self.name.split(".")[0].split("[")[0]


class Apply(Node):
    __slots__ = ("args", "operator")

    def __init__(self, type_: Scalar, place: Position, operator: str, args: tuple[Node, ...]) -> None:
        super().__init__(type_, place)
        self.operator = operator
        self.args = args

    @property
    def children(self) -> tuple[Node, ...]:
        return self.args


class Delay(Node):
    __slots__ = ("buffer", "source")

    def __init__(self, type_: Scalar, place: Position, buffer: tuple[Value, ...], source: Node) -> None:
        super().__init__(type_, place)
        self.buffer = buffer
        self.source = source

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.source,)


class Drop(Node):
    __slots__ = ("count", "source")

    def __init__(self, type_: Scalar, place: Position, count: int, source: Node) -> None:
        super().__init__(type_, place)
        self.count = count
        self.source = source

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.source,)


class Variable(Node):
    __slots__ = ("definition", "name")

    def __init__(self, type_: Scalar, place: Position, name: str | None) -> None:
        super().__init__(type_, place)
        self.name = name
        self.definition: Node | None = None

    @property
    def children(self) -> tuple[Node, ...]:
        return () if self.definition is None else (self.definition,)


class Cell(Node):
    """Only in flattened specifications: element ``position`` of a delay's buffer, at this instant."""

    __slots__ = ("delay", "position")

    def __init__(self, delay: Delay, position: int) -> None:
        super().__init__(delay.type, delay.place)
        self.delay = delay
        self.position = position


def reached(start: Node, until: type[Node] | tuple[()] = ()) -> Iterator[Node]:
    """All nodes that a node leads to, itself included; not beyond nodes of the kind ``until``."""
    found, stack = {start}, [start]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, until):
            for child in node.children:
                if child not in found:
                    found.add(child)
                    stack.append(child)
