"""Is a bare path feasible? A path is a list of edges or of locations, without values.

Feasible: values for every variable along it, found by one query and confirmed by executing the edges. If it
is not: a shortest part of it that contradicts itself, and in it the statements that matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from revet.errors import RevetError, UsageError, did_you_mean
from revet.logic.core import and_, eq
from revet.logic.pretty import format_value
from revet.logic.terms import TRUE
from revet.logic.walk import substitute
from revet.model.execute import Stuck, execute, recover_draws
from revet.model.names import at
from revet.smt.protocol import SolverError, Status
from revet.smt.z3 import Z3

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from revet.budget import Budget
    from revet.images.space import Space
    from revet.logic.terms import Term
    from revet.logic.values import Value
    from revet.model.cfa import Cfa, Edge


@dataclass(frozen=True, eq=False)
class PathAnswer:
    """``states`` has the values before each edge and after the last, if the path is feasible.

    Otherwise ``first`` and ``last`` are the numbers (from 1) of the edges of a shortest contradictory part,
    ``needed`` those among them without which it would not be one, and ``start`` tells whether the condition
    on initial states is needed, too.
    """

    cfa: Cfa
    edges: tuple[Edge, ...]
    states: tuple[dict[Term, Value], ...] | None
    first: int = 0
    last: int = 0
    needed: tuple[int, ...] = ()
    start: bool = False

    @property
    def feasible(self) -> bool:
        return self.states is not None

    def data(self) -> dict[str, Any]:
        """For JSON."""
        path = [f"{edge.source.name} -> {edge.target.name}" for edge in self.edges]
        if self.states is not None:
            rows = [{x.name: format_value(v, x.sort) for x, v in state.items()} for state in self.states]
            return {"feasible": True, "path": path, "states": rows}
        part = {"first": self.first, "last": self.last, "needed": list(self.needed), "initial": self.start}
        return {"feasible": False, "path": path, "contradiction": part}

    def __str__(self) -> str:
        return self._table() if self.states is not None else self._contradiction()

    def _table(self) -> str:
        assert self.states is not None
        names = [x.name for x in self.cfa.variables]
        rows = [["", "location", *names, "next statement"]]
        start = self.edges[0].source if self.edges else self.cfa.initial
        places = [start, *(edge.target for edge in self.edges)]
        for number, (place, state) in enumerate(zip(places, self.states, strict=True)):
            values = [format_value(state[x], x.sort) for x in self.cfa.variables]
            following = str(self.edges[number]) if number < len(self.edges) else ""
            rows.append([str(number), place.name, *values, following])
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        cells = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
        return "\n".join(["feasible", *("  ".join(row).rstrip() for row in cells)])

    def _contradiction(self) -> str:
        if self.first > self.last:
            return "infeasible: there is no initial state"
        begin = "the initial states and " if self.start else ""
        some = f"edge {self.first}" if self.first == self.last else f"edges {self.first} to {self.last}"
        verb = "contradicts itself" if self.first == self.last and not self.start else "contradict each other"
        lines = [f"infeasible: {begin}{some} {verb}"]
        for number in range(self.first, self.last + 1):
            mark = "*" if number in self.needed else " "
            edge = self.edges[number - 1]
            lines.append(f"{mark} {number}  {edge.source.name} -> {edge.target.name}: {edge}")
        return "\n".join(lines)


def read_path(space: Space, text: str) -> list[Edge]:
    """``a b c``, ``a -> b -> c`` (locations) or ``1 2 3``, ``e1 e2 e3`` (edges by their number).

    Between two locations with several edges the number decides: write edges then.
    """
    words = [word for word in re.split(r"[\s,;]+|->", text) if word]
    names = {place.name: place for place in space.places}
    if words and all(word in names for word in words):
        return [_between(space, one, other) for one, other in pairwise(words)]
    edges: list[Edge] = []
    for word in words:
        number = re.fullmatch(r"e?(\d+)", word)
        if number is None or not 1 <= int(number[1]) <= len(space.steps):
            raise UsageError(
                f"{word} is neither a location nor the number of an edge (1 to {len(space.steps)}); "
                f"locations: {did_you_mean(word, names)}"
            )
        edges.append(space.steps[int(number[1]) - 1])
    for one, other in pairwise(edges):
        if one.target is not other.source:
            raise UsageError(
                f"{space.label(other)} does not follow {space.label(one)}: this is not a path"
            )
    return edges


def _between(space: Space, one: str, other: str) -> Edge:
    ends = (one, other)
    found: list[Edge] = [edge for edge in space.steps if (edge.source.name, edge.target.name) == ends]
    if not found:
        targets = dict.fromkeys(edge.target.name for edge in space.steps if edge.source.name == one)
        ways = f"from {one} to {', '.join(targets)}" if targets else f"none from {one}"
        raise UsageError(f"there is no edge {one} -> {other}: this is not a path (edges: {ways})")
    if len(found) > 1:
        numbers = ", ".join(str(space.steps.index(edge) + 1) for edge in found)
        raise UsageError(f"there are several edges {one} -> {other}: write the path in numbers ({numbers})")
    return found[0]


def path_answer(cfa: Cfa, edges: Sequence[Edge], budget: Budget, *, initial: bool = True) -> PathAnswer:
    """``initial``: a path that begins in the initial location starts with the automaton's precondition."""
    formulas = _Path(cfa, edges, initial and (not edges or edges[0].source is cfa.initial))
    solver = Z3().solver(budget=budget)
    status = solver.check([formulas.start, *formulas.steps])
    if status is Status.UNKNOWN:
        raise SolverError(f"the path was not decided: {solver.reason_unknown}")
    if status is Status.SAT:
        model = solver.model()
        states = tuple({x: model.value(v) for x, v in state.items()} for state in formulas.states)
        drawn = [{x: model.value(v) for x, v in draw.items()} for draw in formulas.drawn]
        _confirm(cfa, edges, states, drawn)
        return PathAnswer(cfa, tuple(edges), states)
    return _Shortest(cfa, tuple(edges), formulas, budget).answer()


class _Path:
    """The path as formulas: one for the start and one for each edge, over values with step numbers."""

    def __init__(self, cfa: Cfa, edges: Sequence[Edge], initial: bool) -> None:
        current: dict[Term, Term] = {x: at(x, 0) for x in cfa.variables}
        self.start = substitute(cfa.precondition, current) if initial else TRUE
        self.states = [current]
        self.steps: list[Term] = []
        self.drawn: list[dict[Term, Term]] = []
        for number, edge in enumerate(edges):
            relation = cfa.relation(edge)
            drawn = {local: at(local, number) for local in relation.locals}
            before = {**current, **drawn}
            current = dict(current)
            parts = [substitute(relation.guard, before)]
            for variable, value in relation.updates.items():
                current[variable] = at(variable, number + 1)
                parts.append(eq(current[variable], substitute(value, before)))
            self.steps.append(and_(*parts))
            self.states.append(current)
            self.drawn.append(drawn)


class _Shortest:
    """Looks for the shortest contradictory part, the earliest of them, and what is needed in it."""

    def __init__(self, cfa: Cfa, edges: tuple[Edge, ...], path: _Path, budget: Budget) -> None:
        self._cfa, self._edges, self._path = cfa, edges, path
        self._solver = Z3().solver(budget=budget)

    def _contradictory(self, formulas: Sequence[Term]) -> bool:
        status = self._solver.check(formulas)
        if status is Status.UNKNOWN:
            raise SolverError(f"a part of the path was not decided: {self._solver.reason_unknown}")
        return status is Status.UNSAT

    def answer(self) -> PathAnswer:
        steps, start = self._path.steps, self._path.start
        if self._contradictory([start]):
            return PathAnswer(self._cfa, self._edges, None, 1, 0, (), True)
        for length in range(1, len(steps) + 1):
            for first in range(len(steps) - length + 1):
                part = steps[first : first + length]
                for begins in ((False, True) if first == 0 and start is not TRUE else (False,)):
                    if self._contradictory([*([start] if begins else []), *part]):
                        return self._found(first, length, begins)
        raise RevetError("an infeasible path has no infeasible part: please report this")

    def _found(self, first: int, length: int, begins: bool) -> PathAnswer:
        kept = dict(enumerate(self._path.steps[first : first + length], first + 1))
        head = [self._path.start] if begins else []
        for number in list(kept):
            rest = [step for other, step in kept.items() if other != number]
            if self._contradictory([*head, *rest]):
                del kept[number]
        return PathAnswer(
            self._cfa, self._edges, None, first + 1, first + length, tuple(kept), begins
        )


def _confirm(
    cfa: Cfa, edges: Sequence[Edge], states: Sequence[dict[Term, Value]], drawn: Sequence[dict[Term, Value]]
) -> None:
    """Execute the edges: no solver is believed."""
    for number, edge in enumerate(edges):
        values = recover_draws(edge.statements, cfa.relation(edge).locals, drawn[number], states[number + 1])
        try:
            after = execute(edge.statements, states[number], values)
        except Stuck as reason:
            raise RevetError(f"the values found do not lead over edge {number + 1}: {reason}") from reason
        if any(after[x] != states[number + 1][x] for x in cfa.variables):
            raise RevetError(f"the values found do not lead over edge {number + 1}")



