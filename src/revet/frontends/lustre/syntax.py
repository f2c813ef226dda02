"""The syntax tree of Lustre, as the parser makes it."""

from __future__ import annotations

from dataclasses import dataclass, field

from revet.errors import Position


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type as written: a name (``int``, ``colour``), or a subrange ``subrange [a,b] of int``."""

    name: str
    position: Position
    low: Expr | None = None
    high: Expr | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Expr:
    position: Position


@dataclass(frozen=True, eq=False, slots=True)
class Literal(Expr):
    """``true``, ``3``, ``0.5``: the text tells which."""

    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Name(Expr):
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Unary(Expr):
    """``not``, ``-``, ``pre``, and conversions such as ``real`` or ``int8``."""

    operator: str
    argument: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Binary(Expr):
    """Arithmetic, comparisons, connectives, and ``->`` and ``fby``."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False, slots=True)
class IfThenElse(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Call(Expr):
    """A node call; ``#`` (at most one of) is a call of the pseudo-node ``#``."""

    node: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Tuple(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Declaration:
    name: str
    type: TypeName
    position: Position


@dataclass(frozen=True, slots=True)
class Equation:
    names: tuple[Name, ...]
    value: Expr
    position: Position


@dataclass(frozen=True, slots=True)
class Property:
    name: str
    formula: Expr
    position: Position


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    name: str
    position: Position
    inputs: tuple[Declaration, ...]
    outputs: tuple[Declaration, ...]
    locals: tuple[Declaration, ...]
    constants: tuple[Constant, ...]
    equations: tuple[Equation, ...]
    asserts: tuple[Expr, ...]
    properties: tuple[Property, ...]
    main: bool


@dataclass(frozen=True, slots=True)
class Constant:
    name: str
    type: TypeName | None
    value: Expr
    position: Position


@dataclass(frozen=True, slots=True)
class TypeDefinition:
    """``type t = u;`` or ``type t = enum { A, B };``"""

    name: str
    alias: TypeName | None
    enumeration: tuple[str, ...]
    position: Position


@dataclass(frozen=True, eq=False, slots=True)
class File:
    path: str
    types: tuple[TypeDefinition, ...]
    constants: tuple[Constant, ...]
    nodes: tuple[Node, ...]
    lines: tuple[str, ...] = field(repr=False, default=())

    def line(self, position: Position) -> str | None:
        return self.lines[position.line - 1] if 0 < position.line <= len(self.lines) else None

    @property
    def main(self) -> Node:
        """The node marked ``--%MAIN``, else the last one."""
        return next((node for node in self.nodes if node.main), self.nodes[-1])
