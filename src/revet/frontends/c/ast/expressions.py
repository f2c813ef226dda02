"""Expressions, variables and initialisers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from revet.errors import Position
from revet.frontends.c.ast.node import node
from revet.frontends.c.types import CType, Field

if TYPE_CHECKING:
    from revet.frontends.c.ast.statements import Block


@dataclass(eq=False, slots=True)
class Variable:
    """A declared object. ``function`` is None for globals; ``static`` ones live for ever.

    ``number`` is unique in a program. Parameters and locals with one name in one function
    differ by it. ``length`` is the number of elements of an array of variable length (a variable of
    its own that holds it, declared just before: lengths are evaluated once). ``rows``: the lengths of an
    array of (arrays of) variable length, or of the one that a pointer points to. ``constant``: one that
    lives for ever and is declared ``const``, a parameter that points to what is; ``spelled``: the text of a
    global's type; ``made``: no text declares it; ``alignment``: what its declaration asks for, if it says so.
    """

    name: str
    type: CType
    function: str | None
    position: Position
    number: int
    static: bool = False
    parameter: bool = False
    external: bool = False
    initialiser: Initialiser | None = None
    length: Expr | None = None
    rows: tuple[Expr, ...] = ()
    volatile: bool = False
    constant: bool = False
    spelled: str = ""
    made: bool = False
    alignment: int | None = None

    @property
    def is_global(self) -> bool:
        return self.function is None

    @property
    def lives_forever(self) -> bool:
        return self.function is None or self.static

    @property
    def is_fixed(self) -> bool:
        """Is this one that nobody may write after its initialisation?"""
        return self.lives_forever and self.constant

    def __repr__(self) -> str:
        return f"{self.function}::{self.name}" if self.function else self.name


@node
class IntConst:
    value: int
    type: CType
    at: Position


@node
class FloatConst:
    """``text`` is the literal without its suffix: rounding to the type is for the reader."""

    text: str
    type: CType
    at: Position

    @property
    def exact(self) -> Fraction:
        """What the text says, decimal or hexadecimal, before it is rounded."""
        if self.text[:2] not in ("0x", "0X"):
            return Fraction(self.text.rstrip("."))
        mantissa, _, exponent = self.text[2:].lower().partition("p")
        whole, _, part = mantissa.partition(".")
        return Fraction(int(whole + part or "0", 16), 16 ** len(part)) * Fraction(2) ** int(exponent or "0")


@node
class StringConst:
    """An lvalue of array type; ``data`` includes the final zero. Elements as integers."""

    data: tuple[int, ...]
    type: CType
    at: Position


@node
class VarRef:
    variable: Variable
    type: CType
    at: Position


@node
class FunctionRef:
    """A function's name; its type is a :class:`Function`."""

    name: str
    type: CType
    at: Position


@node
class Deref:
    pointer: Expr
    type: CType
    at: Position


@node
class Index:
    """An element of an array *lvalue*; the index may have any integer type."""

    array: Expr
    index: Expr
    type: CType
    at: Position


@node
class Member:
    """A field of a record lvalue (or of a record value, as in ``f().x``)."""

    record: Expr
    field: Field
    type: CType
    at: Position


@node
class AddressOf:
    """Of an lvalue or a :class:`FunctionRef`."""

    operand: Expr
    type: CType
    at: Position


@node
class Decay:
    """An array lvalue as a pointer to its first element."""

    array: Expr
    type: CType
    at: Position


@node
class Cast:
    """A conversion between scalar types, or to void. ``implicit``: not written by the user."""

    operand: Expr
    type: CType
    at: Position
    implicit: bool = True


@node
class Unary:
    """``op`` is one of ``- ~ !``; the operand has the (promoted) type, for ``!`` any scalar."""

    op: str
    operand: Expr
    type: CType
    at: Position


@node
class Binary:
    """Arithmetic, bit and comparison operators; both operands have one type (not for shifts)."""

    op: str
    left: Expr
    right: Expr
    type: CType
    at: Position


@node
class PointerAdd:
    """``pointer + index`` (or minus, if ``negative``), in elements."""

    pointer: Expr
    index: Expr
    type: CType
    at: Position
    negative: bool = False


@node
class PointerDiff:
    """The number of elements between two pointers."""

    left: Expr
    right: Expr
    type: CType
    at: Position


@node
class Logical:
    """``&&`` or ``||``, operands of any scalar type, result int."""

    op: str
    left: Expr
    right: Expr
    type: CType
    at: Position


@node
class Conditional:
    condition: Expr
    then: Expr
    otherwise: Expr
    type: CType
    at: Position


@node
class Comma:
    first: Expr
    second: Expr
    type: CType
    at: Position


@node
class Assign:
    """The value already has the target's type (records included)."""

    target: Expr
    value: Expr
    type: CType
    at: Position


@node
class CompoundAssign:
    """``target op= value``: target converted to ``computation``, op, converted back.

    The value has the computation type (for shifts: its own promoted type; for pointers: an
    integer counted in elements, ``op`` is + or -).
    """

    op: str
    target: Expr
    value: Expr
    computation: CType
    type: CType
    at: Position


@node
class Increment:
    """``++`` and ``--``: ``delta`` is 1 or -1; ``prefix`` gives the new value."""

    target: Expr
    delta: int
    prefix: bool
    type: CType
    at: Position


@node
class Call:
    """``function`` is a :class:`FunctionRef` for direct calls, else a pointer value."""

    function: Expr
    arguments: tuple[Expr, ...]
    type: CType
    at: Position


@node
class StatementExpr:
    """GNU ``({ … })``; its value is that of the last statement if that is an expression."""

    body: Block
    type: CType
    at: Position


@node
class CompoundLiteral:
    """``(struct s){1, 2}``: an unnamed object, an lvalue."""

    variable: Variable
    type: CType
    at: Position


@node
class VaArg:
    """``va_arg(list, type)``."""

    operand: Expr
    type: CType
    at: Position


@node
class Unmodelled:
    """A scalar expression without side effects that we cannot read (``--approximate`` only)."""

    message: str
    type: CType
    at: Position


Expr = (
    IntConst | FloatConst | StringConst | VarRef | FunctionRef | Deref | Index | Member | AddressOf
    | Decay | Cast | Unary | Binary | PointerAdd | PointerDiff | Logical | Conditional | Comma
    | Assign | CompoundAssign | Increment | Call | StatementExpr | CompoundLiteral | VaArg
    | Unmodelled
)

Step = int | Field


@node
class InitEntry:
    """One written value: ``path`` leads from the object to a scalar (or a whole sub-object)."""

    path: tuple[Step, ...]
    value: Expr


@node
class Initialiser:
    """Entries in the order they are evaluated. ``whole``: a single value for the whole object;
    otherwise everything not mentioned is zero."""

    entries: tuple[InitEntry, ...]
    whole: bool
    at: Position
