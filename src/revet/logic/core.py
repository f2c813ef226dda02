"""Smart constructors for the Boolean core: variables, constants, connectives, ``ite``, equality.

Each constructor checks the sorts of its arguments and simplifies lightly: constants fold,
neutral elements go, ``x`` and ``not x`` meet. Simplification is local and never expands sharing.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from revet.errors import SortError
from revet.logic.semantics import apply_operator
from revet.logic.sorts import BOOL, INT, REAL, BitVecSort, FloatSort, Sort
from revet.logic.terms import FALSE, TRUE, FunctionSymbol, Op, Term, intern
from revet.logic.values import Value, is_value, same


def var(name: str, sort: Sort) -> Term:
    return intern(Op.VAR, (), sort, name)


def const(value: Value, sort: Sort) -> Term:
    if sort is INT and type(value) is int:  # by far the most, and always a value
        return intern(Op.CONST, (), sort, value)
    if sort is REAL and isinstance(value, int) and not isinstance(value, bool):
        value = Fraction(value)
    if not is_value(value, sort):
        raise SortError(f"{value!r} is not a value of sort {sort}")
    return intern(Op.CONST, (), sort, value)


def boolean(value: bool) -> Term:
    return TRUE if value else FALSE


def integer(value: int) -> Term:
    return intern(Op.CONST, (), INT, int(value))


def real(value: int | Fraction | str) -> Term:
    return intern(Op.CONST, (), REAL, Fraction(value))


def lift(value: Term | bool | int | float | Fraction, sort: Sort) -> Term:
    """A Python number as a constant of the sort (for floats the nearest one); terms pass through."""
    if isinstance(value, Term):
        return value
    if isinstance(sort, BitVecSort) and isinstance(value, int):
        return const(value % (1 << sort.width), sort)
    if isinstance(sort, FloatSort):
        from revet.logic.floats import fp_const

        return fp_const(value, sort)
    if isinstance(value, float):
        raise SortError(f"{value!r} is not a value of sort {sort}")
    return const(value, sort)


def fold(op: str, args: tuple[Term, ...], sort: Sort, payload: Any = None) -> Term:
    """The node, or its value when all arguments are constants."""
    for arg in args:
        if arg.op != Op.CONST:
            return intern(op, args, sort, payload)
    values = [arg.payload for arg in args]
    return intern(
        Op.CONST, (), sort, apply_operator(op, payload, sort, [a.sort for a in args], values)
    )


def require(op: str, term: Term, sort: Sort) -> None:
    if term.sort is not sort:
        raise SortError(f"{op} expects {sort}, got {term!r} of sort {term.sort}")


def require_same(op: str, left: Term, right: Term) -> Sort:
    if left.sort is not right.sort:
        raise SortError(
            f"{op} expects two arguments of one sort, got {left!r}: {left.sort} and {right!r}: {right.sort}"
        )
    return left.sort


def not_(term: Term) -> Term:
    if term is TRUE:
        return FALSE
    if term is FALSE:
        return TRUE
    if term.op == Op.NOT:
        return term.args[0]
    require(Op.NOT, term, BOOL)
    # The order on Int, Real is total: keep literals in one polarity.
    if term.op == Op.LE:
        return intern(Op.LT, (term.args[1], term.args[0]), BOOL)
    if term.op == Op.LT:
        return intern(Op.LE, (term.args[1], term.args[0]), BOOL)
    return intern(Op.NOT, (term,), BOOL)


def _junction(op: str, terms: Iterable[Term], neutral: Term, absorbing: Term) -> Term:
    seen: dict[Term, None] = {}
    negated: set[Term] = set()
    for term in terms:
        if term is neutral or term in seen:
            continue
        if term is absorbing or term in negated:
            return absorbing
        if term.op == Op.NOT:
            if term.args[0] in seen:
                return absorbing
            negated.add(term.args[0])
        elif term.sort is not BOOL:
            require(op, term, BOOL)
        seen[term] = None
    if not seen:
        return neutral
    if len(seen) == 1:
        return next(iter(seen))
    return intern(op, tuple(seen), BOOL)


def and_(*terms: Term) -> Term:
    return _junction(Op.AND, terms, TRUE, FALSE)


def or_(*terms: Term) -> Term:
    return _junction(Op.OR, terms, FALSE, TRUE)


def conjunction(terms: Iterable[Term]) -> Term:
    return _junction(Op.AND, terms, TRUE, FALSE)


def disjunction(terms: Iterable[Term]) -> Term:
    return _junction(Op.OR, terms, FALSE, TRUE)


def implies(left: Term, right: Term) -> Term:
    return or_(not_(left), right)


def iff(left: Term, right: Term) -> Term:
    require("iff", left, BOOL)
    return eq(left, right)


def xor(left: Term, right: Term) -> Term:
    return not_(iff(left, right))


def eq(left: Term, right: Term) -> Term:
    sort = require_same(Op.EQ, left, right)
    if left is right:
        return TRUE
    if left.op == Op.CONST and right.op == Op.CONST:
        return boolean(same(left.payload, right.payload, sort))
    if sort is BOOL:
        for this, that in ((left, right), (right, left)):
            if this is TRUE:
                return that
            if this is FALSE:
                return not_(that)
        if not_(left) is right:
            return FALSE
    if left.op == Op.CONST or (right.op != Op.CONST and left.id > right.id):
        left, right = right, left
    return intern(Op.EQ, (left, right), BOOL)


def distinct(terms: Iterable[Term]) -> Term:
    """Pairwise different."""
    items = list(terms)
    return conjunction(
        not_(eq(a, b)) for position, a in enumerate(items) for b in items[position + 1 :]
    )


def ite(condition: Term, then: Term, otherwise: Term) -> Term:
    require(Op.ITE, condition, BOOL)
    sort = require_same(Op.ITE, then, otherwise)
    if condition is TRUE or then is otherwise:
        return then
    if condition is FALSE:
        return otherwise
    if condition.op == Op.NOT:
        condition, then, otherwise = condition.args[0], otherwise, then
    if sort is BOOL:
        if then is TRUE:
            return or_(condition, otherwise)
        if then is FALSE:
            return and_(not_(condition), otherwise)
        if otherwise is TRUE:
            return or_(not_(condition), then)
        if otherwise is FALSE:
            return and_(condition, then)
    return intern(Op.ITE, (condition, then, otherwise), sort)


def apply(function: FunctionSymbol, *args: Term) -> Term:
    """An uninterpreted function's value."""
    if tuple(arg.sort for arg in args) != function.domain:
        raise SortError(f"{function.name} expects arguments of sorts {function.domain}")
    return intern(Op.APPLY, args, function.range, function)


def _quantified(op: str, bound: Iterable[Term], body: Term) -> Term:
    require(op, body, BOOL)
    from revet.logic.walk import free_vars

    occurring = free_vars(body)
    variables = tuple(variable for variable in dict.fromkeys(bound) if variable in occurring)
    if not variables:
        return body
    return intern(op, (body,), BOOL, variables)


def forall(bound: Iterable[Term], body: Term) -> Term:
    """Binds variables; those that do not occur are dropped."""
    return _quantified(Op.FORALL, bound, body)


def exists(bound: Iterable[Term], body: Term) -> Term:
    """See :func:`forall`."""
    return _quantified(Op.EXISTS, bound, body)
