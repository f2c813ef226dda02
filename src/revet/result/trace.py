"""What makes an *unsafe* believable: a run with a value for every variable at every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from revet.logic.terms import Term
    from revet.logic.values import Value
    from revet.model.cfa import Edge, Location

State: TypeAlias = "Mapping[Term, Value]"


@dataclass(frozen=True, eq=False)
class SystemTrace:
    """States s0 … sn of a transition system; ``inputs[i]`` leads from s_i to s_(i+1).

    The last state violates the property called ``violated``.
    """

    states: tuple[State, ...]
    inputs: tuple[State, ...]
    violated: str

    def __len__(self) -> int:
        return len(self.states) - 1


@dataclass(frozen=True, eq=False)
class CfaTrace:
    """A run of an automaton: ``states[i]`` holds at ``locations[i]``, before ``edges[i]``.

    The last location is an error location. ``inputs[i]`` gives the values of the locals of the
    i-th edge's relation where they are known (the values drawn by havoc statements are also
    visible in the state after the edge).
    """

    locations: tuple[Location, ...]
    states: tuple[State, ...]
    edges: tuple[Edge, ...]
    inputs: tuple[State, ...] = ()

    @property
    def violated(self) -> str:
        return self.locations[-1].name

    def __len__(self) -> int:
        return len(self.edges)


@dataclass(frozen=True, eq=False)
class DerivationStep:
    """One use of a clause (by its number in the system, from 0), with values for its variables.

    ``premises`` are the numbers of the earlier steps that derived the predicates of its body."""

    clause: int
    values: State
    premises: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Derivation:
    """For Horn clauses: steps that derive facts, each from earlier ones; the last derives false."""

    steps: tuple[DerivationStep, ...]
    violated: str

    def __len__(self) -> int:
        return len(self.steps)


@dataclass(frozen=True, eq=False)
class CircuitTrace:
    """A run of a circuit: the latches' first values, and the inputs of every step, as 0 and 1.

    The bad literal called ``violated`` is true in the last step, whose inputs are given, too.
    """

    initial: tuple[int, ...]
    inputs: tuple[tuple[int, ...], ...]
    violated: str

    def __len__(self) -> int:
        return len(self.inputs) - 1


@dataclass(frozen=True, eq=False)
class InputTrace:
    """A run of the *source program*, given by all that it draws, in order: runs of the interpreter
    are often too long to be written down state by state.

    ``calls`` are functions without a body with what they return, ``memory`` variables that are not
    initialised with the bytes (hexadecimal, repeated as often as they fit) that they hold. ``steps``
    is how long the run is.
    """

    calls: tuple[tuple[str, str], ...]
    memory: tuple[tuple[str, str], ...]
    violated: str
    steps: int

    def __len__(self) -> int:
        return self.steps


Trace = SystemTrace | CfaTrace | CircuitTrace | InputTrace | Derivation
