"""Time frames of a circuit as one graph of gates, for a search from the initial states.

A frame is no copy of the step's clauses: its gates are made from those of the frames before it. So reset
values, and what constraints say of single inputs, are constants that fold (Biere, Clarke, Raimi, Zhu:
*Verifying safety properties of a PowerPC microprocessor using symbolic model checking without BDDs*, CAV
1999); a gate that occurs in several frames is made once; and what no bad literal depends on is not made at
all. The solver gets clauses for the gates that it is asked about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.model.circuit import ANY
from revet.model.circuit_cnf import as_multiplexer, multiplexer_clauses
from revet.result import CircuitTrace
from revet.smt.sat import Sat
from revet.transform.gates import FALSE, TRUE, Gates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from revet.engines.common.context import Context
    from revet.model.circuit import Circuit
    from revet.smt.sat import SatClock, SatName

_UNMADE = -1
_FREE = -1  # the arguments of what is no gate


class _Graph(Gates):
    def free(self) -> int:
        """A signal that may have any value."""
        self.left.append(_FREE)
        self.right.append(_FREE)
        return 2 * (self.first + len(self.left) - 1)

    def arguments(self, signal: int) -> tuple[int, int]:
        return self.left[signal - self.first], self.right[signal - self.first]

    def multiplexer(self, a: int, b: int) -> tuple[int, int, int] | None:
        """(p, t, e) if the gate with these arguments is *if p then t else e*."""
        if not a & b & 1:
            return None
        p, q = self.arguments(a >> 1)
        r, s = self.arguments(b >> 1)
        if p == _FREE or r == _FREE:
            return None
        return as_multiplexer(p, q, r, s)


class Frames:
    """Frames 0 … ``last``, the first one initial.

    Constraints hold in all frames, or, if they are ``loose``, only under the assumption that
    :meth:`within` gives, for a run that may end earlier.
    """

    def __init__(
        self, circuit: Circuit, context: Context, clock: SatClock, *,
        solver: SatName = "minisat22", loose: bool = False,
    ) -> None:
        self.circuit = circuit
        self.sat = Sat([[1]], context.budget, clock, solver)
        self._budget = context.budget
        self._loose = loose
        self._graph = _Graph(1)
        self._variable = {0: -1}  # by signal of the graph; variable 1 is true
        self._variables = 1
        self._maps: list[list[int]] = []  # by frame: a literal of the graph for each signal of the circuit
        self._alive: list[int] = []  # by frame, if loose: the constraints hold in it and all before it
        self.extend()

    @property
    def last(self) -> int:
        return len(self._maps) - 1

    def extend(self) -> None:
        """One more frame."""
        self._maps.append([FALSE, *[_UNMADE] * (self.circuit.size - 1)])
        left = [self._literal(x) for x in self._constrain(self.last)]
        if not self._loose:
            for literal in left:
                self.sat.add([literal])
        elif self.circuit.constraints:
            alive = self._fresh()
            for literal in (*left, *self._alive[-1:]):
                self.sat.add([-alive, literal])
            self._alive.append(alive)

    def bad(self, frame: int) -> list[int]:
        """Literals of the solver: some property is violated if one of them is true."""
        found = [self._signal(frame, x) for x in self.circuit.bad.values()]
        return [self._literal(x) for x in found if x != FALSE]

    def within(self, first: int) -> int:
        """A new literal that says: a frame from ``first`` on is bad, and the constraints hold up to it."""
        some, hits = self._fresh(), []
        for frame in range(first, self.last + 1):
            hit = self._fresh()
            self.sat.add([-hit, *self.bad(frame)])
            for alive in self._alive[frame : frame + 1]:
                self.sat.add([-hit, alive])
            hits.append(hit)
        self.sat.add([-some, *hits])
        return some

    def settle(self, first: int) -> None:
        """The frames from ``first`` on are not bad: they only matter for later ones."""
        for frame in range(first, self.last + 1):
            for literal in self.bad(frame):
                self.sat.add([-literal])
        for alive in self._alive[-1:]:
            self.sat.add([alive])

    def trace(self, first: int) -> CircuitTrace:
        """The run that the solver's model describes, up to the first bad frame from ``first`` on."""
        holds = self._holds()
        end, violated = next(
            (frame, name) for frame in range(first, self.last + 1)
            for name, x in self.circuit.bad.items() if holds(self._signal(frame, x))
        )
        return self._run(end, violated, holds)

    def run(self, end: int, violated: str) -> CircuitTrace:
        """The run that the solver's model describes, up to a frame."""
        return self._run(end, violated, self._holds())

    def _holds(self) -> Callable[[int], bool]:
        """Is a literal of the graph true in the model? What the solver never heard of does not matter."""
        model, variables = self.sat.model(), self._variable

        def holds(literal: int) -> bool:
            variable = variables.get(literal >> 1)
            if variable is None:
                return False
            return (model[abs(variable) - 1] > 0) == ((variable > 0) != bool(literal & 1))

        return holds

    def _run(self, end: int, violated: str, holds: Callable[[int], bool]) -> CircuitTrace:
        circuit = self.circuit
        initial = range(circuit.first_latch, circuit.first_gate)
        rows = [
            tuple(int(x != _UNMADE and holds(x)) for x in row[1 : circuit.first_latch])
            for row in self._maps[: end + 1]
        ]
        return CircuitTrace(
            tuple(int(holds(self._signal(0, 2 * s))) for s in initial), tuple(rows), violated
        )

    # ------------------------------------------------------------------ equal signals

    def differ(self, one: int, two: int) -> bool:
        """Are two signals of the circuit different gates in the last frame?"""
        return self._signal(self.last, 2 * one) != self._signal(self.last, 2 * two)

    def some_differ(self, pairs: Sequence[tuple[int, int]]) -> int:
        """A new literal of the solver that says: in the last frame, the signals of some pair differ."""
        some, found = self._fresh(), []
        for pair in pairs:
            a, b = (self._literal(self._signal(self.last, 2 * signal)) for signal in pair)
            unlike = self._fresh()
            self.sat.add([-unlike, a, b])
            self.sat.add([-unlike, -a, -b])
            found.append(unlike)
        self.sat.add([-some, *found])
        return some

    def merge(self, pairs: Sequence[tuple[int, int]]) -> None:
        """The latches of each pair were shown to be equal in the last frame: from now on the first is taken
        for both, and gates that were made for constraints are made again."""
        row = self._maps[-1]
        for one, two in pairs:
            row[two] = row[one]
        row[self.circuit.first_gate :] = [_UNMADE] * self.circuit.gates

    # ------------------------------------------------------------------ the graph

    def _signal(self, frame: int, literal: int) -> int:
        """The literal of the graph that a literal of the circuit is in a frame."""
        self._budget.poll()
        self._make(frame, literal >> 1)
        return self._maps[frame][literal >> 1] ^ (literal & 1)

    def _make(self, frame: int, signal: int) -> None:
        """A signal in a frame, and what it depends on."""
        circuit, maps, and_ = self.circuit, self._maps, self._graph.and_
        first, first_latch, left, right = circuit.first_gate, circuit.first_latch, circuit.left, circuit.right
        stack = [(frame, signal)]
        while stack:
            t, s = stack[-1]
            row = maps[t]
            if row[s] != _UNMADE:
                stack.pop()
            elif s >= first:
                a, b = left[s - first], right[s - first]
                if row[a >> 1] == _UNMADE:
                    stack.append((t, a >> 1))
                elif row[a >> 1] == a & 1:  # false: the other argument need not be made
                    row[s] = FALSE
                elif row[b >> 1] == _UNMADE:
                    stack.append((t, b >> 1))
                else:
                    row[s] = and_(row[a >> 1] ^ (a & 1), row[b >> 1] ^ (b & 1))
            elif s < first_latch or (t == 0 and circuit.reset[s - first_latch] == ANY):
                row[s] = self._graph.free()
            elif t == 0:
                row[s] = circuit.reset[s - first_latch]
            else:
                after = circuit.next[s - first_latch]
                if maps[t - 1][after >> 1] == _UNMADE:
                    stack.append((t - 1, after >> 1))
                else:
                    row[s] = maps[t - 1][after >> 1] ^ (after & 1)

    def _constrain(self, frame: int) -> list[int]:
        """Put what the constraints say of single inputs into the frame; literals for what is left of them.

        An input matters for its own frame and later ones only: so runs that end earlier stay as they are.
        """
        row, circuit = self._maps[frame], self.circuit
        inputs = range(1, circuit.first_gate if frame == 0 else circuit.first_latch)
        while True:
            parts = self._parts([self._signal(frame, x) for x in circuit.constraints])
            own = {row[s] >> 1: s for s in inputs if row[s] > TRUE}
            known = {own[x >> 1]: x for x in parts if x >> 1 in own}
            if not known:
                return parts
            row[circuit.first_gate :] = [_UNMADE] * circuit.gates
            for signal, literal in known.items():
                row[signal] = TRUE if row[signal] == literal else FALSE

    def _parts(self, literals: Sequence[int]) -> list[int]:
        """The conjuncts; those that are true left out."""
        found: dict[int, None] = {}
        stack = list(literals)
        while stack:
            x = stack.pop()
            a, b = (_FREE, _FREE) if x <= TRUE else self._graph.arguments(x >> 1)
            if x & 1 or a == _FREE:
                found[x] = None
            else:
                stack += (a, b)
        return [x for x in found if x != TRUE]

    # ------------------------------------------------------------------ clauses

    def _fresh(self) -> int:
        self._variables += 1
        return self._variables

    def _literal(self, number: int) -> int:
        """The solver's literal for one of the graph."""
        known, graph = self._variable, self._graph
        stack = [number >> 1]
        while stack:
            signal = stack[-1]
            if signal in known:
                stack.pop()
                continue
            a, b = graph.arguments(signal)
            if a == _FREE:
                known[signal] = self._fresh()
                continue
            choice = graph.multiplexer(a, b)
            unknown = [x >> 1 for x in choice or (a, b) if x >> 1 not in known]
            if unknown:
                stack += unknown
                continue
            known[signal] = gate = self._fresh()
            self._define(gate, [-known[x >> 1] if x & 1 else known[x >> 1] for x in choice or (a, b)])
        return -known[number >> 1] if number & 1 else known[number >> 1]

    def _define(self, gate: int, arguments: list[int]) -> None:
        """Clauses for *and* (of two) or *if-then-else* (of three)."""
        if len(arguments) == 2:
            a, b = arguments
            clauses = [[-gate, a], [-gate, b], [gate, -a, -b]]
        else:
            clauses = multiplexer_clauses(gate, *arguments)
        for clause in clauses:
            self.sat.add(clause)
