"""Features of models made of terms: see :mod:`revet.portfolio.features`."""

from __future__ import annotations

from collections import Counter

from revet.logic.sorts import BOOL, INT, REAL, ArraySort, BitVecSort, FloatSort
from revet.logic.terms import Op
from revet.logic.walk import subterms
from revet.model.cfa import Cfa
from revet.model.statements import Assign, Assume, Block, Havoc
from revet.portfolio.features import Features

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from revet.logic.terms import Term
    from revet.model.system import TransitionSystem


def features_of_terms(model: Cfa | TransitionSystem) -> Features:
    terms = list(_terms(model))
    nodes = subterms(*terms) if terms else []
    sorts = {node.sort for node in nodes} | {variable.sort for variable in model.variables}
    automaton = isinstance(model, Cfa)
    return Features(
        automaton=automaton,
        size=len(model.edges) if isinstance(model, Cfa) else len(nodes),
        loops=_has_cycle(model) if isinstance(model, Cfa) else True,
        variables=len(model.variables),
        booleans_only=sorts <= {BOOL},
        integers=INT in sorts,
        reals=REAL in sorts,
        bit_vectors=any(isinstance(sort, BitVecSort) for sort in sorts),
        floats=any(isinstance(sort, FloatSort) for sort in sorts),
        arrays=any(isinstance(sort, ArraySort) for sort in sorts),
        nonlinear=any(_is_nonlinear(node) for node in nodes),
        functions=any(node.op == Op.APPLY for node in nodes),
    )


def _terms(model: Cfa | TransitionSystem) -> Iterable[Term]:
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


def _is_nonlinear(node: Term) -> bool:
    if node.op == Op.MUL:
        return sum(arg.op != Op.CONST for arg in node.args) > 1
    if node.op in (Op.DIV, Op.MOD, Op.RDIV):
        return node.args[1].op != Op.CONST
    return False


def _has_cycle(cfa: Cfa) -> bool:
    """Take away locations that nothing leads to, again and again: what is left is on a cycle."""
    entering = Counter(edge.target for edge in cfa.edges)
    free = [location for location in cfa.locations if not entering[location]]
    for location in free:
        for edge in cfa.outgoing[location]:
            entering[edge.target] -= 1
            if not entering[edge.target]:
                free.append(edge.target)
    return len(free) < len(cfa.locations)
