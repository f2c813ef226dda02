"""The type checker on expressions: from the syntax tree to typed expressions (:mod:`.core`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from revet.errors import InputError, Position
from revet.frontends.lustre import core
from revet.frontends.lustre import declarations as d
from revet.frontends.lustre import syntax as s
from revet.frontends.lustre.check_match import Matching
from revet.frontends.lustre.check_operators import Operators, literal
from revet.frontends.lustre.check_structures import Structures
from revet.frontends.lustre.check_types import Types, conjunction, unify, variables
from revet.frontends.lustre.core import Const, Expr, If, Op
from revet.frontends.lustre.scopes import Scope
from revet.frontends.lustre.types import (
    BOOL,
    Datatype,
    Enum,
    Type,
    compatible,
    plain,
)
from revet.frontends.lustre.walk import is_temporal, subexpressions

if TYPE_CHECKING:
    from revet.frontends.lustre.check_nodes import Nodes


class Expressions(Structures):
    def __init__(self, types: Types) -> None:
        self.types = types
        self.operators = Operators(types)
        self.histories = {}
        self.nodes: Nodes
        self.constant: Callable[[str, Position], Expr | None] = lambda name, at: None

    # -- entry points

    def one(self, expr: s.Expr, scope: Scope, expected: Type | None = None) -> Expr:
        """One stream; ``expected`` helps where a literal does not tell its own type."""
        found = self.values(expr, scope, None if expected is None else [expected])
        if len(found) != 1:
            raise self._error(f"expected one stream, these are {len(found)}", expr.position)
        return found[0]

    def formula(self, expr: s.Expr, scope: Scope) -> Expr:
        found = self.one(expr, scope, BOOL)
        if found.type != BOOL:
            raise self._error(f"expected a bool, this is a {found.type}", expr.position)
        return found

    def typed(self, expr: s.Expr, scope: Scope, type_: Type, what: str) -> Expr:
        found = self.one(expr, scope, plain(type_))
        if not compatible(found.type, type_):
            raise self._error(f"{what} is a {plain(type_)}, this is a {found.type}", expr.position)
        return found

    def values(self, expr: s.Expr, scope: Scope, expected: list[Type] | None = None) -> list[Expr]:
        """The streams of an expression: several for groups and calls."""
        at = expr.position
        match expr:
            case s.Group(items=items):
                wanted = expected if expected is not None and len(expected) == len(items) else None
                return [
                    value for k, item in enumerate(items)
                    for value in self.values(item, scope, None if wanted is None else [wanted[k]])
                ]
            case s.Unary(operator="pre", argument=argument):
                self._temporal("pre", scope, at)
                return [core.Pre(at, v.type, v) for v in self.values(argument, scope, expected)]
            case s.Binary(operator=("->" | "fby") as operator, left=left, right=right):
                self._temporal(operator, scope, at)
                pairs = self._pairs(
                    self.values(left, scope, expected), self.values(right, scope, expected), at
                )
                return [self.operators.binary(operator, x, y, at) for x, y in pairs]
            case s.IfThenElse():
                return self._conditional(expr, scope, expected)
            case s.Merge():
                return self._merge(expr, scope, expected)
            case s.Call():
                return self._call(expr, scope, expected)
            case s.Match():
                return self._match(expr, scope, expected)
            case s.When():
                raise self.types.unsupported("'when' is supported inside 'merge' only", at)
        return [self._single(expr, scope, expected[0] if expected and len(expected) == 1 else None)]

    def _temporal(self, operator: str, scope: Scope, at: Position) -> None:
        if scope.forbidden:
            raise self._error(f"'{operator}' in {scope.forbidden}", at)

    def _pairs(self, left: list[Expr], right: list[Expr], at: Position) -> list[tuple[Expr, Expr]]:
        if len(left) != len(right):
            raise self._error(f"{len(left)} streams on one side, {len(right)} on the other", at)
        for x, y in zip(left, right, strict=True):
            if not compatible(x.type, y.type):
                raise self._error(f"a {x.type} on one side, a {y.type} on the other", at)
        return list(zip(left, right, strict=True))

    def _conditional(self, expr: s.IfThenElse, scope: Scope, expected: list[Type] | None) -> list[Expr]:
        condition = self.formula(expr.condition, scope)
        if expr.lazy:
            scope = scope.inside()
        then = self.values(expr.then, scope, expected)
        if expected is None:
            expected = [value.type for value in then]
        otherwise = self.values(expr.otherwise, scope, expected)
        at = expr.position
        return [If(at, x.type, condition, x, y, expr.lazy) for x, y in self._pairs(then, otherwise, at)]

    def _merge(self, expr: s.Merge, scope: Scope, expected: list[Type] | None) -> list[Expr]:
        at = expr.position
        self._temporal("merge", scope, at)
        clock = self.one(expr.clock, scope)
        labels = [self._label(clock, label, at) for label in expr.labels]
        wanted = 2 if clock.type == BOOL else len(clock.type.values) if isinstance(clock.type, Enum) else 0
        if wanted == 0:
            raise self._error(f"the clock of merge is a bool or an enumeration, this is a {clock.type}", at)
        if len(set(expr.labels)) != wanted or len(expr.labels) != wanted:
            raise self._error("merge needs one branch for every value of its clock", at)
        branches = [
            self._branch(branch, expr.clock, label, test, scope, expected)
            for branch, label, test in zip(expr.branches, expr.labels, labels, strict=True)
        ]
        found = branches[-1]
        for test, branch in zip(reversed(labels[:-1]), reversed(branches[:-1]), strict=True):
            found = [If(at, x.type, test, x, y) for x, y in self._pairs(branch, found, at)]
        return found

    def _label(self, clock: Expr, label: str, at: Position) -> Expr:
        if label in ("true", "false"):
            self.operators.require(clock, BOOL, "this merge")
            return clock if label == "true" else Op(at, BOOL, "not", (clock,))
        if not isinstance(clock.type, Enum) or label not in clock.type.values:
            raise self._error(f"{label} is not a value of the clock, a {clock.type}", at)
        value = Const(at, clock.type, clock.type.values.index(label))
        return Op(at, BOOL, "=", (clock, value))

    def _branch(
        self, branch: s.Expr, clock: s.Expr, label: str, test: Expr, scope: Scope, expected: list[Type] | None
    ) -> list[Expr]:
        """A branch is looked at when its label is the clock's value: a call in it is active only then."""
        if isinstance(branch, s.When):
            if not _is_clock(branch.clock, clock, label):
                raise self._error("this branch of merge is on another clock", branch.position)
            return self.values(branch.argument, scope, expected)
        if isinstance(branch, s.Call) and branch.node in self.nodes.declared:
            if branch.clock is not None and branch.defaults is None:
                if not _is_clock(branch.clock, clock, label):
                    raise self._error("this branch of merge is on another clock", branch.position)
                return self.nodes.call(branch, scope, self.formula(branch.clock, scope))
            if branch.clock is None and not self.nodes.declared[branch.node].function:
                return self.nodes.call(branch, scope, test)
        return self.values(branch, scope, expected)

    # -- calls

    def _call(self, expr: s.Call, scope: Scope, expected: list[Type] | None) -> list[Expr]:
        at = expr.position
        if expr.node == "#":
            return [
                self.operators.at_most_one([v for a in expr.arguments for v in self.values(a, scope)], at)
            ]
        if expr.node in self.nodes.declared:
            if expr.clock is None:
                return self.nodes.call(expr, scope, None)
            self._temporal("activate", scope, at)
            found = self.nodes.call(expr, scope, self.formula(expr.clock, scope))
            return found if expr.defaults is not None else self.nodes.without_defaults(found, at)
        if expr.node in self.types.constructors:
            return [self._construct(expr, scope, expected[0] if expected and len(expected) == 1 else None)]
        if expr.node in self.types.enumerators and len(expr.arguments) == 1:
            enum, value = self.types.enumerators[expr.node]
            argument = self.typed(expr.arguments[0], scope, enum, f"the argument of {expr.node}")
            return [Op(at, BOOL, "=", (argument, Const(at, enum, value)))]
        raise self._error(f"there is no node {expr.node}", at)

    def _construct(self, expr: s.Call, scope: Scope, expected: Type | None) -> Expr:
        definition, position = self.types.constructors[expr.node]
        at, constructor = expr.position, definition.constructors[position]
        if len(expr.arguments) != len(constructor.fields):
            raise self._error(f"{expr.node} has {len(constructor.fields)} fields", at)
        given = [self.types.resolve(a, scope) for a in expr.type_arguments]
        if not given and definition.parameters:
            given = self._infer(expr, definition, constructor, scope, expected)
        type_ = self.types.resolve(
            s.NamedType(at, definition.name, tuple(s.NamedType(at, f"{n}") for n in range(len(given)))),
            Scope(types={str(n): plain(t) for n, t in enumerate(given)}),
        )
        assert isinstance(type_, Datatype)
        fields = type_.constructors[position].fields
        items = [
            self.typed(argument, scope, part, f"field {name} of {expr.node}")
            for argument, (name, part) in zip(expr.arguments, fields, strict=True)
        ]
        made = core.Make(at, plain(type_), tuple(items), position)
        clauses = [
            m
            for item, (_, part) in zip(items, fields, strict=True)
            for m in self.types.membership(part, item)
        ]
        return core.Ascribed(at, made.type, made, tuple(clauses)) if clauses else made

    def _infer(
        self, expr: s.Call, definition: d.TypeDefinition, constructor: d.Constructor, scope: Scope,
        expected: Type | None,
    ) -> list[Type]:
        """The type arguments of a constructor, from its fields or from what is expected."""
        found: dict[str, Type] = {}
        formal = Scope(types=variables(definition.parameters))
        unclear: list[InputError] = []  # of fields that depend on the others: ``Nil`` in ``Cons(1, Nil)``
        for argument, field in zip(expr.arguments, constructor.fields, strict=True):
            try:
                actual = self.one(argument, scope)
            except InputError as error:
                unclear.append(error)
                continue
            if not unify(self.types.resolve(field.type, formal), actual.type, found):
                raise self._error(
                    f"field {field.name} of {expr.node} is not a {actual.type}", argument.position
                )
        if isinstance(expected, Datatype) and expected.name == definition.name:
            for name, type_ in zip(definition.parameters, expected.arguments, strict=True):
                found.setdefault(f"?{name}", type_)
        if missing := [name for name in definition.parameters if f"?{name}" not in found]:
            raise next(iter(unclear), None) or self._error(
                f"write {expr.node}@<…>: {missing[0]} cannot be inferred", expr.position
            )
        return [found[f"?{name}"] for name in definition.parameters]

    # -- single streams

    def _single(self, expr: s.Expr, scope: Scope, expected: Type | None) -> Expr:
        at = expr.position
        match expr:
            case s.Literal(text=text):
                return literal(text, at)
            case s.Name():
                return self._name(expr, scope, expected)
            case s.ModeReference(path=path):
                if scope.modes is None:
                    raise self._error("there is no contract here", at)
                return scope.modes(path, at)
            case s.Unary(operator="last", argument=argument):
                return self._last(argument, scope, at)
            case s.Unary(operator=operator, argument=argument):
                return self.operators.unary(operator, self.one(argument, scope, expected), at)
            case s.Binary(operator=operator, left=left, right=right):
                return self._binary(operator, left, right, scope, expected, at)
            case s.Convert():
                return self._convert(expr, scope)
            case s.Ascribe(argument=argument, type=type_):
                target = self.types.resolve(type_, scope)
                value = self.typed(argument, scope, target, "the value")
                return core.Ascribed(at, value.type, value, tuple(self.types.membership(target, value)))
            case s.Tester(constructor=name, argument=argument):
                return self._tester(name, self.one(argument, scope), at)
            case s.Quantifier():
                return self._quantifier(expr, scope)
            case s.Any():
                return self._any(expr, scope)
        return self.structure(expr, scope, expected)

    def _convert(self, expr: s.Convert, scope: Scope) -> Expr:
        """``int8 x + y`` is ``int8 (x + y)``, or ``(int8 x) + y`` where only that has a type."""
        at, argument = expr.position, expr.argument
        try:
            return self.operators.convert(self.types.resolve(expr.type, scope), self.one(argument, scope), at)
        except InputError:
            if not (expr.loose and isinstance(argument, s.Binary)):
                raise
        first = s.Convert(at, expr.type, argument.left, True)
        return self._binary(argument.operator, first, argument.right, scope, None, argument.position)

    def _binary(
        self, operator: str, left: s.Expr, right: s.Expr, scope: Scope, expected: Type | None, at: Position
    ) -> Expr:
        if operator in ("+", "-", "*"):
            x = self.one(left, scope, expected)
        else:
            x = self.one(left, scope)
        inner = scope.inside() if operator in ("and then", "or else", "==>") else scope
        y = self.one(right, inner, None if operator == "in" else x.type)
        return self.operators.binary(operator, x, y, at)

    def _name(self, expr: s.Name, scope: Scope, expected: Type | None) -> Expr:
        name, at = expr.name, expr.position
        if name in scope.names and not expr.type_arguments:
            return scope.names[name]
        found = self.constant(name, at)
        if found is not None:
            return found
        if name in self.types.enumerators:
            enum, value = self.types.enumerators[name]
            return Const(at, enum, value)
        if name in self.types.constructors:
            return self._construct(s.Call(at, name, (), expr.type_arguments), scope, expected)
        raise self._error(f"{name} is not declared", at)

    def _last(self, argument: s.Expr, scope: Scope, at: Position) -> Expr:
        if not isinstance(argument, s.Name) or scope.last is None or argument.name not in scope.last:
            raise self._error("'last x' stands in a frame block, for an output or local variable x", at)
        return scope.last[argument.name]

    def _match(self, expr: s.Match, scope: Scope, expected: list[Type] | None) -> list[Expr]:
        matching = Matching(self.types, expr, self._subject(expr, scope))
        scope = scope.inside()
        rows: list[list[Expr]] = []
        for (_, names), (_, body) in zip(matching.arms, expr.arms, strict=True):
            rows.append(self.values(body, scope.with_names(names), expected))
            expected = [value.type for value in rows[0]]
        if len({len(row) for row in rows}) != 1:
            raise self._error("the arms of this match have different numbers of streams", expr.position)
        return [matching.result(list(column)) for column in zip(*rows, strict=True)]

    def _subject(self, expr: s.Match, scope: Scope) -> Expr:
        """What is matched; the arms look at it, and it is evaluated at every instant nevertheless."""
        found = self.one(expr.subject, scope)
        if not is_temporal(found):
            return found
        if scope.inner:
            raise self.types.unsupported(
                "a match on something with 'pre', '->' or a node call, inside a branch: name it outside",
                expr.position,
            )
        return core.Base(found.position, found.type, found)

    def _tester(self, name: str, value: Expr, at: Position) -> Expr:
        names = [c.name for c in value.type.constructors] if isinstance(value.type, Datatype) else []
        if name not in names:
            raise self._error(f"a {value.type} has no constructor {name}", at)
        return core.Test(at, BOOL, value, names.index(name))

    def _quantifier(self, expr: s.Quantifier, scope: Scope) -> Expr:
        at = expr.position
        bounds, guards, inner = [], [], scope
        had: list[Expr] = []
        for declaration in expr.variables:
            past: Expr | None = None
            if isinstance(declaration.type, s.HistoryType):
                self._temporal("history", scope, declaration.position)
                type_, past = self.history(declaration.type, scope)
            else:
                type_ = self.types.resolve(declaration.type, inner)
            bound = self.types.bound(declaration.name, type_, declaration.position)
            guards += self.types.membership(type_, bound)
            if past is not None:
                had.append(core.In(declaration.position, BOOL, bound, past))
            bounds.append(bound)
            inner = inner.inside().with_names({declaration.name: bound})
        body = self.formula(expr.body, inner)
        if had:
            body = core.Op(at, BOOL, "=>" if expr.universal else "and", (conjunction(had, at), body))
        if guards:
            outside = Const(at, BOOL, expr.universal)
            body = If(at, BOOL, conjunction(guards, at), body, outside, True)
        return core.Quantify(at, BOOL, expr.universal, tuple(bounds), body)

    def _any(self, expr: s.Any, scope: Scope) -> Expr:
        at = expr.position
        if not expr.functional:
            self._temporal("any", scope, at)
        type_ = self.types.resolve(expr.type, scope)
        name = self.types.fresh("choose" if expr.functional else "any")
        subject = core.Var(at, plain(type_), name)
        constraints = self.types.membership(type_, subject)
        if not expr.functional:
            return core.Free(at, plain(type_), name, constraints)
        captured = {
            part.name: part for part in subexpressions(*constraints)
            if isinstance(part, (core.Var, core.Bound)) and part.name != name
        }
        inner = {part.name for q in subexpressions(*constraints)
                 if isinstance(q, core.Quantify) for part in q.variables}
        free = tuple(part for part in captured.values() if part.name not in inner)
        file = "" if at.file == self.types.file.path else f"{at.file}."
        where = f"choose.{file}{at.line}.{at.column}.{plain(type_)}"
        return core.Choice(at, plain(type_), name, where, free, constraints)


def _is_clock(written: s.Expr, clock: s.Expr, label: str) -> bool:
    """Is ``written`` true exactly when the clock has the label's value, by the look of it?"""
    match written:
        case s.Unary(operator="not", argument=argument):
            return _is_clock(argument, clock, {"true": "false", "false": "true"}.get(label, ""))
        case s.Call(node=name, arguments=(argument,)):
            return name == label and s.same(argument, clock)
        case s.Binary(operator="=", left=left, right=s.Name(name=name)):
            return name == label and s.same(left, clock)
    return label == "true" and s.same(written, clock)
