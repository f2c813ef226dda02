"""Local variables that a pointer may lead to when they are gone.

A pointer to a variable outlives it only if something that lives longer holds one: a global, allocated
memory, the result of its function or of one that calls it, a local variable of a caller, or one of an outer
block, or the value of the statement expression that declares it. Which of these carry its address is known
from :mod:`carried`; where memory may hold it, which classes of objects hold pointers into which is known from
:mod:`points_to`. All other variables need no bookkeeping of their life.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.analysis.call_graph import called
from revet.frontends.c.analysis.carried import CarriedAddresses
from revet.frontends.c.extents import Extents, extents_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from revet.frontends.c.analysis.classes import Node
    from revet.frontends.c.analysis.points_to import PointsTo


class Dangling:
    """``extents`` of every function, and the ``variables`` that pointers may outlive."""

    def __init__(self, program: ast.CProgram, points_to: PointsTo, entry: str) -> None:
        self.extents = {name: extents_of(function) for name, function in program.functions.items()}
        self._calls = _transitive(called(program))
        by_class = _holders(points_to)
        carried = CarriedAddresses(program, points_to.address_taken)
        self.variables: dict[ast.Variable, None] = {}
        for variable in points_to.address_taken:
            if self._dies(variable, entry):
                holders: Iterable[object] | None = carried.holders(variable)
                if holders is None:
                    holders = by_class.get(points_to.object_of(variable), ())
                if any(self._outlives(item, variable) for item in holders):
                    self.variables[variable] = None

    def _dies(self, variable: ast.Variable, entry: str) -> bool:
        if variable.lives_forever or variable.function not in self.extents:
            return False
        return variable.function != entry or self._of(variable).is_inner(variable)

    def _of(self, variable: ast.Variable) -> Extents:
        assert variable.function is not None
        return self.extents[variable.function]

    def _outlives(self, holder: object, variable: ast.Variable) -> bool:
        function = variable.function
        assert function is not None
        if isinstance(holder, ast.Call):
            return False  # a value on its way: what it is stored in counts
        if isinstance(holder, ast.StatementExpr):
            return holder.body in self._of(variable).scopes.get(variable, ())
        if isinstance(holder, str):
            return holder == function or function in self._calls.get(holder, ())
        if not isinstance(holder, ast.Variable) or holder.lives_forever or holder.function is None:
            return True
        if holder.function != function:
            return function in self._calls.get(holder.function, ())
        scopes = self._of(variable).scopes
        outer, inner = scopes.get(holder, ()), scopes.get(variable, ())
        return function in self._calls.get(function, ()) or (outer != inner and outer == inner[: len(outer)])


def _holders(points_to: PointsTo) -> dict[Node, list[object]]:
    """What holds pointers into a class."""
    found: dict[Node, list[object]] = {}
    for item, node in points_to.items():
        for pointee in node.find().pointees.values():
            found.setdefault(pointee.find(), []).append(item)
    return found


def _transitive(calls: dict[str, dict[str, None]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name in calls:
        reached: set[str] = set()
        stack = [name]
        while stack:
            for callee in calls.get(stack.pop(), ()):
                if callee not in reached:
                    reached.add(callee)
                    stack.append(callee)
        found[name] = reached
    return found
