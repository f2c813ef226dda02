"""The control-flow graph for the page: straight lines of code folded into one edge.

The automaton of a program has an edge for every statement. On the page, locations with one way in
and one way out are folded away, and an edge's label has a line for each statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assume, text_of
from revet.report.svg import svg

_MOST_LOCATIONS = 160
_QUALIFIER = re.compile(r"\b[A-Za-z_]\w*::")  # of C's local variables


@dataclass(frozen=True, slots=True)
class Graph:
    """``drawing`` is SVG, or empty if the graph is too large; ``note`` says so. ``run`` has the
    drawn edge for every step of the run."""

    drawing: str
    note: str
    run: tuple[int | None, ...] = ()


def graph_of(cfa: Cfa, path: Sequence[Edge]) -> Graph:
    """``path``: the edges of the run, none if there is no run or its way is not known."""
    folded, place = fold(cfa)
    note = f"{len(folded.locations)} of {len(cfa.locations)} locations; straight code is folded into edges."
    if len(folded.locations) > _MOST_LOCATIONS and path:
        whole = len(folded.locations)
        folded, place = fold(_part(cfa, list(dict.fromkeys(path))))
        note = (f"{len(folded.locations)} of {len(cfa.locations)} locations; only what the run visits is "
                f"drawn (all would be {whole}), and straight code is folded into edges.")
    if len(folded.locations) > _MOST_LOCATIONS:
        return Graph("", f"The graph has {len(folded.locations)} locations: too many to be read here. "
                         "'revet show --format dot' writes it for Graphviz.")
    numbers = {edge: n for n, edge in enumerate(folded.edges)}
    run = tuple(numbers[place[edge]] if edge in place else None for edge in path)
    highlight = {folded.edges[n] for n in run if n is not None}
    return Graph(svg(folded, highlight, label_lines=6, label_width=34), note, run)


def fold(cfa: Cfa) -> tuple[Cfa, dict[Edge, Edge]]:
    """The automaton with chains as single edges, and the new edge of every old one."""
    outgoing: dict[Location, list[Edge]] = {location: [] for location in cfa.locations}
    incoming: dict[Location, int] = dict.fromkeys(cfa.locations, 0)
    for edge in cfa.edges:
        outgoing[edge.source].append(edge)
        incoming[edge.target] += 1
    errors = set(cfa.errors)
    def folds(location: Location) -> bool:
        return incoming[location] == 1 and len(outgoing[location]) == 1

    def isolated(location: Location) -> bool:
        return not incoming[location] and not outgoing[location]

    kept = [
        location for location in cfa.locations
        if location is cfa.initial or location in errors or not (folds(location) or isolated(location))
    ]
    stays = set(kept)
    edges: list[Edge] = []
    place: dict[Edge, Edge] = {}
    for location in kept:
        for first in outgoing[location]:
            chain = [first]
            while chain[-1].target not in stays:
                chain.append(outgoing[chain[-1].target][0])
            edge = _joined(chain, branches=len(outgoing[location]) > 1)
            edges.append(edge)
            place.update(dict.fromkeys(chain, edge))
    drawn = Cfa(cfa.variables, tuple(kept), tuple(edges), cfa.initial, cfa.errors, cfa.precondition, cfa.name)
    return drawn, place


def _joined(chain: Sequence[Edge], branches: bool) -> Edge:
    """``branches``: the first edge is one of several, and its condition says which."""
    texts = [str(edge) if edge.statements else "skip" for edge in chain]  # a skip's text is its neighbour's
    if len(chain) == 1 and len(chain[0].statements) > 1 and not texts[0].startswith("for"):
        texts = texts[0].split("; ")
    only_conditions = all(isinstance(s, Assume) for s in chain[0].statements)
    if branches and chain[0].statements and only_conditions:
        texts[0] = _QUALIFIER.sub("", text_of(chain[0].statements))
    shown: list[str] = []
    for text in texts:  # a declaration of three variables is three statements with one text
        if text not in ("skip", "") and text != (shown[-1] if shown else None):
            shown.append(text)
    shown = shown or texts[:1]
    return Edge(chain[0].source, chain[-1].target, (), chain[0].position, "\n".join(shown))


def _part(cfa: Cfa, edges: Sequence[Edge]) -> Cfa:
    ends = {end for edge in edges for end in (edge.source, edge.target)} | {cfa.initial}
    locations = tuple(location for location in cfa.locations if location in ends)
    errors = tuple(location for location in cfa.errors if location in ends)
    return Cfa(cfa.variables, locations, tuple(edges), cfa.initial, errors, cfa.precondition, cfa.name)
