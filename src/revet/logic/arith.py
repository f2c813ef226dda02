"""Smart constructors for integer and real arithmetic, with C's division beside SMT-LIB's."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from revet.errors import SortError
from revet.logic.core import const, fold, integer, ite, not_, require, require_same
from revet.logic.sorts import BOOL, INT, REAL, Sort
from revet.logic.terms import FALSE, TRUE, Op, Term, intern


def _require_number(op: str, term: Term) -> Sort:
    if term.sort is not INT and term.sort is not REAL:
        raise SortError(f"{op} expects a number, got {term!r} of sort {term.sort}")
    return term.sort


def add(*terms: Term) -> Term:
    """A sum: nested sums flatten one level, constants meet at the end, ``x + -1*x`` cancels."""
    sort = _require_number(Op.ADD, terms[0])
    constant: int | Fraction = 0
    coefficients: dict[Term, int | Fraction] = {}
    for term in terms:
        require(Op.ADD, term, sort)
        # Flattening only small sums keeps building a long chain linear.
        parts = term.args if term.op == Op.ADD and len(term.args) <= 16 else (term,)
        for part in parts:
            if part.op == Op.CONST:
                constant += part.payload
                continue
            factor, base = split_coefficient(part)
            coefficients[base] = coefficients.get(base, 0) + factor
    args = [_scaled(factor, base) for base, factor in coefficients.items() if factor]
    if constant or not args:
        args.append(const(constant, sort))
    return args[0] if len(args) == 1 else intern(Op.ADD, tuple(args), sort)


def split_coefficient(term: Term) -> tuple[int | Fraction, Term]:
    """``3*x`` as (3, x); anything else as (1, itself)."""
    if term.op == Op.MUL and term.args[0].op == Op.CONST:
        rest = term.args[1:]
        base = rest[0] if len(rest) == 1 else intern(Op.MUL, rest, term.sort)
        return term.args[0].payload, base
    return 1, term


def _scaled(factor: int | Fraction, base: Term) -> Term:
    if factor == 1:
        return base
    rest = base.args if base.op == Op.MUL else (base,)
    return intern(Op.MUL, (const(factor, base.sort), *rest), base.sort)


def sum_(terms: Iterable[Term], sort: Sort = INT) -> Term:
    items = list(terms)
    return add(*items) if items else const(0, sort)


def neg(term: Term) -> Term:
    return mul(const(-1, _require_number("-", term)), term)


def sub(left: Term, right: Term) -> Term:
    return add(left, neg(right))


def mul(*terms: Term) -> Term:
    """A product; a constant factor comes first and distributes over a sum of at most 16 parts."""
    sort = _require_number(Op.MUL, terms[0])
    constant: int | Fraction = 1
    factors: list[Term] = []
    for term in terms:
        require(Op.MUL, term, sort)
        parts = term.args if term.op == Op.MUL and len(term.args) <= 16 else (term,)
        for part in parts:
            if part.op == Op.CONST:
                constant *= part.payload
            else:
                factors.append(part)
    if constant == 0 or not factors:
        return const(constant, sort)
    if len(factors) == 1:
        only = factors[0]
        if constant == 1:
            return only
        if only.op == Op.ADD and len(only.args) <= 16:
            return add(*(mul(const(constant, sort), part) for part in only.args))
        return intern(Op.MUL, (const(constant, sort), only), sort)
    factors.sort(key=lambda factor: factor.id)
    if constant != 1:
        factors.insert(0, const(constant, sort))
    return intern(Op.MUL, tuple(factors), sort)


def le(left: Term, right: Term) -> Term:
    return _comparison(Op.LE, left, right, TRUE)


def lt(left: Term, right: Term) -> Term:
    return _comparison(Op.LT, left, right, FALSE)


def ge(left: Term, right: Term) -> Term:
    return le(right, left)


def gt(left: Term, right: Term) -> Term:
    return lt(right, left)


def _comparison(op: str, left: Term, right: Term, reflexive: Term) -> Term:
    sort = left.sort
    if sort is not right.sort or (sort is not INT and sort is not REAL):
        _require_number(op, left)
        require_same(op, left, right)
    if left is right:
        return reflexive
    if left.op != Op.CONST or right.op != Op.CONST:  # as a rule
        return intern(op, (left, right), BOOL)
    return fold(op, (left, right), BOOL)


def div(left: Term, right: Term) -> Term:
    """SMT-LIB integer division (the remainder is never negative); by zero: 0."""
    require(Op.DIV, left, INT)
    require(Op.DIV, right, INT)
    if right.op == Op.CONST and right.payload in (0, 1):
        return left if right.payload else right
    return fold(Op.DIV, (left, right), INT)


def mod(left: Term, right: Term) -> Term:
    """SMT-LIB remainder, in ``range(abs(right))``; by zero: ``left``."""
    require(Op.MOD, left, INT)
    require(Op.MOD, right, INT)
    if right.op == Op.CONST:
        if right.payload in (1, -1):
            return integer(0)
        if right.payload == 0:
            return left
        # (x mod n) mod n, common after wrapping unsigned arithmetic twice
        if left.op == Op.MOD and left.args[1] is right:
            return left
    return fold(Op.MOD, (left, right), INT)


def tdiv(left: Term, right: Term) -> Term:
    """C's ``/``: rounds towards zero. The front end adds the side condition ``right != 0``."""
    return ite(ge(left, integer(0)), div(left, right), neg(div(neg(left), right)))


def trem(left: Term, right: Term) -> Term:
    """C's ``%``: the sign is that of ``left``."""
    return ite(ge(left, integer(0)), mod(left, right), neg(mod(neg(left), right)))


def rdiv(left: Term, right: Term) -> Term:
    """Real division; by zero: 0."""
    require(Op.RDIV, left, REAL)
    require(Op.RDIV, right, REAL)
    if right.op == Op.CONST:
        return mul(const(1 / right.payload, REAL), left) if right.payload else right
    return fold(Op.RDIV, (left, right), REAL)


def to_real(term: Term) -> Term:
    require(Op.TO_REAL, term, INT)
    return fold(Op.TO_REAL, (term,), REAL)


def to_int(term: Term) -> Term:
    """The floor of a real."""
    require(Op.TO_INT, term, REAL)
    if term.op == Op.TO_REAL:
        return term.args[0]
    return fold(Op.TO_INT, (term,), INT)


def abs_(term: Term) -> Term:
    return ite(not_(lt(term, const(0, term.sort))), term, neg(term))


def min_(left: Term, right: Term) -> Term:
    return ite(le(left, right), left, right)


def max_(left: Term, right: Term) -> Term:
    return ite(le(left, right), right, left)
