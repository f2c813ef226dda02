"""Linear Horn clauses as an automaton.

A predicate is a location, a clause an edge, the arguments of the predicates are variables. Two
predicates share a variable for an argument where clauses pass it on unchanged, so that a loop that
was written as clauses looks like a loop again. Variables that are not arguments of a location's
predicate have a fixed value there (false, zero): so a formula about the location speaks of the
predicate's arguments, once that value is put in for the others.

Clause variables with a definition in the constraint (``x = term``) are replaced by it; the others
are drawn by the edge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from revet.errors import ModelError
from revet.logic.core import conjunction, const, eq, var
from revet.logic.evaluate import Evaluator
from revet.logic.terms import FALSE, TRUE, FunctionSymbol, Op, Term
from revet.logic.values import Value, default_value
from revet.logic.walk import conjuncts, free_vars, substitute
from revet.model.cfa import Cfa, Edge, Location
from revet.model.horn import QUERY, HornClause, HornSystem
from revet.model.relation import Relation
from revet.model.statements import Block

Argument = tuple[FunctionSymbol, int]

_ROUNDS = 5  # new equations can appear when definitions are put in


@dataclass(frozen=True, eq=False)
class HornAutomaton:
    """``carriers`` are the variables that hold a predicate's arguments at its location; ``clauses`` the
    clause of each edge, ``meanings`` its variables in terms of the state before and of what is drawn."""

    system: HornSystem
    cfa: Cfa
    places: Mapping[FunctionSymbol, Location]
    carriers: Mapping[FunctionSymbol, tuple[Term, ...]]
    clauses: Mapping[Edge, int]
    meanings: Mapping[Edge, Mapping[Term, Term]]

    def interpretation(self, predicate: FunctionSymbol, formula: Term) -> Term:
        """A formula at the predicate's location as one over the system's ``arguments``."""
        arguments = dict(zip(self.carriers[predicate], self.system.arguments[predicate], strict=True))
        fixed = {
            x: const(default_value(x.sort), x.sort) for x in self.cfa.variables if x not in arguments
        }
        return substitute(formula, {**fixed, **arguments})

    def values(
        self, edge: Edge, before: Mapping[Term, Value], drawn: Mapping[Term, Value]
    ) -> dict[Term, Value]:
        """The values of the clause's variables when a run takes the edge."""
        evaluator = Evaluator({**before, **drawn})
        return {x: evaluator(meaning) for x, meaning in self.meanings[edge].items()}


@dataclass(frozen=True, eq=False)
class Solved:
    """A linear clause: the guard and the head's arguments over the body's ``arguments`` and ``locals``.

    ``meanings`` gives the clause's variables in the same terms."""

    source: FunctionSymbol | None
    target: FunctionSymbol | None
    guard: Term
    results: tuple[Term, ...]
    locals: tuple[Term, ...]
    meanings: Mapping[Term, Term]


def solve_equations(
    conditions: list[Term], free: set[Term]
) -> tuple[list[Term], dict[Term, Term]]:
    """Definitions of ``free`` variables among the conditions, and the conditions without them.

    The definitions mention no defined variable. ``x = term``, ``p`` and ``not p`` are recognised.
    """
    found: dict[Term, Term] = {}
    pending = list(conditions)
    for _ in range(_ROUNDS):
        defined: dict[Term, Term] = {}
        kept: list[Term] = []
        for condition in pending:
            definition = _definition(condition, free, defined)
            if definition is None:
                kept.append(condition)
            else:
                defined[definition[0]] = definition[1]
                free.discard(definition[0])
        if not defined:
            break
        resolved = _resolved(defined)
        found = {x: substitute(value, resolved) for x, value in found.items()} | resolved
        memo: dict[Term, Term] = {}
        pending = [part for one in kept for part in conjuncts(substitute(one, resolved, memo))]
    return pending, found


def _definition(condition: Term, free: set[Term], defined: Mapping[Term, Term]) -> tuple[Term, Term] | None:
    """A free variable and its value, which does not lead back to the variable through other definitions."""
    candidates: list[tuple[Term, Term]] = []
    if condition.op == Op.EQ:
        left, right = condition.args
        candidates = [(left, right), (right, left)]
    elif condition.op == Op.VAR:
        candidates = [(condition, TRUE)]
    elif condition.op == Op.NOT:
        candidates = [(condition.args[0], FALSE)]
    for variable, value in candidates:
        if variable in free and not _leads_to(value, variable, defined):
            return variable, value
    return None


def _leads_to(value: Term, variable: Term, defined: Mapping[Term, Term]) -> bool:
    """Does the value mention the variable, or a variable whose definition does, and so on?"""
    seen = set(free_vars(value))
    stack = list(seen)
    while stack:
        inside = stack.pop()
        if inside is variable:
            return True
        if inside in defined:
            more = free_vars(defined[inside]) - seen
            seen |= more
            stack += more
    return False


def _resolved(defined: Mapping[Term, Term]) -> dict[Term, Term]:
    """The definitions with definitions put in for the variables that have one; there is no cycle."""
    done: dict[Term, Term] = {}
    for start in defined:
        stack = [start]
        while stack:
            variable = stack[-1]
            inside = [x for x in free_vars(defined[variable]) if x in defined]
            waiting = [x for x in inside if x not in done]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            done[variable] = substitute(defined[variable], {x: done[x] for x in inside})
    return done


def solved(system: HornSystem, clause: HornClause) -> Solved:
    """The clause as a step from its body's arguments to its head's."""
    if len(clause.body) > 1:
        raise ModelError(f"{system.name}: a clause with two predicates in its body is no edge")
    source = clause.body[0].payload if clause.body else None
    passed = () if source is None else tuple(zip(clause.body[0].args, system.arguments[source], strict=True))
    meanings: dict[Term, Term] = {}
    for given, argument in passed:
        if given.op == Op.VAR:
            meanings.setdefault(given, argument)
    renamed = {x: meanings[x] if x in meanings else var(f"{x.name}!in", x.sort) for x in clause.variables}
    free = {renamed[x] for x in clause.variables if x not in meanings}
    # A variable of the clause may have the name of an argument: it is renamed before the two meet.
    conditions = [substitute(clause.constraint, renamed)]
    conditions += [eq(substitute(given, renamed), argument) for given, argument in passed]
    conditions = [part for one in conditions for part in conjuncts(one) if part is not TRUE]
    rest, defined = solve_equations(conditions, set(free))
    meanings = {x: substitute(term, defined) for x, term in renamed.items()}
    results = () if clause.head is None else tuple(
        substitute(substitute(term, renamed), defined) for term in clause.head.args
    )
    locals_ = tuple(sorted((x for x in free if x not in defined), key=lambda x: x.id))
    target = None if clause.head is None else clause.head.payload
    return Solved(source, target, conjunction(rest), results, locals_, meanings)


@lru_cache(maxsize=4)
def automaton_of(system: HornSystem) -> HornAutomaton:
    """See the module's text. Asked twice about one system, it returns the same automaton."""
    steps = [solved(system, clause) for clause in system.clauses]
    carriers = _carriers(system, steps)
    variables = tuple(dict.fromkeys(x for mine in carriers.values() for x in mine))
    places = {p: Location(f"at {p.name}") for p in system.predicates}
    start, error = Location("start"), Location(QUERY)
    edges: list[Edge] = []
    meanings: dict[Edge, Mapping[Term, Term]] = {}
    clauses: dict[Edge, int] = {}
    for number, step in enumerate(steps):
        if step.guard is FALSE:
            continue
        edge, meaning = _edge(system, step, number, carriers, variables, places, start, error)
        edges.append(edge)
        clauses[edge] = number
        meanings[edge] = meaning
    locations = (start, *places.values(), error)
    cfa = Cfa(variables, locations, tuple(edges), start, (error,), TRUE, system.name)
    return HornAutomaton(system, cfa, places, carriers, clauses, meanings)


def _edge(
    system: HornSystem,
    step: Solved,
    number: int,
    carriers: Mapping[FunctionSymbol, tuple[Term, ...]],
    variables: tuple[Term, ...],
    places: Mapping[FunctionSymbol, Location],
    start: Location,
    error: Location,
) -> tuple[Edge, Mapping[Term, Term]]:
    """The step's edge, and the clause's variables over the automaton's variables and the edge's locals."""
    local = {x: var(f"drawn!{number}!{i}", x.sort) for i, x in enumerate(step.locals)}
    names = dict(local)
    here: tuple[Term, ...] = ()
    if step.source is not None:
        here = carriers[step.source]
        names |= dict(zip(system.arguments[step.source], here, strict=True))
    updates: dict[Term, Term] = {}
    if step.target is not None:
        there = carriers[step.target]
        updates = {x: substitute(term, names) for x, term in zip(there, step.results, strict=True)}
        for x in variables if step.source is None else here:
            if x not in updates:
                updates[x] = const(default_value(x.sort), x.sort)
        updates = {x: term for x, term in updates.items() if term is not x}
    relation = Relation(substitute(step.guard, names), updates, tuple(local.values()))
    source = start if step.source is None else places[step.source]
    target = error if step.target is None else places[step.target]
    text = f"clause {number + 1}"
    return Edge(source, target, (Block(relation),), text=text), {
        x: substitute(term, names) for x, term in step.meanings.items()
    }


# ---------------------------------------------------------------------- which arguments share a variable


def _carriers(system: HornSystem, steps: list[Solved]) -> dict[FunctionSymbol, tuple[Term, ...]]:
    """A variable for every argument; arguments of one predicate have different ones."""
    place = {
        argument: (p, i) for p, arguments in system.arguments.items() for i, argument in enumerate(arguments)
    }
    weights: dict[tuple[Argument, Argument], int] = {}
    for step in steps:
        if step.source is not None and step.target is not None:
            for index, term in enumerate(step.results):
                if term in place:
                    pair = (place[term], (step.target, index))
                    weights[pair] = weights.get(pair, 0) + 1
    group: dict[Argument, dict[FunctionSymbol, int]] = {place[x]: {place[x][0]: place[x][1]} for x in place}
    for (left, right), _ in sorted(weights.items(), key=lambda item: -item[1]):
        one, other = group[left], group[right]
        if one is not other and one.keys().isdisjoint(other):
            one |= other
            for member in other.items():
                group[member] = one
    names: dict[int, Term] = {}
    taken: set[str] = set()
    for (predicate, index), members in group.items():
        if id(members) not in names:
            names[id(members)] = _name(predicate, index, taken)
    return {p: tuple(names[id(group[p, i])] for i in range(len(p.domain))) for p in system.predicates}


def _name(predicate: FunctionSymbol, index: int, taken: set[str]) -> Term:
    stem = f"{predicate.name}.{index}".translate(str.maketrans("'@!", "___"))
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    taken.add(name)
    return var(name, predicate.domain[index])
