"""Memory: objects that are accessed through pointers."""

from __future__ import annotations

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.lower.context import Context
from revet.frontends.c.lower.places import Cell, Place
from revet.frontends.c.types import CType, Int
from revet.logic import build as b
from revet.logic.terms import Term


class Memory:
    def __init__(self, context: Context) -> None:
        self.context = context

    def _no(self, at: Position) -> Exception:
        return self.context.unsupported(at, "pointers are not modelled yet")

    def allocates(self, name: str) -> bool:
        return False

    def as_index(self, index: Term, type: Int) -> Term:
        if self.context.arithmetic.name == "int":
            return index
        return self.context.arithmetic.convert(type, self.context.symbols.address_type, index)

    def target(self, address: Term, pointer: ast.Expr, type: CType, at: Position) -> Place:
        raise self._no(at)

    def string(self, node: ast.StringConst) -> Place:
        raise self._no(node.at)

    def variable(self, variable: ast.Variable, depth: int) -> Place:
        raise self._no(variable.position)

    def address(self, place: Place, at: Position) -> Term:
        raise self._no(at)

    def function(self, name: str) -> Term:
        raise self._no(self.context.frame.function.position)

    def library(self, name: str, node: ast.Call) -> Term | None:
        raise self._no(node.at)

    def offset(self, address: Term, size: int) -> Term:
        return b.plus(address, self.context.arithmetic.constant(self.context.symbols.address_type, size))

    def moved(self, address: Term, index: Term, index_type: Int, size: int) -> Term:
        raise self._no(self.context.frame.function.position)

    def difference(self, left: Term, right: Term, size: int, type: Int) -> Term:
        raise self._no(self.context.frame.function.position)

    def load(self, place: Cell) -> Term:
        raise self._no(self.context.frame.function.position)

    def store(self, place: Cell, value: Term) -> None:
        raise self._no(self.context.frame.function.position)

    def havoc(self, place: Cell) -> None:
        raise self._no(self.context.frame.function.position)
