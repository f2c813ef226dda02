"""Tests from modes: inputs for every way in which the modes of a contract can follow each other.

As KIND 2 does it, the tests are made from the specification and not from the structure of the model: two runs
are alike if the same modes are active in them at every instant (Champion, Gurfinkel, Kahsai and Tinelli,
*CoCoSpec: a mode-aware contract language for reactive systems*, SEFM 2016). The interpreter runs every test
before it is given out: the modes are those that the test is for, and the outputs are the model's answer.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from revet.analyses.questions import Asked
from revet.budget import OutOfBudget
from revet.errors import InputError, Unsupported
from revet.frontends.kit.deep import at_any_depth
from revet.frontends.lustre.inputs import written
from revet.frontends.lustre.interpret import Machine
from revet.frontends.lustre.interpret_quantifiers import Undecided
from revet.frontends.lustre.lower import Lowering
from revet.frontends.lustre.trace_oracle import TraceOracle
from revet.frontends.program import ReplayFailed
from revet.logic.core import conjunction, not_
from revet.model.unroll import Unroller
from revet.report.document import Heading, Listing, Paragraph
from revet.result.trace import SystemTrace
from revet.smt.protocol import Status
from revet.smt.z3 import Z3

if TYPE_CHECKING:
    from revet.frontends.lustre.core import Stream
    from revet.logic.terms import Term
    from revet.report.document import Block
    from revet.smt.protocol import Model, Solver

Modes = frozenset[str]


@dataclass(frozen=True)
class Test:
    """``modes``: those active at each instant; ``inputs`` and ``outputs`` as ``revet interpret`` has them."""

    modes: tuple[tuple[str, ...], ...]
    inputs: tuple[dict[str, Any], ...]
    outputs: tuple[dict[str, Any], ...]

    def __str__(self) -> str:
        return " -> ".join(" + ".join(active) or "none" for active in self.modes)


@dataclass(frozen=True)
class Tests:
    node: str
    depth: int
    modes: tuple[str, ...]
    tests: tuple[Test, ...]
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def never(self) -> tuple[str, ...]:
        """Modes that no test has."""
        active = {name for test in self.tests for now in test.modes for name in now}
        return tuple(name for name in self.modes if name not in active)

    def blocks(self) -> list[Block]:
        title = f"node {self.node}: {len(self.tests)} tests of at most {self.depth} instants"
        found: list[Block] = [Heading(title)]
        listed = tuple(f"{n}: {test}" for n, test in enumerate(self.tests, 1))
        found.append(Listing("the modes that are active", listed))
        if self.never:
            found.append(Paragraph(f"active in no test: {', '.join(self.never)}"))
        return [*found, *map(Paragraph, self.notes)]

    def data(self) -> dict[str, Any]:
        return {
            "node": self.node, "depth": self.depth, "modes": list(self.modes), "never": list(self.never),
            "notes": list(self.notes), "seconds": round(self.seconds, 3),
            "tests": [
                {
                    "modes": [list(now) for now in test.modes],
                    "inputs": list(test.inputs),
                    "outputs": list(test.outputs),
                }
                for test in self.tests
            ],
        }

    def dot(self) -> str:
        """The combinations of modes by instant, and which follow each other."""
        edges: dict[tuple[tuple[int, str], tuple[int, str]], None] = {}
        for test in self.tests:
            names = [(n, " + ".join(now) or "none") for n, now in enumerate(test.modes)]
            edges.update(dict.fromkeys(pairwise(names)))
            edges.setdefault((names[0], names[0]), None)
        places = {place: f"m{k}" for k, place in enumerate(dict.fromkeys(p for edge in edges for p in edge))}
        lines = [f'  {name} [label="{n}: {label}"];' for (n, label), name in places.items()]
        lines += [f"  {places[a]} -> {places[b]};" for a, b in edges if a != b]
        return "\n".join(["digraph modes {", *lines, "}", ""])


@at_any_depth
def mode_tests(
    path: Path, node: str | None = None, depth: int = 3, limit: int = 100, timeout: float | None = None
) -> Tests:
    """A test for every sequence of ``depth`` combinations of modes, or up to where the assumptions leave no
    way on; at most ``limit`` of them, which is then noted."""
    start = time.monotonic()
    search = _Search(Asked(path, node, timeout), depth, limit)
    try:
        search.explore(())
    except OutOfBudget:
        search.notes.append("time is up: there may be other tests")
    names = tuple(search.modes)
    seconds = time.monotonic() - start
    return Tests(search.asked.node, depth, names, tuple(search.tests), tuple(search.notes), seconds)


class _Search:
    """Depth first over the combinations of modes; one solver holds the steps."""

    def __init__(self, asked: Asked, depth: int, limit: int) -> None:
        self.asked = asked
        self.depth = depth
        self.limit = limit
        self.top = asked.typed.tops[0]
        if not self.top.modes:
            raise InputError(f"node {asked.node} has no modes", self.top.position)
        self.lowering = Lowering(asked.typed)
        if self.lowering.others:
            other = self.lowering.others[0]
            message = f"tests of a node that uses {other.name}, which is recursive or a lemma"
            raise Unsupported(message, other.position)
        self.system = self.lowering.system()
        context = self.lowering.tops[0].context
        self.modes = {name: self.lowering.term(formula, context) for name, formula in self.top.modes}
        if any(term.quantified for term in self.modes.values()):
            raise Unsupported("tests for modes with quantifiers are not supported", self.top.position)
        self.unroller = Unroller(self.system)
        self.solver: Solver = Z3().solver(budget=asked.budget)
        self.solver.add(self.unroller.init())
        self.tests: list[Test] = []
        self.notes: list[str] = []

    def explore(self, path: tuple[Modes, ...]) -> None:
        """All ways on after a sequence of combinations."""
        instant = len(path)
        if instant < self.depth and self._extend(path, instant):
            return
        if path and not self._full():
            self._finish(path)

    def _extend(self, path: tuple[Modes, ...], instant: int) -> bool:
        """Go on with every combination that is possible next; False if there is none."""
        self.solver.push()
        self.solver.add(self.unroller.step(instant))
        found: list[Modes] = []
        while not self._full():
            model = self._model([*self._taken(path), *(self._other(now, instant) for now in found)])
            if model is None:
                break
            at = self.unroller.at
            found.append(frozenset(n for n, term in self.modes.items() if model.holds(at(term, instant))))
            self.explore((*path, found[-1]))
        self.solver.pop()
        return bool(found)

    def _full(self) -> bool:
        if len(self.tests) < self.limit:
            return False
        if not self.notes:
            self.notes.append(f"stopped after {self.limit} tests: there may be others (--limit)")
        return True

    def _literals(self, now: Modes, instant: int) -> list[Term]:
        terms = {name: self.unroller.at(term, instant) for name, term in self.modes.items()}
        return [term if name in now else not_(term) for name, term in terms.items()]

    def _taken(self, path: tuple[Modes, ...]) -> list[Term]:
        return [literal for instant, now in enumerate(path) for literal in self._literals(now, instant)]

    def _other(self, now: Modes, instant: int) -> Term:
        return not_(conjunction(self._literals(now, instant)))

    def _model(self, assumptions: list[Term]) -> Model | None:
        match self.solver.check(assumptions):
            case Status.SAT:
                return self.solver.model()
            case Status.UNSAT:
                return None
        note = "the solver left a query open: there may be other tests"
        if note not in self.notes:
            self.notes.append(note)
        return None

    def _finish(self, path: tuple[Modes, ...]) -> None:
        """The test for a sequence, run by the interpreter."""
        model = self._model(self._taken(path))
        if model is None:
            return
        at, system = self.unroller.at, self.system
        states = [{x: model.value(at(x, n)) for x in system.variables} for n in range(len(path) + 1)]
        inputs = [{x: model.value(at(x, n)) for x in system.inputs} for n in range(len(path))]
        oracle = TraceOracle(
            self.lowering, SystemTrace(tuple(states), tuple(inputs), ""), self.lowering.tops[0]
        )
        machine = Machine(self.asked.typed, self.top, oracle)
        formulas = [formula for _, formula in self.top.modes]
        rows = []
        try:
            for instant, now in enumerate(path):
                given = {s.name: oracle.input(s, instant) for s in self.top.inputs}
                rows.append(machine.step(given, formulas))
                active = {name for name, truth in zip(self.modes, machine.truths, strict=True) if truth}
                if not machine.held or active != now:
                    raise ReplayFailed(f"instant {instant} of the test for {path} is not as it should be")
        except Undecided as reason:
            self.notes.append(f"a test was left out: the interpreter cannot decide {reason}")
            return

        def values(streams: Sequence[Stream]) -> tuple[dict[str, Any], ...]:
            return tuple({s.name: written(s.type, row[s.name]) for s in streams} for row in rows)

        modes = tuple(tuple(name for name in self.modes if name in now) for now in path)
        self.tests.append(Test(modes, values(self.top.inputs), values(self.top.outputs)))
