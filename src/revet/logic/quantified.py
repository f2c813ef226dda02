"""The truth of a quantified formula under a valuation, where it can be had without a solver.

Exact, or :class:`revet.errors.ModelError`; three cases for a bound variable:

* Booleans and bit-vectors: every value is tried (up to ``_WIDEST`` bits).
* Integers and reals that occur in linear comparisons only, ``a*x + b <= 0`` with numbers a and b once the
  other variables have their values: between two neighbouring roots no comparison changes, so the roots, a
  value between each two of them and one beyond either end are all that have to be tried. Intervals
  (``lo <= x and x <= hi``) are a special case. A known array, ``s[a*x + b]``, changes at its entries.
* Other sorts, or an integer inside ``mod`` or a product of two variables: refused.

Functions are interpreted by Python functions of numbers; inside a quantifier they are called with terms, so
``lambda x: x - 100`` will do and a table will not.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING

from revet.errors import ModelError
from revet.logic.core import const
from revet.logic.linear import linear_form
from revet.logic.sorts import BOOL, INT, REAL, BitVecSort
from revet.logic.terms import Op, Term
from revet.logic.values import ArrayValue, Value
from revet.logic.walk import bottom_up, free_vars, rebuild, substitute

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from revet.logic.evaluate import Functions

_WIDEST = 12  # bits of a variable whose values are tried one by one
_COMPARISONS = (Op.LE, Op.LT, Op.EQ)


def truth(formula: Term, valuation: Mapping[Term, Value], functions: Functions) -> bool:
    """Whether a formula that begins with a quantifier holds; see the module's text."""
    bound = tuple(formula.payload)
    known = {x: const(valuation[x], x.sort) for x in free_vars(formula) if x in valuation}
    missing = [x.name for x in free_vars(formula) if x not in valuation]
    if missing:
        raise ModelError(f"no value for variable {min(missing)}")
    body = _expanded(substitute(formula.args[0], known), functions)
    return _decide(formula.op == Op.EXISTS, bound, body, functions)


def _decide(some: bool, bound: tuple[Term, ...], body: Term, functions: Functions) -> bool:
    """``exists`` (some) or ``forall`` over the bound variables; the body has no other variables."""
    if not bound:
        from revet.logic.evaluate import evaluate

        return bool(evaluate(body, {}, functions))
    # Finite sorts first: what is left may then be linear in the others.
    first = min(bound, key=lambda x: x.sort in (INT, REAL))
    rest = tuple(x for x in bound if x is not first)
    if rest and first.sort in (INT, REAL):
        raise ModelError(f"two unbounded variables under one quantifier: {first.name} and {rest[0].name}")
    cases = (substitute(body, {first: value}) for value in _values(first, body))
    holds = (_decide(some, rest, case, functions) for case in cases)
    return any(holds) if some else all(holds)


def _values(variable: Term, body: Term) -> Iterable[Term]:
    """Enough values of the variable to know the body's truth for all of them."""
    sort = variable.sort
    if sort is BOOL:
        return (const(False, BOOL), const(True, BOOL))
    if isinstance(sort, BitVecSort) and sort.width <= _WIDEST:
        return (const(value, sort) for value in range(1 << sort.width))
    if sort is INT or sort is REAL:
        roots = sorted(set(_roots(variable, body)))
        points = _integers(roots) if sort is INT else _reals(roots)
        return [const(point if sort is REAL else int(point), sort) for point in points]
    raise ModelError(f"a quantifier over {variable.name} of sort {sort} cannot be evaluated")


def _integers(roots: list[Fraction]) -> list[int]:
    found = {0} if not roots else set()
    for root in roots:
        found |= {ceil(root) - 1, floor(root), floor(root) + 1}
    return sorted(found)


def _reals(roots: list[Fraction]) -> list[Fraction]:
    if not roots:
        return [Fraction(0)]
    between = [(a + b) / 2 for a, b in pairwise(roots)]
    return sorted({roots[0] - 1, *roots, *between, roots[-1] + 1})


def _roots(variable: Term, body: Term) -> Iterable[Fraction]:
    """Where a comparison may change; every use of the variable must be in a linear one."""
    stack, seen = [body], {body}
    while stack:
        node = stack.pop()
        if variable not in free_vars(node):
            continue
        if node.op in _COMPARISONS and node.args[0].sort in (INT, REAL):
            yield from _root(variable, node.args[0] - node.args[1], node)
            continue
        if node.op == Op.SELECT and node.args[0].op == Op.CONST and node.args[1].sort in (INT, REAL):
            array, index = node.args[0].value, node.args[1]
            assert isinstance(array, ArrayValue)
            for key in array.entries:
                yield from _root(variable, index - const(key, index.sort), node)
            continue
        if node.sort is not BOOL or node.op in (Op.FORALL, Op.EXISTS):
            raise ModelError(f"a quantifier over {variable.name} cannot be evaluated: see {node}")
        for arg in node.args:
            if arg not in seen:
                seen.add(arg)
                stack.append(arg)


def _root(variable: Term, difference: Term, place: Term) -> Iterable[Fraction]:
    form, constant = linear_form(difference)
    factor = form.pop(variable, 0)
    if form:
        raise ModelError(f"a quantifier over {variable.name} cannot be evaluated: see {place}")
    if factor:
        yield Fraction(-constant) / Fraction(factor)


def _expanded(body: Term, functions: Functions) -> Term:
    """Applications of functions as terms: the functions are called with terms."""
    def called(node: Term, arguments: list[Term]) -> Term:
        made = rebuild(node, tuple(arguments))
        if node.op != Op.APPLY:
            return made
        function = functions.get(node.payload)
        if function is None:
            raise ModelError(f"no interpretation for function {node.payload.name}")
        try:
            result = function(*arguments)
        except TypeError as error:
            name = node.payload.name
            raise ModelError(f"{name} cannot be applied to terms inside a quantifier: {error}") from error
        return result if isinstance(result, Term) else const(result, node.sort)

    return bottom_up(body, {}, called)
