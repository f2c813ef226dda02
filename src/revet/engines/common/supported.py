"""Is a model within a method's reach? Asked before the work starts, answered with the construct."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from revet.logic.sorts import ArraySort, BitVecSort, FloatSort, Sort, UninterpretedSort
from revet.logic.terms import Op, Term
from revet.logic.walk import subterms
from revet.model.cfa import Cfa
from revet.model.system import TransitionSystem
from revet.result import Unknown


class Construct(Enum):
    """What a method may be unable to handle."""

    ARRAY = "an array"
    FLOAT = "floating-point arithmetic"
    BITVECTOR = "bit-vector arithmetic"
    NONLINEAR = "non-linear arithmetic"
    QUANTIFIER = "a quantifier"
    UNINTERPRETED = "an uninterpreted function or sort"
    REAL_TO_INT = "rounding of reals"


@dataclass(frozen=True)
class Obstacle:
    """Something that a method cannot treat."""

    what: str
    term: Term

    def refusal(self, engine: str) -> Unknown:
        return Unknown(f"{engine} cannot handle {self.what}: {self.term!r}", about=self.term)


def obstacle(model: Cfa | TransitionSystem, refused: Iterable[Construct]) -> Obstacle | None:
    """The first refused construct of the model, None if there is none."""
    wanted = frozenset(refused)
    seen: set[Term] = set()
    for root in _formulas(model):
        for node in subterms(root):
            if node in seen:
                continue
            seen.add(node)
            found = next((c for c in _constructs(node) if c in wanted), None)
            if found is not None:
                return Obstacle(found.value, node)
    return None


def _constructs(node: Term) -> Iterator[Construct]:
    """What this one node needs beyond linear arithmetic and Booleans."""
    yield from _of_sort(node.sort)
    if node.op == Op.APPLY:
        yield Construct.UNINTERPRETED
    elif node.op in (Op.FORALL, Op.EXISTS):
        yield Construct.QUANTIFIER
    elif node.op == Op.TO_INT:
        yield Construct.REAL_TO_INT
    elif (node.op == Op.MUL and sum(1 for arg in node.args if arg.op != Op.CONST) > 1) or (
        node.op in (Op.DIV, Op.MOD, Op.RDIV) and node.args[1].op != Op.CONST
    ):
        yield Construct.NONLINEAR


def _of_sort(sort: Sort) -> Iterator[Construct]:
    """An array needs also what its elements need, for a method that has arrays of some sorts only."""
    while isinstance(sort, ArraySort):
        yield Construct.ARRAY
        yield from _of_sort(sort.index)
        sort = sort.element
    if isinstance(sort, FloatSort):
        yield Construct.FLOAT
    elif isinstance(sort, BitVecSort):
        yield Construct.BITVECTOR
    elif isinstance(sort, UninterpretedSort):
        yield Construct.UNINTERPRETED


def _formulas(model: Cfa | TransitionSystem) -> Iterator[Term]:
    if isinstance(model, Cfa):
        yield model.precondition
        for edge in model.edges:
            relation = model.relation(edge)
            yield from (relation.guard, *relation.updates.values())
        return
    yield from (model.init, *model.properties.values(), *model.invariants)
    yield from (model.step.guard, *model.step.updates.values(), *model.variables, *model.inputs)
