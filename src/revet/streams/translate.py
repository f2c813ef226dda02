"""A specification as a transition system: one step is one instant.

The state holds the cells of all delays. A property over cells alone is checked on states; one that
looks at externs (or is made under assumptions that do) is recorded in a flag ``ok.<name>``, as the
Lustre front end does. Externs are inputs; assumptions guard the step.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from revet.logic import build as b
from revet.logic.sorts import BOOL
from revet.logic.terms import Op, Term
from revet.logic.walk import free_vars
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.streams.core import Apply, Cell, Constant, Delay, Extern, Node
from revet.streams.flatten import Flat, flatten, schedule
from revet.streams.functions import facts
from revet.streams.terms import operator_term

if TYPE_CHECKING:
    from revet.streams.spec import Property, Spec


@dataclass(frozen=True, eq=False)
class Translation:
    """``recorded``: the property's value at an instant is in the state after it."""

    system: TransitionSystem
    inputs: dict[str, Term]
    flat: Flat
    recorded: bool


def translate(spec: Spec, prop: Property) -> Translation:
    """For one property. ``exists(s)`` becomes the claim that s is always false."""
    flat = flatten([prop.formula, *spec.assumptions])
    terms = Terms(flat)
    formula, *assumptions = (terms[root] for root in flat.roots)
    goal = formula if prop.universal else b.not_(formula)
    updates, first = terms.memory()
    cells = frozenset(updates)
    state_only = [a for a in assumptions if free_vars(a) <= cells]
    guards = [a for a in assumptions if not free_vars(a) <= cells]
    recorded = bool(guards) or not free_vars(goal) <= cells
    if recorded:
        flag = b.var(f"ok.{prop.name}", BOOL)
        updates[flag] = goal
        first[flag] = b.TRUE
        goal = flag
    system = TransitionSystem(
        variables=tuple(updates),
        init=b.conjunction(b.eq(x, value) for x, value in first.items()),
        step=Relation(
            b.conjunction([*guards, *terms.functional()]),
            {x: value for x, value in updates.items() if value is not x},
            (*terms.inputs.values(), *terms.unknown.values()),
        ),
        properties={prop.name: goal},
        invariants=tuple(state_only),
        name=spec.name,
        positions={prop.name: prop.place},
    )
    return Translation(system, terms.inputs, flat, recorded)


class Terms:
    """The terms of flat expressions. Functions that the logic does not have become inputs, one for each
    application, unless they are ``kept``."""

    def __init__(self, flat: Flat, kept: bool = False) -> None:
        self.flat = flat
        self.kept = kept
        self.inputs = {
            name: b.var(f"in.{name}", node.type.sort) for name, node in flat.externs.items()
        }
        self.cells: dict[Delay, list[Term]] = {}
        for delay, name in flat.names.items():
            size = len(delay.buffer)
            suffixes = [""] if size == 1 else [f".{n}" for n in range(size)]
            self.cells[delay] = [b.var(name + suffix, delay.type.sort) for suffix in suffixes]
        self._terms: dict[Node, Term] = {}
        self.unknown: dict[Term, Term] = {}  # values of uninterpreted functions, by application
        for node in schedule([*flat.roots, *flat.updates.values()]):
            self._terms[node] = self._term(node)

    def __getitem__(self, node: Node) -> Term:
        return self._terms[node]

    def _term(self, node: Node) -> Term:
        match node:
            case Constant():
                return b.const(node.type.to_logic(node.value), node.type.sort)
            case Extern():
                return self.inputs[node.name]
            case Cell():
                return self.cells[node.delay][node.position]
            case Apply():
                args = [self._terms[arg] for arg in node.args]
                term = operator_term(node.operator, node.type, [a.type for a in node.args], args)
                return self._value_of(term) if term.op == Op.APPLY and not self.kept else term
        raise AssertionError(f"not flat: {node}")

    def _value_of(self, application: Term) -> Term:
        """Any value: an input, so that engines and traces need no interpretation of the function."""
        if application not in self.unknown:
            name = f"any.{application.payload.name}.{len(self.unknown)}"
            self.unknown[application] = b.var(name, application.sort)
        return self.unknown[application]

    def functional(self) -> list[Term]:
        """Within an instant a function gives equal values for equal arguments, and values in its range."""
        found = [fact for application, value in self.unknown.items() for fact in facts(application, value)]
        for (left, x), (right, y) in combinations(self.unknown.items(), 2):
            if left.payload == right.payload:
                same = b.conjunction(b.eq(p, q) for p, q in zip(left.args, right.args, strict=True))
                found.append(b.implies(same, b.eq(x, y)))
        return found

    def memory(self) -> tuple[dict[Term, Term], dict[Term, Term]]:
        """Next values of the cells, and their first ones."""
        updates: dict[Term, Term] = {}
        first: dict[Term, Term] = {}
        for delay, cells in self.cells.items():
            nexts = [*cells[1:], self._terms[self.flat.updates[delay]]]
            updates.update(zip(cells, nexts, strict=True))
            for cell, value in zip(cells, delay.buffer, strict=True):
                first[cell] = b.const(delay.type.to_logic(value), delay.type.sort)
        return updates, first
