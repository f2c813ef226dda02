"""An answer in a notebook: a few lines of HTML that need no script and no style sheet."""

from __future__ import annotations

from html import escape

from revet.driver.answer import Answer
from revet.frontends.kit.folding import folded
from revet.frontends.kit.source_run import SourceRun, StreamTable
from revet.report.html.invariants import invariants_html, invariants_of
from revet.report.html.run import run_of
from revet.result.verdict import Safe, Unknown, Unsafe

_COLOURS = {"safe": "#1a7f37", "unsafe": "#c0392b", "unknown": "#8a6d00"}
_MOST_ROWS = 40
_CELL = 'style="text-align:left;padding:1px 8px;font-family:monospace;white-space:pre"'


def html_fragment(answer: Answer) -> str:
    """Verdict, engine and time, how it was checked, and the evidence folded away."""
    badge = (
        f'<b style="background:{_COLOURS[answer.status]};color:#fff;padding:2px 10px;border-radius:9px">'
        f"{answer.status}</b>"
    )
    about = f"{answer.engine}, {answer.seconds:.2f} s"
    if answer.property_name:
        about = f"{answer.property_name} · {about}"
    notes = answer.checked.notes if answer.checked is not None else ()
    checked = f"<div>checked: {escape('; '.join(notes))}</div>" if notes else ""
    return f"<div class='revet-answer'>{badge} {escape(about)}{checked}{_evidence(answer)}</div>"


def _evidence(answer: Answer) -> str:
    match answer.verdict:
        case Safe(certificate):
            body = invariants_html(answer, certificate, invariants_of(answer, certificate))
            why = "why it is never reached" if answer.program.reaching else "why it holds"
            return f"<details><summary>{why}</summary>{body}</details>"
        case Unsafe(trace):
            run = run_of(answer, trace)
            table = _steps(run) if isinstance(run, SourceRun) else _streams(run)
            ending = f'<summary style="overflow-wrap:anywhere">{escape(run.ending)}</summary>'
            return f"<details open>{ending}{table}</details>"
        case Unknown(reason, bound):
            known = f"; no violation within {bound} steps" if bound is not None else ""
            return f'<div style="white-space:pre-line;overflow-wrap:anywhere">{escape(reason + known)}</div>'


def _steps(run: SourceRun) -> str:
    rows = [_row(("given", f"{name} = {value}", "")) for name, value in run.start]
    for step in folded(run).steps:
        line = str(step.position.line) if step.position else ""
        changes = ", ".join(f"{name} = {value}" for name, value in step.changes)
        rows.append(_row((line, step.text, changes)))
    return _table(("line", "statement", "changes"), rows, "steps")


def _streams(table: StreamTable) -> str:
    shown = min(table.instants, _MOST_ROWS)
    rows = [_row((name, *values[:shown])) for _, group in table.groups for name, values in group]
    more = f"<div>{table.instants - shown} more instants</div>" if table.instants > shown else ""
    return _table(("instant", *map(str, range(shown))), rows, "streams") + more


def _row(cells: tuple[str, ...]) -> str:
    return "<tr>" + "".join(f"<td {_CELL}>{escape(cell)}</td>" for cell in cells) + "</tr>"


def _table(head: tuple[str, ...], rows: list[str], what: str) -> str:
    kept = rows
    if len(rows) > 2 * _MOST_ROWS:
        gap = f"<tr><td colspan='{len(head)}'>… {len(rows) - 2 * _MOST_ROWS} {what} …</td></tr>"
        kept = [*rows[:_MOST_ROWS], gap, *rows[-_MOST_ROWS:]]
    titles = "".join(f"<th {_CELL}>{escape(title)}</th>" for title in head)
    table = f"<table><thead><tr>{titles}</tr></thead><tbody>{''.join(kept)}</tbody></table>"
    return f'<div style="overflow-x:auto">{table}</div>'
