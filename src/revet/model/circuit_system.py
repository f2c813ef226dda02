"""A circuit as a transition system, so that every engine and the general checker can take it.

Bad literals and constraints may depend on the inputs of a step, but properties and invariants of
a transition system speak about states. So an input that occurs in one of them becomes a state
variable which holds the input of the *current* step, and each step draws the next one. Runs keep
their lengths. The other inputs stay inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from revet.logic.core import and_, boolean, conjunction, not_, var
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.model.circuit import ANY, Circuit
from revet.model.relation import Relation
from revet.model.system import TransitionSystem


@dataclass(frozen=True, eq=False)
class CircuitSystem:
    """``system`` and who is who: ``latches[n]``, and ``inputs[n]`` as seen within a step.

    ``drawn`` maps an input that became a state variable to the system's input that it takes its
    next value from.
    """

    system: TransitionSystem
    latches: tuple[Term, ...]
    inputs: tuple[Term, ...]
    drawn: Mapping[Term, Term]


def system_of(circuit: Circuit) -> CircuitSystem:
    latches = tuple(var(f"l{n}", BOOL) for n in range(circuit.latches))
    inputs = tuple(var(f"i{n}", BOOL) for n in range(circuit.inputs))
    terms: list[Term] = [boolean(False), *inputs, *latches]

    def literal(number: int) -> Term:
        term = terms[number >> 1]
        return not_(term) if number & 1 else term

    for a, b in zip(circuit.left, circuit.right, strict=True):
        terms.append(and_(literal(a), literal(b)))
    observed = circuit.cone([*circuit.bad.values(), *circuit.constraints])
    drawn = {
        x: var(f"i{n}_next", BOOL) for n, x in enumerate(inputs) if observed[1 + n]
    }
    updates = {
        x: literal(number)
        for x, number in zip(latches, circuit.next, strict=True)
        if literal(number) is not x
    }
    step = Relation(
        boolean(True), {**updates, **drawn}, (*(x for x in inputs if x not in drawn), *drawn.values())
    )
    init = conjunction(
        x if reset else not_(x) for x, reset in zip(latches, circuit.reset, strict=True) if reset != ANY
    )
    system = TransitionSystem(
        (*latches, *drawn),
        init,
        step,
        {name: not_(literal(bad)) for name, bad in circuit.bad.items()},
        tuple(literal(number) for number in circuit.constraints),
        circuit.name,
    )
    return CircuitSystem(system, latches, inputs, drawn)
