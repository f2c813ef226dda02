"""Branch: halve the box that a run got through, until none does or a run is real."""

from __future__ import annotations

import math

from revet.engines.boxes.intervals import ALL, NAN, Interval, bits_of, middle, next_up, number_of, rounded
from revet.engines.boxes.run import Case, Node, Runner, TooLong
from revet.engines.common.context import Context
from revet.events import Note
from revet.logic.core import const
from revet.logic.sorts import FLOAT32, FLOAT64, Sort
from revet.logic.terms import Op, Term
from revet.logic.values import Value, default_value
from revet.logic.walk import subterms
from revet.model.cfa import Cfa
from revet.model.execute import Stuck, execute
from revet.result import Cases, CfaTrace, Safe, Unknown, Unsafe, Verdict

_FLOATS = (FLOAT32, FLOAT64)


class Search:
    def __init__(self, cfa: Cfa, cases: int, steps: int, context: Context) -> None:
        self._cfa = cfa
        self._cases = cases
        self._context = context
        self._runner = Runner(cfa, steps, context.budget)
        guards = [cfa.relation(edge).guard for edge in cfa.edges]
        constants = [node for node in subterms(*guards) if node.op == Op.CONST and node.sort in _FLOATS]
        numbers = {number_of(node.payload, node.sort) for node in constants}
        finite = [number for number in numbers if math.isfinite(number)]
        self._landmarks: dict[Sort, list[float]] = {
            sort: sorted({rounded(number, sort) for number in finite}) for sort in _FLOATS
        }

    def prove(self) -> Verdict:
        tree: list[tuple[int, Term] | None] = []
        pending: list[Case] = [{}]
        while pending:
            case = pending.pop()
            try:
                found = self._runner.run(case)
                if found is None:
                    tree.append(None)
                    continue
                unsafe = self.real(case, found)
            except TooLong:
                return Unknown("the runs of a case do not end: a loop is not decided by intervals")
            if unsafe is not None:
                return unsafe
            if len(tree) >= self._cases:
                return Unknown(f"not decided within {self._cases} cases")
            question = self.split(case, found)
            if question is None:
                return Unknown("intervals do not decide a guard, however small the case is")
            number, sort, bound, below, above = question
            tree.append((number, const(bits_of(bound, sort), sort)))
            pending += [{**case, (number, sort): above}, {**case, (number, sort): below}]
            self._context.stats.counts["splits"] += 1
        cases = tree.count(None)
        self._context.observe(Note("boxes", f"{cases} cases"))
        self._context.stats.counts["cases"] += cases
        return Safe(Cases(tuple(tree)))

    def split(self, case: Case, run: Node) -> tuple[int, Sort, float, Interval, Interval] | None:
        """Ask about the widest of what the run's open guards depend on: first whether it is a
        number, then on which side of a constant of the program, then of the middle."""
        candidates = [(case.get(key, ALL), key) for key in run.open if key[1] in _FLOATS]
        candidates = [(box, key) for box, key in candidates if box[0] < box[1]]
        if not candidates:
            return None
        box, (number, sort) = max(candidates, key=lambda one: (one[0][2], one[0][1] - one[0][0], -one[1][0]))
        low, high, nan = box
        if nan:
            return number, sort, math.inf, (low, high, False), NAN
        inside = [mark for mark in self._landmarks[sort] if low < mark < high]
        bound = inside[len(inside) // 2] if inside else middle(low, high, sort)
        if math.isinf(bound):  # only as the lower end
            return number, sort, bound, (low, low, False), (-_largest(sort), high, False)
        return number, sort, bound, (low, bound, False), (next_up(bound, sort), high, False)

    def real(self, case: Case, run: Node) -> Unsafe | None:
        """Is there an error for the middle of the box?"""
        if any(not _ready(case.get(key)) for key in run.open):
            return None
        points = {key: _point(box, key[1]) for key, box in case.items()}
        found = self._runner.run(points)
        if found is None or not found.certain:
            return None
        return self._concrete(found, points)

    def _concrete(self, found: Node, points: Case) -> Unsafe | None:
        state = {x: default_value(x.sort) for x in self._cfa.variables}
        path = found.path()
        states, inputs, number = [state], [], 0
        for edge in path:
            drawn = enumerate(self._cfa.relation(edge).locals, number)
            given = {x: _bits(points.get((n, x.sort)), x.sort) for n, x in drawn}
            number += len(given)
            try:
                state = execute(edge.statements, state, list(given.values()))
            except Stuck:
                return None
            states.append(state)
            inputs.append(given)
        locations = (self._cfa.initial, *(edge.target for edge in path))
        return Unsafe(CfaTrace(locations, tuple(states), tuple(path), tuple(inputs)))


def _ready(box: Interval | None) -> bool:
    """Is there a middle that is worth a try?"""
    return box is not None and (_is_nan(box) or box[0] == box[1] or all(map(math.isfinite, box[:2])))


def _is_nan(box: Interval) -> bool:
    return box[0] > box[1]


def _point(box: Interval, sort: Sort) -> Interval:
    if not _ready(box) or _is_nan(box) or box[0] == box[1]:
        return box
    value = middle(box[0], box[1], sort)
    return value, value, False


def _bits(box: Interval | None, sort: Sort) -> Value:
    """Any value of the box."""
    if box is None:
        return default_value(sort)
    return bits_of(math.nan if _is_nan(box) else box[0], sort)


def _largest(sort: Sort) -> float:
    return number_of(0x7F7FFFFF, FLOAT32) if sort is FLOAT32 else number_of(0x7FEFFFFFFFFFFFFF, FLOAT64)
