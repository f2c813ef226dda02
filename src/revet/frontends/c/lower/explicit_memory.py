"""Classes of few scalars: an access through a pointer chooses among them by address.

The pointer must be equal to one of their addresses, or the access is undefined; with a single
candidate the access *is* that variable. No SMT arrays are needed, which keeps programs that pass
results through pointers as easy to check as those that do not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from revet.frontends.c import ast
from revet.frontends.c.analysis.classes import Kind, Node, kind_of
from revet.frontends.c.checks import Check
from revet.frontends.c.lower.context import Context
from revet.frontends.c.lower.places import Cell, Part
from revet.frontends.c.types import Array, CType, Int, Record, size_of
from revet.logic import build as b
from revet.logic.arith import split_coefficient
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import free_vars


@dataclass(frozen=True, slots=True)
class Candidate:
    part: Part
    address: int


class ExplicitMemory:
    def __init__(self, context: Context) -> None:
        self.context = context
        self._regions: dict[int, Node] = {}
        self._candidates: dict[int, list[Candidate]] = {}
        self._fitting_memo: dict[tuple[int, Kind, int | None, str | None], list[tuple[Candidate, Term]]] = {}
        self._records: dict[tuple[int, Record], list[Candidate]] = {}

    def add_region(self, region: int, node: Node) -> None:
        self._regions[region] = node

    def node(self, region: int) -> Node:
        return self._regions[region].find()

    def _all(self, region: int) -> list[Candidate]:
        found = self._candidates.get(region)
        if found is None:
            storage = self.context.storage
            found = []
            for variable in storage.addressed(self._regions[region]):
                for depth in range(storage.activations(variable)):
                    found += self._parts(variable, depth)
            self._candidates[region] = found
        return found

    def scalars(self, variable: ast.Variable, depth: int) -> list[tuple[Term, int]]:
        """The automaton's variables of a split structure with their offsets; not its bit-fields,
        and nothing if it has arrays that are not unfolded."""
        if not self.context.storage.unfolded(variable):
            return []
        base = self.context.memory.variable_base(variable, depth)
        leaf = self.context.symbols.leaf
        return [
            (leaf(variable, depth, c.part.key, c.part.type), c.address - base)
            for c in self._parts(variable, depth)
            if c.part.width is None
        ]

    def only_record(self, region: int, type: Record) -> Candidate | None:
        """The one structure of this type in the class, if there is just one."""
        known = self._records.get((region, type))
        if known is None:
            known = []
            storage = self.context.storage
            for variable in storage.addressed(self._regions[region]):
                for depth in range(storage.activations(variable)):
                    known += [c for c in self._parts(variable, depth, True) if c.part.type is type]
            self._records[(region, type)] = known
        return known[0] if len(known) == 1 else None

    def _parts(self, variable: ast.Variable, depth: int, records: bool = False) -> list[Candidate]:
        """Every scalar (with ``records``, every structure) of a variable with its address."""
        places = self.context.places
        base = self.context.memory.variable_base(variable, depth)
        found: list[Candidate] = []
        stack: list[tuple[Part, int]] = [(Part(variable, depth, (), None, variable.type), base)]
        while stack:
            part, address = stack.pop()
            if isinstance(part.type, Record):
                if records:
                    found.append(Candidate(part, address))
                for field in places.fields_of(part.type):
                    inner = places.member(part, field)
                    assert isinstance(inner, Part)
                    stack.append((inner, address + field.offset // 8))
            elif isinstance(part.type, Array):
                for number in range(part.type.count or 0):
                    inner = places.step(part, number)
                    assert isinstance(inner, Part)
                    stack.append((inner, address + number * size_of(part.type.element)))
            elif not records:
                found.append(Candidate(part, address))
        return sorted(found, key=lambda candidate: candidate.address)

    def matching(self, place: Cell) -> list[tuple[Candidate, Term]]:
        """Candidates of the right kind that the address may be equal to, with the test."""
        found = []
        first, behind = place.span or (0, 1 << 128)
        for candidate, constant in self._fitting(place):
            if not first <= candidate.address < behind:
                continue
            test = _is_at(place.address, constant)
            if test is TRUE:
                return [(candidate, test)]
            if test is not FALSE:
                found.append((candidate, test))
        return found

    def _fitting(self, place: Cell) -> list[tuple[Candidate, Term]]:
        """Candidates of the right kind with their addresses: the same for every such access."""
        field = place.field.name if place.width is not None and place.field is not None else None
        key = (place.region, kind_of(place.type), place.width, field)
        found = self._fitting_memo.get(key)
        if found is None:
            address = self.context.symbols.address_type
            constant = self.context.arithmetic.constant
            found = self._fitting_memo[key] = [
                (candidate, constant(address, candidate.address))
                for candidate in self._all(place.region)
                if _fits(candidate.part, place)
            ]
        return found

    def load(self, place: Cell) -> Term:
        context = self.context
        matching = self.matching(place)
        context.require(self._valid(matching), Check.POINTER, place.at)
        if not matching:
            return context.expressions.zero(place.type)
        values = [self._value(candidate.part, place.type) for candidate, _ in matching]
        result = values[-1]
        for (_, test), value in zip(reversed(matching[:-1]), reversed(values[:-1]), strict=True):
            result = b.ite(test, value, result)
        return result

    def _valid(self, matching: list[tuple[Candidate, Term]]) -> Term:
        """Is the address that of a candidate that is there?"""
        alive = self.context.memory.is_alive
        return b.disjunction(b.and_(test, alive(candidate.part)) for candidate, test in matching)

    def havoc(self, like: Cell) -> None:
        """Any values for all scalars of a kind, wherever they are."""
        for candidate, _ in self._fitting(like):
            self.context.places.havoc(candidate.part)

    def _value(self, part: Part, type: CType) -> Term:
        value = self.context.places.load(part)
        if part.type is not type and isinstance(part.type, Int) and isinstance(type, Int):
            return self.context.arithmetic.convert(part.type, type, value)
        return value

    def _writable(self, place: Cell) -> list[tuple[Candidate, Term]]:
        return [(one, test) for one, test in self.matching(place) if not one.part.variable.is_fixed]

    def store(self, place: Cell, value: Term) -> None:
        context = self.context
        matching = self._writable(place)
        context.require(self._valid(matching), Check.POINTER, place.at)
        if len(matching) > 1:
            # The value and the tests must not see the first of several assignments.
            assigned = {context.places.leaf(candidate.part) for candidate, _ in matching}
            if not assigned.isdisjoint(free_vars(value)):
                owner = (place.region, kind_of(place.type), "value")
                value = context.expressions.save(owner, value, place.type)
            if not assigned.isdisjoint(free_vars(place.address)):
                address = context.expressions.save(
                    (place.region, "address"), place.address, context.symbols.address_type
                )
                matching = self._writable(replace(place, address=address))
        for candidate, test in matching:
            part = candidate.part
            stored = value
            if part.type is not place.type and isinstance(part.type, Int) and isinstance(place.type, Int):
                stored = context.arithmetic.convert(place.type, part.type, value)
            context.places.assign(part, b.ite(test, stored, context.places.load(part)))
            if context.written is not None:
                context.written.store_if(part, test)


def _is_at(address: Term, constant: Term) -> Term:
    """``address = constant``; if the address is ``base + size*index``, what that says of the index."""
    if address.op == Op.ADD and len(address.args) == 2 and address.args[1].op == Op.CONST:
        size, index = split_coefficient(address.args[0])
        number, rest = divmod(constant.payload - address.args[1].payload, size)
        return FALSE if rest else b.eq(index, b.integer(number))
    return b.eq(address, constant)


def _fits(part: Part, place: Cell) -> bool:
    if part.width != place.width or kind_of(part.type) != kind_of(place.type):
        return False
    if part.width is not None and place.field is not None:
        return part.key[-1] == place.field.name
    return True
