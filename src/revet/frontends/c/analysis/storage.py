"""Which variables can be split into scalars, and which must live in memory."""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.types import Field, Record
from revet.frontends.c.walk import all_expressions, parts


class Storage:
    def __init__(self, program: ast.CProgram) -> None:
        self.functions_with_address: dict[str, None] = {}
        self._memory: set[ast.Variable] = set()
        self._unfolded: set[ast.Variable] = set()
        for function in program.functions.values():
            for expression in all_expressions(function.body):
                self._see(expression)

    def _see(self, expression: ast.Expr) -> None:
        inner = parts(expression)
        if isinstance(expression, ast.Call):
            inner = inner[1:]
        for part in inner:
            if isinstance(part, ast.FunctionRef):
                self.functions_with_address.setdefault(part.name)

    def in_memory(self, variable: ast.Variable) -> bool:
        return variable in self._memory

    def unfolded(self, variable: ast.Variable) -> bool:
        return variable in self._unfolded

    def union_member(self, record: Record) -> Field | None:
        return None
