"""Transition systems over Booleans and bit-vectors as circuits, for the engines of the bit level.

Variables become latches, locals of the step inputs, invariants constraints. Two things have no
counterpart in a circuit and get a latch:

* an initial condition that is not "this bit is 0 (or 1)": the latch ``started`` is 0 in the first
  step only, and a constraint says *started or the condition*;
* a guard: the latch ``stuck`` is 1 after a step whose guard was false, and a constraint excludes it
  (not a constraint on the guard itself: a run may well end in a state without successors).

An invariant R over the latches goes back as *(init and R with started = 0) or (R with started = 1)*,
with stuck = 0; steps of the system keep it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from revet.errors import UsageError
from revet.logic.bits import bit
from revet.logic.core import and_, conjunction, disjunction, not_
from revet.logic.sorts import BOOL, BitVecSort
from revet.logic.terms import Op, Term
from revet.logic.values import Value
from revet.logic.walk import conjuncts, subterms
from revet.model.circuit import ANY, Circuit, evaluate, successor
from revet.model.system import TransitionSystem
from revet.result.certificate import Certificate, CircuitInvariant, Exhausted, KInductive
from revet.result.trace import CircuitTrace, State, SystemTrace
from revet.transform.gates import FALSE, TRUE, Gates, Word, inverted
from revet.transform.reduction import Reduction


def bit_blast(system: TransitionSystem) -> Reduction:
    """Raises :class:`UsageError` if the system has other sorts or operators."""
    blasted = _Blasted(system)
    return Reduction(blasted.circuit, blasted.trace_back, blasted.certificate_back)


def width_of(variable: Term) -> int:
    sort = variable.sort
    if sort is BOOL:
        return 1
    if isinstance(sort, BitVecSort):
        return sort.width
    raise UsageError(f"{variable.name} has sort {sort}: only Booleans and bit-vectors are made of bits")


class _Blasted:
    def __init__(self, system: TransitionSystem) -> None:
        self.system = system
        self.inputs = sum(map(width_of, system.inputs))
        bits = sum(map(width_of, system.variables))
        resets, rest = self._resets()
        guarded = system.step.guard.op != Op.CONST or system.step.guard.payload is not True
        self.started = 2 * (1 + self.inputs + bits) if rest else None
        self.stuck = 2 * (1 + self.inputs + bits + bool(rest)) if guarded else None
        self._gates = Gates(1 + self.inputs + bits + bool(rest) + guarded)
        self._words: dict[Term, Word] = {}
        self._number(system.inputs, 1)
        self._number(system.variables, 1 + self.inputs)
        self._encode(self._roots(rest))
        self.circuit = self._circuit(resets, rest)

    def _number(self, variables: Iterable[Term], first: int) -> None:
        for x in variables:
            width = width_of(x)
            self._words[x] = [2 * (first + n) for n in range(width)]
            first += width

    def _resets(self) -> tuple[dict[Term, int], list[Term]]:
        """Variables with one initial value, and the conjuncts that do not say such a thing."""
        fixed: dict[Term, int] = {}
        rest: list[Term] = []
        for part in conjuncts(self.system.init):
            variable, value = _assignment(part)
            if part.op == Op.CONST and part.payload is True:
                continue
            if variable is None or fixed.setdefault(variable, value) != value:
                rest.append(part)
        return fixed, rest

    def _roots(self, rest: list[Term]) -> list[Term]:
        system = self.system
        return [
            *rest, system.step.guard, *system.step.updates.values(), *system.invariants,
            *system.properties.values(),
        ]

    def _encode(self, roots: Sequence[Term]) -> None:
        for term in subterms(*roots):  # arguments first
            if term in self._words:
                continue
            operation = _OPERATIONS.get(term.op)
            if operation is None or not (term.sort is BOOL or isinstance(term.sort, BitVecSort)):
                raise UsageError(f"there are no gates for {term.op} of sort {term.sort}")
            self._words[term] = operation(self._gates, term, [self._words[a] for a in term.args])

    def _circuit(self, resets: dict[Term, int], rest: list[Term]) -> Circuit:
        system, gates, words = self.system, self._gates, self._words
        after: list[int] = []
        reset: list[int] = []
        for x in system.variables:
            after += words[system.step.after(x)]
            value = resets.get(x)
            reset += [ANY if value is None else value >> n & 1 for n in range(width_of(x))]
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
            for x in (*system.inputs, *system.variables)
            for n, literal in enumerate(words[x])
        }
        return Circuit(
            self.inputs, after, reset, gates.left, gates.right, bad, constraints, system.name, names
        )

    # Evidence

    def trace_back(self, trace: CircuitTrace) -> SystemTrace:
        states, inputs = [], []
        latches: Sequence[int] = trace.initial
        for row in trace.inputs:
            states.append(_valuation(self.system.variables, latches))
            inputs.append(_valuation(self.system.inputs, row))
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
        atoms: dict[int, Term] = {}
        for x in self.system.variables:
            for n, literal in enumerate(self._words[x]):
                atoms[literal] = x if x.sort is BOOL else bit(x, n)
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


def _assignment(part: Term) -> tuple[Term | None, int]:
    """(x, value) if the formula says that a variable has a value."""
    if part.op == Op.VAR:
        return part, 1
    if part.op == Op.NOT and part.args[0].op == Op.VAR:
        return part.args[0], 0
    if part.op == Op.EQ:
        for x, value in (part.args, part.args[::-1]):
            if x.op == Op.VAR and value.op == Op.CONST and isinstance(x.sort, BitVecSort):
                return x, int(value.payload)
    return None, 0


def _valuation(variables: Iterable[Term], bits: Sequence[int]) -> State:
    found: dict[Term, Value] = {}
    at = 0
    for x in variables:
        width = width_of(x)
        value = sum(b << n for n, b in enumerate(bits[at : at + width]))
        found[x] = bool(value) if x.sort is BOOL else value
        at += width
    return found


_Operation = Callable[[Gates, Term, list[Word]], Word]


def _constant(gates: Gates, term: Term, args: list[Word]) -> Word:
    return [int(term.payload) >> n & 1 for n in range(width_of(term))]


def _any(gates: Gates, term: Term, args: list[Word]) -> Word:
    return [gates.all([word[0] ^ 1 for word in args]) ^ 1]


_OPERATIONS: dict[str, _Operation] = {
    Op.CONST: _constant,
    Op.NOT: lambda g, t, a: inverted(a[0]),
    Op.AND: lambda g, t, a: [g.all([word[0] for word in a])],
    Op.OR: _any,
    Op.ITE: lambda g, t, a: g.choose(a[0][0], a[1], a[2]),
    Op.EQ: lambda g, t, a: [g.equal(a[0], a[1])],
    Op.BVADD: lambda g, t, a: g.add(a[0], a[1]),
    Op.BVSUB: lambda g, t, a: g.sub(a[0], a[1]),
    Op.BVMUL: lambda g, t, a: g.multiply(a[0], a[1]),
    Op.BVNEG: lambda g, t, a: g.negate(a[0]),
    Op.BVUDIV: lambda g, t, a: g.divide(a[0], a[1])[0],
    Op.BVUREM: lambda g, t, a: g.divide(a[0], a[1])[1],
    Op.BVSDIV: lambda g, t, a: g.divide_signed(a[0], a[1])[0],
    Op.BVSREM: lambda g, t, a: g.divide_signed(a[0], a[1])[1],
    Op.BVSMOD: lambda g, t, a: g.modulo_signed(a[0], a[1]),
    Op.BVAND: lambda g, t, a: [g.and_(x, y) for x, y in zip(*a, strict=True)],
    Op.BVOR: lambda g, t, a: [g.or_(x, y) for x, y in zip(*a, strict=True)],
    Op.BVXOR: lambda g, t, a: [g.xor(x, y) for x, y in zip(*a, strict=True)],
    Op.BVNOT: lambda g, t, a: inverted(a[0]),
    Op.BVSHL: lambda g, t, a: g.shift(a[0], a[1], True, FALSE),
    Op.BVLSHR: lambda g, t, a: g.shift(a[0], a[1], False, FALSE),
    Op.BVASHR: lambda g, t, a: g.shift(a[0], a[1], False, a[0][-1]),
    Op.BVULT: lambda g, t, a: [g.less(a[0], a[1])],
    Op.BVULE: lambda g, t, a: [g.less(a[1], a[0]) ^ 1],
    Op.BVSLT: lambda g, t, a: [g.less_signed(a[0], a[1])],
    Op.BVSLE: lambda g, t, a: [g.less_signed(a[1], a[0]) ^ 1],
    Op.CONCAT: lambda g, t, a: [*a[1], *a[0]],
    Op.EXTRACT: lambda g, t, a: a[0][t.payload[1] : t.payload[0] + 1],
    Op.ZERO_EXTEND: lambda g, t, a: [*a[0], *([FALSE] * t.payload)],
    Op.SIGN_EXTEND: lambda g, t, a: [*a[0], *([a[0][-1]] * t.payload)],
}
