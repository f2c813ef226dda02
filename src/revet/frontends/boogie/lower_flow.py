"""Collecting the automaton: a current location, edges, and the choices that an edge stands for.

A run of a Boogie program is determined by its *choices*: where it starts, what it draws, which way it
goes at ``if (*)`` and ``goto``. Every edge lists those that it takes, in the order in which the
interpreter will ask for them (:mod:`replay`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from revet.errors import Position
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.lower_expressions import Scope
from revet.frontends.boogie.lower_formulas import Assumed, Witness
from revet.logic.terms import TRUE, Term
from revet.model.cfa import Edge, Location
from revet.model.statements import Assume, Havoc, Statement


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """The run starts in this procedure."""

    procedure: s.Procedure


@dataclass(frozen=True, eq=False, slots=True)
class Drawn:
    """A variable gets any value: one havoc of the edge."""

    variable: s.Variable


@dataclass(frozen=True, eq=False, slots=True)
class Branch:
    """The way taken at a statement that leaves it open: 0, 1, …"""

    statement: s.Statement
    way: int


Choice = Entry | Drawn | Branch | Witness
"""A witness takes as many havocs of its edge as it has variables."""


Part = tuple[list[Statement], list[Choice]]
"""Statements of an edge, with the choices that they are."""


class TooLarge(Exception):
    """Inlining made more edges than anybody can check."""


@dataclass(eq=False)
class Frame:
    """One activation of a procedure while it is lowered.

    ``trusted``: what is asserted here is checked where this procedure is an entry of its own, so
    runs that violate it need not be followed here.
    """

    procedure: s.Procedure
    implementation: s.Implementation
    depth: int  # how many activations of the same procedure are below this one
    exit: Location
    scope: Scope
    trusted: bool
    labels: dict[str, Location] = field(default_factory=dict)
    exits: dict[s.Statement, Location] = field(default_factory=dict)  # where ``break`` goes


class Flow:
    def __init__(self, program: s.Program, limit: int) -> None:
        self.program = program
        self.edges: list[Edge] = []
        self.locations: list[Location] = []
        self.choices: dict[Edge, tuple[Choice, ...]] = {}
        self._limit = limit
        self._names: dict[str, int] = {}
        self.here = self.location("start", None)

    def location(self, where: str, position: Position | None, kind: str = "") -> Location:
        name = f"{where}:{position.line}{kind}" if position else f"{where}{kind}"
        count = self._names[name] = self._names.get(name, 0) + 1
        found = Location(name if count == 1 else f"{name}.{count}", position)
        self.locations.append(found)
        return found

    def edge(
        self, source: Location, target: Location, at: Position, statements: Sequence[Statement] = (),
        choices: Sequence[Choice] = (), text: str | None = None,
    ) -> None:
        if text is None:
            text = source_text(self.program, at)
        made = Edge(source, target, tuple(statements), at, text)
        self.edges.append(made)
        if choices:
            self.choices[made] = tuple(choices)
        if len(self.edges) > self._limit:
            raise TooLarge

    def jump(self, target: Location, at: Position) -> None:
        """Control goes to ``target``; what follows is reached from elsewhere, or not at all."""
        self.edge(self.here, target, at)
        self.here = self.location("dead", None)


def source_text(program: s.Program, at: Position) -> str:
    """The statement that begins there, as far as its line has it."""
    line = program.lines[at.line - 1][at.column - 1 :] if 0 < at.line <= len(program.lines) else ""
    ends = [line.find(mark) for mark in (";", "{", "//") if mark in line]
    return (line[: min(ends)] if ends else line).strip()


def assuming(*assumed: Assumed) -> Part:
    """Statements and choices that stand for assuming formulas."""
    statements: list[Statement] = []
    choices: list[Choice] = []
    for condition, witnesses in assumed:
        for witness in witnesses:
            statements += map(Havoc, witness.terms)
            choices.append(witness)
        if condition is not TRUE:
            statements.append(Assume(condition))
    return statements, choices


def drawing(pairs: Sequence[tuple[s.Variable, Term]]) -> Part:
    """Statements and choices that give variables any values."""
    return [Havoc(term) for _, term in pairs], [Drawn(variable) for variable, _ in pairs]
