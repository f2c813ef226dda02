"""A counterexample as the data that the page's script steps through, and as a table without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from revet.driver.answer import Answer
from revet.errors import Position
from revet.frontends.kit.folding import folded
from revet.frontends.kit.source_run import SourceRun, SourceStep, StreamTable
from revet.frontends.program import Program, ReplayFailed, TellsRuns
from revet.logic.pretty import format_value
from revet.logic.terms import Term
from revet.model.cfa import Cfa, Edge
from revet.report.circuit import signals
from revet.report.html.places import edges_by_lines
from revet.report.html.source import same_file
from revet.result.trace import CfaTrace, CircuitTrace, State, SystemTrace, Trace

_MOST_SIGNALS = 300
_MOST_INSTANTS = 1000
_MOST_STEPS = 4000
_MOST_CHARACTERS = 200  # of a value: arrays can be long


def place_of_violation(answer: Answer, trace: Trace, run: SourceRun | StreamTable) -> Position | None:
    """Where the property is broken, by the model or by the run's last step."""
    model = answer.program.model
    place = None
    if isinstance(trace, CfaTrace):
        place = trace.locations[-1].position
    else:
        place = model.position_of(trace.violated)
    if place is None and isinstance(run, SourceRun) and run.last is not None:
        place = run.last.position
    return place


def run_of(answer: Answer, trace: Trace) -> SourceRun | StreamTable:
    """The run in source terms if the front end can tell it, in the model's otherwise."""
    program = answer.program
    if isinstance(program, TellsRuns):
        try:
            run = program.source_run(trace)
        except ReplayFailed:  # a run that only the model has confirmed
            pass
        else:
            return _with_edges(run, trace) if isinstance(run, SourceRun) else _limited(run)
    if isinstance(trace, CfaTrace):
        return automaton_run(trace)
    return _limited(streams_of(program, trace))


def automaton_run(trace: CfaTrace) -> SourceRun:
    """The edges of a run, each with the variables that it changes."""
    steps = []
    for n, edge in enumerate(trace.edges[:_MOST_STEPS]):
        before, after = trace.states[n], trace.states[n + 1]
        changes = tuple(
            (x.name, _value(x, value)) for x, value in after.items() if before.get(x) != value
        )
        text = f"{edge.source} → {edge.target}: {edge}"
        steps.append(SourceStep(text, edge.position, changes, edge=n))
    left_out = len(trace.edges) - len(steps)
    start = tuple((x.name, _value(x, value)) for x, value in trace.states[0].items())
    ending = f"the run reaches {trace.violated}"
    return SourceRun(tuple(steps), ending, start, gap=len(steps), left_out=left_out)


def streams_of(program: Program, trace: Trace) -> StreamTable:
    ending = f"{trace.violated} is violated at instant {len(trace)}"
    if isinstance(trace, CircuitTrace):
        rows = [(name, tuple(map(str, values))) for name, values in signals(program.model, trace)]
        cut = len(trace.inputs[0])
        groups = (("inputs", tuple(rows[:cut])), ("latches", tuple(rows[cut:])))
        return StreamTable(tuple((title, rows) for title, rows in groups if rows), ending)
    assert isinstance(trace, SystemTrace)
    inputs = _columns([*trace.inputs, *[{}] * (len(trace.states) - len(trace.inputs))])
    states = _columns(trace.states)
    found = (("inputs", inputs), ("state", states))
    return StreamTable(tuple((title, rows) for title, rows in found if rows), ending)


def _columns(rows: Sequence[State]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    names = sorted({x for row in rows for x in row if "!" not in x.name}, key=lambda x: x.name)
    return tuple((x.name, tuple(_value(x, row[x]) if x in row else "" for row in rows)) for x in names)


def _value(variable: Term, value: Any) -> str:
    text = format_value(value, variable.sort)
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"


def _with_edges(run: SourceRun, trace: Trace) -> SourceRun:
    """Every source step with the step of the model's run that is on the same line, in order."""
    if not isinstance(trace, CfaTrace) or run.left_out:
        return run
    steps, at = [], 0
    for step in run.steps:
        found = next((n for n in range(at, min(at + 400, len(trace.edges)))
                      if step.position is not None and _line(trace, n) == step.position.line), None)
        if found is not None:
            at = found
        steps.append(_at_edge(step, found))
    return replace(run, steps=tuple(steps))


def on_the_graph(run: SourceRun, cfa: Cfa, violated: str) -> tuple[SourceRun, tuple[Edge, ...]]:
    """A run of the program itself with its way through the automaton, if its lines tell it."""
    found = None if run.left_out else edges_by_lines(cfa, run.steps, violated)
    if found is None:
        return run, ()
    edges, firsts = found
    return replace(run, steps=tuple(map(_at_edge, run.steps, firsts))), edges


def _at_edge(step: SourceStep, edge: int | None) -> SourceStep:
    return replace(step, edge=edge)


def _line(trace: CfaTrace, number: int) -> int | None:
    position = trace.edges[number].position
    return position.line if position is not None else None


def _limited(table: StreamTable) -> StreamTable:
    """Signals that never change go first when there are very many; so do late instants."""
    count = sum(len(rows) for _, rows in table.groups)
    notes, groups = [], table.groups
    if count > _MOST_SIGNALS:
        moving = [(title, tuple(row for row in rows if len(set(row[1])) > 1)) for title, rows in groups]
        groups, room = (), _MOST_SIGNALS
        for title, rows in moving:
            groups += ((title, rows[:room]),) if rows[:room] else ()
            room -= len(rows[:room])
        notes.append(f"{count - _MOST_SIGNALS + room} of {count} signals are left out")
    if table.instants > _MOST_INSTANTS:
        notes.append(f"the first {_MOST_INSTANTS} of {table.instants} instants are shown")
        groups = tuple(
            (title, tuple((name, values[:_MOST_INSTANTS]) for name, values in rows)) for title, rows in groups
        )
    return StreamTable(groups, table.ending, "; ".join(notes))


def steps_data(run: SourceRun, files: Sequence[Path], edge_numbers: Sequence[int | None]) -> dict[str, Any]:
    """For the script. ``edge_numbers`` gives the drawn edge of each step of the model's run. Repeated rounds
    are folded."""
    run = folded(run)
    rows = []
    for step in run.steps:
        row: dict[str, Any] = {"t": step.text, "c": [list(change) for change in step.changes]}
        place = step.position
        if place is not None:
            number = next((n for n, path in enumerate(files) if same_file(place.file, path)), None)
            row["l"] = place.line
            if number is not None:
                row["f"] = number
        if step.function:
            row["fn"], row["d"] = step.function, step.depth
        if step.edge is not None and step.edge < len(edge_numbers):
            row["e"] = edge_numbers[step.edge]
        rows.append(row)
    return {"kind": "steps", "start": [list(pair) for pair in run.start], "steps": rows,
            "gap": run.gap, "leftOut": run.left_out, "ending": run.ending}
