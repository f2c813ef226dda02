"""Quantifiers in the interpreter.

Over finitely many values they are tried one by one. Otherwise the truth of a body that compares its
variables with other values, or uses them as keys, changes only at those values and their neighbours:
these are tried, and values far away from all of them. For other bodies a found witness still decides;
without one the question is left open (:class:`Undecided`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import islice, pairwise, product
from typing import Any

from revet.frontends.lustre import core
from revet.frontends.lustre.types import (
    BOOL,
    INT,
    REAL,
    ArrayOf,
    Datatype,
    Enum,
    Machine,
    MapOf,
    Record,
    SetOf,
    TupleOf,
    Type,
    plain,
)
from revet.frontends.lustre.values import Data, default, finite, from_scalars, listed
from revet.frontends.lustre.walk import bounds, guards, subexpressions
from revet.logic.values import ArrayValue

_MANY = 20_000


class Undecided(Exception):
    """The truth of a quantified formula could not be found by trying values."""


def finite_values(
    variable: core.Bound, expr: core.Quantify, evaluate: Callable[[core.Expr], Any]
) -> Iterable[Any] | None:
    """All values of a variable that matter, if they are finitely many."""
    type_ = plain(variable.type)
    if (known := finite(type_)) is not None:
        return known
    if (elements := _elements(variable, expr, evaluate)) is not None:
        return elements
    if isinstance(type_, Datatype) and all(not c.fields for c in type_.constructors):
        return [Data(n, ()) for n in range(len(type_.constructors))]
    if type_ != INT:
        return None
    names = {v.name for v in expr.variables}
    low_bound = high_bound = None
    for test in guards(expr.body, expr.universal):
        found = bounds(test, variable)
        parts = subexpressions(found[1]) if found is not None else ()
        if found is None or any(isinstance(part, core.Bound) and part.name in names for part in parts):
            continue
        limit = evaluate(found[1]) + found[2]
        if found[0] == "low":
            low_bound = limit if low_bound is None else max(low_bound, limit)
        else:
            high_bound = limit if high_bound is None else min(high_bound, limit)
    if low_bound is None or high_bound is None or high_bound - low_bound > _MANY:
        return None
    return range(low_bound, high_bound + 1)


def _elements(
    variable: core.Bound, expr: core.Quantify, evaluate: Callable[[core.Expr], Any]
) -> list[Any] | None:
    """The elements of a finite set that the variable has to be in, if the body says so."""
    for test in guards(expr.body, expr.universal):
        match test:
            case core.In(element=core.Bound(name=name), container=container) if name == variable.name:
                if any(isinstance(part, core.Bound) for part in subexpressions(container)):
                    continue
                found = evaluate(container)
                if isinstance(found, ArrayValue) and not default(found):
                    return [from_scalars(variable.type, iter(key)) for key, inside in listed(found) if inside]
    return None


def candidates(type_: Type, known: set[Any]) -> list[Any]:
    """Values of a type near the known ones, and far away from them; none of arrays, sets and maps."""
    type_ = plain(type_)
    numbers = sorted(
        {Fraction(v) for v in known if isinstance(v, (int, Fraction)) and not isinstance(v, bool)}
    )
    numbers = numbers or [Fraction(0)]
    match type_:
        case TupleOf(items=items):
            return [tuple(row) for row in islice(product(*(candidates(t, known) for t in items)), _MANY)]
        case Record(fields=fields):
            return [tuple(row) for row in islice(product(*(candidates(t, known) for _, t in fields)), _MANY)]
        case Datatype(constructors=constructors):
            return [
                Data(n, tuple(row))
                for n, c in enumerate(constructors)
                for row in islice(product(*(candidates(t, known) for _, t in c.fields if t != type_)), _MANY)
                if len(row) == len(c.fields)
            ]
        case ArrayOf() | SetOf() | MapOf():
            return []
        case Enum(values=values):
            return list(range(len(values)))
        case Machine(width=width, signed=signed):
            low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
            near = {int(n) + d for n in numbers for d in (-1, 0, 1)} | {low, high}
            return sorted(v for v in near if low <= v <= high)
    if type_ == BOOL:
        return [False, True]
    far = [numbers[0] - 1_000_003, numbers[-1] + 1_000_003]
    if type_ == REAL:
        middles = [(x + y) / 2 for x, y in pairwise(numbers)]
        return [*numbers, *middles, *(n + d for n in numbers for d in (-1, 1)), *far]
    found = {int(n // 1) + d for n in numbers for d in (-2, -1, 0, 1, 2)} | {int(n) for n in far}
    return sorted(found)


def parts_of(value: Any) -> Iterator[Any]:
    """The scalars in a value, with the keys of arrays."""
    if isinstance(value, tuple):
        for part in value:
            yield from parts_of(part)
    elif isinstance(value, Data):
        yield from parts_of(value.fields)
    elif isinstance(value, ArrayValue):
        yield from value.entries
        yield from parts_of(value.default)
        for part in value.entries.values():
            yield from parts_of(part)
    else:
        yield value


def is_exact(expr: core.Quantify) -> bool:
    """Does trying the candidates decide the formula?"""
    names = {variable.name for variable in expr.variables}

    def clean(part: core.Expr) -> bool:
        return not any(isinstance(p, core.Bound) and p.name in names for p in subexpressions(part))

    def near(part: core.Expr) -> bool:
        """A variable, perhaps with a number added, or a value without one."""
        match part:
            case core.Bound():
                return True
            case core.Op(operator="+" | "-", arguments=(left, right)):
                pairs = ((left, right), (right, left))
                return any(near(one) and isinstance(other, core.Const) for one, other in pairs)
            case core.Make(items=items):
                return all(map(near, items))
            case core.Project(argument=argument) | core.Select(argument=argument):
                return near(argument)
        return clean(part)

    def exact(part: core.Expr) -> bool:
        if clean(part) or (isinstance(part, core.Bound) and part.type == BOOL):
            return True
        match part:
            case core.Op(operator="not" | "and" | "or" | "=>" | "xor", arguments=arguments):
                return all(map(exact, arguments))
            case core.Op(operator="=" | "<>" | "<" | "<=" | ">" | ">=", arguments=(left, right)):
                if any(map(clean, (left, right))) or (near(left) and near(right)):
                    return lookups(left) and lookups(right)
                return lookups(left) and lookups(right) and (near(left) or near(right)) is False
            case core.If(condition=condition, then=then, otherwise=otherwise):
                return exact(condition) and exact(then) and exact(otherwise)
            case core.In(element=element, container=container):
                return near(element) and (clean(container) or _built(container, near, clean))
            case core.At(argument=argument, index=index):
                return clean(argument) and near(index)
            case core.Test(argument=argument):
                return near(argument)
            case core.Arrow(left=left, right=right):
                return exact(left) and exact(right)
        return False

    def lookups(part: core.Expr) -> bool:
        return near(part) or (isinstance(part, core.At) and clean(part.argument) and near(part.index))

    return exact(expr.body)


def _built(
    container: core.Expr, near: Callable[[core.Expr], bool], clean: Callable[[core.Expr], bool]
) -> bool:
    while isinstance(container, core.Put):
        if not near(container.index):
            return False
        container = container.argument
    return clean(container)
