"""What is to be interpolated: a sequence of formulas, or a run of a system that cannot happen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from revet.logic.core import and_, eq
from revet.logic.terms import Term
from revet.logic.walk import conjuncts, free_vars_of, substitute
from revet.model.names import at
from revet.model.relation import Relation


@dataclass(frozen=True, eq=False)
class Chain:
    """``A_0 … A_n`` with an unsatisfiable conjunction, each as a list of conjuncts.

    Cut k lies between A_k and A_(k+1); there are n cuts.
    """

    parts: tuple[tuple[Term, ...], ...]

    @classmethod
    def of(cls, formulas: Sequence[Term]) -> Chain:
        return cls(tuple(tuple(conjuncts(formula)) for formula in formulas))

    @cached_property
    def common(self) -> list[frozenset[Term]]:
        """For each cut, the variables that occur on both sides of it."""
        occurring = [free_vars_of(part) for part in self.parts]
        before: list[frozenset[Term]] = []
        seen: frozenset[Term] = frozenset()
        for variables in occurring[:-1]:
            seen |= variables
            before.append(seen)
        found: list[frozenset[Term]] = []
        later: frozenset[Term] = frozenset()
        for position in range(len(self.parts) - 1, 0, -1):
            later |= occurring[position]
            found.append(before[position - 1] & later)
        return list(reversed(found))

    def restricted_to(self, core: frozenset[Term]) -> Chain:
        """Only the conjuncts in ``core``."""
        return Chain(tuple(tuple(f for f in part if f in core) for part in self.parts))


@dataclass(frozen=True, eq=False)
class Path:
    """States s_0, s_1, … over ``variables``: ``start`` holds in s_0, the i-th step leads from
    s_i to s_(i+1), where its condition holds; ``end`` holds in the last state."""

    variables: tuple[Term, ...]
    start: Term
    steps: tuple[tuple[Relation, Term], ...]
    end: Term

    def sequence(self) -> Chain:
        """One formula for the start, one for each step, one for the end; cut i speaks of s_i."""
        here = {x: at(x, 0) for x in self.variables}
        formulas = [substitute(self.start, here)]
        for number, (relation, condition) in enumerate(self.steps):
            now = {**here, **{v: at(v, number) for v in relation.locals}}
            memo: dict[Term, Term] = {}
            there = {x: at(x, number + 1) for x in self.variables}
            formulas.append(
                and_(
                    substitute(relation.guard, now, memo),
                    *(eq(there[x], substitute(relation.after(x), now, memo)) for x in self.variables),
                    substitute(condition, there),
                )
            )
            here = there
        formulas.append(substitute(self.end, here))
        return Chain.of(formulas)

    def at_state(self, number: int, formula: Term) -> Term:
        """A formula about s_number, over the plain variables."""
        return substitute(formula, {at(x, number): x for x in self.variables})
