"""Houdini on Horn clauses: guessed formulas about the arguments of predicates; those that all clauses keep.

A clause ``P(s) and Q(t) and constraint -> R(u)`` keeps a candidate about R's arguments if it follows from the
constraint and from what is kept about P and Q. What is left when nothing fails any more is a solution of all
clauses with a head (:class:`revet.invariants.houdini.Filter` drops what fails).

The candidates are what contracts of small recursive functions are made of: bounds at the program's own
constants, also of differences and sums of two numbers (:func:`bounds`), and bounds of one where another,
which was there at the entry, is at most or at least a constant (:func:`cases`: ``n <= 0 implies r = 0``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations, permutations

from revet.budget import Budget
from revet.invariants.houdini import Chain, Filter, smaller
from revet.logic.arith import add, le, lt, sub
from revet.logic.core import conjunction, const, implies, not_, var
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import FALSE, FunctionSymbol, Op, Term
from revet.logic.walk import free_vars_of, substitute, subterms
from revet.model.horn import HornClause
from revet.smt import Model, Solver, SolverFactory, Status

_LIMITS = 10  # of the program's constants that bounds are tried at, those near zero
_CONDITIONS = 4  # of these, for conditions
_WIDEST = 10  # numbers among the arguments of a predicate that pairs are made of


class ClauseHoudini:
    """``kept``: for each predicate chains of formulas over its arguments (``arguments`` names them); the last
    formula of a chain implies the others."""

    def __init__(
        self, clauses: Sequence[HornClause], arguments: Mapping[FunctionSymbol, Sequence[Term]],
        backend: SolverFactory, budget: Budget,
    ) -> None:
        self.clauses = clauses
        self.arguments = arguments
        self.backend = backend
        self.budget = budget
        self.kept: dict[FunctionSymbol, list[Chain]] = {}

    def filter(self, chains: Mapping[FunctionSymbol, list[Chain]]) -> None:
        """Keep what all clauses keep, together with what is kept already."""
        for symbol, more in chains.items():
            self.kept[symbol] = [*self.kept.get(symbol, ()), *more]
        queue = dict.fromkeys(clause for clause in self.clauses if clause.head is not None)
        while queue:
            clause = next(iter(queue))
            del queue[clause]
            if self._drop(clause):
                assert clause.head is not None
                lost = clause.head.payload
                queue.update(dict.fromkeys(
                    other for other in self.clauses
                    if other.head is not None and any(atom.payload is lost for atom in other.body)
                ))

    def excludes_errors(self) -> bool:
        """Does what is kept exclude the bodies of clauses without a head?"""
        return all(
            self._solver(clause).check() is Status.UNSAT for clause in self.clauses if clause.head is None
        )

    def formulas(self, symbol: FunctionSymbol) -> list[Term]:
        return [chain[-1] for chain in self.kept.get(symbol, ())]

    def needed(self) -> dict[FunctionSymbol, Term]:
        """The formulas that exclude the errors, those that imply these, and so on: by unsat cores."""
        wanted: dict[FunctionSymbol, dict[Term, None]] = {symbol: {} for symbol in self.arguments}
        queue: list[tuple[HornClause, Term]] = [(c, FALSE) for c in self.clauses if c.head is None]
        while queue:
            clause, goal = queue.pop()
            for symbol, formula in self._core(clause, goal):
                if formula not in wanted[symbol]:
                    wanted[symbol][formula] = None
                    queue += [
                        (c, self._at(c.head)(formula)) for c in self.clauses
                        if c.head is not None and c.head.payload is symbol
                    ]
        return {symbol: conjunction(formulas) for symbol, formulas in wanted.items()}

    def _core(self, clause: HornClause, goal: Term) -> list[tuple[FunctionSymbol, Term]]:
        """What is kept about the predicates of a body and makes the goal hold; few, if possible."""
        solver = self.backend.solver(budget=self.budget)
        solver.add(clause.constraint)
        solver.add(not_(goal))
        names: dict[Term, tuple[FunctionSymbol, Term]] = {}
        for atom in clause.body:
            there = self._at(atom)
            for formula in self.formulas(atom.payload):
                name = var(f"held!{len(names)}", BOOL)
                names[name] = atom.payload, formula
                solver.add(not_(name) | there(formula))
        if solver.check(list(names)) is not Status.UNSAT:
            return list(names.values())
        return [names[name] for name in smaller(solver, solver.core())]

    def _at(self, atom: Term) -> Callable[[Term], Term]:
        values = dict(zip(self.arguments[atom.payload], atom.args, strict=True))
        memo: dict[Term, Term] = {}
        return lambda formula: substitute(formula, values, memo)

    def _solver(self, clause: HornClause) -> Solver:
        solver = self.backend.solver(budget=self.budget)
        solver.add(clause.constraint)
        for atom in clause.body:
            there = self._at(atom)
            for formula in self.formulas(atom.payload):
                solver.add(there(formula))
        return solver

    def _drop(self, clause: HornClause) -> bool:
        """Remove what the clause refutes about its head; was anything removed?"""
        head = clause.head
        assert head is not None
        before = self.kept.get(head.payload, [])
        if not before:
            return False
        values = dict(zip(self.arguments[head.payload], head.args, strict=True))
        read = sorted(free_vars_of(values.values()), key=lambda x: x.id)

        def state(model: Model) -> Evaluator:
            evaluate = Evaluator({x: model.value(x) for x in read})
            return Evaluator({x: evaluate(value) for x, value in values.items()})

        chains = Filter(self._solver(clause), self._at(head), state)
        self.kept[head.payload] = left = chains.run(before, self.budget)
        return sum(map(len, left)) < sum(map(len, before))


def limits(clauses: Sequence[HornClause]) -> list[int]:
    """The constants of the clauses and their neighbours, those near zero, and the ends of their ranges."""
    found = {-1, 0, 1}
    for clause in clauses:
        for node in subterms(clause.constraint, *clause.atoms):
            if node.op == Op.CONST and node.sort is INT:
                found |= {node.payload - 1, node.payload, node.payload + 1}
    near = sorted(found, key=lambda value: (abs(value), value))[:_LIMITS]
    ends = [value for value in (min(found), max(found)) if value not in near]
    return sorted([*near, *ends])


def bounds(arguments: Sequence[Term], at: Sequence[int]) -> list[Chain]:
    """Candidates about these arguments: bounds at these constants, and of differences and sums near zero."""
    numbers = _numbers(arguments)
    found: list[Chain] = []
    for x in numbers:
        found += _bounds(x, at)
    for x, y in combinations(numbers, 2):
        found += [*_bounds(sub(x, y), _near(at)), *_bounds(add(x, y), _near(at))]
    return found


def cases(arguments: Sequence[Term], entries: Collection[Term], at: Sequence[int]) -> list[Chain]:
    """Bounds at these constants for an argument where another, one of ``entries``, is small, or large."""
    numbers, found = _numbers(arguments), []
    given = [x for x in numbers if x in entries]
    for x, y in permutations(numbers, 2):
        if x in given and y not in given:
            for condition in _conditions(x, at):
                found += [
                    [implies(condition, formula) for formula in chain]
                    for chain in (*_bounds(y, at), *_bounds(sub(y, x), _near(at)))
                ]
    return found


def _numbers(arguments: Sequence[Term]) -> list[Term]:
    return [x for x in arguments if x.sort is INT][:_WIDEST]


def _near(at: Sequence[int]) -> list[int]:
    return [value for value in at if -2 <= value <= 2]


def _conditions(x: Term, at: Sequence[int]) -> Iterator[Term]:
    for value in sorted(at, key=abs)[:_CONDITIONS]:
        yield le(x, const(value, INT))
        yield lt(const(value, INT), x)


def _bounds(term: Term, at: Sequence[int]) -> Iterator[Chain]:
    """At most, and at least, one of these: the weakest first."""
    yield [le(term, const(value, INT)) for value in sorted(at, reverse=True)]
    yield [le(const(value, INT), term) for value in sorted(at)]
