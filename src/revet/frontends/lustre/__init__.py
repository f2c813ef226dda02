"""Lustre, in KIND 2's dialect: see ``docs/lustre.md`` for what is read.

The passes: :mod:`.parser` (text to syntax tree), :mod:`.check` (to the typed program, :mod:`.core`), and
from there independently of each other :mod:`.interpret` (the reference semantics) and :mod:`.lower` (to a
transition system). :mod:`.replay` has the interpreter judge the counterexamples of the system.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from revet.budget import Budget
from revet.errors import InputError, UsageError
from revet.frontends.kit.deep import at_any_depth
from revet.frontends.kit.source_run import StreamTable
from revet.frontends.lustre.check import typecheck
from revet.frontends.lustre.contract_alone import contract_alone, contracts_alone
from revet.frontends.lustre.core import Node, Stream
from revet.frontends.lustre.core import Program as Typed
from revet.frontends.lustre.lower import Lowering
from revet.frontends.lustre.lower_context import Obligation
from revet.frontends.lustre.parser import parse
from revet.frontends.lustre.replay import Replay
from revet.frontends.lustre.texts import leaves
from revet.frontends.lustre.walk import has_obligations
from revet.frontends.program import Program, TellsRuns
from revet.logic import build as b
from revet.logic.terms import Term
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result.trace import Trace

OPTIONS = ("node", "abstract")


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> LustreProgram:
    """Read one file; the properties are those of its top nodes.

    For compositional checking ``options`` name another ``node`` to look at, and the nodes that are
    ``abstract``: only their contracts count.
    """
    if len(paths) > 1:
        raise UsageError("give one Lustre file at a time")
    abstract = frozenset(options.get("abstract", ()))
    typed = read(paths[0], options.get("node"), abstract)
    return LustreProgram(typed, Lowering(typed, abstract, contracts_alone(typed.tops)), paths[0])


class LustreProgram(Program, TellsRuns):
    """``contracts`` names the nodes whose contracts stand for their bodies; ``own`` the properties of the top
    nodes themselves, without those of the nodes that they call."""

    model: TransitionSystem
    language = "lustre"
    judges_quantifiers = True

    def __init__(self, typed: Typed, lowering: Lowering, path: Path) -> None:
        system = lowering.system()
        abstract = lowering.abstract
        outside = {
            i.node.name
            for i in lowering.instances
            if i.top is not None and i.node.contract and (i.node.imported or i.node.name in abstract)
        }
        notes = (
            *(f"imported node {name} keeps its contract" for name in sorted(outside - abstract)),
            *typed.warnings,
            *lowering.warnings,
            *(() if system.properties else ("there is no property to check",)),
        )
        super().__init__(system, (path,), notes)
        self.contracts = tuple(sorted(outside & abstract))
        tops = set(lowering.tops)
        self.own = tuple(o.name for o in lowering.obligations if o.instance in tops and o.site is None)
        self.reach = frozenset(obligation.name for obligation in lowering.obligations if obligation.reach)
        self._lowering = lowering
        self._replay = Replay(lowering)

    def restricted_to(self, *names: str) -> Self:
        """Where functions are checked separately, all that they owe belongs to whatever may rely on it."""
        owed = [o for o in self._lowering.obligations if o.top.node.separate and not o.reach]
        users = {(i.top or i) for i in self._lowering.instances if i.node.separate}
        asked = [self._replay.obligations[name] for name in names if name in self._replay.obligations]
        if any(one.top in users and not one.reach for one in asked):
            names = tuple(dict.fromkeys((*names, *(o.name for o in owed if o.name in self.property_names))))
        return super().restricted_to(*names)

    @property
    def tops(self) -> list[Node]:
        return [top.node for top in self._lowering.tops]

    @property
    def analysed(self) -> list[Node]:
        """The top nodes, and what is checked beside them: recursive functions, lemmas, contracts alone."""
        return [top.node for top in (*self._lowering.tops, *self._lowering.separate)]

    @property
    def obligations(self) -> list[Obligation]:
        """What is asked, in the order of the properties."""
        return [self._replay.obligations[name] for name in self.property_names]

    def called(self, top: Node) -> tuple[list[str], list[str]]:
        """The nodes below a top node: those that count with their bodies, those that are contracts only."""
        below = [i.node for i in self._lowering.instances if i.top is not None and i.top.node is top]
        outside = self._lowering.abstract
        names = dict.fromkeys(node.name for node in below)
        opaque = {node.name for node in below if node.imported or node.name in outside}
        return [n for n in names if n not in opaque], [n for n in names if n in opaque]

    @property
    def system(self) -> TransitionSystem:
        return self.model

    def interface(self) -> tuple[dict[str, Term], dict[str, Term]]:
        """Inputs and outputs of the only top node: the scalars that they are made of, and their terms."""
        (top,) = self._lowering.tops
        streams = ([s for s in top.node.inputs if not s.constant], top.node.outputs)

        def terms_of(group: Sequence[Stream]) -> dict[str, Term]:
            found = [leaves(s, self._lowering.stream(top, s.name)) for s in group]
            return {name: term for part in found for name, term in part.items()}

        return terms_of(streams[0]), terms_of(streams[1])

    def violation(self, property: str) -> Term:
        """Over the state and the inputs of an instant: the property is false at it."""
        flag = self._lowering.flags[property]
        return b.and_(self.system.step.guard, b.not_(self.system.step.after(flag)))

    def assuming(self, formula: Term) -> Self:
        """The same program, with a formula over the inputs of each instant taken for granted."""
        step = self.system.step
        guarded = Relation(b.and_(step.guard, formula), step.updates, step.locals)
        return self._about(replace(self.system, step=guarded))

    def contract_text(self, guarantees: Sequence[str]) -> str:
        """A contract node with the signature of the only top node, to be imported by it."""
        (top,) = self._lowering.tops
        node, name = top.node, f"{top.node.name.split('<')[0]}_spec"
        signature = [
            "; ".join(f"{s.name}: {s.type}" for s in streams) for streams in (node.inputs, node.outputs)
        ]
        arguments = [", ".join(s.name for s in streams) for streams in (node.inputs, node.outputs)]
        return "\n".join([
            f"contract {name}({signature[0]}) returns ({signature[1]});",
            "let",
            *(f"  guarantee {text};" for text in guarantees),
            "tel",
            f"-- in {node.name}: (*@contract import {name}({arguments[0]}) returns ({arguments[1]}); *)",
        ])

    @at_any_depth
    def rows(self, trace: Trace) -> tuple[Node, list[dict[str, Any]]]:
        """The top node that a counterexample is about, and the values of its streams at every instant."""
        return self._replay.rows(trace)

    @at_any_depth
    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        return self._replay.confirm(trace)

    @at_any_depth
    def render_trace(self, trace: Trace) -> str:
        return self._replay.render(trace)

    @at_any_depth
    def source_run(self, trace: Trace) -> StreamTable:
        return self._replay.streams(trace)


def read(
    path: Path, node: str | None = None, abstract: Collection[str] = (), imported: bool = False
) -> Typed:
    """Parse and check a file; ``node`` is looked at instead of the top nodes. Imported nodes are among them
    if that is wanted, else those with modes, by their contracts alone."""
    typed = typecheck(parse(path))
    known = {one.name: one for one in typed.nodes}
    for name in abstract:
        if name in known and not known[name].contract:
            raise InputError(f"node {name} has no contract to stand for it", known[name].position)
    if node is not None:
        if node not in known:
            raise InputError(f"{path}: there is no node {node}")
        typed.tops = [known[node]]
    if not imported:
        typed.tops = [
            contract_alone(one, one.name) if one.imported else one
            for one in typed.tops if one.modes or not one.imported
        ]
    if node is None and len(typed.tops) > 1:
        asked = [one for one in typed.tops if has_obligations(one)]
        typed.tops = asked or typed.tops[:1]
    return typed
