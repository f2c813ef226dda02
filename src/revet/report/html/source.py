"""The source files with line numbers, invariants beside their lines, and places to mark."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path

from revet.errors import Position
from revet.frontends.kit.source_run import SourceInvariant
from revet.report.html.highlight import highlighted_lines

_MOST_BYTES = 2_000_000
_MOST_LINES = 20_000
_MOST_MACHINE_LINES = 500  # nobody reads the gates of a large circuit
_LONGEST_BESIDE = 400  # characters of an invariant between the lines
_SIGNS = {" && ": "∧", " and ": "∧", " || ": "∨", " or ": "∨"}


def source_html(
    files: Iterable[Path], language: str, invariants: Iterable[SourceInvariant], marked: Position | None
) -> str:
    """One listing a file; ``marked`` is the line of the error."""
    listings = [_listing(number, path, language, list(invariants), marked)
                for number, path in enumerate(files)]
    return "\n".join(listings) or '<p class="quiet">The model was built in Python: no source file.</p>'


def _listing(
    number: int, path: Path, language: str, invariants: list[SourceInvariant], marked: Position | None
) -> str:
    title = f'<h3 class="file">{escape(str(path))}</h3>'
    text, problem = _read(path)
    if problem:
        return f'{title}<p class="quiet">{escape(problem)}</p>'
    lines = highlighted_lines(text, language)
    by_line: dict[int, list[SourceInvariant]] = {}
    for invariant in invariants:
        if invariant.position is not None and same_file(invariant.position.file, path):
            by_line.setdefault(invariant.position.line, []).append(invariant)
    error = marked.line if marked is not None and same_file(marked.file, path) else 0
    rows = []
    most = _MOST_MACHINE_LINES if language in ("aiger", "btor2") else _MOST_LINES
    for n, line in enumerate(lines[:most], 1):
        rows += [_beside(invariant) for invariant in by_line.get(n, ())]
        kind = ' class="error-line"' if n == error else ""
        rows.append(f'<tr id="f{number}l{n}"{kind}><td class="ln">{n}</td><td class="code">{line}</td></tr>')
    if len(lines) > most:
        rows.append(f'<tr><td class="ln">…</td><td>{len(lines) - most} more lines</td></tr>')
    return (
        f'{title}<div class="listing" tabindex="0" role="region" aria-label="Source of {escape(path.name)}">'
        f'<table class="source" role="presentation">{"".join(rows)}</table></div>'
    )


def _beside(invariant: SourceInvariant) -> str:
    text = "\n".join(conjuncts(invariant.text))
    if len(text) > _LONGEST_BESIDE:  # it would bury the program
        text = text[:_LONGEST_BESIDE] + f"… ({len(text)} characters, whole under “Why it holds”)"
    parts = escape(text).replace("\n", "<br>")
    return (
        '<tr class="inv"><td class="ln"><span aria-hidden="true">∀</span></td>'
        '<td class="code"><div><span class="where">whenever a run is here '
        f"({escape(invariant.where)}):</span><br>{parts}</div></td></tr>"
    )


def conjuncts(text: str) -> list[str]:
    """A conjunction or disjunction at its top-level connectives, one part a line; other formulas whole."""
    cuts: list[tuple[int, str]] = []
    depth = n = 0
    while n < len(text):
        depth += (text[n] in "([") - (text[n] in ")]")
        word = next((w for w in _SIGNS if text.startswith(w, n)), "") if depth == 0 and text[n] == " " else ""
        if word:
            cuts.append((n, word))
        n += len(word) or 1
    if any(_SIGNS[word] == "∨" for _, word in cuts):  # "and" binds more tightly
        cuts = [(at, word) for at, word in cuts if _SIGNS[word] == "∨"]
    starts = [0, *(at + len(word) for at, word in cuts)]
    ends = [*(at for at, _ in cuts), len(text)]
    parts = [_bare(text[start:end]) for start, end in zip(starts, ends, strict=True)]
    return [parts[0], *(f"{_SIGNS[word]} {part}" for (_, word), part in zip(cuts, parts[1:], strict=True))]


def _bare(text: str) -> str:
    """Without parentheses around the whole."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for n, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and n < len(text) - 1:
            return text
    return text[1:-1]


def _read(path: Path) -> tuple[str, str]:
    """The text, or why there is none."""
    try:
        size = path.stat().st_size
        if size > _MOST_BYTES:
            return "", f"{size // 1000} kB: too large to be shown here."
        data = path.read_bytes()
    except OSError as error:
        return "", f"The file cannot be read any more: {error.strerror or error}."
    if b"\0" in data or (path.suffix == ".aig"):
        return "", f"A binary file of {len(data)} bytes."
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        return data.decode("latin-1"), ""


def same_file(name: str, path: Path) -> bool:
    return name == str(path) or Path(name).name == path.name
