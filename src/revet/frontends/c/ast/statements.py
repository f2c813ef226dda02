"""Statements."""

from __future__ import annotations

from revet.errors import Position
from revet.frontends.c.ast.expressions import Expr, Variable
from revet.frontends.c.ast.node import node


@node
class Span:
    """Where a statement stands and the text of its first line, for traces."""

    start: Position
    end: Position
    text: str


@node
class Block:
    body: tuple[Stmt, ...]
    span: Span


@node
class Declare:
    """A local variable comes into being (its initialiser is evaluated here unless static)."""

    variable: Variable
    span: Span


@node
class Evaluate:
    """An expression statement."""

    expression: Expr
    span: Span


@node
class If:
    condition: Expr
    then: Stmt
    otherwise: Stmt | None
    span: Span


@node
class While:
    condition: Expr
    body: Stmt
    span: Span


@node
class DoWhile:
    body: Stmt
    condition: Expr
    span: Span


@node
class For:
    start: Stmt | None
    condition: Expr | None
    step: Expr | None
    body: Stmt
    span: Span


@node
class Switch:
    value: Expr
    body: Stmt
    span: Span


@node
class Case:
    """``case low:`` or GNU ``case low ... high:``; ``low is None`` for ``default:``."""

    low: int | None
    high: int | None
    body: Stmt
    span: Span


@node
class Label:
    name: str
    body: Stmt
    span: Span


@node
class Goto:
    label: str
    span: Span


@node
class Break:
    span: Span


@node
class Continue:
    span: Span


@node
class Return:
    value: Expr | None
    span: Span


@node
class Empty:
    span: Span


@node
class Asm:
    """Inline assembly; ``memory``: it may change what pointers and other functions can reach."""

    span: Span
    memory: bool = False


Stmt = (
    Block | Declare | Evaluate | If | While | DoWhile | For | Switch | Case | Label | Goto | Break
    | Continue | Return | Empty | Asm
)
