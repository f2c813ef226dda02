"""The location variable of a system that was made from an automaton."""

from __future__ import annotations

from revet.logic.sorts import INT
from revet.logic.terms import Term
from revet.model.system import TransitionSystem


def location_variable(system: TransitionSystem) -> Term | None:
    """The variable that :mod:`revet.transform.to_system` adds; None for other systems."""
    for x in system.variables:
        if x.sort is INT and x.name.startswith("location!"):
            return x
    return None
