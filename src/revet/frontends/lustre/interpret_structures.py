"""The interpreter on operators, arrays, records, datatypes, sets, maps and quantifiers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from revet.frontends.lustre import core
from revet.frontends.lustre.interpret_operators import operate
from revet.frontends.lustre.interpret_quantifiers import (
    Undecided,
    candidates,
    finite_values,
    is_exact,
    parts_of,
)
from revet.frontends.lustre.types import (
    INT,
    REAL,
    Abstract,
    ArrayOf,
    Datatype,
    MapOf,
    Record,
    SetOf,
    TupleOf,
    Type,
    parts,
    plain,
)
from revet.frontends.lustre.values import (
    Data,
    combined,
    inserted,
    key_count,
    lookup,
    nothing,
    nowhere,
    same,
    scalars,
)
from revet.frontends.lustre.walk import subexpressions

if TYPE_CHECKING:
    from revet.frontends.lustre.interpret import Oracle, Place
    from revet.frontends.lustre.lower_context import Path

_LONG = 5_000  # elements of an array that the interpreter is ready to list


class Structures(ABC):
    oracle: Oracle
    instant: int
    false: set[tuple[Path, core.Expr]]
    watched: core.Expr | None
    _cache: dict[tuple[object, ...], Any]

    @abstractmethod
    def stream(self, place: Place, name: str, path: tuple[int, ...] = ()) -> Any: ...

    @abstractmethod
    def special(self, place: Place, name: str) -> Any: ...

    @abstractmethod
    def _temporal(self, expr: core.Expr, place: Place) -> Any: ...

    @abstractmethod
    def _base_first(self, place: Place) -> bool: ...

    @abstractmethod
    def _conditional(self, expr: core.If, path: tuple[int, ...], place: Place) -> Any: ...

    def length(self, type_: ArrayOf, place: Place) -> int:
        found = max(0, int(self.evaluate(type_.size, place)))
        if found > _LONG:
            raise Undecided(f"an array of {found} elements")
        return found

    def sized(self, type_: Type, value: Any, place: Place) -> Any:
        """A value with the simplest elements where its arrays are too short: who gave it knew no sizes."""
        match plain(type_):
            case ArrayOf(element=element) as array:
                size = self.length(array, place)
                found = [*value[:size], *[nothing(element)] * (size - len(value))]
                return tuple(self.sized(element, item, place) for item in found)
            case TupleOf(items=items):
                return tuple(self.sized(t, v, place) for t, v in zip(items, value, strict=True))
            case Record(fields=fields):
                return tuple(self.sized(t, v, place) for (_, t), v in zip(fields, value, strict=True))
        return value

    def evaluate(self, expr: core.Expr, place: Place) -> Any:
        """The value at the instant, each expression once in each context."""
        if isinstance(expr, core.Const):
            return expr.value
        key = ("value", expr, *place.identity)
        if key not in self._cache:
            self._cache[key] = self._evaluate(expr, place)
        return self._cache[key]

    def _evaluate(self, expr: core.Expr, place: Place) -> Any:
        match expr:
            case core.Var(name=name):
                special = self.special(place, name)
                return special if special is not None else self.stream(place, name)
            case core.Bound(name=name):
                return place.environment[name]
            case core.Op(operator=("=" | "<>") as operator, arguments=(left, right)):
                equal = same(left.type, self.evaluate(left, place), self.evaluate(right, place))
                return equal is (operator == "=")
            case core.Op(operator=("/" | "div" | "mod") as operator, arguments=(left, right)) if (
                left.type in (INT, REAL) and self.evaluate(right, place) == 0
            ):
                arguments = [(left.type, self.evaluate(left, place))]
                return self.oracle.function(f"{operator} by zero", arguments, expr.type)
            case core.Op(arguments=parts):
                return operate(expr, [self.evaluate(a, place) for a in parts])
            case core.Arrow():
                return self._arrow(expr, (), place)
            case core.Base(argument=argument):
                return self.evaluate(argument, self._base(place))
            case core.Ascribed(argument=argument, clauses=clauses):
                for clause in clauses:
                    if clause is self.watched and not self.evaluate(clause, place):
                        self.false.add((place.path, clause))
                return self.evaluate(argument, place)
            case core.Quantify():
                return self._quantified(expr, place)
            case core.Make() | core.Project() | core.PutPart() | core.Test() | core.Select():
                return self._part(expr, place)
            case core.At() | core.ArrayDef() | core.Fill() | core.Join() | core.Slice():
                return self._array(expr, place)
            case core.Empty() | core.Put() | core.In() | core.SetOp():
                return self._container(expr, place)
        return self._temporal(expr, place)

    def _base(self, place: Place) -> Place:
        return replace(place, key=(), first=self._base_first(place))

    def _arrow(self, expr: core.Arrow, path: tuple[int, ...], place: Place) -> Any:
        """Both sides run, so that every ``pre`` in them sees every instant."""
        left, right = self.at_path(expr.left, path, place), self.at_path(expr.right, path, place)
        return left if place.first else right

    # -- elements of arrays

    def at_path(self, expr: core.Expr, path: tuple[int, ...], place: Place) -> Any:
        if not path:
            return self.evaluate(expr, place)
        match expr:
            case core.Var(name=name) if self.special(place, name) is None:
                return self.stream(place, name, path)
            case core.ArrayDef(variable=variable, body=body):
                return self.at_path(body, path[1:], _indexed(place, variable.name, path[0]))
            case core.If():
                return self._conditional(expr, path, place)
            case core.Arrow():
                return self._arrow(expr, path, place)
            case core.Base(argument=argument):
                return self.at_path(argument, path, self._base(place))
            case core.Make(items=items, type=ArrayOf()) if path[0] < len(items):
                return self.at_path(items[path[0]], path[1:], place)
            case core.Fill(argument=argument):
                return self.at_path(argument, path[1:], place)
            case core.At(argument=argument) if isinstance(plain(argument.type), ArrayOf):
                return self._element(expr, path, place)
        return self._descend(self.evaluate(expr, place), path)

    def _descend(self, value: Any, path: tuple[int, ...]) -> Any:
        for k in path:
            value = value[k]
        return value

    def _array(self, expr: core.Expr, place: Place) -> Any:
        match expr:
            case core.At(argument=argument, index=index):
                if isinstance(plain(argument.type), ArrayOf):
                    return self._element(expr, (), place)
                whole = self.evaluate(argument, place)
                type_ = plain(argument.type)
                assert isinstance(type_, MapOf)
                return lookup(whole[1], scalars(type_.key, self.evaluate(index, place)))
            case core.ArrayDef(variable=variable, body=body, type=type_):
                assert isinstance(type_, ArrayOf)
                return tuple(
                    self.evaluate(body, _indexed(place, variable.name, k))
                    for k in range(self.length(type_, place))
                )
            case core.Fill(argument=argument, type=type_):
                assert isinstance(type_, ArrayOf)
                return (self.evaluate(argument, place),) * self.length(type_, place)
            case core.Join(left=left, right=right):
                return (*self.evaluate(left, place), *self.evaluate(right, place))
            case core.Slice(argument=argument, low=low, type=type_):
                assert isinstance(type_, ArrayOf)
                return self.evaluate(argument, place)[low : low + self.length(type_, place)]
        raise AssertionError(expr)

    def _element(self, expr: core.At, path: tuple[int, ...], place: Place) -> Any:
        """What is at the path in an element, without a look at its neighbours, which may depend on it."""
        type_ = plain(expr.argument.type)
        assert isinstance(type_, ArrayOf)
        index = self.evaluate(expr.index, place)
        if 0 <= index < self.length(type_, place):
            return self.at_path(expr.argument, (index, *path), place)
        argument = expr.argument
        while isinstance(argument, core.If):
            argument = argument.then if self.evaluate(argument.condition, place) else argument.otherwise
        what: object = argument
        if isinstance(argument, core.Var) and self.special(place, argument.name) is None:
            what = argument.name
        beyond = self.oracle.beyond(place.path, what, place.bindings, type_, index, self.instant)
        return self._descend(beyond, path)

    # -- records, tuples, datatypes

    def _part(self, expr: core.Expr, place: Place) -> Any:
        match expr:
            case core.Make(items=items, constructor=constructor):
                values = tuple(self.evaluate(item, place) for item in items)
                return Data(constructor, values) if isinstance(plain(expr.type), Datatype) else values
            case core.Project(argument=argument, index=index):
                return self.evaluate(argument, place)[index]
            case core.PutPart(argument=argument, index=index, value=value):
                whole = self.evaluate(argument, place)
                return (*whole[:index], self.evaluate(value, place), *whole[index + 1 :])
            case core.Test(argument=argument, constructor=constructor):
                return self.evaluate(argument, place).constructor == constructor
            case core.Select(argument=argument, constructor=constructor, index=index):
                whole = self.evaluate(argument, place)
                if whole.constructor != constructor:
                    if not expr.checked and self.watched is expr:
                        self.false.add((place.path, expr))
                    return nothing(expr.type)
                return whole.fields[index]
        raise AssertionError(expr)

    # -- sets and maps

    def _container(self, expr: core.Expr, place: Place) -> Any:
        match expr:
            case core.Empty():
                return self._empty(expr, place)
            case core.Put(argument=argument, index=index, value=value):
                whole, key = self.evaluate(argument, place), self.evaluate(index, place)
                match plain(expr.type):
                    case SetOf(element=element):
                        return inserted(whole, scalars(element, key), True)
                    case MapOf(key=key_type):
                        parts = scalars(key_type, key)
                        new = self.evaluate(value, place)
                        return (inserted(whole[0], parts, True), inserted(whole[1], parts, new))
                new = self.evaluate(value, place)
                return tuple(new if k == key else part for k, part in enumerate(whole))
            case core.In(element=element, container=container):
                whole, type_ = self.evaluate(container, place), plain(container.type)
                assert isinstance(type_, (SetOf, MapOf))
                domain = whole if isinstance(type_, SetOf) else whole[0]
                return lookup(domain, scalars(type_.key, self.evaluate(element, place)))
            case core.SetOp():
                return self._set_operation(expr, place)
        raise AssertionError(expr)

    def _empty(self, expr: core.Empty, place: Place) -> Any:
        if isinstance(plain(expr.type), SetOf):
            return nothing(expr.type)
        found = self.oracle.no_entry(place.path, expr, place.bindings, self.instant)
        if found is None:
            return nothing(expr.type)
        type_ = plain(expr.type)
        assert isinstance(type_, MapOf)
        return (nowhere(False, key_count(type_.key)), found)

    def _set_operation(self, expr: core.SetOp, place: Place) -> Any:
        left, right = self.evaluate(expr.left, place), self.evaluate(expr.right, place)
        type_ = plain(expr.type)
        operation = {
            "+": lambda x, y: x or y, "*": lambda x, y: x and y, "-": lambda x, y: x and not y,
        }[expr.operator]
        if isinstance(type_, MapOf):
            return (combined(operation, key_count(type_.key), left[0], right), left[1])
        assert isinstance(type_, SetOf)
        return combined(operation, key_count(type_.element), left, right)

    # -- quantifiers

    def _quantified(self, expr: core.Quantify, place: Place) -> bool:
        return self._quantify(expr, expr.variables, place)

    def _quantify(self, expr: core.Quantify, variables: tuple[core.Bound, ...], place: Place) -> bool:
        if not variables:
            return bool(self.evaluate(expr.body, place))
        variable, rest = variables[0], variables[1:]
        values = self._few(plain(variable.type))
        if values is None:
            values = finite_values(variable, expr, lambda e: self.evaluate(e, place))
        complete = values is not None
        if values is None:
            known = {
                part
                for part in self._known(expr, place)
                if isinstance(part, (int, float)) or part is not None
            }
            for part in parts(variable.type):
                if isinstance(part, Abstract):
                    known |= self.oracle.domain(part).entries.keys()
            values = [v for v in candidates(variable.type, known) if self._is_value(variable.type, v)]
            complete = is_exact(expr) and not any(
                isinstance(part, (ArrayOf, SetOf, MapOf)) for part in parts(variable.type)
            )
        doubt = decided = False
        watched = self.watched is not None and self.watched in set(subexpressions(expr.body))
        for value in values:
            inner = replace(
                place, environment={**place.environment, variable.name: value}, quantified=True
            )
            try:
                if self._quantify(expr, rest, inner) is not expr.universal:
                    decided = True
                    if not watched:  # for what is owed inside, every value counts
                        break
            except Undecided:
                doubt = True
        if decided:
            return not expr.universal
        if doubt or not complete:
            raise Undecided(f"{expr.position}: the quantified formula")
        return expr.universal

    def _few(self, type_: Type) -> Iterable[Any] | None:
        """The values of an abstract type, if they are finitely many."""
        domain = self.oracle.domain(type_) if isinstance(type_, Abstract) else None
        if domain is None or domain.default:
            return None
        return [value for value, inside in domain.entries.items() if inside]

    def _is_value(self, type_: Type, value: Any) -> bool:
        """Are the parts of abstract types in a value, which are numbers, values of them?"""
        match plain(type_):
            case Abstract() as abstract:
                return bool(self.oracle.domain(abstract).select(value))
            case TupleOf(items=items):
                return all(map(self._is_value, items, value))
            case Record(fields=fields):
                return all(self._is_value(t, v) for (_, t), v in zip(fields, value, strict=True))
            case Datatype(constructors=constructors):
                fields = constructors[value.constructor].fields
                return all(self._is_value(t, v) for (_, t), v in zip(fields, value.fields, strict=True))
        return True

    def _known(self, expr: core.Quantify, place: Place) -> set[Any]:
        """The values that the body compares its variables with."""
        found: set[Any] = set()
        offsets: set[int] = {0}
        inner = {
            v.name for part in subexpressions(expr) if isinstance(part, core.Quantify) for v in part.variables
        }
        for part in subexpressions(expr.body):
            if isinstance(part, core.Const) and not isinstance(part.value, bool):
                found.add(part.value)
                if isinstance(part.value, int) and abs(part.value) < 100:
                    offsets |= {part.value, -part.value}
            elif isinstance(part, (core.Var, core.At, core.Bound)) and not any(
                isinstance(p, core.Bound) and p.name in inner for p in subexpressions(part)
            ):
                found.update(
                    p for p in parts_of(self.evaluate(part, place)) if not isinstance(p, (bool, Data))
                )
        return {v + d for v in found if isinstance(v, int) for d in offsets} | found


def _indexed(place: Place, name: str, number: int) -> Place:
    return replace(
        place, bindings=(*place.bindings, (name, number)), environment={**place.environment, name: number}
    )
