"""PDR lifted to the control-flow graph: one frame sequence per location.

Papers
    T. Lange, M. Neuhäußer, T. Noll, *IC3 software model checking on control flow automata*,
    FMCAD 2015 (the lifted algorithm); A. Bradley, *SAT-based model checking without unrolling*,
    VMCAI 2011, and N. Eén, A. Mishchenko, R. Brayton, *Efficient implementation of PDR*, FMCAD
    2011 (delta frames, generalisation, propagation); A. Komuravelli, A. Gurfinkel, S. Chaki,
    *SMT-based model checking for recursive programs*, CAV 2014 (model-based projection).

Idea → where
    frames F[i, l] as lemmas with a level at a location             ``frames.Frames``
    is ``F[i, l] and edge and cube'`` satisfiable?                   ``queries.Queries.consecution``
    predecessor by projection of the edge's locals                   ``lift.Lifter.lift``
    the main loop; obligations                                       ``common.pdr.loop``, ``common.pdr.block``
    … or all cubes of the weakest precondition, if they are few       ``lift.Lifter.precondition_cubes``
    blocked cubes shrink by cores, dropping, weakening, syntactically ``generalize.Generalizer``
    … or come from interpolants of frame and obligation              ``interpolate.Interpolation``
    blocking, forward propagation and the global fixpoint            ``algorithm.LiftedPdr``
    procedures side by side, what a return edge may assume           ``procedures``
    summaries of recursive procedures                                ``summaries.SummaryPdr``

A level counts *back edges*: an edge that closes a cycle leads from F[i-1] to F[i], every other
edge stays within F[i]. Straight-line code therefore costs no levels (3–4 times fewer queries
than one level an edge). Invariants kept, for every location l and level i:

1. F[i, l] holds in every state at l that a run with at most i back edges can reach;
2. F[i, l] implies F[i+1, l] (delta encoding: a lemma of level j belongs to all F[i, l], i <= j);
3. every lemma of level i is inductive relative to F[i] along forward edges and F[i-1] along
   back edges.

Hence, when no lemma has level exactly i, the lemmas above i are inductive at all locations.

Limits: new atoms come only from preconditions of old ones, from splitting equalities, weakening
bounds and from interpolants; each is an option.
"""

from revet.engines.pdr_cfa.algorithm import check
from revet.engines.pdr_cfa.options import Options
from revet.engines.pdr_cfa.summaries import check_procedures

__all__ = ["Options", "check", "check_procedures"]
