"""Proofs by cases: the floats that a run draws lie between bounds, and intervals do the rest.

No solver takes part. In each case the automaton is run with *sets* of values: a float is a range of
its format's numbers, perhaps with NaN; everything else is one of a few values, or unknown. A guard
that cannot be true ends a run; no run may reach an error.

Ranges are exact where they can be: with correct rounding, sums, products, quotients and conversions
are monotone in each argument, so the extremes lie at the corners, computed there by the reference
semantics (:func:`revet.logic.semantics.apply_operator`). Numbers are ordered as integers
(:func:`_ordinal`), -0 just below +0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from revet.budget import Budget
from revet.checker.paths import relevant
from revet.checker.report import CheckReport, Refused, malformed
from revet.logic import softfloat
from revet.logic.semantics import apply_operator
from revet.logic.sorts import BOOL, FloatSort, Sort
from revet.logic.terms import Op, Term
from revet.logic.values import Value
from revet.logic.walk import bottom_up
from revet.model.cfa import Cfa, Edge
from revet.result.certificate import Cases

_MOST_VALUES = 16  # of what is not a float
_MOST_STEPS = 200_000  # in one case
_ARITHMETIC = (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV)
_MONOTONE = (Op.FP_FROM_FP, Op.FP_ROUND)

Few = frozenset[Value]
EITHER: Few = frozenset({False, True})


@dataclass(frozen=True, slots=True)
class Range:
    """The floats from ``low`` to ``high``, as ordinals (none if they cross), and perhaps NaN."""

    sort: FloatSort
    low: int
    high: int
    nan: bool

    @property
    def empty(self) -> bool:
        return self.low > self.high

    def has_infinity(self) -> bool:
        return self.low == _ordinal(softfloat.infinity(self.sort, True), self.sort) or self.high == _ordinal(
            softfloat.infinity(self.sort), self.sort
        )

    def has_zero(self) -> bool:
        return self.low <= 0 and self.high >= -1

    def ends(self) -> tuple[int, int]:
        return _bits(self.low, self.sort), _bits(self.high, self.sort)


Known = Range | Few | None
"""What is known of a value; None: nothing."""

Case = Mapping[tuple[int, Sort], Range]
"""By number and sort of what is drawn."""

Values = dict[Term, Known]


def _ordinal(bits: int, sort: FloatSort) -> int:
    magnitude = softfloat.magnitude(bits, sort)
    return -1 - magnitude if bits >> (sort.width - 1) else magnitude


def _bits(ordinal: int, sort: FloatSort) -> int:
    return ordinal if ordinal >= 0 else (-1 - ordinal) | 1 << (sort.width - 1)


def everything(sort: Sort) -> Known:
    if isinstance(sort, FloatSort):
        low, high = (_ordinal(softfloat.infinity(sort, negative), sort) for negative in (True, False))
        return Range(sort, low, high, True)
    return EITHER if sort is BOOL else None


def _range_of(values: Sequence[Any], sort: FloatSort) -> Range:
    numbers = [_ordinal(bits, sort) for bits in values if not softfloat.is_nan(bits, sort)]
    return Range(sort, min(numbers, default=0), max(numbers, default=-1), len(numbers) < len(values))


class CaseChecker:
    def __init__(self, cfa: Cfa, budget: Budget | None) -> None:
        self._cfa = cfa
        self._budget = budget or Budget()
        self._leaving = relevant(cfa, [*cfa.errors])
        self._errors = frozenset(cfa.errors)

    def cases(self, certificate: Cases) -> None:
        """Raises :class:`Refused` unless every leaf of the tree excludes every error."""
        pending: list[Case] = [{}]
        for question in certificate.tree:
            if not pending:
                raise malformed("the tree of cases goes on after its last leaf")
            case = pending.pop()
            if question is None:
                self._exclude(case)
            else:
                below, above = _split(case, *question)
                pending += [above, below]
        if pending:
            raise malformed("the tree of cases breaks off")

    def _exclude(self, case: Case) -> None:
        stack: list[tuple[Edge, Values, int]] = [
            (edge, {}, 0) for edge in self._leaving.get(self._cfa.initial, ())
        ]
        if self._cfa.initial in self._errors:
            raise Refused(CheckReport("rejected", "safety", "the initial location is an error"))
        steps = 0
        while stack:
            edge, values, drawn = stack.pop()
            steps += 1
            self._budget.poll()
            if steps > _MOST_STEPS:
                raise Refused(CheckReport("undecided", "safety", f"a case of over {_MOST_STEPS} steps"))
            after = self._after(edge, values, drawn, case)
            if after is None:
                continue
            if edge.target in self._errors:
                raise Refused(CheckReport("rejected", "safety", f"a case leaves {edge.target} open"))
            drawn += len(self._cfa.relation(edge).locals)
            stack += [(onward, after, drawn) for onward in self._leaving.get(edge.target, ())]

    def _after(self, edge: Edge, values: Values, drawn: int, case: Case) -> Values | None:
        """What is known after the edge; None if its guard cannot be true."""
        relation = self._cfa.relation(edge)
        before = dict(values)
        for number, x in enumerate(relation.locals, drawn):
            before[x] = case.get((number, x.sort), everything(x.sort))
        evaluation = Evaluation(before)
        if True not in _truth(evaluation(relation.guard)):
            return None
        return {**values, **{x: evaluation(value) for x, value in relation.updates.items()}}


def _split(case: Case, number: int, bound: Term) -> tuple[Case, Case]:
    """The case in which what is drawn is a number at most ``bound``, and the other one."""
    sort = bound.sort
    if not isinstance(sort, FloatSort) or not bound.is_const or softfloat.is_nan(bound.payload, sort):
        raise malformed(f"{bound} is not a bound for a float")
    # If one zero is at most the bound, so is the other.
    top = 0 if softfloat.is_zero(bound.payload, sort) else _ordinal(bound.payload, sort)
    known = case.get((number, sort), everything(sort))
    assert isinstance(known, Range)
    below = Range(sort, known.low, min(known.high, top), False)
    above = Range(sort, max(known.low, top + 1), known.high, known.nan)
    return {**case, (number, sort): below}, {**case, (number, sort): above}


def _truth(known: Known) -> Few:
    return known if isinstance(known, frozenset) else EITHER


class Evaluation:
    """What is known of terms, from what is known of variables."""

    def __init__(self, values: Mapping[Term, Known]) -> None:
        self._known: dict[Term, Known] = dict(values)

    def __call__(self, term: Term) -> Known:
        return bottom_up(term, self._known, _known)


def _known(node: Term, args: list[Known]) -> Known:
    if node.op == Op.CONST:
        return _packed([node.value], node.sort)
    if node.op in (Op.VAR, Op.APPLY, Op.FORALL, Op.EXISTS):
        return everything(node.sort)
    if node.op in (Op.AND, Op.OR):
        return _connective(node.op == Op.AND, [_truth(arg) for arg in args])
    if node.op == Op.ITE:
        return _choice(_truth(args[0]), args[1], args[2], node.sort)
    lifted = _lifted(node, args)
    if lifted is not None:
        return lifted
    if args and all(isinstance(arg, Range) for arg in args):
        return _on_ranges(node, [arg for arg in args if isinstance(arg, Range)])
    return everything(node.sort)


def _packed(values: Sequence[Value], sort: Sort) -> Known:
    if isinstance(sort, FloatSort):
        return _range_of(values, sort)
    try:
        found = frozenset(values)
    except TypeError:  # arrays
        return None
    return found if len(found) <= _MOST_VALUES else everything(sort)


def _unpacked(known: Known) -> Few | None:
    """The values, if they are few."""
    if not isinstance(known, Range):
        return known
    if known.empty:
        return frozenset({softfloat.nan(known.sort)})
    if known.low == known.high and not known.nan:
        return frozenset({_bits(known.low, known.sort)})
    return None


def _lifted(node: Term, args: list[Known]) -> Known:
    """The operator on all combinations of its arguments' values; None if they are too many."""
    few = [_unpacked(arg) for arg in args]
    combinations = 1
    for values in few:
        if values is None:
            return None
        combinations *= len(values)
    if combinations > _MOST_VALUES:
        return None
    sorts = [arg.sort for arg in node.args]
    results = [
        apply_operator(node.op, node.payload, node.sort, sorts, values)
        for values in product(*(values for values in few if values is not None))
    ]
    return _packed(results, node.sort)


def _connective(conjunction: bool, args: list[Few]) -> Few:
    """The value that decides is possible if it is for one argument, the other if it is for all."""
    deciding = not conjunction
    found = {deciding} if any(deciding in arg for arg in args) else set()
    return frozenset(found | ({not deciding} if all((not deciding) in arg for arg in args) else set()))


def _choice(condition: Few, yes: Known, no: Known, sort: Sort) -> Known:
    if False not in condition:
        return yes
    if True not in condition:
        return no
    if isinstance(yes, Range) and isinstance(no, Range):
        if yes.empty or no.empty:
            number = no if yes.empty else yes
            return Range(yes.sort, number.low, number.high, yes.nan or no.nan)
        return Range(yes.sort, min(yes.low, no.low), max(yes.high, no.high), yes.nan or no.nan)
    if isinstance(yes, frozenset) and isinstance(no, frozenset) and len(yes | no) <= _MOST_VALUES:
        return yes | no
    return everything(sort)


def _on_ranges(node: Term, args: list[Range]) -> Known:
    op = node.op
    if op in _ARITHMETIC:
        return _arithmetic(node, *args)
    if op in (Op.FP_LE, Op.FP_LT, Op.FP_EQ):
        return _comparison(node, *args)
    if op == Op.FP_NEG and not args[0].empty:
        return Range(args[0].sort, -1 - args[0].high, -1 - args[0].low, args[0].nan)
    if op == Op.FP_IS_NAN:
        return frozenset({True} if args[0].nan else set()) | ({False} if not args[0].empty else set())
    if op in _MONOTONE and not args[0].empty and isinstance(node.sort, FloatSort):
        ends = [_apply(node, [end]) for end in args[0].ends()]
        found = _range_of(ends, node.sort)
        return Range(found.sort, found.low, found.high, found.nan or args[0].nan)
    return everything(node.sort)


def _apply(node: Term, values: list[Any]) -> Any:
    return apply_operator(node.op, node.payload, node.sort, [arg.sort for arg in node.args], values)


def _arithmetic(node: Term, a: Range, b: Range) -> Known:
    """With finite arguments (and no zero divisor) nothing becomes NaN on the way."""
    unsure = a.empty or b.empty or a.has_infinity() or b.has_infinity()
    if unsure or node.payload != "RNE" or (node.op == Op.FP_DIV and b.has_zero()):
        return everything(node.sort)
    corners = [_apply(node, [x, y]) for x in a.ends() for y in b.ends()]
    found = _range_of(corners, a.sort)
    low = found.low
    if node.op == Op.FP_MUL and node.args[0] is node.args[1] and a.has_zero():
        low = 0  # a square
    return Range(a.sort, low, found.high, found.nan or a.nan or b.nan)


def _comparison(node: Term, a: Range, b: Range) -> Few:
    """IEEE's: false for NaN. It can be true if it is for the best pair, false if for the worst."""
    op = node.op
    found: set[Value] = {False} if a.nan or b.nan else set()
    if a.empty or b.empty:
        return frozenset(found)
    if node.args[0] is node.args[1] and op != Op.FP_LT:  # a number is itself
        return frozenset(found | {True})

    order = Op.FP_LT if op == Op.FP_LT else Op.FP_LE

    def holds(x: int, y: int) -> bool:
        values = [_bits(x, a.sort), _bits(y, b.sort)]
        return bool(apply_operator(order, None, BOOL, [a.sort, b.sort], values))

    if op == Op.FP_EQ:
        possible = holds(a.low, b.high) and holds(b.low, a.high)
        certain = holds(a.high, b.low) and holds(b.high, a.low)
    else:
        possible, certain = holds(a.low, b.high), holds(a.high, b.low)
    found |= {True} if possible else set()
    found |= set() if certain else {False}
    return frozenset(found)
