"""Predicates read off the program: its conditions, and the constants it assigns.

Interpolants only contain what one infeasible run needs, and a run through a loop that counts to
100 needs ``x <= 99``, the next one ``x <= 98`` and so on, while the invariant is written in the
program: ``x < 100`` guards the loop and ``x == 100`` is asserted after it. Any predicate is sound;
the question is only which are worth their weight.
"""

from __future__ import annotations

from revet.engines.pdr_ia.lift import ConditionalDefinitions
from revet.logic.core import eq
from revet.logic.terms import Term
from revet.logic.walk import atoms, free_vars, substitute
from revet.model.definitions import close, split_definitions
from revet.model.system import TransitionSystem


def program_atoms(system: TransitionSystem) -> list[Term]:
    """Atoms over state variables, each once, in the order of the program."""
    state = frozenset(system.variables)
    inputs = frozenset(system.inputs)
    step = ConditionalDefinitions(system)
    found: dict[Term, None] = {}
    for body in step.cases():
        definitions, constraints = split_definitions(body, inputs)
        closed = close(definitions)
        memo: dict[Term, Term] = {}
        for constraint in constraints:
            for atom in atoms(substitute(constraint, closed, memo)):
                if free_vars(atom) <= state:
                    found[atom] = None
        for variable in system.variables:
            value = substitute(system.step.after(variable), closed, memo)
            if value.is_const:
                found[eq(variable, value)] = None
            elif value is not variable:
                for atom in atoms(value):
                    if free_vars(atom) <= state:
                        found[atom] = None
    return list(found)
