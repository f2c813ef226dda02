"""Predicates read off the program: its conditions, and the constants it assigns.

Interpolants only contain what one infeasible run needs, and a run through a loop that counts to
100 needs ``x <= 99``, the next one ``x <= 98`` and so on, while the invariant is written in the
program: ``x < 100`` guards the loop and ``x == 100`` is asserted after it. Any predicate is sound;
the question is only which are worth their weight.
"""

from __future__ import annotations

from revet.engines.pdr_ia.lift import ConditionalDefinitions
from revet.invariants.templates import is_range
from revet.logic.core import eq
from revet.logic.terms import Term
from revet.logic.walk import atoms, free_vars, substitute
from revet.model.definitions import split_definitions, unfolded
from revet.model.system import TransitionSystem
from revet.smt.interpolation.predicates import exceeds

# Longer atoms are values computed by a whole block, not conditions that somebody wrote.
_LARGEST = 20


def program_atoms(system: TransitionSystem) -> list[Term]:
    """Atoms over state variables, each once."""
    state = frozenset(system.variables)
    inputs = frozenset(system.inputs)
    step = ConditionalDefinitions(system)
    roots: list[Term] = []
    found: dict[Term, None] = {}
    for body in step.cases():
        definitions, constraints = split_definitions(body, inputs)
        values = unfolded(definitions)
        memo: dict[Term, Term] = {}
        roots += [substitute(constraint, values, memo) for constraint in constraints]
        for variable in system.variables:
            value = substitute(system.step.after(variable), values, memo)
            if value.is_const:
                found[eq(variable, value)] = None
            else:
                roots.append(value)
    found.update({atom: None for atom in atoms(*roots) if _is_useful(atom, state)})
    return list(found)


def _is_useful(atom: Term, state: frozenset[Term]) -> bool:
    if exceeds(atom, _LARGEST) or not free_vars(atom) <= state:
        return False
    return not is_range(atom)
