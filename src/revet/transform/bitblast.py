"""Transition systems over Booleans and bit-vectors as circuits, for the engines of the bit level.

Variables become latches, locals of the step inputs, invariants constraints. A variable that takes any
value in every step (an input that a property depends on) is an input, too. Arrays with few cells are
the words of their cells (:mod:`revet.transform.bit_operations`). Two things have no counterpart in a
circuit and get a latch:

* an initial condition that is not "this bit is 0 (or 1)": the latch ``started`` is 0 in the first
  step only, and a constraint says *started or the condition*;
* a guard: the latch ``stuck`` is 1 after a step whose guard was false, and a constraint excludes it
  (not a constraint on the guard itself: a run may well end in a state without successors).

An invariant R over the latches goes back as *(init and R with started = 0) or (R with started = 1)*,
with stuck = 0; steps of the system keep it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from revet.errors import UsageError
from revet.logic.core import and_, conjunction, disjunction, not_
from revet.logic.sorts import BOOL
from revet.logic.terms import Op, Term
from revet.logic.values import ArrayValue, Value
from revet.logic.walk import conjuncts, free_vars_of, subterms
from revet.model.circuit import ANY, Circuit, evaluate, successor
from revet.model.system import TransitionSystem
from revet.result.certificate import Certificate, CircuitInvariant, Exhausted, KInductive
from revet.result.trace import CircuitTrace, State, SystemTrace
from revet.transform.bit_operations import atoms_of, bits_of, is_made_of_bits, value_of, width_of, word_of
from revet.transform.gates import TRUE, Gates, Word
from revet.transform.reduction import Reduction

_MOST_BITS = 1 << 22
"""Of all arrays that occur in the formulas: about as many gates as they take."""


def bit_blast(system: TransitionSystem, *, few_latches: bool = True) -> Reduction:
    """Raises :class:`UsageError` if the system has other sorts or operators, or large arrays.

    Not ``few_latches``: every variable has latches, so that states are the same in both models. Proofs
    about paths without repeated states need that.
    """
    blasted = _Blasted(system, drawn(system) if few_latches else {})
    return Reduction(blasted.circuit, blasted.trace_back, blasted.certificate_back)


def drawn(system: TransitionSystem) -> dict[Term, Term]:
    """Variables that take any value in every step, each with the local that it takes it from."""
    step = system.step
    others = [step.guard, *(value for value in step.updates.values() if value.op != Op.VAR)]
    used = free_vars_of(others)
    copies = Counter(value for value in step.updates.values() if value.op == Op.VAR)
    locals_ = set(system.inputs)
    fixed = {assignment(part)[0] for part in conjuncts(system.init)}
    return {
        x: value for x, value in step.updates.items()
        if value in locals_ and copies[value] == 1 and value not in used and x not in fixed
    }


class _Blasted:
    def __init__(self, system: TransitionSystem, open_values: dict[Term, Term]) -> None:
        self.system = system
        self._require_bits()
        self.drawn = open_values
        hidden = set(self.drawn.values())
        self.read = [*(x for x in system.inputs if x not in hidden), *self.drawn]
        self.kept = [x for x in system.variables if x not in self.drawn]
        self.inputs, bits = _bits(self.read), _bits(self.kept)
        resets, rest = self._resets()
        guarded = system.step.guard.op != Op.CONST or system.step.guard.payload is not True
        self.started = 2 * (1 + self.inputs + bits) if rest else None
        self.stuck = 2 * (1 + self.inputs + bits + bool(rest)) if guarded else None
        self._gates = Gates(1 + self.inputs + bits + bool(rest) + guarded)
        self._words: dict[Term, Word] = {}
        self._number(self.read, 1)
        self._number(self.kept, 1 + self.inputs)
        self._encode(self._roots(rest))
        self.circuit = self._circuit(resets, rest)

    def _require_bits(self) -> None:
        for x in (*self.system.inputs, *self.system.variables):
            if not is_made_of_bits(x.sort):
                raise UsageError(f"{x.name} has sort {x.sort}: it is not made of bits, or of too many")

    def _number(self, variables: Iterable[Term], first: int) -> None:
        for x in variables:
            width = width_of(x.sort)
            self._words[x] = [2 * (first + n) for n in range(width)]
            first += width

    def _resets(self) -> tuple[dict[Term, Value], list[Term]]:
        """Variables with one initial value, and the conjuncts that do not say such a thing."""
        fixed: dict[Term, Value] = {}
        rest: list[Term] = []
        for part in conjuncts(self.system.init):
            variable, value = assignment(part)
            if part.op == Op.CONST and part.payload is True:
                continue
            if variable is None or fixed.setdefault(variable, value) != value:
                rest.append(part)
        return fixed, rest

    def _roots(self, rest: list[Term]) -> list[Term]:
        system = self.system
        return [
            *rest, system.step.guard, *map(system.step.after, self.kept), *system.invariants,
            *system.properties.values(),
        ]

    def _encode(self, roots: Sequence[Term]) -> None:
        left = _MOST_BITS
        for term in subterms(*roots):  # arguments first
            if term in self._words:
                continue
            words = [self._words[a] for a in term.args]
            if term.op in (Op.SELECT, Op.STORE):
                left -= len(words[0])
                if left < 0:
                    raise UsageError("the arrays have too many cells to be made of bits")
            self._words[term] = word_of(self._gates, term, words)

    def _circuit(self, resets: dict[Term, Value], rest: list[Term]) -> Circuit:
        system, gates, words = self.system, self._gates, self._words
        after: list[int] = []
        reset: list[int] = []
        for x in self.kept:
            after += words[system.step.after(x)]
            reset += bits_of(resets[x], x.sort) if x in resets else [ANY] * width_of(x.sort)
        constraints = [words[formula][0] for formula in system.invariants]
        if self.started is not None:
            after.append(TRUE)
            reset.append(0)
            constraints.append(gates.or_(self.started, gates.all([words[part][0] for part in rest])))
        if self.stuck is not None:
            after.append(gates.or_(self.stuck, words[system.step.guard][0] ^ 1))
            reset.append(0)
            constraints.append(self.stuck ^ 1)
        bad = {name: words[formula][0] ^ 1 for name, formula in system.properties.items()}
        names = {
            literal >> 1: x.name if x.sort is BOOL else f"{x.name}[{n}]"
            for x in (*self.read, *self.kept)
            for n, literal in enumerate(words[x])
        }
        for own, name in ((self.started, "started"), (self.stuck, "stuck")):
            if own is not None and name not in names.values():
                names[own >> 1] = name
        return Circuit(
            self.inputs, after, reset, gates.left, gates.right, bad, constraints, system.name, names
        )

    # Evidence

    def trace_back(self, trace: CircuitTrace) -> SystemTrace:
        states: list[State] = []
        inputs: list[dict[Term, Value]] = []
        latches: Sequence[int] = trace.initial
        for row in trace.inputs:
            read = _valuation(self.read, row)
            drawn = {x: read.pop(x) for x in self.drawn}
            if inputs:
                inputs[-1].update((self.drawn[x], value) for x, value in drawn.items())
            states.append(_valuation(self.kept, latches) | drawn)
            inputs.append(read)
            latches = successor(self.circuit, evaluate(self.circuit, row, latches))
        return SystemTrace(tuple(states), tuple(inputs[:-1]), trace.violated)

    def certificate_back(self, certificate: Certificate) -> Certificate:
        match certificate:
            case CircuitInvariant(clauses, k, simple_path):
                later = self._formula(clauses, started=True)
                if self.started is None:
                    return KInductive(and_(later, self.system.property), k, simple_path)
                first = and_(self.system.init, self._formula(clauses, started=False))
                formula = and_(disjunction([first, later]), self.system.property)
                return KInductive(formula, k, simple_path)
            case Exhausted():
                return certificate
        raise AssertionError(f"no engine for circuits says {type(certificate).__name__}")

    def _formula(self, clauses: Sequence[Sequence[int]], started: bool) -> Term:
        needed = {literal & ~1 for clause in clauses for literal in clause}
        atoms: dict[int, Term] = {}
        for x in self.kept:
            if not needed.isdisjoint(self._words[x]):
                atoms.update(zip(self._words[x], atoms_of(x), strict=True))
        known = {self.started: started, self.stuck: False}
        parts = []
        for clause in clauses:
            literals = []
            for literal in clause:
                positive = literal & ~1
                if positive in known:
                    if known[positive] != bool(literal & 1):
                        break  # the literal, and so the clause, is true
                    continue
                literals.append(not_(atoms[positive]) if literal & 1 else atoms[positive])
            else:
                parts.append(disjunction(literals))
        return conjunction(parts)


def _bits(variables: Iterable[Term]) -> int:
    return sum(width_of(x.sort) for x in variables)


def assignment(part: Term) -> tuple[Term | None, Value]:
    """(x, value) if the formula says that a variable has a value."""
    if part.op == Op.VAR:
        return part, True
    if part.op == Op.NOT and part.args[0].op == Op.VAR:
        return part.args[0], False
    if part.op == Op.EQ:
        for x, value in (part.args, part.args[::-1]):
            if x.op == Op.VAR and value.op == Op.CONST:
                return x, value.payload
            if x.op == Op.VAR and value.op == Op.CONST_ARRAY and value.args[0].op == Op.CONST:
                return x, ArrayValue(value.args[0].payload)
    return None, False


def _valuation(variables: Iterable[Term], bits: Sequence[int]) -> dict[Term, Value]:
    found: dict[Term, Value] = {}
    at = 0
    for x in variables:
        width = width_of(x.sort)
        found[x] = value_of(list(bits[at : at + width]), x.sort)
        at += width
    return found
