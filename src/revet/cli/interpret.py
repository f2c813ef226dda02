"""``revet interpret``: a Lustre node on given inputs, and its contract on a given trace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from revet.cli.analyses import Output
from revet.errors import InputError, UsageError
from revet.frontends.kit.deep import at_any_depth
from revet.frontends.kit.source_run import StreamTable
from revet.frontends.lustre import read
from revet.frontends.lustre.core import Clause, Node, Stream
from revet.frontends.lustre.inputs import read_rows, value_of
from revet.frontends.lustre.interpret import Machine, Oracle
from revet.frontends.lustre.interpret_quantifiers import Undecided
from revet.frontends.lustre.types import plain
from revet.frontends.lustre.values import shown


class _Recorded(Oracle):
    """The outputs of the node are those of the trace; the rest is the simplest value."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def stream(self, path: object, stream: Stream, instant: int) -> Any:
        found = self.rows[instant].get(stream.name)
        return super().stream((), stream, instant) if found is None else found


@at_any_depth
def run_interpret(
    file: str, inputs: str, node: str | None, monitor: bool, json_: bool, html: str | None
) -> int:
    """Exit status 0: everything held; 1: a property, guarantee or mode did not (with the assumptions)."""
    output = Output(file, json_, html)
    program = read(Path(file), node, imported=monitor)
    if len(program.tops) != 1:
        names = ", ".join(top.name for top in program.tops) or "none"
        raise UsageError(f"name one node with --node: the top nodes are {names}")
    top = program.tops[0]
    rows = _typed_rows(top, read_rows(Path(inputs)), inputs, monitor)
    if monitor:
        top = replace(top, imported=True, properties=[])
        machine = Machine(program, top, _Recorded(rows))
    else:
        machine = Machine(program, top)
    clauses = _clauses(top)
    streams: list[dict[str, Any]] = []
    truths: list[list[bool]] = []
    try:
        for row in rows:
            streams.append(machine.step(row, [clause.formula for _, clause in clauses]))
            truths.append(list(machine.truths))
    except Undecided as reason:
        raise InputError(f"the interpreter cannot decide {reason}") from None
    told = _Told(top, streams, clauses, truths, monitor)
    output.show("contract" if monitor else "run", [told.table()], told.data())
    return 0 if told.kept else 1


def _typed_rows(top: Node, raw: list[dict[str, Any]], path: str, monitor: bool) -> list[dict[str, Any]]:
    wanted = [*top.inputs, *(top.outputs if monitor else [])]
    found = []
    for instant, row in enumerate(raw):
        for stream in wanted:
            if stream.name not in row:
                raise InputError(f"{path}: instant {instant} has no value of {stream.name}")
        found.append({
            s.name: value_of(s.type, row[s.name], f"{path}: instant {instant}: {s.name}") for s in wanted
        })
    return found


def _clauses(top: Node) -> list[tuple[str, Clause]]:
    groups = (
        ("assumption", top.assumes), ("guarantee", top.guarantees), ("guarantee", top.duties),
        ("property", [clause for clause in top.properties if clause.reach is None]),
        ("mode", [Clause(name, formula, formula.position) for name, formula in top.modes]),
    )
    return [(kind, clause) for kind, group in groups for clause in group]


class _Told:
    """The run, to be printed."""

    def __init__(
        self, top: Node, rows: list[dict[str, Any]], clauses: list[tuple[str, Clause]],
        truths: list[list[bool]], monitor: bool,
    ) -> None:
        groups = [("inputs", top.inputs), ("outputs", top.outputs)]
        if not monitor:
            groups.append(("locals", top.written_locals))
        self.streams = {
            title: {s.name: [shown(plain(s.type), row[s.name]) for row in rows] for s in streams}
            for title, streams in groups
        }
        self.clauses = {
            f"{kind} {clause.name}": [row[n] for row in truths] for n, (kind, clause) in enumerate(clauses)
        }
        assumed, self.kept = True, True
        for row in truths:
            for (kind, _), truth in zip(clauses, row, strict=True):
                assumed = assumed and (truth or kind != "assumption")
            broken = (
                not t for (kind, _), t in zip(clauses, row, strict=True) if kind in ("guarantee", "property")
            )
            self.kept = self.kept and not (assumed and any(broken))

    def data(self) -> dict[str, Any]:
        return {**self.streams, "contract": self.clauses, "kept": self.kept}

    def table(self) -> StreamTable:
        contract = {name: [str(t).lower() for t in row] for name, row in self.clauses.items()}
        groups = tuple(
            (title, tuple((name, tuple(cells)) for name, cells in rows.items()))
            for title, rows in {**self.streams, "contract": contract}.items() if rows
        )
        return StreamTable(groups, "everything held" if self.kept else "a property or guarantee did not hold")
