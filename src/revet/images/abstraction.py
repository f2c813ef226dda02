"""Predicate abstraction as in the textbooks: the conjunction of the predicates that are entailed.

``alpha(states) = and {p in predicates | states entail p}``, with one difference that the notes make by a
predicate *false*: the abstraction of no states is no states, whatever the predicates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.checker.certificate import check_certificate
from revet.logic.core import conjunction, disjunction
from revet.logic.pretty import pretty
from revet.result.certificate import LocationInvariants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.images.space import Space, StateSet
    from revet.logic.terms import Term
    from revet.model.cfa import Edge, Location

_REACHED = "phi"


@dataclass(frozen=True, eq=False)
class Predicate:
    """``text`` as it is printed; ``meaning`` for each place."""

    text: str
    meaning: dict[Location, Term]


def predicates_of(space: Space, text: str) -> list[Predicate]:
    """The predicates that were typed."""
    places = set(space.names.variables.values())
    return [
        Predicate(pretty(found) if found in places else space.writer.formula(found), space.at_each(found))
        for found in space.names.formulas(text, "--predicates")
    ]


@dataclass(frozen=True, eq=False)
class Abstraction:
    """``entailed[i]`` tells whether predicate i holds in all states."""

    space: Space
    states: StateSet
    predicates: Sequence[Predicate]
    entailed: tuple[bool, ...]

    @classmethod
    def of(cls, space: Space, states: StateSet, predicates: Sequence[Predicate]) -> Abstraction:
        entailed = tuple(space.entails(states, predicate.meaning) for predicate in predicates)
        return cls(space, states, predicates, entailed)

    @property
    def conjuncts(self) -> list[Predicate]:
        pairs = zip(self.predicates, self.entailed, strict=True)
        return [predicate for predicate, holds in pairs if holds]

    @property
    def formula(self) -> str:
        """The abstraction as text."""
        if self.states.empty:
            return "false"
        return " and ".join(
            f"({p.text})" if " or " in p.text else p.text for p in self.conjuncts
        ) or "true"

    def concrete(self) -> StateSet:
        """All states of the abstraction (gamma)."""
        if self.states.empty:
            return self.states
        return self.space.states({
            place: conjunction(p.meaning[place] for p in self.conjuncts) for place in self.space.places
        })

    def table(self, name: str) -> str:
        """The entailments as the notes print them, a column a predicate."""
        heads = [predicate.text for predicate in self.predicates]
        marks = ["⊨" if holds else "⊭" for holds in self.entailed]
        columns = [("", name), *zip(heads, marks, strict=True)]
        widths = [max(map(len, column)) for column in columns]
        rows = zip(*columns, strict=True)
        return "\n".join(
            "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        )


class AbstractReachability:
    """``phi_1 or phi_2 or …``: abstract post images of the abstract initial states until none is new."""

    def __init__(self, space: Space, predicates: Sequence[Predicate]) -> None:
        self.space = space
        self.predicates = predicates
        self.found: list[Abstraction] = []
        self.lines: list[str] = []
        self._explore()

    def _explore(self) -> None:
        start = self.space.states({self.space.cfa.initial: self.space.cfa.precondition})
        first = Abstraction.of(self.space, start, self.predicates)
        self._add(first, f"alpha({_line(start)})")
        for number, abstract in enumerate(self.found, 1):  # grows meanwhile
            states = abstract.concrete()
            nowhere: list[str] = []
            for edge in self.space.steps:
                after = self.space.post(states, [edge])
                if after.empty:
                    nowhere.append(self.space.label(edge))
                else:
                    self._image(number, edge, after)
            if nowhere:
                every = "every edge" if len(nowhere) == len(self.space.steps) else ", ".join(nowhere)
                self.lines.append(f"       post#({_REACHED}{number}, {every}) = false")

    def _image(self, number: int, edge: Edge, after: StateSet) -> None:
        image = Abstraction.of(self.space, after, self.predicates)
        self._add(image, f"post#({_REACHED}{number}, {self.space.label(edge)}) = alpha({_line(after)})")

    def _add(self, image: Abstraction, told: str) -> None:
        known = next((n for n, old in enumerate(self.found, 1) if _inside(image, old)), None)
        if image.states.empty or known is None:
            if not image.states.empty:
                self.found.append(image)
            name = f"{_REACHED}{len(self.found)} = " if not image.states.empty else "       "
            self.lines.append(f"{name}{told} = {image.formula}")
            return
        same = "equal to" if image.entailed == self.found[known - 1].entailed else "inside"
        self.lines.append(f"       {told} = {image.formula}   ({same} {_REACHED}{known})")

    @property
    def formulas(self) -> dict[Location, Term]:
        """At each place the disjunction of what was found."""
        concrete = [abstract.concrete() for abstract in self.found]
        return {place: disjunction(each.formula(place) for each in concrete) for place in self.space.places}

    def errors(self) -> dict[str, str]:
        """The error locations (or properties) that are not excluded, with the first state they are in."""
        found: dict[str, str] = {}
        for number, abstract in enumerate(self.found, 1):
            states = abstract.concrete()
            for error in self.space.cfa.errors:
                if self._meets(states, error):
                    found.setdefault(error.name, f"{_REACHED}{number}")
        return found

    def _meets(self, states: StateSet, error: Location) -> bool:
        if self.space.named:
            return error in states.disjuncts
        cfa = self.space.cfa
        return any(
            self.space.simplifier.holds(cube, cfa.relation(edge).guard)
            for edge in cfa.incoming[error]
            for cube in states.disjuncts.get(edge.source, ())
        )

    def accepted(self) -> bool:
        """Does the checker accept what was found as a proof?"""
        formulas = {place: f for place, f in self.formulas.items() if place not in self.space.cfa.errors}
        certificate = self.space.reduction.certificate_back(LocationInvariants(formulas))
        return check_certificate(self.space.model, certificate, budget=self.space.budget).accepted

    def __str__(self) -> str:
        names = " or ".join(f"{_REACHED}{number}" for number in range(1, len(self.found) + 1)) or "false"
        return "\n".join([*self.lines, f"{_REACHED}_reach# = {names}"])


def _inside(image: Abstraction, old: Abstraction) -> bool:
    """Does it say all that the old one says?"""
    return all(now or not before for now, before in zip(image.entailed, old.entailed, strict=True))


def _line(states: StateSet) -> str:
    return " ".join(str(states).split("\n"))
