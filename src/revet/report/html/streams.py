"""Runs of dataflow programs and circuits: one row a stream, Booleans drawn as waveforms."""

from __future__ import annotations

from html import escape

from revet.frontends.kit.source_run import StreamTable

_LONGEST = 36  # characters of a name; names that tools make share their beginnings
_BITS = {"true": "hi", "1": "hi", "false": "lo", "0": "lo"}


def streams_html(table: StreamTable) -> str:
    """A table with a column an instant; changed values are marked, the last column is the violation."""
    note = f'<p class="quiet">{escape(table.left_out)}.</p>' if table.left_out else ""
    return (
        f'<p>{escape(table.ending)}. <span class="quiet">The arrow keys step through the instants.</span></p>'
        f"{note}{_BUTTONS}{stream_table(table)}"
    )


def stream_table(table: StreamTable) -> str:
    """The table alone."""
    last = table.instants - 1
    head = "".join(f'<th scope="col" data-i="{n}"{_kind(n == last, "bad")}>{n}</th>' for n in range(last + 1))
    body = []
    for title, rows in table.groups:
        body.append(f'<tr class="group"><th scope="rowgroup" colspan="{last + 2}">{escape(title)}</th></tr>')
        body += [_row(name, values) for name, values in rows]
    return (
        '<div class="scroll streams" tabindex="0" role="region" aria-label="Streams">'
        f'<table class="streams"><thead><tr><th scope="col">instant</th>{head}</tr></thead>'
        f'<tbody>{"".join(body)}</tbody></table></div>'
    )


_BUTTONS = """<div class="controls" role="group" aria-label="Step through the run">
<button type="button" data-go="first" aria-label="First instant">«</button>
<button type="button" data-go="back" aria-label="One instant back">‹</button>
<span id="where" role="status" aria-live="polite"></span>
<button type="button" data-go="on" aria-label="One instant on">›</button>
<button type="button" data-go="last" aria-label="Last instant">»</button>
</div>"""


def _row(name: str, values: tuple[str, ...]) -> str:
    # Booleans and bits; numbers that are only ever 0 and 1 look the same, which does no harm.
    wave = any(values) and all(value in _BITS or value == "" for value in values)
    cells = []
    for n, value in enumerate(values):
        changed = n > 0 and value != values[n - 1] and value != ""
        if wave and value:
            kind = f"bit {_BITS[value]}" + (" edge" if changed else "")
            cells.append(f'<td data-i="{n}" class="{kind}"><span>{escape(value)}</span></td>')
        else:
            cells.append(f'<td data-i="{n}"{_kind(changed, "changed")}>{escape(value)}</td>')
    shown = name if len(name) <= _LONGEST else f"{name[:12]}…{name[13 - _LONGEST:]}"
    return f'<tr><th scope="row" title="{escape(name)}">{escape(shown)}</th>{"".join(cells)}</tr>'


def _kind(holds: bool, name: str) -> str:
    return f' class="{name}"' if holds else ""
