"""Models as text: what the engines see, for people."""

from __future__ import annotations

from itertools import count

from revet.logic.terms import TRUE
from revet.logic.walk import substitute
from revet.model.cfa import Cfa
from revet.model.circuit import Circuit
from revet.model.horn import HornSystem
from revet.model.kind import Model
from revet.model.names import prime
from revet.model.statements import Block, Statement
from revet.model.system import TransitionSystem


def model_text(model: Model) -> str:
    return "\n".join(model.accept(_Lines()))


class _Lines:
    """The text of each kind of model."""

    def automaton(self, cfa: Cfa) -> list[str]:
        return _automaton(cfa)

    def system(self, system: TransitionSystem) -> list[str]:
        return _system(system)

    def circuit(self, circuit: Circuit) -> list[str]:
        return _circuit(circuit)

    def clauses(self, clauses: HornSystem) -> list[str]:
        return _clauses(clauses)


def _clauses(system: HornSystem) -> list[str]:
    kind = "linear" if system.linear else "non-linear"
    lines = [f"{kind} Horn clauses {system.name}: {len(system.clauses)} clauses", "predicates"]
    for predicate in system.predicates:
        lines.append(f"  {predicate.name}({', '.join(map(str, predicate.domain))})")
    lines.append("clauses")
    return lines + [f"  {number}: {clause}" for number, clause in enumerate(system.clauses, 1)]


def _automaton(cfa: Cfa) -> list[str]:
    lines = [f"automaton {cfa.name}: {len(cfa.locations)} locations, {len(cfa.edges)} edges"]
    lines.append("variables")
    lines += [f"  {variable.name}: {variable.sort}" for variable in cfa.variables]
    lines.append(f"initial {cfa.initial.name}" + (
        f" where {cfa.precondition}" if str(cfa.precondition) != "true" else ""))
    lines.append("errors  " + (", ".join(location.name for location in cfa.errors) or "none"))
    lines.append("edges")
    for edge in cfa.edges:
        place = f"   ({edge.position.file}:{edge.position.line})" if edge.position else ""
        lines.append(f"  {edge.source} -> {edge.target}: {_label(edge.statements) or 'skip'}{place}")
    return lines


def _label(statements: tuple[Statement, ...]) -> str:
    parts = []
    for statement in statements:
        if isinstance(statement, Block):
            relation = statement.relation
            parts.append(f"[{relation.guard!r}]")
            parts += [f"{variable.name} := {value!r}" for variable, value in relation.updates.items()]
        else:
            parts.append(str(statement))
    return "; ".join(parts)


def _circuit(circuit: Circuit) -> list[str]:
    def literal(number: int) -> str:
        signal = number >> 1
        if not signal:
            return "true" if number & 1 else "false"
        name = circuit.name_of(signal) if signal < circuit.first_gate else f"g{signal}"
        return f"¬{name}" if number & 1 else name

    lines = [
        f"circuit {circuit.name}: {circuit.inputs} inputs, {circuit.latches} latches, {circuit.gates} gates"
    ]
    lines += [
        f"  {circuit.name_of(circuit.first_latch + n)} starts {'01*'[reset]}, then {literal(after)}"
        for n, (after, reset) in enumerate(zip(circuit.next, circuit.reset, strict=True))
    ]
    lines += [
        f"  g{gate} = {literal(a)} ∧ {literal(b)}"
        for gate, (a, b) in enumerate(zip(circuit.left, circuit.right, strict=True), circuit.first_gate)
    ]
    lines += [f"  constraint {literal(number)}" for number in circuit.constraints]
    lines += [f"  bad {name}: {literal(number)}" for name, number in circuit.bad.items()]
    return lines


def relation_text(cfa: Cfa) -> str:
    """The automaton's transition system as the literature writes it: a variable for the location, and a
    disjunct for each edge. (Engines get the same relation with a Boolean input for each edge, and numbers
    for the locations: ``show --format vmt`` prints that.)"""
    names = {x.name for x in cfa.variables}
    location = next(name for n in count() if (name := f"location{n or ''}") not in names)
    lines = [f"transition system {cfa.name}", "variables"]
    lines.append(f"  {location}: one of {', '.join(place.name for place in cfa.locations)}")
    lines += [f"  {variable.name}: {variable.sort}" for variable in cfa.variables]
    start = "" if cfa.precondition is TRUE else f" and {cfa.precondition}"
    lines += ["init", f"  {location} = {cfa.initial.name}{start}", "trans, a disjunct an edge"]
    for edge in cfa.edges:
        relation = cfa.relation(edge)
        after = {local: prime(x) for x, local in relation.updates.items() if local in relation.locals}
        parts = [f"{location} = {edge.source.name}"]
        if relation.guard is not TRUE:
            parts.append(str(substitute(relation.guard, after)))
        for x in cfa.variables:
            value = substitute(relation.after(x), after)
            if value is not prime(x):  # a variable that gets any value is not mentioned
                parts.append(f"{x.name}' = {value}")
        lines.append(f"  {' and '.join(parts)} and {location}' = {edge.target.name}")
    for error in cfa.errors:
        lines += [f"property {error.name}", f"  {location} != {error.name}"]
    return "\n".join(lines)


def _system(system: TransitionSystem) -> list[str]:
    lines = [f"transition system {system.name}", "variables"]
    lines += [f"  {variable.name}: {variable.sort}" for variable in system.variables]
    if system.inputs:
        lines.append("inputs")
        lines += [f"  {variable.name}: {variable.sort}" for variable in system.inputs]
    lines += ["init", f"  {system.init}", "trans", f"  {system.step.guard}"]
    lines += [f"  {variable.name}' = {value}" for variable, value in system.step.updates.items()]
    for formula in system.invariants:
        lines += ["invariant (assumed)", f"  {formula}"]
    for name, formula in system.properties.items():
        lines += [f"property {name}", f"  {formula}"]
    return lines
