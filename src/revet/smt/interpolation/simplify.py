"""Unit propagation on conjuncts: what is known of single variables is put into the rest.

The step of an automaton's system is a list ``edge_k => location = l, guard, next values``. Once the
locations before and after are known, the edges with others are false, the one that is left is
true, and its body becomes plain conjuncts: a straight piece of program, which the methods
treat by substitution alone.
"""

from __future__ import annotations

from revet.logic.core import eq, not_, or_
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import conjuncts, free_vars, substitute

Units = dict[Term, Term]


def simplified(formulas: list[Term]) -> list[Term]:
    """Equivalent conjuncts: units propagated, ``v => (a and b)`` taken apart."""
    units: Units = {}
    rest = list(formulas)
    while True:
        new, rest = _units(rest)
        new = {variable: value for variable, value in new.items() if variable not in units}
        if not new:
            break
        units.update(new)
        memo: Units = {}
        rest = [
            part
            for formula in rest
            for part in (conjuncts(substitute(formula, new, memo)) if _mentions(formula, new) else [formula])
            if part is not TRUE
        ]
        if FALSE in rest:
            return [FALSE]
    known = [_formula(variable, value) for variable, value in units.items()]
    flat = [part for formula in rest for part in _distribute(formula)]
    return list(dict.fromkeys([*known, *flat]))


def _mentions(formula: Term, units: Units) -> bool:
    return not free_vars(formula).isdisjoint(units)


def _formula(variable: Term, value: Term) -> Term:
    if value is TRUE:
        return variable
    return not_(variable) if value is FALSE else eq(variable, value)


def _units(formulas: list[Term]) -> tuple[Units, list[Term]]:
    """Variables with a constant value, and the other formulas."""
    units: Units = {}
    rest = []
    for formula in formulas:
        unit = _unit(formula)
        if unit is None:
            rest.append(formula)
        elif units.setdefault(unit[0], unit[1]) is not unit[1]:
            return {}, [FALSE]
    return units, rest


def _unit(formula: Term) -> tuple[Term, Term] | None:
    if formula.op == Op.VAR:
        return formula, TRUE
    if formula.op == Op.NOT and formula.args[0].op == Op.VAR:
        return formula.args[0], FALSE
    if formula.op == Op.EQ and formula.args[0].op == Op.VAR and formula.args[1].op == Op.CONST:
        return formula.args[0], formula.args[1]
    return None


def _distribute(formula: Term) -> list[Term]:
    """``v => (a and b)`` as ``v => a`` and ``v => b``: finer parts make finer cores."""
    if formula.op != Op.OR:
        return [formula]
    bodies = [arg for arg in formula.args if arg.op == Op.AND]
    others = [arg for arg in formula.args if arg.op != Op.AND]
    if len(bodies) != 1 or not all(_unit(arg) for arg in others):
        return [formula]
    return [or_(*others, part) for part in conjuncts(bodies[0])]
