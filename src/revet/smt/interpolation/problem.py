"""What is to be interpolated: a sequence of formulas, or a run of a system that cannot happen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from revet.logic.core import and_, eq
from revet.logic.terms import Op, Term
from revet.logic.walk import conjuncts, free_vars_of, substitute, subterms
from revet.model.names import at
from revet.model.relation import Relation
from revet.smt.interpolation.simplify import simplified


@dataclass(frozen=True, eq=False)
class Chain:
    """``A_0 … A_n`` with an unsatisfiable conjunction, each as a list of conjuncts.

    Cut k lies between A_k and A_(k+1); there are n cuts.
    """

    parts: tuple[tuple[Term, ...], ...]

    @classmethod
    def of(cls, formulas: Sequence[Term]) -> Chain:
        return cls(tuple(tuple(simplified(conjuncts(formula))) for formula in formulas))

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

    @cached_property
    def is_straight(self) -> bool:
        """No branching but the choice of one of several straight pieces: no condition inside a
        value, and no disjunction but ``v => …`` and choices between variables."""
        whole = [formula for part in self.parts for formula in part]
        if any(node.op == Op.ITE for node in subterms(*whole)):
            return False
        inner = [arg for formula in whole if formula.op == Op.OR for arg in _tail(formula)]
        plain = [formula for formula in whole if formula.op != Op.OR]
        return not any(node.op == Op.OR for node in subterms(*inner, *plain))

    def restricted_to(self, core: frozenset[Term]) -> Chain:
        """Only the conjuncts in ``core``."""
        return Chain(tuple(tuple(f for f in part if f in core) for part in self.parts))


def _tail(clause: Term) -> list[Term]:
    """A clause without its Boolean literals; itself if more than one part is left."""
    rest = [arg for arg in clause.args if arg.op != Op.VAR and arg.op != Op.NOT]
    return rest if len(rest) <= 1 else [clause]


@dataclass(frozen=True, eq=False)
class Path:
    """States s_0, s_1, …, s_n over ``variables``: ``start`` holds in s_0, the i-th step leads
    from s_i to s_(i+1), ``end`` holds in s_n, and ``conditions[i]`` in s_i.

    A condition is assumed on both sides of its cut, so an interpolant need not repeat it: I_i and
    conditions[i] and the i-th step imply I_(i+1).
    """

    variables: tuple[Term, ...]
    start: Term
    steps: tuple[Relation, ...]
    end: Term
    conditions: tuple[Term, ...]

    def sequence(self) -> Chain:
        """One formula for the start, one for each step, one for the end; cut i speaks of s_i."""
        here = {x: at(x, 0) for x in self.variables}
        condition = substitute(self.conditions[0], here)
        formulas = [and_(substitute(self.start, here), condition)]
        for number, relation in enumerate(self.steps):
            now = {**here, **{v: at(v, number) for v in relation.locals}}
            memo: dict[Term, Term] = {}
            there = {x: at(x, number + 1) for x in self.variables}
            reached = substitute(self.conditions[number + 1], there)
            formulas.append(
                and_(
                    condition,
                    substitute(relation.guard, now, memo),
                    *(eq(there[x], substitute(relation.after(x), now, memo)) for x in self.variables),
                    reached,
                )
            )
            here, condition = there, reached
        formulas.append(and_(condition, substitute(self.end, here)))
        return Chain.of(formulas)

    def at_state(self, number: int, formula: Term) -> Term:
        """A formula about s_number, over the plain variables."""
        return substitute(formula, {at(x, number): x for x in self.variables})
