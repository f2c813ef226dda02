"""What code is made of before it is laid out: instructions, jump targets, and subexpressions still
to be expanded, marked with what is wanted of them (their value, their effect or their place)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from revet.frontends.c import ast
from revet.frontends.c.interpret import places
from revet.frontends.c.interpret.machine import Instruction, Machine

if TYPE_CHECKING:
    from revet.frontends.c.interpret.ordering import Ordering


@dataclass(eq=False, slots=True)
class Target:
    """Where a jump goes: known once the code is laid out."""

    address: int = -1


@dataclass(frozen=True, eq=False, slots=True)
class Value:
    """A subexpression of which the value is wanted."""

    expression: ast.Expr


@dataclass(frozen=True, eq=False, slots=True)
class Effect:
    """A subexpression of which only the effect is wanted."""

    expression: ast.Expr


@dataclass(frozen=True, eq=False, slots=True)
class Place:
    """A subexpression of which the address is wanted."""

    expression: ast.Expr


@dataclass(frozen=True, eq=False, slots=True)
class Later:
    """Pieces made only when their turn comes (statements, which carry more context)."""

    make: Callable[[], list[Piece]]


@dataclass(frozen=True, eq=False, slots=True)
class Leave:
    """An instruction after which the run may go on elsewhere: jumps, calls, returns. Whatever
    touches ``Machine.pc`` must be wrapped like this, because blocks end there."""

    instruction: Instruction


Piece = Instruction | Target | Value | Effect | Place | Later | Leave


class Scope(Protocol):
    """What expressions need from the function around them."""

    pointer_bits: int
    aligned: bool  # is it checked that addresses are?
    ordering: Ordering

    def find(self, variable: ast.Variable) -> places.Find: ...
    def local_slot(self, variable: ast.Variable) -> int | None: ...
    def declaration(self, variable: ast.Variable) -> list[Piece]: ...
    def statement(self, statement: ast.Stmt) -> list[Piece]: ...
    def call(self, call: ast.Call) -> list[Piece]: ...
    def ends(self, *parts: ast.Stmt | None) -> list[Piece]: ...


def jump(target: Target) -> Piece:
    def run(m: Machine) -> None:
        m.pc = target.address

    return Leave(run)


def jump_if_zero(target: Target) -> Piece:
    def run(m: Machine) -> None:
        if not m.stack.pop():
            m.pc = target.address

    return Leave(run)


def jump_unless(holds: Callable[[Any, Any], Any], target: Target) -> Piece:
    """(left, right): jump if they do not compare like this."""

    def run(m: Machine) -> None:
        right = m.stack.pop()
        if not holds(m.stack.pop(), right):
            m.pc = target.address

    return Leave(run)


def jump_unless_with(holds: Callable[[Any, Any], Any], right: int, target: Target) -> Piece:
    """(left): the same with a constant on the right."""

    def run(m: Machine) -> None:
        if not holds(m.stack.pop(), right):
            m.pc = target.address

    return Leave(run)


def jump_unless_zero(target: Target) -> Piece:
    def run(m: Machine) -> None:
        if m.stack.pop():
            m.pc = target.address

    return Leave(run)
