"""The cubes of a formula's disjunctive normal form, as long as there are few of them."""

from __future__ import annotations

from revet.logic.core import and_, not_
from revet.logic.sorts import BOOL
from revet.logic.terms import FALSE, TRUE, Op, Term


def cubes_of(formula: Term, most: int) -> list[tuple[Term, ...]] | None:
    """Cubes whose disjunction is equivalent to the formula; None if there are more than ``most``.

    Literals are atoms and negated atoms; ``ite`` inside an atom stays there. Cubes with a literal
    and its negation are left out, others may be unsatisfiable too.
    """
    done: dict[tuple[Term, ...], None] = {}
    # What is still to be taken apart, and the literals found: one entry a branch.
    branches: list[tuple[tuple[Term, ...], dict[Term, None]]] = [((formula,), {})]
    while branches:
        if len(branches) + len(done) > most:
            return None
        pending, literals = branches.pop()
        while pending:
            node, pending = pending[-1], pending[:-1]
            both, parts = _taken_apart(node)
            if both:
                pending += tuple(reversed(parts))
            elif parts:
                branches += [((*pending, part), dict(literals)) for part in reversed(parts)]
                break
            elif node is FALSE or not_(node) in literals:
                break
            elif node is not TRUE:
                literals[node] = None
        else:
            done[tuple(literals)] = None
    return list(done)


def _taken_apart(node: Term) -> tuple[bool, list[Term]]:
    """A conjunction's parts with True, a disjunction's with False; a literal has none."""
    negated = node.op == Op.NOT
    inner = node.args[0] if negated else node
    if inner.op in (Op.AND, Op.OR):
        parts = [not_(arg) for arg in inner.args] if negated else list(inner.args)
        return (inner.op == Op.AND) is not negated, parts
    if inner.op == Op.ITE:
        condition, then, otherwise = inner.args
        if negated:
            then, otherwise = not_(then), not_(otherwise)
        return False, [and_(condition, then), and_(not_(condition), otherwise)]
    if inner.op == Op.EQ and inner.args[0].sort is BOOL:
        left, right = inner.args
        if negated:
            right = not_(right)
        return False, [and_(left, right), and_(not_(left), not_(right))]
    return False, []
