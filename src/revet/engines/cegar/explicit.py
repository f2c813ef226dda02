"""The explicit-value domain: for some variables, the one value that they have.

An abstract state maps variables to values; a variable that is missing may have any value. A
step is evaluated in three-valued logic, by evaluation of the program's terms: no solver is
asked. A guard that is false ends the run; one that stays open lets it pass, and teaches what its
conjuncts say about single variables (``x = 3``; after constants are put in, also parts such as
``a = 1 or x = 3``).

Beyer, Löwe: *Explicit-state software model checking based on CEGAR and interpolation*, FASE 2013.
"""

from __future__ import annotations

from collections.abc import Iterable

from revet.engines.cegar.compile import Values
from revet.engines.cegar.diagram import says
from revet.engines.cegar.graph import Step, equation
from revet.logic.core import const
from revet.logic.sorts import ArraySort
from revet.logic.terms import FALSE, Op, Term
from revet.logic.values import Value
from revet.logic.walk import conjuncts, free_vars, substitute


def post(values: Values, step: Step, tracked: Iterable[Term]) -> dict[Term, Value] | None:
    """The values of ``tracked`` variables after the step, those that are known; None: no way.

    The result has them in the order of ``tracked``.
    """
    known: dict[Term, Value] | None = None
    for variable, constant, same in step.tests:
        value = values.get(variable) if known is None else known.get(variable)
        if value is None:
            if same:
                if known is None:
                    known = dict(values)
                known[variable] = constant
        elif (value == constant) is not same:
            return None
    here = values if known is None else known
    if step.others:
        passed = _pass(step, here)
        if passed is None:
            return None
        here = passed
    moves = step.moves
    after: dict[Term, Value] = {}
    for variable in tracked:
        move = moves.get(variable)
        found = here.get(variable) if move is None else move(here)
        if found is not None:
            after[variable] = found
    return after


def _pass(step: Step, values: Values) -> Values | None:
    """Evaluate the guard's conjuncts; the values with what they teach, None: no way."""
    while True:
        undecided: list[Term] = []
        for part, function in step.others:
            value = function(values)
            if value is False:
                return None
            if value is None:
                undecided.append(part)
        new: dict[Term, Value] = {}
        for part in undecided:
            if not _teach(part, values, new):
                return None
        if not new:
            return values
        values = {**values, **new}
        if any(values.get(x) == constant and not same for x, constant, same in step.tests):
            return None


def _teach(part: Term, values: Values, new: dict[Term, Value]) -> bool:
    """Equations between a variable and a constant that an undecided conjunct implies.

    False if the conjunct contradicts the values, or one that was found before.
    """
    variables = free_vars(part)
    if part.op not in (Op.EQ, Op.OR, Op.ITE) or len([x for x in variables if x not in values]) != 1:
        return True  # rarely an equation: not worth a substitution
    part = substitute(part, {x: const(values[x], x.sort) for x in variables if x in values})
    if part is FALSE:
        return False
    for conjunct in conjuncts(part):
        found = equation(conjunct)
        if found is not None and new.setdefault(*found) != found[1]:
            return False
    return True


def initial(precondition: Term, tracked: Iterable[Term]) -> dict[Term, Value]:
    """The values that the precondition fixes, in the order of ``tracked``."""
    known = dict(filter(None, map(equation, conjuncts(precondition))))
    return {x: known[x] for x in tracked if x in known}


def formulas(values: Values) -> tuple[Term, ...]:
    """The state as equations."""
    return tuple(says(x, value) for x, value in values.items())


def trackable(variables: Iterable[Term]) -> frozenset[Term]:
    """Variables that have a value to track; arrays are left to the predicates."""
    return frozenset(x for x in variables if not isinstance(x.sort, ArraySort))
