"""Memory that is kept in arrays, as candidates see it: places, pointers, blocks in the order of allocation.

A program whose objects lie in arrays indexed by address has, besides counters, *pointers*; and allocation is
often a variable that grows by the same amount for every block (:class:`Growth`). What is guessed, for every
location from sample states there, is about numbers (:mod:`revet.invariants.numbers`), about all blocks in the
order of their addresses (:mod:`revet.invariants.blocks`), or about all that have not been freed
(:mod:`revet.invariants.living`). Candidates about all blocks have *parameters*, which stand for a place in an
array or for a block (see :class:`revet.invariants.houdini.ParametricHoudini`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from revet.errors import ModelError
from revet.invariants.candidates import Candidates
from revet.invariants.samples import State
from revet.logic.arith import le, lt, mod, sub
from revet.logic.arrays import select
from revet.logic.core import and_, const, eq
from revet.logic.evaluate import Evaluator
from revet.logic.linear import linear_form
from revet.logic.sorts import INT, ArraySort
from revet.logic.terms import Op, Term
from revet.logic.walk import atoms, free_vars, substitute, subterms
from revet.model.cfa import Edge, Location
from revet.transform.graph import live_variables

_ZERO = const(0, INT)
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

    def stores(self) -> Iterator[tuple[Term, Term, Term]]:
        """Array, place and value of everything that is stored."""
        for step in self.found.steps.values():
            for array in self.arrays:
                for node in subterms(step.updates.get(array, array)):
                    base = _base(node) if node.op == Op.STORE else None
                    if base is not None and (base is array or base.op == Op.CONST_ARRAY):
                        yield array, node.args[1], node.args[2]

    def loads(self) -> Iterator[tuple[Term, Term, Term]]:
        """Variable, array and place of what is read into a variable, in terms of the state before."""
        for step in self.found.steps.values():
            for x, value in step.updates.items():
                for node in _cases(value):
                    if node.op == Op.SELECT and node.args[0] in self.parameters:
                        yield x, node.args[0], node.args[1]

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

    def written(self, array: Term) -> set[int]:
        """How far from the beginning of a block the array is written."""
        return {self._offset(place) for base, place, _ in self.stores() if base is array}

    def constants(self, array: Term) -> list[int]:
        found = {int(v.payload): None for a, _, v in self.stores() if a is array and v.op == Op.CONST}
        return list(found)[:_VALUES]

    @cached_property
    def live(self) -> dict[Location, list[Term]]:
        """The variables that matter at each location."""
        return live_variables(self.found.cfa, self.found.cfa.locations, self.found.steps)

    def pointers_at(self, location: Location) -> list[Term]:
        """Those that matter there."""
        return [x for x in self.pointers if x.op != Op.VAR or x in self.live[location]][:_POINTERS]

    @cached_property
    def pointers(self) -> list[Term]:
        """Variables, also those that lie in memory, that are null or lead to a block."""
        return [*self._pointing, *self._cells]

    @cached_property
    def _cells(self) -> list[Term]:
        """Where variables that lie in memory are read: places that are numbers, in arrays of pointers."""
        if self.growth is None:
            return []
        found: dict[Term, None] = {}
        for array in self.holding:
            places = [x for each in self._by_array[array].values() for x in each if x.op == Op.CONST]
            found.update({select(array, x): None for x in places if int(x.payload) < self.growth.start})
        states = [Evaluator(state) for states in self.states.values() for state in states]
        return [cell for cell in found if self._leads({int(state(cell)) for state in states})]  # type: ignore[arg-type]

    def _leads(self, values: set[int]) -> bool:
        """Are these null or blocks, and not all null?"""
        assert self.growth is not None
        start = self.growth.start
        return max(values, default=0) >= start and all(v == 0 or v >= start for v in values)

    @cached_property
    def _pointing(self) -> list[Term]:
        """Variables that are null or lead to a block, in all samples, and do lead to one in some; first those
        through which something is read or written."""
        if self.growth is None:
            return []
        read = self._read_places()
        good = [x for x, seen in self._values.items() if x is not self.growth.variable and self._leads(seen)]
        return sorted(good, key=lambda x: x not in read)

    @cached_property
    def _values(self) -> dict[Term, set[int]]:
        """What the numbers are in the samples."""
        values: dict[Term, set[int]] = {}
        for states in self.states.values():
            for state in states:
                for x in self.found.numbers:
                    values.setdefault(x, set()).add(int(state[x]))  # type: ignore[arg-type]
        return values

    def inside(self, location: Location) -> Iterator[tuple[Term, int, list[int]]]:
        """Variables that lead to a field of blocks, with its offset and the few other values that they have:
        null, and addresses of variables."""
        if self.growth is None:
            return
        for x, seen in self._values.items():
            offsets = {v % self.growth.step for v in seen if v >= self.growth.start}
            others = sorted(v for v in seen if v < self.growth.start)
            if x in self.live[location] and len(offsets) == 1 and len(others) <= _VALUES:
                offset = offsets.pop()
                if 0 < offset < _LARGEST:
                    yield x, offset, others

    def _read_places(self) -> set[Term]:
        return {
            x for by_edge in self._by_array.values() for places in by_edge.values() for place in places
            for x in free_vars(place)
        }

    @cached_property
    def conditions(self) -> list[Term]:
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
        return {x for atom in self.conditions for x in free_vars(atom)}

    @cached_property
    def _stored(self) -> set[Term]:
        """What the places depend on that get a constant, a terminator say."""
        return {x for _, place, value in self.stores() if value.op == Op.CONST for x in free_vars(place)}

    def ranked(self, location: Location) -> list[Term]:
        """The numbers that matter at a location or say where something is, those that decide something
        first."""
        kept = {*self.live[location], *self._stored}
        if self.growth is not None:
            kept.add(self.growth.variable)
        return sorted((x for x in self.found.numbers if x in kept), key=lambda x: x not in self._asked)

    # ---- trying candidates ------------------------------------------------------------------

    @cached_property
    def holding(self) -> list[Term]:
        """The arrays that hold pointers."""
        return [array for array in self.arrays if self.holds_pointers(array)]

    @cached_property
    def scales(self) -> list[int]:
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

    def holds_pointers(self, array: Term) -> bool:
        known = {*self._pointing, self.growth.variable if self.growth else None}
        return any(a is array and free_vars(value) & known for a, _, value in self.stores())

    def survives(self, candidate: Term, location: Location) -> bool:
        """Is a candidate true in the samples, for their blocks?"""
        free = free_vars(candidate)
        parameters = tuple(p for p in self.places if p in free)
        try:
            return all(evaluate(candidate) is True for evaluate in self.evaluators(location, parameters))
        except ModelError:
            return False

    def evaluators(self, location: Location, parameters: tuple[Term, ...] = ()) -> list[Evaluator]:
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
