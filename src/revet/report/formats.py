"""Models in the notations of other tools: VMT-LIB, MoXI, BTOR2 and Horn clauses in SMT-LIB.

Every model of terms can be written in the first two and as clauses (an automaton becomes a transition system,
and one predicate a location as clauses), in BTOR2 if it has bit-vectors and arrays of them only. What is
written is read back as a model with the same verdict.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from revet.errors import ModelError
from revet.frontends.btor2.writer import write_btor2
from revet.logic.core import and_, apply, not_, or_, var
from revet.logic.smtlib_ops import OPERATORS
from revet.logic.smtlib_print import print_term, sort_declarations, sort_text, symbol
from revet.logic.smtlib_terms import CONSTANTS
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, FunctionSymbol, Term
from revet.logic.walk import substitute
from revet.model.cfa import Cfa
from revet.model.circuit import Circuit
from revet.model.horn import HornSystem
from revet.model.kind import Model
from revet.model.names import prime
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.transform.to_system import to_bits, to_system

_PRIMED = re.compile(r"\|([A-Za-z~!@$%^&*_+=<>.?/\-][A-Za-z0-9~!@$%^&*_+=<>.?/\-]*)'\|")


def vmt(model: Model) -> str:
    """The model as VMT-LIB; inputs are constants without a next value."""
    system = _legible(as_system(model))
    lines = _sorts(system)
    nexts = {x: _next(x, system) for x in system.variables}
    taken = {x.name for x in (*system.variables, *nexts.values(), *system.inputs)}
    for x in (*system.variables, *nexts.values(), *system.inputs):
        lines.append(f"(declare-fun {symbol(x.name)} () {sort_text(x.sort)})")
    for number, (x, new) in enumerate(nexts.items()):
        what = f"(! {symbol(x.name)} :next {symbol(new.name)})"
        name = _fresh_name(f".variable{number}", taken)
        lines.append(f"(define-fun {name} () {sort_text(x.sort)} {what})")
    primed = {prime(x): new for x, new in nexts.items()}
    lines.append(_marked(_fresh_name(".init", taken), and_(system.init, system.invariant), ":init true"))
    lines.append(_marked(_fresh_name(".trans", taken), substitute(system.trans, primed), ":trans true"))
    for number, (name, formula) in enumerate(system.properties.items()):
        lines.append(f"; property {number} is {name!r}")
        lines.append(_marked(_fresh_name(f".property{number}", taken), formula, f":invar-property {number}"))
    return "\n".join(lines)


def moxi(model: Model) -> str:
    """The model as MoXI, with a query for every property.

    MoXI's runs go on for a step after the state that is asked for. Where a step is not always possible, the
    system may stop instead (``.ended``)."""
    system = _legible(as_system(model))
    taken = {x.name for x in (*system.variables, *system.inputs)}
    init, trans, always, bad = system.init, _primed_step(system), system.invariant, TRUE
    local = list(system.variables)
    if system.step.guard is not TRUE:
        ended = var(_fresh_name(".ended", taken), BOOL)
        local.append(ended)
        init, trans = and_(init, not_(ended)), or_(prime(ended), and_(not_(ended), trans))
        always, bad = or_(ended, always), not_(ended)
    lines = ["(set-logic ALL)", *_sorts(system), "(define-system System"]
    lines.append(f"  :input ({_sorted(system.inputs)})\n  :local ({_sorted(local)})")
    for keyword, formula in ((":init", init), (":trans", trans), (":inv", always)):
        if formula is not TRUE:
            lines.append(f"  {keyword} {_moxi_text(formula)}")
    lines[-1] += ")"
    lines.append(f"(check-system System\n  :input ({_sorted(system.inputs)})\n  :local ({_sorted(local)})")
    for number, (name, formula) in enumerate(system.properties.items()):
        condition = _fresh_name(f"bad{number}", taken)
        lines.append(f"  :reachable ({condition} {_moxi_text(and_(bad, not_(formula)))})")
        lines.append(f"  :query (|{_inside_bars(name)}| ({condition}))")
    return "\n".join(lines) + ")"


def btor2(model: Model) -> str:
    """The model as BTOR2, if it has bit-vectors and arrays of them only."""
    return write_btor2(as_bits(model))


def _primed_step(system: TransitionSystem) -> Term:
    """One step over the variables, their primed copies and the inputs; invariants are not in it."""
    return system.step.formula(system.variables)


def _sorts(system: TransitionSystem) -> list[str]:
    return sort_declarations(x.sort for x in (*system.variables, *system.inputs))


def _sorted(variables: Iterable[Term]) -> str:
    return " ".join(f"({symbol(x.name)} {sort_text(x.sort)})" for x in variables)


def _moxi_text(formula: Term) -> str:
    """With ``x'`` for what SMT-LIB writes as ``|x'|``."""
    return _PRIMED.sub(r"\1'", print_term(formula))


def _inside_bars(name: str) -> str:
    return "".join("_" if c in "|\\" or not c.isprintable() else c for c in name) or "property"


def _fresh_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _legible(system: TransitionSystem) -> TransitionSystem:
    """The system with other names for variables that are called like operators of SMT-LIB."""
    taken = {x.name for x in (*system.variables, *system.inputs)}
    new = {
        x: var(_fresh_name(f"{x.name}_", taken), x.sort)
        for x in (*system.variables, *system.inputs) if x.name in OPERATORS or x.name in CONSTANTS
    }
    if not new:
        return system
    step = system.step
    updates = {new.get(x, x): substitute(value, new) for x, value in step.updates.items()}
    return TransitionSystem(
        tuple(new.get(x, x) for x in system.variables), substitute(system.init, new),
        Relation(substitute(step.guard, new), updates, tuple(new.get(x, x) for x in step.locals)),
        {name: substitute(one, new) for name, one in system.properties.items()},
        tuple(substitute(one, new) for one in system.invariants), system.name, system.positions,
    )


def as_system(model: Model) -> TransitionSystem:
    cfa = model.as_automaton()
    if cfa is not None:
        made: TransitionSystem = to_system(cfa).model
        return made
    system = model.as_system()
    if system is None:
        raise ModelError("Horn clauses that are not linear are no transition system")
    return system


def as_bits(model: Model) -> TransitionSystem:
    """The model as a transition system that adds no sorts of its own but bit-vectors."""
    cfa = model.as_automaton()
    if cfa is None:
        return as_system(model)
    made: TransitionSystem = to_bits(cfa).model
    return made


def _next(x: Term, system: TransitionSystem) -> Term:
    taken = {other.name for other in (*system.variables, *system.inputs)}
    name = f"{x.name}.next"
    while name in taken:
        name += "_"
    return var(name, x.sort)


def _marked(name: str, formula: Term, annotation: str) -> str:
    return f"(define-fun {name} () Bool (! {print_term(formula)} {annotation}))"


# ---------------------------------------------------------------------- Horn clauses


def chc(model: Model) -> str:
    """The model as Horn clauses: unsatisfiable if and only if it is unsafe."""
    return model.accept(_Clauses())


class _Clauses:
    """Horn clauses of each kind of model."""

    def clauses(self, clauses: HornSystem) -> str:
        return _script(clauses.predicates, [
            _Rule(clause.body, clause.constraint, clause.head, clause.variables) for clause in clauses.clauses
        ])

    def automaton(self, cfa: Cfa) -> str:
        return _automaton(cfa)

    def system(self, system: TransitionSystem) -> str:
        return _system(system)

    def circuit(self, circuit: Circuit) -> str:
        return self.system(circuit.as_system())


class _Rule(NamedTuple):
    body: tuple[Term, ...]
    constraint: Term
    head: Term | None
    variables: tuple[Term, ...]

    def legible(self, taken: Collection[str]) -> _Rule:
        """With other names for variables that are called like something that is applied."""
        names = {x.name for x in self.variables} | set(taken)
        new = {x: var(_fresh_name(f"{x.name}_", names), x.sort) for x in self.variables if x.name in taken}
        if not new:
            return self
        head = None if self.head is None else substitute(self.head, new)
        body = tuple(substitute(atom, new) for atom in self.body)
        variables = tuple(new.get(x, x) for x in self.variables)
        return _Rule(body, substitute(self.constraint, new), head, variables)


def _script(predicates: Iterable[FunctionSymbol], rules: Iterable[_Rule]) -> str:
    predicates, rules = list(predicates), list(rules)
    sorts = [sort for predicate in predicates for sort in predicate.domain]
    sorts += [x.sort for rule in rules for x in rule.variables]
    lines = ["(set-logic HORN)", *sort_declarations(sorts)]
    taken = {*OPERATORS, *CONSTANTS}
    for predicate in predicates:
        taken.add(predicate.name)
        domain = " ".join(map(sort_text, predicate.domain))
        lines.append(f"(declare-fun {symbol(predicate.name)} ({domain}) Bool)")
    for body, constraint, head, variables in (rule.legible(taken) for rule in rules):
        parts = [print_term(atom) for atom in body]
        if constraint is not TRUE or not parts:
            parts.append(print_term(constraint))
        premise = parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"
        clause = f"(=> {premise} {'false' if head is None else print_term(head)})"
        if variables:
            clause = f"(forall ({_sorted(variables)}) {clause})"
        lines.append(f"(assert {clause})")
    return "\n".join([*lines, "(check-sat)"])


def _system(system: TransitionSystem) -> str:
    known = system.variables
    after = tuple(prime(x) for x in known)
    state = FunctionSymbol("state", [x.sort for x in known], BOOL)
    here = apply(state, *known)
    return _script([state], [
        _Rule((), and_(system.init, system.invariant), here, known),
        _Rule((here,), system.trans, apply(state, *after), (*known, *after, *system.inputs)),
        _Rule((here,), not_(system.property), None, known),
    ])


def _automaton(cfa: Cfa) -> str:
    domain = [x.sort for x in cfa.variables]
    at = {place: FunctionSymbol(f"at {place.name}", domain, BOOL) for place in cfa.locations}
    rules = [_Rule((), cfa.precondition, apply(at[cfa.initial], *cfa.variables), cfa.variables)]
    for edge in cfa.edges:
        relation = cfa.relation(edge)
        after = [relation.after(x) for x in cfa.variables]
        here = apply(at[edge.source], *cfa.variables)
        bound = (*cfa.variables, *relation.locals)
        rules.append(_Rule((here,), relation.guard, apply(at[edge.target], *after), bound))
    rules += [_Rule((apply(at[place], *cfa.variables),), TRUE, None, cfa.variables) for place in cfa.errors]
    return _script(at.values(), rules)
