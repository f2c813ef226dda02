"""Collecting the automaton: a current location, statements waiting for their edge, and edges.

Statements are collected until control flow needs a location (:meth:`Flow.settle`) or the next
source statement begins; the edge gets the source statement's position and text. Places that
nothing leads to (code after ``return``) are lowered like any other and dropped at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

from revet.errors import Position
from revet.frontends.c.ast import Span, Stmt, Variable
from revet.logic import build as b
from revet.logic.terms import FALSE, TRUE, Term
from revet.model.cfa import Edge, Location
from revet.model.statements import Assign, Assume, Havoc, Statement


@dataclass(frozen=True, eq=False, slots=True)
class Input:
    """A value from outside that an edge draws: ``variable`` holds it after the edge.

    ``function`` is the one called; empty if it is what ``uninitialised`` holds at its declaration.
    ``region`` is the class of memory that a pointer from a call points into.
    """

    function: str
    variable: Term
    position: Position
    uninitialised: Variable | None = None
    offset: int = 0  # in bytes, of a part of an uninitialised structure
    region: int | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Held:
    """An object in memory begins to exist on an edge, with any contents: a variable, or (None) a block
    that the call at ``position`` allocates. After the edge ``address`` is where it is."""

    address: Term
    region: int
    position: Position
    variable: Variable | None = None


@dataclass(frozen=True, slots=True)
class Loop:
    """What a loop head is in the source. ``do`` loops have their head before the body, where an
    invariant of the *condition* does not hold; ``depth`` counts activations, as in symbols.
    ``label``: the loop is made by a jump back to a label, ``at`` is the labelled statement."""

    function: str
    at: Position
    depth: int
    do: bool = False
    label: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Annotation:
    """A formula that a witness claims at a location (see witness/annotate.py)."""

    number: int
    location: Location
    formula: Term


MOST_EDGES = 400_000  # of an automaton: no engine decides a larger one


class TooLarge(Exception):
    """Inlining made more than ``MOST_EDGES`` edges."""


class Flow:
    def __init__(self) -> None:
        self.edges: list[Edge] = []
        self.locations: list[Location] = []
        self.inputs: dict[Edge, tuple[Input | Held, ...]] = {}
        self.loops: dict[Location, Loop] = {}
        self.starts: dict[Location, list[tuple[Stmt, int]]] = {}
        self.annotations: list[Annotation] = []
        self.here = Location("start")
        self.locations.append(self.here)
        self.limit = MOST_EDGES
        self._names: dict[str, int] = {"start": 1}
        self._pending: list[Statement] = []
        self._drawn: list[Input | Held] = []
        self.version = 0  # changes whenever what holds here may not hold any more
        self._span: Span | None = None
        self._prefix = ""

    # ---- locations --------------------------------------------------------------------------

    def location(self, function: str, position: Position | None, kind: str = "") -> Location:
        line = f":{position.line}" if position else ""
        name = f"{function}{line}{kind}"
        count = self._names.get(name, 0) + 1
        self._names[name] = count
        found = Location(name if count == 1 else f"{name}.{count}", position)
        self.locations.append(found)
        return found

    def enter(self, span: Span, function: str) -> None:
        """A new source statement begins; the previous one's edge is completed."""
        self.settle()
        self._span = span
        self._prefix = function

    def begin(self, statement: Stmt, function: str, depth: int) -> None:
        """A source statement begins, in an activation of its function."""
        self.enter(statement.span, function)
        self.starts.setdefault(self.here, []).append((statement, depth))

    @property
    def span(self) -> Span | None:
        return self._span

    @property
    def function(self) -> str:
        return self._prefix

    # ---- statements -------------------------------------------------------------------------

    def assign(self, variable: Term, value: Term) -> None:
        if variable is not value:
            self.version += 1
            self._pending.append(Assign(variable, value))

    def assume(self, condition: Term) -> None:
        if condition is not TRUE:
            self._pending.append(Assume(condition))

    def havoc(self, variable: Term) -> None:
        self.version += 1
        self._pending.append(Havoc(variable))

    def draw(self, drawn: Input | Held) -> None:
        self._drawn.append(drawn)

    def drop_pending(self) -> None:
        """Forget statements that were collected while a mere formula was built."""
        self._pending.clear()

    # ---- edges ------------------------------------------------------------------------------

    def settle(self) -> Location:
        """The current location, after the waiting statements."""
        if self._pending or self._drawn:
            target = self.location(self._prefix, self._span.start if self._span else None)
            self._edge(self.here, target, self._take())
            self.here = target
        return self.here

    def _take(self) -> tuple[Statement, ...]:
        statements = tuple(self._pending)
        self._pending.clear()
        return statements

    def _edge(self, source: Location, target: Location, statements: tuple[Statement, ...]) -> None:
        span = self._span
        text = span.text if span is not None else None
        edge = Edge(source, target, statements, span.start if span is not None else None, text)
        self.edges.append(edge)
        if self._drawn:
            self.inputs[edge] = tuple(self._drawn)
            self._drawn.clear()
        if len(self.edges) > self.limit:
            raise TooLarge(f"inlining makes more than {self.limit} edges")

    def jump(self, target: Location) -> None:
        """Control goes to ``target``; what follows is unreachable until :meth:`start`."""
        self._edge(self.here, target, self._take())
        self.here = self.location("dead", None)

    def may_jump(self, target: Location) -> None:
        """A run may go to ``target`` from here, or go on."""
        self._edge(self.settle(), target, ())

    def start(self, location: Location) -> None:
        """Go on at ``location``; the waiting statements lead there."""
        self.version += 1
        self._edge(self.here, location, self._take())
        self.here = location

    def resume(self, location: Location) -> None:
        """Go on at ``location``, which is reached by other edges only."""
        self.version += 1
        assert not self._pending
        self.here = location

    def branch(self, condition: Term, then: Location, otherwise: Location) -> None:
        """Two edges from here; the caller resumes at either."""
        source = self.settle()
        for guard, target in ((condition, then), (b.not_(condition), otherwise)):
            if guard is not FALSE:
                self._edge(source, target, () if guard is TRUE else (Assume(guard),))
        self.here = self.location("dead", None)

    def split(self, function: str) -> Location:
        return self.location(function, self._span.start if self._span else None)
