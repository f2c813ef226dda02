"""Expressions with structs as lists of expressions without: one for each field, in order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from revet.errors import Position
from revet.frontends.boogie.syntax import (
    Application,
    Binary,
    Coercion,
    Expr,
    Extract,
    Field,
    Function,
    Given,
    IfThenElse,
    MapType,
    Name,
    NamedType,
    Old,
    Program,
    Quantifier,
    Select,
    Store,
    StructLiteral,
    StructType,
    Type,
    Unary,
    Variable,
    map_type,
    preorder,
)
from revet.frontends.parsing import Steps, run

_MOST_FIELDS = 1000
_MOST_PARTS = 300_000


class Leaf(NamedTuple):
    """A part without structs of a type: ``path`` is ``!x!y``, or nothing if it is all of it."""

    path: str
    type: Type


class Expander:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._leaves: dict[Type, list[Leaf]] = {}

    # -- types

    def leaves(self, type_: Type, position: Position) -> list[Leaf]:
        return run(self._parts(type_, position))

    def _parts(self, type_: Type, position: Position) -> Steps[list[Leaf]]:
        if type_ in self._leaves:
            return self._leaves[type_]
        found = [Leaf("", type_)]
        if isinstance(type_, StructType):
            found = []
            for name, field in type_.fields:
                parts: list[Leaf] = yield self._parts(field, position)
                found += [Leaf(f"!{name}{path}", part) for path, part in parts]
        elif isinstance(type_, MapType):
            domain: list[Type] = []
            for index in type_.domain:
                parts = yield self._parts(index, position)
                domain += [part for _, part in parts]
            parts = yield self._parts(type_.range, position)
            found = [Leaf(path, map_type(tuple(domain), part)) for path, part in parts]
        elif isinstance(type_, NamedType):
            for argument in type_.arguments:
                parts = yield self._parts(argument, position)
                if parts != [Leaf("", argument)]:
                    raise self._program.unsupported("a struct as an argument of a type", position)
        if len(found) > _MOST_FIELDS:
            raise self._program.unsupported(f"a struct of more than {_MOST_FIELDS} fields", position)
        self._leaves[type_] = found
        return found

    def variable(self, variable: Variable, leaf: Leaf, where: Expr | None = None) -> Variable:
        name = variable.name + leaf.path if variable.name else ""
        written = Given(variable.position, leaf.type)
        return Variable(
            variable.position, name, written, variable.kind, where, variable.unique, variable.attributes
        )

    def is_constant_array(self, function: Function) -> bool:
        """ULTIMATE's ``{:const_array}``: what it does to a struct, it does to each field alone."""
        return any(attribute.name == "const_array" for attribute in function.attributes)

    # -- expressions

    def expand(self, expr: Expr) -> list[Expr]:
        found = run(self._expand(expr))
        # What the fields share is shared only here: structs as indices of maps of structs, and so on, double.
        size = sum(1 for part in found for _ in islice(preorder(part), _MOST_PARTS))
        if size >= _MOST_PARTS:
            raise self._program.unsupported("an expression that structs make too large", expr.position)
        return found

    def _all(self, exprs: Sequence[Expr]) -> Steps[list[Expr]]:
        found: list[Expr] = []
        for expr in exprs:
            found += yield self._expand(expr)
        return found

    def _expand(self, expr: Expr) -> Steps[list[Expr]]:
        at = expr.position
        match expr:
            case Name(name=name):
                return [Name(at, name + leaf.path) for leaf in self.leaves(expr.type, at)]
            case StructLiteral(values=values):
                found: list[Expr] = yield self._all(values)
                return found
            case Field(argument=argument, name=name):
                parts: list[Expr] = yield self._expand(argument)
                return self._field(argument.type, name, parts, at)
            case Unary(operator=operator, argument=argument):
                (only,) = yield self._expand(argument)
                return [Unary(at, operator, only)]
            case Coercion(target=target, argument=argument):
                (only,) = yield self._expand(argument)
                return [Coercion(at, target, only)]
            case Extract(argument=argument, high=high, low=low):
                (only,) = yield self._expand(argument)
                return [Extract(at, only, high, low)]
            case Old(argument=argument):
                parts = yield self._expand(argument)
                return [Old(at, part) for part in parts]
            case Binary(left=left, right=right):
                first: list[Expr] = yield self._expand(left)
                second: list[Expr] = yield self._expand(right)
                return [_compared(expr, first, second)]
            case IfThenElse(condition=condition, then=then, otherwise=otherwise):
                (test,) = yield self._expand(condition)
                first = yield self._expand(then)
                second = yield self._expand(otherwise)
                return [IfThenElse(at, test, *pair) for pair in zip(first, second, strict=True)]
            case Application(arguments=arguments):
                parts = yield self._all(arguments)
                return self._applied(expr, parts)
            case Select(map=base, indices=indices):
                parts = yield self._expand(base)
                keys = tuple((yield self._all(indices)))
                return [Select(at, part, keys) for part in parts]
            case Store(map=base, indices=indices, value=value):
                parts = yield self._expand(base)
                keys = tuple((yield self._all(indices)))
                first = yield self._expand(value)
                return [Store(at, part, keys, new) for part, new in zip(parts, first, strict=True)]
            case Quantifier():
                quantified: list[Expr] = yield self._quantifier(expr)
                return quantified
        return [expr]  # a literal

    def _field(self, type_: Type, name: str, parts: list[Expr], position: Position) -> list[Expr]:
        assert isinstance(type_, StructType)
        before = 0
        for own, field in type_.fields:
            size = len(self.leaves(field, position))
            if own == name:
                return parts[before : before + size]
            before += size
        raise AssertionError(name)

    def _applied(self, expr: Application, arguments: list[Expr]) -> list[Expr]:
        results = self.leaves(expr.type, expr.position)
        each = [tuple(arguments)] * len(results)
        if self.is_constant_array(expr.function):
            each = [(argument,) for argument in arguments]
        return [
            Application(expr.position, expr.name + leaf.path, own)
            for leaf, own in zip(results, each, strict=True)
        ]

    def _quantifier(self, expr: Quantifier) -> Steps[list[Expr]]:
        if expr.type_parameters:
            raise self._program.unsupported("type parameters next to structs", expr.position)
        variables = tuple(
            self.variable(variable, leaf)
            for variable in expr.variables
            for leaf in self.leaves(variable.type, variable.position)
        )
        triggers: list[tuple[Expr, ...]] = []
        for trigger in expr.triggers:
            triggers.append(tuple((yield self._all(trigger))))
        bodies: list[Expr] = yield self._expand(expr.body)
        at, kind, attributes = expr.position, expr.kind, expr.attributes
        return [Quantifier(at, kind, (), variables, attributes, tuple(triggers), body) for body in bodies]


def _compared(expr: Binary, left: list[Expr], right: list[Expr]) -> Expr:
    """Structs are equal if all their fields are."""
    at = expr.position
    if len(left) == 1:
        return Binary(at, expr.operator, left[0], right[0])
    equal: Expr = Binary(at, "==", left[0], right[0])
    for pair in zip(left[1:], right[1:], strict=True):
        equal = Binary(at, "&&", equal, Binary(at, "==", *pair))
    return equal if expr.operator == "==" else Unary(at, "!", equal)
