"""The contract of a node as a game: the environment chooses inputs, the node outputs; its body counts for
nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from revet.errors import InputError
from revet.frontends.lustre.core import Choice, Expr, Free, Node, Program
from revet.frontends.lustre.lower import Lowering
from revet.frontends.lustre.lower_context import Context, Instance
from revet.frontends.lustre.shapes import Value, terms
from revet.logic import build as b
from revet.logic.sorts import ArraySort
from revet.logic.walk import free_vars
from revet.model.game import SafetyGame

if TYPE_CHECKING:
    from revet.logic.terms import Term

LEGAL = "types of the outputs"
"""The guarantee that outputs are values of their types."""


class ContractLowering(Lowering):
    """Lowers the contract of one node of a program, with outputs that may be anything.

    Assumptions, and the types of inputs, bind the environment; guarantees, ensured modes and the types of
    outputs and of ghost variables bind the node. That modes cover all cases is not a question of
    realizability. What nobody chooses (the value of a ``pre`` at the first instant, free constants) is the
    environment's; ``any`` and ``choose`` in contracts, and calls of nodes that restrict their own inputs,
    are refused.
    """

    def __init__(self, program: Program, node: Node) -> None:
        if not node.contract and not node.guarantees:
            raise InputError(f"node {node.name} has no contract", node.position, program.line(node.position))
        ghosts = {stream.name for stream in node.ghosts}
        self.node = replace(
            node, imported=True, function=False, properties=[], asserts=[], locals=[], modes=[],
            definitions={name: value for name, value in node.definitions.items() if name in ghosts},
        )
        super().__init__(replace(program, tops=[self.node]))

    def game(self) -> SafetyGame:
        self._parameters()
        top = Instance(self.node, "", None)
        top.context = Context(top, b.TRUE, lambda: self.first)
        self.tops.append(top)
        self.instances.append(top)
        self._oblige_top(top)
        self._complete()
        self._name_obligations()
        outputs = tuple(x for s in self.node.outputs for x in terms(self.stream(top, s.name)))
        guarantees = {
            o.name: o.value
            for o in self.obligations
            if o.instance is top
            and (o.formula in self._guaranteed or not free_vars(o.value).isdisjoint(outputs))
        }
        return self._assemble(top, outputs, guarantees)

    @property
    def _guaranteed(self) -> set[Expr | None]:
        return {clause.formula for clause in self.node.guarantees}

    def _assemble(
        self, top: Instance, outputs: tuple[Term, ...], guarantees: dict[str, Term]
    ) -> SafetyGame:
        given = [*self.givens.get(top, ()), *self.definitions]
        legal = b.conjunction(f for f in given if not free_vars(f).isdisjoint(outputs))
        assumption = b.conjunction(f for f in given if free_vars(f).isdisjoint(outputs))
        if legal is not b.TRUE:
            guarantees[LEGAL] = legal
        formulas = [assumption, *guarantees.values(), *self.updates.values(), *self.init]
        chosen = (*self.inputs, *outputs)
        if any(f.quantified for f in formulas) or any(isinstance(x.sort, ArraySort) for x in chosen):
            raise self.unsupported(
                "realizability of a contract with quantifiers, sets, maps or arrays of unknown size",
                self.node.position,
            )
        return SafetyGame(
            tuple(self.updates),
            tuple(x for x in self.inputs if x not in outputs),
            outputs,
            b.conjunction(self.init),
            assumption,
            guarantees,
            {x: value for x, value in self.updates.items() if value is not x},
        )

    def give(self, formula: Term, context: Context, trusted: bool = False) -> None:
        if context.instance.node is not self.node and context.instance.node.name and formula is not b.TRUE:
            node = context.instance.node
            message = f"a contract that calls {node.name}, which restricts its inputs"
            raise self.unsupported(message, node.position)
        super().give(formula, context, trusted)

    def _free(self, expr: Free, context: Context) -> Value:
        raise self.unsupported("'any' in a contract whose realizability is asked", expr.position)

    def _choose(self, expr: Choice, context: Context) -> Value:
        raise self.unsupported("'choose' in a contract whose realizability is asked", expr.position)
