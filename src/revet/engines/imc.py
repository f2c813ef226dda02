"""Interpolation-based model checking (``imc``).

Paper: McMillan, *Interpolation and SAT-based model checking* (CAV 2003).

A bounded query ``R(x0), T(x0, x1) | T(x1, x2), …, some P(x1) … P(xk) fails`` that is unsatisfiable has
an interpolant at the bar: a formula over x1 that contains the image of R and from which no
violation is reached within k - 1 steps. Adding it to R, starting with R = I, computes an
over-approximation of the reachable states for a fixed k (:func:`_expand`); when nothing new is
added, R is an inductive invariant. When the query becomes satisfiable with R beyond I, the
approximation was too coarse and k grows; with R = I it is a real run.

Invariants kept: R contains the initial states, and all of its states satisfy the property.

Limits: interpolants come from :mod:`revet.smt.interpolation`, so arrays, floats and non-linear
terms are refused. R is a growing disjunction, and whether it converges depends on the interpolants:
of the two programs of Laurent's slides (2014) one is proved, the other one diverges.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from revet.engines.common.context import Context
from revet.engines.common.options import check_options
from revet.engines.common.runs import trace_from_model
from revet.engines.common.supported import Construct, obstacle
from revet.events import BoundReached, FrameOpened, Note, PredicateFound
from revet.logic.core import and_, disjunction, not_, or_
from revet.logic.terms import Term
from revet.logic.walk import substitute
from revet.model.names import at as copy_at
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import KInductive, Safe, SystemTrace, Unknown, Unsafe, Verdict
from revet.smt import Solver, Status
from revet.smt.interpolation import InterpolationService
from revet.smt.z3 import Z3

_REFUSED = (
    Construct.ARRAY, Construct.FLOAT, Construct.NONLINEAR, Construct.QUANTIFIER, Construct.UNINTERPRETED,
)


@dataclass(frozen=True)
class Options:
    """How interpolation-based model checking runs."""

    max_k: int | None = field(default=None, metadata={"least": 1})
    """give up when the unrolling gets longer than this"""

    def __post_init__(self) -> None:
        check_options(self)


def check(model: TransitionSystem, options: Options, context: Context) -> Verdict:
    """Prove all properties by interpolation, or find a run that violates one."""
    found = obstacle(model, _REFUSED)
    if found is not None:
        return found.refusal("imc")
    backend = Z3()
    service = InterpolationService(["horn", "wp", "sp"])
    stats = context.stats
    try:
        with stats.solving(backend), stats.solving(service.backend):
            return _Imc(model, backend, service, context).run(options.max_k)
    finally:
        stats.add_seconds("interpolation", service.seconds)


class _Imc:
    def __init__(
        self, system: TransitionSystem, backend: Z3, service: InterpolationService, context: Context
    ) -> None:
        self.system = system
        self.backend = backend
        self.service = service
        self.context = context
        self.unroller = Unroller(system)
        self._initial = and_(system.init, system.invariant)
        self._here = {copy_at(x, 1): x for x in system.variables}

    def run(self, max_k: int | None) -> Verdict:
        solver = self.backend.solver(budget=self.context.budget)
        if solver.check([self.unroller.init(), not_(self._good(0))]) is Status.SAT:
            return Unsafe(trace_from_model(self.system, self.unroller, solver.model(), 0))
        k = 1
        while max_k is None or k <= max_k:
            self.context.budget.poll()
            self.context.observe(FrameOpened("imc", k))
            verdict = self._expand(k)
            if verdict is not None:
                return verdict
            self.context.observe(BoundReached("imc", k))
            k += 1
        return Unknown(f"no invariant from unrollings of up to {max_k} steps", max_k)

    def _good(self, step: int) -> Term:
        return self.unroller.at(self.system.property, step)

    def _suffix(self, k: int) -> Term:
        """Steps 1 … k-1, and a violation in one of the states 1 … k."""
        steps = [self.unroller.step(i) for i in range(1, k)]
        return and_(*steps, or_(*(not_(self._good(i)) for i in range(1, k + 1))))

    def _expand(self, k: int) -> Verdict | None:
        """Image after image for a fixed unrolling; None: too coarse, unroll further."""
        suffix = self._suffix(k)
        solver = self.backend.solver(budget=self.context.budget)
        step = and_(self.unroller.step(0), self.unroller.at(self.system.invariant, 0))
        solver.add(step)
        solver.add(suffix)
        reached = [self._initial]
        while True:
            self.context.budget.poll()
            start = self.unroller.at(reached[-1], 0)
            status = solver.check([start])
            if status is Status.SAT:
                return Unsafe(self._trace(solver, k)) if len(reached) == 1 else None
            if status is Status.UNKNOWN:
                return Unknown(f"the solver could not decide a query: {solver.reason_unknown}", k - 1)
            found = self.service.sequence([and_(start, step), suffix], self.context.budget)
            if found is None:
                self.context.observe(Note("imc", f"no interpolant at k = {k}"))
                return None
            image = substitute(found[0], self._here)
            self.context.stats.counts["interpolants"] += 1
            self.context.observe(PredicateFound("imc", image))
            if self._implied(image, reached):
                return Safe(KInductive(and_(disjunction(reached), self.system.property)))
            reached.append(image)

    def _implied(self, image: Term, reached: list[Term]) -> bool:
        solver = self.backend.solver(budget=self.context.budget)
        question = [self.system.invariant, image, not_(disjunction(reached))]
        return solver.check(question) is Status.UNSAT

    def _trace(self, solver: Solver, k: int) -> SystemTrace:
        model = solver.model()
        depth = next(i for i in range(1, k + 1) if not model.holds(self._good(i)))
        return trace_from_model(self.system, self.unroller, model, depth)
