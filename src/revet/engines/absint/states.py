"""Abstract states: what is known of the variables, one by one.

A state maps variables to values of the domain (numbers) or to a set of truth values (Booleans).
A variable that is missing may have any value of its sort; that is how variables of other sorts
(bit-vectors, arrays, floats) are treated throughout. None instead of a state: nothing gets here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from revet.engines.absint.domain import EITHER, MAYBE_TRUE, Domain, Number
from revet.logic.core import conjunction, not_
from revet.logic.sorts import BOOL, INT, REAL
from revet.logic.terms import FALSE, Term

State = Mapping[Term, Any]


def is_number(term: Term) -> bool:
    return term.sort is INT or term.sort is REAL


def top_of(domain: Domain[Any], term: Term) -> Any:
    return EITHER if term.sort is BOOL else domain.top


def with_value(domain: Domain[Any], state: State, variable: Term, value: Any) -> State:
    """The state after the variable got a value (None: any)."""
    changed = dict(state)
    if value is None or value == top_of(domain, variable):
        changed.pop(variable, None)
    else:
        changed[variable] = value
    return changed


def join(domain: Domain[Any], left: State | None, right: State | None) -> State | None:
    if left is None or left is right:
        return right
    if right is None:
        return left
    joined: dict[Term, Any] = {}
    for variable, value in left.items():
        other = right.get(variable)
        if other is None:
            continue
        if other != value:
            value = value | other if variable.sort is BOOL else domain.join(value, other)
            if value == top_of(domain, variable):
                continue
        joined[variable] = value
    return joined


def meet(domain: Domain[Any], left: State | None, right: State | None) -> State | None:
    """What is in both; None if that is nothing."""
    if left is None or right is None:
        return None
    met = dict(left)
    for variable, value in right.items():
        if variable in met:
            known = met[variable]
            both = (known & value or None) if variable.sort is BOOL else domain.meet(known, value)
            if both is None:
                return None
            value = both
        met[variable] = value
    return met


def widen(domain: Domain[Any], old: State, new: State, thresholds: Sequence[Number]) -> State:
    widened: dict[Term, Any] = {}
    for variable, value in old.items():
        other = new.get(variable)
        if other is None:
            continue
        if other != value:
            value = value | other if variable.sort is BOOL else domain.widen(value, other, thresholds)
            if value == top_of(domain, variable):
                continue
        widened[variable] = value
    return widened


def narrow(domain: Domain[Any], old: State, new: State) -> State:
    """``new`` is below ``old``."""
    narrowed: dict[Term, Any] = {}
    for variable, value in new.items():
        if variable.sort is not BOOL:
            value = domain.narrow(old.get(variable, domain.top), value)
            if value == domain.top:
                continue
        narrowed[variable] = value
    return narrowed


def below(domain: Domain[Any], left: State | None, right: State | None) -> bool:
    """Is everything that ``left`` allows allowed by ``right``?"""
    return left is None or (right is not None and join(domain, left, right) == right)


def to_formula(domain: Domain[Any], state: State | None) -> Term:
    if state is None:
        return FALSE
    return conjunction(
        (variable if value == MAYBE_TRUE else not_(variable))
        if variable.sort is BOOL
        else domain.to_formula(variable, value)
        for variable, value in state.items()
    )


def show(domain: Domain[Any], state: State | None) -> str:
    """For people: the known values in the order of the variables' names."""
    if state is None:
        return "not reachable"
    shown = []
    for variable in sorted(state, key=lambda v: v.name):
        value = state[variable]
        if variable.sort is BOOL:
            shown.append(variable.name if value == MAYBE_TRUE else f"not {variable.name}")
        else:
            shown.append(domain.show(variable.name, value))
    return ", ".join(shown) or "nothing known"
