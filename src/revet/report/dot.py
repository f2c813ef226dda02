"""Automata in Graphviz's DOT."""

from __future__ import annotations

from collections.abc import Collection

from revet.model.cfa import Cfa, Edge


def dot(cfa: Cfa, highlight: Collection[Edge] = ()) -> str:
    """``highlight`` draws these edges (a run, say) in red."""
    lines = [f"digraph {_quote(cfa.name)} {{", "  node [shape=circle, fontname=monospace];",
             "  edge [fontname=monospace, fontsize=10];", '  start [shape=point, label=""];']
    errors = set(cfa.errors)
    for location in cfa.locations:
        style = " [shape=doublecircle, color=red]" if location in errors else ""
        lines.append(f"  {_quote(location.name)}{style};")
    lines.append(f"  start -> {_quote(cfa.initial.name)};")
    for edge in cfa.edges:
        colour = ", color=red, fontcolor=red" if edge in highlight else ""
        ends = f"{_quote(edge.source.name)} -> {_quote(edge.target.name)}"
        lines.append(f"  {ends} [label={_quote(edge_label(edge))}{colour}];")
    return "\n".join([*lines, "}"])


def edge_label(edge: Edge, width: int = 40) -> str:
    text = str(edge)
    return text if len(text) <= width else text[: width - 1] + "…"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
