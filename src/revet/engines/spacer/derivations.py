"""Derivations from z3's proofs.

A proof is a tree of ground facts. First each fact is explained by itself: which clause, with which
values for its variables, gives it from the facts below. With arrays z3's facts are not always what the
clauses give; then only the tree's shape is used, and all values are solved for at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import prod
from typing import NamedTuple

from revet.engines.common.context import Context
from revet.logic.core import and_, apply, conjunction, const, eq, implies, or_, var
from revet.logic.evaluate import evaluate
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, FunctionSymbol, Op, Term
from revet.logic.values import Value
from revet.logic.walk import substitute
from revet.model.horn import QUERY, HornClause, HornSystem
from revet.result.trace import Derivation, DerivationStep
from revet.smt import Status
from revet.smt.z3 import Z3
from revet.smt.z3.horn import Derivable

_REPEATED = (0, 1)  # how often a predicate may be missing from the proof below itself, tried in this order
_MOST_ABOVE = 200  # predicates missing above one another
_MOST_NODES = 10_000
_MOST_PLACEMENTS = 3000  # of premises in a clause's body


def goal(system: HornSystem) -> FunctionSymbol:
    """The predicate without arguments that stands for false in what z3 is asked."""
    name = "query!"
    while any(predicate.name == name for predicate in system.predicates):
        name += "!"
    return FunctionSymbol(name, (), BOOL)


class Gap(Exception):
    """No clause explains a fact of the proof."""


def derivation_of(system: HornSystem, answer: Derivable, backend: Z3, context: Context) -> Derivation:
    """Raises :class:`Gap` if the proof cannot be followed."""
    wanted = goal(system)
    roots = [n for n, fact in enumerate(answer.facts) if fact.payload == wanted]
    if not roots:  # z3 has inlined it: false follows from the facts that nothing else follows from
        used = {one for premises in answer.premises for one in premises}
        roots = [len(answer.facts)]
        below = [number for number in range(len(answer.facts)) if number not in used]
        answer = Derivable([*answer.facts, apply(wanted)], [*answer.premises, below])
    order = _in_order(answer, roots[0])
    try:
        return _Builder(system, answer, backend, context).derivation(order)
    except Gap as gap:
        why = gap
    for repeated in _REPEATED:
        try:
            return _Shape(system, answer, backend, context).derivation(order, repeated)
        except Gap as gap:
            why = gap
    raise why


def _in_order(answer: Derivable, root: int) -> list[int]:
    """The facts that the root needs, each after its premises."""
    order: list[int] = []
    seen: set[int] = set()
    stack: list[tuple[int, bool]] = [(root, False)]
    while stack:
        number, done = stack.pop()
        if done:
            order.append(number)
        elif number not in seen:
            seen.add(number)
            stack.append((number, True))
            stack += [(one, False) for one in reversed(answer.premises[number])]
    return order


def _candidates(
    system: HornSystem, wanted: FunctionSymbol | None, premises: Sequence[int],
    predicates: Sequence[FunctionSymbol | None],
) -> Iterator[tuple[int, HornClause, tuple[int, ...]]]:
    """Clauses with this head, and the orders of the premises in which their predicates are the body's."""
    for number, clause in enumerate(system.clauses):
        head = None if clause.head is None else clause.head.payload
        if head != wanted or len(clause.body) != len(premises):
            continue
        body = [atom.payload for atom in clause.body]
        orders = permutations(premises) if len(premises) <= 5 else [tuple(premises)]
        for order in dict.fromkeys(orders):
            if [predicates[one] for one in order] == body:
                yield number, clause, order


class _Use(NamedTuple):
    """A way to derive a node: by a clause whose variables go by ``names``, from other nodes."""

    chosen: Term
    clause: int
    names: dict[Term, Term]
    premises: tuple[int, ...]


class _Shape:
    """All values of a proof, solved for in one query.

    A node is a fact with unknown arguments that follows by one of the clauses that fit. z3 inlines
    predicates, and drops those that are plainly true from the bodies of clauses: what the proof lacks there
    is made up for by nodes of our own, below which the premises may stand.
    """

    def __init__(self, system: HornSystem, answer: Derivable, backend: Z3, context: Context) -> None:
        self.system = system
        self.answer = answer
        self.context = context
        self.solver = backend.solver(budget=context.budget)
        self.predicates: list[FunctionSymbol | None] = []
        self.arguments: list[tuple[Term, ...]] = []
        self.uses: list[list[_Use]] = []

    def derivation(self, order: list[int], repeated: int) -> Derivation:
        place: dict[int, int] = {}
        hints: list[Term] = []
        for number in order:
            self.context.budget.poll()
            fact = None if number == order[-1] else self.answer.facts[number]
            node = place[number] = self._node(None if fact is None else fact.payload)
            premises = tuple(place[one] for one in self.answer.premises[number])
            if not self._explain(node, premises, frozenset(), repeated, TRUE):
                raise Gap("no clause has the predicates of a step")
            if fact is not None:
                known = zip(self.arguments[node], fact.args, strict=True)
                hints += [eq(x, value) for x, value in known if value.op == Op.CONST]
        hint = var("hint!", BOOL)
        self.solver.add(implies(hint, conjunction(hints)))
        if self.solver.check([hint]) is not Status.SAT and self.solver.check() is not Status.SAT:
            raise Gap("no values fit the whole of it")
        return self._read(place[order[-1]])

    def _node(self, predicate: FunctionSymbol | None) -> int:
        if len(self.uses) > _MOST_NODES:
            raise Gap("it lacks too much")
        number = len(self.uses)
        domain = () if predicate is None else predicate.domain
        self.predicates.append(predicate)
        self.arguments.append(tuple(var(f"fact!{number}!{i}", sort) for i, sort in enumerate(domain)))
        self.uses.append([])
        return number

    def _explain(
        self, node: int, premises: tuple[int, ...], above: frozenset[FunctionSymbol], repeated: int,
        when: Term,
    ) -> bool:
        """The node follows, ``when`` it is used at all, from the premises and what the proof leaves out.

        ``above`` are the predicates that it leaves out above the node. False if no clause fits."""
        for number, clause in enumerate(self.system.clauses):
            head = None if clause.head is None else clause.head.payload
            if head != self.predicates[node]:
                continue
            for below in self._placements(clause, premises):
                self._use(node, number, clause, below, above, repeated)
        if not self.uses[node]:
            return False
        self.solver.add(implies(when, or_(*(use.chosen for use in self.uses[node]))))
        return True

    def _placements(
        self, clause: HornClause, premises: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], ...]]:
        """For every predicate of the body, the premises that stand in its place or below it."""
        body = [self.system.below[atom.payload] for atom in clause.body]
        places = [
            [slot for slot, predicates in enumerate(body) if self.predicates[one] in predicates]
            for one in premises
        ]
        if prod(map(len, places)) > _MOST_PLACEMENTS:
            return
        for chosen in product(*places):
            yield tuple(
                tuple(one for one, slot in zip(premises, chosen, strict=True) if slot == here)
                for here in range(len(body))
            )

    def _use(
        self, node: int, number: int, clause: HornClause, below: tuple[tuple[int, ...], ...],
        above: frozenset[FunctionSymbol], repeated: int,
    ) -> None:
        stem = f"use!{node}!{len(self.uses[node])}"
        chosen = var(stem, BOOL)
        names = {x: var(f"{stem}!{i}", x.sort) for i, x in enumerate(clause.variables)}
        premises = []
        for atom, given in zip(clause.body, below, strict=True):
            if len(given) == 1 and self.predicates[given[0]] == atom.payload:
                premises.append(given[0])
                continue
            left = repeated - (atom.payload in above)
            if left < 0 or len(above) > _MOST_ABOVE:
                return
            made = self._node(atom.payload)
            if not self._explain(made, given, above | {atom.payload}, left, chosen):
                return
            premises.append(made)
        facts = [self.arguments[one] for one in (*premises, *([] if clause.head is None else [node]))]
        equal = [
            eq(substitute(term, names), argument)
            for atom, fact in zip(clause.atoms, facts, strict=True)
            for term, argument in zip(atom.args, fact, strict=True)
        ]
        self.solver.add(implies(chosen, and_(substitute(clause.constraint, names), *equal)))
        self.uses[node].append(_Use(chosen, number, names, tuple(premises)))

    def _read(self, root: int) -> Derivation:
        model = self.solver.model()
        chosen: dict[int, _Use] = {}
        steps: list[DerivationStep] = []
        made: dict[int, int] = {}
        stack = [root]
        while stack:
            node = stack[-1]
            if node not in chosen:
                chosen[node] = next(use for use in self.uses[node] if model.value(use.chosen) is True)
            use = chosen[node]
            below = [one for one in use.premises if one not in made]
            if below:
                stack += below
                continue
            stack.pop()
            if node not in made:
                values = {x: model.value(name) for x, name in use.names.items()}
                steps.append(DerivationStep(use.clause, values, tuple(made[one] for one in use.premises)))
                made[node] = len(steps) - 1
        return Derivation(tuple(steps), QUERY)


class _Builder:
    """Finds for every fact of a proof the clause it follows by, and values for the clause's variables."""

    def __init__(self, system: HornSystem, answer: Derivable, backend: Z3, context: Context) -> None:
        self.system = system
        self.answer = answer
        self.backend = backend
        self.context = context
        self.steps: list[DerivationStep] = []
        self.facts: list[Term | None] = []

    def derivation(self, order: list[int]) -> Derivation:
        made: dict[int, int] = {}
        for number in order:
            self.context.budget.poll()
            premises = [made[one] for one in self.answer.premises[number]]
            self._step(None if number == order[-1] else self.answer.facts[number], premises)
            made[number] = len(self.steps) - 1
        return Derivation(tuple(self.steps), QUERY)

    def _step(self, wanted: Term | None, premises: list[int]) -> None:
        predicate = None if wanted is None else wanted.payload
        known = [None if fact is None else fact.payload for fact in self.facts]
        for number, clause, order in _candidates(self.system, predicate, premises, known):
            values = self._values(clause, wanted, order)
            if values is not None:
                self.steps.append(DerivationStep(number, values, order))
                self.facts.append(_fact(clause, values))
                return
        raise Gap(f"no clause gives {'false' if wanted is None else wanted.payload.name}")

    def _values(
        self, clause: HornClause, wanted: Term | None, premises: Sequence[int]
    ) -> dict[Term, Value] | None:
        conditions = [clause.constraint]
        for atom, premise in zip(clause.body, premises, strict=True):
            conditions += _equal(atom, self.facts[premise])
        if wanted is not None:
            conditions += _equal(clause.head, wanted)
        solver = self.backend.solver(budget=self.context.budget)
        solver.add(conjunction(conditions))
        if solver.check() is not Status.SAT:
            return None
        model = solver.model()
        return {x: model.value(x) for x in clause.variables}


def _equal(atom: Term | None, fact: Term | None) -> list[Term]:
    assert atom is not None and fact is not None
    return [eq(one, other) for one, other in zip(atom.args, fact.args, strict=True)]


def _fact(clause: HornClause, values: dict[Term, Value]) -> Term | None:
    """What the clause derives with these values, as an application to constants."""
    if clause.head is None:
        return None
    constants = [const(evaluate(term, values), term.sort) for term in clause.head.args]
    return apply(clause.head.payload, *constants)
