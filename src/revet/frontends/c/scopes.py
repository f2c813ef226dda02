"""Which variable a name means at a place of the source."""

from __future__ import annotations

from dataclasses import dataclass

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.walk import all_statements


@dataclass(frozen=True, slots=True)
class _Local:
    variable: ast.Variable
    start: Position
    end: Position
    in_for: bool

    def visible(self, at: Position) -> bool:
        if not self.start <= at <= self.end:
            return False
        return self.in_for or self.variable.position < at


class Scopes:
    """Answers for one program; names of static locals are left out (their declaration is not in the tree)."""

    def __init__(self, program: ast.CProgram) -> None:
        self._program = program
        self._static = [v for v in program.globals if v.function is not None]
        self._globals = {v.name: v for v in program.globals if v.is_global}
        self._locals: dict[str, list[_Local]] = {}

    def names(self, function: str, at: Position) -> dict[str, ast.Variable]:
        """What the names mean at a place in a function: inner declarations hide outer ones."""
        found = dict(self._globals)
        definition = self._program.functions.get(function)
        if definition is not None:
            found.update((parameter.name, parameter) for parameter in definition.parameters)
            for local in self._of(definition):
                if local.visible(at) and not local.variable.made:
                    found[local.variable.name] = local.variable
        for variable in self._static:
            if variable.function == function:
                found.pop(variable.name, None)
        return found

    def _of(self, function: ast.FunctionDef) -> list[_Local]:
        """The function's locals, outer blocks before inner ones."""
        known = self._locals.get(function.name)
        if known is not None:
            return known
        known = self._locals[function.name] = []
        for statement in all_statements(function.body):
            inner: tuple[ast.Stmt, ...] = ()
            if isinstance(statement, ast.Block):
                inner = statement.body
            elif isinstance(statement, ast.For) and statement.start is not None:
                start = statement.start
                inner = start.body if isinstance(start, ast.Block) else (start,)
            in_for = isinstance(statement, ast.For)
            for declared in inner:
                if isinstance(declared, ast.Declare):
                    span = statement.span
                    known.append(_Local(declared.variable, span.start, span.end, in_for))
        known.sort(key=lambda local: local.start)
        return known
