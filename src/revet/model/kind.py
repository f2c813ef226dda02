"""What every kind of model can be asked, so that who has a model need not know which kind it is.

There are four kinds: automata, transition systems, circuits and Horn clauses. What all of them have is a
method here. What is done differently with each is a :class:`Visitor` with a method a kind, where the type
checker names what is missing when there is a fifth.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol, Self, TypeVar

    from revet.errors import Position
    from revet.logic.terms import Term
    from revet.model.cfa import Cfa
    from revet.model.circuit import Circuit
    from revet.model.horn import HornSystem
    from revet.model.system import TransitionSystem

    T = TypeVar("T")
    T_co = TypeVar("T_co", covariant=True)

    class Visitor(Protocol[T_co]):
        """A method for each kind of model; ``model.accept(visitor)`` calls the one for its kind."""

        def automaton(self, cfa: Cfa) -> T_co: ...
        def system(self, system: TransitionSystem) -> T_co: ...
        def circuit(self, circuit: Circuit) -> T_co: ...
        def clauses(self, clauses: HornSystem) -> T_co: ...


class Model(ABC):
    """A model with named properties; see the module's text."""

    of_terms = True
    """Its steps are formulas, for an SMT solver; False: gates, for a SAT solver."""

    if TYPE_CHECKING:

        @property
        def name(self) -> str: ...

        @property
        def variables(self) -> tuple[Term, ...]:
            """What formulas about its states speak of."""

    @property
    @abstractmethod
    def property_names(self) -> Sequence[str]:
        """In the order of the source."""

    @property
    @abstractmethod
    def extent(self) -> str:
        """How many variables, for people."""

    @abstractmethod
    def restricted_to(self, *names: str) -> Self:
        """The same model with only the named properties, which it must have."""

    @abstractmethod
    def accept(self, visitor: Visitor[T]) -> T:
        """What the visitor's method for this kind of model returns."""

    def position_of(self, property_name: str) -> Position | None:
        """Where the source states a property, if that is known."""
        return None

    def as_automaton(self) -> Cfa | None:
        """The automaton that this model is, itself or read as one (linear Horn clauses); else None."""
        return None

    def as_system(self) -> TransitionSystem | None:
        """The transition system that this model is, itself or read as one (a circuit); else None."""
        return None
