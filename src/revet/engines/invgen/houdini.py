"""The largest inductive subset of a set of candidate invariants.

Houdini (Flanagan, Leino, FME 2001): assume all candidates in a state, look for one that fails
after a step, drop every candidate that the counterexample falsifies, repeat. What is left is
inductive *together*.

Candidates come in *chains*, weakest first, each implied by the next (``x <= 100``, ``x <= 10``,
``x <= 3``). Asking for a failure of the weak ends first drops a hopeless chain with one
counterexample instead of one for each of its members, and only the strong ends are assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from revet.budget import Budget
from revet.engines.invgen.samples import Slice
from revet.logic.core import disjunction, not_, var
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL
from revet.logic.terms import Op, Term
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.smt import Solver, SolverFactory, Status

Chain = list[Term]


class Houdini:
    """Two solvers for one system: its initial states, and one step from anywhere.

    ``known`` are invariants that may be assumed (everything found is inductive relative to
    them, hence the conjunction with them is inductive).
    """

    def __init__(
        self,
        system: TransitionSystem,
        backend: SolverFactory,
        budget: Budget,
        known: Iterable[Term] = (),
    ) -> None:
        self.system = system
        self.slice: Slice = budget  # polled between queries
        self.unroller = Unroller(system)
        self._init = backend.solver(budget=budget)
        self._init.add(self.unroller.init())
        self._step = backend.solver(budget=budget)
        self._step.add(self.unroller.at(system.invariant, 0))
        self._step.add(self.unroller.step(0))
        self._rounds = 0
        self._negations: tuple[dict[Term, Term], dict[Term, Term]] = ({}, {})
        self.left: list[Chain] = []
        for formula in known:
            self.assume(formula)

    def assume(self, formula: Term) -> None:
        """Use a known invariant before the step."""
        self._step.add(self.unroller.at(formula, 0))

    def initial(self, chains: Iterable[Chain]) -> list[Chain]:
        """What holds in all initial states."""
        return self._filter(chains, self._init, 0)

    def preserved(self, chains: Iterable[Chain]) -> list[Chain]:
        """What every step preserves, together; [] when unsure.

        When the time slice runs out, ``left`` has the chains that are still in question: calling
        again with them continues.
        """
        return self._filter(chains, self._step, 1)

    def inductive(self, candidates: Iterable[Term]) -> list[Term]:
        """The largest inductive subset of candidates that are not ordered."""
        chains = self.preserved(self.initial([candidate] for candidate in candidates))
        return [candidate for chain in chains for candidate in chain]

    def _filter(self, chains: Iterable[Chain], solver: Solver, step: int) -> list[Chain]:
        """Drop candidates until no counterexample falsifies one of those left."""
        self.left = [chain for chain in chains if chain]
        width = 1
        while self.left:
            self.slice.poll()
            held = [self.unroller.at(chain[-1], 0) for chain in self.left] if step else []
            outcome = self._counterexample(solver, step, held, width)
            if isinstance(outcome, Evaluator):
                self.left = list(_surviving(self.left, outcome))
            elif outcome is Status.UNKNOWN:
                self.left = []
            elif width >= max(len(chain) for chain in self.left):
                break
            else:
                width += 1
        return self.left

    def _counterexample(
        self, solver: Solver, step: int, held: list[Term], width: int
    ) -> Evaluator | Status:
        """A state that falsifies one of the ``width`` weakest of a chain; UNSAT or UNKNOWN."""
        self._rounds += 1
        some_fails = var(f"fails!{self._rounds}", BOOL)
        failing = disjunction(
            self._negation(candidate, step) for chain in self.left for candidate in chain[:width]
        )
        solver.add(not_(some_fails) | failing)
        status = solver.check([some_fails, *held])
        if status is not Status.SAT:
            solver.add(not_(some_fails))
            return status
        model = solver.model()
        solver.add(not_(some_fails))
        return Evaluator({x: model.value(self.unroller.at(x, step)) for x in self.system.variables})

    def _negation(self, candidate: Term, step: int) -> Term:
        known = self._negations[step].get(candidate)
        if known is None:
            known = self._negations[step][candidate] = not_(self.unroller.at(candidate, step))
        return known


def _surviving(chains: list[Chain], state: Evaluator) -> Iterator[Chain]:
    for chain in chains:
        if _holds(chain[-1], state):  # and with it all the weaker ones
            yield chain
        else:
            kept = [candidate for candidate in chain[:-1] if _holds(candidate, state)]
            if kept:
                yield kept


def _holds(candidate: Term, state: Evaluator) -> bool:
    """Implications from a location are mostly decided by the location: look there first."""
    if candidate.op == Op.OR:
        return any(state(arg) is True for arg in candidate.args)
    return state(candidate) is True
