"""The post image of a set of states under an edge, without quantifiers.

The old values of the assigned variables and the edge's locals are to be eliminated. Most of them
are given by an equation (``x = x@0 + 1``), which is solved for them; only what is left goes to
the solver's elimination.
"""

from __future__ import annotations

from fractions import Fraction

from revet.budget import Budget
from revet.logic.arith import add, mul, neg
from revet.logic.core import conjunction, const, eq, not_
from revet.logic.linear import linear_form
from revet.logic.sorts import BOOL, INT, REAL
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import conjuncts, free_vars, substitute
from revet.model.names import at
from revet.model.relation import Relation
from revet.smt.protocol import Eliminator


class Images:
    def __init__(self, eliminator: Eliminator, budget: Budget) -> None:
        self._eliminator = eliminator
        self._budget = budget

    def image(self, states: Term, relation: Relation) -> Term:
        """``exists old values and locals. states and the step``, over the values after it."""
        old = {x: at(x, 0) for x in relation.updates}
        memo: dict[Term, Term] = {}
        parts = [substitute(states, old, memo), substitute(relation.guard, old, memo)]
        parts += [eq(x, substitute(value, old, memo)) for x, value in relation.updates.items()]
        return self.eliminate({*old.values(), *relation.locals}, conjunction(parts))

    def preimage(self, states: Term, relation: Relation) -> Term:
        """``exists locals. the step leads into states``, over the values before it."""
        return self.eliminate(set(relation.locals), relation.pre(states))

    def weakest_precondition(self, states: Term, relation: Relation) -> Term:
        """``forall locals. every step leads into states``: also where there is no step (liberal)."""
        return not_(self.preimage(not_(states), relation))

    def eliminate(self, gone: set[Term], formula: Term) -> Term:
        """``exists gone. formula``, without quantifiers; the set is used up.

        Raises :class:`revet.smt.errors.SolverError` where the theory has no elimination.
        """
        parts = conjuncts(formula)
        while (solved := _solvable(parts, gone)) is not None:
            variable, value, equation = solved
            gone.discard(variable)
            rest = [part for part in parts if part is not equation]
            parts = conjuncts(substitute(conjunction(rest), {variable: value}))
        left = [part for part in parts if not free_vars(part).isdisjoint(gone)]
        kept = [part for part in parts if free_vars(part).isdisjoint(gone)]
        if left:
            variables = sorted(gone, key=lambda variable: variable.id)
            kept.append(self._eliminator.eliminate(variables, conjunction(left), self._budget))
        return conjunction(kept)


def _solvable(parts: list[Term], gone: set[Term]) -> tuple[Term, Term, Term] | None:
    """A variable to be rid of, its value, and the conjunct that says so."""
    for part in parts:
        if part.op not in (Op.EQ, Op.VAR, Op.NOT):
            continue
        for variable in sorted(free_vars(part) & gone, key=lambda variable: variable.id):
            value = _solve(part, variable)
            if value is not None:
                return variable, value, part
    return None


def _solve(literal: Term, variable: Term) -> Term | None:
    """The variable's value, where the literal is an equation that can be solved for it."""
    if literal is variable:
        return TRUE
    if variable.sort is BOOL and literal is not_(variable):
        return FALSE
    if literal.op != Op.EQ:
        return None
    left, right = literal.args
    for one, other in ((left, right), (right, left)):
        if one is variable and variable not in free_vars(other):
            return other
        if variable.sort is BOOL and one is not_(variable) and variable not in free_vars(other):
            return not_(other)
    return _solve_linear(left, right, variable) if left.sort in (INT, REAL) else None


def _solve_linear(left: Term, right: Term, variable: Term) -> Term | None:
    form, constant = linear_form(add(left, neg(right)))
    factor = form.pop(variable, 0)
    if factor == 0 or any(variable in free_vars(base) for base in form):
        return None
    if variable.sort is INT and factor not in (1, -1):
        return None  # division would lose the solutions' divisibility
    scale = -Fraction(1) / Fraction(factor)

    def number(value: Fraction) -> Term:
        return const(int(value) if variable.sort is INT else value, variable.sort)

    return add(*(mul(number(scale * f), base) for base, f in form.items()), number(scale * constant))
