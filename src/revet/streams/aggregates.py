"""Streams of arrays and structs: products of scalar streams, taken apart and put together here.

An extern of such a type is one variable in C; its leaves are externs called ``p.x`` or ``a[2]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from revet.streams.core import Extern, Variable
from revet.streams.places import caller, error
from revet.streams.stream import Stream, accepted, delay, lift
from revet.streams.types import Array, Scalar, Struct, Type, step_path


class Aggregate:
    """A stream of arrays (``s[0]``, ``s[i]`` with a stream i) or structs (``s.x``)."""

    __slots__ = ("_parts", "type")

    def __init__(self, type_: Array | Struct, parts: dict[Any, AnyStream]) -> None:
        self.type = type_
        self._parts = parts

    def __repr__(self) -> str:
        return f"<stream of {self.type}>"

    def __bool__(self) -> bool:
        raise error("a stream has no truth value in Python")

    __hash__ = object.__hash__

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Any:
        return iter(self._parts.values())

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, Stream):
            return self._select(key)
        if key not in self._parts:
            what = f"index {key}" if isinstance(self.type, Array) else f"field {key}"
            raise error(f"{self.type} has no {what}")
        return self._parts[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not isinstance(self.type, Struct):
            raise AttributeError(name)
        return self[name]

    def _select(self, index: Stream) -> AnyStream:
        """An index beyond the end means the last element."""
        if not isinstance(self.type, Array):
            raise error("only arrays can be indexed by a stream")
        if index.type.kind != "int" or index.type.signed:
            raise error(f"an index is a Word, this is a {index.type}")
        elements = list(self._parts.values())
        found = elements[-1]
        for position in reversed(range(min(len(elements) - 1, index.type.high + 1))):
            found = choose(index == position, elements[position], found)
        return found

    def _at(self, index: Stream, position: int) -> Stream:
        """Does the index mean this element? One beyond the end means the last."""
        return index >= position if position == len(self) - 1 else index == position

    def drop(self, count: int) -> Aggregate:
        return Aggregate(self.type, {key: part.drop(count) for key, part in self._parts.items()})

    def __rmatmul__(self, initial: Sequence[Any]) -> Aggregate:
        if not isinstance(initial, Sequence):
            raise error("[values] @ stream: the left side is a list of initial values")
        return Aggregate(
            self.type,
            {
                key: _prepend([_component(self.type, value, key) for value in initial], part)
                for key, part in self._parts.items()
            },
        )

    def define(self, definition: Any) -> Aggregate:
        if not isinstance(definition, Aggregate) or definition.type != self.type:
            raise error(f"this is a stream of {self.type}, its definition is {definition!r}")
        for key, part in self._parts.items():
            part.define(definition._parts[key])
        return self

    def __eq__(self, other: object) -> Stream:  # type: ignore[override]
        if not isinstance(other, Aggregate) or other.type != self.type:
            raise error(f"== between a stream of {self.type} and {other!r}")
        equal = [part == other._parts[key] for key, part in self._parts.items()]
        result = equal[0]
        for one in equal[1:]:
            result = result & one
        return result

    def __ne__(self, other: object) -> Stream:  # type: ignore[override]
        return ~(self == other)


AnyStream = Stream | Aggregate


def _prepend(values: list[Any], part: AnyStream) -> AnyStream:
    return delay(values, part) if isinstance(part, Stream) else part.__rmatmul__(values)


def _component(type_: Array | Struct, value: Any, key: Any) -> Any:
    """The part of a Python list or dictionary that belongs to an element or field."""
    parts = type_.parts()
    shape = Mapping if isinstance(type_, Struct) else Sequence
    if not isinstance(value, shape) or len(value) != len(parts):
        raise error(f"{value!r} is not a value of {type_}")
    if isinstance(value, Mapping) and key not in value:
        raise error(f"{value!r} has no field {key} of {type_}")
    return value[key]


def build(type_: Type, leaf: Callable[[Scalar, str], Stream], path: str) -> AnyStream:
    """A stream of the type whose leaves are made by ``leaf`` from their types and paths."""
    if isinstance(type_, Scalar):
        return leaf(type_, path)
    parts: dict[Any, AnyStream] = {}
    for key, part in type_.parts().items():
        parts[key] = build(part, leaf, path + step_path(type_, key))
    return Aggregate(type_, parts)


def leaves(stream: AnyStream, path: str = "") -> list[tuple[str, Stream]]:
    """The scalar streams of a stream, with their paths."""
    if isinstance(stream, Stream):
        return [(path, stream)]
    found: list[tuple[str, Stream]] = []
    for key, part in stream._parts.items():
        found += leaves(part, path + step_path(stream.type, key))
    return found


def array(*elements: Any) -> Aggregate:
    """A stream of arrays from streams of the elements; at least one of them is a stream."""
    known = next((e for e in elements if isinstance(e, (Stream, Aggregate))), None)
    if known is None:
        raise error("array() needs a stream among its elements, to know their type")
    parts = [lift(e, known.type) if isinstance(known, Stream) else e for e in elements]
    for part in parts:
        if part.type != known.type:
            raise error(f"the elements of an array have one type; here are {known.type} and {part.type}")
    return Aggregate(Array(known.type, len(parts)), dict(enumerate(parts)))


def struct(type_: Struct, **fields: Any) -> Aggregate:
    """A stream of structs from streams (or constants) of the fields."""
    if fields.keys() != type_.fields.keys():
        raise error(f"{type_} has the fields {', '.join(type_.fields)}; given are {', '.join(fields)}")
    parts: dict[Any, AnyStream] = {}
    for name, wanted in type_.fields.items():
        value = fields[name]
        if isinstance(wanted, Scalar):
            value = lift(value, wanted)
        if not isinstance(value, (Stream, Aggregate)) or value.type != wanted:
            raise error(f"field {name} of {type_} is a {wanted}")
        parts[name] = value
    return Aggregate(type_, parts)


def replaced(stream: Any, key: Any, value: Any) -> Aggregate:
    """The stream with another value of one field or element."""
    if not isinstance(stream, Aggregate):
        raise error("only streams of arrays and structs have parts to be updated")
    if isinstance(key, Stream):
        stream._select(key)  # refuses what is no index
        parts = {
            n: choose(stream._at(key, n), _like(value, old), old) if n <= key.type.high else old
            for n, old in stream._parts.items()
        }
        return Aggregate(stream.type, parts)
    old = stream[key]
    return Aggregate(stream.type, {**stream._parts, key: _like(value, old)})


def _like(value: Any, old: AnyStream) -> AnyStream:
    """The new value of a part (what a function makes of the old one), of the part's type."""
    new = value(old) if callable(value) else value
    if isinstance(old, Stream) and not isinstance(new, Aggregate):
        new = lift(new, old.type)
    if not isinstance(new, (Stream, Aggregate)) or new.type != old.type:
        raise error(f"the part is a {old.type}, its new value is {new!r}")
    return new


def choose(condition: Stream, then: AnyStream, otherwise: AnyStream) -> AnyStream:
    """``mux`` on streams of any type."""
    from revet.streams.language import mux

    if isinstance(then, Aggregate) and isinstance(otherwise, Aggregate) and then.type == otherwise.type:
        return Aggregate(
            then.type, {key: choose(condition, part, otherwise[key]) for key, part in then._parts.items()}
        )
    if isinstance(then, Aggregate) or isinstance(otherwise, Aggregate):
        raise error("the two sides of mux differ in type")
    return mux(condition, then, otherwise)


def declared(type_: Type, name: str | None) -> AnyStream:
    place = caller()
    return build(type_, lambda leaf, path: Stream(Variable(leaf, place, path or None)), name or "")


def external(type_: Type, name: str, sample: Sequence[Any] | None) -> AnyStream:
    place = caller()

    def one(part: Type, path: str, column: Sequence[Any] | None) -> AnyStream:
        """``column``: the sample data for this part."""
        if isinstance(part, Scalar):
            data = None if column is None else [accepted(value, part) for value in column]
            return Stream(Extern(part, place, path, data, type_))
        parts: dict[Any, AnyStream] = {}
        for key, inner in part.parts().items():
            values = None if column is None else [_component(part, value, key) for value in column]
            parts[key] = one(inner, path + step_path(part, key), values)
        return Aggregate(part, parts)

    return one(type_, name, sample)
