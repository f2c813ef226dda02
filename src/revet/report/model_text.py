"""Models as text: what the engines see, for people."""

from __future__ import annotations

from revet.model.cfa import Cfa
from revet.model.circuit import Circuit
from revet.model.statements import Block, Statement
from revet.model.system import TransitionSystem
from revet.transform.reduction import Model


def model_text(model: Model) -> str:
    if isinstance(model, Circuit):
        return "\n".join(_circuit(model))
    return "\n".join(_automaton(model) if isinstance(model, Cfa) else _system(model))


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
