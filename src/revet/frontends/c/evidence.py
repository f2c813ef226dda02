"""What Revet shows for a C program: confirmed counterexamples, harnesses, sessions, witnesses.

A counterexample is confirmed twice: the interpreter of C runs the source with the trace's values
and must reach the same error; then the program is compiled with a harness of these values and
must reach it again, with the sanitizer that sees it where it is undefined behaviour.
The second is skipped with a note where it cannot be done: no compiler, a function
that a confined run cannot have, memory that is read before it is written and so cannot be given. A
compiled program that runs and does *not* reach the error refutes the trace.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from zlib import crc32

from revet.budget import Budget
from revet.checker.only_run import ObservedRun
from revet.frontends.c import libc
from revet.frontends.c.ast import CProgram
from revet.frontends.c.ast.program import spoken
from revet.frontends.c.checks import ADDRESS, GROUPS, Check
from revet.frontends.c.execute import Execution, execute, standard_input
from revet.frontends.c.explore import Explorer, harmless, observed
from revet.frontends.c.harness import NotExpressible, harness_text
from revet.frontends.c.interpret import Draws, Outcome
from revet.frontends.c.library.conventions import ALLOCATIONS, LEFT_OPEN, VOLATILE
from revet.frontends.c.library.uses import mentions
from revet.frontends.c.lower.program import Lowered
from revet.frontends.c.native.search import NativeSearch, native_search
from revet.frontends.c.property import ERROR_FUNCTIONS, specification_text
from revet.frontends.c.remarks import checked_places
from revet.frontends.c.replay import Drawing
from revet.frontends.c.run_inputs import Choices, Constants, Guesses, Listed
from revet.frontends.c.runs import SECONDS, Runs
from revet.frontends.c.session import Session
from revet.frontends.c.witness.invariants import certificate_text, loop_invariants
from revet.frontends.c.witness.violation import Waypoints
from revet.frontends.c.witness.writing import (
    Invariant,
    WitnessTask,
    invariant_witness,
    violation_witness,
)
from revet.frontends.kit.source_run import SourceInvariant, SourceRun
from revet.frontends.program import Mistranslated, ReplayFailed, run_of_source
from revet.model.cfa import Cfa
from revet.result.certificate import (
    Certificate,
    FewRuns,
    LocationInvariants,
    OnlyRun,
)
from revet.result.trace import CfaTrace, InputTrace, Trace
from revet.result.verdict import Unsafe, Verdict

_GLANCE_SECONDS, _GLANCE_STEPS = 0.3, 50_000  # of the run that is looked at for undefined behaviour
_BRIEF, _FULL, _MARGIN = 0.3, 30.0, 0.3  # seconds for validating the translation
_MOST_STEPS = 4000  # of a run in a report
_WATCHED, _BEGINNING = 200_000, 1000  # steps: of a run that is shown to its end, or else from its start


@dataclass(eq=False)
class Evidence:
    """Evidence about one lowered program. ``compile``: also confirm by compiled execution."""

    lowered: Lowered
    tree: CProgram
    property_name: str = "unreach-call"
    entry: str = "main"
    errors: tuple[str, ...] = ERROR_FUNCTIONS
    compile: bool = True
    malloc: str = "if-too-large"
    validation: str = "off"
    started: float = 0.0
    _last: tuple[Trace, Execution] | None = field(default=None, repr=False)

    @cached_property
    def runs(self) -> Runs:
        """The interpreter's runs of the program."""
        return Runs(self.lowered, self.tree, self.property_name, self.entry, self.errors, self.malloc)

    # ---- counterexamples ------------------------------------------------------------------

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        """Confirm a trace; notes about how. Raises :class:`ReplayFailed` or ``OutOfBudget``."""
        budget = budget or Budget()
        run_of = run_of_source(trace, self.lowered.open_ends)
        outcome = self.runs.follow(run_of, None, _at_most(SECONDS, budget))
        if outcome.kind == "unsupported" and not self.lowered.precise and self.compile:
            return [self._only_compiled(run_of, outcome, budget)]
        if outcome.kind == "exit" and outcome.unspecified:
            raise ReplayFailed(f"the run depends on what C leaves open: {outcome.unspecified[0]}")
        if outcome.kind != "error":
            if outcome.kind == "limit":
                budget.poll()
            where = f" at {outcome.at}" if outcome.at else ""
            message = f"{outcome.kind}{where}: {outcome.message}"
            raise ReplayFailed(f"the source does not reach the error: {message}")
        self._same_place(run_of, outcome)
        notes = ["confirmed by the interpreter of C", *outcome.orders]
        drawn = {draw.name for draw in self.runs.calls(run_of)}
        if VOLATILE in drawn:
            what = "what volatile objects hold, which only the outside can give"
            return [*notes, self._by_execution(run_of, what, budget)]
        if not drawn.isdisjoint(LEFT_OPEN):
            what = "a value that C leaves to its library or to inline assembly"
            return [*notes, self._by_execution(run_of, what, budget)]
        if outcome.unspecified:
            what = f"what C leaves open: {outcome.unspecified[0]}"
            return [*notes, self._by_execution(run_of, what, budget)]
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

    def _by_execution(self, trace: CfaTrace | InputTrace, what: str, budget: Budget) -> str:
        """The run depends on something that the standard leaves to the library (what ``strcmp`` returns
        beyond its sign) or the compiler (padding, addresses): it counts only if they show it."""
        execution = self.execution(trace, budget) if self.compile else None
        if execution is None or execution.status != "reached":
            note = execution.note if execution is not None else "the program is not compiled"
            raise ReplayFailed(f"the run depends on {what}; {note}")
        return execution.note

    def _same_place(self, trace: CfaTrace | InputTrace, outcome: Outcome) -> None:
        if isinstance(trace, InputTrace):
            self._as_explored(trace, outcome)
        wanted = trace.locations[-1].position if isinstance(trace, CfaTrace) else None
        if wanted is None or outcome.at is None or outcome.broken:
            return
        if wanted != outcome.at:
            raise ReplayFailed(f"the source reaches the error at {outcome.at}, the model at {wanted}")

    def _as_explored(self, trace: InputTrace, outcome: Outcome) -> None:
        """A run that was found by running, perhaps compiled: all depends on this one."""
        if not harmless(outcome, self.runs.stops):
            raise ReplayFailed(f"undefined behaviour on the way: {outcome.undefined[0]}")
        if self.runs.violated(outcome) != trace.violated:
            raise ReplayFailed(f"the source reaches another error, at {outcome.at}")

    def _confirm_compiled(self, trace: CfaTrace | InputTrace, outcome: Outcome, budget: Budget) -> str:
        unseen = _unseen(outcome)
        if self.runs.failures(trace) and not self._can_fail:
            unseen = "an allocation fails inside of the C library"
        if unseen is not None:
            return f"not confirmed by execution: {unseen}"
        execution = self.execution(trace, budget)
        if execution.status != "missed":
            return execution.note
        reason = _not_given(outcome)
        if reason is None and outcome.broken not in ("", "overflow", "division"):
            reason = "the compiler's instrumentation does not see all of this kind"
        if reason is None and (execution.code is None or execution.code < 0):
            reason = "the machine's limits"  # ran out of time, or was ended by a signal
        if reason is None:
            why = self._explanation(trace, outcome, budget)
            raise ReplayFailed(f"{execution.note}, though the interpreter reaches the error{why}")
        return f"not confirmed by execution: {execution.note} ({reason})"

    def _explanation(self, trace: CfaTrace | InputTrace, outcome: Outcome, budget: Budget) -> str:
        """Why a compiled program may go another way, if C has a reason. Watching every statement
        takes time, so it is done only where a difference must be explained."""
        if outcome.undefined:
            return f": undefined behaviour on the way, {outcome.undefined[0]}"
        drawing = Drawing()
        self.runs.follow(trace, drawing, _at_most(SECONDS, budget))
        return f": depends on the order of evaluation at {drawing.several}" if drawing.several else ""

    def execution(self, trace: Trace, budget: Budget | None = None) -> Execution:
        """Compile and run; remembered, because the harness is asked for afterwards."""
        if self._last is None or self._last[0] is not trace:
            run_of = run_of_source(trace, self.lowered.open_ends)
            outcome = self.runs.follow(run_of, None)
            broken = outcome.broken
            execution = execute(
                self.tree, self.runs.calls(run_of), entry=self.entry,
                error_functions=() if broken else self.runs.error_functions, sanitizers=_sanitizers(broken),
                seconds=5, budget=budget or Budget(), objects=outcome.objects,
                failures=self.runs.failures(run_of),
            )
            self._last = (trace, self._elsewhere(execution, outcome))
        return self._last[1]

    def _elsewhere(self, execution: Execution, outcome: Outcome) -> Execution:
        """A run that violates another assertion than the interpreter's confirms nothing."""
        asserted = {
            place.position.line for place, check in self.lowered.broken.items()
            if check is Check.ASSERTION and place.position is not None
        }
        if outcome.at is None or execution.line in (None, outcome.at.line) or execution.line not in asserted:
            return execution
        note = f"the compiled program violates another assertion, in line {execution.line}"
        return replace(execution, status="missed", note=note)

    @property
    def _can_fail(self) -> bool:
        """Can a compiled run be made to fail where it allocates? Not inside of functions of the library."""
        models = [one for one in self.tree.functions.values() if one.position.file == libc.FILE]
        return not mentions(replace(self.tree, functions={one.name: one for one in models}), ALLOCATIONS)

    def harness(self, trace: Trace) -> str:
        """The counterexample as a C file to link with the program (``--harness``)."""
        text = self.execution(trace).harness
        if text:
            return text
        calls = self.runs.calls(run_of_source(trace, self.lowered.open_ends))
        try:
            return harness_text(
                self.tree, calls, entry=self.entry, error_functions=self.runs.error_functions,
                objects=self.runs.objects(trace),
                failures=self.runs.failures(run_of_source(trace, self.lowered.open_ends)),
            )
        except NotExpressible as problem:
            raise ReplayFailed(f"no harness: {problem}") from problem

    def render_trace(self, trace: Trace) -> str:
        """The run as a debugger would show it. Of one that takes very many steps only the
        beginning: to watch it all would take longer than finding it."""
        session = Session()
        known = run_of_source(trace, self.lowered.open_ends)
        if isinstance(known, InputTrace) and known.steps > _WATCHED:
            self.runs.interpret(Listed(known), session, SECONDS, _BEGINNING)
            return session.beginning(f"{known.steps} steps in all; then it breaks {known.violated}")
        outcome = self.runs.follow(known, session)
        return session.render(outcome, standard_input(self.runs.calls(known)))

    def source_run(self, trace: Trace) -> SourceRun:
        """The run as data, for reports."""
        session = Session(head=_MOST_STEPS // 2, tail=_MOST_STEPS // 2)
        known = run_of_source(trace, self.lowered.open_ends)
        if isinstance(known, InputTrace) and known.steps > _WATCHED:
            outcome = self.runs.interpret(Listed(known), session, SECONDS, _BEGINNING)
            return session.source_run(outcome).cut_off(known.steps, known.violated)
        outcome = self.runs.follow(known, session)
        return session.source_run(outcome, standard_input(self.runs.calls(known)))

    def violation_witness(self, trace: Trace) -> str:
        """An SV-COMP violation witness 2.0."""
        waypoints = Waypoints(self.tree, self.entry)
        outcome = self.runs.follow(run_of_source(trace, self.lowered.open_ends), waypoints)
        return violation_witness(self._task(), waypoints.finished(outcome))

    # ---- certificates ---------------------------------------------------------------------

    def render_certificate(self, certificate: Certificate) -> str:
        """The invariants at the source's loop heads, in C."""
        return certificate_text(self.lowered, self.tree, certificate)

    def source_invariants(self, certificate: Certificate) -> list[SourceInvariant]:
        """The loop invariants in C, for reports."""
        return [
            SourceInvariant(found.value, f"loop in {spoken(found.function or '')}()", found.at)
            for found in self._invariants(certificate)
        ]

    def _invariants(self, certificate: Certificate) -> list[Invariant]:
        if not isinstance(certificate, LocationInvariants):
            return []
        return list(loop_invariants(self.lowered, self.tree, certificate).invariants)

    def validate(self, certificate: Certificate, budget: Budget) -> str | None:
        """Compare the model with the compiled program, for 0.3 s or a tenth of the time so far, within the
        budget; what came of it in words. Raises :class:`Mistranslated` where they differ."""
        if self.validation == "off" or not self.compile or not self.lowered.cfa.errors:
            return None
        if any(self.lowered.broken[one] is Check.ASSERTION for one in self.lowered.accepted):
            return "translation not validated: an assertion that fails is accepted"
        from revet.frontends.c.validation.validate import Validator

        full = self.validation == "full"
        seconds = _FULL if full else max(_BRIEF, 0.1 * (time.monotonic() - self.started))
        left = budget.remaining()
        seconds = seconds if left is None else min(seconds, max(0.0, left - _MARGIN))
        validator = Validator(self.tree, self.lowered, self.entry, self.runs.error_functions)
        found = validator.validate(certificate, seconds, full)
        if found.status == "different":
            raise Mistranslated(str(found))
        return str(found)

    def correctness_witness(self, certificate: Certificate) -> str:
        """An SV-COMP correctness witness 2.0; without invariants if the proof has none."""
        return invariant_witness(self._task(), self._invariants(certificate))

    # ---- parts ----------------------------------------------------------------------------

    def _task(self) -> WitnessTask:
        driver = self.tree.driver
        entry = driver.entry if driver is not None else self.entry
        specification = specification_text(self.property_name, entry, self.errors)
        return WitnessTask(self.tree.files, specification, self.tree.data_model.name)

    # ---- what an answer leaves out ----------------------------------------------------------

    def remarks(self, model: Cfa, verdict: Verdict) -> list[str]:
        """How many places are checked, whether any run gets there, and what a run does that the answer
        assumes no run to do."""
        found = checked_places(model, verdict, self.lowered, self.runs.checks)
        if not isinstance(verdict, Unsafe) and not isinstance(
            getattr(verdict, "certificate", None), OnlyRun | FewRuns
        ):
            zeros = Guesses(0, Constants((0,), (0.0,)))
            outcome = self.runs.interpret(zeros, None, _GLANCE_SECONDS, _GLANCE_STEPS)
            found += [
                f"warning: undefined behaviour in the run with zeros as inputs, which no answer covers: {met}"
                for met in outcome.undefined if met.kind != "uninitialised"
            ]
        return found

    # ---- runs without a model ---------------------------------------------------------------

    def explorer(self, wanted: Collection[str], budget: Budget, native: bool = True) -> Explorer:
        """Runs with zeros and random inputs; see :mod:`explore`."""
        constants = Constants.of(self.tree)
        errors = [error.name for error in self.lowered.cfa.errors]

        def run_with(draws: Draws, steps: int, seconds: float) -> Outcome:
            return self.runs.interpret(draws, None, seconds, steps)

        def violated(outcome: Outcome) -> str | None:
            name = self.runs.violated(outcome)
            return name if name in wanted else None

        def search() -> AbstractContextManager[NativeSearch]:
            numbers = (constants.integers, constants.floats)
            errors = self.runs.error_functions
            return native_search(self.tree, numbers, self.entry, errors, self._trap, budget)

        alone = len(errors) == 1 and not self.lowered.accepted
        only = errors[0] if alone and errors[0] in wanted else None
        return Explorer(
            self.tree, run_with, violated, budget, constants,
            search if native and self.compile and self._searchable else None, only, self.runs.stops,
            2 + (crc32(self.property_name.encode()) << 32),
        )

    @property
    def _searchable(self) -> bool:
        """Can compiled runs find errors? Calls of a function, or what UBSan traps; the interpreter then says
        which error it is, if it is one."""
        seen = bool(self._trap) or Check.ASSERTION in self.runs.checks
        return seen and (self.malloc != "may-fail" or not mentions(self.tree, ALLOCATIONS))

    @property
    def _trap(self) -> str:
        """The parts of UBSan that see what is checked."""
        if self.runs.checks == GROUPS["overflow"]:
            return "signed-integer-overflow"
        found = (one.kind.sanitizer for one in Check if one in self.runs.checks)
        return ",".join(dict.fromkeys(name for name in found if name not in (None, ADDRESS)))

    def only_run(self, budget: Budget, choices: tuple[int, ...] = ()) -> ObservedRun:
        """The run of the program that is given nothing but these choices."""
        draws = Choices(choices)
        outcome = self.runs.interpret(draws, None, _at_most(SECONDS, budget))
        if outcome.kind == "limit":
            budget.poll()
        return observed(outcome, draws.count, tuple(draws.alternatives))


def _at_most(seconds: float, budget: Budget) -> float:
    left = budget.remaining()
    return seconds if left is None else min(seconds, left)


def _sanitizers(broken: str) -> tuple[str, ...]:
    """The parts of UBSan that see a kind of undefined behaviour."""
    found = (check.kind.sanitizer for check in Check if check.kind.undefined == broken)
    return tuple(dict.fromkeys(name for name in found if name is not None and broken))


def _unseen(outcome: Outcome) -> str | None:
    """Why a compiled program does not tell that it does this, if it does not."""
    if outcome.broken and outcome.inside and outcome.broken != Check.FREE.kind.undefined:
        return "it happens inside of the C library"  # abs(INT_MIN), say
    if not outcome.broken or _sanitizers(outcome.broken):
        return None
    return "LeakSanitizer looks at a program from another process, which a confined run cannot have"


def _not_given(outcome: Outcome) -> str | None:
    """What the interpreter's run had and a compiled one cannot be given, if there is something."""
    if any(met.kind == "uninitialised" for met in outcome.undefined):
        return "the run depends on memory that is read before it is written"
    if outcome.orders:
        return "the run depends on the order of evaluation"
    return None
