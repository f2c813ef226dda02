"""Sequential circuits: and-inverter graphs with latches, the model of the bit level.

A circuit is arrays of integers, not objects: hardware has hundreds of thousands of gates. Signals
are numbered as in AIGER, and always in this order:

=====================  ====================================
``0``                  the constant false
``1 … I``              inputs
``I+1 … I+L``          latches
``I+L+1 … I+L+A``      and-gates, each after its two arguments
=====================  ====================================

A *literal* is twice a number, plus one for the negated signal: 0 is false, 1 is true.

A run starts with every latch at its reset value (any value, if it has none), and reads the inputs
once a step. In every step all *constraints* hold: what violates one is not a run. It goes wrong
when a *bad* literal is true, which may depend on the inputs of that step.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from revet.errors import ModelError
from revet.model.kind import Model

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from revet.logic.terms import Term
    from revet.model.kind import T, Visitor
    from revet.model.system import TransitionSystem

ANY = 2
"""The reset value of a latch that may start with either."""


@dataclass(frozen=True, eq=False)
class Circuit(Model):
    """See the module's text. ``bad`` gives the bad literals by the names of the properties."""

    inputs: int
    next: Sequence[int]
    reset: Sequence[int]
    left: Sequence[int]
    right: Sequence[int]
    bad: Mapping[str, int]
    constraints: Sequence[int] = ()
    name: str = "circuit"
    names: Mapping[int, str] = field(default_factory=dict)
    """Names of inputs and latches, by number, where the source gives any."""

    def __post_init__(self) -> None:
        if len(self.next) != len(self.reset) or len(self.left) != len(self.right):
            raise ModelError(f"{self.name}: arrays of different lengths")
        if any(value not in (0, 1, ANY) for value in self.reset):
            raise ModelError(f"{self.name}: a reset value must be 0, 1 or {ANY} (any)")
        top = 2 * self.size
        for literal in (*self.next, *self.bad.values(), *self.constraints):
            if not 0 <= literal < top:
                raise ModelError(f"{self.name}: there is no literal {literal}")
        for side in (self.left, self.right):
            # All at once: every pass makes a circuit, and going through the gates took a tenth of its time.
            limits = range(2 * self.first_gate, top, 2)
            if side and not (min(side) >= 0 and all(map(int.__lt__, side, limits))):
                gate = next(g for x, g in zip(side, limits, strict=True) if not 0 <= x < g) // 2
                raise ModelError(f"{self.name}: gate {gate} does not come after its arguments")

    of_terms = False

    @property
    def property_names(self) -> list[str]:
        return list(self.bad)

    @property
    def extent(self) -> str:
        return f"{self.latches} latches"

    @property
    def variables(self) -> tuple[Term, ...]:
        return self.as_system().variables

    def as_system(self) -> TransitionSystem:
        from revet.model.circuit_system import system_of  # which imports this

        return system_of(self).system

    def accept(self, visitor: Visitor[T]) -> T:
        return visitor.circuit(self)

    @property
    def latches(self) -> int:
        return len(self.next)

    @property
    def gates(self) -> int:
        return len(self.left)

    @property
    def first_latch(self) -> int:
        return 1 + self.inputs

    @property
    def first_gate(self) -> int:
        return 1 + self.inputs + len(self.next)

    @property
    def size(self) -> int:
        """How many signals there are, the constant included."""
        return self.first_gate + len(self.left)

    def name_of(self, number: int) -> str:
        """An input's or latch's name in the source, or the format's own (``i0``, ``l0``)."""
        if number in self.names:
            return self.names[number]
        if number <= self.inputs:
            return f"i{number - 1}"
        return f"l{number - self.first_latch}"

    def restricted_to(self, *names: str) -> Circuit:
        """The same circuit with only the named properties."""
        missing = [name for name in names if name not in self.bad]
        if missing:
            raise ModelError(f"{self.name}: no property {missing[0]}; there are: {', '.join(self.bad)}")
        return replace(self, bad={name: self.bad[name] for name in names})

    def cone(self, literals: Iterable[int]) -> bytearray:
        """A flag for every signal: does a literal depend on it within one step?"""
        wanted = bytearray(self.size)
        for literal in literals:
            wanted[literal >> 1] = 1
        left, right, first = self.left, self.right, self.first_gate
        for gate in range(self.size - 1, first - 1, -1):
            if wanted[gate]:
                wanted[left[gate - first] >> 1] = 1
                wanted[right[gate - first] >> 1] = 1
        return wanted


def evaluate(circuit: Circuit, inputs: Sequence[int], latches: Sequence[int], lanes: int = 1) -> list[int]:
    """The value of every signal, bit-parallel: bit j of each number belongs to run j of ``lanes``."""
    ones = (1 << lanes) - 1
    values = [0, *inputs, *latches]
    append = values.append
    for a, b in zip(circuit.left, circuit.right, strict=True):
        x = values[a >> 1]
        y = values[b >> 1]
        append((x ^ ones if a & 1 else x) & (y ^ ones if b & 1 else y))
    return values


def literal_value(values: Sequence[int], literal: int, lanes: int = 1) -> int:
    value = values[literal >> 1]
    return value ^ ((1 << lanes) - 1) if literal & 1 else value


def successor(circuit: Circuit, values: Sequence[int], lanes: int = 1) -> list[int]:
    """The latches after the step in which the signals have ``values``."""
    return [literal_value(values, literal, lanes) for literal in circuit.next]
