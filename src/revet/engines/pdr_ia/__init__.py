"""``pdr-ia``: IC3/PDR modulo theories with implicit predicate abstraction.

Papers
    A. R. Bradley: SAT-based model checking without unrolling. VMCAI 2011 (IC3).
    N. Een, A. Mishchenko, R. Brayton: Efficient implementation of property directed
    reachability. FMCAD 2011 (PDR: delta-encoded frames, obligations pushed forward).
    A. Cimatti, A. Griggio, S. Mover, S. Tonetta: IC3 modulo theories via implicit predicate
    abstraction. TACAS 2014.
    T. Tegzes: Applying incremental, inductive model checking to software. Bachelor's thesis, Budapest
    University of Technology and Economics 2018 (the location as a variable, refinement by paths).
    Z. Hassan, A. R. Bradley, F. Somenzi: Better generalization in IC3. FMCAD 2013.

The idea. A list of frames F_0 = I, F_1, F_2, … over-approximates the states reachable in at most
0, 1, 2, … steps. A bad state in the last frame is an *obligation*: either it has no predecessor in
the frame before, then a *lemma* excludes it (and as many more states as possible), or it has one,
and that is the next obligation. An obligation that contains an initial state is a counterexample.
Two equal frames are an inductive invariant. All cubes and lemmas are built from *predicates*; a
counterexample may therefore be an artefact of the abstraction, and then interpolants of the
infeasible run give new predicates. Lemmas survive refinement: they hold in the concrete system.

===============================================  ==================================
idea                                             where
===============================================  ==================================
runs without a back edge, before all else        ``first_look``
main loop                                        ``common.pdr.loop``
blocking, obligations pushed forward             ``common.pdr.block``, ``algorithm``
propagation                                      ``algorithm``
frames: delta encoding, subsumption both ways    ``common.pdr.frames``
implicit abstraction by proxies                  ``abstraction``, ``queries``
strengthened (relative) queries, level by core   ``queries.consecution``
initial states respected                         ``queries.initial``
generalisation: mic, down, ctg                   ``generalize``
predecessor generalisation                       ``lift``
refinement: this path, all paths                 ``refine``
predicates by interpolation                      ``revet.smt.interpolation``
===============================================  ==================================

Invariants kept: I ⊆ F_1 ⊆ F_2 ⊆ …; every step from F_i ends in F_(i+1); no bad state in F_i
for i below the last; every lemma excludes only non-initial states.

Limits: floats and quantified models are refused. Arrays and non-linear arithmetic are accepted as
far as the solver and the interpolation go; when either gives up, so does the engine, with the
reason.
"""

from __future__ import annotations

from revet.engines.common.context import Context
from revet.engines.common.supported import Construct, obstacle
from revet.engines.pdr_ia.algorithm import PdrIa
from revet.engines.pdr_ia.options import Options
from revet.engines.pdr_ia.queries import SolverGaveUp
from revet.model.system import TransitionSystem
from revet.result import Unknown, Verdict

__all__ = ["Options", "check"]


def check(model: TransitionSystem, options: Options, context: Context) -> Verdict:
    """Prove the properties of a transition system, or find a run that violates one."""
    found = obstacle(model, [Construct.FLOAT, Construct.QUANTIFIER, Construct.UNINTERPRETED])
    if found is not None:
        return found.refusal("pdr-ia")
    engine = PdrIa(model, options, context)
    try:
        return engine.run()
    except SolverGaveUp as gave_up:
        return Unknown(str(gave_up), engine.bound)
    finally:
        engine.finish()
