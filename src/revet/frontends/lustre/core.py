"""Typed Lustre: what the type checker makes of the syntax tree, and what the interpreter and the
lowering both start from.

Every expression has a type and is one stream (several streams ``(a, b)`` are lists of expressions).
Types are resolved, polymorphism is instantiated, constants with a value are in place, blocks are
equations, contracts are clauses. An expression object may occur in several places: it is one stream.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from revet.errors import Position
from revet.frontends.kit.text import line_at
from revet.frontends.lustre.types import Type


@dataclass(frozen=True, eq=False, slots=True)
class Expr:
    position: Position
    type: Type


@dataclass(frozen=True, eq=False, slots=True)
class Const(Expr):
    """A Boolean, a number, or the number of an enumeration's value."""

    value: bool | int | Fraction


@dataclass(frozen=True, eq=False, slots=True)
class Empty(Expr):
    """The empty set or map."""


@dataclass(frozen=True, eq=False, slots=True)
class Var(Expr):
    """A stream of the node; ``constant``: an input that never changes."""

    name: str
    constant: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Bound(Expr):
    """A variable of a quantifier or the index of an array's definition; names are unique."""

    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Global(Expr):
    """A constant without a value: a parameter of the system."""

    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Pre(Expr):
    argument: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Arrow(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Base(Expr):
    """The argument on the clock of the node, also inside a lazy branch: ``last x``."""

    argument: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Op(Expr):
    """An operator on scalars, or equality of anything; ``bits`` are those of ``extract``."""

    operator: str
    arguments: tuple[Expr, ...]
    bits: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class If(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr
    lazy: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Make(Expr):
    """A tuple, a record (items in the order of its fields), an array of so many items, or a value of a
    datatype (``constructor`` is a number)."""

    items: tuple[Expr, ...]
    constructor: int = 0


@dataclass(frozen=True, eq=False, slots=True)
class Fill(Expr):
    """An array with one element everywhere."""

    argument: Expr


@dataclass(frozen=True, eq=False, slots=True)
class ArrayDef(Expr):
    """The array whose element number ``variable`` is the body."""

    variable: Bound
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Project(Expr):
    """A part of a tuple or record."""

    argument: Expr
    index: int


@dataclass(frozen=True, eq=False, slots=True)
class Test(Expr):
    argument: Expr
    constructor: int


@dataclass(frozen=True, eq=False, slots=True)
class Select(Expr):
    """A field of a datatype's value; that the constructor is the right one is to be proved, unless
    ``checked`` by a match."""

    argument: Expr
    constructor: int
    index: int
    checked: bool


@dataclass(frozen=True, eq=False, slots=True)
class At(Expr):
    """An element of an array or map."""

    argument: Expr
    index: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Put(Expr):
    """An array or map with one element changed; a set with one element more."""

    argument: Expr
    index: Expr
    value: Expr


@dataclass(frozen=True, eq=False, slots=True)
class PutPart(Expr):
    """A tuple or record with one part changed."""

    argument: Expr
    index: int
    value: Expr


@dataclass(frozen=True, eq=False, slots=True)
class In(Expr):
    element: Expr
    container: Expr


@dataclass(frozen=True, eq=False, slots=True)
class SetOp(Expr):
    """``+``, ``*``, ``-`` of sets, and ``-`` of a map and a set of keys."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Join(Expr):
    """Two arrays, one after the other."""

    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Slice(Expr):
    """Part of an array from ``low`` on; the type has the size."""

    argument: Expr
    low: int


@dataclass(frozen=True, eq=False, slots=True)
class Quantify(Expr):
    universal: bool
    variables: tuple[Bound, ...]
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Free(Expr):
    """``any``: some value at every instant such that the ``constraints`` hold, which mention it as the
    variable ``name``."""

    name: str
    constraints: list[Expr]


@dataclass(frozen=True, eq=False, slots=True)
class Choice(Expr):
    """``choose``: like :class:`Free`, but ``function`` of the ``captured`` values."""

    name: str
    function: str
    captured: tuple[Expr, ...]
    constraints: list[Expr]


@dataclass(frozen=True, eq=False, slots=True)
class Ascribed(Expr):
    """The argument, with clauses about it that are to be proved."""

    argument: Expr
    clauses: tuple[Expr, ...]


@dataclass(eq=False, slots=True)
class Call:
    """A call of a node; ``clock``, ``defaults`` (one an output) and ``restart`` may be missing."""

    node: Node
    arguments: tuple[Expr, ...]
    position: Position
    clock: Expr | None = None
    defaults: tuple[Expr, ...] | None = None
    restart: Expr | None = None
    decrease: Decrease | None = None  # owed where a function calls one of its own family


@dataclass(frozen=True, eq=False, slots=True)
class Decrease(Expr):
    """That the measures of the called function are smaller than those of the caller."""

    call: Call


@dataclass(frozen=True, eq=False, slots=True)
class Output(Expr):
    """One of the streams that a call returns."""

    call: Call
    index: int


@dataclass(eq=False, slots=True)
class Stream:
    """A declared stream. ``type`` may be refined; expressions see the plain one. ``hidden``: the use of a
    lemma, which is no stream in the text."""

    name: str
    type: Type
    position: Position
    constant: bool = False
    hidden: bool = False


@dataclass(eq=False, slots=True)
class Clause:
    """``reach``: not to hold always, but to hold sometime, within these bounds. ``weak``: marked as one whose
    necessity is in question. ``typing``: that a stream has a value of its type."""

    name: str
    formula: Expr
    position: Position
    reach: tuple[int, int | None] | None = None
    weak: bool = False
    typing: bool = False


@dataclass(eq=False)
class Node:
    """A node or function with its contract.

    ``assumes``: what a caller owes. ``guarantees``: what the node owes; a caller of an imported node
    may rely on them. ``duties``: what is owed in any case (types of ghosts). ``properties``: what the
    node itself should keep. ``definitions`` has no entry for a stream that may be anything.
    """

    name: str
    position: Position
    function: bool
    imported: bool
    main: bool = False
    inputs: list[Stream] = field(default_factory=list)
    outputs: list[Stream] = field(default_factory=list)
    locals: list[Stream] = field(default_factory=list)
    ghosts: list[Stream] = field(default_factory=list)
    definitions: dict[str, Expr] = field(default_factory=dict)
    places: dict[str, Position] = field(default_factory=dict)  # of the definitions in the text
    asserts: list[Expr] = field(default_factory=list)
    assumes: list[Clause] = field(default_factory=list)
    guarantees: list[Clause] = field(default_factory=list)
    duties: list[Clause] = field(default_factory=list)
    properties: list[Clause] = field(default_factory=list)
    modes: list[tuple[str, Expr]] = field(default_factory=list)
    conditions: list[tuple[str, Expr]] = field(default_factory=list)  # of properties that have one
    contract: bool = False
    doubled: list[Position] = field(default_factory=list)  # second definitions of a stream
    assumption_vars: list[str] = field(default_factory=list)  # inputs that generated assumptions may mention
    recursive: bool = False  # declared with ``rec``, or a lemma
    lemma: bool = False
    opaque: bool = False  # callers see its contract alone; ``transparent``: never
    transparent: bool = False
    measure: list[Expr] = field(default_factory=list)  # ``decreases``
    family: tuple[Node, ...] = ()  # the functions that call this one and are called by it, with itself

    @property
    def separate(self) -> bool:
        """Is it checked once, for all inputs, instead of at every call?"""
        return self.lemma or bool(self.family) or self.opaque

    @property
    def written_locals(self) -> list[Stream]:
        return [stream for stream in self.locals if not stream.hidden]

    @property
    def streams(self) -> list[Stream]:
        return [*self.inputs, *self.outputs, *self.locals, *self.ghosts]

    @cached_property
    def roles(self) -> dict[str, tuple[str, int, Stream]]:
        """Of every stream, what it is, its number among its like, and itself; for a finished node."""
        groups = (
            ("input", self.inputs), ("output", self.outputs), ("local", self.locals), ("ghost", self.ghosts),
        )
        return {s.name: (role, k, s) for role, streams in groups for k, s in enumerate(streams)}

    @property
    def expressions(self) -> list[Expr]:
        clauses = (*self.assumes, *self.guarantees, *self.duties, *self.properties)
        formulas = (clause.formula for clause in clauses)
        return [*self.definitions.values(), *self.asserts, *formulas, *self.measure]


@dataclass(eq=False)
class Program:
    """``tops``: the nodes to be analysed. ``parameters``: free constants, with their constraints."""

    path: str
    nodes: list[Node]
    tops: list[Node]
    parameters: dict[str, Global]
    constraints: list[Expr]
    duties: list[Clause]
    warnings: list[str]
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # the lines of each file
    domains: list[tuple[Node, list[Expr]]] = field(default_factory=list)  # see ``check``
    pushed: dict[Pre, Expr] = field(default_factory=dict)  # see :mod:`.pushing`

    def line(self, position: Position) -> str | None:
        return line_at(self.texts, position)
