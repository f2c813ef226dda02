"""Cubes: conjunctions of theory literals over the state variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from revet.engines.ic3_qe.linear import normal_literal
from revet.logic.core import conjunction, const, disjunction, eq, not_
from revet.logic.evaluate import Evaluator
from revet.logic.implicant import implicant
from revet.logic.linear import split_equality
from revet.logic.sorts import INT, REAL
from revet.logic.terms import TRUE, Op, Term
from revet.logic.walk import free_vars


class Cube:
    """``literals`` in a fixed order; compared by identity, related by :attr:`members`."""

    __slots__ = ("__dict__", "literals")

    def __init__(self, literals: Iterable[Term]) -> None:
        self.literals = tuple(sorted(dict.fromkeys(literals), key=lambda literal: literal.id))

    @cached_property
    def members(self) -> frozenset[Term]:
        return frozenset(self.literals)

    @cached_property
    def formula(self) -> Term:
        return conjunction(self.literals)

    @cached_property
    def lemma(self) -> Term:
        """The clause that blocks the cube."""
        return disjunction(not_(literal) for literal in self.literals)

    def __repr__(self) -> str:
        return f"Cube({self.formula!r})"


def make_cube(
    literals: Iterable[Term], evaluate: Evaluator, *, split: bool, location: Term | None = None
) -> Cube:
    """A cube of literals that hold under ``evaluate``: ``a != b`` becomes the inequality that holds
    there, ``a = b`` both inequalities if ``split`` (an unsat core then keeps the useful half).

    ``location`` is a name, not a number: literals about it become the one equation that holds.
    """
    found: dict[Term, None] = {}
    for literal in literals:
        for part in implicant(literal, evaluate):
            if location is not None and free_vars(part) == {location}:
                found[eq(location, const(evaluate(location), location.sort))] = None
                continue
            for piece in _pieces(part, evaluate, split):
                if piece is not TRUE:
                    found[piece] = None
    return Cube(_tightest(found))


def _tightest(literals: Iterable[Term]) -> Iterator[Term]:
    """Without bounds ``t <= c`` that another bound of the same term implies."""
    least: dict[Term, Term] = {}
    for literal in literals:
        if literal.op == Op.LE and literal.args[1].op == Op.CONST:
            known = least.get(literal.args[0])
            if known is None or literal.args[1].payload < known.args[1].payload:
                least[literal.args[0]] = literal
        else:
            yield literal
    yield from least.values()


def _pieces(literal: Term, evaluate: Evaluator, split: bool) -> list[Term]:
    if literal.op == Op.NOT and literal.args[0].op == Op.EQ:
        left, right = literal.args[0].args
        if left.sort in (INT, REAL):
            below = evaluate(left) < evaluate(right)  # type: ignore[operator]
            return [normal_literal(left < right if below else right < left)]
    if split:
        return [normal_literal(piece) for piece in split_equality(literal)]
    return [normal_literal(literal)]


def join_equalities(literals: Iterable[Term]) -> list[Term]:
    """The inverse of splitting, for people: ``t <= c`` and ``-t <= -c`` as ``t = c``."""
    remaining = dict.fromkeys(literals)
    for literal in list(remaining):
        if literal.op != Op.LE or literal not in remaining:
            continue
        opposite = normal_literal(literal.args[1] <= literal.args[0])
        if opposite in remaining and opposite is not literal:
            del remaining[literal], remaining[opposite]
            remaining[eq(*literal.args)] = None
    return list(remaining)


def numeric_variables(literals: Iterable[Term]) -> list[Term]:
    """The numbers that occur, by age."""
    found = {x for literal in literals for x in free_vars(literal) if x.sort in (INT, REAL)}
    return sorted(found, key=lambda x: x.id)
