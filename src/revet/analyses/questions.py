"""Ordinary questions about one node of a Lustre program, asked again while an analysis changes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from revet.api import check
from revet.budget import Budget, OutOfBudget
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.errors import UsageError, did_you_mean
from revet.frontends.kit.deep import at_any_depth
from revet.frontends.lustre import LustreProgram, read
from revet.frontends.lustre.lower import Lowering
from revet.result.verdict import Unknown, Unsafe

if TYPE_CHECKING:
    from pathlib import Path

    from revet.driver.answer import Answer
    from revet.frontends.kit.source_run import StreamTable

_QUICK = 2.0
"""Seconds that one engine gets in this process before others are asked in processes of their own."""


class Asked:
    """The properties of one top node, within a budget for all questions together."""

    def __init__(self, path: Path, node: str | None, timeout: float | None) -> None:
        self.path = path
        self.budget = Budget(timeout)
        self.typed = at_any_depth(read)(path, node)
        if len(self.typed.tops) != 1:
            names = ", ".join(top.name for top in self.typed.tops) or "none"
            raise UsageError(f"name one node with --node: the top nodes are {names}")
        self.node = self.typed.tops[0].name

    @at_any_depth
    def program(self) -> LustreProgram:
        """As it is now."""
        return LustreProgram(self.typed, Lowering(self.typed), self.path)

    def statuses(self, property: str | None = None) -> dict[str, str]:
        """The answer for each property of the node itself (not of the nodes that it calls), or for one."""
        program = self.program()
        names = [name for name in program.own if name not in program.reach]
        if property is not None:
            if property not in names:
                raise UsageError(f"there is no property {property}; {did_you_mean(property, names)}")
            names = [property]
        return {name: self.answer(program, [name]).status for name in names}

    def status(self, properties: Iterable[str]) -> str:
        return self.answer(self.program(), properties).status

    def status_of(self, program: LustreProgram, properties: Iterable[str]) -> str:
        return self.answer(program, properties).status

    def counterexample(self, properties: Iterable[str]) -> StreamTable:
        """To one of the properties, of which :meth:`status` said *unsafe*."""
        program = self.program()
        answer = self.answer(program, properties)
        assert isinstance(answer.verdict, Unsafe)
        return program.source_run(answer.verdict.trace)

    def answer(self, program: LustreProgram, properties: Iterable[str]) -> Answer:
        """Of an engine in this process if it is quick, else of the portfolio; confirmed in either case."""
        about = program.restricted_to(*properties)
        try:
            with self.budget.part(_QUICK) as limit:
                answer = solve(about, "kind", None, Context(budget=limit))
        except OutOfBudget:
            pass
        else:
            if not isinstance(answer.verdict, Unknown):
                return answer
        left = self.budget.remaining()
        return check(about, timeout=None if left is None else max(left, 0.1))
