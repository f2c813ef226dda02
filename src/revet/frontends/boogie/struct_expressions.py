"""Expressions with structs as lists of expressions without: one for each field, in order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from revet.errors import Position
from revet.frontends.boogie import syntax as s

_MOST_FIELDS = 1000
_MOST_PARTS = 300_000


class Leaf(NamedTuple):
    """A part without structs of a type: ``path`` is ``!x!y``, or nothing if it is all of it."""

    path: str
    type: s.Type


class Expander:
    def __init__(self, program: s.Program) -> None:
        self._program = program
        self._leaves: dict[s.Type, list[Leaf]] = {}

    # -- types

    def leaves(self, type_: s.Type, position: Position) -> list[Leaf]:
        if type_ in self._leaves:
            return self._leaves[type_]
        found = [Leaf("", type_)]
        if isinstance(type_, s.StructType):
            found = []
            for name, field in type_.fields:
                found += [Leaf(f"!{name}{path}", part) for path, part in self.leaves(field, position)]
        elif isinstance(type_, s.MapType):
            domain = tuple(part for index in type_.domain for _, part in self.leaves(index, position))
            parts = self.leaves(type_.range, position)
            found = [Leaf(path, s.map_type(domain, part)) for path, part in parts]
        elif isinstance(type_, s.NamedType):
            for argument in type_.arguments:
                if self.leaves(argument, position) != [Leaf("", argument)]:
                    raise self._program.unsupported("a struct as an argument of a type", position)
        if len(found) > _MOST_FIELDS:
            raise self._program.unsupported(f"a struct of more than {_MOST_FIELDS} fields", position)
        self._leaves[type_] = found
        return found

    def variable(self, variable: s.Variable, leaf: Leaf, where: s.Expr | None = None) -> s.Variable:
        name = variable.name + leaf.path if variable.name else ""
        written = s.Given(variable.position, leaf.type)
        return s.Variable(
            variable.position, name, written, variable.kind, where, variable.unique, variable.attributes
        )

    def is_constant_array(self, function: s.Function) -> bool:
        """ULTIMATE's ``{:const_array}``: what it does to a struct, it does to each field alone."""
        return any(attribute.name == "const_array" for attribute in function.attributes)

    # -- expressions

    def expand(self, expr: s.Expr) -> list[s.Expr]:
        found = self._expand(expr)
        # What the fields share is shared only here: structs as indices of maps of structs, and so on, double.
        size = sum(1 for part in found for _ in islice(s.preorder(part), _MOST_PARTS))
        if size >= _MOST_PARTS:
            raise self._program.unsupported("an expression that structs make too large", expr.position)
        return found

    def _all(self, exprs: Sequence[s.Expr]) -> list[s.Expr]:
        return [part for expr in exprs for part in self._expand(expr)]

    def _expand(self, expr: s.Expr) -> list[s.Expr]:
        at = expr.position
        match expr:
            case s.Name(name=name):
                return [s.Name(at, name + leaf.path) for leaf in self.leaves(expr.type, at)]
            case s.StructLiteral(values=values):
                return self._all(values)
            case s.Field(argument=argument, name=name):
                return self._field(argument.type, name, self._expand(argument), at)
            case s.Unary(operator=operator, argument=argument):
                (only,) = self._expand(argument)
                return [s.Unary(at, operator, only)]
            case s.Coercion(target=target, argument=argument):
                (only,) = self._expand(argument)
                return [s.Coercion(at, target, only)]
            case s.Extract(argument=argument, high=high, low=low):
                (only,) = self._expand(argument)
                return [s.Extract(at, only, high, low)]
            case s.Old(argument=argument):
                return [s.Old(at, part) for part in self._expand(argument)]
            case s.Binary(left=left, right=right):
                return [_compared(expr, self._expand(left), self._expand(right))]
            case s.IfThenElse(condition=condition, then=then, otherwise=otherwise):
                (test,) = self._expand(condition)
                pairs = zip(self._expand(then), self._expand(otherwise), strict=True)
                return [s.IfThenElse(at, test, *pair) for pair in pairs]
            case s.Application(arguments=arguments):
                return self._applied(expr, self._all(arguments))
            case s.Select(map=base, indices=indices):
                keys = tuple(self._all(indices))
                return [s.Select(at, part, keys) for part in self._expand(base)]
            case s.Store(map=base, indices=indices, value=value):
                keys = tuple(self._all(indices))
                pairs = zip(self._expand(base), self._expand(value), strict=True)
                return [s.Store(at, part, keys, new) for part, new in pairs]
            case s.Quantifier():
                return self._quantifier(expr)
        return [expr]  # a literal

    def _field(self, type_: s.Type, name: str, parts: list[s.Expr], position: Position) -> list[s.Expr]:
        assert isinstance(type_, s.StructType)
        before = 0
        for own, field in type_.fields:
            size = len(self.leaves(field, position))
            if own == name:
                return parts[before : before + size]
            before += size
        raise AssertionError(name)

    def _applied(self, expr: s.Application, arguments: list[s.Expr]) -> list[s.Expr]:
        results = self.leaves(expr.type, expr.position)
        each = [tuple(arguments)] * len(results)
        if self.is_constant_array(expr.function):
            each = [(argument,) for argument in arguments]
        return [
            s.Application(expr.position, expr.name + leaf.path, own)
            for leaf, own in zip(results, each, strict=True)
        ]

    def _quantifier(self, expr: s.Quantifier) -> list[s.Expr]:
        if expr.type_parameters:
            raise self._program.unsupported("type parameters next to structs", expr.position)
        variables = tuple(
            self.variable(variable, leaf)
            for variable in expr.variables
            for leaf in self.leaves(variable.type, variable.position)
        )
        triggers = tuple(tuple(self._all(trigger)) for trigger in expr.triggers)
        at, kind, attributes = expr.position, expr.kind, expr.attributes
        bodies = self._expand(expr.body)
        return [s.Quantifier(at, kind, (), variables, attributes, triggers, body) for body in bodies]


def _compared(expr: s.Binary, left: list[s.Expr], right: list[s.Expr]) -> s.Expr:
    """Structs are equal if all their fields are."""
    at = expr.position
    if len(left) == 1:
        return s.Binary(at, expr.operator, left[0], right[0])
    equal: s.Expr = s.Binary(at, "==", left[0], right[0])
    for pair in zip(left[1:], right[1:], strict=True):
        equal = s.Binary(at, "&&", equal, s.Binary(at, "==", *pair))
    return equal if expr.operator == "==" else s.Unary(at, "!", equal)
