"""Both sides are run with the same inputs, and compared.

The compiled side is the search of ``native/``: one process that makes run after run. Its stubs give
what functions without a body return; memory that is not initialised holds zeros, on both sides.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from revet.budget import Budget, OutOfBudget
from revet.errors import ModelError, Position
from revet.frontends.c import ast
from revet.frontends.c.checks import Check
from revet.frontends.c.harness import NotExpressible
from revet.frontends.c.interpret import Recorded, run
from revet.frontends.c.interpret.draws import Mismatch
from revet.frontends.c.library import Treatment, rows
from revet.frontends.c.library.conventions import FAILURE, MODEL_DRAWS
from revet.frontends.c.native.build import Checkpoints
from revet.frontends.c.native.search import Died, native_search
from revet.frontends.c.native.stubs import known
from revet.frontends.c.processes import RESERVE, NotRun
from revet.frontends.c.run_inputs import Constants
from revet.frontends.c.sequencing import ORDER
from revet.frontends.c.symbols import harmless, in_library
from revet.frontends.c.temporary import cache_folder
from revet.frontends.c.toolchain import toolchain_for
from revet.frontends.c.types import CType, Floating
from revet.frontends.c.validation.checkpoints import DECLARATIONS, Terms, checkpoints, instrumented
from revet.frontends.c.validation.compare import difference
from revet.frontends.c.validation.remember import Kept, keep, place_of, recall
from revet.frontends.c.validation.runs import Automaton
from revet.frontends.c.validation.steering import Guessed, Planned, Steering
from revet.frontends.c.walk import all_expressions, statements
from revet.logic.values import default_value
from revet.result.certificate import LocationInvariants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from revet.frontends.c.interpret.draws import Draw
    from revet.frontends.c.lower.program import Lowered
    from revet.frontends.c.native.search import NativeSearch
    from revet.frontends.c.validation.runs import ModelRun
    from revet.logic.sorts import Sort
    from revet.logic.terms import Term
    from revet.logic.values import Value
    from revet.model.cfa import Edge, Location
    from revet.result.certificate import Certificate

SILENT = frozenset((
    "printf", "puts", "putchar", "fprintf", "vprintf", "putc", "fputc", "fputs", "fflush", "perror",
))
_EDGES, _FULL_EDGES = 400, 4000  # of one run
_RUNS, _FULL_RUNS = 60, 400
_IDLE = 12  # runs without a new branch, after which there is no more to see
_PATIENCE = 1.0  # seconds on the clock beyond those of the processor
_BLOCKS = 1_000_000  # of a compiled run


@dataclass(frozen=True, slots=True)
class Validation:
    """What came of it: ``status`` is validated, not validated or different."""

    status: str
    reason: str = ""
    runs: int = 0
    covered: int = 0
    branches: int = 0

    def __str__(self) -> str:
        if self.status == "validated":
            share = 100 * self.covered // self.branches if self.branches else 100
            runs = "1 run" if self.runs == 1 else f"{self.runs} runs"
            return f"translation validated on {runs}, {share} % of the branches"
        if self.status == "not validated":
            return f"translation not validated: {self.reason}"
        return f"the translation differs from the compiled program: {self.reason}"


class Refused(Exception):
    """Why a program is not validated."""


@dataclass(eq=False)
class Validator:
    """Validates one lowered program."""

    tree: ast.CProgram
    lowered: Lowered
    entry: str
    errors: tuple[str, ...]
    before: Callable[[Sort], Value] = default_value
    """See :class:`Automaton`."""

    def validate(self, certificate: Certificate | None, seconds: float, full: bool = False) -> Validation:
        """Within so many seconds of processor time, and one more on the clock: a machine that is busy
        with other things is no reason to do without. ``full``: with more and longer runs."""
        budget = _Allowance(seconds)
        try:
            self._require_comparable()
            plain = not full and self.before is default_value
            place = place_of(self.tree, self.lowered, self.entry) if plain else None
            kept = recall(place)
            if kept is not None:
                return Validation("validated", "", kept.runs, kept.covered, kept.branches)
            found = self._compare(certificate, budget, full)
            if found.status == "validated":
                keep(place, Kept(found.runs, found.covered, found.branches))
            return found
        except (Refused, NotRun, NotExpressible) as problem:
            return Validation("not validated", str(problem))
        except ModelError as problem:
            return Validation("not validated", f"the model cannot be run: {problem}")
        except Died:
            return Validation("not validated", "the compiled program destroyed what watches it")
        except OutOfBudget:
            return Validation("not validated", f"no time is left ({seconds:.1f} s)")

    # ---- what can be compared -----------------------------------------------------------------

    def _require_comparable(self) -> None:
        if not self.lowered.precise:
            raise Refused("the model is an approximation")
        orders = self.lowered.orders
        several = [unit for unit in orders.units.values() if len(unit.orders) > 1 and not unit.same]
        if several or (orders.units and orders.chosen != "any"):
            raise Refused("several orders of evaluation make a difference, and a compiled run has only one")
        if self.lowered.layout.storage.shows_addresses:
            raise Refused("addresses are numbers in this program")
        for function in self.tree.functions.values():
            self._require_unused_counts(function)
            for expression in all_expressions(function.body):
                if isinstance(expression, ast.FunctionRef):
                    self._require_known(expression.name)

    def _require_unused_counts(self, function: ast.FunctionDef) -> None:
        """What printing functions return is not compared: they print nothing here."""
        plain = {s.expression for s in statements(function.body) if isinstance(s, ast.Evaluate)}
        plain |= {one.operand for one in list(plain) if isinstance(one, ast.Cast)}
        for expression in all_expressions(function.body):
            called = expression.function if isinstance(expression, ast.Call) else None
            if isinstance(called, ast.FunctionRef) and called.name in SILENT and expression not in plain:
                raise Refused(f"the result of {called.name}() is used")

    def _require_known(self, name: str) -> None:
        if name in self.tree.functions or name in self.errors or name in SILENT:
            return
        row = rows().get(name)
        exact = row is None or row.treatment is Treatment.EXACT
        if in_library(name) and not known(name) and not (harmless(name) and exact):
            raise Refused(f"{name}() is not compared with the C library")

    # ---- running both -------------------------------------------------------------------------

    def _compare(self, certificate: Certificate | None, budget: Budget, full: bool) -> Validation:
        terms, constants = Terms(self.lowered), Constants.of(self.tree)
        found = checkpoints(self.tree, terms)
        if not found:
            raise Refused("there is no place to look at")
        toolchain_for(self.tree.data_model)
        zero = SILENT | {ORDER, FAILURE}  # the first order is that of the compiler; no allocation fails there
        automaton = Automaton(self.lowered, found, terms, _invariants(certificate), zero, self.before)
        steering, made, own = Steering(automaton, constants), 0, False
        compared: set[Edge] = set()
        driven = self.tree.driver.texts if self.tree.driver is not None else {}
        sources = {
            str(Path(file).resolve()): instrumented(Path(file), found) + driven.get(number, "").encode()
            for number, file in enumerate(self.tree.files)
        }
        numbers = (constants.integers, constants.floats)
        with native_search(
            self.tree, numbers, self.entry, self.errors, "", budget,
            Checkpoints(DECLARATIONS, sources, SILENT),
        ) as search:
            for name in sorted(search.fed):
                if in_library(name):
                    raise Refused(f"{name}() is not compared with the C library")
            try:
                for model in self._runs(automaton, steering, constants, budget, full):
                    if any(call.name.startswith(MODEL_DRAWS) for call in model.calls):
                        own = True  # the real library takes these values from elsewhere
                        continue
                    problem = self._difference(search, model)
                    if problem is None:
                        made += 1
                        compared.update(model.edges)
                    elif not self._undefined(model.calls):
                        return self._report(problem, model, made)
            except OutOfBudget:
                pass
        if not made:
            raise Refused("the C library gives values that a compiled run cannot be fed" if own
                          else "no run could be compared")
        return Validation("validated", "", made, *steering.branches(compared))

    def _runs(
        self, automaton: Automaton, steering: Steering, constants: Constants, budget: Budget, full: bool
    ) -> Iterator[ModelRun]:
        """Runs of the automaton: zeros, guesses, and plans for branches that were not taken."""
        longest, most = (_FULL_EDGES, _FULL_RUNS) if full else (_EDGES, _RUNS)
        waiting: list[Guessed | Planned] = []
        idle, seeds = 0, count()
        for _ in range(most):
            budget.poll()
            inputs = waiting.pop() if waiting else Guessed(next(seeds), constants)
            model = automaton.run(inputs, longest, budget)
            before = len(steering.taken)
            steering.learn(model)
            yield model
            idle = 0 if len(steering.taken) > before else idle + 1
            waiting += steering.plans(model, budget)
            if not waiting and idle >= _IDLE:
                return

    def _difference(self, search: NativeSearch, model: ModelRun) -> str | None:
        """Where the compiled program does something else with the same inputs, if it does."""
        if model.broken:
            return model.broken
        return difference(model, search.trace(model.calls, _BLOCKS))

    def _undefined(self, calls: list[Draw]) -> bool:
        """Does C say nothing about this run? The interpreter tells; also where it gives up itself. It looks
        at alignment only if it is asked to, as the model does."""
        aligned = Check.ALIGNMENT in self.lowered.broken.values()
        outcome = run(self.tree, _Given(calls), entry=self.entry, error_functions=self.errors,
                      stop_at=("alignment",) if aligned else (), max_seconds=5.0, max_steps=2_000_000)
        return bool(outcome.undefined) or outcome.kind in ("undefined", "unsupported")

    def _report(self, problem: str, model: ModelRun, made: int) -> Validation:
        """One file with everything needed to look into it."""
        bundle = {
            "what": problem, "runs before": made, "entry": self.entry,
            "data model": self.tree.data_model.name, "arithmetic": self.lowered.arithmetic,
            "inputs": [[draw.name, str(draw.value)] for draw in model.calls],
            "compiler": toolchain_for(self.tree.data_model).name,
            "files": {str(file): Path(file).read_text(errors="replace") for file in self.tree.files},
        }
        text = json.dumps(bundle, indent=1)
        name = f"translation-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
        place = cache_folder() / "reports" / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
            where = f"please report it with {place}"
        except OSError:
            place, where = Path(), "please report it with the program"
        return Validation("different", f"{problem}; {where}", made)


class _Allowance(Budget):
    """Seconds of processor time, of this process and of those that it has waited for."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds + _PATIENCE + RESERVE)
        self._ends = _processor_time() + seconds

    @property
    def exhausted(self) -> bool:
        return super().exhausted or _processor_time() > self._ends


def _processor_time() -> float:
    return sum(os.times()[:4])


class _Given(Recorded):
    """The values of a run; zeros where it asks for more, since another run than the model's is possible."""

    def call(self, name: str, type: CType, at: Position) -> object:
        if name == ORDER:
            return 0
        try:
            return super().call(name, type, at)
        except Mismatch:
            return 0.0 if isinstance(type, Floating) else 0


def _invariants(certificate: Certificate | None) -> dict[Location, Term]:
    """Those that hold whenever a location is reached: all of them, for such a certificate."""
    return dict(certificate.formulas) if isinstance(certificate, LocationInvariants) else {}
