"""The syntax tree of Lustre, as the parser makes it."""

from __future__ import annotations

from dataclasses import dataclass, field

from revet.errors import Position


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type as written: a name (``int``, ``colour``), or a subrange ``subrange [a,b] of int``.

    ``sizes`` are those of an array of it, outermost first: ``int ^ 2 ^ 3`` has 3, then 2.
    """

    name: str
    position: Position
    low: Expr | None = None
    high: Expr | None = None
    sizes: tuple[Expr, ...] = ()


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


# What the passes before the type checker take away: clocks (clocks.py), records and arrays
# (composites.py).


@dataclass(frozen=True, eq=False, slots=True)
class When(Expr):
    """``argument when clock``; only inside ``merge``."""

    argument: Expr
    clock: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Merge(Expr):
    """``merge(c; a; b)`` or ``merge c (A -> a) (B -> b)``; ``labels`` are the values of the clock."""

    clock: Expr
    labels: tuple[str, ...]
    branches: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Activate(Expr):
    """``(activate n every clock initial default (d, …))(arguments)``; also ``condact``."""

    node: str
    clock: Expr
    defaults: tuple[Expr, ...] | None
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Restart(Expr):
    """``(restart n every condition)(arguments)``."""

    node: str
    condition: Expr
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Field(Expr):
    argument: Expr
    field: str


@dataclass(frozen=True, eq=False, slots=True)
class Index(Expr):
    argument: Expr
    index: Expr


@dataclass(frozen=True, eq=False, slots=True)
class RecordLiteral(Expr):
    """``t { a = 1; b = true }``"""

    type: str
    fields: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, eq=False, slots=True)
class ArrayLiteral(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Repeat(Expr):
    """``e ^ n``: an array of n times e."""

    argument: Expr
    count: Expr


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
    contract: Contract | None = None
    imported: bool = False  # no body: its contract is all that is known
    assumes: tuple[Property, ...] = ()  # what a caller owes to the node
    guarantees: tuple[Property, ...] = ()  # what the node owes to its callers


@dataclass(frozen=True, slots=True)
class Mode:
    name: str
    requires: tuple[Property, ...]
    ensures: tuple[Property, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Import:
    """``import c(arguments) returns (outputs);`` of a contract node."""

    contract: str
    arguments: tuple[Expr, ...]
    outputs: tuple[Expr, ...]
    position: Position


@dataclass(frozen=True, eq=False, slots=True)
class Contract:
    """``constants`` and ``variables`` are ghosts: locals of the contract."""

    assumes: tuple[Property, ...]
    guarantees: tuple[Property, ...]
    modes: tuple[Mode, ...]
    constants: tuple[Constant, ...]
    variables: tuple[Declaration, ...]
    equations: tuple[Equation, ...]
    imports: tuple[Import, ...]


@dataclass(frozen=True, eq=False, slots=True)
class ContractNode:
    """``contract c(inputs) returns (outputs); let … tel``"""

    name: str
    inputs: tuple[Declaration, ...]
    outputs: tuple[Declaration, ...]
    body: Contract
    position: Position


@dataclass(frozen=True, slots=True)
class Constant:
    name: str
    type: TypeName | None
    value: Expr
    position: Position


@dataclass(frozen=True, slots=True)
class TypeDefinition:
    """``type t = u;``, ``type t = enum { A, B };`` or ``type t = struct { a: int; b: bool };``"""

    name: str
    alias: TypeName | None
    enumeration: tuple[str, ...]
    position: Position
    fields: tuple[Declaration, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class File:
    path: str
    types: tuple[TypeDefinition, ...]
    constants: tuple[Constant, ...]
    nodes: tuple[Node, ...]
    lines: tuple[str, ...] = field(repr=False, default=())
    contracts: tuple[ContractNode, ...] = ()

    def line(self, position: Position) -> str | None:
        return self.lines[position.line - 1] if 0 < position.line <= len(self.lines) else None

    @property
    def main(self) -> Node:
        """The node marked ``--%MAIN``, else the last one."""
        return next((node for node in self.nodes if node.main), self.nodes[-1])
