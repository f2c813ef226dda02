"""Counterexamples as tables: location, values with the changed ones marked, next statement.

The layout is that of a debugger session: one row a step, a star on every value that the last
step changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.logic.pretty import format_value
from revet.result.trace import SystemTrace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.logic.terms import Term
    from revet.model.cfa import Edge
    from revet.result.trace import CfaTrace, State

_MOST_ROWS = 60


def render_trace(trace: SystemTrace | CfaTrace) -> str:
    if isinstance(trace, SystemTrace):
        return _system_table(trace)
    return _automaton_table(trace)


def _automaton_table(trace: CfaTrace) -> str:
    variables = _shown_variables(trace.states)
    head = ["step", "location", *(v.name for v in variables), "next statement", "at"]
    rows = []
    for step, (location, state) in enumerate(zip(trace.locations, trace.states, strict=True)):
        before = trace.states[step - 1] if step else None
        edge = trace.edges[step] if step < len(trace.edges) else None
        rows.append(
            [str(step), location.name, *(_cell(v, state, before) for v in variables),
             str(edge) if edge else "error", _place(edge)]
        )
    title = f"counterexample: {trace.violated} is reached after {len(trace)} steps (* changed)"
    return title + "\n" + table(head, rows)


def _system_table(trace: SystemTrace) -> str:
    variables = _shown_variables(trace.states)
    inputs = sorted({v for row in trace.inputs for v in row if "!" not in v.name}, key=lambda v: v.name)
    head = ["step", *(v.name for v in variables), *(f"{v.name} (input)" for v in inputs)]
    rows = []
    for step, state in enumerate(trace.states):
        before = trace.states[step - 1] if step else None
        drawn = trace.inputs[step] if step < len(trace.inputs) else {}
        rows.append(
            [str(step), *(_cell(v, state, before) for v in variables),
             *(format_value(drawn[v], v.sort) if v in drawn else "" for v in inputs)]
        )
    title = f"counterexample: {trace.violated} is violated after {len(trace)} steps (* changed)"
    return title + "\n" + table(head, rows)


def _shown_variables(states: Sequence[State]) -> list[Term]:
    return sorted(states[0], key=lambda variable: variable.name) if states else []


def _cell(variable: Term, state: State, before: State | None) -> str:
    if variable not in state:
        return "?"
    text = format_value(state[variable], variable.sort)
    changed = before is not None and before.get(variable) != state[variable]
    return text + ("*" if changed else "")


def _place(edge: Edge | None) -> str:
    return f"line {edge.position.line}" if edge is not None and edge.position else ""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Aligned columns; the middle of a very long table is left out, and said so."""
    shown = [list(row) for row in rows]
    if len(shown) > _MOST_ROWS:
        half = _MOST_ROWS // 2
        gap = [f"… {len(rows) - 2 * half} steps …"] + [""] * (len(head) - 1)
        shown = [*shown[:half], gap, *shown[-half:]]
    widths = [
        min(48, max(len(row[column]) for row in [list(head), *shown] if not row[0].startswith("…")))
        for column in range(len(head))
    ]
    lines = [_line(head, widths), _line(["─" * width for width in widths], widths)]
    lines += [_line(row, widths) for row in shown]
    return "\n".join(lines)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell if cell.startswith("…") else _fit(cell, width)
        for cell, width in zip(row, widths, strict=True)
    ]
    return ("  " + "  ".join(cells)).rstrip()


def _fit(text: str, width: int) -> str:
    return text.ljust(width) if len(text) <= width else text[: width - 1] + "…"
