"""PDR (IC3) for circuits, on a SAT solver.

Papers
    Bradley: *SAT-based model checking without unrolling* (VMCAI 2011).
    Eén, Mishchenko, Brayton: *Efficient implementation of property directed reachability* (FMCAD
    2011): ternary simulation, obligations that are kept, one query for a predecessor, cones on demand.
    Chockler, Ivrii, Matsliah, Moran, Nevo: *Incremental formal verification of hardware* (FMCAD
    2011): lifting predecessors by an unsatisfiable core.
    Hassan, Bradley, Somenzi: *Better generalization in IC3* (FMCAD 2013): counterexamples to
    generalisation.

Idea → where
    main loop: block bad states, open a frame, propagate                     ``common.pdr.loop``
    obligations, lowest level first, kept for later frames                   ``algorithm.CircuitPdr.block``
    frames: lemmas stored at the highest level they are known to hold        ``frames.Frames``
    relative induction, one solver with a switch for each level              ``frames.Frames.consecution``
    only the cones of latches that queries speak of are in the solver        ``cones.Cones``
    the infinity frame: lemmas that are inductive by themselves              ``frames.Frames.always``
    a fresh solver once many activation literals have been retired           ``frames.Frames._rebuild``
    predecessors, lifted by core                                             ``lift.CoreLifter``
    predecessors, lifted by bit-parallel ternary simulation                  ``lift.TernaryLifter``
    dropping literals, by activity; counterexamples to generalisation        ``generalize.Generalizer``
    lemmas of other workers, shown anew                                      ``algorithm.CircuitPdr.hear``
    frames and obligations for a person                                      ``explain.ExplainedPdr``

Invariants kept
    * F_0 = I; every lemma of level i holds in F_1 … F_i; F_i contains all states reachable in i
      steps. A cube that becomes a lemma contains no initial state.
    * The bad states are disjoint from F_0 … F_(k-1), k the top level.
    * An obligation's cube leads, with the recorded inputs, into the cube of its successor from
      *every* state it contains, and satisfies the constraints on the way; so the run of a
      counterexample is found by simulation from any initial state in the first cube.

Data
    A cube is a tuple of latch literals as the SAT solver numbers them (±1 … ±L). The hot path has
    no other objects: models are sliced, not translated.

Limits
    The state is latches only: bad states and constraints over many inputs are handled, but never
    generalised over inputs. Clauses over latches can be a poor language for arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from revet.engines.common.options import check_options
from revet.engines.pdr.algorithm import CircuitPdr
from revet.model.circuit_cnf import encode
from revet.smt.sat import SatClock

if TYPE_CHECKING:
    from typing import Literal

    from revet.engines.common.context import Context
    from revet.model.circuit import Circuit
    from revet.result import Verdict


@dataclass(frozen=True)
class Options:
    lift: Literal["core", "ternary", "none"] = "core"
    """how predecessors become cubes: by unsatisfiable core, by ternary simulation, or not at all"""

    relative: bool = True
    """ask whether a cube can be reached from outside itself (the strengthened query)"""

    cores: bool = True
    """keep only the literals of a blocked cube that the solver needed"""

    dropping: bool = True
    """drop literals of a blocked cube one by one"""

    push: bool = True
    """push what was blocked outwards at once: the lemma as far as it holds, the obligation one level"""

    propagation: bool = True
    """move lemmas to the next frame when a frame is done"""

    initial_clauses: bool = False
    """begin the first frame with those clauses of the initial states that hold after a step"""

    subsumption: bool = True
    """drop lemmas that a stronger one implies, and use such a one without a query"""

    ctg: bool = False
    """block counterexamples to generalisation, too"""

    ctg_depth: int = field(default=1, metadata={"least": 1})
    """how deep counterexamples to generalisation are generalised in turn"""

    ctgs: int = field(default=3, metadata={"least": 1})
    """how many of them are blocked for one literal"""

    ordering: Literal["activity", "index", "reverse"] = "activity"
    """which literals of a cube are dropped first: the ones rarest in lemmas, or by number"""

    attempts: int | None = field(default=None, metadata={"least": 1})
    """stop generalising a cube after this many literals in a row could not be dropped"""

    infinity: bool = True
    """keep lemmas that are inductive by themselves in a frame of their own"""

    renew: int = field(default=600, metadata={"least": 1})
    """make the solver anew after so many temporary clauses (or as many as there are frames, if more)"""

    solver: Literal["minisat22", "glucose4", "maplechrono"] = "minisat22"
    """the SAT solver, by its name in python-sat"""

    seed: int = field(default=0, metadata={"least": 0})
    """another number, another order: which states the solver finds first, which literals are dropped first"""

    workers: int = field(default=1, metadata={"least": 1})
    """so many processes, with different seeds, that tell each other their lemmas"""

    explain: bool = False
    """report frames and obligations, with the names of the latches, after every phase"""

    def __post_init__(self) -> None:
        check_options(self)


def check(model: Circuit, options: Options, context: Context) -> Verdict:
    """Prove that no bad state of the circuit is reachable, or find a run into one."""
    clock = SatClock()
    stats = context.stats
    with stats.phase("encode"):
        step = encode(model)
    try:
        with stats.phase("pdr"), stats.solving(clock):
            return _algorithm(options)(model, step, options, context, clock).run()
    finally:
        total = stats.seconds.get("pdr", 0.0)
        if total > 0:
            stats.counts["queries a second"] = round(clock.queries / total)
            stats.counts["solver's share of the time, %"] = round(100 * clock.seconds / total)


def _algorithm(options: Options) -> type[CircuitPdr]:
    if not options.explain:
        return CircuitPdr
    from revet.engines.pdr.explain import ExplainedPdr

    return ExplainedPdr


__all__ = ["Options", "check"]
