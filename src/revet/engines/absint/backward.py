"""Backward analysis: from which states can an error be reached?

The automaton is turned around, and every statement with it: before ``x := e`` the values of e are those that
x has afterwards. The states found contain all from which a run can reach an error. What lies outside of them
can not, so their complement is inductive; it is a proof if no initial state is inside.

With states ``within`` which all runs are known to be (a forward analysis), only those are looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from revet.engines.absint.domain import EITHER, MAYBE_TRUE
from revet.engines.absint.states import State, is_number
from revet.engines.absint.transfer import DEPTH, FUEL, Transfer
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, Term
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Block, Havoc, Statement


class BackwardTransfer(Transfer):
    """:meth:`run` gives a state that contains all from which the statements lead into ``state``."""

    def run(self, statements: Sequence[Statement], state: State) -> State | None:
        current: State | None = state
        for statement in reversed(statements):
            if current is None:
                return None
            match statement:
                case Assign(variable, value):
                    current = self._before({variable: value}, current)
                case Havoc(variable):
                    current = {x: known for x, known in current.items() if x is not variable}
                case Assume(condition):
                    current = self.assume(condition, current)
                case Block(relation):
                    current = self._before(relation.updates, current)
                    if current is not None:
                        current = self.assume(relation.guard, current)
                    if current is not None:
                        hidden = set(relation.locals)
                        current = {x: known for x, known in current.items() if x not in hidden}
        return current

    def _before(self, updates: Mapping[Term, Term], state: State) -> State | None:
        """Where the new values are what ``state`` says of the updated variables."""
        current: State | None = {x: known for x, known in state.items() if x not in updates}
        for variable, value in updates.items():
            known = state.get(variable)
            if current is None or known is None:
                continue
            self._fuel = FUEL
            if variable.sort is BOOL:
                if known != EITHER:
                    current = self._refine(value, known == MAYBE_TRUE, current, DEPTH)
            elif is_number(variable):
                current = self._cut(value, known, current, DEPTH)
        return current


def turned_around(cfa: Cfa) -> Cfa:
    """The automaton with its edges reversed and a new initial location before its errors.

    Edges that leave an error are left out: a run has ended there.
    """
    start = Location("!errors")
    errors = set(cfa.errors)
    edges = [Edge(start, error) for error in cfa.errors]
    edges += [
        Edge(edge.target, edge.source, edge.statements) for edge in cfa.edges if edge.source not in errors
    ]
    return Cfa(cfa.variables, (start, *cfa.locations), tuple(edges), start, (), TRUE, cfa.name)

