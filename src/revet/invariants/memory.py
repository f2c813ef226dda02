"""Candidates about memory that is kept in arrays: places, terminators, and blocks in the order of allocation.

A program whose objects lie in arrays indexed by address has, besides counters, *pointers*; and allocation is
often a variable that grows by the same amount for every block (:class:`Growth`). Then a list that is built
node by node is an array in disguise: the block at address k is followed by that at k + step, or comes after
it. What is guessed, for every location from sample states there:

* linear equations of the variables; the same where a pointer is null and where it is not; pointers to
  neighbours;
* what the program stores at a place that its variables name (``a[s + n - 1] = 0``); linear equations of the
  variables and what a pointer leads to (the size of its block, a length).

Candidates about all blocks (:mod:`revet.invariants.blocks`, :mod:`revet.invariants.living`) have the
*parameter* of an array, which stands for its place (see :class:`revet.invariants.houdini.ParametricHoudini`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations, product

from revet.errors import ModelError
from revet.invariants.affine import equations
from revet.invariants.candidates import Candidates, both_ways
from revet.invariants.samples import State
from revet.invariants.tight import bounds_met
from revet.logic.arith import add, le, lt, mod, mul, sub
from revet.logic.arrays import select
from revet.logic.core import and_, const, eq, not_, or_
from revet.logic.evaluate import Evaluator
from revet.logic.linear import linear_form, normalize_literal
from revet.logic.sorts import INT, ArraySort
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import atoms, free_vars, substitute, subterms
from revet.model.cfa import Edge, Location
from revet.transform.graph import live_variables

_ZERO = const(0, INT)
_GREATEST = const((1 << 31) - 1, INT)
_WIDEST = 14  # variables whose linear equations are looked for
_FEW = 8  # variables whose sums, and linear equations with what lies in memory, are looked for
_POINTERS = 4  # that ranges of blocks end at
_BLOCKS = 8  # of a sample that candidates are tried on
_OFFSETS = 4  # of an array, at most
_EARLIER = 64  # blocks before the first that a loop allocates, at most
_SCALES = 2  # sizes of elements that are tried, at most
_LARGEST = 4096  # size of an element, or offset in a block
_VALUES = 4  # constants that an array holds, at most


@dataclass(frozen=True)
class Growth:
    """A variable that starts with a number and grows by the same step: where the next block will be."""

    variable: Term
    start: int
    step: int

    def first(self) -> Term:
        return const(self.start, INT)

    def last(self) -> Term:
        return sub(self.variable, const(self.step, INT))


@dataclass
class Memory:
    """What an automaton does with its arrays. ``states`` are samples for each location."""

    found: Candidates
    states: Mapping[Location, list[State]] = field(default_factory=dict)
    _trials: dict[tuple[Location, tuple[Term, ...]], list[Evaluator]] = field(default_factory=dict)

    @cached_property
    def arrays(self) -> list[Term]:
        return [
            x for x in self.found.cfa.variables
            if isinstance(x.sort, ArraySort) and x.sort.index is INT and x.sort.element is INT
        ]

    @cached_property
    def parameters(self) -> dict[Term, Term]:
        """For each array the variable that stands for a place in it."""
        return {array: self.found.cfa.fresh("place", INT) for array in self.arrays}

    @cached_property
    def blocks(self) -> tuple[Term, Term]:
        """Two variables that stand for blocks."""
        return self.found.cfa.fresh("block", INT), self.found.cfa.fresh("block", INT)

    @cached_property
    def places(self) -> dict[Term, dict[Edge, list[Term]]]:
        """For each parameter: where the edges read and write its array, in terms of the state before and of
        the edge's own variables; for those that stand for blocks, the other one and where these begin."""
        found = {parameter: self._by_array[array] for array, parameter in self.parameters.items()}
        begun: dict[Edge, dict[Term, None]] = {edge: {} for edge in self.found.steps}
        for by_edge in self._by_array.values():
            for edge, places in by_edge.items():
                begun[edge].update({sub(x, const(self._offset(x), INT)): None for x in places})
        for one, other in (self.blocks, self.blocks[::-1]):
            found[one] = {edge: [other, *places] for edge, places in begun.items()}
        return found

    @cached_property
    def _by_array(self) -> dict[Term, dict[Edge, list[Term]]]:
        found: dict[Term, dict[Edge, dict[Term, None]]] = {array: {} for array in self.arrays}
        for edge, step in self.found.steps.items():
            for node in subterms(step.guard, *step.updates.values()):
                if node.op in (Op.SELECT, Op.STORE) and _base(node.args[0]) in found:
                    found[_base(node.args[0])].setdefault(edge, {})[node.args[1]] = None
        return {x: {edge: list(places) for edge, places in each.items()} for x, each in found.items()}

    @cached_property
    def growth(self) -> Growth | None:
        """Where blocks are allocated from, if that is how it is done."""
        for x in self.found.numbers:
            starts, steps = set(), set()
            for step in self.found.steps.values():
                for value in _cases(step.updates.get(x, x)):
                    form, constant = linear_form(value)
                    if not form:
                        starts.add(int(constant))
                    elif form == {x: 1}:
                        steps.add(int(constant))
                    else:
                        steps.add(-1)
            steps.discard(0)
            by = min(steps, default=0)
            if starts and by > 1 and all(s % by == 0 for s in (*starts, *steps)):
                start = min(starts)
                if start >= by and self._is_place(x):
                    return Growth(x, self._first_block(start, by), by)
        return None

    def _first_block(self, start: int, step: int) -> int:
        """Blocks may have been allocated on the way to where the variable is first seen."""
        updates = [value for edge in self.found.steps.values() for value in edge.updates.values()]
        known = {int(node.payload) // step * step for node in subterms(*updates)
                 if node.op == Op.CONST and node.sort is INT}
        return min([start, *(base for base in known if start - _EARLIER * step <= base)])

    def _is_place(self, variable: Term) -> bool:
        return variable in self._read_places()

    # ---- what arrays hold -------------------------------------------------------------------

    def _stores(self) -> Iterator[tuple[Term, Term, Term]]:
        """Array, place and value of everything that is stored."""
        for step in self.found.steps.values():
            for array in self.arrays:
                for node in subterms(step.updates.get(array, array)):
                    base = _base(node) if node.op == Op.STORE else None
                    if base is not None and (base is array or base.op == Op.CONST_ARRAY):
                        yield array, node.args[1], node.args[2]

    def offsets(self, array: Term) -> list[int]:
        """How far from the beginning of a block the array is read or written."""
        found: dict[int, None] = {}
        for places in self._by_array[array].values():
            for place in places:
                found[self._offset(place)] = None
        return [offset for offset in sorted(found) if 0 <= offset < _LARGEST][:_OFFSETS]

    def _offset(self, place: Term) -> int:
        """How far it is from the beginning of its block, if that is a variable's value or a number."""
        constant = int(linear_form(place)[1])
        known = self.growth is not None and constant >= self.growth.start
        return constant % self.growth.step if known and self.growth else constant

    def constants(self, array: Term) -> list[int]:
        found = {int(v.payload): None for a, _, v in self._stores() if a is array and v.op == Op.CONST}
        return list(found)[:_VALUES]

    @cached_property
    def live(self) -> dict[Location, list[Term]]:
        """The variables that matter at each location."""
        return live_variables(self.found.cfa, self.found.cfa.locations, self.found.steps)

    def pointers_at(self, location: Location) -> list[Term]:
        """Those that matter there."""
        return [x for x in self.pointers if x in self.live[location]][:_POINTERS]

    @cached_property
    def pointers(self) -> list[Term]:
        """Variables that are null or lead to a block, in all samples, and do lead to one in some; first those
        through which something is read or written."""
        if self.growth is None:
            return []
        start, heap = self.growth.start, self.growth.variable
        values: dict[Term, set[int]] = {}
        for states in self.states.values():
            for state in states:
                for x in self.found.numbers:
                    values.setdefault(x, set()).add(int(state[x]))  # type: ignore[arg-type]
        read = self._read_places()
        good = [
            x for x, seen in values.items()
            if x is not heap and max(seen) >= start and all(v == 0 or v >= start for v in seen)
        ]
        return sorted(good, key=lambda x: x not in read)

    def _read_places(self) -> set[Term]:
        return {
            x for by_edge in self._by_array.values() for places in by_edge.values() for place in places
            for x in free_vars(place)
        }

    @cached_property
    def _atoms(self) -> list[Term]:
        """Conditions of the program that speak of the state alone, or of inputs that become part of it;
        ranges of types, too, because some are those of an object."""
        found: dict[Term, None] = {}
        for step in self.found.steps.values():
            names = {value: x for x, value in step.updates.items() if value in step.locals}
            for atom in atoms(substitute(step.guard, names), *step.updates.values()):
                if free_vars(atom) <= self.found.variables and atom.op != Op.VAR:
                    found[atom] = None
        return list(found)

    @cached_property
    def _asked(self) -> set[Term]:
        return {x for atom in self._atoms for x in free_vars(atom)}

    @cached_property
    def _stored(self) -> set[Term]:
        """What the places depend on that get a constant, a terminator say."""
        return {x for _, place, value in self._stores() if value.op == Op.CONST for x in free_vars(place)}

    def _ranked(self, location: Location) -> list[Term]:
        """The numbers that matter at a location or say where something is, those that decide something
        first."""
        kept = {*self.live[location], *self._stored}
        if self.growth is not None:
            kept.add(self.growth.variable)
        return sorted((x for x in self.found.numbers if x in kept), key=lambda x: x not in self._asked)

    # ---- candidates -------------------------------------------------------------------------

    def scalars(self, location: Location) -> list[Term]:
        """Without parameters."""
        found: dict[Term, None] = {}
        if self.growth is not None:
            found[eq(mod(self.growth.variable, const(self.growth.step, INT)), _ZERO)] = None
        for atom in self._atoms:
            found.update(dict.fromkeys(both_ways(atom)))
        for array, place, value in self._stores():
            known = self.found.variables
            if value.op == Op.CONST and free_vars(place) <= known and array not in free_vars(place):
                found[eq(select(array, place), value)] = None
        for x in self.found.numbers:
            found.update({le(_ZERO, x): None, le(x, _GREATEST): None})
        ranked = self._ranked(location)
        found.update(dict.fromkeys(le(x, y) for x, y in permutations(ranked[:_WIDEST], 2)))
        found.update(dict.fromkeys(le(_ZERO, add(x, y)) for x, y in combinations(ranked[:_FEW], 2)))
        found.update(dict.fromkeys(self._equations(ranked, self._evaluators(location))))
        samples = self._evaluators(location)
        columns = {x: [int(state(x)) for state in samples] for x in ranked}  # type: ignore[arg-type]
        found.update(dict.fromkeys(bounds_met(columns)))
        found.update({le(const(min(seen), INT), x): None for x, seen in columns.items() if seen})
        for p in self.pointers_at(location):
            found.update(dict.fromkeys(self._about_pointer(p, location)))
        for p, q in permutations(self.pointers_at(location), 2):
            found.update(dict.fromkeys(self._about_pair(p, q)))
        tidy = dict.fromkeys(map(normalize_literal, found))
        return [c for c in tidy if c not in (TRUE, FALSE) and self.survives(c, location)]

    def _about_pair(self, p: Term, q: Term) -> Iterator[Term]:
        """Where neither is null: q's block comes after p's, or is the next one."""
        assert self.growth is not None
        null = or_(eq(p, _ZERO), eq(q, _ZERO))
        yield or_(null, lt(p, q))
        yield or_(null, eq(add(p, const(self.growth.step, INT)), q))

    def _about_pointer(self, p: Term, location: Location) -> Iterator[Term]:
        assert self.growth is not None
        null = eq(p, _ZERO)
        yield from (null, not_(null), self.block(p), or_(null, self.block(p)))
        yield or_(null, eq(p, self.growth.last()))
        yield or_(null, eq(p, const(self.growth.start, INT)))
        states, ranked = self._evaluators(location), self._ranked(location)
        always = set(self._equations(ranked, states))
        led, ended = ([state for state in states if (state(p) == 0) is is_null] for is_null in (False, True))
        for condition, chosen in ((null, led), (not_(null), ended)):
            found = [equation for equation in self._equations(ranked, chosen) if equation not in always]
            yield from (or_(condition, equation) for equation in found)
        places = [(array, add(p, const(d, INT))) for array in self.arrays for d in self.offsets(array)]
        for value in (select(array, place) for array, place in places):
            found = self._equations([*ranked[:_FEW], value], led)
            for x in ranked[:_WIDEST]:  # with few samples many hold, and not that which is meant among them
                found += self._equations([x, value], led)
            yield from (or_(null, equation) for equation in found if value in subterms(equation))
            if value.args[0] not in self._holding:  # a size, perhaps, and a number of elements
                scaled = (mul(const(s, INT), x) for x in ranked[:_WIDEST] for s in self._scales)
                yield from (or_(null, lt(elements, value)) for elements in scaled)

    @cached_property
    def _holding(self) -> list[Term]:
        """The arrays that hold pointers."""
        return [array for array in self.arrays if self.holds_pointers(array)]

    @cached_property
    def _scales(self) -> list[int]:
        """By how much the places grow with a variable: sizes of elements."""
        places = (x for by_edge in self._by_array.values() for each in by_edge.values() for x in each)
        found = {int(c) for place in places for c in linear_form(place)[0].values()}
        return sorted(c for c in found if 0 < c < _LARGEST)[:_SCALES]

    def block(self, place: Term) -> Term:
        """A block begins there."""
        assert self.growth is not None
        start, step = const(self.growth.start, INT), const(self.growth.step, INT)
        aligned = eq(mod(place, step), _ZERO)
        return and_(le(start, place), lt(place, self.growth.variable), aligned)

    def _equations(self, terms: Sequence[Term], states: Sequence[Evaluator]) -> list[Term]:
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

    def holds_pointers(self, array: Term) -> bool:
        known = {*self.pointers, self.growth.variable if self.growth else None}
        return any(a is array and free_vars(value) & known for a, _, value in self._stores())

    def survives(self, candidate: Term, location: Location) -> bool:
        """Is a candidate true in the samples, for their blocks?"""
        free = free_vars(candidate)
        parameters = tuple(p for p in self.places if p in free)
        try:
            return all(evaluate(candidate) is True for evaluate in self._evaluators(location, parameters))
        except ModelError:
            return False

    def _evaluators(self, location: Location, parameters: tuple[Term, ...] = ()) -> list[Evaluator]:
        """One for each sample, or for each block (pair of blocks) of one; they remember what they have
        evaluated."""
        found = self._trials.get((location, parameters))
        if found is None:
            states = self.states.get(location, [])
            found = self._trials[location, parameters] = [
                Evaluator({**state, **dict(zip(parameters, chosen, strict=True))})
                for state in states for chosen in product(*(self._chosen(p, state) for p in parameters))
            ]
        return found

    def _chosen(self, parameter: Term, state: State) -> list[int]:
        """Places in some blocks of a state."""
        assert self.growth is not None
        start, step = self.growth.start, self.growth.step
        end = min(int(state[self.growth.variable]), start + _BLOCKS * step)  # type: ignore[arg-type]
        offsets = next((self.offsets(x) for x, own in self.parameters.items() if own is parameter), [0])
        return [k + d for k in range(start, end, step) for d in offsets]


def _base(array: Term) -> Term:
    """The array that stores and choices start from."""
    while array.op in (Op.STORE, Op.ITE):
        array = array.args[0] if array.op == Op.STORE else array.args[1]
    return array


def _cases(value: Term) -> list[Term]:
    """The values of a conditional term."""
    work, found = [value], []
    while work:
        node = work.pop()
        if node.op == Op.ITE:
            work += node.args[1:]
        else:
            found.append(node)
    return found
