"""What Revet shows for a C program: confirmed counterexamples, harnesses, sessions, witnesses.

A counterexample is confirmed twice: the interpreter of C runs the source with the trace's values
and must reach the same error; then the program is compiled with a harness of these values and
must reach it again. The second is skipped with a note where it cannot be done, and a compiled
program that does *not* reach the error refutes the trace unless C itself explains the difference
(memory read before it is written, undefined behaviour, an order of evaluation that C leaves open).
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from revet.budget import Budget
from revet.frontends.c.ast import CProgram, Span
from revet.frontends.c.execute import Execution, execute
from revet.frontends.c.explore import Constants, Explorer, Listed, harmless, require_only_run
from revet.frontends.c.harness import NotExpressible, harness_text
from revet.frontends.c.interpret import Draw, Draws, Outcome, Recorder, run
from revet.frontends.c.interpret.machine import Machine
from revet.frontends.c.interpret.memory import MemoryObject
from revet.frontends.c.lower.program import Lowered
from revet.frontends.c.native.search import NativeSearch, native_search
from revet.frontends.c.property import ERROR_FUNCTIONS, specification_text
from revet.frontends.c.replay import inputs_of
from revet.frontends.c.session import Session
from revet.frontends.c.types import CType
from revet.frontends.c.witness import invariants as correctness
from revet.frontends.c.witness.violation import Waypoints
from revet.frontends.c.witness.writing import (
    Invariant,
    WitnessTask,
    invariant_witness,
    violation_witness,
)
from revet.frontends.program import ReplayFailed, run_of_source
from revet.frontends.source_run import SourceInvariant, SourceRun
from revet.result.certificate import Cases, Certificate, LocationInvariants, ProcedureContracts
from revet.result.trace import CfaTrace, InputTrace, Trace
from revet.result.verdict import Verdict

_SECONDS = 20.0
_STEPS = 60_000_000
_MOST_STEPS = 4000  # of a run in a report
_WATCHED, _BEGINNING = 200_000, 1000  # steps: of a run that is shown to its end, or else from its start


class _Drawing:
    """Notices statements that draw more than one value: their order is the compiler's choice."""

    def __init__(self) -> None:
        self._here = 0
        self.several = False

    def statement(self, machine: Machine, span: Span) -> None:
        self._here = 0

    def store(
        self, machine: Machine, target: MemoryObject, offset: int, size: int, type: CType, value: Any
    ) -> None:
        pass

    def drawn(self, machine: Machine, name: str, value: Any) -> None:
        self._here += 1
        self.several = self.several or self._here > 1


@dataclass(eq=False)
class Evidence:
    """Evidence about one lowered program. ``compile``: also confirm by compiled execution."""

    lowered: Lowered
    tree: CProgram
    property_name: str = "unreach-call"
    entry: str = "main"
    errors: tuple[str, ...] = ERROR_FUNCTIONS
    compile: bool = True
    _last: tuple[Trace, Execution] | None = field(default=None, repr=False)
    _listed: tuple[Trace, Listed] | None = field(default=None, repr=False)

    # ---- counterexamples ------------------------------------------------------------------

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        """Confirm a trace; notes about how. Raises :class:`ReplayFailed` or ``OutOfBudget``."""
        budget = budget or Budget()
        run_of = run_of_source(trace, self.lowered.open_ends)
        outcome = self._run(run_of, None, _at_most(_SECONDS, budget))
        if outcome.kind == "unsupported" and not self.lowered.precise and self.compile:
            return [self._only_compiled(run_of, outcome, budget)]
        if outcome.kind != "error":
            if outcome.kind == "limit":
                budget.poll()
            where = f" at {outcome.at}" if outcome.at else ""
            message = f"{outcome.kind}{where}: {outcome.message}"
            raise ReplayFailed(f"the source does not reach the error: {message}")
        self._same_place(run_of, outcome)
        notes = ["confirmed by the interpreter of C"]
        if self.compile:
            notes.append(self._confirm_compiled(run_of, outcome, budget))
        return notes

    def _only_compiled(self, trace: CfaTrace | InputTrace, outcome: Outcome, budget: Budget) -> str:
        """Where the program was approximated the interpreter may not know the construct either:
        then the compiled program decides."""
        execution = self.execution(trace, budget)
        if execution.status != "reached":
            raise ReplayFailed(f"{outcome.at}: {outcome.message}; {execution.note}")
        return f"{execution.note} (the interpreter stops: {outcome.message})"

    def _same_place(self, trace: CfaTrace | InputTrace, outcome: Outcome) -> None:
        if isinstance(trace, InputTrace):
            self._as_explored(trace, outcome)
        wanted = trace.locations[-1].position if isinstance(trace, CfaTrace) else None
        if wanted is None or outcome.at is None or self.property_name == "no-overflow":
            return
        if (wanted.file, wanted.line) != (outcome.at.file, outcome.at.line):
            raise ReplayFailed(f"the source reaches the error at {outcome.at}, the model at {wanted}")

    def _as_explored(self, trace: InputTrace, outcome: Outcome) -> None:
        """A run that was found by running, perhaps compiled: all depends on this one."""
        if not harmless(outcome, self._stops):
            raise ReplayFailed(f"undefined behaviour on the way: {outcome.undefined[0]}")
        if self._violated(outcome) != trace.violated:
            raise ReplayFailed(f"the source reaches another error, at {outcome.at}")

    def _confirm_compiled(self, trace: CfaTrace | InputTrace, outcome: Outcome, budget: Budget) -> str:
        execution = self.execution(trace, budget)
        if execution.status != "missed":
            return execution.note
        reason = _excuse(outcome) or self._order_of_calls(trace, budget)
        if reason is None and (execution.code is None or execution.code < 0):
            reason = "the machine's limits"  # ran out of time, or was ended by a signal
        if reason is None:
            raise ReplayFailed(f"{execution.note}, though the interpreter reaches the error")
        return f"not confirmed by execution: {execution.note} ({reason})"

    def _order_of_calls(self, trace: CfaTrace | InputTrace, budget: Budget) -> str | None:
        """Watching every statement takes time, so it is done only where a difference must be explained."""
        drawing = _Drawing()
        self._run(trace, drawing, _at_most(_SECONDS, budget))
        if drawing.several:
            return "the order of the calls within one statement is the compiler's choice"
        return None

    def execution(self, trace: Trace, budget: Budget | None = None) -> Execution:
        """Compile and run; remembered, because the harness is asked for afterwards."""
        if self._last is None or self._last[0] is not trace:
            execution = execute(
                self.tree, self._calls(run_of_source(trace, self.lowered.open_ends)),
                entry=self.entry, error_functions=self._errors(),
                overflow=self._overflow, seconds=5, budget=budget or Budget(),
            )
            self._last = (trace, execution)
        return self._last[1]

    def harness(self, trace: Trace) -> str:
        """The counterexample as a C file to link with the program (``--harness``)."""
        text = self.execution(trace).harness
        if text:
            return text
        calls = self._calls(run_of_source(trace, self.lowered.open_ends))
        try:
            return harness_text(self.tree, calls, entry=self.entry, error_functions=self._errors())
        except NotExpressible as problem:
            raise ReplayFailed(f"no harness: {problem}") from problem

    def render_trace(self, trace: Trace) -> str:
        """The run as a debugger would show it. Of one that takes very many steps only the
        beginning: to watch it all would take longer than finding it."""
        session = Session()
        known = run_of_source(trace, self.lowered.open_ends)
        if isinstance(known, InputTrace) and known.steps > _WATCHED:
            self._interpret(Listed(known), session, _SECONDS, _BEGINNING)
            return session.beginning(f"{known.steps} steps in all; then it breaks {known.violated}")
        return session.render(self._run(known, session))

    def source_run(self, trace: Trace) -> SourceRun:
        """The run as data, for reports."""
        session = Session(head=_MOST_STEPS // 2, tail=_MOST_STEPS // 2)
        known = run_of_source(trace, self.lowered.open_ends)
        if isinstance(known, InputTrace) and known.steps > _WATCHED:
            outcome = self._interpret(Listed(known), session, _SECONDS, _BEGINNING)
            return session.source_run(outcome).cut_off(known.steps, known.violated)
        return session.source_run(self._run(known, session))

    def violation_witness(self, trace: Trace) -> str:
        """An SV-COMP violation witness 2.0."""
        waypoints = Waypoints(self.tree, self.entry)
        outcome = self._run(run_of_source(trace, self.lowered.open_ends), waypoints)
        return violation_witness(self._task(), waypoints.finished(outcome))

    # ---- certificates ---------------------------------------------------------------------

    def render_certificate(self, certificate: Certificate) -> str:
        """The invariants at the source's loop heads, in C."""
        if isinstance(certificate, ProcedureContracts):
            return _contracts(certificate)
        if isinstance(certificate, Cases):
            return f"in each of {certificate.leaves} cases of the floats drawn, intervals exclude the error"
        if not isinstance(certificate, LocationInvariants):
            return "no loop invariants: the proof is not of that kind"
        found = correctness.loop_invariants(self.lowered, self.tree, certificate)
        lines = [
            f"invariant of the loop at {i.at} in {i.function}()\n   {_one_a_line(i.value)}"
            for i in found.invariants
        ]
        lines += [f"note: {note}" for note in found.notes]
        return "\n".join(lines or ["no loop needs an invariant"])

    def source_invariants(self, certificate: Certificate) -> list[SourceInvariant]:
        """The loop invariants in C, for reports."""
        if not isinstance(certificate, LocationInvariants):
            return []
        found = correctness.loop_invariants(self.lowered, self.tree, certificate)
        return [SourceInvariant(i.value, f"loop in {i.function}()", i.at) for i in found.invariants]

    def correctness_witness(self, certificate: Certificate) -> str:
        """An SV-COMP correctness witness 2.0; without invariants if the proof has none."""
        found: list[Invariant] = []
        if isinstance(certificate, LocationInvariants):
            found = list(correctness.loop_invariants(self.lowered, self.tree, certificate).invariants)
        return invariant_witness(self._task(), found)

    # ---- parts ----------------------------------------------------------------------------

    @property
    def _overflow(self) -> bool:
        return self.property_name == "no-overflow"

    @property
    def _stops(self) -> tuple[str, ...]:
        """Kinds of undefined behaviour that are the error."""
        return ("overflow",) if self._overflow else ()

    def _errors(self) -> tuple[str, ...]:
        return () if self._overflow else self.errors

    def _task(self) -> WitnessTask:
        specification = specification_text(self.property_name, self.entry, self.errors)
        return WitnessTask(self.tree.files, specification, self.tree.data_model.name)

    def _calls(self, trace: CfaTrace | InputTrace) -> list[Draw]:
        """What functions without a body return, in order."""
        if isinstance(trace, CfaTrace):
            return inputs_of(self.lowered, trace).calls
        if self._listed is None or self._listed[0] is not trace:
            self._run(trace, None)
        assert self._listed is not None
        return self._listed[1].given

    def _run(
        self, trace: CfaTrace | InputTrace, recorder: Recorder | None, seconds: float = _SECONDS
    ) -> Outcome:
        if isinstance(trace, CfaTrace):
            return self._interpret(inputs_of(self.lowered, trace).recorded(), recorder, seconds)
        listed = Listed(trace)
        self._listed = (trace, listed)
        return self._interpret(listed, recorder, seconds)

    def _interpret(
        self, draws: Draws, recorder: Recorder | None, seconds: float, steps: int = _STEPS
    ) -> Outcome:
        return run(
            self.tree, draws, entry=self.entry, error_functions=self._errors(), recorder=recorder,
            stop_at=self._stops, max_seconds=seconds, max_steps=steps,
        )

    # ---- runs without a model ---------------------------------------------------------------

    def explore(self, wanted: Collection[str], budget: Budget, native: bool = True) -> Verdict:
        """Try runs with zeros and random inputs; see :mod:`explore`."""
        constants = Constants.of(self.tree)
        errors = [error.name for error in self.lowered.cfa.errors]

        def run_with(draws: Draws, steps: int, seconds: float) -> Outcome:
            return self._interpret(draws, None, seconds, steps)

        def violated(outcome: Outcome) -> str | None:
            name = self._violated(outcome)
            return name if name in wanted else None

        def search() -> AbstractContextManager[NativeSearch]:
            numbers = (constants.integers, constants.floats)
            return native_search(self.tree, numbers, self.entry, self._errors(), self._overflow, budget)

        only = errors[0] if len(errors) == 1 and errors[0] in wanted else None
        explorer = Explorer(
            self.tree, run_with, violated, budget, constants, search if native and self.compile else None,
            only, self._stops,
        )
        return explorer.explore()

    def _violated(self, outcome: Outcome) -> str | None:
        """The model's name for the error that a run reached."""
        errors = self.lowered.cfa.errors
        if len(errors) == 1:
            return errors[0].name
        if outcome.at is None:
            return None
        here = (outcome.at.file, outcome.at.line)
        found = [e for e in errors if e.position and (e.position.file, e.position.line) == here]
        return found[0].name if found else None

    def only_run(self, budget: Budget) -> str:
        """Confirms that the program draws nothing and that its run is harmless."""
        nothing = Listed(InputTrace((), (), "", 0))
        outcome = self._interpret(nothing, None, _at_most(_SECONDS, budget))
        if outcome.kind == "limit":
            budget.poll()
        return require_only_run(self.tree, outcome, nothing.count)


def _at_most(seconds: float, budget: Budget) -> float:
    left = budget.remaining()
    return seconds if left is None else min(seconds, left)


def _contracts(certificate: ProcedureContracts) -> str:
    lines = ["contracts of the recursive functions (x@entry: the value of x at the call)"]
    for name, contract in certificate.contracts.items():
        lines.append(f"  {name}() is called with  {contract.requires}")
        lines.append(f"  {name}() ensures  {contract.ensures}")
    return "\n".join(lines)


def _one_a_line(conjunction: str) -> str:
    """A long conjunction, broken where its parts meet."""
    return conjunction.replace(") && (", ")\n&& (").replace("\n", "\n   ")


def _excuse(outcome: Outcome) -> str | None:
    """Why a compiled program may go another way than the interpreter, if there is a reason."""
    if any(met.kind == "uninitialised" for met in outcome.undefined):
        return "the run depends on memory that is read before it is written"
    if outcome.undefined:
        return f"undefined behaviour on the way: {outcome.undefined[0]}"
    return None
