"""Statements as edges, each from the location where the previous one ended.

``while`` has a location of its own, at which the invariants are asserted before every test of the
condition (``free`` ones are assumed): they are never believed unproved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import Position
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.lower_expressions import Expressions, Scope, stored
from revet.frontends.boogie.lower_flow import Branch, Flow, Frame, Part, assuming, drawing, source_text
from revet.frontends.boogie.lower_formulas import Formulas
from revet.logic.terms import FALSE, Term
from revet.logic.walk import free_vars, substitute
from revet.model.cfa import Location
from revet.model.statements import Assign, Statement

if TYPE_CHECKING:
    from revet.frontends.boogie.lower_calls import Calls

Failure = tuple[object, ...]
"""What is violated: an assert or clause, and for a clause that a call must satisfy, the call."""


class Lowering:
    """What the parts of lowering share. ``errors`` has an error location for everything asserted."""

    calls: Calls

    def __init__(self, checked: s.Checked, expressions: Expressions, flow: Flow) -> None:
        self.checked = checked
        self.program = checked.program
        self.expressions = expressions
        self.formulas = Formulas(expressions, checked.functions.values())
        self.flow = flow
        self.frames: list[Frame] = []
        self.errors: dict[Failure, Location] = {}
        self._error_names: set[str] = set()
        self._spares: dict[Term, Term] = {}

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def step(self, at: Position, *parts: Part, text: str | None = None) -> None:
        """One edge that does all ``parts``, to a new location; none if they do nothing."""
        statements = [statement for part, _ in parts for statement in part]
        choices = [choice for _, part in parts for choice in part]
        if statements or choices:
            target = self.flow.location(self.frame.procedure.name if self.frames else "start", at)
            self.flow.edge(self.flow.here, target, at, statements, choices, text)
            self.flow.here = target

    # ---- what is asserted -------------------------------------------------------------------

    def require(self, formula: s.Expr, scope: Scope, failure: Failure, kind: str, at: Position) -> None:
        """An edge to an error location where the formula does not hold; go on where it does."""
        failing = self.formulas.assumed(formula, scope, False)
        if failing.condition is not FALSE and not self.frame.trusted:
            what = f"{kind} {source_text(self.program, formula.position)}"
            statements, choices = assuming(failing)
            error = self._error(failure, kind, at)
            self.flow.edge(self.flow.here, error, at, statements, choices, f"{what} fails")
        self.assume(formula, scope, at)

    def assume(self, formula: s.Expr, scope: Scope, at: Position) -> None:
        self.step(at, assuming(self.formulas.assumed(formula, scope)))

    def _error(self, failure: Failure, kind: str, at: Position) -> Location:
        found = self.errors.get(failure)
        if found is None:
            names = [f"{kind}@{at.line}", f"{kind}@{at.line}:{at.column}"]
            names += [f"{names[1]}#{number}" for number in range(2, len(self.errors) + 3)]
            name = next(name for name in names if name not in self._error_names)
            self._error_names.add(name)
            found = self.errors[failure] = Location(name, at)
        return found

    # ---- blocks -----------------------------------------------------------------------------

    def body(self, body: s.Body) -> None:
        """From here to the frame's exit."""
        name = self.frame.procedure.name
        for statement in s.statements(body.statements):
            if isinstance(statement, s.Label):
                self.frame.labels[statement.name] = self.flow.location(name, statement.position, ":label")
        self._block(body.statements)
        self.flow.edge(self.flow.here, self.frame.exit, body.end, text="}")
        self.flow.here = self.frame.exit

    def _block(self, statements: tuple[s.Statement, ...]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: s.Statement) -> None:
        scope, at, flow = self.frame.scope, statement.position, self.flow
        match statement:
            case s.Assert(formula=formula):
                self.require(formula, scope, (statement,), "assert", at)
            case s.Assume(formula=formula):
                self.assume(formula, scope, at)
            case s.Assign():
                self._assign(statement)
            case s.Havoc():
                self._havoc(statement)
            case s.If():
                self._if(statement)
            case s.While():
                self._while(statement)
            case s.Call():
                self.calls.call(statement)
            case s.Label(name=name):
                target = self.frame.labels[name]
                flow.edge(flow.here, target, at)
                flow.here = target
            case s.Goto(labels=labels):
                for way, label in enumerate(labels):
                    flow.edge(flow.here, self.frame.labels[label], at, (), [Branch(statement, way)])
                flow.here = flow.location("dead", None)
            case s.Break(target=target):
                flow.jump(self.frame.exits[target], at)
            case s.Return():
                flow.jump(self.frame.exit, at)
            case _:
                raise self.program.unsupported("'call forall' is not supported", at)

    # ---- assignments ------------------------------------------------------------------------

    def _assign(self, statement: s.Assign) -> None:
        """All right-hand sides are evaluated before anything changes."""
        scope = self.frame.scope
        new: dict[Term, Term] = {}
        for target, value in zip(statement.targets, statement.values, strict=True):
            variable = self.expressions.term(target.variable, scope)
            groups = [[self.expressions.term(index, scope) for index in group] for group in target.indices]
            indices = [index for group in groups for index in group]
            term = self.expressions.term(value, scope)
            new[variable] = stored(variable, indices, term) if indices else term
        self.step(statement.position, (self.parallel(new), []))

    def parallel(self, new: dict[Term, Term]) -> list[Statement]:
        """Assignments one after the other that do what all at once would. A value that still needs
        an old one goes first; only round a cycle is an old value put aside."""
        waiting = {x: value for x, value in new.items() if value is not x}
        ordered: list[Statement] = []
        while waiting:
            read = {x: sum(x in free_vars(v) for y, v in waiting.items() if y is not x) for x in waiting}
            chosen = next((x for x in waiting if read[x] == 0), None)
            if chosen is None:
                first = next(iter(waiting))
                copy = self.spare(first)
                ordered.append(Assign(copy, first))
                own = waiting.pop(first)
                waiting = {x: substitute(v, {first: copy}) for x, v in waiting.items()}
                waiting = {first: own, **waiting}
                continue
            ordered.append(Assign(chosen, waiting.pop(chosen)))
        return ordered

    def spare(self, variable: Term) -> Term:
        """A variable of our own for an old value of this one."""
        found = self._spares.get(variable)
        if found is None:
            found = self._spares[variable] = self.expressions.names.variable(
                f"{variable.name}$old", variable.sort
            )
        return found

    def _havoc(self, statement: s.Havoc) -> None:
        scope = self.frame.scope
        variables = [name.variable for name in statement.variables]
        pairs = [(name.variable, self.expressions.term(name, scope)) for name in statement.variables]
        self.step(statement.position, drawing(pairs), self.where(variables, scope))

    def where(self, variables: list[s.Variable], scope: Scope) -> Part:
        """What the declarations of variables that have just got any value say about them."""
        clauses = [variable.where for variable in variables if variable.where is not None]
        return assuming(*(self.formulas.assumed(clause, scope) for clause in clauses))

    # ---- branches and loops -----------------------------------------------------------------

    def _ways(self, statement: s.If | s.While, yes: Location, no: Location) -> None:
        """Two edges from here, by the condition or by choice."""
        flow, scope, at = self.flow, self.frame.scope, statement.position
        for way, target in enumerate((yes, no)):
            if statement.condition is None:
                flow.edge(flow.here, target, at, (), [Branch(statement, way)])
                continue
            assumed = self.formulas.assumed(statement.condition, scope, way == 0)
            if assumed.condition is not FALSE:
                flow.edge(flow.here, target, at, *assuming(assumed))

    def _if(self, statement: s.If) -> None:
        name, flow = self.frame.procedure.name, self.flow
        then, otherwise, after = (flow.location(name, statement.position) for _ in range(3))
        self.frame.exits[statement] = after
        self._ways(statement, then, otherwise)
        for start, block in ((then, statement.then), (otherwise, statement.otherwise)):
            flow.here = start
            self._block(block)
            flow.edge(flow.here, after, statement.position)
        flow.here = after

    def _while(self, statement: s.While) -> None:
        name, flow = self.frame.procedure.name, self.flow
        head = flow.location(name, statement.position, ":loop")
        inside, after = (flow.location(name, statement.position) for _ in range(2))
        self.frame.exits[statement] = after
        flow.edge(flow.here, head, statement.position)
        flow.here = head
        for clause in statement.invariants:
            if clause.free:
                self.assume(clause.formula, self.frame.scope, clause.position)
            else:
                self.require(clause.formula, self.frame.scope, (clause,), "invariant", clause.position)
        self._ways(statement, inside, after)
        flow.here = inside
        self._block(statement.body)
        flow.edge(flow.here, head, statement.position)
        flow.here = after
