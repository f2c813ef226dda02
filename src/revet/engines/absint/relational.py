"""States with relations between variables: a value for each variable and an octagon for each pack.

The two help each other (:meth:`Octagonal.reduced`): bounds of single variables go into the octagons, and what
these imply comes back. The reduction is made where statements run, not on the states of loop heads: there it
would undo the widening.

An assignment ``x := e`` is the comparison ``x' = e``, after which x is forgotten and x' takes its name;
backward it is the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from revet.engines.absint import states
from revet.engines.absint.backward import BackwardTransfer
from revet.engines.absint.conditions import Conditions
from revet.engines.absint.domain import Domain, Number
from revet.engines.absint.intervals import Interval
from revet.engines.absint.lattice import Lattice
from revet.engines.absint.linear import Part, Place, exactly_zero, greatest
from revet.engines.absint.octagon import Constraint, Octagon
from revet.engines.absint.product import All
from revet.engines.absint.states import State
from revet.engines.absint.transfer import Transfer
from revet.logic import build as b
from revet.logic.linear import linear_form
from revet.logic.sorts import INT
from revet.logic.terms import FALSE, Op, Term
from revet.model.statements import Assign, Assume, Block, Havoc, Statement

CHOICES = 4  # how deep choices between values (``c ? a : b``) are taken apart


class Relations(NamedTuple):
    values: State
    octagons: tuple[Octagon, ...]


class Octagonal(Lattice[Relations]):
    """``domain``: intervals, or a product that has them."""

    def __init__(self, domain: Domain[Any], packs: tuple[tuple[Term, ...], ...], backward: bool) -> None:
        self._domain = domain
        self._packs = packs
        self._places = {x: Place(n, k) for n, pack in enumerate(packs) for k, x in enumerate(pack)}
        self._values = Transfer(domain)
        self._backward = BackwardTransfer(domain) if backward else None
        self._conditions = Conditions(self)

    # ------------------------------------------------------------------ values and octagons

    def reduced(self, state: Relations) -> Relations | None:
        """The same states; octagons closed, and each part knows what the other does."""
        values, octagons = state.values, []
        for pack, octagon in zip(self._packs, state.octagons, strict=True):
            closed = octagon.closed()
            closed = None if closed is None else closed.meet(self._bounds(pack, values))
            if closed is None:
                return None
            for k, variable in enumerate(pack):
                bounded = self._bounded(values, variable, closed, k)
                if bounded is None:
                    return None
                values = bounded
            octagons.append(closed)
        return Relations(values, tuple(octagons))

    def _bounds(self, pack: Sequence[Term], values: State) -> Iterable[Constraint]:
        for k, variable in enumerate(pack):
            if variable in values:
                low, high = self._interval(values[variable])
                if not isinstance(high, float):
                    yield 2 * k, 2 * k + 1, 2 * high
                if not isinstance(low, float):
                    yield 2 * k + 1, 2 * k, -2 * low

    def _bounded(self, values: State, variable: Term, octagon: Octagon, k: int) -> State | None:
        """The values with the octagon's bounds of its k-th variable."""
        domain, integer = self._domain, octagon.integer
        known = values.get(variable, domain.top)
        value = known
        high, low = octagon.half(2 * k), octagon.half(2 * k + 1)
        if high is not None:
            value = domain.meet(value, domain.below(domain.constant(high), strict=False, integer=integer))
        if low is not None and value is not None:
            value = domain.meet(value, domain.above(domain.constant(-low), strict=False, integer=integer))
        if value is None or value == known:
            return None if value is None else values
        return states.with_value(domain, values, variable, value)

    @staticmethod
    def _interval(value: Any) -> Interval:
        return value.interval if isinstance(value, All) else value

    def is_related(self, variable: Term) -> bool:
        return variable in self._places

    def narrowed(self, condition: Term, values: State) -> State | None:
        """The values under a condition, each by itself."""
        return self._values.assume(condition, values)

    def truth(self, formula: Term, values: State) -> int:
        """What the formula may be, as a set of bits."""
        found: int = self._values.value(formula, values)
        return found

    def parts(self, term: Term, values: State) -> tuple[list[Part], Number]:
        """A sum, with what is known about its summands."""
        coefficients, constant = linear_form(term)
        parts = [
            Part(factor, self._interval(self._values.value(base, values)), self._places.get(base))
            for base, factor in coefficients.items()
        ]
        return parts, constant

    def met(self, state: Relations, constraints: Iterable[tuple[int, Constraint]]) -> Relations | None:
        """With more constraints; octagons closed."""
        octagons = list(state.octagons)
        for n, constraint in constraints:
            closed = octagons[n].closed()
            closed = None if closed is None else closed.meet([constraint])
            if closed is None:
                return None
            octagons[n] = closed
        return Relations(state.values, tuple(octagons))

    # ------------------------------------------------------------------ statements

    def start(self, precondition: Term) -> Relations | None:
        octagons = tuple(Octagon({}, pack[0].sort is INT, closed=True) for pack in self._packs)
        return self._conditions.assume(precondition, Relations({}, octagons))

    def run(self, statements: Sequence[Statement], state: Relations) -> Relations | None:
        current = self.reduced(state)
        backward = self._backward is not None
        for statement in reversed(statements) if backward else statements:
            if current is None:
                return None
            match statement:
                case Assign(variable, value):
                    current = self._assigned(statement, {variable: value}, current)
                case Havoc(variable):
                    current = self._forgotten(statement, variable, current)
                case Assume(condition):
                    current = self._conditions.assume(condition, current)
                case Block(relation):
                    current = self._block(statement, relation.guard, relation.updates, current)
        return current

    def _block(
        self, block: Block, guard: Term, updates: Mapping[Term, Term], state: Relations
    ) -> Relations | None:
        """The locals of a block are in no pack: intervals, which the guard bounds."""
        if self._backward is not None:
            before = self._assigned(block, updates, state)
            found = None if before is None else self._conditions.assume(guard, before)
            return None if found is None else self._without(found, block)
        inside = self._conditions.assume(guard, state)
        return None if inside is None else self._assigned(block, updates, inside)

    @staticmethod
    def _without(state: Relations, block: Block) -> Relations:
        hidden = set(block.relation.locals)
        return Relations({x: known for x, known in state.values.items() if x not in hidden}, state.octagons)

    def _forgotten(self, statement: Havoc, variable: Term, state: Relations) -> Relations | None:
        values = (self._backward or self._values).run([statement], state.values)
        if values is None:
            return None
        octagons = list(state.octagons)
        place = self._places.get(variable)
        if place is not None:
            octagons[place.pack] = octagons[place.pack].forget([place.number])
        return Relations(values, tuple(octagons))

    def _assigned(
        self, statement: Statement, updates: Mapping[Term, Term], state: Relations, depth: int = CHOICES
    ) -> Relations | None:
        """After the updates (backward: before them); a single choice is taken apart."""
        if len(updates) == 1 and depth:
            ((variable, value),) = updates.items()
            if value.op == Op.ITE and variable in self._places:
                return self._chosen(variable, value, state, depth)
        values = (self._backward or self._values).run([statement], state.values)
        if values is None:
            return None
        changed = {x: self._places[x] for x in updates if x in self._places}
        if self._backward is None:
            octagons = self._after(changed, updates, state)
        else:
            octagons = self._before(changed, updates, state, values)
        return None if octagons is None else self.reduced(Relations(values, octagons))

    def _chosen(self, variable: Term, value: Term, state: Relations, depth: int) -> Relations | None:
        result: Relations | None = None
        condition = value.args[0]
        for wanted, branch in ((condition, value.args[1]), (b.not_(condition), value.args[2])):
            part: Relations | None = state
            if self._backward is None:
                part = self._conditions.assume(wanted, state)
            if part is not None:
                part = self._assigned(Assign(variable, branch), {variable: branch}, part, depth - 1)
            if part is not None and self._backward is not None:
                part = self._conditions.assume(wanted, part)
            result = self.join(result, part)
        return result

    def _primed(self, place: Place) -> Place:
        return Place(place.pack, place.number + len(self._packs[place.pack]))

    def _equations(
        self, changed: Mapping[Term, Place], updates: Mapping[Term, Term], values: State, after: State | None
    ) -> list[tuple[int, Constraint]]:
        """What ``x' = e`` says for each update; ``after``: what is known of x', else what is of e."""
        found = []
        for variable, place in changed.items():
            parts, constant = self.parts(updates[variable], values)
            if after is None:
                known = self._values.value(updates[variable], values)
            else:
                known = after.get(variable, self._domain.top)
            target = Part(-1, self._interval(known), self._primed(place))
            found += exactly_zero([*parts, target], constant)
        return found

    def _limits(self, target: Place, term: Term, state: Relations) -> list[tuple[int, Constraint]]:
        """What the octagons know of the sum or difference of two variables, as bounds of ``target``."""
        found: list[tuple[int, Constraint]] = []
        parts, constant = self.parts(term, state.values)
        up, down = target.node(True), target.node(False)
        high = greatest(parts, constant, state.octagons)
        if high is not None:
            found.append((target.pack, (up, down, 2 * high)))
        low = greatest([part.negated() for part in parts], -constant, state.octagons)
        if low is not None:
            found.append((target.pack, (down, up, 2 * low)))
        return found

    def _after(
        self, changed: Mapping[Term, Place], updates: Mapping[Term, Term], state: Relations
    ) -> tuple[Octagon, ...] | None:
        equations = self._equations(changed, updates, state.values, None)
        for variable, place in changed.items():
            equations += self._limits(self._primed(place), updates[variable], state)
        met = self.met(state, equations)
        if met is None:
            return None
        octagons = list(met.octagons)
        for n in {place.pack for place in changed.values()}:
            numbers = [place.number for place in changed.values() if place.pack == n]
            back = {number + len(self._packs[n]): number for number in numbers}
            octagons[n] = octagons[n].forget(numbers).rename(back)
        return tuple(octagons)

    def _before(
        self, changed: Mapping[Term, Place], updates: Mapping[Term, Term], state: Relations, values: State
    ) -> tuple[Octagon, ...] | None:
        octagons = list(state.octagons)
        for place in changed.values():
            away = {place.number: self._primed(place).number}
            octagons[place.pack] = octagons[place.pack].rename(away)
        equations = self._equations(changed, updates, values, state.values)
        met = self.met(Relations(values, tuple(octagons)), equations)
        if met is None:
            return None
        octagons = list(met.octagons)
        for place in changed.values():
            octagons[place.pack] = octagons[place.pack].forget([self._primed(place).number])
        return tuple(octagons)

    # ------------------------------------------------------------------ the lattice

    def join(self, left: Relations | None, right: Relations | None) -> Relations | None:
        if left is None or right is None or left is right:
            return right if left is None else left
        first, second = ([each.closed() for each in state.octagons] for state in (left, right))
        if None in first or None in second:
            return right if None in first else left
        values = states.join(self._domain, left.values, right.values)
        assert values is not None
        joined = [one.join(other) for one, other in zip(first, second, strict=True) if one and other]
        return Relations(values, tuple(joined))

    def meet(self, left: Relations | None, right: Relations | None) -> Relations | None:
        if left is None or right is None:
            return None
        values = states.meet(self._domain, left.values, right.values)
        if values is None:
            return None
        more = [(n, each) for n, octagon in enumerate(right.octagons) for each in octagon.constraints()]
        met = self.met(Relations(values, left.octagons), more)
        return None if met is None else self.reduced(met)

    def below(self, left: Relations | None, right: Relations | None) -> bool:
        if left is None or right is None:
            return left is None
        if not states.below(self._domain, left.values, right.values):
            return False
        closed = [octagon.closed() for octagon in left.octagons]
        pairs = zip(closed, right.octagons, strict=True)
        return all(one is None or one.below(other) for one, other in pairs)

    def widen(self, old: Relations, new: Relations, thresholds: Sequence[Number]) -> Relations:
        """``new`` is a join, whose octagons are closed."""
        values = states.widen(self._domain, old.values, new.values, thresholds)
        pairs = zip(old.octagons, new.octagons, strict=True)
        return Relations(values, tuple(one.widen(other, thresholds) for one, other in pairs))

    def narrow(self, old: Relations, new: Relations) -> Relations:
        values = states.narrow(self._domain, old.values, new.values)
        pairs = zip(old.octagons, new.octagons, strict=True)
        return Relations(values, tuple(one.narrow(other) for one, other in pairs))

    # ------------------------------------------------------------------ for others

    def value(self, state: Relations, variable: Term) -> Any:
        known = self.reduced(state)
        values = {} if known is None else known.values
        return values.get(variable, states.top_of(self._domain, variable))

    def relations(self, state: Relations) -> list[Term]:
        """The comparisons of two variables in a reduced state."""
        found = []
        for pack, octagon in zip(self._packs, state.octagons, strict=True):
            essential = octagon.essential()
            turned = {(a, c): limit for a, c, limit in essential}
            for left, right, limit in essential:
                if turned.get((right, left)) == -limit:
                    if left > right:
                        found.append(_compared(pack, left, right, limit, equal=True))
                else:
                    found.append(_compared(pack, left, right, limit))
        return found

    def formula(self, state: Relations | None) -> Term:
        known = None if state is None else self.reduced(state)
        if known is None:
            return FALSE
        return b.and_(states.to_formula(self._domain, known.values), *self.relations(known))

    def show(self, state: Relations | None) -> str:
        known = None if state is None else self.reduced(state)
        if known is None:
            return "not reachable"
        relations = ", ".join(map(repr, self.relations(known)))
        if not relations:
            return states.show(self._domain, known.values)
        alone = states.show(self._domain, known.values) + ", " if known.values else ""
        return alone + relations


def _compared(pack: Sequence[Term], left: int, right: int, limit: Number, *, equal: bool = False) -> Term:
    """``V(left) - V(right) <= limit`` (``equal``: ``=``), without a minus before a variable."""
    x, y = pack[left >> 1], pack[right >> 1]
    number = b.integer(int(limit)) if x.sort is INT else b.real(limit)
    minus = b.integer(int(-limit)) if x.sort is INT else b.real(-limit)
    match left & 1, right & 1:
        case 0, 0:
            one, other = x, y + number
        case 1, 1:
            one, other = y, x + number
        case 0, 1:
            one, other = x + y, number
        case _:
            one, other = minus, x + y
    return one.eq(other) if equal else one <= other
