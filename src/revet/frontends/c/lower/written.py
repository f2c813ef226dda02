"""Which scalars have been written: kept only where reading others is checked.

Every variable of the automaton that may hold a value nobody has written has a *shadow*, which is one where it
was written and zero elsewhere; arrays have arrays of these. A store sets it, a copy of a structure or block
copies it, a declaration without initialiser clears it; new blocks are at addresses that were never written. A
scalar that is read must have been written, so what is stored in turn is a written value.

Local variables with an initialiser and globals are written from the start; structures are not taken for that,
because a copy may bring a part that was not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.analysis.lvalues import element_of
from revet.frontends.c.analysis.storage import Mode
from revet.frontends.c.checks import Check
from revet.frontends.c.library.conventions import OBJECT
from revet.frontends.c.lower.places import Cell, Part, Place
from revet.frontends.c.types import Record
from revet.logic import build as b
from revet.logic.sorts import ArraySort
from revet.logic.terms import TRUE, Term

if TYPE_CHECKING:
    from revet.errors import Position
    from revet.frontends.c.lower.context import Context


class Written:
    def __init__(self, context: Context) -> None:
        self.context = context
        self._memory: dict[Term, None] = {}  # shadows of classes of memory
        if OBJECT in context.program.declared:
            at = context.program.functions[context.program.start].position
            raise context.unsupported(at, "uninitialised values where objects have any contents")

    @property
    def _yes(self) -> Term:
        return self.context.arithmetic.constant(self.context.model.int, 1)

    @property
    def _no(self) -> Term:
        return self.context.arithmetic.constant(self.context.model.int, 0)

    def _shadow(self, term: Term) -> Term:
        """The shadow of a variable of the automaton."""
        symbols, type = self.context.symbols, self.context.model.int
        if isinstance(term.sort, ArraySort):
            return symbols.own_array(f"$written.{term.name}", term.sort.index, type)
        return symbols.own(f"$written.{term.name}", type)

    def _of_memory(self, array: Term) -> Term:
        shadow = self._shadow(array)
        self._memory[shadow] = None
        return shadow

    def _has_shadow(self, variable: ast.Variable) -> bool:
        if isinstance(element_of(variable.type), Record):
            return True
        local = variable.function is not None and not variable.lives_forever
        return local and variable.initialiser is None and not variable.parameter and variable.number >= 0

    # ---- reading ----------------------------------------------------------------------------

    def require(self, place: Place, at: Position) -> None:
        """A scalar is read."""
        if isinstance(place, Part):
            self.context.require(self._is_written(place), Check.UNINITIALISED, at)
            return
        if place.target is not None and place.target.find().foreign:
            self.context.assumptions.setdefault("memory from outside of the program is initialised")
            return
        memory = self.context.memory
        if memory.mode(place) is Mode.EXPLICIT:
            matching = memory.explicit.matching(place)
            facts = [b.implies(test, self._is_written(candidate.part)) for candidate, test in matching]
            self.context.require(b.conjunction(facts), Check.UNINITIALISED, at)
            return
        self._refuse_bytes(place)
        array, address = memory.element(place)
        fact = b.eq(b.select(self._of_memory(array), address), self._yes)
        self.context.require(fact, Check.UNINITIALISED, at)

    def _refuse_bytes(self, place: Cell) -> None:
        if self.context.memory.mode(place) is Mode.BYTES:
            span = self.context.flow.span
            at = span.start if span is not None else self.context.frame.function.position
            raise self.context.unsupported(at, "uninitialised values in memory that is kept as bytes")

    def _is_written(self, part: Part) -> Term:
        return b.eq(self._value(part), self._yes) if self._has_shadow(part.variable) else TRUE

    def _value(self, place: Place) -> Term:
        """The shadow of a scalar, or of a whole array of them."""
        if isinstance(place, Cell):
            array, address = self.context.memory.element(place)
            return b.select(self._of_memory(array), address)
        if not self._has_shadow(place.variable):
            whole = self.context.places.is_whole(place)
            if not whole:
                return self._yes
            sort = self._shadow(self.context.places.whole(place)).sort
            return b.const_array(sort, self._yes)
        leaf = self._leaf(place)
        return leaf if place.index is None else b.select(leaf, place.index)

    def _leaf(self, place: Part) -> Term:
        places = self.context.places
        return self._shadow(places.whole(place) if places.is_whole(place) else places.leaf(place))

    # ---- writing ----------------------------------------------------------------------------

    def store(self, place: Place, value: Term | None = None) -> None:
        """A scalar was written (``value``: a shadow that was copied with it)."""
        value = self._yes if value is None else value
        if isinstance(place, Part):
            if self._has_shadow(place.variable):
                leaf = self._leaf(place)
                new = value if place.index is None else b.store(leaf, place.index, value)
                self.context.flow.assign(leaf, new)
        elif self.context.memory.mode(place) is not Mode.EXPLICIT:
            self._refuse_bytes(place)
            array, address = self.context.memory.element(place)
            shadow = self._of_memory(array)
            self.context.flow.assign(shadow, b.store(shadow, address, value))

    def store_if(self, part: Part, test: Term) -> None:
        if self._has_shadow(part.variable):
            self.store(part, b.ite(test, self._yes, self._value(part)))

    def fill(self, array: Term, written: bool) -> None:
        """All of an array that is a variable of the automaton, or a class of memory."""
        shadow = self._of_memory(array)
        self.context.flow.assign(shadow, b.const_array(shadow.sort, self._yes if written else self._no))

    def fill_place(self, place: Place, written: bool) -> None:
        """All scalars of an object."""
        value = self._yes if written else self._no
        for part in self.context.places.parts(place):
            if isinstance(part, Part) and self.context.places.is_whole(part):
                if self._has_shadow(part.variable):
                    shadow = self._leaf(part)
                    self.context.flow.assign(shadow, b.const_array(shadow.sort, value))
            elif isinstance(part, Part) or self.context.memory.mode(part) is not Mode.EXPLICIT:
                self.store(part, value)

    def shadows(self, sources: list[Place]) -> list[Term]:
        """What is copied beside the values of these parts."""
        memory = self.context.memory
        explicit = [isinstance(p, Cell) and memory.mode(p) is Mode.EXPLICIT for p in sources]
        return [
            self._of_explicit(place) if chosen else self._value(place)
            for place, chosen in zip(sources, explicit, strict=True)
        ]

    def _of_explicit(self, place: Place) -> Term:
        assert isinstance(place, Cell)
        value = self._yes
        for candidate, test in self.context.memory.explicit.matching(place):
            value = b.ite(test, self._value(candidate.part), value)
        return value

    def copy(self, target: Place, shadow: Term) -> None:
        if isinstance(target, Cell) and self.context.memory.mode(target) is Mode.EXPLICIT:
            for candidate, test in self.context.memory.explicit.matching(target):
                self.store(candidate.part, b.ite(test, shadow, self._value(candidate.part)))
        elif isinstance(target, Part) and self.context.places.is_whole(target):
            if self._has_shadow(target.variable):
                self.context.flow.assign(self._leaf(target), shadow)
        else:
            self.store(target, shadow)

    def moved(self, changed: dict[Term, Term], array: Term, address: Term, read: Term, place: Term) -> None:
        """A scalar of memory is copied with others; ``changed`` collects what the shadows become."""
        shadow = self._of_memory(array)
        value = b.select(self._of_memory(read), place)
        changed[shadow] = b.store(changed.get(shadow, shadow), address, value)

    def start(self) -> list[tuple[Term, Term]]:
        """What memory holds at the start of the run was written by nobody."""
        return [(shadow, b.const_array(shadow.sort, self._no)) for shadow in self._memory]
