"""Conditions on states with octagons: comparisons become constraints, alternatives are joined.

Every condition first bounds the variables one by one (:mod:`transfer`), so nothing is lost against them; then
it is walked for what its linear comparisons say about pairs of variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from revet.engines.absint.domain import EITHER, MAYBE_TRUE, Number
from revet.engines.absint.linear import Part, at_most_zero, exactly_zero
from revet.engines.absint.states import is_number
from revet.engines.absint.transfer import DEPTH
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import Op, Term
from revet.logic.walk import free_vars

if TYPE_CHECKING:
    from revet.engines.absint.relational import Octagonal, Relations

FUEL = 200  # how many parts of one condition are looked at: it is walked as a tree


class Conditions:
    def __init__(self, lattice: Octagonal) -> None:
        self._lattice = lattice
        self._fuel = 0
        self._mentions: dict[Term, bool] = {}

    def assume(self, condition: Term, state: Relations) -> Relations | None:
        """The part of a state in which the condition may hold; reduced."""
        self._fuel = FUEL
        found = self._branch(condition, True, state, DEPTH)
        return None if found is None else self._lattice.reduced(found)

    def _is_related(self, formula: Term) -> bool:
        known = self._mentions.get(formula)
        if known is None:
            known = self._mentions[formula] = any(map(self._lattice.is_related, free_vars(formula)))
        return known

    def _branch(self, formula: Term, wanted: bool, state: Relations, depth: int) -> Relations | None:
        """First the values, then the relations."""
        values = self._lattice.narrowed(formula if wanted else b.not_(formula), state.values)
        if values is None:
            return None
        return self._refine(formula, wanted, state._replace(values=values), depth)

    def _refine(self, formula: Term, wanted: bool, state: Relations, depth: int) -> Relations | None:
        self._fuel -= 1
        if depth == 0 or self._fuel < 0 or not self._is_related(formula):
            return state
        match formula.op:
            case Op.NOT:
                return self._refine(formula.args[0], not wanted, state, depth - 1)
            case Op.AND | Op.OR if (formula.op == Op.AND) is wanted:
                return self._all([(part, wanted) for part in formula.args], state, depth)
            case Op.AND | Op.OR:
                return self._any([[(part, wanted)] for part in formula.args], state, depth)
            case Op.ITE:
                condition, then, otherwise = formula.args
                ways = [[(condition, True), (then, wanted)], [(condition, False), (otherwise, wanted)]]
                return self._any(ways, state, depth)
            case Op.LE | Op.LT | Op.EQ if is_number(formula.args[0]):
                return self._compared(formula, wanted, state)
            case Op.EQ if formula.args[0].sort is BOOL:
                return self._equivalent(formula, wanted, state, depth)
        return state

    def _all(self, parts: Sequence[tuple[Term, bool]], state: Relations, depth: int) -> Relations | None:
        for part, wanted in parts:
            found = self._refine(part, wanted, state, depth - 1)
            if found is None:
                return None
            state = found
        return state

    def _any(
        self, ways: Sequence[Sequence[tuple[Term, bool]]], state: Relations, depth: int
    ) -> Relations | None:
        result: Relations | None = None
        for way in ways:
            branch: Relations | None = state
            for part, wanted in way:
                if branch is not None:
                    branch = self._branch(part, wanted, branch, depth - 1)
            branch = None if branch is None else self._lattice.reduced(branch)
            result = self._lattice.join(result, branch)
        return result

    def _equivalent(self, formula: Term, same: bool, state: Relations, depth: int) -> Relations | None:
        left, right = formula.args
        for one, other in ((left, right), (right, left)):
            known = self._lattice.truth(one, state.values)
            if known in (MAYBE_TRUE, EITHER ^ MAYBE_TRUE):
                return self._branch(other, (known == MAYBE_TRUE) is same, state, depth - 1)
        return state

    def _compared(self, atom: Term, wanted: bool, state: Relations) -> Relations | None:
        """A comparison of numbers; where strict is no less than one, reals give up the difference."""
        left, right = atom.args
        parts, constant = self._lattice.parts(left - right, state.values)
        if atom.op == Op.EQ and not wanted:
            return self._different(parts, constant, left.sort is INT, state)
        if atom.op == Op.EQ:
            return self._lattice.met(state, exactly_zero(parts, constant))
        if not wanted:
            parts, constant = [part.negated() for part in parts], -constant
        strict = (atom.op == Op.LT) is wanted
        if strict and left.sort is INT:
            constant += 1
        return self._lattice.met(state, at_most_zero(parts, constant))

    def _different(
        self, parts: list[Part], constant: Number, integer: bool, state: Relations
    ) -> Relations | None:
        """``±x ± y`` is not a number that is its greatest or least: for integers, one less or more."""
        if len(parts) != 2 or {part.size for part in parts} != {1}:
            return state
        for turned, shift in ((parts, constant), ([part.negated() for part in parts], -constant)):
            found = at_most_zero(turned, shift)
            if not found:
                return state
            ((pack, (first, second, limit)),) = found
            octagon = state.octagons[pack].closed()
            most = None if octagon is None else octagon.bound(first, second)
            if most is None or most != limit:
                continue
            if not integer:
                least = None if octagon is None else octagon.bound(second, first)
                if least == -limit:
                    return None
                continue
            met = self._lattice.met(state, [(pack, (first, second, limit - 1))])
            if met is None:
                return None
            state = met
        return state
