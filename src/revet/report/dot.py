"""Automata in Graphviz's DOT."""

from __future__ import annotations

from collections.abc import Collection

from revet.model.cfa import Cfa, Edge


def dot(cfa: Cfa, highlight: Collection[Edge] = ()) -> str:
    """``highlight`` draws these edges (a run, say) in red."""
    lines = [f"digraph {quoted(cfa.name)} {{", "  node [shape=circle, fontname=monospace];",
             "  edge [fontname=monospace, fontsize=10];", '  start [shape=point, label=""];']
    errors = set(cfa.errors)
    for location in cfa.locations:
        style = " [shape=doublecircle, color=red]" if location in errors else ""
        lines.append(f"  {quoted(location.name)}{style};")
    lines.append(f"  start -> {quoted(cfa.initial.name)};")
    for edge in cfa.edges:
        colour = ", color=red, fontcolor=red" if edge in highlight else ""
        ends = f"{quoted(edge.source.name)} -> {quoted(edge.target.name)}"
        lines.append(f"  {ends} [label={quoted(edge_label(edge))}{colour}];")
    return "\n".join([*lines, "}"])


def edge_label(edge: Edge, width: int = 40) -> str:
    text = str(edge)
    return text if len(text) <= width else text[: width - 1] + "…"


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
