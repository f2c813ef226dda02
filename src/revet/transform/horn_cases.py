"""Control flow coded in Booleans: a predicate for each of the values that its Boolean arguments have.

Systems written as one transition relation have a program counter among their arguments, as bits. Where few
of its values can be reached, each becomes a predicate over the other arguments, and each clause is split into
those that lead from values to values. What is left of a constraint then is one statement of the program, and
Horn solvers see its locations. This is a specialisation of Horn clauses: De Angelis, Fioravanti, Gallagher,
Hermenegildo, Pettorossi, Proietti, *Analysis and transformation of constrained Horn clauses for program
verification* (2022).

Which values can be reached is found from the facts on: of the other arguments nothing is assumed.

Back: a model says in which cases what holds; a derivation's steps are uses of the clauses that were split.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from revet.errors import Unsupported
from revet.logic.core import and_, apply, boolean, conjunction, disjunction, iff, not_
from revet.logic.sorts import BOOL
from revet.logic.terms import FALSE, TRUE, FunctionSymbol, Op, Term
from revet.logic.values import default_value
from revet.logic.walk import conjuncts, substitute
from revet.model.horn import HornClause, HornSystem
from revet.result.certificate import Certificate, HornModel
from revet.result.trace import Derivation, DerivationStep
from revet.smt.z3 import Z3
from revet.transform.boolean_values import TooHard, boolean_values
from revet.transform.reduction import Reduction, Spurious

_MOST_CASES = 128  # of all predicates together
_MOST_CLAUSES = 500
_ROUNDS = 5  # new literals can appear when others are put in

Case = tuple[FunctionSymbol, tuple[bool, ...]]


def split_cases(system: HornSystem) -> Reduction:
    """Raises :class:`Unsupported` where there are no Boolean arguments, or too many cases of them."""
    made = _Splitting(system)
    return Reduction(made.system, made.derivation_back, made.model_back)


def _propagated(constraint: Term) -> Term:
    """The same constraint: literals that it requires are put in for their other occurrences.

    ``not c and (c or x = t)`` becomes ``not c and x = t``, which defines ``x``."""
    parts = conjuncts(constraint)
    for _ in range(_ROUNDS):
        literals = [part for part in parts if part.op not in (Op.OR, Op.ITE)]
        known = dict.fromkeys(literals, TRUE) | {not_(part): FALSE for part in literals}
        rest = [part for part in parts if part.op in (Op.OR, Op.ITE)]
        smaller = [substitute(part, known) for part in rest]
        if smaller == rest:
            break
        parts = conjuncts(conjunction([*literals, *smaller]))
    return conjunction(parts)


class _Splitting:
    def __init__(self, original: HornSystem) -> None:
        self._original = original
        self._booleans = {
            p: [i for i, sort in enumerate(p.domain) if sort is BOOL] for p in original.predicates
        }
        if not any(self._booleans.values()):
            raise Unsupported("no predicate has Boolean arguments")
        self._solver = Z3().solver()
        self._cases: dict[Case, FunctionSymbol] = {}
        self._names: set[str] = set()
        self._clauses: list[HornClause] = []
        self._parts: list[tuple[int, dict[Term, Term]]] = []  # of which clause each is part, what it fixes
        self._split()
        self.system = HornSystem(tuple(self._cases.values()), tuple(self._clauses), original.name)

    # ------------------------------------------------------------------ there

    def _split(self) -> None:
        """Until nothing new is reached: every clause with all cases of its body, one of them the newest."""
        reached: dict[FunctionSymbol, list[Case]] = {p: [] for p in self._original.predicates}
        todo: list[Case] = []
        for number, clause in enumerate(self._original.clauses):
            if not clause.body:
                todo += self._parts_of(number, clause, ())
        while todo:
            newest = todo.pop()
            reached[newest[0]].append(newest)
            for number, clause in enumerate(self._original.clauses):
                if any(atom.payload == newest[0] for atom in clause.body):
                    for body in product(*(reached[atom.payload] for atom in clause.body)):
                        if newest in body:
                            todo += self._parts_of(number, clause, body)

    def _parts_of(self, number: int, clause: HornClause, body: tuple[Case, ...]) -> list[Case]:
        """Adds the clause in these cases of its body, for all cases of its head; returns the new ones."""
        fixed: dict[Term, Term] = {}
        conditions: list[Term] = []
        for atom, (predicate, values) in zip(clause.body, body, strict=True):
            self._fix([atom.args[i] for i in self._booleans[predicate]], values, fixed, conditions)
        new = []
        constraint = substitute(and_(*conditions, clause.constraint), fixed)
        for values in self._values(clause.head, constraint, fixed):
            mine, more = dict(fixed), list[Term]()
            head = None
            if clause.head is not None:
                case = (clause.head.payload, values)
                if case not in self._cases:
                    new.append(case)
                    self._name(case)
                self._fix([clause.head.args[i] for i in self._booleans[case[0]]], values, mine, more)
                head = self._atom(clause.head, case, mine)
            rest = _propagated(substitute(and_(constraint, *more), mine))
            if rest is not FALSE:
                atoms = [self._atom(atom, case, mine) for atom, case in zip(clause.body, body, strict=True)]
                self._clauses.append(HornClause(tuple(atoms), rest, head, clause.number))
                self._parts.append((number, mine))
        if len(self._clauses) > _MOST_CLAUSES:
            raise Unsupported("the Boolean arguments make too many clauses of one")
        return new

    @staticmethod
    def _fix(
        given: list[Term], values: tuple[bool, ...], fixed: dict[Term, Term], conditions: list[Term]
    ) -> None:
        """Variables are replaced by their values, of other terms they are required."""
        for term, value in zip(given, values, strict=True):
            if term.op == Op.VAR and term not in fixed:
                fixed[term] = boolean(value)
            else:
                conditions.append(iff(term, boolean(value)))

    def _values(
        self, head: Term | None, constraint: Term, fixed: dict[Term, Term]
    ) -> Iterator[tuple[bool, ...]]:
        """What the Boolean arguments of the head can be."""
        terms = [] if head is None else [head.args[i] for i in self._booleans[head.payload]]
        terms = [substitute(term, fixed) for term in terms]
        try:
            yield from boolean_values(self._solver, constraint, terms)
        except TooHard:
            raise Unsupported("which values Boolean arguments have is too hard to say") from None

    def _name(self, case: Case) -> None:
        if len(self._cases) >= _MOST_CASES:
            raise Unsupported("the Boolean arguments have too many values")
        predicate, values = case
        domain = [sort for sort in predicate.domain if sort is not BOOL]
        name = f"{predicate.name}!{''.join('01'[value] for value in values)}"
        while name in self._names:
            name += "!"
        self._names.add(name)
        self._cases[case] = FunctionSymbol(name, domain, BOOL)

    def _atom(self, atom: Term, case: Case, fixed: dict[Term, Term]) -> Term:
        others = [substitute(term, fixed) for term in atom.args if term.sort is not BOOL]
        return apply(self._cases[case], *others)

    # ------------------------------------------------------------------ and back

    def model_back(self, certificate: Certificate) -> Certificate:
        if not isinstance(certificate, HornModel):
            raise Spurious("the proof is not a model of the clauses")
        formulas: dict[FunctionSymbol, list[Term]] = {p: [] for p in self._original.predicates}
        for (predicate, values), symbol in self._cases.items():
            arguments = self._original.arguments[predicate]
            others = [x for x in arguments if x.sort is not BOOL]
            bits = zip(self._booleans[predicate], values, strict=True)
            here = [iff(arguments[i], boolean(value)) for i, value in bits]
            names = dict(zip(self.system.arguments[symbol], others, strict=True))
            formulas[predicate].append(and_(*here, substitute(certificate.formulas[symbol], names)))
        return HornModel({p: disjunction(parts) for p, parts in formulas.items()})

    def derivation_back(self, derivation: Derivation) -> Derivation:
        steps = []
        for step in derivation.steps:
            number, fixed = self._parts[step.clause]
            values = {x: default_value(x.sort) for x in self._original.clauses[number].variables}
            values |= {x: value.payload for x, value in fixed.items()}
            values |= {x: value for x, value in step.values.items() if x in values}
            steps.append(DerivationStep(number, values, step.premises))
        return Derivation(tuple(steps), derivation.violated)
