"""Quantifiers over integers as if there were a few small ones only: for systems with arrays of unknown size.

A run of the new system is one of the old system if no other number matters to it, as for arrays of few
elements: ``forall i. 0 <= i < n => P(i)`` becomes one conjunct for each small i, and runs with a larger n are
excluded. Where other numbers matter, the run is none of the old system, and its replay says so. That the new
system is safe says nothing.
"""

from __future__ import annotations

from dataclasses import replace

from revet.errors import Unsupported
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import Op, Term
from revet.logic.walk import bottom_up, free_vars, rebuild, substitute, subterms
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result.certificate import Certificate
from revet.transform.reduction import Reduction, Spurious, unchanged

_NUMBERS = range(-1, 5)
_MOST = 50_000  # nodes of the guard


def few_numbers(system: TransitionSystem) -> Reduction:
    """The system with the quantifiers of its guard written out; traces are the same."""
    guard = system.step.guard
    if not guard.quantified:
        return unchanged(system)
    limits: dict[Term, None] = {}
    found = b.conjunction([_written_out(guard, limits), *limits])
    if found.quantified:
        raise Unsupported("a quantifier over something else than numbers")
    step = Relation(found, system.step.updates, system.step.locals)
    return Reduction(replace(system, step=step), lambda trace: trace, _refused)


def _refused(certificate: Certificate) -> Certificate:
    raise Spurious("only small numbers were looked at")


def _written_out(formula: Term, limits: dict[Term, None]) -> Term:
    """Innermost quantifiers first; ``limits`` gets what keeps the other numbers out."""
    size = 0

    def compute(node: Term, arguments: list[Term]) -> Term:
        nonlocal size
        if node.op not in (Op.FORALL, Op.EXISTS):
            return rebuild(node, tuple(arguments))
        body = arguments[0]
        bound = [x for x in node.payload if x in free_vars(body)]
        if any(x.sort is not INT for x in bound):
            return b.forall(bound, body) if node.op == Op.FORALL else b.exists(bound, body)
        cases = [body]
        for x in bound:
            limits.update(dict.fromkeys(_limits(x, body, set(node.payload))))
            cases = [substitute(case, {x: b.integer(k)}) for case in cases for k in _NUMBERS]
        size += sum(len(subterms(case)) for case in cases)
        if size > _MOST:
            raise Unsupported("too many quantifiers to write them out")
        return b.conjunction(cases) if node.op == Op.FORALL else b.disjunction(cases)

    return bottom_up(formula, {}, compute)


def _limits(variable: Term, body: Term, bound: set[Term]) -> list[Term]:
    """For ``variable < t``: that t is not greater than the numbers that are looked at. For ``s[variable]``
    of a set: that it has no others."""
    found = []
    for node in subterms(body):
        if node.op == Op.SELECT and node.args[1] is variable and node.sort is BOOL:
            found += [_small(node.args[0])] if bound.isdisjoint(free_vars(node.args[0])) else []
        if node.op not in (Op.LT, Op.LE) or node.args[0] is not variable:
            continue
        limit = node.args[1]
        if bound.isdisjoint(free_vars(limit)):
            found.append(limit < _NUMBERS.stop if node.op == Op.LT else limit < _NUMBERS.stop - 1)
    return found


def _small(numbers: Term) -> Term:
    """A set of numbers has only such that are looked at."""
    found = b.const_array(numbers.sort, b.FALSE)
    for k in map(b.integer, _NUMBERS):
        found = b.store(found, k, b.select(numbers, k))
    return numbers.eq(found)
