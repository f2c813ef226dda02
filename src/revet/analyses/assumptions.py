"""Assumptions that a node lacks: a condition on its inputs at each instant under which its properties hold.

From counterexample to counterexample: at its last instant the property is false in a state that can be
reached, so inputs with which it is false there are excluded, many in one stroke: the projection of the
violation, with the state as it is, on the inputs. Any assumption about single instants that allows the inputs
before must exclude these. Where that does not end soon, states are projected away, too, which excludes more.
At the end, what turns out not to be needed is allowed again, and runs must be left. The proof that the
properties hold then is checked as ever.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from revet.analyses.questions import Asked
from revet.budget import OutOfBudget
from revet.errors import InputError
from revet.frontends.lustre.texts import lustre_text
from revet.logic.core import and_, conjunction, const, eq, not_
from revet.logic.terms import TRUE, Op
from revet.logic.walk import conjuncts, free_vars, substitute
from revet.model.unroll import Unroller
from revet.report.document import Code, Heading, Listing, Paragraph
from revet.result.trace import SystemTrace
from revet.result.verdict import Unsafe
from revet.smt.protocol import SolverError, Status
from revet.smt.z3 import Z3

if TYPE_CHECKING:
    from pathlib import Path

    from revet.frontends.lustre import LustreProgram
    from revet.logic.terms import Term
    from revet.report.document import Block

_EXACT = 12  # counterexamples that are excluded with their state as it is
_MOST = 40
_RUN = 4  # instants that the assumption must leave possible


@dataclass(frozen=True)
class Assumption:
    """``clauses``: what is to be assumed, all of it, as Lustre; none if ``reason`` says why there is none."""

    node: str
    properties: tuple[str, ...]
    clauses: tuple[str, ...] = ()
    reason: str = ""
    seconds: float = 0.0

    def blocks(self) -> list[Block]:
        found: list[Block] = [Heading(f"node {self.node}")]
        if self.properties:
            found.append(Listing("properties that fail", self.properties))
        if self.clauses:
            found.append(Paragraph("they hold with"))
            found.append(Code("\n".join(f"assume {clause};" for clause in self.clauses)))
        return [*found, Paragraph(self.reason)] if self.reason else found

    def data(self) -> dict[str, Any]:
        return {
            "node": self.node, "properties": list(self.properties), "assumptions": list(self.clauses),
            "reason": self.reason, "seconds": round(self.seconds, 3),
        }


def generate_assumption(
    path: Path, node: str | None = None, property: str | None = None, timeout: float | None = None
) -> Assumption:
    """An assumption for the properties of a node that fail, or for one of them."""
    start = time.monotonic()
    asked = Asked(path, node, timeout)
    broken = tuple(name for name, status in asked.statuses(property).items() if status == "unsafe")
    if not broken:
        reason = "no property is known to fail: nothing is to be assumed"
        return Assumption(asked.node, (), reason=reason, seconds=time.monotonic() - start)
    search = _Search(asked, broken)
    try:
        clauses, reason = search.run()
    except OutOfBudget:
        clauses, reason = (), "time is up"
    return Assumption(asked.node, broken, clauses, reason, time.monotonic() - start)


class _Search:
    def __init__(self, asked: Asked, broken: tuple[str, ...]) -> None:
        self.asked = asked
        self.broken = broken
        self.program: LustreProgram = asked.program()
        (top,) = self.program.tops
        wanted = top.assumption_vars or [stream.name for stream in top.inputs]
        self.names = {
            term: name
            for name, term in self.program.interface()[0].items()
            if term.op == Op.VAR and re.split(r"[.\[]", name)[0] in wanted
        }
        if not self.names:
            raise InputError(f"node {asked.node} has no Boolean, integer or real inputs")
        self.backend = Z3()
        self.excluded: list[Term] = []

    def run(self) -> tuple[tuple[str, ...], str]:
        while len(self.excluded) < _MOST:
            answer = self.asked.answer(self._restricted(self.excluded), self.broken)
            if answer.status == "safe":
                return self._finished()
            if not isinstance(answer.verdict, Unsafe):
                return (), f"with some inputs excluded the question stayed open: {answer.reason}"
            assert isinstance(answer.verdict.trace, SystemTrace)
            cube = self._culprits(answer.verdict.trace)
            if cube is None:
                return (), "the last inputs are not to blame: no assumption about single instants helps"
            self.excluded.append(cube)
        return (), f"none was found: {_MOST} kinds of inputs were excluded"

    def _restricted(self, excluded: list[Term]) -> LustreProgram:
        return self.program.assuming(conjunction(not_(cube) for cube in excluded))

    def _culprits(self, trace: SystemTrace) -> Term | None:
        """Inputs at the last instant of a counterexample with which the property is false, around those of
        the trace; None if it is false with all inputs, or they cannot be told."""
        bad = self.program.violation(trace.violated)
        values = {x: const(value, x.sort) for x, value in trace.states[-2].items()}
        drawn = [eq(x, const(value, x.sort)) for x, value in trace.inputs[-1].items()]
        exact = len(self.excluded) < _EXACT
        formula = substitute(bad, values) if exact else bad
        fixed = [] if exact else [eq(x, value) for x, value in values.items()]
        solver = self.backend.solver(budget=self.asked.budget)
        solver.add(formula)
        if solver.check([*drawn, *fixed]) is not Status.SAT:
            return None
        gone = [x for x in free_vars(formula) if x not in self.names]
        try:
            cube = self.backend.project(sorted(gone, key=lambda x: x.id), formula, solver.model())
        except SolverError:
            return None
        known = [c for c in conjuncts(cube) if lustre_text(c, self.names) is not None]
        return conjunction(known) if known and conjunction(known) is not TRUE else None

    def _finished(self) -> tuple[tuple[str, ...], str]:
        """Without what is not needed; nothing if no inputs are left."""
        for cube in list(self.excluded):
            rest = [other for other in self.excluded if other is not cube]
            if self.asked.status_of(self._restricted(rest), self.broken) == "safe":
                self.excluded = rest
        unroller = Unroller(self._restricted(self.excluded).system)
        solver = self.backend.solver(budget=self.asked.budget)
        solver.add(and_(unroller.init(), *(unroller.step(n) for n in range(_RUN))))
        if solver.check() is not Status.SAT:
            return (), f"no run of {_RUN} instants would be left"
        texts = [lustre_text(cube, self.names) for cube in self.excluded]
        return tuple(f"not ({text})" for text in texts if text is not None), ""
