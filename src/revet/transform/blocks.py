"""Large-block encoding: only the initial location, loop heads and errors remain.

Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: *Software model checking via large-block
encoding*, FMCAD 2009. Between two remaining locations all paths become one edge, whose
statement is a :class:`Block`. The paper composes formulas by substitution, which grows; here a
block is built in SSA form (:mod:`revet.transform.ssa`), linear in the program.

What holds of the result:

* Locations keep their identity. One edge for each pair (location, next location).
* A block into an error location has a guard and no updates: the values there matter to nobody
  but the reader of a trace, and :func:`_trace_back` computes those by executing the program.
* The edges of a trace are recovered by execution, too: only values drawn by havoc and free
  choices between branches are read from the trace's inputs.

Back: a formula at a remaining location holds at the same location of the program. The checker
crosses the locations in between by itself.

Limits: a block is encoded for each pair, so n loops that can all be skipped (each inside an
``if``) would need up to n² blocks; :mod:`revet.transform.cuts` makes further cuts then. Many
error locations cost the same; merge them first (:mod:`revet.transform.merge_errors`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import filterfalse

from revet.errors import ModelError
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.values import Value
from revet.model.cfa import Cfa, Edge, Location
from revet.model.execute import Stuck, execute
from revet.model.names import Fresh
from revet.model.statements import Block
from revet.result.certificate import Certificate, Exhausted, LocationInvariants
from revet.result.trace import CfaTrace, State
from revet.transform.cuts import add_cuts
from revet.transform.graph import is_infeasible, live_edges, loop_heads, reach, successors, topological
from revet.transform.reduction import Reduction
from revet.transform.ssa import Encoding, encode


def large_blocks(cfa: Cfa) -> Reduction:
    """See the module's text."""
    leaving = successors(live_edges(cfa))
    errors = set(cfa.errors)
    heads = {cfa.initial: None, **loop_heads(cfa.initial, leaving), **dict.fromkeys(cfa.errors)}
    cuts = add_cuts(leaving, heads, frozenset(errors))
    encodings = blocks_between(cuts, leaving, cfa.fresh, errors)
    used = {cfa.initial, *(end for edge in encodings for end in (edge.source, edge.target))}
    model = Cfa(
        cfa.variables,
        tuple(location for location in cfa.locations if location in used),
        tuple(encodings),
        cfa.initial,
        tuple(location for location in cfa.errors if location in used),
        cfa.precondition,
        cfa.name,
    )
    kept = tuple(location for location in cfa.locations if location in cuts)
    lost: dict[Location, Term] = {x: FALSE for x in kept if x not in used and x not in errors}
    everywhere = successors([edge for edge in cfa.edges if edge.source not in errors])
    for head in (cfa.initial, *loop_heads(cfa.initial, everywhere)):
        if head not in leaving and head not in errors:
            lost[head] = TRUE  # there may be a cycle through it, but no way to an error
    return Reduction(
        model,
        lambda trace: _trace_back(cfa, encodings, trace),
        lambda certificate: _certificate_back(cfa, model, kept, lost, certificate),
    )


def blocks_between(
    cuts: Mapping[Location, None], leaving: Mapping[Location, Sequence[Edge]], fresh: Fresh,
    errors: Container[Location],
) -> dict[Edge, Encoding]:
    """One edge for each pair of cuts between which there is a path; the cuts meet every cycle."""
    encodings: dict[Edge, Encoding] = {}
    for head in cuts:
        region = _region(head, leaving, cuts)
        for target, edges in _by_target(region, cuts).items():
            encoding = encode(head, target, edges, fresh, with_updates=target not in errors)
            if encoding is not None:
                edge = Edge(head, target, (Block(encoding.relation),), edges[0].position)
                encodings[edge] = encoding
    return encodings


def _region(
    head: Location, leaving: Mapping[Location, Sequence[Edge]], cuts: Mapping[Location, None]
) -> list[Edge]:
    """The edges on paths from ``head`` up to the next cuts, sources in topological order."""
    return [edge for location in topological([head], leaving, cuts) for edge in leaving.get(location, ())]


def _by_target(region: list[Edge], cuts: Mapping[Location, None]) -> dict[Location, list[Edge]]:
    """For each cut that the region leads to: the edges on paths to it, in the region's order."""
    targets = dict.fromkeys(edge.target for edge in region if edge.target in cuts)
    found: dict[Location, list[Edge]] = {}
    for target in targets:
        wanted: set[Location] = set()
        chosen: list[Edge] = []
        for edge in reversed(region):
            if edge.target is target or edge.target in wanted:
                # a source that is a cut itself is the head, and must not catch edges back to it
                if edge.source not in cuts:
                    wanted.add(edge.source)
                chosen.append(edge)
        chosen.reverse()
        found[target] = chosen
    return found


@dataclass
class _Run:
    """A concrete run under construction."""

    locations: list[Location]
    states: list[State]
    edges: list[Edge]
    inputs: list[State]

    def take(self, cfa: Cfa, edge: Edge, drawn: Sequence[Value]) -> None:
        self.states.append(execute(edge.statements, self.states[-1], drawn))
        self.locations.append(edge.target)
        self.edges.append(edge)
        self.inputs.append(dict(zip(cfa.relation(edge).locals, drawn, strict=True)))


def _trace_back(cfa: Cfa, encodings: Mapping[Edge, Encoding], trace: CfaTrace) -> CfaTrace:
    run = _Run([trace.locations[0]], [trace.states[0]], [], [])
    for step, block in enumerate(trace.edges):
        given = trace.inputs[step] if step < len(trace.inputs) else {}
        _cross(cfa, encodings[block], given, block.target, run)
        if step + 1 < len(trace.edges):
            _require_same(trace.states[step + 1], run.states[-1], step)
    return CfaTrace(tuple(run.locations), tuple(run.states), tuple(run.edges), tuple(run.inputs))


def _cross(cfa: Cfa, encoding: Encoding, given: State, target: Location, run: _Run) -> None:
    """Execute one block: at least one edge, until ``target``."""
    while True:
        edge = _chosen(encoding, given, run)
        run.take(cfa, edge, encoding.drawn(edge, given))
        if edge.target is target:
            return


def _chosen(encoding: Encoding, given: State, run: _Run) -> Edge:
    """The edge that the run takes from where it stands."""
    split = encoding.splits[run.locations[-1]]
    if len(split.edges) == 1:
        return split.edges[0]
    if split.condition is not None:
        try:
            execute(split.edges[0].statements[:1], run.states[-1], ())
        except Stuck:
            return split.edges[1]
        return split.edges[0]
    for edge, choice in zip(split.edges, split.choices, strict=False):
        if encoding.value(choice, given) is True:
            return edge
    return split.edges[-1]


def _require_same(expected: Mapping[Term, Value], reached: Mapping[Term, Value], step: int) -> None:
    for variable, value in reached.items():
        if expected.get(variable, value) != value:
            raise ModelError(
                f"block {step + 1} of the trace ends with {variable.name} = {expected[variable]}, "
                f"but executing it gives {value}"
            )


def _certificate_back(
    cfa: Cfa, model: Cfa, kept: tuple[Location, ...], lost: Mapping[Location, Term], certificate: Certificate
) -> Certificate:
    """``lost``: what holds at locations that no block leads to."""
    if isinstance(certificate, Exhausted) and not live_edges(model):
        # No blocks lead from the start to an error, though edges did: runs go on, and only the paths are
        # refuted. Where no blocks lead to, no run comes.
        reached = reach([model.initial], lambda here: filterfalse(is_infeasible, model.outgoing[here]),
                        lambda block: block.target)
        formulas = {here: TRUE if here in reached else FALSE for here in kept if here not in cfa.errors}
        return LocationInvariants({**formulas, **lost})
    if isinstance(certificate, Exhausted):
        return certificate if certificate.cuts is not None else replace(certificate, cuts=frozenset(kept))
    assert isinstance(certificate, LocationInvariants)
    return replace(certificate, formulas={**certificate.formulas, **lost})
