"""What a run looks like: one row a stream, one column an instant."""

from __future__ import annotations

from collections.abc import Mapping
from csv import writer
from dataclasses import dataclass
from io import StringIO
from typing import Any

from revet.streams.types import Scalar, Type, leaf_paths, part, show


@dataclass(frozen=True)
class Table:
    """``streams`` by name (externs first, then observers); ``triggers`` hold the arguments of the call that
    the function got at each instant, or None where it got none. A function that several triggers call has a
    row for its first call of an instant, one for its second (``name#2``), and so on."""

    streams: Mapping[str, list[Any]]
    triggers: Mapping[str, list[tuple[Any, ...] | None]]
    types: Mapping[str, Scalar]
    argument_types: Mapping[str, tuple[Type, ...]]

    def __getitem__(self, name: str) -> list[Any]:
        return self.streams[name] if name in self.streams else list(self.triggers[name])

    @property
    def steps(self) -> int:
        columns = [*self.streams.values(), *self.triggers.values()]
        return len(columns[0]) if columns else 0

    def rows(self) -> list[tuple[str, list[str]]]:
        shown = [(name, [self.types[name].show(v) for v in values]) for name, values in self.streams.items()]
        for name, calls in self.triggers.items():
            types = self.argument_types[name]
            cells = [
                "--" if call is None else
                "(" + ", ".join(show(t, v) for t, v in zip(types, call, strict=True)) + ")"
                for call in calls
            ]
            shown.append((f"{name}()", cells))
        return shown

    def __str__(self) -> str:
        return self.text()

    def text(self, most: int = 40) -> str:
        """The table; of more than ``most`` instants the first and last ones."""
        rows = [("instant", [str(n) for n in range(self.steps)]), *self.rows()]
        if self.steps > most:
            half = most // 2
            rows = [(name, [*cells[:half], "…", *cells[-half:]]) for name, cells in rows]
        width = max(len(name) for name, _ in rows)
        columns = [max(len(cells[n]) for _, cells in rows) for n in range(len(rows[0][1]))]
        lines = []
        for name, cells in rows:
            shown = "  ".join(cell.rjust(columns[n]) for n, cell in enumerate(cells))
            lines.append(f"{name:{width}}  {shown}".rstrip())
        return "\n".join(lines)

    def csv(self) -> str:
        """A line an instant: the streams, then for each trigger whether it was called, and the arguments,
        scalar by scalar, which are empty where it was not."""
        header = ["instant", *self.streams]
        columns: list[list[str]] = [[str(n) for n in range(self.steps)]]
        columns += [[self.types[name].show(v) for v in values] for name, values in self.streams.items()]
        for name, calls in self.triggers.items():
            header.append(f"{name}()")
            columns.append(["false" if call is None else "true" for call in calls])
            for number, type_ in enumerate(self.argument_types[name]):
                for path, leaf in leaf_paths(type_):
                    header.append(f"{name}({number}){path}")
                    columns.append(["" if c is None else leaf.show(part(c[number], path)) for c in calls])
        text = StringIO()
        writer(text).writerows([header, *zip(*columns, strict=True)])
        return text.getvalue()

    def svg(self) -> str:
        """The streams as a picture."""
        from revet.streams.picture import table_svg

        return table_svg(self)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()
