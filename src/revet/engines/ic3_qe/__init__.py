"""IC3 with theory cubes and quantifier elimination (``ic3-qe``).

Papers: Bradley, *SAT-based model checking without unrolling* (VMCAI 2011); Een, Mishchenko,
Brayton, *Efficient implementation of property directed reachability* (FMCAD 2011); Laurent, *An
insight into SMT-based model checking techniques* (2014) for the theory part; Komuravelli
et al. (CAV 2014) for model-based projection; Cooper (1972).

==================================================  ==========================================
idea                                                where
==================================================  ==========================================
frames, strengthening, propagation                  :class:`ic3_qe.algorithm.Ic3`
counterexample generalised by projection            :class:`ic3_qe.lift.Lifter`
Cooper's quantifier elimination                     :mod:`ic3_qe.cooper`
equalities split before tightening, joined after    :mod:`ic3_qe.cubes`
tightening by the two cores, dropping literals      :meth:`ic3_qe.generalize.Generalizer.generalize`
bounding box of a cube                              :meth:`ic3_qe.generalize.Generalizer._boxed`
combinations, stretched bounds, blocked states      :mod:`ic3_qe.generalize`
==================================================  ==========================================

Invariants kept: every state of an obligation's cube can reach a violation; no obligation's cube
meets the initial states (a run otherwise); every lemma holds initially and in its frame.

Limits: linear arithmetic, Booleans and bit-vectors (those without projection: inputs keep the
model's values); arrays, floats and non-linear terms are refused. The method need not terminate: it
finds bounds and the relations that occur in preconditions, no others.
"""

from __future__ import annotations

from revet.engines.common.context import Context
from revet.engines.common.supported import Construct, obstacle
from revet.engines.ic3_qe.algorithm import Ic3
from revet.engines.ic3_qe.options import Options
from revet.model.system import TransitionSystem
from revet.result import Unknown, Verdict
from revet.smt import SolverError
from revet.smt.z3 import Z3

__all__ = ["Options", "check"]

_REFUSED = (
    Construct.ARRAY, Construct.FLOAT, Construct.NONLINEAR, Construct.QUANTIFIER,
    Construct.UNINTERPRETED, Construct.REAL_TO_INT,
)


def check(model: TransitionSystem, options: Options, context: Context) -> Verdict:
    """Prove all properties of the system by IC3, or find a run that violates one."""
    found = obstacle(model, _REFUSED)
    if found is not None:
        return found.refusal("ic3-qe")
    backend = Z3()
    engine = Ic3(model, backend, context, options)
    try:
        with context.stats.solving(backend):
            return engine.run()
    except SolverError as error:
        return Unknown(f"the solver could not decide a query: {error}", engine.frames.top - 1)
    finally:
        context.stats.counts["states blocked"] += engine.generalizer.states
        context.stats.counts["boxes"] += engine.generalizer.boxes
