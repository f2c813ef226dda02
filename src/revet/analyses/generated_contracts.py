"""A contract for a node from invariants that are found: what always holds between its inputs and outputs.

The system is given one more state variable for each input and output, with its value at the last instant;
the generator of invariants (:mod:`revet.invariants`) looks for facts, and those that speak of these variables
alone become guarantees. All of them together are checked like any certificate before they are shown.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from revet.analyses.questions import Asked
from revet.budget import OutOfBudget
from revet.checker.certificate import check_certificate
from revet.frontends.lustre.texts import lustre_text
from revet.invariants.generator import Generator
from revet.logic.core import and_, not_, or_, var
from revet.logic.terms import FALSE, TRUE
from revet.logic.walk import free_vars, substitute
from revet.model.relation import Relation
from revet.report.document import Code, Heading, Paragraph
from revet.result.certificate import KInductive
from revet.smt.protocol import Status
from revet.smt.z3 import Z3

if TYPE_CHECKING:
    from pathlib import Path

    from revet.logic.terms import Term
    from revet.model.system import TransitionSystem
    from revet.report.document import Block

_MOST = 30  # guarantees


@dataclass(frozen=True)
class Contract:
    node: str
    text: str
    guarantees: tuple[str, ...]
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    def blocks(self) -> list[Block]:
        title = f"node {self.node}: {len(self.guarantees)} guarantees"
        found: list[Block] = [Heading(title)]
        if self.guarantees:
            found.append(Code(self.text))
        return [*found, *map(Paragraph, self.notes)]

    def data(self) -> dict[str, Any]:
        return {
            "node": self.node, "contract": self.text, "guarantees": list(self.guarantees),
            "notes": list(self.notes), "seconds": round(self.seconds, 3),
        }


def generate_contract(path: Path, node: str | None = None, timeout: float | None = None) -> Contract:
    """What was found within the time; the assumptions that the node has are taken for granted."""
    start = time.monotonic()
    asked = Asked(path, node, timeout)
    program = asked.program()
    inputs, outputs = program.interface()
    recorded = {name: var(f"last.{name}", term.sort) for name, term in {**inputs, **outputs}.items()}
    system = _recording(program.system, {recorded[n]: term for n, term in {**inputs, **outputs}.items()})
    facts, notes = _facts(system, asked)
    spoken = {last: name for name, last in recorded.items()}
    results = {recorded[name] for name in outputs}
    wanted = [
        fact
        for fact in facts
        if (about := _now(fact, system)) is not TRUE
        and free_vars(about) <= spoken.keys() and free_vars(about) & results
        and lustre_text(about, spoken) is not None
    ]
    chosen = _needed([_now(fact, system) for fact in wanted], asked)
    if len(chosen) > _MOST:
        notes.append(f"{len(chosen) - _MOST} more are left out")
        chosen = chosen[:_MOST]
    if not _accepted(system, facts, chosen, asked):
        chosen = []
        notes.append("the facts that were found could not be confirmed")
    guarantees = tuple(text for fact in chosen if (text := lustre_text(fact, spoken)) is not None)
    seconds = time.monotonic() - start
    return Contract(asked.node, program.contract_text(guarantees), guarantees, tuple(notes), seconds)


def _recording(system: TransitionSystem, values: dict[Term, Term]) -> TransitionSystem:
    """The same system with the interface's values of the last instant, and no properties."""
    step = Relation(system.step.guard, {**system.step.updates, **values}, system.step.locals)
    return replace(system, variables=(*system.variables, *values), step=step, properties={})


def _facts(system: TransitionSystem, asked: Asked) -> tuple[list[Term], list[str]]:
    generator = Generator(system, Z3(), asked.budget)
    try:
        while not generator.exhausted:
            generator.advance()
    except OutOfBudget:
        return list(generator.found), ["time is up: there may be others"]
    return list(generator.found), []


def _now(fact: Term, system: TransitionSystem) -> Term:
    """What a fact says after an instant: then the flag of the first one is false."""
    first = next((x for x in system.variables if x.name == "first"), None)
    return fact if first is None else substitute(fact, {first: FALSE})


def _needed(facts: list[Term], asked: Asked) -> list[Term]:
    """Without those that the others imply."""
    kept = list(dict.fromkeys(facts))
    solver = Z3().solver(budget=asked.budget)
    for fact in reversed(list(kept)):
        others = [other for other in kept if other is not fact]
        if solver.check([*others, not_(fact)]) is Status.UNSAT:
            kept = others
    return kept


def _accepted(system: TransitionSystem, facts: list[Term], chosen: list[Term], asked: Asked) -> bool:
    """All facts together are inductive, and after the first instant they imply what was chosen."""
    first = next((x for x in system.variables if x.name == "first"), None)
    goals = {str(n): goal if first is None else or_(first, goal) for n, goal in enumerate(chosen)}
    about = replace(system, properties=goals)
    return check_certificate(about, KInductive(and_(*facts)), budget=asked.budget).accepted
