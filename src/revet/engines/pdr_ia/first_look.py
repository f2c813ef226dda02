"""The runs of an automaton without a back edge, in one query.

Levels count back edges (:mod:`revet.engines.pdr_ia.control`), so these runs are to an automaton what the
initial states are to other systems, and PDR's first question is whether one of them is bad. Locations are
visited in topological order, each with its variables as terms over the first state and the inputs of the
edges. Where paths meet, a variable that differs gets a new name, with an equation for each edge; a Boolean
for each edge, its selector, says that the run takes it. So the query is linear in the program, and no run is
refuted by itself.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from revet.budget import Budget
from revet.engines.common.runs import successor, violated_property
from revet.engines.pdr_ia.control import Control
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.values import Value, default_value
from revet.logic.walk import Memo, free_vars_of, substitute
from revet.model.definitions import unfolded
from revet.model.system import TransitionSystem
from revet.result import SystemTrace
from revet.smt import Model, SolverFactory, Status

State = dict[Term, Term]  # the value of each variable that is not the first state's


class FirstLook:
    """One query, made and answered within the budget."""

    def __init__(
        self, system: TransitionSystem, control: Control, backend: SolverFactory, budget: Budget
    ) -> None:
        self._system = system
        self._control = control
        self._budget = budget
        self._solver = backend.solver(budget=budget)
        self._step = control.step
        self._nexts = [after for after in system.step.updates.values() if after.is_var]
        self._leaving: dict[int, list[Term]] = {}
        for selector, (source, _) in control.ends.items():
            if selector not in control.back:
                self._leaving.setdefault(source, []).append(selector)
        self._arrivals: dict[int, list[tuple[Term, State]]] = {}

    def violation(self) -> SystemTrace | None:
        """A run without a back edge into a bad state; None if the query finds none that is real."""
        system, solver = self._system, self._solver
        solver.add(b.and_(system.init, system.invariant))
        bad: dict[int, Term] = {}
        for number, here, state in self._visit():
            broken = b.not_(substitute(system.property, state))
            if broken is not FALSE:
                bad[number] = b.and_(here, broken)
        if not bad or solver.check([b.disjunction(bad.values())]) is not Status.SAT:
            return None
        model = solver.model()
        return self._run(model, next(number for number, there in bad.items() if model.value(there) is True))

    def _visit(self) -> Iterator[tuple[int, Term, State]]:
        """Every location that such a run may reach: its number, whether the run is there, its variables."""
        order = self._control.order
        for number in sorted(order, key=lambda each: order[each]):
            self._budget.poll()
            if number == self._control.first:
                here, state = TRUE, {self._control.location: b.integer(number)}
            elif number in self._arrivals:
                here, state = self._meet(number)
            else:
                continue
            yield number, here, state
            for selector in self._leaving.get(number, ()):
                self._take(selector, here, state)

    def _take(self, selector: Term, here: Term, state: State) -> None:
        """The edge starts here, its conditions hold, and it leads to its target with the state after it."""
        definitions, constraints = self._step.chosen(selector)
        before = {**state, **self._own(selector, definitions)}
        memo: Memo = {}
        defined = {x: substitute(value, before, memo) for x, value in unfolded(definitions).items()}
        values = before | defined
        memo = {}
        for condition in (here, *(substitute(part, values, memo) for part in constraints)):
            self._solver.add(b.implies(selector, condition))
        after = {x: substitute(value, values, memo) for x, value in self._system.step.updates.items()}
        self._arrivals.setdefault(self._control.ends[selector][1], []).append((selector, after))

    def _own(self, selector: Term, defined: Container[Term]) -> State:
        """Next values are inputs that all edges share: this edge's own, where it does not define them."""
        undefined = [each for each in self._nexts if each not in defined]
        return {each: b.var(f"{each.name}!{selector.name}", each.sort) for each in undefined}

    def _meet(self, number: int) -> tuple[Term, State]:
        arrivals = self._arrivals[number]
        state = dict(arrivals[0][1])
        for x, value in state.items():
            if any(other[x] is not value for _, other in arrivals):
                state[x] = b.var(f"{x.name}!at!{number}", x.sort)
                for selector, other in arrivals:
                    self._solver.add(b.implies(selector, state[x].eq(other[x])))
        return b.disjunction(selector for selector, _ in arrivals), state

    # ------------------------------------------------------------------ the run behind a model

    def _run(self, model: Model, number: int) -> SystemTrace | None:
        path: list[Term] = []
        while number != self._control.first:
            chosen = [selector for selector, _ in self._arrivals[number]]
            truths = model.truths(chosen)
            path.append(next(each for each, truth in zip(chosen, truths, strict=True) if truth))
            number = self._control.ends[path[-1]][0]
        system = self._system
        states = [{x: model.value(x) for x in system.variables}]
        anything = {each: default_value(each.sort) for each in system.inputs}
        inputs: list[dict[Term, Value]] = []
        for selector in reversed(path):
            inputs.append({**anything, **self._inputs(selector, states[-1], model), selector: True})
            states.append(successor(system, states[-1], inputs[-1]))
        violated = violated_property(system, states[-1])
        return None if violated is None else SystemTrace(tuple(states), tuple(inputs), violated)

    def _inputs(self, selector: Term, state: Mapping[Term, Value], model: Model) -> dict[Term, Value]:
        """What the edge draws is in the model, what it defines follows from that."""
        definitions, constraints = self._step.chosen(selector)
        own = self._own(selector, definitions)
        free = free_vars_of([*definitions.values(), *constraints])
        drawn = {x: model.value(own.get(x, x)) for x in free if x not in state and x not in definitions}
        evaluate = Evaluator({**state, **drawn})
        return drawn | {each: evaluate(value) for each, value in unfolded(definitions).items()}
