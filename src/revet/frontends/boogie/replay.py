"""Counterexamples confirmed by the interpreter, and shown as its run.

The choices that the edges of a trace stand for determine a run of the source. It must violate what the
trace says is violated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.interpret import Machine, Outcome, Recorder
from revet.frontends.boogie.interpret_values import Key
from revet.frontends.boogie.lower import Lowered
from revet.frontends.boogie.lower_flow import Branch, Choice, Drawn, Entry
from revet.frontends.boogie.lower_formulas import Witness
from revet.frontends.boogie.lower_types import sort_of
from revet.frontends.boogie.session import Session
from revet.frontends.program import ReplayFailed
from revet.frontends.source_run import SourceRun
from revet.logic.sorts import INT, REAL, Array, Sort
from revet.logic.values import Value, default_value
from revet.model.execute import draws, recover_draws
from revet.result.trace import CfaTrace, State, Trace

_MOST_STEPS = 4000  # of a run in a report


class Recorded:
    """The choices of a trace, in the order in which they were made."""

    def __init__(self, checked: s.Checked, lowered: Lowered, trace: CfaTrace) -> None:
        self.program = checked.program
        self.lowered = lowered
        self.first: State = trace.states[0]
        self._made: deque[tuple[Choice, tuple[Value, ...]]] = deque()
        for witness in lowered.witnesses:
            known = tuple(self.first.get(term, default_value(term.sort)) for term in witness.terms)
            self._made.append((witness, known))
        for step, edge in enumerate(trace.edges):
            choices = lowered.choices.get(edge)
            if choices:
                self._collect(trace, step, choices)

    def _collect(self, trace: CfaTrace, step: int, choices: Sequence[Choice]) -> None:
        edge = trace.edges[step]
        given = trace.inputs[step] if trace.inputs else {}
        locals_ = self.lowered.cfa.relation(edge).locals
        values = iter(recover_draws(edge.statements, locals_, given, trace.states[step + 1]))
        left = len(draws(edge.statements))
        for choice in choices:
            count = len(choice.terms) if isinstance(choice, Witness) else int(isinstance(choice, Drawn))
            left -= count
            self._made.append((choice, tuple(next(values) for _ in range(count))))
        assert left == 0, "every havoc belongs to a choice"

    def _next(self, wanted: str) -> tuple[Choice, tuple[Value, ...]]:
        if not self._made:
            raise ReplayFailed(f"the trace has no more choices where the program makes one: {wanted}")
        return self._made.popleft()

    # ---- what the interpreter asks ----------------------------------------------------------

    def initial(self, variable: s.Variable) -> Any:
        term = self.lowered.shared[variable]
        return term.value if term.is_const else self.first[term]

    def unknown(self, key: Key, at: s.Expr) -> Any:
        term = self.lowered.unknowns.get(key)
        if term is not None:
            return self.first[term]
        return default_value(self._sort(key, at))  # nothing that matters depends on it

    def _sort(self, key: Key, at: s.Expr) -> Sort:
        if len(key) == 1:
            return Array(REAL, REAL) if key[0] == "/" else Array(INT, INT)
        assert isinstance(at, s.Application)
        sort = sort_of(at.type, self.program, at.position)
        for argument in reversed(at.arguments):
            sort = Array(sort_of(argument.type, self.program, at.position), sort)
        return sort

    def entry(self, among: Sequence[s.Procedure]) -> s.Procedure:
        choice, _ = self._next("where to start")
        if not isinstance(choice, Entry) or choice.procedure not in among:
            raise ReplayFailed("the trace does not begin in an entry of the program")
        return choice.procedure

    def value(self, variable: s.Variable) -> Any:
        choice, values = self._next(f"a value of {variable.name}")
        if not isinstance(choice, Drawn) or choice.variable is not variable:
            raise ReplayFailed(f"{variable.position}: the trace has no value for {variable.name}")
        return values[0]

    def way(self, statement: s.Statement, count: int) -> int:
        choice, _ = self._next(f"the way at {statement.position}")
        if not isinstance(choice, Branch) or choice.statement is not statement:
            raise ReplayFailed(f"{statement.position}: the trace does not say which way to go")
        return choice.way

    def witnesses(self) -> list[tuple[s.Quantifier, tuple[Any, ...]]]:
        found = []
        while self._made and isinstance(self._made[0][0], Witness):
            witness, values = self._made.popleft()
            assert isinstance(witness, Witness)
            found.append((witness.quantifier, values))
        return found


@dataclass(eq=False)
class Evidence:
    """What is shown and confirmed for one lowered program."""

    checked: s.Checked
    lowered: Lowered

    def replay(self, trace: Trace) -> list[str]:
        """Confirm a trace; notes about how. Raises :class:`ReplayFailed`."""
        known = self._known(trace)
        outcome = self._run(known, None)
        if outcome.kind != "violated":
            raise ReplayFailed(f"the program violates nothing: {outcome.at}: {outcome.message}")
        if outcome.failure != self.lowered.failures.get(known.violated):
            raise ReplayFailed(f"the program violates something else: {outcome.at}: {outcome.message}")
        return [f"confirmed by the interpreter of Boogie: {outcome.at.line}: {outcome.message}"]

    def render_trace(self, trace: Trace) -> str:
        session = Session(self.checked)
        return session.render(self._run(self._known(trace), session))

    def source_run(self, trace: Trace) -> SourceRun:
        session = Session(self.checked, head=_MOST_STEPS // 2, tail=_MOST_STEPS // 2)
        return session.source_run(self._run(self._known(trace), session))

    def _known(self, trace: Trace) -> CfaTrace:
        if not isinstance(trace, CfaTrace):
            raise ReplayFailed("not a run of an automaton")
        if trace.locations[-1] in self.lowered.open_ends:
            raise ReplayFailed(f"the model ends at {trace.violated}, the program goes on")
        return trace

    def _run(self, trace: CfaTrace, recorder: Recorder | None) -> Outcome:
        limit = 10 * len(trace.edges) + 1000  # jumps are instructions, too
        choices = Recorded(self.checked, self.lowered, trace)
        return Machine(self.checked, choices, limit, recorder).run()
