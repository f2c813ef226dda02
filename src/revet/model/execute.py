"""Concrete execution: what a statement does to one state. No solver, only evaluation.

This is the reference meaning of statements, beside :func:`revet.model.statements.relation_of`,
which says the same as a formula. Values that a run draws freely (havoc, locals of a block) come
from the caller, in the order in which ``cfa.relation(edge).locals`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from revet.errors import ModelError
from revet.logic.evaluate import Evaluator, evaluate
from revet.logic.terms import Term
from revet.logic.values import Value, is_value
from revet.model.statements import Assign, Assume, Block, Havoc, Statement

State = Mapping[Term, Value]


class Stuck(ModelError):
    """A run cannot go on: an assumption is false, or a drawn value is missing."""


def draws(statements: Sequence[Statement]) -> list[Term]:
    """What the statements draw, in order: the variable of each havoc, the locals of each block."""
    found: list[Term] = []
    for statement in statements:
        match statement:
            case Havoc(variable):
                found.append(variable)
            case Block(relation):
                found.extend(relation.locals)
            case Assign() | Assume():
                pass
    return found


def recover_draws(
    statements: Sequence[Statement], locals_: Sequence[Term], given: State, after: State
) -> list[Value]:
    """What an edge drew: the ``given`` values of its relation's locals where there are any, else
    what a havoc left in the state ``after`` the edge. Raises :class:`Stuck` if a value is missing."""
    found: list[Value] = []
    for variable, local in zip(draws(statements), locals_, strict=True):
        value = given.get(local)
        if value is None:
            value = after.get(variable)
        if value is None:
            raise Stuck(f"no value is given for {local.name}")
        found.append(value)
    return found


def execute(statements: Sequence[Statement], state: State, drawn: Sequence[Value]) -> dict[Term, Value]:
    """The state after the statements, given one drawn value for each entry of :func:`draws`.

    Raises :class:`Stuck` when an assumption does not hold.
    """
    after = dict(state)
    values = iter(drawn)
    for statement in statements:
        match statement:
            case Assign(variable, value):
                after[variable] = evaluate(value, after)
            case Assume(condition):
                if evaluate(condition, after) is not True:
                    raise Stuck(f"the assumption {condition} is false")
            case Havoc(variable):
                after[variable] = _next_drawn(values, variable)
            case Block(relation):
                local = {name: _next_drawn(values, name) for name in relation.locals}
                evaluator = Evaluator({**after, **local})
                if evaluator(relation.guard) is not True:
                    raise Stuck("the guard of the block is false")
                after.update({x: evaluator(value) for x, value in relation.updates.items()})
    return after


def _next_drawn(values: Iterator[Value], variable: Term) -> Value:
    value = next(values, None)
    if value is None:
        raise Stuck(f"no value was drawn for {variable.name}")
    if not is_value(value, variable.sort):
        raise Stuck(f"{value!r} was drawn for {variable.name}, which has sort {variable.sort}")
    return value
