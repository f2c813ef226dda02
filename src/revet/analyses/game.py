"""Who wins a safety game: the greatest set of states in which the system can always stay.

The fixpoint of Katis, Fedyukovich, Gacek, Backes, Gurfinkel and Whalen, *Synthesis from Assume-Guarantee
Contracts using Skolemized Proofs of Realizability* and *Validity-Guided Synthesis of Reactive Systems from
Assume-Guarantee Contracts* (TACAS 2018), with model-based projection (Komuravelli, Gurfinkel and Chaki,
*SMT-based model checking for recursive programs*) instead of full quantifier elimination:

* A state and an input without an answer are sought (:meth:`_Solver._round`). Where there is an answer, its
  projection covers all states and inputs that have one in the same way, and the search goes on elsewhere.
* Where there is none, a cube around the state and the input is made narrower until no state of it has an
  answer (:meth:`_Solver._lost`); the core of that proof, projected, is a region that is lost.
* In each round answers must lead out of the regions of earlier rounds. A round that finds none ends the
  search: what is not lost is viable. So does a lost initial state.

Where projection fails (non-linear terms, arrays), the values in the model take the place of the variables: a
smaller set, still a right one, so only termination is at stake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.errors import ModelError
from revet.logic.core import and_, conjunction, const, disjunction, eq, not_
from revet.logic.evaluate import Evaluator
from revet.logic.implicant import implicant
from revet.logic.terms import Term
from revet.logic.walk import free_vars, substitute
from revet.model.game import SafetyGame
from revet.result.game import Losing, Region, Viable
from revet.smt.protocol import Model, SolverError, Status

if TYPE_CHECKING:
    from revet.budget import Budget
    from revet.result.trace import State
    from revet.smt.protocol import Solver
    from revet.smt.z3 import Z3


@dataclass(frozen=True)
class Undecided:
    """Why the search ended without a winner."""

    reason: str


def solve(game: SafetyGame, backend: Z3, budget: Budget) -> Viable | Losing | Undecided:
    """The winner, with evidence that :func:`revet.checker.game.check_game` can check.

    Raises ``OutOfBudget``."""
    return _Solver(game, backend, budget).run()


class _Open(Exception):
    """The solver left a query open."""


class _Solver:
    def __init__(self, game: SafetyGame, backend: Z3, budget: Budget) -> None:
        self.game = game
        self.backend = backend
        self.budget = budget
        self.lost: list[Region] = []

    def run(self) -> Viable | Losing | Undecided:
        try:
            if self.backend.solver(budget=self.budget).check([self.game.init]) is Status.UNSAT:
                return Undecided("there is no initial state")
            while True:
                before = len(self.lost)
                start = self._round()
                if start is not None:
                    return self._losing(start)
                if len(self.lost) == before:
                    return Viable(self._viable())
        except _Open as reason:
            return Undecided(str(reason))

    def _viable(self) -> Term:
        return conjunction(not_(region.states) for region in self.lost)

    # -- one round

    def _round(self) -> State | None:
        """All states from which the environment can force the game out of what was viable so far; an
        initial state if one of them is lost."""
        game, viable = self.game, self._viable()
        answers = self.backend.solver(budget=self.budget)
        wanted = game.leads_to(viable)
        answers.add(wanted)
        challenges = self.backend.solver(budget=self.budget)
        challenges.add(and_(viable, game.assumption))
        covered: list[Term] = []
        while True:
            self.budget.poll()
            challenge = self._model(challenges, ())
            if challenge is None:
                return None
            fixed = _values(challenge, (*game.variables, *game.inputs))
            answer = self._model(answers, fixed)
            if answer is not None:
                region = self._project(game.outputs, wanted, answer)
                covered.append(region)
                challenges.add(not_(region))
                continue
            lost = self._lost(challenge, viable, wanted, answers, covered)
            self.lost.append(lost)
            start = self._model(self.backend.solver(budget=self.budget), [game.init, lost.states])
            if start is not None:
                return start.valuation(game.variables)
            challenges.add(not_(lost.states))

    def _lost(
        self, challenge: Model, viable: Term, wanted: Term, answers: Solver, covered: list[Term]
    ) -> Region:
        """A region around a state and an input that have no answer."""
        game = self.game
        asked = and_(viable, game.assumption, *(not_(region) for region in covered))
        cube = dict.fromkeys(self._cube(asked, challenge))
        while True:
            self.budget.poll()
            answer = self._model(answers, list(cube))
            if answer is None:
                break
            region = self._project(game.outputs, wanted, answer)
            covered.append(region)
            cube.update(dict.fromkeys(self._cube(not_(region), challenge)))
        moves = conjunction(answers.core())
        states = self._project(game.inputs, and_(game.assumption, moves), challenge)
        return Region(states, moves)

    def _cube(self, formula: Term, model: Model) -> list[Term]:
        """Literals around the model that imply the formula."""
        try:
            return implicant(formula, model.value)
        except ModelError:
            return _values(model, (*self.game.variables, *self.game.inputs))

    def _project(self, variables: Sequence[Term], formula: Term, model: Model) -> Term:
        """Implies that there are values of the variables such that the formula holds; true in the model."""
        try:
            return self.backend.project(variables, formula, model, self.budget)
        except SolverError:
            chosen = {x: const(model.value(x), x.sort) for x in variables if x in free_vars(formula)}
            return substitute(formula, chosen)

    def _model(self, solver: Solver, assumptions: Sequence[Term]) -> Model | None:
        status: Status = solver.check(assumptions)
        if status is Status.UNKNOWN:
            raise _Open(f"the solver left a query open: {solver.reason_unknown}")
        return solver.model() if status is Status.SAT else None

    # -- the run

    def _losing(self, start: State) -> Losing:
        """The environment plays to win, the system as long as it can."""
        game = self.game
        states: list[State] = [start]
        inputs: list[State] = []
        outputs: list[State] = []
        while True:
            number = next(
                k for k, region in enumerate(self.lost) if Evaluator(states[-1])(region.states) is True
            )
            here = [eq(x, const(value, x.sort)) for x, value in states[-1].items()]
            solver = self.backend.solver(budget=self.budget)
            move = self._model(solver, [*here, game.assumption, self.lost[number].moves])
            assert move is not None, "the environment has a move in every region"
            inputs.append(move.valuation(game.inputs))
            chosen = [*here, *_values(move, game.inputs)]
            earlier = disjunction(region.states for region in self.lost[:number])
            reply = self._model(solver, [*chosen, game.leads_to(earlier)])
            if reply is None:
                return Losing(tuple(self.lost), tuple(states), tuple(inputs), tuple(outputs))
            outputs.append(reply.valuation(game.outputs))
            evaluator = Evaluator({**states[-1], **inputs[-1], **outputs[-1]})
            states.append({x: evaluator(game.updates.get(x, x)) for x in game.variables})


def _values(model: Model, variables: Sequence[Term]) -> list[Term]:
    return [eq(x, const(model.value(x), x.sort)) for x in variables]
