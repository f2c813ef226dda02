"""The type checker on tuples, records, arrays, sets and maps."""

from __future__ import annotations

from abc import ABC, abstractmethod

from revet.errors import InputError, Position
from revet.frontends.lustre import core
from revet.frontends.lustre import syntax as s
from revet.frontends.lustre.check_operators import Operators
from revet.frontends.lustre.check_types import Types
from revet.frontends.lustre.core import Const, Expr
from revet.frontends.lustre.fold import fold, number
from revet.frontends.lustre.scopes import Scope
from revet.frontends.lustre.types import (
    BOOL,
    INT,
    ArrayOf,
    Datatype,
    Machine,
    MapOf,
    Record,
    SetOf,
    TupleOf,
    Type,
    compatible,
    plain,
)
from revet.frontends.lustre.walk import subexpressions


class Structures(ABC):
    types: Types
    operators: Operators
    histories: dict[Expr, str]  # of streams: the hidden streams with the sets of their values

    def _error(self, message: str, position: Position) -> InputError:
        return self.types.error(message, position)

    @abstractmethod
    def one(self, expr: s.Expr, scope: Scope, expected: Type | None = None) -> Expr: ...

    @abstractmethod
    def typed(self, expr: s.Expr, scope: Scope, type_: Type, what: str) -> Expr: ...

    def history(self, written: s.HistoryType, scope: Scope) -> tuple[Type, Expr]:
        """The type of a stream's values, and the set of those that it has had up to now: a hidden stream."""
        at = written.position
        value = scope.names.get(written.stream)
        if value is None or isinstance(value, core.Bound):
            raise self._error(f"there is no stream {written.stream}", at)
        if scope.hidden is None:
            raise self.types.unsupported("'history' is not supported here", at)
        element = self.types.key_type(plain(value.type), at)
        type_ = SetOf(element)
        name = self.histories.get(value)
        if name is None:
            name = self.histories[value] = self.types.fresh(f"{written.stream}~history")
            so_far = core.Pre(at, type_, core.Var(at, type_, name))
            first, later = (
                core.Put(at, type_, old, value, Const(at, BOOL, True))
                for old in (core.Empty(at, type_), so_far)
            )
            scope.hidden(core.Stream(name, type_, at), core.Arrow(at, type_, first, later))
        return element, core.Var(at, type_, name)

    # -- structured values

    def structure(self, expr: s.Expr, scope: Scope, expected: Type | None) -> Expr:
        at = expr.position
        match expr:
            case s.TupleValue(items=items):
                return self._tuple(items, scope, expected, at)
            case s.Braces():
                return self._braces(expr, scope, expected)
            case s.MapLiteral():
                return self._map(expr, scope, expected)
            case s.RecordLiteral():
                return self._record(expr, scope)
            case s.ArrayLiteral(items=items):
                return self._array(items, scope, expected, at)
            case s.Repeat(argument=argument, count=count):
                element = expected.element if isinstance(expected, ArrayOf) else None
                value = self.one(argument, scope, element)
                size = fold(self.typed(count, scope, INT, "the size of an array"))
                return core.Fill(at, ArrayOf(value.type, size), value)
            case s.Field(argument=argument, field=name):
                return self._field(self.one(argument, scope), name, at)
            case s.Index():
                return self._index(expr, scope)
            case s.Update():
                return self._update(expr, scope, expected)
        raise AssertionError(expr)

    def _tuple(self, items: tuple[s.Expr, ...], scope: Scope, expected: Type | None, at: Position) -> Expr:
        wanted: list[Type | None] = [None] * len(items)
        if isinstance(expected, TupleOf) and len(expected.items) == len(items):
            wanted = list(expected.items)
        values = [self.one(item, scope, w) for item, w in zip(items, wanted, strict=True)]
        return core.Make(at, TupleOf(tuple(v.type for v in values)), tuple(values))

    def _braces(self, expr: s.Braces, scope: Scope, expected: Type | None) -> Expr:
        at = expr.position
        if isinstance(expected, TupleOf) and not expr.type_arguments:
            return self._tuple(expr.items, scope, expected, at)
        element: Type | None = None
        if expr.type_arguments:
            element = plain(self.types.resolve(expr.type_arguments[0], scope))
        elif isinstance(expected, SetOf):
            element = expected.element
        values = [self.one(item, scope, element) for item in expr.items]
        if element is None:
            if not values:
                raise self._error("write {}@<T>: the type of this set cannot be inferred", at)
            element = values[0].type
        found: Expr = core.Empty(at, SetOf(element))
        for value in values:
            self.operators.require(value, element, "this set")
            found = core.Put(at, found.type, found, value, Const(at, BOOL, True))
        return found

    def _map(self, expr: s.MapLiteral, scope: Scope, expected: Type | None) -> Expr:
        at = expr.position
        type_ = plain(expected) if isinstance(expected, MapOf) else None
        if expr.type_arguments:
            given = [plain(self.types.resolve(a, scope)) for a in expr.type_arguments]
            if len(given) != 2:
                raise self._error("a map has a type of keys and one of values", at)
            type_ = MapOf(given[0], given[1])
        if type_ is None:
            if not expr.entries:
                raise self._error("write map[]@<K, V>: the type of this map cannot be inferred", at)
            key, value = (self.one(part, scope) for part in expr.entries[0])
            type_ = MapOf(key.type, value.type)
        return self._changed(core.Empty(at, type_), expr.entries, scope, at)

    def _changed(
        self, value: Expr, changes: tuple[tuple[s.Expr, s.Expr], ...], scope: Scope, at: Position
    ) -> Expr:
        type_ = value.type
        assert isinstance(type_, (MapOf, ArrayOf))
        key, element = (type_.key, type_.value) if isinstance(type_, MapOf) else (INT, type_.element)
        for index, change in changes:
            k = self.typed(index, scope, key, "the index")
            value = core.Put(at, type_, value, k, self.typed(change, scope, element, "an element"))
        return value

    def _record(self, expr: s.RecordLiteral, scope: Scope) -> Expr:
        at, type_ = expr.position, self.types.resolve(expr.type, scope)
        flat = plain(type_)
        if not isinstance(flat, Record):
            raise self._error(f"{expr.type.name} is not a record type", at)
        given = dict(expr.fields)
        if given.keys() != {name for name, _ in flat.fields} or len(given) != len(expr.fields):
            names = ", ".join(name for name, _ in flat.fields)
            raise self._error(f"{expr.type.name} has the fields {names}", at)
        items = tuple(self.typed(given[name], scope, part, f"field {name}") for name, part in flat.fields)
        made = core.Make(at, flat, items)
        clauses = tuple(self.types.membership(type_, made))
        return core.Ascribed(at, flat, made, clauses) if clauses else made

    def _array(self, items: tuple[s.Expr, ...], scope: Scope, expected: Type | None, at: Position) -> Expr:
        if not items:
            raise self._error("an array has at least one element", at)
        element = expected.element if isinstance(expected, ArrayOf) else None
        values = [self.one(item, scope, element) for item in items]
        for value in values[1:]:
            if not compatible(value.type, values[0].type):
                raise self._error(f"a {value.type} among elements of type {values[0].type}", value.position)
        size = Const(at, INT, len(values))
        return core.Make(at, ArrayOf(values[0].type, size), tuple(values))

    def _field(self, value: Expr, name: str, at: Position) -> Expr:
        if isinstance(value.type, Record):
            for k, (field, part) in enumerate(value.type.fields):
                if field == name:
                    return core.Project(at, plain(part), value, k)
        elif isinstance(value.type, Datatype):
            found = [
                (c, k, part) for c, constructor in enumerate(value.type.constructors)
                for k, (field, part) in enumerate(constructor.fields) if field == name
            ]
            if len(found) > 1:
                raise self._error(f"several constructors of {value.type} have a field {name}", at)
            if found:
                return core.Select(at, plain(found[0][2]), value, found[0][0], found[0][1], False)
        raise self._error(f"a {value.type} has no field {name}", at)

    def _index(self, expr: s.Index, scope: Scope) -> Expr:
        at, value = expr.position, self.one(expr.argument, scope)
        if expr.to is not None:
            low, high = self.one(expr.index, scope, INT), self.one(expr.to, scope, INT)
            return (
                self.operators.extract(value, low, high, at)
                if expr.bits
                else self._slice(value, low, high, at)
            )
        match value.type:
            case TupleOf(items=items):
                k = number(self.one(expr.index, scope, INT))
                if k is None or not 0 <= k < len(items):
                    raise self._error(f"the index into a {value.type} is a number below {len(items)}", at)
                return core.Project(at, items[k], value, k)
            case ArrayOf(element=element):
                index = fold(self.typed(expr.index, scope, INT, "the index"))
                length = value.type.length
                beyond = length is not None and isinstance(index, Const) and not 0 <= index.value < length
                if beyond and _is_constant(value):
                    raise self._error(f"this index is beyond an array of {length}", at)
                return core.At(at, element, value, index)
            case MapOf(key=key, value=element):
                return core.At(at, element, value, self.typed(expr.index, scope, key, "the key"))
            case Machine():
                index = self.one(expr.index, scope, INT)
                return self.operators.extract(value, index, index, at)
        raise self._error(f"a {value.type} cannot be indexed", at)

    def _slice(self, value: Expr, low: Expr, high: Expr, at: Position) -> Expr:
        """``a[low..high]``, both included."""
        first, last = number(low), number(high)
        if not isinstance(value.type, ArrayOf) or value.type.length is None or first is None or last is None:
            raise self.types.unsupported("slices of arrays whose sizes are not numbers are not supported", at)
        if not 0 <= first <= last <= value.type.length:
            raise self._error(f"there is no such part of a {value.type}", at)
        size = Const(at, INT, last - first)
        return core.Slice(at, ArrayOf(value.type.element, size), value, first)

    def _update(self, expr: s.Update, scope: Scope, expected: Type | None) -> Expr:
        at, value = expr.position, self.one(expr.argument, scope, expected)
        if isinstance(value.type, (ArrayOf, MapOf)):
            return self._changed(value, expr.changes, scope, at)
        if not isinstance(value.type, (Record, TupleOf)):
            raise self._error(f"a {value.type} cannot be updated", at)
        for index, change in expr.changes:
            if isinstance(value.type, Record):
                names = [name for name, _ in value.type.fields]
                if not isinstance(index, s.Name) or index.name not in names:
                    raise self._error(f"a {value.type} has no such field", index.position)
                k, part = names.index(index.name), value.type.fields[names.index(index.name)][1]
            else:
                found = number(self.one(index, scope, INT))
                if found is None or not 0 <= found < len(value.type.items):
                    raise self._error(f"there is no such part of a {value.type}", index.position)
                k, part = found, value.type.items[found]
            value = core.PutPart(at, value.type, value, k, self.typed(change, scope, part, "the new part"))
        return value


def _is_constant(value: Expr) -> bool:
    return not any(isinstance(p, (core.Var, core.Bound, core.Output)) for p in subexpressions(value))
