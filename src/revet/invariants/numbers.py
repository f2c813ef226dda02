"""Candidates about numbers and pointers, one state at a time: how they are related.

* Linear equations of the variables; the same where a pointer is null and where it is not; pointers to
  neighbours.
* What the program stores at a place that its variables name (``a[s + n - 1] = 0``), or has read from a place
  that a pointer has just left (``c = *p++``); linear equations of the
  variables and what a pointer leads to (the size of its block, a length), and numbers of elements that fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from revet.invariants.affine import equations
from revet.invariants.candidates import both_ways
from revet.invariants.memory import Memory
from revet.invariants.tight import bounds_met
from revet.logic.arith import add, le, lt, mod, mul
from revet.logic.arrays import select
from revet.logic.core import const, eq, not_, or_
from revet.logic.evaluate import Evaluator
from revet.logic.linear import linear_form, normalize_literal
from revet.logic.sorts import INT
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import free_vars, substitute, subterms
from revet.model.cfa import Location

_ZERO = const(0, INT)
_GREATEST = const((1 << 31) - 1, INT)
_WIDEST = 14  # variables whose linear equations are looked for
_FEW = 8  # variables whose sums, and linear equations with what lies in memory, are looked for


def about_numbers(memory: Memory, location: Location) -> list[Term]:
    """Without parameters; those that the samples do not refute."""
    found: dict[Term, None] = {}
    if memory.growth is not None:
        found[eq(mod(memory.growth.variable, const(memory.growth.step, INT)), _ZERO)] = None
    for atom in memory.conditions:
        found.update(dict.fromkeys(both_ways(atom)))
    for array, place, value in memory.stores():
        known = memory.found.variables
        if value.op == Op.CONST and free_vars(place) <= known and array not in free_vars(place):
            found[eq(select(array, place), value)] = None
    for x, array, place in memory.loads():
        found.update(dict.fromkeys(_still_there(memory, x, array, place)))
    for x in memory.found.numbers:
        found.update({le(_ZERO, x): None, le(x, _GREATEST): None})
    ranked = memory.ranked(location)
    found.update(dict.fromkeys(le(x, y) for x, y in permutations(ranked[:_WIDEST], 2)))
    found.update(dict.fromkeys(le(_ZERO, add(x, y)) for x, y in combinations(ranked[:_FEW], 2)))
    found.update(dict.fromkeys(_equations(ranked, memory.evaluators(location))))
    samples = memory.evaluators(location)
    columns = {x: [int(state(x)) for state in samples] for x in ranked}  # type: ignore[arg-type]
    found.update(dict.fromkeys(bounds_met(columns)))
    found.update({le(const(min(seen), INT), x): None for x, seen in columns.items() if seen})
    for p in memory.pointers_at(location):
        found.update(dict.fromkeys(_about_pointer(memory, p, location)))
    for p, q in permutations(memory.pointers_at(location), 2):
        found.update(dict.fromkeys(_about_pair(memory, p, q)))
    tidy = dict.fromkeys(map(normalize_literal, found))
    return [c for c in tidy if c not in (TRUE, FALSE) and memory.survives(c, location)]


def _still_there(memory: Memory, x: Term, array: Term, place: Term) -> Iterator[Term]:
    """What was read from the place is there, and what the program asks of the pointer was so, though it may
    have moved by one since."""
    form, constant = linear_form(place)
    for pointer in (pointer for pointer, factor in form.items() if factor == 1):
        for moved in (0, -1, 1):
            yield eq(x, select(array, add(pointer, const(int(constant) + moved, INT))))
        before = {pointer: add(pointer, const(-1, INT))}
        for atom in memory.conditions:
            if pointer in free_vars(atom):
                yield from both_ways(substitute(atom, before))


def _about_pair(memory: Memory, p: Term, q: Term) -> Iterator[Term]:
    """Where neither is null: q's block comes after p's, or is the next one."""
    assert memory.growth is not None
    null = or_(eq(p, _ZERO), eq(q, _ZERO))
    yield or_(null, lt(p, q))
    yield or_(null, eq(add(p, const(memory.growth.step, INT)), q))


def _about_pointer(memory: Memory, p: Term, location: Location) -> Iterator[Term]:
    assert memory.growth is not None
    null = eq(p, _ZERO)
    yield from (null, not_(null), memory.block(p), or_(null, memory.block(p)))
    yield or_(null, eq(p, memory.growth.last()))
    yield or_(null, eq(p, const(memory.growth.start, INT)))
    states, ranked = memory.evaluators(location), memory.ranked(location)
    always = set(_equations(ranked, states))
    led, ended = ([state for state in states if (state(p) == 0) is is_null] for is_null in (False, True))
    for condition, chosen in ((null, led), (not_(null), ended)):
        found = [equation for equation in _equations(ranked, chosen) if equation not in always]
        yield from (or_(condition, equation) for equation in found)
    places = [(array, add(p, const(d, INT))) for array in memory.arrays for d in memory.offsets(array)]
    for value in (select(array, place) for array, place in places):
        found = _equations([*ranked[:_FEW], value], led)
        for x in ranked[:_WIDEST]:  # with few samples many hold, and not that which is meant among them
            found += _equations([x, value], led)
        yield from (or_(null, equation) for equation in found if value in subterms(equation))
        if value.args[0] not in memory.holding:  # a size, perhaps, and a number of elements
            scaled = (mul(const(s, INT), x) for x in ranked[:_WIDEST] for s in memory.scales)
            yield from (or_(null, lt(elements, value)) for elements in scaled)


def _equations(terms: Sequence[Term], states: Sequence[Evaluator]) -> list[Term]:
    """Linear equations of these terms that hold in these states."""
    values = {x: [int(state(x)) for state in states] for x in terms}  # type: ignore[arg-type]
    found = [eq(x, const(seen[0], INT)) for x, seen in values.items() if len(set(seen)) == 1]
    numbers = [x for x, seen in values.items() if len(set(seen)) > 1][:_WIDEST]
    points = list(zip(*(values[x] for x in numbers), strict=True))
    for vector in equations(points) if points else ():
        parts = [mul(const(c, INT), x) for c, x in zip(vector, numbers, strict=False) if c]
        if parts:
            found.append(eq(add(*parts, const(vector[-1], INT)), _ZERO))
    return found
