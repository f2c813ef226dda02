"""All formulas and values in a model."""

from __future__ import annotations

from collections.abc import Iterator

from revet.logic.terms import Term
from revet.model.cfa import Cfa
from revet.model.statements import Assign, Assume, Block, Havoc
from revet.model.system import TransitionSystem


def formulas_of(model: Cfa | TransitionSystem) -> Iterator[Term]:
    """Where its runs start, what its steps need and do, what it must keep; with repetitions."""
    if not isinstance(model, Cfa):
        yield from (model.init, model.step.guard, *model.step.updates.values())
        yield from (*model.invariants, *model.properties.values())
        return
    yield model.precondition
    for edge in model.edges:
        for statement in edge.statements:
            match statement:
                case Assign(_, value):
                    yield value
                case Assume(condition):
                    yield condition
                case Block(relation):
                    yield relation.guard
                    yield from relation.updates.values()
                case Havoc():
                    pass
