"""The syntax tree of Lustre as the parser makes it: equations, nodes, contracts, files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from revet.errors import Position
from revet.frontends.kit.text import line_at
from revet.frontends.lustre.syntax import Call, Declaration, Expr, Name, TypeExpr


@dataclass(frozen=True, slots=True)
class LeftSide:
    """A variable to define; ``indices`` of ``A[i][j]``."""

    name: str
    indices: tuple[str, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Equation:
    names: tuple[LeftSide, ...]
    value: Expr
    position: Position


@dataclass(frozen=True, slots=True)
class Conditional:
    """An ``if``, ``when`` or ``cond`` block; the condition of the last branch is None."""

    branches: tuple[tuple[Expr | None, tuple[Statement, ...]], ...]
    lazy: bool
    position: Position


@dataclass(frozen=True, slots=True)
class Frame:
    names: tuple[LeftSide, ...]
    initial: tuple[Equation, ...]
    body: tuple[Statement, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class LemmaCall:
    """A call of a lemma as a statement: it has no outputs."""

    call: Call
    position: Position


Statement = Equation | Conditional | Frame | LemmaCall


@dataclass(frozen=True, slots=True)
class Property:
    """``reach`` is None, or the bounds (from, to) of ``check reachable``; ``weak``: after ``weakly``."""

    name: str
    formula: Expr
    position: Position
    reach: tuple[int, int | None] | None = None
    provided: Expr | None = None
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Constant:
    name: str
    type: TypeExpr | None
    value: Expr | None
    position: Position


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    name: str
    position: Position
    parameters: tuple[str, ...]
    inputs: tuple[Declaration, ...]
    outputs: tuple[Declaration, ...]
    locals: tuple[Declaration, ...] = ()
    constants: tuple[Constant, ...] = ()
    statements: tuple[Statement, ...] = ()
    asserts: tuple[Expr, ...] = ()
    properties: tuple[Property, ...] = ()
    main: bool = False
    contract: Contract | None = None
    imported: bool = False  # no body: its contract is all that is known
    function: bool = False
    recursive: bool = False  # ``function rec``, and lemmas
    lemma: bool = False
    opaque: bool = False  # callers see its contract alone
    transparent: bool = False  # callers see its body, also where contracts stand for bodies


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
    type_arguments: tuple[TypeExpr, ...]
    arguments: tuple[Expr, ...]
    outputs: tuple[Expr, ...]
    position: Position


@dataclass(frozen=True, eq=False, slots=True)
class Contract:
    """``constants`` and ``variables`` are ghosts: locals of the contract. ``assumption_vars``: those inputs
    that a generated assumption may mention."""

    assumes: tuple[Property, ...]
    guarantees: tuple[Property, ...]
    modes: tuple[Mode, ...]
    constants: tuple[Constant, ...]
    variables: tuple[Declaration, ...]
    equations: tuple[Equation, ...]
    imports: tuple[Import, ...]
    decreases: tuple[Expr, ...] = ()
    assumption_vars: tuple[Name, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class ContractNode:
    """``contract c(inputs) returns (outputs); let … tel``"""

    name: str
    parameters: tuple[str, ...]
    inputs: tuple[Declaration, ...]
    outputs: tuple[Declaration, ...]
    body: Contract
    position: Position


@dataclass(frozen=True, slots=True)
class Constructor:
    name: str
    fields: tuple[Declaration, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class TypeDefinition:
    """``type t = u;``, ``type t;`` (abstract), ``datatype t = A (x: int) | B;``"""

    name: str
    parameters: tuple[str, ...]
    type: TypeExpr | None
    position: Position
    constructors: tuple[Constructor, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class File:
    path: str
    types: tuple[TypeDefinition, ...]
    constants: tuple[Constant, ...]
    nodes: tuple[Node, ...]
    texts: Mapping[str, tuple[str, ...]] = field(repr=False, default_factory=dict)  # the lines of each file
    contracts: tuple[ContractNode, ...] = ()

    def line(self, position: Position) -> str | None:
        return line_at(self.texts, position)
