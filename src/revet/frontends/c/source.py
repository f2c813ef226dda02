"""A C program as the rest of Revet sees it: its automaton, and its evidence in terms of the source."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from revet.budget import Budget
from revet.checker.only_run import ObservedRun
from revet.frontends.c.accepted import accept
from revet.frontends.c.ast import CProgram
from revet.frontends.c.checks import Check, named_checks
from revet.frontends.c.entry.driver import COMMAND_LINE
from revet.frontends.c.library.conventions import CHARACTER
from revet.frontends.c.library.uses import asks_for_values
from revet.frontends.c.lower.procedures import has_procedures, lower_procedures
from revet.frontends.c.lower.program import Lowered, lower
from revet.frontends.c.options import Options
from revet.frontends.kit.deep import at_any_depth
from revet.frontends.kit.source_run import SourceInvariant, SourceRun
from revet.frontends.program import (
    Divides,
    Explores,
    HasOnlyRun,
    HasProcedures,
    KnowsWeaknesses,
    Property,
    Remarks,
    TellsInvariants,
    TellsRuns,
    ValidatesTranslation,
    Weakness,
    WritesHarness,
    WritesWitnesses,
)
from revet.model.procedures import Procedures
from revet.result.certificate import Certificate
from revet.result.trace import Trace
from revet.result.verdict import Safe, Unsafe, Verdict

if TYPE_CHECKING:
    from typing import Self

    from revet.errors import Unsupported
    from revet.frontends.c.evidence import Evidence
    from revet.model.cfa import Cfa
    from revet.model.kind import Model


class CSource(
    Divides, TellsRuns, TellsInvariants, Explores, HasOnlyRun, HasProcedures, ValidatesTranslation,
    WritesWitnesses, WritesHarness, Remarks, KnowsWeaknesses,
):
    """``expected`` is the verdict that the SV-COMP task definition names, if there is one."""

    language = "C"

    _left_out_because = ""
    model: Cfa

    def __init__(
        self, tree: CProgram, lowered: Lowered, options: Options, paths: Sequence[Path],
        expected: bool | None = None,
    ) -> None:
        assumptions = (*_compiled_as(options, paths), *lowered.assumptions)
        super().__init__(
            lowered.cfa, paths, assumptions, precise=lowered.precise, open_ends=lowered.open_ends
        )
        self._started = time.monotonic()
        self.tree = tree
        self.lowered = lowered
        self.options = options
        self.expected = expected
        self.recursive = has_procedures(tree, options)

    def ask_in_portions(self, groups: tuple[str, ...]) -> None:
        """These groups of checks are what is asked, and may be asked one by one."""
        present = frozenset(self.lowered.broken.values())
        self.portions = tuple(name for name in groups if not present.isdisjoint(named_checks(name)))

    def portion(self, name: str) -> CSource:
        """Lowered for this group alone: what only the others need is not in the model."""
        options = replace(self.options, property=name)
        lowered = accept(at_any_depth(lower)(self.tree, options), self.files, options.checks)
        other = CSource(self.tree, lowered, options, self.files, self.expected)
        other._started = self._started
        other.left_out, other._left_out_because = self.left_out, self._left_out_because
        return other

    def leave_out(self, groups: tuple[str, ...], reasons: Sequence[Unsupported]) -> None:
        """These groups were asked about and cannot be checked."""
        self.left_out = groups
        self._left_out_because = "; ".join(dict.fromkeys(map(str, reasons)))

    def _about(self, model: Model) -> Self:
        other = super()._about(model)
        other.portions = ()  # which are those of all properties
        return other

    @property
    def properties(self) -> tuple[Property, ...]:
        found = []
        for error in self.model.errors:
            check = self.lowered.broken.get(error)
            if check is None:  # an end of the model
                found.append(Property(error.name, "end", error.position))
                continue
            word = "assertion" if check.label == "assert" else check.label
            found.append(Property(error.name, word, error.position, check.kind.title, check.kind.cwe))
        return tuple(found)

    @property
    def settings(self) -> dict[str, str]:
        options = self.options
        return {
            "entry": self.tree.driver.entry if self.tree.driver is not None else "main",
            "data_model": self.tree.data_model.name,
            "specification": options.property,
            "arithmetic": self.lowered.arithmetic,
        }

    @cached_property
    def evidence(self) -> Evidence:
        # The interpreter, the harness and the witnesses cost a quarter of the start-up time, and only an
        # answer needs them.
        from revet.frontends.c.evidence import Evidence

        options = self.options
        return Evidence(
            self.lowered, self.tree, options.property, self.tree.start, options.errors, malloc=options.malloc,
            validation=options.validate_translation, started=self._started,
        )

    def warm(self) -> None:
        _ = self.evidence

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        return self.evidence.replay(trace, budget)

    def render_trace(self, trace: Trace) -> str:
        return self.evidence.render_trace(trace)

    def source_run(self, trace: Trace) -> SourceRun:
        return self.evidence.source_run(trace)

    def render_certificate(self, certificate: Certificate) -> str:
        return self.evidence.render_certificate(certificate)

    def source_invariants(self, certificate: Certificate) -> list[SourceInvariant]:
        return self.evidence.source_invariants(certificate)

    @property
    def takes_inputs(self) -> bool:
        return asks_for_values(self.tree, self.options.errors)

    @property
    def reads_text(self) -> bool:
        driver = self.tree.driver
        return CHARACTER in self.tree.declared or (driver is not None and driver.file == COMMAND_LINE)

    def explore(self, wanted: Collection[str], budget: Budget, native: bool) -> Verdict:
        return self.evidence.explorer(wanted, budget, native).explore()

    def run_alone(self, wanted: Collection[str], budget: Budget) -> Verdict | None:
        return self.evidence.explorer(wanted, budget, False).alone()

    def only_run(self, budget: Budget, choices: tuple[int, ...] = ()) -> ObservedRun:
        return self.evidence.only_run(budget, choices)

    def validate(self, certificate: Certificate, budget: Budget) -> str | None:
        return self.evidence.validate(certificate, budget)

    def procedures(self) -> Procedures:
        return self._procedures

    @cached_property
    def _procedures(self) -> Procedures:
        return at_any_depth(lower_procedures)(self.tree, self.options, self.lowered.arithmetic)

    def witness(self, verdict: Verdict) -> str | None:
        """An SV-COMP witness 2.0."""
        match verdict:
            case Unsafe(trace):
                return self.evidence.violation_witness(trace)
            case Safe(certificate):
                return self.evidence.correctness_witness(certificate)
        return None

    def remarks(self, verdict: Verdict) -> list[str]:
        found = [*self.evidence.remarks(self.model, verdict), *self.lowered.unmatched]
        if self.left_out:
            what = f"{', '.join(self.left_out)} {'are' if len(self.left_out) > 1 else 'is'} not checked"
            found.append(f"warning: {what}: {self._left_out_because}")
        return found

    def weakness(self, property: str) -> Weakness | None:
        for location, check in self.lowered.broken.items():
            if location.name == property and check is not Check.ASSERTION:
                return Weakness(check.label, check.kind.title, check.kind.cwe)
        return None

    def harness(self, trace: Trace) -> str:
        return self.evidence.harness(trace)


def _compiled_as(options: Options, paths: Sequence[Path]) -> list[str]:
    """That a compilation database was found and used."""
    if options.compile_commands is not None:
        return []
    found = {str(database): None for path in paths if (database := options.database(path)) is not None}
    return [f"files are compiled as {database} says" for database in found]
