"""Immutable records: frozen dataclasses that cost next to nothing to define.

The standard library compiles up to six functions for every frozen dataclass, the better part of a
millisecond; for the small classes of events, verdicts and tables that was half the time that Revet
took to load. Here all classes share one set of functions, which look the fields up; not even the
module ``dataclasses`` is loaded, which takes longer than Python itself. To everyone else a record is
a dataclass: ``dataclasses.fields``, ``replace``, ``match`` and type checkers know it as one.

    class Found(Record):
        what: str
        depth: int = 0
        near: list[int] = field(default_factory=list)

Making one takes about a microsecond longer. So classes whose instances are made, compared or hashed
by the hundred thousand, as those of programs are, stay dataclasses, and so does what needs ``order``
or fields with options other than defaults.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's, without the time that loading typing takes (decision 52)
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import Field
    from typing import Any, ClassVar, TypeVar, dataclass_transform

    R = TypeVar("R", bound="Record")
else:
    def dataclass_transform(**_):
        return lambda cls: cls


class _Field:
    """What :func:`field` leaves in the body of a class."""

    def __init__(self, **options: Any) -> None:
        self.options = options


def field(
    *, default: Any = ..., default_factory: Callable[[], Any] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Any:
    """A record's field with a default that is made anew each time, or with metadata."""
    options: dict[str, Any] = {} if metadata is None else {"metadata": metadata}
    if default_factory is not None:
        return _Field(default_factory=default_factory, **options)
    return _Field(**options) if default is ... else _Field(default=default, **options)


class _Fields:
    """A record class's ``__dataclass_fields__``, made by the standard library for whoever asks."""

    def __get__(self, instance: Record | None, owner: type[Record]) -> dict[str, Field[Any]]:
        import dataclasses

        if owner is Record:
            raise AttributeError("__dataclass_fields__")
        for name, given in owner.__dict__["_options"].items():
            setattr(owner, name, dataclasses.field(**given.options))
        # Puts the fields in this object's place; init=False and so on: it compiles nothing.
        dataclasses.dataclass(init=False, repr=False, eq=False)(owner)
        made: dict[str, Field[Any]] = owner.__dict__["__dataclass_fields__"]
        return made


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record:
    """Derive from it. ``eq=False``: instances are equal only to themselves."""

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
        __match_args__: ClassVar[tuple[str, ...]]
        _options: ClassVar[dict[str, _Field]]
        _factories: ClassVar[dict[str, Callable[[], Any]]]
    else:
        __dataclass_fields__ = _Fields()
        __match_args__ = ()
        _options = _factories = {}

    def __init_subclass__(cls, eq: bool = True) -> None:
        names = dict.fromkeys(cls.__match_args__)
        own = cls.__dict__
        cls._options = {}
        for name, kind in own.get("__annotations__", {}).items():
            if str(kind).startswith(("ClassVar", "typing.ClassVar")):
                continue
            names[name] = None
            given = own.get(name)
            if isinstance(given, _Field):
                cls._options[name] = given
            elif type(given).__module__ == "dataclasses":
                raise TypeError(f"{cls.__name__}.{name}: records have a field() of their own")
        cls._factories = dict(cls._factories)
        for name, field in cls._options.items():
            if "default_factory" in field.options:
                cls._factories[name] = field.options["default_factory"]
            if "default" in field.options:
                setattr(cls, name, field.options["default"])
            else:
                delattr(cls, name)
        cls.__match_args__ = tuple(names)  # type: ignore[misc]
        cls.__dataclass_fields__ = _Fields()  # type: ignore[assignment]
        if not eq:
            cls.__eq__ = object.__eq__  # type: ignore[method-assign]
            cls.__hash__ = object.__hash__  # type: ignore[method-assign]

    def __init__(self, *values: Any, **named: Any) -> None:
        names = self.__match_args__
        if len(values) > len(names):
            raise TypeError(f"{type(self).__name__} has {len(names)} fields, not {len(values)}")
        state = self.__dict__
        state.update(zip(names, values, strict=False))  # the others come below
        for name in names[len(values) :]:
            state[name] = named.pop(name) if name in named else _default(self, name)
        if named:
            raise TypeError(f"{type(self).__name__} got {', '.join(named)}: unknown, or given twice")
        self.__post_init__()

    def __post_init__(self) -> None:
        """For records that check what they are given."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash(_values(self))

    def __repr__(self) -> str:
        pairs = zip(self.__match_args__, _values(self), strict=True)
        shown = ", ".join(f"{name}={value!r}" for name, value in pairs)
        return f"{type(self).__qualname__}({shown})"

    def __setattr__(self, name: str, value: Any) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot delete field {name!r}")


def replace(record: R, /, **changes: Any) -> R:
    """A record with other values for some fields (as ``dataclasses.replace``)."""
    kept = zip(record.__match_args__, _values(record), strict=True)
    return type(record)(**dict(kept) | changes)


def _values(made: Record) -> tuple[Any, ...]:
    """Not all of ``__dict__``: cached properties are kept there, too."""
    state = made.__dict__
    return tuple([state[name] for name in made.__match_args__])


def _default(made: Record, name: str) -> Any:
    cls = type(made)
    if name in cls._factories:
        return cls._factories[name]()
    try:
        return getattr(cls, name)
    except AttributeError:
        raise TypeError(f"{cls.__name__} needs a value for {name}") from None
