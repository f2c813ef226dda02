"""The type checker on the body of a node: equations, ``if``, ``when`` and ``cond`` blocks, frames.

A block becomes one expression for every variable that it defines. A condition is one expression that
all of them share, so they take the same branch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from revet.errors import Position
from revet.frontends.lustre import declarations as d
from revet.frontends.lustre.check_expressions import Expressions
from revet.frontends.lustre.core import ArrayDef, Arrow, Base, Const, Expr, If, Node, Op, Pre, Stream, Var
from revet.frontends.lustre.scopes import Scope
from revet.frontends.lustre.types import BOOL, INT, ArrayOf, Type, compatible, plain
from revet.frontends.lustre.walk import subexpressions


class Blocks:
    """``defined`` are the variables that the node may define, with their plain types."""

    def __init__(self, expressions: Expressions, node: Node, defined: Mapping[str, Type]) -> None:
        self.expressions = expressions
        self.types = expressions.types
        self.node = node
        self.defined = defined
        self.warnings: list[str] = []
        self.uses: list[Stream] = []  # of lemmas, see _use

    def run(self, statements: Sequence[d.Statement], scope: Scope) -> dict[str, Expr]:
        """The definitions of a node's body."""
        return self._sequence(statements, scope, None)

    def _sequence(
        self, statements: Sequence[d.Statement], scope: Scope, held: Mapping[str, Expr] | None
    ) -> dict[str, Expr]:
        """``held`` is what a variable of a frame is where a branch does not define it."""
        found: dict[str, Expr] = {}
        for statement in statements:
            match statement:
                case d.Equation():
                    more = self._equation(statement, scope)
                case d.Conditional():
                    more = self._conditional(statement, scope, held)
                case d.Frame():
                    if held is not None:
                        raise self.types.error("a frame block inside another block", statement.position)
                    more = self._frame(statement, scope)
                case d.LemmaCall():
                    more = self._use(statement, scope)
            for name, value in more.items():
                if name in found:
                    self._again(name, value)
                found.setdefault(name, value)
        return found

    def _equation(self, equation: d.Equation, scope: Scope) -> dict[str, Expr]:
        lefts = equation.names
        types = [self._left_type(left) for left in lefts]
        bounds = [self.types.bound(i, INT, equation.position) for left in lefts for i in left.indices]
        if bounds:
            if len(lefts) > 1:
                raise self.types.unsupported("one array a definition by index", equation.position)
            scope = scope.inside().with_names(dict(zip(lefts[0].indices, bounds, strict=True)))
        values = self.expressions.values(equation.value, scope, types)
        if len(values) != len(lefts):
            raise self.types.error(
                f"{len(lefts)} variables on the left, {len(values)} values on the right", equation.position
            )
        found: dict[str, Expr] = {}
        for left, type_, value in zip(lefts, types, values, strict=True):
            if not compatible(type_, value.type):
                raise self.types.error(f"{left.name} is a {type_}, but its definition is a {value.type}",
                                       left.position)
            if left.name in found:
                raise self.types.error(f"{left.name} is defined twice", left.position)
            whole = plain(self.defined[left.name])
            dimensions = [whole]
            for _ in left.indices:
                inner = dimensions[-1]
                assert isinstance(inner, ArrayOf)
                dimensions.append(inner.element)
            for bound, dimension in zip(reversed(bounds), reversed(dimensions[: len(bounds)]), strict=True):
                value = ArrayDef(equation.position, dimension, bound, value)
            found[left.name] = value
            self.node.places.setdefault(left.name, left.position)
        return found

    def _use(self, statement: d.LemmaCall, scope: Scope) -> dict[str, Expr]:
        """The call of a lemma: a hidden stream that is true, and a call that is looked at."""
        at, name = statement.position, statement.call.node
        declared = self.expressions.nodes.declared.get(name)
        if declared is None or not declared.lemma:
            raise self.types.error(f"there is no lemma {name}", at)
        (value,) = self.expressions.values(statement.call, scope)
        count = sum(stream.name.endswith(f" of {name}") for stream in self.uses)
        stream = Stream(f"use {count + 1} of {name}", BOOL, at, hidden=True)
        self.node.places[stream.name] = at
        self.uses.append(stream)
        return {stream.name: value}

    def _again(self, name: str, value: Expr) -> None:
        """A variable with two definitions has both. That they do not contradict each other is asked
        (``Node.doubled``): else there would be no run, and everything would hold."""
        at = value.position
        self.warnings.append(f"{at}: {name} has two definitions: both hold")
        variable = Var(at, plain(self.defined[name]), name)
        self.node.asserts.append(Op(at, BOOL, "=", (variable, value)))
        self.node.doubled.append(at)

    def _left_type(self, left: d.LeftSide) -> Type:
        if left.name not in self.defined:
            message = f"{left.name} is not an output or local variable of {self.node.name.split('<')[0]}"
            if any(left.name == stream.name for stream in self.node.inputs):
                message = f"{left.name} is an input and cannot be defined"
            raise self.types.error(message, left.position)
        type_ = plain(self.defined[left.name])
        for _ in left.indices:
            if not isinstance(type_, ArrayOf):
                raise self.types.error(f"{left.name} is not an array of so many dimensions", left.position)
            type_ = type_.element
        return type_

    def _conditional(
        self, block: d.Conditional, scope: Scope, held: Mapping[str, Expr] | None
    ) -> dict[str, Expr]:
        at = block.position
        branches: list[tuple[Expr | None, dict[str, Expr]]] = []
        for condition, statements in block.branches:
            test = None if condition is None else self.expressions.formula(condition, scope)
            inner = scope.inside() if block.lazy else scope
            branches.append((test, self._sequence(statements, inner, held)))
        if branches[-1][0] is not None:
            branches.append((None, {}))
        names = dict.fromkeys(name for _, defined in branches for name in defined)
        result = {}
        for name in names:
            value: Expr | None = None
            for test, defined in reversed(branches):
                here = defined.get(name)
                if here is None and name not in self.defined:  # the use of a lemma in another branch
                    here = Const(at, BOOL, True)
                if here is None:
                    if held is None or name not in held:
                        raise self.types.error(f"{name} is not defined in every branch of this block", at)
                    here = held[name]
                if test is None or value is None:
                    value = here
                else:
                    value = If(at, here.type, test, here, value, block.lazy)
            assert value is not None
            result[name] = value
        return result

    def _frame(self, frame: d.Frame, scope: Scope) -> dict[str, Expr]:
        at = frame.position
        types = {left.name: self._left_type(left) for left in frame.names}
        initial: dict[str, Expr] = {}
        for equation in frame.initial:
            initial.update(self._equation(equation, scope))
        for name, value in initial.items():
            if name not in types:
                raise self.types.error(f"{name} is not in the list of this frame block", at)
            if timed := next((p for p in subexpressions(value) if isinstance(p, (Arrow, Pre))), None):
                message = "an initialisation counts at the first instant only: no pre and no -> in it"
                raise self.types.error(message, timed.position)
        last = {
            name: self._held(name, plain(type_), initial.get(name), scope, at)
            for name, type_ in self.defined.items()
        }
        held = {name: last[name] for name in types}
        found = self._sequence(frame.body, replace(scope, last=last), held)
        for name in found:
            if name not in types:
                raise self.types.error(f"{name} is not in the list of this frame block", at)
        return {name: found.get(name, held[name]) for name in types}

    def _held(self, name: str, type_: Type, initial: Expr | None, scope: Scope, at: Position) -> Expr:
        """The value of the last instant; at the first one, the initialisation, evaluated once."""
        position = at
        before: Expr = Pre(position, type_, Var(position, type_, name))
        if initial is not None and scope.hidden is not None:
            first = Stream(f"{name}~init", type_, position)
            scope.hidden(first, initial)
            before = Arrow(position, type_, Var(position, type_, first.name), before)
        return Base(position, type_, before)
