"""What an analysis found, as a few blocks that are shown as text or as a page."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, TypeAlias

from revet.frontends.kit.source_run import StreamTable
from revet.report.html.page import bare_page
from revet.report.html.streams import stream_table

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Heading:
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Listing:
    """Items below a title, shown as they are."""

    title: str
    items: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    text: str


Block: TypeAlias = Heading | Paragraph | Listing | Code | StreamTable


def as_text(blocks: Sequence[Block]) -> str:
    lines: list[str] = []
    for block in blocks:
        match block:
            case Heading(text) | Paragraph(text):
                lines.append(text)
            case Listing(title, items):
                lines += [f"{title}:", *(f"  {item}" for item in items)]
            case Code(text):
                lines += [f"  {line}".rstrip() for line in text.splitlines()]
            case StreamTable():
                lines += [block.ending] if block.ending else []
                lines += [f"  {line}" for line in stream_lines(block)]
    return "\n".join(lines)


def as_html(title: str, blocks: Sequence[Block]) -> str:
    """One self-contained page."""
    parts: list[str] = []
    for block in blocks:
        match block:
            case Heading(text):
                parts.append(f"<h2>{escape(text)}</h2>")
            case Paragraph(text):
                parts.append(f"<p>{escape(text)}</p>")
            case Listing(above, items):
                entries = "".join(f"<li>{escape(item)}</li>" for item in items)
                parts.append(f"<p>{escape(above)}:</p><ul>{entries}</ul>")
            case Code(text):
                parts.append(f"<pre>{escape(text)}</pre>")
            case StreamTable():
                ending = f"<p>{escape(block.ending)}</p>" if block.ending else ""
                parts.append(ending + stream_table(block))
    return bare_page(title, "\n".join(parts))


def stream_lines(table: StreamTable) -> list[str]:
    """A table of streams, one column an instant."""
    blank = ("",) * table.instants
    rows: list[tuple[str, Sequence[str]]] = [("instant", [str(n) for n in range(table.instants)])]
    for title, streams in table.groups:
        rows += [(f"== {title} ==", blank), *streams]
    width = max(len(name) for name, _ in rows)
    columns = [max(len(cells[n]) for _, cells in rows) for n in range(table.instants)]
    return [
        f"{name:{width}}  {'  '.join(cell.rjust(columns[n]) for n, cell in enumerate(cells))}".rstrip()
        for name, cells in rows
    ]
