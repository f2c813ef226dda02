"""One step of a circuit as clauses, for engines that ask thousands of queries about it.

SAT variables are numbered so that models need no translation: variable n is latch n - 1 for
n <= L, then come the inputs, then a variable that is true, then gates. So ``model[:L]`` *is* the
state, as a cube of literals.

Not every gate gets a variable. A tree of and-gates without sharing becomes one wide gate, and two
gates that choose between values become one multiplexer (Eén, Mishchenko, Sörensson: *Applying
logic synthesis for speeding up SAT*, SAT 2007, in its simplest form): fewer variables to assign,
shorter models to read, more propagation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from revet.model.circuit import ANY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.model.circuit import Circuit


@dataclass(frozen=True)
class Step:
    """``next[x]`` is the literal of latch x after the step; ``next[-x]`` its negation.

    ``bad`` is one literal: some property is violated; ``goals`` gives them by name.
    ``contradicts[x]`` says whether the latch literal x (or -x) contradicts the reset.
    ``definitions`` are the clauses again, by the variable of the gate that they define; ``below`` are the
    gates that a gate's definition mentions, filled in by who asks for them.
    """

    latches: int
    inputs: int
    variables: int
    clauses: list[list[int]]
    definitions: dict[int, list[list[int]]]
    next: list[int]
    bad: int
    goals: dict[str, int]
    constraints: list[int]
    init: list[int]
    contradicts: list[bool]
    below: dict[int, list[int]] = field(default_factory=dict)


def encode(circuit: Circuit) -> Step:
    """All next states, bad literals and constraints of the circuit."""
    encoder = Encoder(circuit, [*circuit.next, *circuit.bad.values(), *circuit.constraints])
    after = [encoder.literal(f) for f in circuit.next]
    goals = {name: encoder.literal(f) for name, f in circuit.bad.items()}
    bad = encoder.disjunction(list(goals.values()))
    init = [n if reset else -n for n, reset in enumerate(circuit.reset, 1) if reset != ANY]
    contradicts = [False] * (2 * circuit.latches + 1)
    for literal in init:
        contradicts[-literal] = True
    return Step(
        latches=circuit.latches,
        inputs=circuit.inputs,
        variables=encoder.variables,
        clauses=encoder.clauses,
        definitions=encoder.definitions,
        next=[0, *after, *(-x for x in reversed(after))],
        bad=bad,
        goals=goals,
        constraints=[encoder.literal(f) for f in circuit.constraints],
        init=init,
        contradicts=contradicts,
    )


def as_multiplexer(p: int, q: int, r: int, s: int) -> tuple[int, int, int] | None:
    """(c, t, e) if *not (p and q) and not (r and s)* is *if c then t else e*."""
    if p ^ r == 1:
        return p, q ^ 1, s ^ 1
    if p ^ s == 1:
        return p, q ^ 1, r ^ 1
    if q ^ r == 1:
        return q, p ^ 1, s ^ 1
    if q ^ s == 1:
        return q, p ^ 1, r ^ 1
    return None


def multiplexer_clauses(gate: int, p: int, t: int, e: int) -> list[list[int]]:
    """The literal ``gate`` is *if p then t else e*."""
    clauses = [[-gate, -p, t], [-gate, p, e], [gate, -p, -t], [gate, p, -e]]
    if t not in (e, -e):  # not an exclusive or: these make it propagate fully
        clauses += [[-gate, t, e], [gate, -t, -e]]
    return clauses


class Encoder:
    """Goes through the gates from last to first, so that a gate is only encoded if it is used."""

    def __init__(self, circuit: Circuit, roots: Sequence[int]) -> None:
        self.circuit = circuit
        self.clauses: list[list[int]] = []
        self.definitions: dict[int, list[list[int]]] = {}
        self.true = circuit.latches + circuit.inputs + 1
        self.variables = self.true
        self.clauses.append([self.true])
        first_input = circuit.latches + 1
        self._variable: list[int] = [-self.true, *range(first_input, first_input + circuit.inputs),
                          *range(1, circuit.latches + 1), *([0] * circuit.gates)]
        self._uses = self._count_uses(roots)
        for root in roots:
            self.literal(root)
        for gate in range(circuit.size - 1, circuit.first_gate - 1, -1):
            if self._variable[gate]:
                self._encode(gate)

    def _count_uses(self, roots: Sequence[int]) -> list[int]:
        """How often each signal is an argument or a root; a root counts as shared."""
        circuit = self.circuit
        uses = [0] * circuit.size
        for root in roots:
            uses[root >> 1] += 2
        first, left, right = circuit.first_gate, circuit.left, circuit.right
        for gate in range(circuit.size - 1, first - 1, -1):
            if uses[gate]:
                uses[left[gate - first] >> 1] += 1
                uses[right[gate - first] >> 1] += 1
        return uses

    def literal(self, number: int) -> int:
        signal = number >> 1
        variable = self._variable[signal]
        if not variable:
            self.variables += 1
            variable = self._variable[signal] = self.variables
        return -variable if number & 1 else variable

    def disjunction(self, literals: Sequence[int]) -> int:
        if len(literals) == 1:
            return literals[0]
        self.variables += 1
        some = self.variables
        self._define(some, [[-some, *literals], *([some, -x] for x in literals)])
        return some

    def _define(self, variable: int, clauses: list[list[int]]) -> None:
        self.definitions[variable] = clauses
        self.clauses += clauses

    def _encode(self, gate: int) -> None:
        choice = self._multiplexer(gate)
        if choice is not None:
            self._encode_multiplexer(gate, *choice)
            return
        arguments = self._conjuncts(gate)
        g = self._variable[gate]
        if any(x ^ 1 in arguments for x in arguments):
            self._define(g, [[-g]])
            return
        literals = [self.literal(x) for x in arguments]
        self._define(g, [*([-g, x] for x in literals), [g, *(-x for x in literals)]])

    def _conjuncts(self, gate: int) -> dict[int, None]:
        """The arguments of the largest tree of unshared and-gates with this root."""
        circuit = self.circuit
        first, left, right, uses = circuit.first_gate, circuit.left, circuit.right, self._uses
        found: dict[int, None] = {}
        stack = [right[gate - first], left[gate - first]]
        while stack:
            x = stack.pop()
            inner = x >> 1
            if not x & 1 and inner >= first and uses[inner] == 1 and not self._multiplexer(inner):
                stack.append(right[inner - first])
                stack.append(left[inner - first])
            else:
                found[x] = None
        return found

    def _multiplexer(self, gate: int) -> tuple[int, int, int] | None:
        """(p, t, e) if the gate is *if p then t else e*, made of two unshared gates."""
        circuit = self.circuit
        first, left, right, uses = circuit.first_gate, circuit.left, circuit.right, self._uses
        a, b = left[gate - first], right[gate - first]
        one, two = a >> 1, b >> 1
        if not (a & b & 1 and one >= first and two >= first and one != two):
            return None
        if uses[one] != 1 or uses[two] != 1:
            return None
        p, q = left[one - first], right[one - first]
        r, s = left[two - first], right[two - first]
        return as_multiplexer(p, q, r, s)

    def _encode_multiplexer(self, gate: int, condition: int, then: int, otherwise: int) -> None:
        g = self._variable[gate]
        p, t, e = self.literal(condition), self.literal(then), self.literal(otherwise)
        self._define(g, multiplexer_clauses(g, p, t, e))
