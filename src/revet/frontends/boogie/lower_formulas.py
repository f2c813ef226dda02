"""Formulas that are assumed, with quantifiers as far as they can be had.

No engine is given a quantifier. A formula is assumed in a form without them that is *implied* by it:

- ``exists k :: P`` (and ``!(forall k :: P)``) draws a value for ``k`` and assumes ``P`` of it: exact;
- ``forall k :: P`` (and ``!(exists k :: P)``) is dropped: more runs are possible.

An assertion ``A`` leads to an error where ``!A`` is assumed and goes on where ``A`` is. So *safe* is
always right. An *unsafe* must be confirmed by the interpreter, which uses the values drawn as
witnesses and says neither yes nor no where only a dropped quantifier could tell: then it is *unknown*.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.lower_expressions import Expressions, Scope
from revet.logic import build as b
from revet.logic.terms import FALSE, TRUE, Term


class Witness(NamedTuple):
    """The variables bound by ``quantifier`` get values drawn for them, for one occurrence of it (a
    definition that is used twice has its quantifiers twice, about different arguments)."""

    quantifier: s.Quantifier
    terms: tuple[Term, ...]


class Assumed(NamedTuple):
    condition: Term
    witnesses: tuple[Witness, ...] = ()


_JOINED = ("&&", "||", "==>", "<==>", "==", "!=")


class Formulas:
    """``dropped`` lists the places of quantifiers that proofs do without."""

    def __init__(self, expressions: Expressions, functions: Iterable[s.Function]) -> None:
        self.expressions = expressions
        self.dropped: dict[s.Quantifier, None] = {}
        self._quantified = _quantified(functions)
        self._terms: dict[tuple[s.Variable, int], Term] = {}

    def assumed(self, formula: s.Expr, scope: Scope, truth: bool = True) -> Assumed:
        """What follows from ``formula`` being true, or false."""
        parts = self.parts_with_quantifiers(formula)
        if not parts:
            term = self.expressions.term(formula, scope)
            return Assumed(term if truth else b.not_(term))
        found: list[Witness] = []
        term = _Walk(self, parts, found).weakened(formula, scope, truth)
        return Assumed(term if truth else b.not_(term), tuple(found))

    def parts_with_quantifiers(self, formula: s.Expr) -> set[s.Expr]:
        """Those parts that have one in them, or use a function that does."""
        found: set[s.Expr] = set()
        for node in s.postorder(formula):
            if (
                isinstance(node, s.Quantifier)
                or any(part in found for part in s.children(node))
                or (isinstance(node, s.Application) and node.function in self._quantified)
            ):
                found.add(node)
        return found

    def witness(self, quantifier: s.Quantifier, occurrence: int) -> Witness:
        terms = []
        for variable in quantifier.variables:
            found = self._terms.get((variable, occurrence))
            if found is None:
                sort = self.expressions.sort(variable)
                found = self.expressions.names.variable(variable.name, sort)
                self._terms[variable, occurrence] = found
            terms.append(found)
        return Witness(quantifier, tuple(terms))


def _quantified(functions: Iterable[s.Function]) -> set[s.Function]:
    """Functions with a quantifier in their body, or in that of one that they use."""
    users: dict[s.Function, list[s.Function]] = {}
    waiting: list[s.Function] = []
    for function in functions:
        for node in s.preorder(function.body) if function.body is not None else ():
            if isinstance(node, s.Application):
                users.setdefault(node.function, []).append(function)
            elif isinstance(node, s.Quantifier):
                waiting.append(function)
    found: set[s.Function] = set()
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.add(function)
            waiting += users.get(function, ())
    return found


class _Walk:
    """One formula. A part that must be ``truth`` is weakened: the result is *above* the part where it
    is wanted to be true, and *below* where it is wanted to be false."""

    def __init__(self, formulas: Formulas, parts: set[s.Expr], found: list[Witness]) -> None:
        self.formulas = formulas
        self.parts = parts
        self.found = found

    def weakened(self, expr: s.Expr, scope: Scope, truth: bool) -> Term:
        expressions = self.formulas.expressions
        if expr not in self.parts:
            return expressions.term(expr, scope)
        match expr:
            case s.Unary(operator="!", argument=argument):
                return b.not_(self.weakened(argument, scope, not truth))
            case s.Binary(operator=operator) if operator in _JOINED and expr.left.type is s.BOOL:
                return self._joined(expr, scope, truth)
            case s.IfThenElse(condition=condition, then=then, otherwise=otherwise):
                yes = self._implied(condition, then, scope, truth)
                negated = self.weakened(condition, scope, truth)
                no = self.weakened(otherwise, scope, truth)
                return b.and_(yes, b.or_(negated, no))
            case s.Old(argument=argument):
                return self.weakened(argument, scope.inside_old(), truth)
            case s.Quantifier(kind="forall" | "exists"):
                return self._quantifier(expr, scope, truth)
            case s.Application(function=function) if function.body is not None:
                arguments = [expressions.term(argument, scope) for argument in expr.arguments]
                bound = dict(zip(function.parameters, arguments, strict=True))
                self.parts |= self.formulas.parts_with_quantifiers(function.body)
                return self.weakened(function.body, Scope(bound, {}), truth)
        raise expressions.program.unsupported("a quantifier inside a term is not supported", expr.position)

    def _implied(self, left: s.Expr, right: s.Expr, scope: Scope, truth: bool) -> Term:
        return b.implies(self.weakened(left, scope, not truth), self.weakened(right, scope, truth))

    def _joined(self, expr: s.Binary, scope: Scope, truth: bool) -> Term:
        if expr.operator == "==>":
            return self._implied(expr.left, expr.right, scope, truth)
        if expr.operator in ("&&", "||"):
            left = self.weakened(expr.left, scope, truth)
            right = self.weakened(expr.right, scope, truth)
            return b.and_(left, right) if expr.operator == "&&" else b.or_(left, right)
        truth = truth if expr.operator != "!=" else not truth
        one = self._implied(expr.left, expr.right, scope, truth)
        other = self._implied(expr.right, expr.left, scope, truth)
        return b.and_(one, other) if expr.operator != "!=" else b.not_(b.and_(one, other))

    def _quantifier(self, expr: s.Quantifier, scope: Scope, truth: bool) -> Term:
        exists = expr.kind == "exists"
        if exists != truth:  # a universal statement
            self.formulas.dropped[expr] = None
            return TRUE if truth else FALSE
        drawn = self.formulas.witness(expr, len(self.found))
        self.found.append(drawn)
        bound = dict(zip(expr.variables, drawn.terms, strict=True))
        return self.weakened(expr.body, scope.binding(bound), truth)
