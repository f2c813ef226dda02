"""Safety games between an environment and a system: the question whether a contract can be kept.

At every instant the environment chooses inputs that satisfy the assumption, then the system chooses
outputs. The system loses at the first instant at which no outputs satisfy the guarantee.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from revet.errors import ModelError
from revet.logic.core import and_, conjunction
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.walk import free_vars, substitute


@dataclass(frozen=True, eq=False)
class SafetyGame:
    """States are valuations of ``variables``; runs start where ``init`` holds, in any such state.

    ``assumption``  over variables and ``inputs``.
    ``guarantees``  by name, over variables, inputs and ``outputs``.
    ``updates``     the next value of each variable over all three; none: it keeps its value.
    """

    variables: tuple[Term, ...]
    inputs: tuple[Term, ...]
    outputs: tuple[Term, ...]
    init: Term
    assumption: Term
    guarantees: Mapping[str, Term]
    updates: Mapping[Term, Term]

    def __post_init__(self) -> None:
        states, inputs, all_ = set(self.variables), set(self.inputs), set(self.outputs)
        if len(states | inputs | all_) != len(self.variables) + len(self.inputs) + len(self.outputs):
            raise ModelError("a variable has two roles in a game")
        inputs |= states
        all_ |= inputs
        scopes = [("the initial condition", self.init, states), ("the assumption", self.assumption, inputs)]
        scopes += [(f"guarantee {name}", formula, all_) for name, formula in self.guarantees.items()]
        scopes += [(f"the update of {x.name}", value, all_) for x, value in self.updates.items()]
        for what, term, scope in scopes:
            if strangers := free_vars(term) - scope:
                names = ", ".join(sorted(x.name for x in strangers))
                raise ModelError(f"{what} mentions {names}")
        if any(formula.sort is not BOOL for formula in (self.init, self.assumption, self.guarantee)):
            raise ModelError("the conditions of a game are formulas")

    @property
    def guarantee(self) -> Term:
        return conjunction(self.guarantees.values())

    def leads_to(self, target: Term) -> Term:
        """The guarantee holds and the next state is in ``target``, a formula over the variables."""
        return and_(self.guarantee, substitute(target, self.updates))
