"""From the small language to a control-flow automaton, one edge a statement (Penelle's notes,
section 3.2.1).

``if`` and ``while`` leave a location with two edges, the condition and its negation; ``assert``
with one to the next statement and one to its error location. Side conditions stand on both
edges, so a run that divides by zero stops. A ``nondet()`` that is not the whole right-hand side
of an assignment gets a variable ``nondet_1``, … that is havocked on the edge that evaluates it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from revet.frontends.kit.lowering import Lowering, blocking
from revet.frontends.kit.syntax import Expr, may_divide_by_zero, preorder
from revet.frontends.spa.parser import Statement, Tree
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, Sort
from revet.logic.terms import TRUE, Term
from revet.model import statements as model
from revet.model.cfa import Cfa, Edge, Location


@dataclass
class Lowered:
    """The model, and what the interpreter needs to follow a trace of it."""

    cfa: Cfa
    sorts: dict[Expr, Sort]
    variables: dict[str, Term]
    notes: tuple[str, ...]
    asserts: dict[Statement, str]
    """The error location of each assertion."""
    draws: dict[Edge, tuple[tuple[Expr, Term], ...]] = field(default_factory=dict)
    """Which nondet nodes an edge draws, and the variables that have the values after it."""


def lower(tree: Tree, name: str) -> Lowered:
    return _Lowering(tree, name).program()


class _Lowering:
    def __init__(self, tree: Tree, name: str) -> None:
        self.tree = tree
        self.name = name
        self.source = tree.source
        self.variables: dict[str, Term] = {x: b.var(x, INT) for x in tree.declared}
        self.expressions = Lowering(self.source, self.variables, blocking)
        self.statements = _all_statements(tree.body)
        self.asserts = self._assert_names()
        self.locations: list[Location] = []
        self.names: Counter[str] = Counter()
        self.edges: list[Edge] = []
        self.choices: dict[str, Term] = {}
        self.draws: dict[Edge, tuple[tuple[Expr, Term], ...]] = {}
        self.errors: list[Location] = []

    def program(self) -> Lowered:
        if not self.tree.declared:
            self._declare_implicitly()
        first = self._location(self.tree.body[0].offset if self.tree.body else 0)
        end = Location("end")
        self._sequence(self.tree.body, first, end)
        locations = (*self.locations, end, *self.errors)
        cfa = Cfa(
            (*self.variables.values(), *self.choices.values()),
            locations,
            tuple(self.edges),
            first,
            tuple(self.errors),
            name=self.name,
        )
        return Lowered(
            cfa, self.expressions.sorts, self.variables, self._notes(), self.asserts, self.draws
        )

    def _declare_implicitly(self) -> None:
        for statement in self.statements:
            used = [statement.target] if statement.target else []
            if statement.expr is not None:
                for node in preorder(statement.expr):
                    if node.op == "name":
                        self.source.check_name(node.payload, node.offset)
                        used.append(node.payload)
            for name in used:
                self.variables.setdefault(name, b.var(name, INT))

    def _assert_names(self) -> dict[Statement, str]:
        found = [s for s in self.statements if s.kind == "assert"]
        places = [self.source.position(s.offset) for s in found]
        lines = Counter(place.line for place in places)
        return {
            s: f"assert@{p.line}" if lines[p.line] == 1 else f"assert@{p.line}:{p.column}"
            for s, p in zip(found, places, strict=True)
        }

    def _notes(self) -> tuple[str, ...]:
        notes: list[str] = []
        if not self.asserts:
            notes.append("the program has no assert: nothing can go wrong")
        if any(s.expr is not None and may_divide_by_zero(s.expr) for s in self.statements):
            notes.append("a run that divides by zero stops there, without error")
        return tuple(notes)

    # Locations and edges

    def _location(self, offset: int) -> Location:
        """A location named after its line: L7, and L7.2 if the line has a second one."""
        position = self.source.position(offset)
        name = f"L{position.line}"
        self.names[name] += 1
        if self.names[name] > 1:
            name = f"{name}.{self.names[name]}"
        location = Location(name, position)
        self.locations.append(location)
        return location

    def _edge(
        self,
        statement: Statement,
        source: Location,
        target: Location,
        actions: list[model.Statement],
        draws: tuple[tuple[Expr, Term], ...] = (),
        text: str | None = None,
    ) -> None:
        if text is None:
            text = self.source.excerpt(statement.offset, statement.end)
        position = self.source.position(statement.offset)
        havocs: list[model.Statement] = [model.Havoc(v) for _, v in draws]
        edge = Edge(source, target, (*havocs, *actions), position, text)
        self.edges.append(edge)
        if draws:
            self.draws[edge] = draws

    # Statements

    def _sequence(self, body: tuple[Statement, ...], here: Location, after: Location) -> None:
        """Edges for ``body`` from ``here`` to ``after``."""
        if not body:
            self.edges.append(Edge(here, after, (), here.position, "skip"))
        for position, statement in enumerate(body):
            last = position + 1 == len(body)
            there = after if last else self._location(body[position + 1].offset)
            self._statement(statement, here, there)
            here = there

    def _statement(self, statement: Statement, here: Location, there: Location) -> None:
        match statement.kind:
            case "skip":
                self._edge(statement, here, there, [], text="skip")
            case "assign":
                self._assignment(statement, here, there)
            case "assume":
                draws, term, side, _ = self._condition(statement)
                self._edge(statement, here, there, [model.Assume(b.and_(side, term))], draws)
            case "assert":
                error = Location(self.asserts[statement], self.source.position(statement.offset))
                self.errors.append(error)
                self._fork(statement, here, there, error)
            case "if":
                self._if(statement, here, there)
            case "while":
                inside = there
                if statement.body:
                    inside = self._location(statement.body[0].offset)
                    self._fork(statement, here, inside, there)
                    self._sequence(statement.body, inside, here)
                else:
                    self._fork(statement, here, here, there)

    def _if(self, statement: Statement, here: Location, there: Location) -> None:
        then = self._location(statement.body[0].offset) if statement.body else there
        otherwise = there
        if statement.otherwise:
            otherwise = self._location(statement.otherwise[0].offset)
        self._fork(statement, here, then, otherwise)
        if statement.body:
            self._sequence(statement.body, then, there)
        if statement.otherwise:
            self._sequence(statement.otherwise, otherwise, there)

    def _fork(self, statement: Statement, here: Location, true: Location, false: Location) -> None:
        """Two edges: where the condition holds, and where it does not."""
        draws, term, side, text = self._condition(statement)
        self._edge(statement, here, true, [model.Assume(b.and_(side, term))], draws, f"[{text}]")
        negated = model.Assume(b.and_(side, b.not_(term)))
        self._edge(statement, here, false, [negated], draws, f"[!({text})]")

    def _condition(
        self, statement: Statement
    ) -> tuple[tuple[tuple[Expr, Term], ...], Term, Term, str]:
        draws = self._choose(statement.value, condition=True)
        term, side = self.expressions.condition(statement.value)
        # The text between the statement's outermost brackets.
        written = self.source.excerpt(statement.offset, statement.end)
        return draws, term, side, written[written.index("(") + 1 : -1].strip()

    def _assignment(self, statement: Statement, here: Location, there: Location) -> None:
        variable = self.variables.get(statement.target)
        if variable is None:
            raise self.source.error(f"unknown variable {statement.target}", statement.offset)
        if statement.value.op == "nondet":
            # The variable itself is drawn: no need for another.
            self.expressions.sorts[statement.value] = INT
            self._edge(statement, here, there, [], ((statement.value, variable),))
            return
        draws = self._choose(statement.value, condition=False)
        term, side = self.expressions.lower(statement.value, INT)
        guard: list[model.Statement] = [model.Assume(side)] if side is not TRUE else []
        self._edge(statement, here, there, [*guard, model.Assign(variable, term)], draws)

    def _choose(self, expr: Expr, *, condition: bool) -> tuple[tuple[Expr, Term], ...]:
        """Variables for the nondet nodes of an expression; Boolean where a condition stands."""
        draws: list[tuple[Expr, Term]] = []
        stack = [(expr, condition)]
        while stack:
            node, boolean = stack.pop()
            if node.op == "nondet":
                draws.append((node, self._choice(BOOL if boolean else INT)))
            below = boolean and node.op in ("and", "or", "not")
            stack.extend((arg, below) for arg in reversed(node.args))
        self.expressions.nondet.update(draws)
        return tuple(draws)

    def _choice(self, sort: Sort) -> Term:
        number = len(self.choices) + 1
        while (name := f"nondet_{number}") in self.variables or name in self.choices:
            number += 1
        self.choices[name] = b.var(name, sort)
        return self.choices[name]


def _all_statements(body: tuple[Statement, ...]) -> list[Statement]:
    """Every statement, in the order of the text."""
    found: list[Statement] = []
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        found.append(statement)
        stack.extend(reversed(statement.otherwise))
        stack.extend(reversed(statement.body))
    return found
