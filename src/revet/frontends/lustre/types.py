"""Types of Lustre, resolved: what an expression of the typed program (:mod:`.core`) is a stream of.

A refinement (``subtype``, ``subrange``) is kept as :class:`Refined` in declarations, where it means an
assumption or an obligation; expressions have :func:`plain` types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revet.frontends.lustre.core import Expr


@dataclass(frozen=True, slots=True)
class Type:
    pass


@dataclass(frozen=True, slots=True)
class Basic(Type):
    """``bool``, ``int``, ``real``."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Machine(Type):
    width: int
    signed: bool

    def __str__(self) -> str:
        return f"{'s' if self.signed else 'u'}int<{self.width}>"


@dataclass(frozen=True, slots=True)
class Enum(Type):
    name: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Abstract(Type):
    """A type of which only equality is known; also a type parameter of a node that nobody calls."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class TupleOf(Type):
    items: tuple[Type, ...]

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.items))}]"


@dataclass(frozen=True, slots=True)
class Record(Type):
    name: str = field(compare=False)
    fields: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ArrayOf(Type):
    """``size`` is a constant expression; arrays whose sizes are not both numbers may be equal."""

    element: Type
    size: Expr = field(compare=False)

    def __str__(self) -> str:
        return f"{self.element}^{self.length if self.length is not None else '…'}"

    @property
    def length(self) -> int | None:
        """The size, if it is a number."""
        value = getattr(self.size, "value", None)
        return value if isinstance(value, int) else None


@dataclass(frozen=True, slots=True)
class SetOf(Type):
    element: Type

    @property
    def key(self) -> Type:
        """By what one asks whether something is there, as in a map."""
        return self.element

    def __str__(self) -> str:
        return f"set<{self.element}>"


@dataclass(frozen=True, slots=True)
class MapOf(Type):
    key: Type
    value: Type

    def __str__(self) -> str:
        return f"map<{self.key}, {self.value}>"


@dataclass(frozen=True, slots=True)
class Datatype(Type):
    """``constructors`` are looked up by need: a datatype may contain itself."""

    name: str
    arguments: tuple[Type, ...]
    lookup: Callable[[], tuple[Constructor, ...]] = field(compare=False, repr=False)

    @property
    def constructors(self) -> tuple[Constructor, ...]:
        return self.lookup()

    def __str__(self) -> str:
        return f"{self.name}<{'; '.join(map(str, self.arguments))}>" if self.arguments else self.name


@dataclass(frozen=True, slots=True)
class Constructor:
    name: str
    fields: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Refined(Type):
    """The values of ``base`` for which ``predicate`` yields true."""

    base: Type
    predicate: Callable[[Expr], Expr] = field(repr=False)

    def __str__(self) -> str:
        return f"a subtype of {self.base}"


@dataclass(frozen=True, slots=True)
class Unknown(Type):
    """Of an empty literal whose type the context must tell."""


BOOL, INT, REAL = Basic("bool"), Basic("int"), Basic("real")


def plain(type_: Type) -> Type:
    """The type without refinements, also within."""
    match type_:
        case Refined(base=base):
            return plain(base)
        case TupleOf(items=items):
            return TupleOf(tuple(map(plain, items)))
        case Record(name=name, fields=fields):
            return Record(name, tuple((field, plain(part)) for field, part in fields))
        case ArrayOf(element=element, size=size):
            return ArrayOf(plain(element), size)
        case SetOf(element=element):
            return SetOf(plain(element))
        case MapOf(key=key, value=value):
            return MapOf(plain(key), plain(value))
        case Datatype(name=name, arguments=arguments):
            return Datatype(name, tuple(map(plain, arguments)), type_.lookup)
    return type_


def compatible(left: Type, right: Type) -> bool:
    """May a value of one be used as the other? Sizes that are not numbers may agree."""
    match left, right:
        case (Refined(), _) | (_, Refined()):
            return compatible(plain(left), plain(right))
        case (ArrayOf(), ArrayOf()):
            if left.length is not None and right.length is not None and left.length != right.length:
                return False
            return compatible(left.element, right.element)
        case (TupleOf(), TupleOf()):
            return len(left.items) == len(right.items) and all(map(compatible, left.items, right.items))
        case (Record(), Record()):
            return [n for n, _ in left.fields] == [n for n, _ in right.fields] and all(
                compatible(x, y) for (_, x), (_, y) in zip(left.fields, right.fields, strict=True)
            )
        case (SetOf(), SetOf()):
            return compatible(left.element, right.element)
        case (MapOf(), MapOf()):
            return compatible(left.key, right.key) and compatible(left.value, right.value)
        case (Datatype(), Datatype()):
            return (
                left.name == right.name
                and len(left.arguments) == len(right.arguments)
                and all(map(compatible, left.arguments, right.arguments))
            )
    return left == right


def is_number(type_: Type) -> bool:
    return type_ in (INT, REAL) or isinstance(type_, Machine)


def has_refinement(type_: Type, path: tuple[str, ...] = ()) -> bool:
    """Does membership in the type say more than membership in its plain form?"""
    match type_:
        case Refined():
            return True
        case TupleOf(items=items):
            return any(has_refinement(item, path) for item in items)
        case Record(fields=fields):
            return any(has_refinement(part, path) for _, part in fields)
        case ArrayOf(element=element) | SetOf(element=element):
            return has_refinement(element, path)
        case MapOf(key=key, value=value):
            return has_refinement(key, path) or has_refinement(value, path)
        case Datatype(name=name) if name not in path:
            return any(
                has_refinement(part, (*path, name)) for c in type_.constructors for _, part in c.fields
            )
    return False


def is_recursive(type_: Datatype) -> bool:
    """Does the datatype contain itself?"""
    inside = (part for c in type_.constructors for _, field in c.fields for part in parts(field))
    return any(isinstance(part, Datatype) and part.name == type_.name for part in inside)


def parts(type_: Type) -> Iterator[Type]:
    """The plain type and the types in it; of a datatype once."""
    seen: set[str] = set()
    todo: list[Type] = [type_]
    while todo:
        part = plain(todo.pop())
        yield part
        match part:
            case Datatype():
                if str(part) not in seen:
                    seen.add(str(part))
                    todo += [inner for c in part.constructors for _, inner in c.fields]
            case TupleOf(items=items):
                todo += items
            case Record(fields=fields):
                todo += [inner for _, inner in fields]
            case ArrayOf(element=element) | SetOf(element=element):
                todo.append(element)
            case MapOf(key=key, value=value):
                todo += [key, value]
