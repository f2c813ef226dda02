"""Symbolic transition systems that are written as formulas over ``x`` and ``x'``: what the notations
for them (VMT-LIB, THETA's STS) share.

The formulas stay as they were written. The model is made of them by solving ``x' = term`` for the
next values; a run is confirmed by evaluating the formulas themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from revet.budget import Budget
from revet.errors import Position
from revet.frontends.program import Program, ReplayFailed
from revet.logic.core import conjunction, var
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.logic.values import Value
from revet.logic.walk import conjuncts, size, substitute
from revet.model.horn_automaton import solve_equations
from revet.model.names import RESERVED, prime
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result.trace import State, SystemTrace, Trace

_LARGEST = 50_000  # nodes of a transition relation whose next values are solved for


@dataclass
class Formulas:
    """A system: ``trans`` speaks of the variables and their primed copies, everything else of the
    variables; what ``trans`` does not speak of takes any value."""

    name: str
    variables: list[Term] = field(default_factory=list)
    init: list[Term] = field(default_factory=list)
    trans: list[Term] = field(default_factory=list)
    invariants: list[Term] = field(default_factory=list)
    properties: dict[str, Term] = field(default_factory=dict)
    positions: dict[str, Position] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()

    def system(self) -> TransitionSystem:
        nexts = {x: var(f"{x.name}!next", x.sort) for x in self.variables}
        renamed = {prime(x): value for x, value in nexts.items()}
        conditions = [part for one in self.trans for part in conjuncts(substitute(one, renamed))]
        rest, defined = conditions, dict[Term, Term]()
        if size(*conditions) <= _LARGEST:  # solving very many equations takes longer than it saves
            rest, defined = solve_equations(conditions, set(nexts.values()))
        updates = {x: defined.get(new, new) for x, new in nexts.items()}
        drawn = tuple(new for new in nexts.values() if new not in defined)
        step = Relation(conjunction(rest), {x: v for x, v in updates.items() if v is not x}, drawn)
        return TransitionSystem(
            tuple(self.variables), conjunction(self.init), step, self.properties, tuple(self.invariants),
            self.name, self.positions,
        )


def plain_name(name: str, taken: set[str]) -> str:
    """The name without characters that are ours, and other than those taken, which it joins."""
    name = name.translate(str.maketrans(RESERVED, "_" * len(RESERVED)))
    while name in taken:
        name += "_"
    taken.add(name)
    return name


class RelationProgram(Program):
    """A file with such a system; ``language`` is its notation."""

    def __init__(self, formulas: Formulas, path: Path, language: str) -> None:
        super().__init__(formulas.system(), (path,), formulas.assumptions)
        self.language = language
        self.formulas = formulas

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        """Evaluates the formulas of the file in every state and between any two of them."""
        if not isinstance(trace, SystemTrace) or trace.violated not in self.formulas.properties:
            raise ReplayFailed("not a run to one of the properties")
        formulas = self.formulas
        for number, state in enumerate(trace.states):
            if budget is not None:
                budget.poll()
            checks = [("an invariant", formulas.invariants, dict(state))]
            if number == 0:
                checks.append(("the initial condition", formulas.init, dict(state)))
            else:
                both = {**trace.states[number - 1], **_primed(state)}
                checks.append(("the transition relation", formulas.trans, both))
            for what, wanted, values in checks:
                if not all(map(Evaluator(values), wanted)):
                    raise ReplayFailed(f"step {number}: {what} does not hold")
        if Evaluator(dict(trace.states[-1]))(formulas.properties[trace.violated]) is not False:
            raise ReplayFailed(f"the last state does not violate {trace.violated}")
        count = len(trace.states)
        states = f"{count} state{'s' * (count != 1)}"
        return [f"{states} evaluated by the formulas of the file: {trace.violated} fails"]


def _primed(state: State) -> dict[Term, Value]:
    return {prime(x): value for x, value in state.items()}
