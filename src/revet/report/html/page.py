"""The whole page: sections in a template, with our own style and script written into it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from html import escape
from importlib.resources import files as resources
from typing import Any

from revet import __version__
from revet.driver.answer import Answer
from revet.errors import Position
from revet.frontends.kit.source_run import SourceInvariant, SourceRun, StreamTable
from revet.model.cfa import Cfa
from revet.report.history import History
from revet.report.html.graph import Graph, graph_of
from revet.report.html.invariants import invariants_html, invariants_of
from revet.report.html.plot import plot_html
from revet.report.html.run import on_the_graph, place_of_violation, run_of, steps_data
from revet.report.html.source import source_html
from revet.report.html.streams import streams_html
from revet.result.trace import CfaTrace, InputTrace
from revet.result.verdict import Safe, Unknown, Unsafe

SENTENCES = {
    "safe": "No run of the program breaks the property.",
    "unsafe": "There is a run that breaks the property.",
    "unknown": "The question is open.",
}
REACHING = {
    "safe": "There is a run that reaches what should be reachable.",
    "unsafe": "No run of the program reaches what should be reachable.",
    "unknown": "The question is open.",
}


def html_report(answer: Answer, history: History | None = None, command: Sequence[str] = ()) -> str:
    """The page about ``answer``; ``history`` is what was observed, ``command`` what was typed."""
    verdict = answer.verdict
    run: SourceRun | StreamTable | None = None
    invariants: list[SourceInvariant] = []
    trace = verdict.trace if isinstance(verdict, Unsafe) else None
    place: Position | None = None
    if trace is not None:
        run = run_of(answer, trace)
        place = place_of_violation(answer, trace, run)
    elif isinstance(verdict, Safe):
        invariants = invariants_of(answer, verdict.certificate)
    model = answer.program.model
    path = trace.edges if isinstance(trace, CfaTrace) else ()
    if isinstance(model, Cfa) and isinstance(run, SourceRun) and isinstance(trace, InputTrace):
        run, path = on_the_graph(run, model, trace.violated)
    graph = graph_of(model, path) if isinstance(model, Cfa) else None
    sections = {
        "verdict": answer.status,
        "title": escape(_title(answer)),
        "summary": _summary(answer),
        "source": source_html(answer.program.files, answer.program.language, invariants, place),
        "evidence": _evidence(answer, run, invariants),
        "graph": _graph(graph),
        "plot": _section("progress", "What the engines did", plot_html(history) if history else ""),
        "checked": _section("checked", "How this answer was checked", _checked(answer)),
        "assumptions": _section("assumptions", "What it assumes", _assumptions(answer)),
        "statistics": _section("numbers", "Numbers of the engine that answered", _statistics(answer)),
        "command": _command(command),
        "data": _data(answer, run, graph),
        "style": _own("report.css"),
        "script": _own("report.js"),
    }
    return _fill(_own("template.html"), sections)


def bare_page(title: str, body: str) -> str:
    """A page in the same style without a script; ``body`` is HTML."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_own('report.css')}\n</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(title)}</h1></header>\n<main>\n{body}\n</main>\n"
        f"<footer>Revet {escape(__version__)}</footer>\n</body>\n</html>\n"
    )


def _own(name: str) -> str:
    return (resources("revet.report.html") / name).read_text(encoding="utf-8")


def _fill(template: str, sections: dict[str, str]) -> str:
    """``{{name}}`` in one pass: what is filled in is never looked at again."""
    pieces = template.split("{{")
    filled = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        filled += [sections[name], rest]
    return "".join(filled)


def _title(answer: Answer) -> str:
    files = answer.program.files
    name = files[0].name if files else answer.program.model.name
    return str(name)


def _summary(answer: Answer) -> str:
    sentence = REACHING[answer.status] if answer.program.reaching else SENTENCES[answer.status]
    files = ", ".join(map(str, answer.program.files)) or "built in Python"
    rows = [("input", f"{files} ({answer.program.language})")]
    if answer.property_name:
        rows.append(("property", answer.property_name))
    match answer.verdict:
        case Unsafe(trace):
            rows.append(("reached" if answer.program.reaching else "violated", trace.violated))
        case Unknown(reason, bound):
            rows.append(("reason", reason))
            if bound is not None:
                rows.append(("known so far", f"no violation within {bound} steps"))
    for one in answer.groups:
        rows.append((one.property_name or "", f"{one.status}, {one.engine} in {one.seconds:.2f} s"))
    if answer.program.left_out:
        rows.append(("not checked", ", ".join(answer.program.left_out)))
    rows.append(("answered by", f"{answer.engine} in {answer.seconds:.2f} s"))
    cells = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in rows)
    return f'<p class="sentence">{escape(sentence)}</p><dl class="facts">{cells}</dl>'


def _evidence(
    answer: Answer, run: SourceRun | StreamTable | None, invariants: list[SourceInvariant]
) -> str:
    match answer.verdict:
        case Unsafe() if isinstance(run, SourceRun):
            return _section("run", "The run that breaks it", _own("stepper.html"))
        case Unsafe() if isinstance(run, StreamTable):
            title = "The run that reaches it" if answer.program.reaching else "The run that breaks it"
            return _section("run", title, streams_html(run))
        case Safe(certificate):
            title = "Why it is never reached" if answer.program.reaching else "Why it holds"
            return _section("proof", title, invariants_html(answer, certificate, invariants))
        case Unknown(reason):
            return _section("open", "Why it is open", f"<p>{escape(reason)}</p>")
    return ""


def _graph(graph: Graph | None) -> str:
    if graph is None:
        return ""
    body = f'<p class="quiet">{escape(graph.note)}</p>'
    if graph.drawing:
        about = 'class="scroll graph" tabindex="0" role="region" aria-label="Control-flow graph"'
        body += f"<div {about}>{graph.drawing}</div>"
    return _section("graph", "Control-flow graph", body)


def _checked(answer: Answer) -> str:
    if answer.checked is None:
        return '<p>There is nothing to check: the answer is "unknown".</p>'
    proof = isinstance(answer.verdict, Safe)
    kind = "unknown" if isinstance(answer.verdict, Unknown) else "safe" if proof else "unsafe"
    how = {
        "safe": "The certificate was checked on the program's model, before any reduction, by a checker "
                "that shares no code with the engines:",
        "unsafe": "The run was replayed in the source language:" if _is_of_source(answer)
                  else "The run was replayed on the model without a solver, and in the source language:",
        "unknown": "The evidence that an engine gave was not accepted:",
    }[kind]
    notes = "".join(f"<li>{escape(note)}</li>" for note in answer.checked.notes)
    return f"<p>{how}</p><ul>{notes}</ul><p class=\"quiet\">This took {answer.checked.seconds:.2f} s.</p>"


def _is_of_source(answer: Answer) -> bool:
    """A run of the program itself, which no model is needed for."""
    return isinstance(answer.verdict, Unsafe) and isinstance(answer.verdict.trace, InputTrace)


def _assumptions(answer: Answer) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in answer.program.assumptions)
    return f"<ul>{items}</ul>" if items else "<p>Nothing beyond the meaning of the input language.</p>"


def _statistics(answer: Answer) -> str:
    stats = answer.stats
    rows = [(name, str(count)) for name, count in sorted(stats.counts.items())]
    rows += [(f"seconds: {name}", f"{value:.3f}") for name, value in stats.seconds.items()]
    cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in rows)
    return f'<dl class="facts many">{cells}</dl>' if cells else ""


def _command(command: Sequence[str]) -> str:
    shown = f"<code>{escape(shlex.join(command))}</code> · " if command else ""
    return f"{shown}Revet {escape(__version__)}"


def _section(name: str, title: str, body: str) -> str:
    if not body:
        return ""
    return f'<section id="{name}"><h2>{escape(title)}</h2>{body}</section>'


def _data(answer: Answer, run: SourceRun | StreamTable | None, graph: Graph | None) -> str:
    data: dict[str, Any] = {"kind": "none"}
    if isinstance(run, SourceRun):
        data = steps_data(run, answer.program.files, graph.run if graph else ())
    elif isinstance(run, StreamTable):
        data = {"kind": "streams", "instants": run.instants}
    # Inside <script>, only "<" could end it or open a comment.
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
