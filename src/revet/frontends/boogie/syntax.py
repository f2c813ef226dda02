"""The syntax tree of Boogie, as the parser makes it and the checker completes it.

Two steps make a program::

    program = parser.parse(path)          # syntax only
    checked = types.check(program)        # names, types, labels resolved, or an InputError

Every node has a ``position``. The fields under "filled by the checker" have placeholders until
:func:`revet.frontends.boogie.types.check` returns; a :class:`Checked` program promises:

- every :class:`Expr` has its ``type``; a :class:`Name` its ``variable``, an :class:`Application` its
  ``function``, a :class:`Call` or :class:`CallForall` its ``callee``, a :class:`Break` its ``target``,
  every :class:`Variable` its ``type``. Variables, functions and procedures are compared by identity:
  shadowing is gone once names are resolved, so key tables by the :class:`Variable`, not by its name
  (two bound or local variables may share one).
- types are interned: compare them with ``is`` (or ``==``), and use them as keys. Type synonyms are
  expanded. What is left: ``bool``, ``int``, ``real``, bit vectors, maps, types of the user's own
  (:class:`NamedType`, uninterpreted), and :class:`TypeVariable` inside polymorphic declarations.
  An application or call of a polymorphic declaration has its ``instance``: the type arguments, in the
  order of the declaration's ``type_parameters``.
- operators have one spelling (:data:`OPERATORS`): ``∧`` is ``&&``, ``%`` is ``mod``, a ``<==`` is an
  ``==>`` with its sides exchanged, and ``/`` between integers is ``div`` (ULTIMATE's reading). ``div``
  and ``mod`` are Euclidean, as in SMT-LIB: ``0 <= x mod y < |y|``; ``/`` divides reals.
- every procedure has its ``implementations``, whether the body was written with the procedure or on its
  own. An implementation has parameters of its own (``inputs``, ``outputs``): for a body written with the
  procedure they *are* the procedure's, otherwise they correspond to them by place, and the contract
  (``requires``, ``ensures``, and the ``where`` of parameters) speaks of the procedure's.
- a ``goto`` names labels of its own implementation, which exist there exactly once; as in ULTIMATE, the
  label may stand inside a loop or branch that the ``goto`` is not in. A ``break`` is inside its ``target``.
- ``old`` occurs only in bodies (with their invariants), in ``ensures`` and in ``requires``, where ``old(e)``
  is ``e`` (at a call: in the state before it, not in the caller's old state). Axioms and functions use
  no variables but constants and their own.
- attributes are hints, except on functions: ``{:bvbuiltin "bvadd"}``, ``{:builtin …}`` and ULTIMATE's
  ``{:const_array}`` say what a function without a body is. What is not modelled of these must be refused,
  not left uninterpreted.
- ULTIMATE's structs are expanded: a variable ``p`` of type ``{ base: int, offset: int }`` is two, ``p!base``
  and ``p!offset``, and there is no :class:`StructType`, :class:`StructLiteral`, :class:`Field` or
  :class:`StructTarget`.
- expressions nest as deep as the user wrote them (sums of 10,000 terms lean left): walk them with
  :func:`preorder` and :func:`postorder`, or by recursion with room (:mod:`revet.frontends.kit.deep`).
  The same holds for statements (``else if`` is an :class:`If` in ``otherwise``).

Refused before: concurrency (``yield``, ``async``, ``fork`` …), ``extends`` and ``<:``, polymorphic maps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from revet.errors import InputError, Position, Unsupported
from revet.frontends.boogie.expression_syntax import (
    OPERATORS,
    Application,
    Attribute,
    Binary,
    BitVectorLiteral,
    BoolLiteral,
    Coercion,
    Expr,
    Extract,
    Field,
    Function,
    IfThenElse,
    IntLiteral,
    Name,
    Old,
    Quantifier,
    RealLiteral,
    Select,
    Store,
    StructLiteral,
    Unary,
    Variable,
    VariableKind,
    children,
    postorder,
    preorder,
)
from revet.frontends.boogie.type_syntax import (
    BOOL,
    INT,
    REAL,
    UNRESOLVED,
    BitVectorType,
    Given,
    MapType,
    NamedType,
    StructType,
    Type,
    TypeDeclaration,
    TypeSyntax,
    TypeVariable,
    WrittenMap,
    WrittenName,
    WrittenStruct,
    bit_vector,
    map_type,
    named_type,
    struct_type,
)

__all__ = [
    "BOOL", "INT", "OPERATORS", "REAL", "UNRESOLVED", "Application", "Assert", "Assign", "Assume",
    "Attribute", "Axiom", "Binary", "BitVectorLiteral", "BitVectorType", "Body", "BoolLiteral", "Break",
    "Call", "CallForall", "Checked", "Clause", "Coercion", "Expr", "Extract", "Field", "Function",
    "Given", "Goto", "Havoc", "If", "IfThenElse", "Implementation", "IntLiteral", "Label", "MapType",
    "Name", "NamedType", "Old", "Procedure", "Program", "Quantifier", "RealLiteral", "Return", "Select",
    "Statement", "Store", "StructLiteral", "StructTarget", "StructType", "Target", "Type",
    "TypeDeclaration", "TypeSyntax", "TypeVariable", "Unary", "Variable", "VariableKind", "While",
    "WrittenMap", "WrittenName", "WrittenStruct", "bit_vector", "children", "map_type", "named_type",
    "postorder", "preorder", "statements", "struct_type",
]

# -- declarations


@dataclass(eq=False, slots=True)
class Axiom:
    position: Position
    formula: Expr
    attributes: tuple[Attribute, ...] = ()


@dataclass(eq=False, slots=True)
class Clause:
    """``requires``, ``ensures`` or ``invariant``; a ``free`` one is assumed and never asserted."""

    position: Position
    formula: Expr
    free: bool = False
    attributes: tuple[Attribute, ...] = ()


@dataclass(eq=False, slots=True)
class Procedure:
    position: Position
    name: str
    type_parameters: tuple[str, ...]
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    requires: tuple[Clause, ...]
    ensures: tuple[Clause, ...]
    modifies: tuple[Name, ...]
    body: Body | None
    attributes: tuple[Attribute, ...] = ()
    # filled by the checker
    type_variables: tuple[TypeVariable, ...] = field(default=(), init=False)
    implementations: tuple[Implementation, ...] = field(default=(), init=False)


@dataclass(eq=False, slots=True)
class Body:
    """``end`` is the place of the closing brace."""

    position: Position
    locals: tuple[Variable, ...]
    statements: tuple[Statement, ...]
    end: Position


@dataclass(eq=False, slots=True)
class Implementation:
    position: Position
    name: str
    type_parameters: tuple[str, ...]
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    body: Body
    attributes: tuple[Attribute, ...] = ()
    procedure: Procedure = field(init=False)  # filled by the checker


# -- statements


@dataclass(eq=False, slots=True)
class Statement:
    position: Position


@dataclass(eq=False, slots=True)
class Label(Statement):
    """``name:``, a statement of its own before the one it marks (or at the end of a block)."""

    name: str


@dataclass(eq=False, slots=True)
class Assert(Statement):
    formula: Expr
    attributes: tuple[Attribute, ...] = ()


@dataclass(eq=False, slots=True)
class Assume(Statement):
    formula: Expr
    attributes: tuple[Attribute, ...] = ()


@dataclass(eq=False, slots=True)
class Havoc(Statement):
    """The new values satisfy the ``where`` of the variables."""

    variables: tuple[Name, ...]


@dataclass(eq=False, slots=True)
class Target:
    """``x`` or ``m[i][j, k]`` on the left of ``:=``; ``type`` is that of the value assigned."""

    variable: Name
    indices: tuple[tuple[Expr, ...], ...] = ()
    type: Type = field(default=UNRESOLVED, init=False)  # filled by the checker


@dataclass(eq=False, slots=True)
class StructTarget(Target):
    """``m[i]!x``; ``accessors`` are indices and fields. Gone from a checked program (:mod:`.structs`)."""

    accessors: tuple[tuple[Expr, ...] | str, ...] = ()


@dataclass(eq=False, slots=True)
class Assign(Statement):
    """All values, and all indices on the left, are those before the assignment. Targets are distinct."""

    targets: tuple[Target, ...]
    values: tuple[Expr, ...]


@dataclass(eq=False, slots=True)
class Call(Statement):
    """A ``free`` call assumes the preconditions; ``None`` among the arguments is ``*``, any value."""

    name: str
    arguments: tuple[Expr | None, ...]
    results: tuple[Name, ...]
    free: bool = False
    attributes: tuple[Attribute, ...] = ()
    callee: Procedure = field(init=False)  # filled by the checker
    instance: tuple[Type, ...] = field(default=(), init=False)  # filled by the checker


@dataclass(eq=False, slots=True)
class CallForall(Statement):
    """``call forall p(e, *)``: what p ensures, for all values of the arguments ``*`` (``None``)."""

    name: str
    arguments: tuple[Expr | None, ...]
    callee: Procedure = field(init=False)  # filled by the checker
    instance: tuple[Type, ...] = field(default=(), init=False)  # filled by the checker


@dataclass(eq=False, slots=True)
class If(Statement):
    """``condition`` is ``None`` for ``*``."""

    condition: Expr | None
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(eq=False, slots=True)
class While(Statement):
    """``condition`` is ``None`` for ``*``; the invariants hold before every test of it."""

    condition: Expr | None
    invariants: tuple[Clause, ...]
    body: tuple[Statement, ...]


@dataclass(eq=False, slots=True)
class Goto(Statement):
    """To any one of the labels."""

    labels: tuple[str, ...]


@dataclass(eq=False, slots=True)
class Break(Statement):
    """Leaves ``target``: the innermost loop, or the loop or ``if`` around it that has the label."""

    label: str | None
    target: If | While = field(init=False)  # filled by the checker


@dataclass(eq=False, slots=True)
class Return(Statement):
    pass


# -- programs


@dataclass(eq=False, slots=True)
class Program:
    """The declarations by kind, each in the order of the file."""

    path: str
    lines: tuple[str, ...] = field(repr=False)
    types: tuple[TypeDeclaration, ...]
    constants: tuple[Variable, ...]
    functions: tuple[Function, ...]
    axioms: tuple[Axiom, ...]
    globals: tuple[Variable, ...]
    procedures: tuple[Procedure, ...]
    implementations: tuple[Implementation, ...]

    def error(self, message: str, position: Position) -> InputError:
        """An error that shows the source line; raise it."""
        return InputError(message, position, self._line(position))

    def unsupported(self, message: str, position: Position) -> Unsupported:
        return Unsupported(message, position, self._line(position))

    def _line(self, position: Position) -> str | None:
        inside = 0 < position.line <= len(self.lines)
        return self.lines[position.line - 1].rstrip("\r") if inside else None


@dataclass(frozen=True, eq=False, slots=True)
class Checked:
    """A program without errors; see the module's docstring for what holds of its nodes.

    The tables are in the order of the file. A procedure without implementations is known by its
    contract alone.
    """

    program: Program
    types: dict[str, TypeDeclaration]
    constants: dict[str, Variable]
    globals: dict[str, Variable]
    functions: dict[str, Function]
    axioms: tuple[Axiom, ...]
    procedures: dict[str, Procedure]
    notes: tuple[str, ...] = ()  # where the dialects differ and this program shows it


def statements(block: tuple[Statement, ...]) -> Iterator[Statement]:
    """All statements of a block, each before those inside it."""
    stack = list(reversed(block))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, If):
            stack += [*reversed(node.otherwise), *reversed(node.then)]
        elif isinstance(node, While):
            stack += reversed(node.body)
