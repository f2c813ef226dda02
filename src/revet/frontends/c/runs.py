"""Runs of a C program by its interpreter: with the values of a trace, or with others."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from revet.frontends.c.ast import CProgram
from revet.frontends.c.checks import Check, named_checks, undefined_kinds
from revet.frontends.c.interpret import Codes, Draw, Draws, Outcome, Recorder, run
from revet.frontends.c.library.conventions import FAILURE, OBJECT
from revet.frontends.c.lower.program import Lowered
from revet.frontends.c.replay import inputs_of
from revet.frontends.c.run_inputs import Listed
from revet.frontends.c.sequencing import ORDER
from revet.frontends.program import run_of_source
from revet.result.trace import CfaTrace, InputTrace, Trace

SECONDS = 20.0
_STEPS = 60_000_000


@dataclass(eq=False)
class Runs:
    """Runs of one lowered program, as the property looks at them."""

    lowered: Lowered
    tree: CProgram
    property_name: str
    entry: str
    errors: tuple[str, ...]
    malloc: str
    _listed: tuple[Trace, Listed] | None = field(default=None, repr=False)

    @cached_property
    def checks(self) -> frozenset[Check]:
        """What the property asks for."""
        return named_checks(self.property_name)

    @cached_property
    def _codes(self) -> Codes:
        return Codes(self.tree, self.lowered.orders.units, Check.ALIGNMENT in self.checks)

    @property
    def stops(self) -> tuple[str, ...]:
        """Kinds of undefined behaviour that are the error."""
        return undefined_kinds(self.checks)

    @property
    def error_functions(self) -> tuple[str, ...]:
        """Functions whose call is the error."""
        return self.errors if Check.ASSERTION in self.checks else ()

    def calls(self, trace: CfaTrace | InputTrace) -> list[Draw]:
        """What functions without a body return, in order; which order it is, is the compiler's choice."""
        return [draw for draw in self._given(trace) if draw.name not in (ORDER, FAILURE)]

    def _given(self, trace: CfaTrace | InputTrace) -> list[Draw]:
        if isinstance(trace, CfaTrace):
            given = inputs_of(self.lowered, trace).calls
        else:
            if self._listed is None or self._listed[0] is not trace:
                self.follow(trace, None)
            assert self._listed is not None
            given = self._listed[1].given
        return given

    def failures(self, trace: CfaTrace | InputTrace) -> tuple[bool, ...]:
        """Which allocations fail, in the order of the run; empty if none does."""
        found = tuple(bool(draw.value) for draw in self._given(trace) if draw.name == FAILURE)
        return found if any(found) else ()

    def objects(self, trace: Trace) -> tuple[bytes, ...]:
        """What the objects that a run makes with any contents (``revet_any_object``) hold."""
        if OBJECT not in self.tree.declared:
            return ()
        return self.follow(run_of_source(trace, self.lowered.open_ends), None).objects

    def follow(
        self, trace: CfaTrace | InputTrace, recorder: Recorder | None, seconds: float = SECONDS
    ) -> Outcome:
        """The run of the source with the values of a trace."""
        if isinstance(trace, CfaTrace):
            return self.interpret(inputs_of(self.lowered, trace).recorded(), recorder, seconds)
        listed = Listed(trace)
        self._listed = (trace, listed)
        return self.interpret(listed, recorder, seconds)

    def interpret(
        self, draws: Draws, recorder: Recorder | None, seconds: float, steps: int = _STEPS
    ) -> Outcome:
        """A run of the source with values from ``draws``. What is accepted is no error: a run ends there."""
        outcome = run(
            self.tree, draws, entry=self.entry, error_functions=self.error_functions, recorder=recorder,
            stop_at=self.stops, malloc=self.malloc, codes=self._codes, max_seconds=seconds,
            max_steps=steps,
        )
        return replace(outcome, kind="undefined") if self._accepted(outcome) else outcome

    def _accepted(self, outcome: Outcome) -> bool:
        """Did the run end at an error that a comment in the source accepts?"""
        if outcome.kind != "error" or outcome.at is None:
            return False
        return any(
            one.position is not None and self.lowered.broken[one].kind.undefined == outcome.broken
            and (one.position.file, one.position.line) == (outcome.at.file, outcome.at.line)
            for one in self.lowered.accepted
        )

    def violated(self, outcome: Outcome) -> str | None:
        """The model's name for the error that a run reached."""
        errors = self.lowered.cfa.errors
        if len(errors) == 1:
            return errors[0].name
        if outcome.at is None:
            return None
        here = (outcome.at.file, outcome.at.line)
        alike = [e for e in errors if self.lowered.broken[e].kind.undefined == outcome.broken]
        found = [e for e in alike if e.position and (e.position.file, e.position.line) == here]
        exact = [e for e in found if e.position == outcome.at]  # of several assertions in a line
        if outcome.broken in ("leak", "cleanup"):
            found = found or alike  # found at the end, wherever the run ended
        return (exact or found)[0].name if found else None
