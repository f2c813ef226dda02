"""A cube of literals that is true in a model and implies the formula.

The Boolean structure is resolved by the model: of a true disjunction one true part is enough (one that
is needed anyway, else the smallest). So are ``ite`` terms (the condition becomes a literal of its own)
and, where asked, operators that linear reasoning cannot treat: a divisor or a factor is fixed to its
value in the model, and the equation that says so joins the cube.
"""

from __future__ import annotations

from collections.abc import Callable

from revet.errors import ModelError
from revet.logic.core import const, eq, not_
from revet.logic.sorts import BOOL
from revet.logic.terms import Op, Term
from revet.logic.values import Value
from revet.logic.walk import rebuild

_DIVISIONS = (Op.DIV, Op.MOD, Op.RDIV)


def implicant(
    formula: Term, value: Callable[[Term], Value], linear: Callable[[Term], bool] = lambda atom: False
) -> list[Term]:
    """Literals; ``value`` evaluates in the model, which must satisfy the formula. Atoms for which
    ``linear`` says true are made linear."""
    if value(formula) is not True:
        raise ModelError("the model does not satisfy the formula")
    return _Implicant(value, linear).run(formula)


class _Implicant:
    def __init__(self, value: Callable[[Term], Value], linear: Callable[[Term], bool]) -> None:
        self.value = value
        self.linear = linear
        self.pending: list[tuple[Term, bool]] = []
        self.done: set[tuple[Term, bool]] = set()

    def run(self, formula: Term) -> list[Term]:
        literals: dict[Term, None] = {}
        self.pending.append((formula, True))
        while self.pending:
            item = self.pending.pop()
            if item in self.done:
                continue
            self.done.add(item)
            literal = self._step(*item)
            if literal is not None and literal.op != Op.CONST:
                literals[literal] = None
        return list(literals)

    def _step(self, term: Term, truth: bool) -> Term | None:
        """Puts what makes ``term`` have its truth value on the list, or gives a literal."""
        op = term.op
        if op == Op.NOT:
            self.pending.append((term.args[0], not truth))
        elif op in (Op.AND, Op.OR):
            if (op == Op.AND) == truth:
                self.pending.extend((arg, truth) for arg in reversed(term.args))
            else:
                self.pending.append((self._deciding(term.args, truth), truth))
        elif op == Op.ITE:
            self.pending.append((self._chosen(term), truth))
        elif op == Op.EQ and term.args[0].sort is BOOL:
            self.pending.extend((arg, bool(self.value(arg))) for arg in term.args)
        elif op in (Op.FORALL, Op.EXISTS):
            raise ModelError("an implicant needs a formula without quantifiers")
        elif op != Op.CONST:
            atom = self._resolved(term)
            literal = atom if truth else not_(atom)
            if literal.op not in (Op.AND, Op.OR, Op.ITE):
                return literal
            self.pending.append((literal, True))  # simplified to a formula with structure again
        return None

    def _deciding(self, args: tuple[Term, ...], truth: bool) -> Term:
        """An argument with this truth value: one that is needed anyway, else the smallest."""
        candidates = [arg for arg in args if self.value(arg) is truth]
        needed = next((arg for arg in candidates if (arg, truth) in self.done), None)
        return min(candidates, key=lambda arg: len(arg.args)) if needed is None else needed

    def _chosen(self, term: Term) -> Term:
        """The branch of an ``ite`` that the model takes; the condition is noted."""
        condition = bool(self.value(term.args[0]))
        self.pending.append((term.args[0], condition))
        return term.args[1] if condition else term.args[2]

    def _resolved(self, atom: Term) -> Term:
        """The atom without ``ite`` (only the chosen branches are visited) and made linear."""
        linear = self.linear(atom)
        memo: dict[Term, Term] = {}
        stack = [atom]
        while stack:
            node = stack[-1]
            if node in memo:
                stack.pop()
                continue
            needed = (self._chosen(node),) if node.op == Op.ITE else node.args
            missing = [arg for arg in needed if arg not in memo]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if node.op == Op.ITE:
                memo[node] = memo[needed[0]]
            else:
                args = tuple([memo[arg] for arg in node.args])
                memo[node] = rebuild(node, self._fixed(node, args) if linear else args)
        return memo[atom]

    def _fixed(self, node: Term, args: tuple[Term, ...]) -> tuple[Term, ...]:
        """Arguments with divisors, and all factors but the last, replaced by their values."""
        if node.op in _DIVISIONS:
            return (args[0], self._constant(args[1]))
        if node.op == Op.MUL:
            return (*(self._constant(arg) for arg in args[:-1]), args[-1])
        return args

    def _constant(self, term: Term) -> Term:
        if term.op == Op.CONST:
            return term
        fixed = const(self.value(term), term.sort)
        self.pending.append((eq(term, fixed), True))
        return fixed
