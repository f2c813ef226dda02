"""One step of the unfolding: an edge's relation at given versions of the variables.

Large blocks come as a conjunction that begins with definitions of locals, ``l = t`` (see
:mod:`revet.transform.ssa`). A definition never ends a run, so it need not be part of the guard: it is
asserted for good, and where ``t`` is a constant or a variable under the given versions, ``l`` simply
*is* that. In this way constants pass through blocks as they do through single statements. Conditions come
first, each with the definitions that it needs: most edges that a run does not take are left after one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from revet.logic.arrays import compact, has_few_places, with_named_elements
from revet.logic.core import conjunction, eq, var
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import Memo, conjuncts, free_vars, rewrite
from revet.model.cfa import Cfa, Edge
from revet.model.relation import Relation

Versions = Mapping[Term, Term]


def instantiate(term: Term, memo: Memo) -> Term:
    """``term`` with the variables replaced that ``memo`` maps; ``memo`` remembers all parts."""
    return rewrite(term, _same, memo)


def _same(term: Term) -> Term:
    return term


def is_plain(term: Term) -> bool:
    """Can the term stand for a variable without making formulas larger?

    Constants, variables, and ``x + c``: adding to that gives one of its kind again, so a counter
    never needs a second version, and z3 no long chain of equations (it is slow on those). And arrays of which
    a few places are known, where nobody knows the others: what is read from these folds.
    """
    if term.op == Op.ADD and len(term.args) == 2:
        return term.args[0].op == Op.VAR and term.args[1].op == Op.CONST
    return term.op in (Op.VAR, Op.CONST) or has_few_places(term)


def stand_in(variable: Term, value: Term, version: Callable[[Term], Term], equations: list[Term]) -> Term:
    """A plain term that is equal to ``value`` by the equations that are added: the value itself, or a version
    of the variable; of an array with a few known places only the elements there may need one."""

    def element(index: Term, inside: Term) -> Term:
        fresh = version(var(f"{variable.name}[{index}]", inside.sort))
        equations.append(eq(fresh, inside))
        return fresh

    plain = with_named_elements(compact(value), element)
    if is_plain(plain):
        return plain
    fresh = version(variable)
    equations.append(eq(fresh, plain))
    return fresh


@dataclass(frozen=True, eq=False, slots=True)
class Shape:
    """A relation's guard taken apart: ``definitions`` in an order in which each one uses only
    earlier ones, ``conditions`` the rest, each with the numbers of the definitions that it needs, directly or
    not; ``free`` are the locals without definition."""

    relation: Relation
    definitions: Sequence[tuple[Term, Term]]
    conditions: Sequence[tuple[Term, Sequence[int]]]
    free: Sequence[Term]


def shape_of(relation: Relation) -> Shape:
    locals_ = frozenset(relation.locals)
    definitions: dict[Term, Term] = {}
    conditions: list[Term] = []
    used: set[Term] = set()  # a local that was used before is no longer free to be defined
    for part in conjuncts(relation.guard):
        defined = _defined(part, locals_, used) if locals_ else None
        if defined is None:
            conditions.append(part)
        else:
            definitions[defined[0]] = defined[1]
        used |= free_vars(part) & locals_
    free = [local for local in relation.locals if local not in definitions]
    return Shape(relation, tuple(definitions.items()), _with_needs(conditions, definitions), tuple(free))


def _with_needs(
    conditions: list[Term], definitions: dict[Term, Term]
) -> Sequence[tuple[Term, Sequence[int]]]:
    numbers = {local: number for number, local in enumerate(definitions)}
    needs: list[frozenset[int]] = []  # of each definition

    def needed(term: Term) -> frozenset[int]:
        direct = [numbers[x] for x in free_vars(term) if x in numbers]
        return frozenset(direct).union(*(needs[number] for number in direct))

    for value in definitions.values():
        needs.append(needed(value))
    return tuple((condition, sorted(needed(condition))) for condition in conditions)


def _defined(part: Term, locals_: frozenset[Term], used: set[Term]) -> tuple[Term, Term] | None:
    if part.op == Op.EQ:
        left, right = part.args
        for local, value in ((left, right), (right, left)):
            if local in locals_ and local not in used and local not in free_vars(value):
                return local, value
    elif part in locals_ and part not in used:
        return part, TRUE
    return None


@dataclass(frozen=True, eq=False, slots=True)
class Instance:
    """``inputs``: the locals' versions. ``definitions``: equations to assert for good."""

    guard: Term
    inputs: Versions
    definitions: Sequence[Term]


class Instances:
    """Makes instances of an automaton's edges."""

    def __init__(self, cfa: Cfa) -> None:
        self._cfa = cfa
        self._shapes: dict[Edge, Shape] = {}

    def shape(self, edge: Edge) -> Shape:
        found = self._shapes.get(edge)
        if found is None:
            found = self._shapes[edge] = shape_of(self._cfa.relation(edge))
        return found

    def instance(self, edge: Edge, memo: Memo, version: Callable[[Term], Term]) -> Instance:
        """The edge where the variables are as in ``memo``, which gets the locals as well.

        ``version`` makes copies of locals. If the guard is false the rest is left out.
        """
        shape = self.shape(edge)
        for local in shape.free:
            memo[local] = version(local)
        equations: list[Term] = []
        done: set[int] = set()

        def define(number: int) -> None:
            if number in done:
                return
            done.add(number)
            local, value = shape.definitions[number]
            memo[local] = stand_in(local, instantiate(value, memo), version, equations)

        parts = []
        for condition, needs in shape.conditions:
            for number in needs:
                define(number)
            part = instantiate(condition, memo)
            if part is FALSE:
                return Instance(FALSE, {}, ())
            parts.append(part)
        for number in range(len(shape.definitions)):
            define(number)
        inputs = {local: memo[local] for local in shape.relation.locals}
        return Instance(conjunction(parts), inputs, equations)
