"""Several answers on one page: a table, then each answer with its evidence folded away."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from html import escape
from importlib.resources import files as resources

from revet import __version__
from revet.report.html.fragment import html_fragment
from revet.report.several import Row, joint_verdict

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
"""


def html_table(rows: Sequence[Row], what: str, command: Sequence[str] = ()) -> str:
    """The page about ``rows``; ``what`` is the title of their first column."""
    verdict = joint_verdict(rows)
    style = (resources("revet.report.html") / "report.css").read_text(encoding="utf-8")
    files = list(dict.fromkeys(str(f) for row in rows if row.answer for f in row.answer.program.files))
    title = _title(files) or "Revet"
    heading = escape(title).replace("/", "/<wbr>")
    shown = f"<code>{escape(shlex.join(command))}</code> · " if command else ""
    sections = "".join(_section(number, row) for number, row in enumerate(rows))
    return (
        f"{_HEAD}<title>{escape(title)}: {verdict}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<header class="{verdict}"><h1><span class="badge">{verdict}</span> {heading}</h1></header>\n'
        f'<main><section id="table"><h2>Answers</h2>{_table(rows, what)}</section>\n{sections}</main>\n'
        f"<footer>{shown}Revet {escape(__version__)}</footer>\n</body>\n</html>\n"
    )


def _title(files: Sequence[str]) -> str:
    """The files, with the folder that several of them have in common written once."""
    folder = os.path.commonpath([os.path.dirname(file) for file in files]) if len(files) > 1 else ""
    if not folder:
        return ", ".join(files)
    return f"{folder}: " + ", ".join(os.path.relpath(file, folder) for file in files)


def _table(rows: Sequence[Row], what: str) -> str:
    titles = (what, "checked", "verdict", "seconds", "why")
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    body = "".join(_line(number, row) for number, row in enumerate(rows))
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Answers"><table class="data answers">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _line(number: int, row: Row) -> str:
    reason = row.reason.splitlines()[0] if row.reason else ""
    return (
        f'<tr class="{_style(row)}"><td><a href="#row{number}">{escape(row.name)}</a></td>'
        f'<td>{row.checked}</td><td><span class="badge">{row.status}</span></td>'
        f"<td>{row.seconds:.2f}</td><td>{escape(reason)}</td></tr>"
    )


def _style(row: Row) -> str:
    return row.status if row.status in ("safe", "unsafe") else "unknown"


def _section(number: int, row: Row) -> str:
    head = f'<section id="row{number}"><h2>{escape(row.name)}</h2>'
    if row.answer is None:
        return f"{head}<p>{escape(row.problem)}</p></section>\n"
    lines = "".join(f"<li>{escape(line)}</li>" for line in row.answer.program.assumptions)
    assumed = f"<details><summary>what it assumes</summary><ul>{lines}</ul></details>" if lines else ""
    return f"{head}{html_fragment(row.answer)}{assumed}</section>\n"
