"""Rebuilding syntax trees: what the passes between parser and type checker share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from revet.errors import Position
from revet.frontends.lustre.syntax import (
    Activate,
    ArrayLiteral,
    Binary,
    Call,
    Expr,
    Field,
    IfThenElse,
    Index,
    Literal,
    Merge,
    Name,
    Property,
    RecordLiteral,
    Repeat,
    Restart,
    Tuple,
    Unary,
    When,
)


def map_children(expr: Expr, f: Callable[[Expr], Expr]) -> Expr:
    """The same expression with ``f`` applied to its parts."""
    match expr:
        case Unary(position, operator, argument):
            return Unary(position, operator, f(argument))
        case Binary(position, operator, left, right):
            return Binary(position, operator, f(left), f(right))
        case IfThenElse(position, condition, then, otherwise):
            return IfThenElse(position, f(condition), f(then), f(otherwise))
        case Call(position, node, arguments):
            return Call(position, node, tuple(map(f, arguments)))
        case Tuple(position, items):
            return Tuple(position, tuple(map(f, items)))
        case When(position, argument, clock):
            return When(position, f(argument), f(clock))
        case Merge(position, clock, labels, branches):
            return Merge(position, f(clock), labels, tuple(map(f, branches)))
        case Activate(position, node, clock, defaults, arguments):
            kept = None if defaults is None else tuple(map(f, defaults))
            return Activate(position, node, f(clock), kept, tuple(map(f, arguments)))
        case Restart(position, node, condition, arguments):
            return Restart(position, node, f(condition), tuple(map(f, arguments)))
        case Field(position, argument, field):
            return Field(position, f(argument), field)
        case Index(position, argument, index):
            return Index(position, f(argument), f(index))
        case RecordLiteral(position, type_, fields):
            return RecordLiteral(position, type_, tuple((name, f(value)) for name, value in fields))
        case ArrayLiteral(position, items):
            return ArrayLiteral(position, tuple(map(f, items)))
        case Repeat(position, argument, count):
            return Repeat(position, f(argument), f(count))
    return expr


def parts(expr: Expr) -> list[Expr]:
    """The direct parts of an expression of any kind."""
    found: list[Expr] = []

    def note(part: Expr) -> Expr:
        found.append(part)
        return part

    map_children(expr, note)
    return found


def substitute(expr: Expr, mapping: Mapping[str, Expr]) -> Expr:
    """Names replaced by expressions."""
    if isinstance(expr, Name):
        return mapping.get(expr.name, expr)
    return map_children(expr, lambda part: substitute(part, mapping))


def map_property(prop: Property, f: Callable[[Expr], Expr]) -> Property:
    return replace(prop, formula=f(prop.formula))


def true(position: Position) -> Expr:
    return Literal(position, "true")


def false(position: Position) -> Expr:
    return Literal(position, "false")


def all_of(formulas: list[Expr], position: Position) -> Expr:
    return _chain("and", formulas, true(position), position)


def any_of(formulas: list[Expr], position: Position) -> Expr:
    return _chain("or", formulas, false(position), position)


def _chain(operator: str, formulas: list[Expr], empty: Expr, position: Position) -> Expr:
    if not formulas:
        return empty
    result = formulas[0]
    for formula in formulas[1:]:
        result = Binary(position, operator, result, formula)
    return result


def implies(left: Expr, right: Expr, position: Position) -> Expr:
    return Binary(position, "=>", left, right)


def negated(expr: Expr) -> Expr:
    return Unary(expr.position, "not", expr)
