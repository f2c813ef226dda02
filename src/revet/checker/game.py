"""Evidence about safety games, checked straight from the definitions in :mod:`revet.result.game`.

Both kinds need queries with one alternation of quantifiers ("for all states and inputs there are outputs").
The inner quantifier is eliminated; where the theory has no elimination, the solver gets the query as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from revet.checker.queries import Queries
from revet.checker.report import CheckReport, Condition, Refused, malformed
from revet.logic.core import and_, const, disjunction, forall, not_
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.values import Value
from revet.logic.walk import free_vars, substitute
from revet.model.game import SafetyGame
from revet.result.game import Losing, Viable
from revet.smt.protocol import Eliminator, Model, SolverError, SolverFactory

if TYPE_CHECKING:
    from revet.budget import Budget


class Backend(SolverFactory, Eliminator, Protocol):
    """A solver that can eliminate quantifiers."""


def check_game(
    game: SafetyGame, evidence: Viable | Losing, backend: Backend, budget: Budget | None = None
) -> CheckReport:
    """Viable states: does every initial state belong to them, and can the system always stay inside?
    Losing ones: does the environment win from every region, one of which has the run's first state, and is
    the run one? Raises ``OutOfBudget``."""
    checker = _Checker(game, backend, budget)
    try:
        if isinstance(evidence, Viable):
            checker.viable(evidence)
        else:
            checker.losing(evidence)
    except Refused as refused:
        return refused.report
    return CheckReport("accepted", queries=checker.queries.count)


class _Checker:
    def __init__(self, game: SafetyGame, backend: Backend, budget: Budget | None) -> None:
        self.game = game
        self.backend = backend
        self.budget = budget
        self.queries = Queries(backend, budget)

    def viable(self, evidence: Viable) -> None:
        game, inside = self.game, evidence.states
        self._require_over(inside, game.variables)
        self.queries.require_unsat(
            [game.init, not_(inside)], "initiation", "an initial state is not viable", self._state
        )
        self._require_answer(
            and_(inside, game.assumption), game.outputs, game.leads_to(inside),
            "consecution", "the system cannot stay in the viable states",
        )

    def losing(self, evidence: Losing) -> None:
        game = self.game
        lost: list[Term] = []
        for number, region in enumerate(evidence.regions):
            self._require_over(region.states, game.variables)
            self._require_over(region.moves, (*game.variables, *game.inputs))
            moves = and_(game.assumption, region.moves)
            self.queries.require_unsat(
                [moves, game.leads_to(not_(disjunction(lost)))],
                "consecution", f"the system escapes from region {number}", self._state,
            )
            self._require_answer(
                region.states, game.inputs, moves,
                "consecution", f"the environment has no move in region {number}",
            )
            lost.append(region.states)
        self._run(evidence, disjunction(lost))

    def _run(self, evidence: Losing, lost: Term) -> None:
        """The run is evaluated, without a solver; that it ends is asked."""
        game, last = self.game, len(evidence.states) - 1
        if last < 0 or len(evidence.inputs) != last + 1 or len(evidence.outputs) != last:
            raise malformed("the run has too few states, inputs or outputs")
        first = Evaluator(evidence.states[0])
        if first(game.init) is not True or first(lost) is not True:
            raise malformed("the run does not begin in an initial state that is lost")
        for step, state in enumerate(evidence.states):
            chosen = {**state, **evidence.inputs[step]}
            if Evaluator(chosen)(game.assumption) is not True:
                raise malformed(f"the assumption is false at instant {step}")
            if step == last:
                break
            evaluator = Evaluator({**chosen, **evidence.outputs[step]})
            if evaluator(game.guarantee) is not True:
                raise malformed(f"a guarantee is false at instant {step}")
            after = evidence.states[step + 1]
            if any(evaluator(game.updates.get(x, x)) != after[x] for x in game.variables):
                raise malformed(f"instant {step} does not lead to the next state")
        chosen = {**evidence.states[last], **evidence.inputs[last]}
        values = {x: const(value, x.sort) for x, value in chosen.items()}
        self.queries.require_unsat(
            [substitute(game.guarantee, values)], "safety", "the run does not end in a deadlock", self._state
        )

    def _require_answer(
        self, given: Term, chosen: Sequence[Term], wanted: Term, condition: Condition, where: str
    ) -> None:
        """Wherever ``given`` holds there are values of ``chosen`` such that ``wanted`` does."""
        mentioned = free_vars(wanted)
        variables = tuple(x for x in chosen if x in mentioned)
        try:
            none = not_(self.backend.eliminate(variables, wanted, self.budget))
        except SolverError:
            none = forall(variables, not_(wanted))
        self.queries.require_unsat([given, none], condition, where, self._state)

    def _require_over(self, formula: Term, variables: Sequence[Term]) -> None:
        if formula.sort is not BOOL or not free_vars(formula) <= set(variables):
            raise malformed("a region is not a formula over the game's variables")

    def _state(self, model: Model) -> Mapping[Term, Value]:
        return {x: model.value(x) for x in self.game.variables}

