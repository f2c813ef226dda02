"""Runs of a C program with chosen inputs: zeros first, then random ones, longer from round to round.

Where there is a C compiler the compiled program searches, too (:mod:`native`), some hundred
times faster; what it finds is run by the interpreter before it counts.

A run that reaches the error is handed on as the list of what it drew (:class:`InputTrace`); it is
run again when the answer is confirmed. Runs that do something undefined on the way count for
nothing, except that reading what was never written is drawing a value. A program that draws
nothing has only one run; if that ends, it is a proof (:class:`OnlyRun`), unless the run saw something
that C leaves open, such as where the machine puts things (``Outcome.unspecified``).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import count, cycle, islice

from revet.budget import Budget
from revet.checker.only_run import ObservedRun, next_choices
from revet.frontends.c.ast import CProgram
from revet.frontends.c.harness import NotExpressible
from revet.frontends.c.interpret.draws import Draws
from revet.frontends.c.interpret.outcome import Outcome
from revet.frontends.c.native.search import ENDED, REACHED, Died, NativeSearch, Report
from revet.frontends.c.processes import NotRun
from revet.frontends.c.run_inputs import (
    Choices,
    Constants,
    Continued,
    Guesses,
    Listed,
    Typed,
    leaves_zeros,
    text_of,
)
from revet.result import FewRuns, InputTrace, OnlyRun, Safe, Unknown, Unsafe, Verdict

Run = Callable[[Draws, int, float], Outcome]
"""Interprets the program: draws, most steps, most seconds."""

Name = Callable[[Outcome], str | None]
"""The property that a run breaks; None if it is not one of those asked for."""

_STEPS = (20_000, 400_000, 20_000_000)
_BLOCKS = (20_000, 400_000, 10_000_000)  # of a compiled run; the interpreter has no time for longer ones
_FEW = 256  # runs that are made one after the other to see them all
_SLICE = 0.05  # seconds of a compiled search between two looks at the clock
_SHORTENING = 2_000_000  # steps of runs with parts of a text that leads to an error
_REFUTED = 50  # hints that came to nothing, after which compiled runs are no longer trusted


@dataclass(frozen=True)
class Explorer:
    """How to run a program: interpreted, and compiled (``native``) where that can be done.

    ``only_error`` is the property that any violation breaks, if there is no more than one;
    ``undefined_errors`` are kinds of undefined behaviour that are violations. ``first_seed``: of random
    inputs; another one for each portion of a question, so that no run is made twice."""

    tree: CProgram
    run: Run
    name: Name
    budget: Budget
    constants: Constants
    native: Callable[[], AbstractContextManager[NativeSearch]] | None = None
    only_error: str | None = None
    undefined_errors: Collection[str] = ()
    first_seed: int = 2

    def explore(self) -> Verdict:
        """See the module's text."""
        plan = _plan(self.first_seed)
        if self.native is None:
            return self._interpreted(plan) or _never()
        verdict = self.alone() or self._interpreted(islice(plan, 2))  # before a compiler reads its headers
        if verdict is not None:
            return verdict
        try:
            with self.native() as search:
                return self._both(search, plan)
        except (NotRun, NotExpressible, Died):
            return self._interpreted(plan) or _never()

    # ---- interpreted ----------------------------------------------------------------------

    def alone(self) -> Verdict | None:
        """The run with zeros, if it asks for nothing: it may be the only one. If it asks for choices between
        two values only, the others too, as long as they are few and short."""
        choices: tuple[int, ...] | None = ()
        runs = steps = 0
        while choices is not None:
            self.budget.poll()
            inputs = Choices(choices)
            outcome = self.run(inputs, _STEPS[1] - steps, self._left(None))
            run = observed(outcome, inputs.count, tuple(inputs.alternatives))
            if run.flaw is not None:
                return self._violation(outcome, inputs)
            runs, steps = runs + 1, steps + run.steps
            if runs == _FEW or steps >= _STEPS[1]:
                return None
            choices = next_choices(choices, run.alternatives)
        return Safe(FewRuns(runs, steps) if run.alternatives else OnlyRun(steps))

    def _violation(self, outcome: Outcome, guesses: Guesses) -> Unsafe | None:
        if outcome.kind != "error" or not self._harmless(outcome):
            return None
        violated, drawn = self.name(outcome), guesses.drawn
        if violated is None:
            return None
        return Unsafe(InputTrace(tuple(drawn.calls), tuple(drawn.memory), violated, outcome.steps))

    def _interpreted(self, plan: Iterable[tuple[int, int]], seconds: float | None = None) -> Verdict | None:
        """Runs by the plan, for so long at most; None if they came to nothing."""
        ends = None if seconds is None else time.monotonic() + seconds
        for seed, steps in plan:
            self.budget.poll()
            guesses = Guesses(seed, self.constants)
            outcome = self.run(guesses, steps, self._left(seconds))
            verdict = self._judge(outcome, guesses)
            if isinstance(verdict, Unsafe):
                return self._shortened(verdict)
            if verdict is not None:
                return verdict
            if ends is not None and time.monotonic() > ends:
                break
        return None

    def _shortened(self, found: Unsafe) -> Unsafe:
        """The same violation after less text, where text is all that the run asks for: pieces are left out,
        half of it first, then smaller ones (Zeller and Hildebrandt: Simplifying and isolating
        failure-inducing input)."""
        assert isinstance(found.trace, InputTrace)
        text, left = text_of(found.trace), _SHORTENING
        size = 0 if text is None else len(text)
        while text is not None and (size := size // 2):
            at = 0
            while at < len(text) and left > 0:
                self.budget.poll()
                guesses = Typed(shorter := text[:at] + text[at + size :])
                outcome = self.run(guesses, min(left, found.trace.steps), self._left(None))
                left -= outcome.steps
                again = self._violation(outcome, guesses)
                if again is not None and again.trace.violated == found.trace.violated:
                    found, text = again, shorter
                else:
                    at += size
        return found

    def _left(self, seconds: float | None) -> float:
        left = self.budget.remaining()
        return min(60.0 if left is None else left, 60.0 if seconds is None else seconds)

    def _judge(self, outcome: Outcome, guesses: Guesses) -> Verdict | None:
        if outcome.kind == "unsupported":
            return Unknown(f"the interpreter stops: {outcome.message}")
        if outcome.kind == "error" or not self._harmless(outcome):
            return self._violation(outcome, guesses)
        run = observed(outcome, guesses.count)
        if run.flaw is None:
            return Safe(OnlyRun(outcome.steps))
        same = run.ended == "exit" and not run.drawn and not outcome.orders  # whatever is guessed
        return Unknown(run.flaw) if same and outcome.unspecified else None

    def _harmless(self, outcome: Outcome) -> bool:
        return harmless(outcome, self.undefined_errors)

    # ---- compiled -------------------------------------------------------------------------

    def _both(self, search: NativeSearch, plan: Iterator[tuple[int, int]]) -> Verdict:
        """The compiled program first, then both in turns that become longer."""
        report = search.zeros(_BLOCKS[-1])
        verdict = self._believed(report)
        if verdict is None and not report.drawn and report.how == ENDED:
            # It draws nothing: the run is the only one, a proof; or it reads variables before they are
            # written, in which the compiled program always has zeros. So no zeros are tried here.
            others = ((seed, _STEPS[-1]) for seed, _ in plan if not leaves_zeros(seed))
            return self._interpreted(others) or _never()
        refuted, ways = 0, _Ways(search)
        for round_ in count():
            ends = time.monotonic() + 0.3 * 2**round_
            for limit in cycle(_BLOCKS[: 1 + round_]):
                if verdict is not None:
                    return verdict
                self.budget.poll()
                if refuted > _REFUTED or time.monotonic() > ends:
                    break
                report = search.runs(limit, _SLICE)
                verdict = self._believed(report)
                refuted += report.how == REACHED
            verdict = verdict or self._interpreted(plan, 0.1 * 2**round_)
            verdict = verdict or self._with_memory(ways, report.kept, 0.2 * 2**round_)
        return _never()

    def _with_memory(self, ways: _Ways, kept: int, seconds: float) -> Verdict | None:
        """Compiled runs have zeros in uninitialised variables; the interpreter tries other values on
        the ways that they found, once on each, and again on those that read such a variable."""
        ends = time.monotonic() + seconds
        for seed, entry in ways.turns(kept, time.monotonic() + seconds / 2):
            self.budget.poll()
            guesses = Continued(seed, self.constants, ways.search.kept(entry))
            outcome = self.run(guesses, _STEPS[0], self._left(seconds))
            if any(met.kind == "uninitialised" for met in outcome.undefined):
                ways.depending[entry] = None
            verdict = self._judge(outcome, guesses)
            if verdict is not None or time.monotonic() > ends:
                return verdict
        return None

    def _believed(self, report: Report) -> Verdict | None:
        """What a compiled run found, if the interpreter reaches the error too. Long runs are left to
        the confirmation of the answer: it runs them anyway, and one that ends otherwise is rare."""
        if report.how != REACHED:
            return None
        hint = InputTrace(report.calls, (), self.only_error or "", report.steps)
        quick = _STEPS[1] if self.only_error is not None else _STEPS[2]
        outcome = self.run(Listed(hint), quick, self._left(None))
        if outcome.kind == "limit" and self.only_error is not None and self._harmless(outcome):
            return Unsafe(hint)
        violated = self.name(outcome) if outcome.kind == "error" and self._harmless(outcome) else None
        return Unsafe(replace(hint, violated=violated, steps=outcome.steps)) if violated else None


@dataclass
class _Ways:
    """The inputs that compiled runs have kept: which ones the interpreter has followed, and which of
    them lead to variables that are read before they are written."""

    search: NativeSearch
    followed: int = 0
    depending: dict[int, None] = field(default_factory=dict)
    seeds: Iterator[int] = field(default_factory=lambda: count(3))

    def turns(self, kept: int, until: float) -> Iterator[tuple[int, int]]:
        """Seeds and entries: those not yet followed, until then; the depending ones after that."""
        while self.followed < kept and time.monotonic() < until:
            self.followed += 1
            yield next(self.seeds), self.followed - 1
        while self.depending:
            for entry in list(self.depending):
                yield next(self.seeds), entry


def _never() -> Verdict:
    raise AssertionError("the plan has no end")


def _plan(first: int) -> Iterator[tuple[int, int]]:
    """Seeds and most steps: the first two inputs with more and more steps, then new ones from ``first`` on,
    some of each length, for longer from round to round."""
    seeds = count(first)
    for round_ in count():
        for steps in _STEPS:
            slice_ends = time.monotonic() + 0.1 * 2**round_
            if not round_:
                yield 0, steps
                yield 1, steps
            while True:
                yield next(seeds), steps
                if time.monotonic() > slice_ends:
                    break


def harmless(outcome: Outcome, errors: Collection[str] = ()) -> bool:
    """Nothing undefined on the way, but for values that were never written, and for what is the
    error itself (kinds of undefined behaviour at which the run stops)."""
    return all(met.kind == "uninitialised" or met.kind in errors for met in outcome.undefined)


def observed(outcome: Outcome, draws: int, alternatives: tuple[int, ...] = ()) -> ObservedRun:
    """What was seen of a run that was given nothing; whether it proves anything, the checker says. An object
    with any contents counts as a value that was asked for."""
    met = tuple(one.kind for one in outcome.undefined)
    open_choices = (*outcome.orders, *outcome.unspecified)
    asked = draws + len(outcome.objects)
    return ObservedRun(outcome.kind, asked, met, open_choices, outcome.steps, alternatives)
