"""Certificates for circuits, checked with a SAT solver straight from their definitions.

The circuit is the one that the front end made, unreduced. Time frames are encoded gate by gate
(Tseitin) and only as far as a query needs them; nothing is shared with the engines' encodings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.checker.report import CheckReport, Refused, malformed
from revet.model.circuit import ANY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.budget import Budget
    from revet.checker.report import Condition
    from revet.model.circuit import Circuit
    from revet.result.certificate import CircuitInvariant, Exhausted
    from revet.smt.sat import Sat

_TRUE = 1  # the SAT variable that is true


class CircuitChecker:
    def __init__(self, circuit: Circuit, budget: Budget | None) -> None:
        self.circuit = circuit
        self.budget = budget
        self.queries = 0

    def invariant(self, certificate: CircuitInvariant) -> None:
        """Initiation: it holds in the first k steps. Consecution: k such steps lead to another.
        That no bad literal is true is part of what must hold, so there is no third condition."""
        circuit, k = self.circuit, certificate.k
        if k < 1:
            raise malformed(f"k is {k}, but must be at least 1")
        latches = range(circuit.first_latch, circuit.first_gate)
        for clause in certificate.clauses:
            for literal in clause:
                if literal >> 1 not in latches:
                    raise malformed(f"the invariant mentions literal {literal}, which is not a latch")
        first = Unrolling(circuit, self.budget, initial=True)
        for step in range(k):
            first.constrain(step)
            self._require(first, step, certificate.clauses, "initiation", f"after {step} steps")
        later = Unrolling(circuit, self.budget, initial=False)
        for step in range(k):
            later.constrain(step)
            for clause in certificate.clauses:
                later.sat.add([later.at(step, literal) for literal in clause])
            for bad in circuit.bad.values():
                later.sat.add([-later.at(step, bad)])
        later.constrain(k)
        shortcuts = None
        if certificate.simple_path:
            shortcuts = SimplePath(later, k, closed_cone(circuit, certificate.clauses))
        self._require(later, k, certificate.clauses, "consecution", f"over {k} steps", shortcuts)

    def exhausted(self, certificate: Exhausted) -> None:
        """No run violates a property within ``depth`` steps, and none is that long."""
        if certificate.backward or certificate.simple_path or certificate.cuts is not None:
            raise malformed("runs of circuits are exhausted forwards only")
        runs = Unrolling(self.circuit, self.budget, initial=True)
        for step in range(certificate.depth):
            runs.constrain(step)
            self._require(runs, step, (), "safety", f"after {step} steps")
        runs.constrain(certificate.depth)
        self._require_unsat(runs, [], "exhaustion", f"there is a run of {certificate.depth} steps", None)

    def _require(
        self, runs: Unrolling, step: int, clauses: Sequence[Sequence[int]], condition: Condition, where: str,
        shortcuts: SimplePath | None = None,
    ) -> None:
        """Every clause holds at ``step`` and no bad literal is true there."""
        for number, clause in enumerate(clauses):
            false = [-runs.at(step, literal) for literal in clause]
            self._require_unsat(runs, false, condition, f"clause {number} {where}", shortcuts)
        for name, bad in self.circuit.bad.items():
            wrong = runs.at(step, bad)
            self._require_unsat(runs, [wrong], condition, f"property {name} {where}", shortcuts)

    def _require_unsat(
        self, runs: Unrolling, assumptions: list[int], condition: Condition, where: str,
        shortcuts: SimplePath | None,
    ) -> None:
        while True:
            if self.budget is not None:
                self.budget.poll()
            self.queries += 1
            if not runs.sat.solve(assumptions):
                return
            if shortcuts is None or not shortcuts.exclude():
                raise Refused(CheckReport("rejected", condition, where, queries=self.queries))


class Unrolling:
    """Time frames 0, 1, … of a circuit in one SAT solver, encoded on demand."""

    def __init__(self, circuit: Circuit, budget: Budget | None, initial: bool) -> None:
        self.circuit = circuit
        from revet.smt.sat import Sat  # only circuits need it, and it takes its time to load

        self.budget = budget
        self.sat: Sat = Sat([[_TRUE]], budget)
        self.initial = initial
        self._variables = _TRUE
        self._known: list[dict[int, int]] = []

    def _fresh(self) -> int:
        self._variables += 1
        return self._variables

    def constrain(self, step: int) -> None:
        if self.budget is not None:
            self.budget.poll()
        for literal in self.circuit.constraints:
            self.sat.add([self.at(step, literal)])

    def differ(self, first: int, second: int, latches: Sequence[int]) -> None:
        """The latches (by number) are not the same at two steps."""
        some = []
        for latch in latches:
            x, y, d = self.at(first, 2 * latch), self.at(second, 2 * latch), self._fresh()
            self.sat.add([-d, x, y])
            self.sat.add([-d, -x, -y])
            some.append(d)
        self.sat.add(some)

    def at(self, step: int, literal: int) -> int:
        """The SAT literal of a circuit literal at a step; encodes what it depends on."""
        while len(self._known) <= step:
            self._known.append({0: -_TRUE})
        circuit, known, add = self.circuit, self._known, self.sat.add
        first_latch, first_gate = circuit.first_latch, circuit.first_gate
        stack = [(step, literal >> 1)]
        while stack:
            time, signal = stack[-1]
            if signal in known[time]:
                stack.pop()
            elif signal >= first_gate:
                a, b = circuit.left[signal - first_gate], circuit.right[signal - first_gate]
                missing = [(time, x >> 1) for x in (a, b) if x >> 1 not in known[time]]
                if missing:
                    stack += missing
                    continue
                x, y, z = self._signed(time, a), self._signed(time, b), self._fresh()
                add([-z, x])
                add([-z, y])
                add([z, -x, -y])
                known[time][signal] = z
            elif signal >= first_latch and time > 0:
                after = circuit.next[signal - first_latch]
                if after >> 1 in known[time - 1]:
                    known[time][signal] = self._signed(time - 1, after)
                else:
                    stack.append((time - 1, after >> 1))
            else:
                reset = circuit.reset[signal - first_latch] if signal >= first_latch else ANY
                fixed = self.initial and reset != ANY
                known[time][signal] = (_TRUE if reset else -_TRUE) if fixed else self._fresh()
        return self._signed(step, literal)

    def _signed(self, time: int, literal: int) -> int:
        found = self._known[time][literal >> 1]
        return -found if literal & 1 else found


class SimplePath:
    """Rules out paths on which the latches that matter are the same at two steps."""

    def __init__(self, runs: Unrolling, last: int, latches: Sequence[int]) -> None:
        self.runs = runs
        self.latches = latches
        self.literals = [[runs.at(step, 2 * latch) for latch in latches] for step in range(last + 1)]

    def exclude(self) -> bool:
        """If the solver's model repeats a state, forbid that; says whether it did."""
        model = self.runs.sat.model()
        seen: dict[tuple[bool, ...], int] = {}
        found = False
        for step, row in enumerate(self.literals):
            state = tuple((model[abs(x) - 1] > 0) == (x > 0) for x in row)
            if state in seen:
                self.runs.differ(seen[state], step, self.latches)
                found = True
            seen.setdefault(state, step)
        return found


def closed_cone(circuit: Circuit, clauses: Sequence[Sequence[int]]) -> list[int]:
    """The latches that decide, step after step, about properties, constraints and ``clauses``."""
    roots = [*circuit.bad.values(), *circuit.constraints, *(x for clause in clauses for x in clause)]
    latches: set[int] = set()
    while True:
        wanted = circuit.cone(roots)
        new = [
            latch for latch in range(circuit.first_latch, circuit.first_gate)
            if wanted[latch] and latch not in latches
        ]
        if not new:
            return sorted(latches)
        latches.update(new)
        roots = [circuit.next[latch - circuit.first_latch] for latch in new]
