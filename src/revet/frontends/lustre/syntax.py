"""The syntax tree of Lustre as the parser makes it: types and expressions. Declarations are in
:mod:`.declarations`."""

from __future__ import annotations

from dataclasses import dataclass

from revet.errors import Position

# -- types


@dataclass(frozen=True, eq=False, slots=True)
class TypeExpr:
    position: Position


@dataclass(frozen=True, eq=False, slots=True)
class NamedType(TypeExpr):
    """``int``, ``colour``, ``Option<int>``."""

    name: str
    arguments: tuple[TypeExpr, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class MachineType(TypeExpr):
    """``uint<8>``, ``sint<17>``, ``int32``."""

    width: int
    signed: bool


@dataclass(frozen=True, eq=False, slots=True)
class SubrangeType(TypeExpr):
    """``subrange [low, high] of int``; None stands for ``*``."""

    low: Expr | None
    high: Expr | None


@dataclass(frozen=True, eq=False, slots=True)
class RefinementType(TypeExpr):
    """``subtype { name: base | predicate }``."""

    name: str
    base: TypeExpr
    predicate: Expr


@dataclass(frozen=True, eq=False, slots=True)
class ArrayType(TypeExpr):
    element: TypeExpr
    size: Expr


@dataclass(frozen=True, eq=False, slots=True)
class TupleType(TypeExpr):
    items: tuple[TypeExpr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class RecordType(TypeExpr):
    fields: tuple[Declaration, ...]


@dataclass(frozen=True, eq=False, slots=True)
class EnumType(TypeExpr):
    values: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class HistoryType(TypeExpr):
    """``history(x)``: the type of a value that the stream has had."""

    stream: str


# -- expressions


@dataclass(frozen=True, eq=False, slots=True)
class Expr:
    position: Position


@dataclass(frozen=True, eq=False, slots=True)
class Literal(Expr):
    """``true``, ``3``, ``0.5``, ``0x1f``: the text tells which."""

    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Name(Expr):
    name: str
    type_arguments: tuple[TypeExpr, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class ModeReference(Expr):
    """``::contract::mode``: its requirements."""

    path: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Unary(Expr):
    """``not``, ``-``, ``!``, ``pre``, ``last``."""

    operator: str
    argument: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Convert(Expr):
    """``real x``, ``uint@<8> x``; ``loose``: the argument is without parentheses."""

    type: TypeExpr
    argument: Expr
    loose: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Ascribe(Expr):
    """``(e: T)``: that the value is one of the type is to be proved."""

    argument: Expr
    type: TypeExpr


@dataclass(frozen=True, eq=False, slots=True)
class Binary(Expr):
    """Arithmetic, comparisons, connectives, ``in``, ``|``, and ``->`` and ``fby``."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False, slots=True)
class IfThenElse(Expr):
    """``lazy``: ``when c then a else b``, of which only the branch taken is evaluated."""

    condition: Expr
    then: Expr
    otherwise: Expr
    lazy: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Match(Expr):
    subject: Expr
    arms: tuple[tuple[Pattern, Expr], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Pattern:
    """``_`` (no name), a variable or constructor without fields, or a constructor with patterns."""

    position: Position
    name: str
    arguments: tuple[Pattern, ...] | None


@dataclass(frozen=True, eq=False, slots=True)
class Call(Expr):
    """Of a node, function or constructor; ``#`` (at most one of) is a call of the pseudo-node ``#``.

    ``clock`` and ``defaults`` are those of ``activate`` and ``condact``, ``restart`` that of ``restart``.
    """

    node: str
    arguments: tuple[Expr, ...]
    type_arguments: tuple[TypeExpr, ...] = ()
    clock: Expr | None = None
    defaults: tuple[Expr, ...] | None = None
    restart: Expr | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Tester(Expr):
    """``Some?(e)``"""

    constructor: str
    argument: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Group(Expr):
    """``(a, b)``: several streams."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class TupleValue(Expr):
    """``'(a, b)``: one stream of pairs."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Braces(Expr):
    """``{a, b}``: a set; where a tuple is expected, a tuple in the spelling of version 2."""

    items: tuple[Expr, ...]
    type_arguments: tuple[TypeExpr, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class MapLiteral(Expr):
    entries: tuple[tuple[Expr, Expr], ...]
    type_arguments: tuple[TypeExpr, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class RecordLiteral(Expr):
    """``t { a = 1; b = true }``"""

    type: NamedType
    fields: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, eq=False, slots=True)
class ArrayLiteral(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Repeat(Expr):
    """``e ^ n``: an array of n times e."""

    argument: Expr
    count: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Field(Expr):
    argument: Expr
    field: str


@dataclass(frozen=True, eq=False, slots=True)
class Index(Expr):
    """``a[i]``; for machine integers and arrays also ``a[high:low]`` and ``a[low..high]``."""

    argument: Expr
    index: Expr
    to: Expr | None = None
    bits: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Update(Expr):
    """``a[i := v; j := w]``"""

    argument: Expr
    changes: tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Quantifier(Expr):
    universal: bool
    variables: tuple[Declaration, ...]
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Any(Expr):
    """``any@<T>`` and ``any { x: T | P }`` (a refinement type); ``choose`` is a function."""

    type: TypeExpr
    functional: bool


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


@dataclass(frozen=True, slots=True)
class Declaration:
    name: str
    type: TypeExpr
    position: Position
    constant: bool = False


def same(left: Expr, right: Expr) -> bool:
    """Do both say the same, by the look of them? Names, operators and fields only."""
    match left, right:
        case (Name(name=x), Name(name=y)):
            return x == y
        case (Literal(text=x), Literal(text=y)):
            return x == y
        case (Unary(), Unary()):
            return left.operator == right.operator and same(left.argument, right.argument)
        case (Binary(), Binary()):
            return (
                left.operator == right.operator
                and same(left.left, right.left)
                and same(left.right, right.right)
            )
        case (Field(), Field()):
            return left.field == right.field and same(left.argument, right.argument)
    return False
