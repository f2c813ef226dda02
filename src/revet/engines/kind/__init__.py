"""k-induction (``kind``).

Papers: Sheeran, Singh, Stålmarck, *Checking safety properties using induction and a SAT-solver*
(FMCAD 2000); Een, Sörensson, *Temporal induction by incremental SAT solving* (BMC 2003); Hagen,
Tinelli, *Scaling up the formal verification of Lustre programs* (FMCAD 2008) for path
compression and structural abstraction; Kahsai, Tinelli, *PKind* (PDMC 2011) for invariants that
arrive while induction runs.

==============================================  ====================================
idea                                            where
==============================================  ====================================
base case, incremental                          :meth:`kind.base.BaseCase.advance`
induction step, incremental                     :meth:`kind.step.StepCase.holds`
path compression, lazily                        :class:`kind.compression.Compression`
completeness for bounded systems                :meth:`kind.base.BaseCase.exhausted`
structural abstraction                          :class:`kind.abstraction.Abstraction`
invariants from outside and from our generator  :class:`kind.strengthening.Strengthening`
a small certificate                             :func:`kind.certify.certificate`
circuits, with a SAT solver                     :func:`kind.circuit.induction`
==============================================  ====================================

Invariants kept: when the step is asked at k, the property is known to hold in the first k
states of every run; facts that strengthen the step are inductive together, so the property and
the facts make one k-inductive certificate.

Limits: the step is tried at every k, and needs a k within which bad states show; without
invariants most loops with unbounded counters have none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from revet.engines.common.context import Context
from revet.engines.common.options import check_options
from revet.engines.kind.abstraction import Abstraction
from revet.engines.kind.base import BaseCase
from revet.engines.kind.certify import certificate
from revet.engines.kind.circuit import induction
from revet.engines.kind.quantified import induction_with_quantifiers
from revet.engines.kind.step import StepCase
from revet.engines.kind.strengthening import Strengthening
from revet.events import BoundReached, FrameOpened, Note
from revet.model.circuit import Circuit
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import Exhausted, Safe, SystemTrace, Unknown, Unsafe, Verdict
from revet.smt import SolverFactory, Status, default_backend


@dataclass(frozen=True)
class Options:
    """How k-induction runs."""

    max_k: int | None = field(default=None, metadata={"least": 1})
    """give up beyond this k"""
    compression: Literal["lazy", "none"] = "lazy"
    """path compression: no repeated state, no initial state but the first"""
    completeness: bool = True
    """test whether longer runs reach anything new, which ends bounded systems"""
    abstraction: Literal["none", "structural"] = "none"
    """prove the step with part of the transition relation, refined by unsat cores"""
    invariants: bool = True
    """generate invariants beside the induction"""

    def __post_init__(self) -> None:
        check_options(self)


def check(model: TransitionSystem | Circuit, options: Options, context: Context) -> Verdict:
    """Prove all properties of the system by k-induction, or find a run that violates one."""
    if isinstance(model, Circuit):
        return induction(model, options, context)
    backend = default_backend()
    with context.stats.solving(backend):
        if model.step.guard.quantified:
            verdict = induction_with_quantifiers(model, context, backend)
            if not isinstance(verdict, Unknown):
                return verdict
        return _induction(model, options, context, backend)


def _induction(
    system: TransitionSystem, options: Options, context: Context, backend: SolverFactory
) -> Verdict:
    """Base and step in turn; facts that arrived in between strengthen both."""
    stats, unroller, budget = context.stats, Unroller(system), context.budget
    base = BaseCase(system, unroller, backend, budget)
    abstraction = (
        Abstraction(system, unroller, backend, budget) if options.abstraction == "structural" else None
    )
    step = StepCase(
        system, unroller, backend, budget,
        compress=options.compression == "lazy", abstraction=abstraction,
    )
    source = Strengthening(system, backend, context, generate=options.invariants)
    step_lost = False
    while options.max_k is None or base.depth < options.max_k:
        budget.poll()
        context.observe(FrameOpened("kind", base.depth))
        with stats.phase("base"):
            outcome = base.advance(known=base.depth <= context.bound())
        if isinstance(outcome, SystemTrace):
            return Unsafe(outcome)
        if outcome is Status.UNKNOWN:
            return Unknown(f"the solver could not decide the base case: {base.reason}", base.depth - 1)
        context.observe(BoundReached("kind", base.depth - 1))
        stats.counts["k"] = base.depth
        if options.completeness and _due(base.depth):
            with stats.phase("completeness"):
                if base.exhausted():
                    return Safe(Exhausted(base.depth, simple_path=True))
        if step_lost:
            continue
        with stats.phase("invariants"):
            facts = source.arrived(base.depth)
        base.strengthen(facts)
        step.strengthen(facts)
        with stats.phase("step"):
            step.extend()
            status = step.holds()
        if status is Status.UNSAT:
            with stats.phase("certificate"):
                return Safe(certificate(
                    system, step.facts, step.k, compressed=step.compressed, backend=backend, budget=budget,
                ))
        if status is Status.UNKNOWN:
            context.observe(Note("kind", f"the solver could not decide the step at k = {step.k}"))
            step_lost = True
    return Unknown(f"the property is not {options.max_k}-inductive", base.depth - 1)


def _due(depth: int) -> bool:
    """The completeness test costs a search of its own: at all small depths, then ever more rarely."""
    return depth <= 8 or depth & (depth - 1) == 0
