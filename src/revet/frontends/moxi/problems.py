"""Queries as questions about transition systems.

A query with conditions R1 … Rn has a run if there are states s0, s1, …, s(m+1) with m >= 0 such that s0
is initial, the transition and invariance conditions and the assumptions hold at steps 0 … m (a step is a
state and the one after it), and each Ri holds at one of them. In general a Boolean for every Ri remembers
that it has held (``reached Ri``), and the property says that they are never all true. The usual query needs
none: if it has one condition about states only, and every state has a successor, then the property is that
condition's negation.

Queries with the same system, assumptions and initial condition make one problem. A file with several of them
is one system that chooses at its start which of them it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from revet.errors import Position
from revet.frontends.kit.relations import Formulas, plain_name
from revet.frontends.moxi.systems import Query, Script
from revet.logic.arith import le
from revet.logic.core import and_, conjunction, const, eq, implies, integer, not_, or_, var
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import TRUE, Term
from revet.logic.walk import free_vars_of, substitute
from revet.model.names import prime
from revet.model.relation import Relation
from revet.model.system import TransitionSystem


@dataclass
class Problem:
    """Queries about one system. The formulas are those of the file over the model's variables, where an
    enumerated value is its number; ``words`` has the names of the values of such variables."""

    queries: list[Query]
    variables: dict[Term, Term] = field(default_factory=dict)
    words: dict[Term, tuple[str, ...]] = field(default_factory=dict)
    init: list[Term] = field(default_factory=list)
    trans: list[Term] = field(default_factory=list)
    inv: list[Term] = field(default_factory=list)
    assumptions: list[Term] = field(default_factory=list)
    targets: dict[str, Term] = field(default_factory=dict)
    model: TransitionSystem = field(init=False)
    direct: bool = False
    """Does a run of the model end before the last step, whose end every state has?"""

    @property
    def ranges(self) -> list[Term]:
        return [and_(le(integer(0), x), le(x, integer(len(w) - 1))) for x, w in self.words.items()]


def problems(script: Script, queries: Sequence[Query]) -> list[Problem]:
    groups: dict[tuple[object, ...], list[Query]] = {}
    for query in queries:
        key = (query.check, query.init, frozenset(query.assumptions))
        groups.setdefault(key, []).append(query)
    return [_problem(script, group) for group in groups.values()]


def _problem(script: Script, queries: list[Query]) -> Problem:
    query, system = queries[0], queries[0].system
    targets = {label: formula for one in queries for label, formula in one.targets.items()}
    formulas = [*query.init, *system.trans, *system.inv, *query.assumptions, *targets.values()]
    used = free_vars_of(formulas)
    constants = [c for c in script.constants if c in used]
    found = Problem(queries)
    renamed = _renamed(script, query, constants, found)

    def translated(terms: Sequence[Term]) -> list[Term]:
        return [substitute(term, renamed, memo) for term in terms]

    memo: dict[Term, Term] = {}
    found.init = translated(query.init)
    found.trans = [*translated(system.trans), *(eq(prime(renamed[c]), renamed[c]) for c in constants)]
    found.inv = translated(system.inv)
    found.assumptions = translated(query.assumptions)
    found.targets = dict(zip(targets, translated(list(targets.values())), strict=True))
    simple = _simple(found)
    found.direct = simple is not None
    found.model = simple or _remembering(found)
    return found


def _renamed(script: Script, query: Query, constants: list[Term], found: Problem) -> dict[Term, Term]:
    """What stands for variables, their next values and enumerated values."""
    taken: set[str] = set()
    renamed: dict[Term, Term] = {}
    for sort, words in script.enumerations.items():
        renamed |= {const(number, sort): integer(number) for number in range(len(words))}
    for x in (*query.system.variables, *constants):
        name = plain_name(query.names.get(x, x.name.removesuffix("!const")), taken)
        words = script.enumerations.get(x.sort, ())
        new = var(name, INT if words else x.sort)
        if words:
            found.words[new] = words
        found.variables[x] = renamed[x] = new
        renamed[prime(x)] = prime(new)
    return renamed


def _simple(problem: Problem) -> TransitionSystem | None:
    """The model without memory, where it means the same."""
    variables = list(problem.variables.values())
    about_states = free_vars_of([*problem.assumptions, *problem.targets.values()]).issubset(variables)
    if not about_states or any(len(query.targets) != 1 for query in problem.queries):
        return None
    bad = {query.name: not_(problem.targets[next(iter(query.targets))]) for query in problem.queries}
    always = [*problem.inv, *problem.assumptions, *problem.ranges]
    made = _formulas(problem, variables, problem.init, problem.trans, always, bad)
    return made if made.step.guard is TRUE else None


def _remembering(problem: Problem) -> TransitionSystem:
    taken = {x.name for x in problem.variables.values()}
    seen = {label: var(plain_name(f"reached {label}", taken), BOOL) for label in problem.targets}
    for query in problem.queries:
        if not query.targets:  # any step will do
            seen.setdefault("", var(plain_name("moved", taken), BOOL))
    trans = [*problem.trans, *problem.inv, *problem.assumptions]
    trans += [eq(prime(x), or_(x, problem.targets.get(label, TRUE))) for label, x in seen.items()]
    init = [*problem.init, *map(not_, seen.values())]
    bad = {
        query.name: not_(and_(*(seen[label] for label in query.targets or [""]))) for query in problem.queries
    }
    variables = [*problem.variables.values(), *seen.values()]
    return _formulas(problem, variables, init, trans, problem.ranges, bad)


def _formulas(
    problem: Problem, variables: list[Term], init: list[Term], trans: list[Term], always: list[Term],
    properties: dict[str, Term],
) -> TransitionSystem:
    positions = {query.name: query.position for query in problem.queries}
    name = problem.queries[0].system.name
    return Formulas(name, variables, init, trans, always, properties, positions).system()


@dataclass(frozen=True)
class Union:
    """Several problems as one system; ``copies[n]`` maps the variables of problem n to those in it."""

    model: TransitionSystem
    copies: tuple[dict[Term, Term], ...]


def union(parts: Sequence[Problem]) -> Union:
    """A system that is, for the whole of a run, one of the problems."""
    chosen = var("problem", INT)
    init = [le(integer(0), chosen), le(chosen, integer(len(parts) - 1))]
    always, guards, inputs = list[Term](), list[Term](), list[Term]()
    updates, properties, positions = dict[Term, Term](), dict[str, Term](), dict[str, Position]()
    copies: list[dict[Term, Term]] = []
    for number, part in enumerate(parts):
        model, mine = part.model, eq(chosen, integer(number))
        copy = {x: var(f"{number}.{x.name}", x.sort) for x in (*model.variables, *model.inputs)}
        copies.append({x: copy[x] for x in model.variables})
        init.append(implies(mine, substitute(model.init, copy)))
        always += [implies(mine, substitute(one, copy)) for one in model.invariants]
        guards.append(implies(mine, substitute(model.step.guard, copy)))
        updates |= {copy[x]: substitute(value, copy) for x, value in model.step.updates.items()}
        inputs += [copy[x] for x in model.inputs]
        properties |= {name: implies(mine, substitute(one, copy)) for name, one in model.properties.items()}
        positions |= model.positions
    variables = (chosen, *(x for copy in copies for x in copy.values()))
    step = Relation(conjunction(guards), updates, tuple(inputs))
    together = TransitionSystem(
        variables, conjunction(init), step, properties, tuple(always), "queries", positions
    )
    return Union(together, tuple(copies))
