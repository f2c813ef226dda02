"""Global search: at every depth one question for all runs of that length (algorithm 3 of the notes).

The question is an assumption on one long-lived solver, so what it learns about shorter runs stays.
:func:`_prune` asks which nodes of the frontier are on a run at all and drops the others; when none is
left, the unfolding is exhausted. Backward, this is what the search is for and happens at every depth.
Forward, these questions are harder than the one for a violation (they have an answer, which the solver
must find) and took three quarters of the time on C programs, so they are asked at every 8th depth.
"""

from __future__ import annotations

from revet.engines.bmc.explain import LayersPicture
from revet.engines.bmc.traces import run_through
from revet.engines.bmc.unfolding import Backward, Forward, Unfolding
from revet.engines.common.context import Context
from revet.events import BoundReached, FrameOpened
from revet.logic.core import disjunction
from revet.logic.terms import FALSE
from revet.model.cfa import Cfa
from revet.result import Exhausted, Safe, Unknown, Unsafe, Verdict
from revet.smt import Solver, SolverFactory, Status
from revet.smt.logics import logic_of

FORWARD_PRUNING = 8
_WORDS = {Status.SAT: "a violation", Status.UNSAT: "no violation", Status.UNKNOWN: "not decided"}


def search(
    cfa: Cfa,
    backend: SolverFactory,
    context: Context,
    backward: bool,
    bound: int | None,
    versioning: bool,
    explain: bool = False,
) -> Verdict:
    solver = backend.solver(logic_of(cfa), context.budget)
    direction = Backward if backward else Forward
    unfolding: Unfolding = direction(cfa, solver, versioning)
    depth = 0
    undecided: Unknown | None = None
    picture = LayersPicture(context, backward) if explain else None
    while unfolding.frontier:
        context.budget.poll()
        context.observe(FrameOpened("bmc", depth))
        status = _violation(unfolding, solver)
        if picture is not None:
            picture.layer(depth, unfolding.frontier, _WORDS[status])
        match status:
            case Status.SAT:
                model = solver.model()
                return Unsafe(run_through(unfolding.goal_node(model.holds), model, backward))
            case Status.UNSAT:
                unfolding.refuted()
            case Status.UNKNOWN:
                undecided = undecided or Unknown(
                    f"the solver could not decide runs of {depth} steps: {solver.reason_unknown}", depth - 1
                )
        if undecided is None:
            context.observe(BoundReached("bmc", depth))
        if backward or depth % FORWARD_PRUNING == FORWARD_PRUNING - 1:
            _prune(unfolding, solver)
        if unfolding.frontier:
            unfolding.advance()
            depth += 1
            if bound is not None and depth > bound:
                _prune(unfolding, solver)
                if unfolding.frontier:
                    return undecided or Unknown(f"no violation within {bound} steps", bound)
    # Even where nothing can be followed, the empty run has 0 steps: the first bound that holds is 1.
    return undecided or Safe(Exhausted(max(depth, 1), backward))


def _violation(unfolding: Unfolding, solver: Solver) -> Status:
    goal = unfolding.goal()
    return Status.UNSAT if goal is FALSE else solver.check([goal])


def _prune(unfolding: Unfolding, solver: Solver) -> None:
    """Drop nodes that are on no run. Each model clears all nodes that it reaches."""
    open_ = [node for node in unfolding.frontier if not node.feasible]
    while open_:
        match solver.check([disjunction(node.reached for node in open_)]):
            case Status.UNSAT:
                unfolding.drop(open_)
                return
            case Status.UNKNOWN:
                return
            case Status.SAT:
                model = solver.model()
                for node in open_:
                    node.feasible = model.holds(node.reached)
                open_ = [node for node in open_ if not node.feasible]
