"""Reducing a circuit: constant latches, structural hashing, equal latches, cone of influence.

Constant latches are found by ternary simulation: from the initial states, a latch that changes
becomes unknown, until nothing changes; what is still 0 or 1 is so in every run. Equal latches are
those with the same reset and, after hashing, the same next state. Both facts are inductive, and
certificates get them as clauses on their way back, so that they hold for the whole circuit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from revet.model.circuit import ANY, Circuit
from revet.result.certificate import CircuitInvariant, KInductive
from revet.result.trace import CircuitTrace
from revet.transform.gates import Gates
from revet.transform.reduction import Reduction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from revet.logic.terms import Term
    from revet.result.certificate import Certificate


def cone_of_influence(circuit: Circuit) -> Reduction:
    """Only what the properties depend on: quick, and often leaves little to do."""
    return _compact(circuit, _Hashed(circuit, {}, influence(circuit)), {})


def reduce_circuit(circuit: Circuit) -> Reduction:
    """Only what can matter for the properties, with inputs and latches renumbered."""
    # Facts about latches outside the cone of influence would only burden certificates; within it
    # they are inductive by themselves.
    matters = influence(circuit)
    alias = {
        latch: value
        for latch, value in enumerate(constant_latches(circuit), circuit.first_latch)
        if value != ANY and matters[latch]
    }
    return replace_latches(circuit, alias, matters)


def with_signals(circuit: Circuit, values: dict[int, int]) -> Circuit:
    """The circuit with inputs (by number) that have always these values; nothing is renumbered."""
    return _Hashed(circuit, values).rebuilt(circuit)


def next_states(circuit: Circuit, alias: dict[int, int]) -> list[int]:
    """The next states as literals of gates each of which is made once, where latches are replaced by others:
    what is the same literal is equal."""
    hashed = _Hashed(circuit, alias)
    return [hashed.of(f) for f in circuit.next]


def replace_latches(circuit: Circuit, alias: dict[int, int], matters: bytearray) -> Reduction:
    """Replace latches by literals that they always equal, and then those that this shows to be equal.

    ``alias`` maps latches to 0, 1 or a literal of a latch that is not replaced; as clauses over
    ``circuit`` it must be inductive. Only latches that matter are compared.
    """
    while True:
        hashed = _Hashed(circuit, alias)
        found = _equal_latches(circuit, hashed, alias, matters)
        if not found:
            return _compact(circuit, hashed, alias)
        # A latch that others equal may now equal a third one.
        alias = {
            latch: found.get(other >> 1, other & ~1) ^ (other & 1) for latch, other in alias.items()
        }
        alias.update(found)


def constant_latches(circuit: Circuit) -> list[int]:
    """0, 1 or ``ANY`` for each latch: its value in every reachable state, as far as simulation can tell.

    Within the function a value is a set of two bits: 1 it can be false, 2 it can be true. Sets only
    grow, and what depends on one that grew is looked at again: no signal changes more than once, so
    long chains of latches cost no more than others.
    """
    negated = (0, 2, 1, 3)
    first, first_latch, left, right = circuit.first_gate, circuit.first_latch, circuit.left, circuit.right
    values = [1, *[3] * circuit.inputs, *(3 if reset == ANY else reset + 1 for reset in circuit.reset)]
    users: list[list[int]] = [[] for _ in range(circuit.size)]  # the gates with a signal as argument
    for gate, (a, b) in enumerate(zip(left, right, strict=True), first):
        users[a >> 1].append(gate)
        users[b >> 1].append(gate)
        x, y = values[a >> 1], values[b >> 1]
        x, y = negated[x] if a & 1 else x, negated[y] if b & 1 else y
        values.append((x & y & 2) | ((x | y) & 1))
    latches: dict[int, list[tuple[int, int]]] = {}  # the latches whose next state a signal is
    for latch, after in enumerate(circuit.next, first_latch):
        latches.setdefault(after >> 1, []).append((latch, after & 1))
    stack = list(latches)
    while stack:
        signal = stack.pop()
        for latch, sign in latches.get(signal, ()):
            x = negated[values[signal]] if sign else values[signal]
            if x & ~values[latch]:
                values[latch] = 3
                stack.append(latch)
        for gate in users[signal]:
            if values[gate] != 3:
                a, b = left[gate - first], right[gate - first]
                x, y = values[a >> 1], values[b >> 1]
                x, y = negated[x] if a & 1 else x, negated[y] if b & 1 else y
                value = (x & y & 2) | ((x | y) & 1)
                if value != values[gate]:
                    values[gate] = value
                    stack.append(gate)
    return [ANY if value == 3 else value - 1 for value in values[first_latch:first]]


class _Hashed:
    """The gates rebuilt with each different one once. ``literal[s]`` is the literal, in the
    numbering of the new gates, of the old signal s; inputs and latches keep their numbers. Only the
    gates ``wanted`` are rebuilt, if that is given: nobody may ask for the others."""

    def __init__(
        self, circuit: Circuit, alias: dict[int, int], wanted: bytearray | None = None
    ) -> None:
        first = circuit.first_gate
        gates = Gates(first)
        self.left, self.right, and_ = gates.left, gates.right, gates.and_
        self.literal = literal = [2 * s for s in range(first)]
        for signal, other in alias.items():
            literal[signal] = other
        needed = b"\1" * circuit.gates if wanted is None else wanted[first:]
        for a, b, need in zip(circuit.left, circuit.right, needed, strict=True):
            if not need:
                literal.append(0)
                continue
            literal.append(and_(literal[a >> 1] ^ (a & 1), literal[b >> 1] ^ (b & 1)))

    def of(self, literal: int) -> int:
        return self.literal[literal >> 1] ^ (literal & 1)

    def rebuilt(self, circuit: Circuit) -> Circuit:
        """The circuit of these gates; what is always true is no constraint."""
        return replace(
            circuit,
            next=[self.of(f) for f in circuit.next],
            left=self.left,
            right=self.right,
            bad={name: self.of(f) for name, f in circuit.bad.items()},
            constraints=[c for c in map(self.of, circuit.constraints) if c != 1],
            names={},
        )


def _equal_latches(
    circuit: Circuit, hashed: _Hashed, alias: dict[int, int], matters: bytearray
) -> dict[int, int]:
    first: dict[tuple[int, int], int] = {}
    found: dict[int, int] = {}
    for n, (after, reset) in enumerate(zip(circuit.next, circuit.reset, strict=True)):
        latch = circuit.first_latch + n
        if reset == ANY or latch in alias or not matters[latch]:
            continue
        same = first.setdefault((hashed.of(after), reset), latch)
        if same != latch:
            found[latch] = 2 * same
    return found


def _compact(circuit: Circuit, hashed: _Hashed, alias: dict[int, int]) -> Reduction:
    """Drop what no property depends on, over any number of steps, and renumber the rest."""
    rebuilt = hashed.rebuilt(circuit)
    wanted = influence(rebuilt)
    first = rebuilt.first_gate
    kept = [s for s, wants in enumerate(wanted) if wants and s]
    number = [0] * rebuilt.size
    for new, s in enumerate(kept, 1):
        number[s] = new

    def renamed(literals: Iterable[int]) -> list[int]:
        return [2 * number[x >> 1] + (x & 1) for x in literals]

    inputs = [s - 1 for s in kept if s <= circuit.inputs]
    latches = [s - circuit.first_latch for s in kept if circuit.inputs < s < first]
    gates = [s - first for s in kept if s >= first]
    small = Circuit(
        inputs=len(inputs),
        next=renamed([rebuilt.next[n] for n in latches]),
        reset=[circuit.reset[n] for n in latches],
        left=renamed([rebuilt.left[g] for g in gates]),
        right=renamed([rebuilt.right[g] for g in gates]),
        bad=dict(zip(rebuilt.bad, renamed(rebuilt.bad.values()), strict=True)),
        constraints=renamed(rebuilt.constraints),
        name=circuit.name,
        names={number[s]: name for s, name in circuit.names.items() if wanted[s]},
    )
    back = _Back(circuit, inputs, latches, alias)
    return Reduction(small, back.trace, back.certificate)


def influence(circuit: Circuit) -> bytearray:
    """A flag for every signal: does a property or constraint depend on it, now or later?"""
    wanted = bytearray(circuit.size)
    stack = [literal >> 1 for literal in (*circuit.bad.values(), *circuit.constraints)]
    first_latch, first_gate = circuit.first_latch, circuit.first_gate
    while stack:
        signal = stack.pop()
        if wanted[signal]:
            continue
        wanted[signal] = 1
        if signal >= first_gate:
            stack.append(circuit.left[signal - first_gate] >> 1)
            stack.append(circuit.right[signal - first_gate] >> 1)
        elif signal >= first_latch:
            stack.append(circuit.next[signal - first_latch] >> 1)
    return wanted


@dataclass(frozen=True, eq=False)
class _Back:
    """Carries evidence about the reduced circuit back. ``alias`` maps a latch of the original to
    the literal, of another latch or constant, that it always equals."""

    circuit: Circuit
    inputs: Sequence[int]
    latches: Sequence[int]
    alias: dict[int, int]

    def trace(self, trace: CircuitTrace) -> CircuitTrace:
        initial = [0 if reset == ANY else reset for reset in self.circuit.reset]
        for n, value in zip(self.latches, trace.initial, strict=True):
            initial[n] = value
        # One without a reset may be equal to another because a constraint says so.
        first = self.circuit.first_latch
        for latch, same in self.alias.items():
            initial[latch - first] = same if same < 2 else initial[(same >> 1) - first] ^ (same & 1)
        rows = []
        for given in trace.inputs:
            row = [0] * self.circuit.inputs
            for n, value in zip(self.inputs, given, strict=True):
                row[n] = value
            rows.append(tuple(row))
        return CircuitTrace(tuple(initial), tuple(rows), trace.violated)

    def certificate(self, certificate: Certificate) -> Certificate:
        match certificate:
            case CircuitInvariant(clauses, k, simple_path):
                first = 1 + len(self.inputs)
                old = [2 * (self.circuit.first_latch + n) for n in self.latches]
                carried = [
                    tuple(old[(x >> 1) - first] ^ (x & 1) for x in clause) for clause in clauses
                ]
                return CircuitInvariant((*self._facts(), *carried), k, simple_path)
            case KInductive(formula, k, simple_path):
                return KInductive(self._formula(formula), k, simple_path)
        return certificate

    def _facts(self) -> list[tuple[int, ...]]:
        facts: list[tuple[int, ...]] = []
        for latch, same in self.alias.items():
            if same < 2:
                facts.append((2 * latch ^ 1 ^ same,))
            else:
                facts += [(2 * latch, same ^ 1), (2 * latch ^ 1, same)]
        return facts

    def _formula(self, formula: Term) -> Term:
        """Over the original's variables (named as in :mod:`revet.model.circuit_system`)."""
        from revet.logic.core import and_, eq, not_, var
        from revet.logic.sorts import BOOL
        from revet.logic.walk import substitute

        names: dict[Any, Any] = {}
        for kind, numbers in (("l", self.latches), ("i", self.inputs)):
            for new, old in enumerate(numbers):
                names[var(f"{kind}{new}", BOOL)] = var(f"{kind}{old}", BOOL)
        facts = []
        for latch, same in self.alias.items():
            x = var(f"l{latch - self.circuit.first_latch}", BOOL)
            if same < 2:
                facts.append(x if same else not_(x))
            else:
                y = var(f"l{(same >> 1) - self.circuit.first_latch}", BOOL)
                facts.append(eq(x, not_(y) if same & 1 else y))
        return and_(*facts, substitute(formula, names))
