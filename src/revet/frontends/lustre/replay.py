"""Counterexamples of a Lustre program: confirmed by the interpreter, shown as tables of streams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from revet.frontends.kit.source_run import StreamTable, stream_text
from revet.frontends.lustre.core import Expr, Node, Select, Stream
from revet.frontends.lustre.interpret import Machine
from revet.frontends.lustre.interpret_quantifiers import Undecided
from revet.frontends.lustre.lower import Lowering
from revet.frontends.lustre.lower_context import Instance, Obligation
from revet.frontends.lustre.trace_oracle import TraceOracle
from revet.frontends.lustre.types import ArrayOf, Record, TupleOf, Type, plain
from revet.frontends.lustre.values import shown
from revet.frontends.program import ReplayFailed
from revet.result.trace import SystemTrace, Trace


class Replay:
    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self.obligations = {obligation.name: obligation for obligation in lowering.obligations}

    def _obligation(self, trace: SystemTrace) -> Obligation:
        if trace.violated not in self.obligations:
            raise ReplayFailed(f"the program has no property {trace.violated}")
        return self.obligations[trace.violated]

    def confirm(self, trace: Trace) -> list[str]:
        """Run the interpreter on the trace's inputs; the property must be false at the end."""
        assert isinstance(trace, SystemTrace)
        obligation = self._obligation(trace)
        try:
            rows, machine = self._run(trace, obligation)
        except Undecided as reason:
            raise ReplayFailed(f"the interpreter cannot decide {reason}") from None
        if not machine.held:
            raise ReplayFailed("an assertion or assumption of the program is false on the way")
        name, count = obligation.name, len(rows)
        if obligation.reach:
            if machine.truths != [True]:
                raise ReplayFailed(f"{name} is not reached at the last instant")
            return [f"{count} instants run by the Lustre interpreter: {name} is reached at the last"]
        if (obligation.instance.path, machine.watched) not in machine.false:
            raise ReplayFailed(f"property {name} holds at the last instant")
        return [f"{count} instants run by the Lustre interpreter: property {name} is false at the last"]

    def _run(self, trace: SystemTrace, obligation: Obligation) -> tuple[list[dict[str, Any]], Machine]:
        top = obligation.top
        oracle = TraceOracle(self.lowering, trace, top)
        watched: Expr | None = obligation.formula
        if obligation.site is not None and isinstance(obligation.site[1], Select):
            watched = obligation.site[1]
        machine = Machine(self.lowering.program, top.node, oracle, watched, self.lowering.abstract)
        wanted = [obligation.formula] if obligation.reach and obligation.formula is not None else []
        rows = []
        for instant in range(len(trace.inputs)):
            inputs = {s.name: oracle.input(s, instant) for s in top.node.inputs}
            rows.append(machine.step(inputs, wanted))
        return rows, machine

    def rows(self, trace: Trace) -> tuple[Node, list[dict[str, Any]]]:
        """The top node and the values of its streams at every instant."""
        assert isinstance(trace, SystemTrace)
        obligation = self._obligation(trace)
        return obligation.top.node, self._run(trace, obligation)[0]

    def streams(self, trace: Trace) -> StreamTable:
        """The streams of the top node as data, for reports."""
        assert isinstance(trace, SystemTrace)
        obligation = self._obligation(trace)
        rows, _ = self._run(trace, obligation)
        node = obligation.top.node
        outputs = [] if node.lemma else node.outputs
        groups = (("inputs", node.inputs), ("outputs", outputs), ("locals", node.written_locals))

        def rows_of(streams: Sequence[Stream]) -> tuple[tuple[str, tuple[str, ...]], ...]:
            found = [leaf for stream in streams for leaf in leaves(stream.name, plain(stream.type), rows)]
            return tuple((name, tuple(values)) for name, values in found)

        parameters = self._parameters(trace, obligation.top, len(rows))
        ending = "is reached" if obligation.reach else "is false"
        return StreamTable(
            (
                *((("parameters", parameters),) if parameters else ()),
                *((title, rows_of(streams)) for title, streams in groups if streams),
            ),
            f"property {trace.violated} {ending} at instant {len(rows) - 1}",
        )

    def _parameters(
        self, trace: SystemTrace, top: Instance, count: int
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        oracle = TraceOracle(self.lowering, trace, top)
        return tuple(
            (name, (shown(parameter.type, oracle.parameter(name, parameter.type)),) * count)
            for name, parameter in self.lowering.program.parameters.items()
        )

    def render(self, trace: Trace) -> str:
        return stream_text(self.streams(trace))


def leaves(name: str, type_: Type, rows: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """A stream of records or arrays as streams of their parts."""
    values = [row[name] for row in rows]

    def split(label: str, part: Type, column: list[Any]) -> list[tuple[str, list[str]]]:
        match plain(part):
            case Record(fields=fields):
                return [leaf for k, (f, t) in enumerate(fields)
                        for leaf in split(f"{label}.{f}", t, [v[k] for v in column])]
            case TupleOf(items=items):
                return [
                    leaf
                    for k, t in enumerate(items)
                    for leaf in split(f"{label}[{k}]", t, [v[k] for v in column])
                ]
            case ArrayOf(element=element):
                size = min((len(v) for v in column), default=0)
                if size <= 32:
                    return [leaf for k in range(size)
                            for leaf in split(f"{label}[{k}]", element, [v[k] for v in column])]
        return [(label, [shown(part, v) for v in column])]

    return split(name, type_, values)
