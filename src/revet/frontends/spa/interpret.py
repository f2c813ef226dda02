"""An interpreter of the small language: it executes the syntax tree, not the automaton.

:meth:`SpaProgram.replay` starts it with the initial values of a trace and answers each ``nondet()`` with
the value the trace has drawn there; the run must violate the assertion that the trace says.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from revet.budget import Budget
from revet.frontends.kit.interpreter import UNDEFINED, Interpreter
from revet.frontends.kit.syntax import Expr, preorder
from revet.frontends.program import Program, ReplayFailed
from revet.frontends.spa.lower import Lowered
from revet.frontends.spa.parser import Statement, Tree
from revet.logic.sorts import Sort
from revet.result.trace import CfaTrace, Trace

Draws = Mapping[Expr, "deque[Any]"]


@dataclass
class Outcome:
    """How a run ended: ``violated`` an assertion, or ``stopped`` for a reason."""

    violated: Statement | None
    stopped: str
    state: dict[str, Any]
    steps: int = 0


@dataclass
class Machine:
    """Executes a program. ``draws`` has the values of each ``nondet()`` in order."""

    tree: Tree
    sorts: Mapping[Expr, Sort]
    state: dict[str, Any]
    draws: Draws
    limit: int
    steps: int = field(default=0, init=False)

    def run(self) -> Outcome:
        """Run to an assertion that fails, or until the run can go no further."""
        stack: list[tuple[tuple[Statement, ...], int]] = [(self.tree.body, 0)]
        while stack:
            body, position = stack.pop()
            if position == len(body):
                continue
            statement = body[position]
            if self.steps == self.limit:
                return self._stopped("the run goes on")
            self.steps += 1
            stack.append((body, position + 1))
            if statement.kind == "skip":
                continue
            value = self._value(statement.value)
            if value is UNDEFINED:
                return self._stopped(self._at(statement, "division by zero"))
            match statement.kind:
                case "assign":
                    self.state[statement.target] = value
                case "assume":
                    if not value:
                        return self._stopped(self._at(statement, "the assumption does not hold"))
                case "assert":
                    if not value:
                        return Outcome(statement, "assertion violated", self.state, self.steps)
                case "if":
                    stack.append((statement.body if value else statement.otherwise, 0))
                case "while":
                    if value:
                        stack[-1] = (body, position)  # come back to the loop's condition
                        stack.append((statement.body, 0))
        return self._stopped("the program ends")

    def _stopped(self, why: str) -> Outcome:
        return Outcome(None, why, self.state, self.steps)

    def _at(self, statement: Statement, what: str) -> str:
        return f"{self.tree.source.position(statement.offset)}: {what}"

    def _value(self, expr: Expr) -> Any:
        choices: dict[Expr, Any] = {}
        for node in preorder(expr):
            if node.op == "nondet":
                values = self.draws.get(node)
                if not values:
                    raise ReplayFailed(
                        f"{self.tree.source.position(node.offset)}: the trace has no value for this choice"
                    )
                choices[node] = values.popleft()
        return Interpreter(self.sorts).value(expr, self.state, choices)


class SpaProgram(Program):
    language = "spa"

    def __init__(self, tree: Tree, lowered: Lowered, path: Path) -> None:
        super().__init__(lowered.cfa, (path,), lowered.notes)
        self.tree = tree
        self.lowered = lowered

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        if not isinstance(trace, CfaTrace):
            raise ReplayFailed("not a run of an automaton")
        draws: dict[Expr, deque[Any]] = defaultdict(deque)
        for edge, after in zip(trace.edges, trace.states[1:], strict=True):
            for node, variable in self.lowered.draws.get(edge, ()):
                draws[node].append(after[variable])
        try:
            state = {name: trace.states[0][variable] for name, variable in self.lowered.variables.items()}
        except KeyError as missing:
            raise ReplayFailed(f"the first state of the run has no value for {missing}") from None
        # Each statement is an edge of the trace, except those that stand for no edge of their own.
        machine = Machine(self.tree, self.lowered.sorts, state, draws, limit=len(trace.edges) + 1)
        outcome = machine.run()
        if outcome.violated is None:
            raise ReplayFailed(f"the program does not violate an assertion: {outcome.stopped}")
        name = self.lowered.asserts[outcome.violated]
        if name != trace.violated:
            raise ReplayFailed(f"the program violates {name}, not {trace.violated}")
        for variable_name, value in outcome.state.items():
            if trace.states[-1][self.lowered.variables[variable_name]] != value:
                raise ReplayFailed(f"{variable_name} is {value} when the assertion fails")
        place = self.tree.source.position(outcome.violated.offset)
        return [f"the program was run: the assertion at {place} fails after {outcome.steps} statements"]
