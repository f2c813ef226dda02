"""Bounded model checking: unfold the model step by step and ask a solver for a faulty run.

Papers
    Biere, Cimatti, Clarke, Strichman, Zhu: *Bounded model checking* (Adv. Comput. 58, 2003).
    Schüle, Schneider: *Bounded model checking of infinite state systems* (FMSD 30, 2007).
    The four variants and the versioning optimisation follow the lecture notes of V. Penelle
    (Software Verification, part 1, chapter 4).

Idea → where
    depth-first search of the tree of paths, infeasible prefixes pruned      ``depth_first.py``
    global search: one formula for all runs of length k                      ``global_search.py``
    the formula, one node per (location, depth), forward and backward        ``unfolding.py``
    loops unwound round by round, merging runs where the program joins them  ``rounds.py``
    global search in a transition system                                     ``system.py``
    the same in a circuit, with a SAT solver                                 ``circuit.py``
    the same by way of a state in which two copies of a design differ        ``stages.py``
    runs that matter: error reachable / reachable in the graph               ``relevance.py``
    from a model of the formula to a run                                     ``traces.py``
    the unfolding as a picture                                               ``explain.py``

Invariants kept
    * The unfolding at depth d has exactly the runs of d steps that stay in relevant locations
      and meet an error location at most in their last step. A pair (location, depth) is left
      out only if the graph excludes it or the solver refuted it.
    * *Safe* is said only when no run of some length d is left: ``Exhausted(d)``.
    * A solver's *unknown* never prunes anything; once one happened at depth d, no bound
      beyond d - 1 and no *safe* is reported.

Deviations
    The location is not a variable of the formula: each (location, depth) pair has its own
    Boolean and its own versions of the variables, so locations out of reach cost nothing, and
    values that are constant along all paths are folded before the solver sees them. Without a
    bound, depth-first search deepens iteratively, doubling the bound.

Limits
    Complete only for models whose runs are bounded in one of the two directions. Depth-first
    search enumerates paths: exponential in the number of branches. Its runs need not be
    shortest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from revet.model.circuit import Circuit
from revet.result import Unknown
from revet.smt import default_backend

if TYPE_CHECKING:
    from typing import Literal

    from revet.engines.common.context import Context
    from revet.model.cfa import Cfa
    from revet.model.system import TransitionSystem
    from revet.result import Verdict


@dataclass(frozen=True)
class Options:
    strategy: Literal["global", "depth-first", "rounds"] = "global"
    """global: one formula per depth, finds a shortest run; depth-first: path by path; rounds (forward only):
    loop by loop, runs merged where the program joins them"""

    direction: Literal["forward", "backward"] = "forward"
    """unfold from the initial location, or from the error locations"""

    bound: int | None = None
    """stop after runs of this many steps (default: when the budget ends)"""

    versioning: bool = True
    """only variables that a step changes get a new version; off: all of them"""

    stride: int = field(default=1, metadata={"least": 1})
    """circuits: where a depth is hard to refute, ask about so many at once; with 1 a run is a shortest one"""

    solver: Literal["minisat22", "glucose4", "maplechrono", "cadical195"] = "minisat22"
    """circuits: the SAT solver, by its name in python-sat"""

    twins: bool = False
    """circuits: first to a state in which two parts with the same names differ, then on from there"""

    explain: bool = False
    """report the unfolding of an automaton: every path (depth-first), or the locations at each depth"""


def check(model: Cfa | TransitionSystem | Circuit, options: Options, context: Context) -> Verdict:
    """See :mod:`revet.engines.bmc`. Transition systems and circuits have the global strategy
    only, circuits the forward direction only."""
    if isinstance(model, Circuit):
        if options.twins:
            from revet.engines.bmc import stages

            return stages.search(model, options, context)
        from revet.engines.bmc import circuit

        return circuit.search(model, options, context)
    from revet.engines.bmc import depth_first, global_search, rounds, system
    from revet.model.system import TransitionSystem

    if options.twins:
        return Unknown("only circuits are searched by way of states in which two parts differ: use --bits")
    backend = default_backend()
    backward = options.direction == "backward"
    with context.stats.solving(backend):
        if isinstance(model, TransitionSystem):
            return system.search(model, backend, context, backward, options.bound)
        if options.strategy == "rounds":
            return rounds.search(model, backend, context, options.bound)
        if options.strategy == "depth-first":
            return depth_first.search(
                model, backend, context, backward, options.bound, options.versioning, options.explain
            )
        return global_search.search(
            model, backend, context, backward, options.bound, options.versioning, options.explain
        )


__all__ = ["Options", "check"]
