"""Formulas made short: cubes, without contradictions and without what follows from the rest."""

from __future__ import annotations

from revet.budget import Budget
from revet.logic.core import conjunction, disjunction, eq, not_
from revet.logic.dnf import cubes_of
from revet.logic.linear import normalize_literal
from revet.logic.terms import Op, Term
from revet.smt.protocol import SolverError, SolverFactory, Status


class Simplifier:
    """Asks one solver, by assumptions only."""

    def __init__(self, backend: SolverFactory, budget: Budget, most_cubes: int) -> None:
        self._solver = backend.solver(budget=budget)
        self._most = most_cubes

    def holds(self, *formulas: Term) -> bool:
        """Are the formulas satisfiable together?"""
        status = self._solver.check(formulas)
        if status is Status.UNKNOWN:
            raise SolverError(f"a query was not decided: {self._solver.reason_unknown}")
        return status is Status.SAT

    def cubes(self, formula: Term) -> list[Term]:
        """Satisfiable disjuncts, together equivalent to the formula, each as short as possible."""
        found = cubes_of(formula, self._most)
        if found is None:
            return [formula] if self.holds(formula) else []
        short: dict[Term, None] = {}
        for cube in found:
            if self.holds(*cube):
                short[self._shortened(cube)] = None
        return self.without_implied(list(short))

    def _shortened(self, cube: tuple[Term, ...]) -> Term:
        """The cube without literals that follow from the others; two bounds make an equation."""
        literals = _equations(list(dict.fromkeys(map(normalize_literal, cube))))
        # The youngest literals go first: what was known before the step is kept.
        for literal in reversed(literals[:]):
            rest = [other for other in literals if other is not literal]
            if not self.holds(*rest, not_(literal)):
                literals = rest
        return conjunction(literals)

    def without_implied(self, disjuncts: list[Term]) -> list[Term]:
        """The disjuncts, less those that lie inside the others."""
        kept = list(disjuncts)
        for one in disjuncts if len(disjuncts) > 1 else ():
            others = [other for other in kept if other is not one]
            if others and not self.holds(one, not_(disjunction(others))):
                kept = others
        return kept


def _equations(literals: list[Term]) -> list[Term]:
    """``t <= c`` and ``c <= t`` (in normal form) as ``t = c``."""
    present = set(literals)
    result: dict[Term, None] = {}
    for literal in literals:
        if literal.op == Op.LE:
            left, right = literal.args
            other = next((o for o in present if o.op == Op.LE and o.args == (right, left)), None)
            if other is not None:
                literal = normalize_literal(eq(left, right))
        result[literal] = None
    return list(result)
