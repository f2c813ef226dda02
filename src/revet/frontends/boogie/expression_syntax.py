"""Expressions of Boogie, and the variables and functions that they speak of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from revet.errors import Position
from revet.frontends.boogie.type_syntax import UNRESOLVED, Type, TypeSyntax, TypeVariable

# -- expressions

OPERATORS = frozenset(
    ["<==>", "==>", "&&", "||", "==", "!=", "<", "<=", ">", ">=",
     "++", "+", "-", "*", "/", "div", "mod", "**"]
)


@dataclass(eq=False, slots=True)
class Expr:
    position: Position
    type: Type = field(default=UNRESOLVED, init=False)


@dataclass(eq=False, slots=True)
class BoolLiteral(Expr):
    value: bool


@dataclass(eq=False, slots=True)
class IntLiteral(Expr):
    value: int


@dataclass(eq=False, slots=True)
class RealLiteral(Expr):
    value: Fraction


@dataclass(eq=False, slots=True)
class BitVectorLiteral(Expr):
    """``3bv8``: ``0 <= value < 2**width``."""

    value: int
    width: int


@dataclass(eq=False, slots=True)
class Name(Expr):
    name: str
    variable: Variable = field(init=False)  # filled by the checker


@dataclass(eq=False, slots=True)
class Unary(Expr):
    """``-`` (of a number) or ``!``."""

    operator: str
    argument: Expr


@dataclass(eq=False, slots=True)
class Binary(Expr):
    """One of :data:`OPERATORS`; ``++`` puts bit vectors together, the left one on top."""

    operator: str
    left: Expr
    right: Expr


@dataclass(eq=False, slots=True)
class IfThenElse(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(eq=False, slots=True)
class Application(Expr):
    name: str
    arguments: tuple[Expr, ...]
    function: Function = field(init=False)  # filled by the checker
    instance: tuple[Type, ...] = field(default=(), init=False)  # filled by the checker


@dataclass(eq=False, slots=True)
class Coercion(Expr):
    """``int(r)``, the floor, or ``real(i)``."""

    target: Literal["int", "real"]
    argument: Expr


@dataclass(eq=False, slots=True)
class Select(Expr):
    """``m[i, j]``"""

    map: Expr
    indices: tuple[Expr, ...]


@dataclass(eq=False, slots=True)
class Store(Expr):
    """``m[i, j := value]``"""

    map: Expr
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(eq=False, slots=True)
class Extract(Expr):
    """``e[high:low]``: the bits from ``low`` up to, and not including, ``high``."""

    argument: Expr
    high: int
    low: int


@dataclass(eq=False, slots=True)
class StructLiteral(Expr):
    """ULTIMATE's ``{ x: 1, y: true }``; like :class:`Field`, gone from a checked program."""

    names: tuple[str, ...]
    values: tuple[Expr, ...]


@dataclass(eq=False, slots=True)
class Field(Expr):
    """ULTIMATE's ``argument!name``"""

    argument: Expr
    name: str


@dataclass(eq=False, slots=True)
class Old(Expr):
    argument: Expr


@dataclass(eq=False, slots=True)
class Quantifier(Expr):
    kind: Literal["forall", "exists", "lambda"]
    type_parameters: tuple[str, ...]
    variables: tuple[Variable, ...]
    attributes: tuple[Attribute, ...]
    triggers: tuple[tuple[Expr, ...], ...]
    body: Expr


@dataclass(eq=False, slots=True)
class Attribute:
    """``{:name "text", e}``: a hint (but see :mod:`.lower_builtins`), kept unresolved."""

    position: Position
    name: str
    arguments: tuple[Expr | str, ...]


# -- what names stand for

VariableKind = Literal["constant", "global", "input", "output", "local", "bound"]
"""``bound`` are those of quantifiers and functions."""


@dataclass(eq=False, slots=True)
class Variable:
    """A constant or variable; ``name`` is empty for a function's parameter without one."""

    position: Position
    name: str
    written: TypeSyntax
    kind: VariableKind
    where: Expr | None = None
    unique: bool = False  # a constant different from all other unique constants of its type
    attributes: tuple[Attribute, ...] = ()
    type: Type = field(default=UNRESOLVED, init=False)  # filled by the checker


@dataclass(eq=False, slots=True)
class Function:
    position: Position
    name: str
    type_parameters: tuple[str, ...]
    parameters: tuple[Variable, ...]
    result: TypeSyntax
    body: Expr | None
    attributes: tuple[Attribute, ...] = ()
    # filled by the checker
    result_type: Type = field(default=UNRESOLVED, init=False)
    type_variables: tuple[TypeVariable, ...] = field(default=(), init=False)


# -- walks


def children(expr: Expr) -> tuple[Expr, ...]:
    """The parts of an expression, triggers aside."""
    match expr:
        case Unary(argument=argument) | Coercion(argument=argument) | Old(argument=argument):
            return (argument,)
        case Binary(left=left, right=right):
            return (left, right)
        case IfThenElse(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case Application(arguments=arguments):
            return arguments
        case Select(map=base, indices=indices):
            return (base, *indices)
        case Store(map=base, indices=indices, value=value):
            return (base, *indices, value)
        case Extract(argument=argument) | Field(argument=argument):
            return (argument,)
        case StructLiteral(values=values):
            return values
        case Quantifier(body=body):
            return (body,)
    return ()


def preorder(expr: Expr) -> Iterator[Expr]:
    """All parts, each before its own parts."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def postorder(expr: Expr) -> list[Expr]:
    """All parts, each after its own parts."""
    order: list[Expr] = []
    stack = [expr]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(children(node))
    order.reverse()
    return order
