"""Assertions of a HORN script as clauses.

An assertion is a closed formula; it is brought into the form ``body -> head`` by looking at where the
predicates are: those on the right of the implication (positive in the formula) are heads, at most
one a clause; those on the left are the body. A disjunction in a body that contains predicates makes
one clause of each of its parts. Everything else with a predicate in it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from revet.logic import build as b
from revet.logic.terms import FALSE, Op, Term
from revet.logic.walk import free_vars, fresh_variable, substitute, variable_names
from revet.model.horn import HornClause

_MOST_PARTS = 10_000  # clauses that one assertion may be split into


class NotHorn(Exception):
    """The assertion is not a Horn clause; the message says what is wrong with it."""


@dataclass
class _Disjunct:
    """``not body or not constraints or head``, under construction; ``todo``: formulas with a sign."""

    todo: list[tuple[Term, bool]]
    body: list[Term] = field(default_factory=list)
    constraints: list[Term] = field(default_factory=list)
    head: Term | None = None

    def copy(self, formula: Term, sign: bool) -> _Disjunct:
        return _Disjunct([*self.todo, (formula, sign)], list(self.body), list(self.constraints), self.head)


class ClauseReader:
    """Splits assertions into clauses. All functions that they apply are predicates."""

    def __init__(self) -> None:
        self._names: set[str] = set()  # of variables, in the assertion at hand

    def clauses(self, assertion: Term, number: int) -> list[HornClause]:
        """The clauses whose conjunction is the assertion. Raises :class:`NotHorn`."""
        if free_vars(assertion):
            raise NotHorn("it is about a constant; only predicates may be declared")
        made = []
        while assertion.op == Op.FORALL:  # nothing else is there yet that could speak of these variables
            assertion = assertion.args[0]
        self._names = variable_names(assertion) if assertion.quantified else set()
        for disjunct in self._disjuncts(assertion):
            constraint = b.conjunction(disjunct.constraints)
            if constraint is FALSE:
                continue
            if constraint.quantified:
                raise NotHorn("there is a quantifier inside of it")
            made.append(HornClause(tuple(disjunct.body), constraint, disjunct.head, number))
        return made

    def _disjuncts(self, assertion: Term) -> Iterator[_Disjunct]:
        """The assertion as a conjunction of disjunctions."""
        open_ones = [_Disjunct([(assertion, True)])]
        count = 0
        while open_ones:
            one = open_ones.pop()
            while one.todo:
                formula, sign = one.todo.pop()
                more = self._step(one, formula, sign)
                if more is not None:
                    open_ones += reversed(more)
                    if count + len(open_ones) > _MOST_PARTS:
                        raise NotHorn("it would have to be split into very many clauses")
                    break
            else:
                count += 1
                yield one

    def _step(self, one: _Disjunct, formula: Term, sign: bool) -> list[_Disjunct] | None:
        """Takes ``formula`` (negated, if not ``sign``) into the disjunction, or splits it."""
        op = formula.op
        if op == Op.NOT:
            one.todo.append((formula.args[0], not sign))
        elif op in (Op.FORALL, Op.EXISTS):
            if (op == Op.FORALL) is not sign:
                if not formula.applied:
                    raise NotHorn("there is a quantifier inside of it")
                raise NotHorn(f"a predicate stands below a quantifier '{op}' of the wrong kind")
            fresh = {x: fresh_variable(x, self._names) for x in formula.payload}
            one.todo.append((substitute(formula.args[0], fresh), sign))
        elif not formula.applied and not formula.quantified:
            one.constraints.append(b.not_(formula) if sign else formula)
        elif op == Op.APPLY:
            self._atom(one, formula, sign)
        elif op in (Op.AND, Op.OR):
            if (op == Op.OR) is sign:
                one.todo += [(arg, sign) for arg in reversed(formula.args)]
            else:
                return [one.copy(arg, sign) for arg in formula.args]
        elif op == Op.ITE:
            condition, then, otherwise = formula.args
            both = b.and_(b.or_(b.not_(condition), then), b.or_(condition, otherwise))
            one.todo.append((both, sign))
        elif op == Op.EQ:
            left, right = formula.args
            both = b.and_(b.or_(b.not_(left), right), b.or_(left, b.not_(right)))
            one.todo.append((both, sign))
        else:
            raise NotHorn(f"a predicate stands below '{op}'")
        return None

    def _atom(self, one: _Disjunct, atom: Term, sign: bool) -> None:
        if any(term.applied for term in atom.args):
            raise NotHorn("a predicate stands inside of another one")
        if not sign:
            one.body.append(atom)
        elif one.head is None or one.head is atom:
            one.head = atom
        else:
            raise NotHorn(f"it has two heads, {one.head.payload.name} and {atom.payload.name}")
