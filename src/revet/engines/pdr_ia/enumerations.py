"""Enumerations: discrete variables that the property speaks of, such as a program location.

Predicates for all their values are needed sooner or later and are given to the abstraction at
once.
"""

from __future__ import annotations

from revet.engines.common.discrete import Discrete
from revet.logic.core import eq
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.system import TransitionSystem


def discrete_variables(system: TransitionSystem) -> Discrete:
    """The system's invariants are not looked at: they bound the range of a location variable."""
    return Discrete(system.step.updates.items(), (system.init, system.step.guard, system.property))


def value_predicates(system: TransitionSystem, discrete: Discrete) -> list[Term]:
    """``x = c`` for the discrete variables of the property and all constants they meet."""
    mentioned = free_vars(system.property)
    return [
        eq(variable, constant)
        for variable in system.variables
        if variable in mentioned and discrete.is_discrete(variable)
        for constant in discrete.constants(variable)
    ]
