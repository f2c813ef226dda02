"""Next values that a relation gives, as functions of the state and of fewer inputs.

Systems that were written as relations draw their next values and constrain them. Where the constraints come
to a definition, the value need not be drawn: steps are executed instead of solved, and pre-images are
substitutions. What is recognised as a definition: :mod:`revet.transform.solve`.

Notations in which every state repeats its definitions (``ok = (x >= 0)`` initially, and before and after each
step) demand of the state before a step what it has anyway. Such conditions go if they are conjuncts of the
initial condition and steps keep them.

Back: certificates hold as they are, for the conditions that went are true wherever runs come, and a formula
that every step keeps is kept by fewer steps, too. A run's inputs are evaluated.
"""

from __future__ import annotations

from dataclasses import replace

from revet.budget import Budget, OutOfBudget
from revet.logic.core import conjunction, not_
from revet.logic.evaluate import Evaluator
from revet.logic.terms import TRUE, Term
from revet.logic.values import default_value
from revet.logic.walk import conjuncts, size, substitute
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result.trace import State, SystemTrace
from revet.smt import Status
from revet.smt.errors import SolverError
from revet.smt.z3 import Z3
from revet.transform.reduction import Reduction, unchanged
from revet.transform.solve import solved

_LARGEST = 50_000  # nodes of a transition relation whose next values are solved for
_SECONDS = 2.0  # for questions about repetitions


def next_values(system: TransitionSystem) -> Reduction:
    """See the module's text."""
    step = system.step
    conditions = [part for part in conjuncts(step.guard) if part is not TRUE]
    if not conditions or size(*conditions) > _LARGEST:
        return unchanged(system)
    rest, defined = solved(conditions, set(step.locals))
    if not defined:
        rest = conditions
    memo: dict[Term, Term] = {}
    updates = {x: substitute(value, defined, memo) for x, value in step.updates.items()}
    rest = _without_repetition(system, rest, updates)
    if not defined and len(rest) == len(conditions):
        return unchanged(system)
    made = Relation(
        conjunction(rest),
        {x: value for x, value in updates.items() if value is not x},
        tuple(x for x in step.locals if x not in defined),
    )
    return Reduction(
        replace(system, step=made),
        lambda trace: _trace_back(system, defined, trace),
        lambda certificate: certificate,
    )


def _without_repetition(system: TransitionSystem, rest: list[Term], updates: dict[Term, Term]) -> list[Term]:
    """Without the conditions on the state before a step that hold initially and that steps keep."""
    initially = set(conjuncts(system.init))
    memo: dict[Term, Term] = {}
    kept = {part: substitute(part, updates, memo) for part in rest if part in initially}
    if not kept:
        return rest
    try:
        _drop_lost(kept, conjunction(rest))
    except (OutOfBudget, SolverError):
        return rest
    return [part for part in rest if part not in kept]


def _drop_lost(kept: dict[Term, Term], step: Term) -> None:
    """Without the conditions that a step may lose from a state where all hold: those stay conditions of
    the step, so the others may go on to rely on them."""
    solver = Z3().solver(budget=Budget(_SECONDS))
    solver.add(step)
    while any(after is not TRUE for after in kept.values()):
        solver.push()
        solver.add(not_(conjunction(kept.values())))
        status = solver.check()
        if status is Status.UNSAT:
            return
        model = solver.model() if status is Status.SAT else None
        lost = [part for part, after in kept.items() if model is None or model.value(after) is not True]
        solver.pop()
        for part in lost:
            del kept[part]


def _trace_back(system: TransitionSystem, defined: dict[Term, Term], trace: SystemTrace) -> SystemTrace:
    inputs: list[State] = []
    for state, given in zip(trace.states, trace.inputs, strict=False):
        drawn = {x: given.get(x, default_value(x.sort)) for x in system.inputs if x not in defined}
        evaluator = Evaluator({**state, **drawn})
        inputs.append({x: evaluator(defined.get(x, x)) for x in system.inputs})
    return SystemTrace(trace.states, tuple(inputs), trace.violated)
