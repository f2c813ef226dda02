"""Invariant generation (``invgen``): templates filled from samples, kept if inductive.

Papers: Kahsai, Ge, Tinelli, *Instantiation-based invariant discovery* (NFM 2011) for candidates
from templates filtered by models, as in KIND 2; Flanagan, Leino, *Houdini* (FME 2001) for the
inductive subset; Karr (1976) and Miné, *The octagon abstract domain* (2006) for the shapes.

==============================================  =======================================
idea                                            where
==============================================  =======================================
reachable states from short unrollings          :class:`revet.invariants.samples.Sampler`
bounds, octagons, equations, implications       :mod:`revet.invariants.templates`
affine hull of the samples                      :mod:`revet.invariants.affine`
inductive subset                                :class:`revet.invariants.houdini.SystemHoudini`
rounds, modes (locations)                       :class:`revet.invariants.generator.Generator`
==============================================  =======================================

As an engine it proves the property when the invariants imply it, and otherwise only tells others
what it found (``InvariantFound`` events). ``kind`` runs the generator beside its induction.
"""

from __future__ import annotations

from dataclasses import dataclass

from revet.engines.common.context import Context
from revet.engines.common.options import check_options
from revet.events import InvariantFound
from revet.invariants.generator import Generator
from revet.logic.core import and_, not_
from revet.model.system import TransitionSystem
from revet.result import KInductive, Safe, Unknown, Verdict
from revet.smt import SolverFactory, Status, default_backend

__all__ = ["Generator", "Options", "check"]


@dataclass(frozen=True)
class Options:
    """Invariant generation has no options yet."""

    def __post_init__(self) -> None:
        check_options(self)


def check(model: TransitionSystem, options: Options, context: Context) -> Verdict:
    """Generate invariants; safe if they imply the property."""
    backend = default_backend()
    with context.stats.solving(backend):
        return _generate(model, context, backend)


def _generate(system: TransitionSystem, context: Context, backend: SolverFactory) -> Verdict:
    generator = Generator(system, backend, context.budget)
    solver = backend.solver(budget=context.budget)
    solver.add(and_(system.invariant, not_(system.property)))
    while not generator.exhausted:
        context.budget.poll()
        for fact in generator.advance():
            context.stats.counts["invariants"] += 1
            context.observe(InvariantFound("invgen", fact))
            solver.add(fact)
        if solver.check() is Status.UNSAT:
            return Safe(KInductive(and_(*generator.found, system.property)))
    return Unknown(f"{len(generator.found)} invariants found; they do not imply the property")
