"""Data that a design only moves around, as few bits: for the search of violations.

Whether a buffer loses or swaps what was put in does not depend on how wide it is (Wolper: *Expressing
interesting properties of programs in propositional temporal logic*, POPL 1986: few values are enough where
data is only moved). So the words that go into such buffers are taken to be all zeros or all ones
(:func:`narrow_inputs`, on the system), and then those bits of a register that start alike and change alike
are one latch (:func:`tie_words`, on the circuit). Every run of the new model is one of the old one; that the
new one is safe says nothing.

A register is data if its next value is made of words by choices, bitwise operations and by taking words
apart and together, and if it is used so only, or compared: a word that is added to, or compared with a
number, is none. An input of which only parts are used is divided there; parts of few bits stay as they are
(they select rather than carry), and so do inputs that no data comes from or is compared with.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from revet.logic import build as b
from revet.logic.sorts import BitVec, BitVecSort
from revet.logic.terms import Op
from revet.logic.walk import substitute, subterms
from revet.model.relation import Relation
from revet.result.trace import SystemTrace
from revet.transform.bitblast import drawn
from revet.transform.circuit import influence, next_states, replace_latches
from revet.transform.reduction import Reduction, Spurious, unchanged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from revet.logic.terms import Term
    from revet.logic.values import Value
    from revet.model.circuit import Circuit
    from revet.model.system import TransitionSystem
    from revet.result.certificate import Certificate
    from revet.result.trace import State

_WIDE = 8
"""Bits from which on a word is taken for data."""
_ROUNDS = 16
"""In which bits of registers are told apart, at most."""

_MOVES = frozenset((Op.BVNOT, Op.BVAND, Op.BVOR, Op.BVXOR, Op.ITE, Op.EXTRACT, Op.CONCAT, Op.ZERO_EXTEND,
                    Op.SIGN_EXTEND))


def _refused(certificate: Certificate) -> Certificate:
    raise Spurious("only runs were looked at in which words are all zeros or all ones")


# ---------------------------------------------------------------------- words


def is_mostly_data(system: TransitionSystem) -> bool:
    """Are three quarters of the bits of the registers data, and does it come from inputs?"""
    open_values = drawn(system)
    data = _data(system, open_values)
    bits = sum(max(_width(x), 1) for x in system.variables if x not in open_values)
    return 3 * bits <= 4 * sum(map(_width, data)) and bool(_sources(system, data, open_values))


def narrow_inputs(system: TransitionSystem) -> Reduction:
    """The system with narrow inputs where data comes from; runs get the wide ones back."""
    open_values = drawn(system)
    words = _sources(system, _data(system, open_values), open_values)
    if not words:
        return unchanged(system)
    narrow = _Narrow(system, words, open_values)
    return Reduction(narrow.model(), narrow.trace_back, _refused)


def _width(x: Term) -> int:
    return x.sort.width if isinstance(x.sort, BitVecSort) else 0


def _carried(node: Term) -> Sequence[Term]:
    """The arguments without the condition of a choice."""
    return node.args[1:] if node.op == Op.ITE else node.args


def _numbers(system: TransitionSystem) -> set[Term]:
    """Words that are calculated with, or compared with numbers: from where that is done down to variables."""
    found: set[Term] = set()
    for node in reversed(subterms(*system.formulas())):
        if node.op in _MOVES:
            if node in found and node.op != Op.EXTRACT:
                found.update(_carried(node))
        elif node.op != Op.EQ or any(arg.op == Op.CONST and not _is_plain(arg) for arg in node.args):
            found.update(node.args)
    return found


def _is_plain(constant: Term) -> bool:
    return constant.payload in (0, (1 << _width(constant)) - 1)


def _data(system: TransitionSystem, open_values: Mapping[Term, Term]) -> list[Term]:
    """The registers that are data."""
    after, numbers = system.step.after, _numbers(system)
    wide = [
        x for x in system.variables if _width(x) >= _WIDE and x not in open_values and x not in numbers
    ]
    moved: dict[Term, bool] = {}
    for node in subterms(*map(after, wide)):
        if node.op == Op.CONST:
            moved[node] = _is_plain(node)
        else:
            parts = node.op in _MOVES and all(moved[arg] for arg in _carried(node))
            moved[node] = parts or node.op == Op.VAR or _width(node) == 1
    return [x for x in wide if moved[after(x)]]


def _sources(
    system: TransitionSystem, data: list[Term], open_values: Mapping[Term, Term]
) -> dict[Term, list[_Piece]]:
    """The inputs that data comes from, or is compared with, in pieces."""
    nodes = subterms(*system.formulas())
    known = set(data)
    stack = [system.step.after(x) for x in data]
    for node in nodes:
        if not known.isdisjoint(_carried(node)):
            if node.op == Op.EQ:
                stack += node.args
            elif node.op in _MOVES:
                known.add(node)
                stack.append(node)
    carried: set[Term] = set()
    while stack:
        node = stack.pop()
        if node not in carried:
            carried.add(node)
            stack += _carried(node) if node.op in _MOVES else ()
    hidden = set(open_values.values()) | _numbers(system)
    cuts: dict[Term, set[int]] = {
        x: set() for x in (*system.inputs, *open_values)
        if x in carried and x not in hidden and _width(x) >= _WIDE
    }
    for node in nodes:
        if node.op == Op.EXTRACT and node.args[0] in cuts:
            high, low = node.payload
            cuts[node.args[0]] |= {low, high + 1}
    pieces = {x: _pieces(x, ends) for x, ends in cuts.items()}
    return {x: found for x, found in pieces.items() if any(piece.data for piece in found)}


@dataclass(frozen=True)
class _Piece:
    """The bits of a word from ``low`` on; ``narrow`` has one bit for all of them if they are data."""

    low: int
    width: int
    narrow: Term

    @property
    def data(self) -> bool:
        return _width(self.narrow) < self.width

    @property
    def wide(self) -> Term:
        return b.sign_extend(self.width - 1, self.narrow) if self.data else self.narrow

    def value(self, state: State) -> int:
        value = state[self.narrow]
        assert isinstance(value, int)
        return (value * ((1 << self.width) - 1) if self.data else value) << self.low


def _pieces(x: Term, ends: Iterable[int]) -> list[_Piece]:
    """The word divided at these bits."""
    found, low = [], 0
    for end in sorted({*ends, _width(x)} - {0}):
        width = end - low
        sort = BitVec(1 if width >= _WIDE else width)
        found.append(_Piece(low, width, b.var(f"{x.name}!{low}", sort)))
        low = end
    return found


class _Narrow:
    """``words`` are the inputs to replace: locals, and variables that take any value in every step."""

    def __init__(
        self, system: TransitionSystem, words: dict[Term, list[_Piece]], open_values: Mapping[Term, Term]
    ) -> None:
        self.system = system
        self.words = words
        self.drawn = {x: local for x, local in open_values.items() if x in words}
        self.parts = {x: [piece.narrow for piece in pieces] for x, pieces in words.items()}
        for x, local in self.drawn.items():  # the pieces take their values from pieces of the local
            self.parts[local] = [b.var(f"{local.name}!{p.low}", p.narrow.sort) for p in words[x]]

    def model(self) -> TransitionSystem:
        system, step = self.system, self.system.step
        wide: dict[Term, Term] = {}
        for x, pieces in self.words.items():
            wide[x] = pieces[0].wide
            for piece in pieces[1:]:
                wide[x] = b.concat(piece.wide, wide[x])
        updates = {x: substitute(value, wide) for x, value in step.updates.items() if x not in self.drawn}
        for x, local in self.drawn.items():
            updates.update(zip(self.parts[x], self.parts[local], strict=True))
        return replace(
            system,
            variables=self._divided(system.variables),
            init=substitute(system.init, wide),
            properties={name: substitute(f, wide) for name, f in system.properties.items()},
            invariants=tuple(substitute(f, wide) for f in system.invariants),
            step=Relation(substitute(step.guard, wide), updates, self._divided(step.locals)),
        )

    def _divided(self, variables: Iterable[Term]) -> tuple[Term, ...]:
        return tuple(part for x in variables for part in self.parts.get(x, (x,)))

    def trace_back(self, trace: SystemTrace) -> SystemTrace:
        states = tuple(self._joined(state, self.system.variables) for state in trace.states)
        rows = []
        for row, later in zip(trace.inputs, states[1:], strict=True):
            whole = self._joined(row, self.system.inputs)
            rows.append(whole | {local: later[x] for x, local in self.drawn.items()})
        return SystemTrace(states, tuple(rows), trace.violated)

    def _joined(self, state: State, variables: Iterable[Term]) -> dict[Term, Value]:
        """The values of the variables that the state knows, in whole or in pieces."""
        found = {x: state[x] for x in variables if x in state}
        for x in variables:
            if x in self.words:
                found[x] = sum(piece.value(state) for piece in self.words[x])
        return found


# ---------------------------------------------------------------------- bits


def tie_words(circuit: Circuit) -> Reduction:
    """The circuit with one latch for those bits of a register that start alike and change alike.

    Bits without a reset are taken to start alike. That they change alike is seen when equal gates are made
    once."""
    groups: dict[tuple[str, int], list[int]] = {}
    for n, reset in enumerate(circuit.reset, circuit.first_latch):
        word = circuit.names.get(n, "").rpartition("[")[0]
        groups.setdefault((word or str(n), reset), []).append(n)
    classes = list(groups.values())
    for _ in range(_ROUNDS):
        alias = {n: 2 * first for first, *others in classes for n in others}
        if not alias:
            return unchanged(circuit)
        after = next_states(circuit, alias)
        found: list[list[int]] = []
        for group in classes:
            by_next: dict[int, list[int]] = {}
            for n in group:
                by_next.setdefault(after[n - circuit.first_latch], []).append(n)
            found += by_next.values()
        if len(found) == len(classes):
            made = replace_latches(circuit, alias, influence(circuit))
            return Reduction(made.model, made.trace_back, _refused)
        classes = found
    return unchanged(circuit)
