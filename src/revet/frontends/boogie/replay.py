"""Counterexamples confirmed by the interpreter, and shown as its run.

The choices that the edges of a trace stand for determine a run of the source. It must violate what the
trace says is violated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.budget import Budget
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.explore import Explorer, run_listed, unknown_map
from revet.frontends.boogie.interpret import Machine, Outcome, Recorder
from revet.frontends.boogie.interpret_values import Key
from revet.frontends.boogie.lower import Lowered
from revet.frontends.boogie.lower_flow import Branch, Choice, Drawn, Entry
from revet.frontends.boogie.lower_formulas import Witness
from revet.frontends.boogie.procedures import is_recursive, lower_procedures
from revet.frontends.boogie.session import Session
from revet.frontends.kit.deep import at_any_depth
from revet.frontends.kit.source_run import SourceRun
from revet.frontends.program import Explores, HasProcedures, Program, ReplayFailed, TellsRuns, run_of_source
from revet.logic.values import Value, default_value
from revet.model.execute import draws, recover_draws
from revet.model.procedures import Procedures
from revet.result.trace import CfaTrace, InputTrace, State, Trace
from revet.result.verdict import Verdict

_MOST_STEPS = 4000  # of a run in a report
_WATCHED, _BEGINNING = 100_000, 1000  # steps: of a run that is shown to its end, or else from its start
_SECONDS = 60.0


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
        return unknown_map(self.program, key, at)  # nothing that matters depends on it

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


    def amend(self, read: Mapping[s.Variable, Any]) -> None:
        return None


class BoogieProgram(Program, TellsRuns, Explores, HasProcedures):
    language = "boogie"

    def __init__(self, checked: s.Checked, lowered: Lowered, path: Path) -> None:
        super().__init__(
            lowered.cfa, (path,), checked.notes + lowered.notes, open_ends=lowered.open_ends
        )
        self.checked = checked
        self.lowered = lowered
        self.recursive = is_recursive(checked)

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        budget = budget or Budget()
        known = run_of_source(trace, self.lowered.open_ends)
        outcome = self._run(known, None, budget)
        if outcome.kind == "limit":
            budget.poll()
        if outcome.kind != "violated":
            raise ReplayFailed(f"the program violates nothing: {outcome.at}: {outcome.message}")
        if self.name(outcome) != known.violated:
            raise ReplayFailed(f"the program violates something else: {outcome.at}: {outcome.message}")
        return [f"confirmed by the interpreter of Boogie: {outcome.at.line}: {outcome.message}"]

    def procedures(self) -> Procedures:
        return at_any_depth(lower_procedures)(self.checked)

    def name(self, outcome: Outcome) -> str | None:
        """The model's name for what a run violates."""
        names = (name for name, failure in self.lowered.failures.items() if failure == outcome.failure)
        return next(names, None)

    def render_trace(self, trace: Trace) -> str:
        """The run as a debugger would show it; of one of very many steps only the beginning."""
        known = run_of_source(trace, self.lowered.open_ends)
        session = Session(self.checked)
        if isinstance(known, InputTrace) and known.steps > _WATCHED:
            run_listed(self.checked, known, recorder=session, most=_BEGINNING)
            return session.beginning(f"{known.steps} steps in all; then it breaks {known.violated}")
        return session.render(self._run(known, session, Budget()))

    def source_run(self, trace: Trace) -> SourceRun:
        known = run_of_source(trace, self.lowered.open_ends)
        session = Session(self.checked, head=_MOST_STEPS // 2, tail=_MOST_STEPS // 2)
        if isinstance(known, InputTrace) and known.steps > _WATCHED:
            outcome = run_listed(self.checked, known, recorder=session, most=_BEGINNING)
            return session.source_run(outcome).cut_off(known.steps, known.violated)
        return session.source_run(self._run(known, session, Budget()))

    def explore(self, wanted: Collection[str], budget: Budget, native: bool) -> Verdict:
        """Try runs with zeros and random values; see :mod:`explore`."""

        def name(outcome: Outcome) -> str | None:
            found = self.name(outcome)
            return found if found in wanted else None

        return Explorer(self.checked, name, budget).explore()

    def _run(self, trace: CfaTrace | InputTrace, recorder: Recorder | None, budget: Budget) -> Outcome:
        left = budget.remaining()
        seconds = _SECONDS if left is None else min(_SECONDS, left)
        if isinstance(trace, InputTrace):
            most = None if recorder is None else 50 * trace.steps + 1000  # blocks have many statements
            return run_listed(self.checked, trace, seconds, recorder, most)
        limit = 10 * len(trace.edges) + 1000  # jumps are instructions, too
        choices = Recorded(self.checked, self.lowered, trace)
        return Machine(self.checked, choices, limit, recorder, seconds).run()
