"""Values of the interpreter, and what can be done with sets, maps and keys.

=========================  ==================================================================
type                       value
=========================  ==================================================================
bool, int, real            ``bool``, ``int``, ``Fraction``; machine integers are (signed) ``int``
enumeration, abstract      ``int``
tuple, record, array       ``tuple``
datatype                   :class:`Data`
set                        an :class:`~revet.logic.values.ArrayValue` from keys to ``bool``
map                        (set of its keys, the same from keys to values)
=========================  ==================================================================

A key with several parts is nested: the array of its first part has arrays of the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from revet.frontends.lustre.types import (
    BOOL,
    INT,
    REAL,
    ArrayOf,
    Constructor,
    Datatype,
    Enum,
    Machine,
    MapOf,
    Record,
    SetOf,
    TupleOf,
    Type,
    is_recursive,
    parts,
    plain,
)
from revet.logic.values import ArrayValue


@dataclass(frozen=True, slots=True)
class Data:
    """``constructor`` is a number."""

    constructor: int
    fields: tuple[Any, ...]


def key_types(type_: Type) -> list[Type]:
    """The types of the parts of a key; a datatype that contains itself is one part."""
    match plain(type_):
        case TupleOf(items=items):
            return [part for item in items for part in key_types(item)]
        case Record(fields=fields):
            return [part for _, field in fields for part in key_types(field)]
        case Datatype(constructors=constructors) as data if not is_recursive(data):
            return [INT, *(part for c in constructors for _, field in c.fields for part in key_types(field))]
    return [plain(type_)]


def scalars(type_: Type, value: Any) -> list[Any]:
    """A key as its parts; fields that a datatype's value does not have are zero."""
    match plain(type_):
        case TupleOf(items=items):
            return [p for t, v in zip(items, value, strict=True) for p in scalars(t, v)]
        case Record(fields=fields):
            return [p for (_, t), v in zip(fields, value, strict=True) for p in scalars(t, v)]
        case Datatype(constructors=constructors) as data if not is_recursive(data):
            found: list[Any] = [value.constructor]
            for number, constructor in enumerate(constructors):
                for k, (_, part) in enumerate(constructor.fields):
                    own = value.fields[k] if number == value.constructor else nothing(part)
                    found += scalars(part, own)
            return found
    return [value]


def from_scalars(type_: Type, parts: Iterator[Any]) -> Any:
    """The key that has these parts."""
    match plain(type_):
        case TupleOf(items=items):
            return tuple([from_scalars(item, parts) for item in items])
        case Record(fields=fields):
            return tuple([from_scalars(part, parts) for _, part in fields])
        case Datatype(constructors=constructors) as data if not is_recursive(data):
            tag = next(parts)
            fields_ = [tuple([from_scalars(part, parts) for _, part in c.fields]) for c in constructors]
            return Data(tag, fields_[tag]) if 0 <= tag < len(constructors) else nothing(data)
    return next(parts)


def nothing(type_: Type) -> Any:
    """The simplest value of a type."""
    match plain(type_):
        case TupleOf(items=items):
            return tuple(nothing(item) for item in items)
        case Record(fields=fields):
            return tuple(nothing(part) for _, part in fields)
        case ArrayOf(element=element) as array:
            return (nothing(element),) * (array.length or 0)
        case SetOf(element=element):
            return nowhere(False, key_count(element))
        case MapOf(key=key, value=part):
            return (nowhere(False, key_count(key)), nowhere(nothing(part), key_count(key)))
        case Datatype(constructors=constructors) as data:
            best = min(range(len(constructors)), key=lambda n: _cost(data, constructors[n]))
            return Data(best, tuple(nothing(part) for _, part in constructors[best].fields))
    return False if type_ == BOOL else Fraction(0) if type_ == REAL else 0


def _cost(type_: Datatype, constructor: Constructor) -> tuple[bool, int]:
    """How little simple its applications are; those that contain the type itself last."""
    return any(type_ in parts(part) for _, part in constructor.fields), len(constructor.fields)


def unusual(type_: Datatype, number: int) -> Data:
    """A value of a datatype that contains itself; another one for each number, also inside others."""
    base = nothing(type_)
    assert isinstance(base, Data)
    for tag, constructor in enumerate(type_.constructors):
        types = [plain(part) for _, part in constructor.fields]
        if type_ in types:
            where = types.index(INT) if INT in types else types.index(type_)
            found = base
            for _ in range(1 if INT in types else 5 + 7 * number):
                fields = [base if part == type_ else nothing(part) for part in types]
                fields[where] = 1_000_000 + number if INT in types else found
                found = Data(tag, tuple(fields))
            return found
    return base


def key_count(type_: Type) -> int:
    return len(key_types(type_))


def nowhere(value: Any, depth: int) -> Any:
    """The nested array that has the value everywhere."""
    for _ in range(depth):
        value = ArrayValue(value)
    return value


def lookup(array: Any, key: Sequence[Any]) -> Any:
    for part in key:
        array = array.select(part)
    return array


def inserted(array: Any, key: Sequence[Any], value: Any) -> Any:
    if not key:
        return value
    return array.store(key[0], inserted(array.select(key[0]), key[1:], value))


def combined(function: Callable[..., Any], depth: int, *arrays: Any) -> Any:
    """A function applied for every key."""
    if depth == 0:
        return function(*arrays)
    indices = dict.fromkeys(index for array in arrays for index in array.entries)
    default = combined(function, depth - 1, *(array.default for array in arrays))
    entries = {
        index: combined(function, depth - 1, *(array.select(index) for array in arrays)) for index in indices
    }
    return ArrayValue(default, entries)


def everywhere(array: Any, types: Sequence[Type]) -> bool:
    """Is the nested array of Booleans true for every key with parts of these types?"""
    if not types:
        return bool(array)
    own = finite(types[0])
    values = list(array.entries.values()) if own is None else [array.select(k) for k in own]
    if own is None:
        values.append(array.default)
    return all(everywhere(value, types[1:]) for value in values)


def finite(type_: Type) -> Sequence[Any] | None:
    """All values of a small type without fields."""
    if type_ == BOOL:
        return (False, True)
    match plain(type_):
        case Enum(values=values):
            return range(len(values))
        case Machine(width=width, signed=signed) if width <= 8:
            low = -(1 << (width - 1)) if signed else 0
            return range(low, low + (1 << width))
    return None


def same(type_: Type, left: Any, right: Any) -> bool:
    """Equality of values."""
    match plain(type_):
        case TupleOf(items=items):
            return all(same(t, x, y) for t, x, y in zip(items, left, right, strict=True))
        case Record(fields=fields):
            return all(same(t, x, y) for (_, t), x, y in zip(fields, left, right, strict=True))
        case ArrayOf(element=element):
            return len(left) == len(right) and all(
                same(element, x, y) for x, y in zip(left, right, strict=True)
            )
        case SetOf(element=element):
            types = key_types(element)
            return everywhere(combined(lambda x, y: x == y, len(types), left, right), types)
        case MapOf(key=key, value=part):
            types = key_types(key)
            test = combined(
                lambda d, e, x, y: d == e and (not d or same(part, x, y)), len(types),
                left[0], right[0], left[1], right[1],
            )
            return everywhere(test, types)
        case Datatype(constructors=constructors):
            if left.constructor != right.constructor:
                return False
            fields = constructors[left.constructor].fields
            return all(same(t, x, y) for (_, t), x, y in zip(fields, left.fields, right.fields, strict=True))
    return bool(left == right)


def shown(type_: Type, value: Any) -> str:
    """As the user would write it."""
    match plain(type_):
        case Enum(values=names):
            return str(names[int(value)]) if 0 <= int(value) < len(names) else str(value)
        case TupleOf(items=items):
            return f"'({', '.join(shown(t, v) for t, v in zip(items, value, strict=True))})"
        case Record(name=name, fields=fields):
            parts = (f"{f} = {shown(t, v)}" for (f, t), v in zip(fields, value, strict=True))
            return f"{name} {{ {'; '.join(parts)} }}"
        case ArrayOf(element=element):
            return f"[{', '.join(shown(element, v) for v in value)}]"
        case SetOf() | MapOf():
            return _shown_container(plain(type_), value)
        case Datatype(constructors=constructors):
            constructor = constructors[value.constructor]
            if not constructor.fields:
                return str(constructor.name)
            parts = (shown(t, v) for (_, t), v in zip(constructor.fields, value.fields, strict=True))
            return f"{constructor.name}({', '.join(parts)})"
        case Machine():
            return str(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown_container(type_: Type, value: Any) -> str:
    assert isinstance(type_, (SetOf, MapOf))
    domain = value[0] if isinstance(type_, MapOf) else value
    found = []
    for key, inside in listed(domain):
        text = shown(type_.key, from_scalars(type_.key, iter(key)))
        if inside and isinstance(type_, MapOf):
            text += f" := {shown(type_.value, lookup(value[1], key))}"
        found.append(text if inside else f"not {text}")
    if not isinstance(domain, ArrayValue) or default(domain):
        found.append("all others")
    opening, closing = ("map[", "]") if isinstance(type_, MapOf) else ("{", "}")
    return f"{opening}{', '.join(found)}{closing}"


def listed(array: Any) -> list[tuple[tuple[Any, ...], bool]]:
    """The keys of a nested array of Booleans that it has entries for."""
    if not isinstance(array, ArrayValue):
        return [((), bool(array))]
    return [
        ((index, *rest), inside)
        for index, inner in sorted(array.entries.items(), key=lambda pair: str(pair[0]))
        for rest, inside in listed(inner)
    ]


def default(array: Any) -> Any:
    """What a nested array has for the keys that it has no entry for."""
    while isinstance(array, ArrayValue):
        array = array.default
    return array
