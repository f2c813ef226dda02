"""Immutable records: frozen dataclasses that cost next to nothing to define.

The standard library compiles up to six functions for every frozen dataclass, the better part of a
millisecond; for the small classes of events, verdicts and tables that was half the time that Revet
took to load. Here all classes share one set of functions, which look the fields up. To everyone else
a record is a dataclass: ``fields``, ``replace``, ``match`` and type checkers know it as one.

    class Found(Record):
        what: str
        depth: int = 0

Making one takes about a microsecond longer. So classes whose instances are made, compared or hashed
by the hundred thousand, as those of programs are, stay dataclasses, and so does what needs ``order``
or fields with options other than defaults.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field
from typing import Any, ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record:
    """Derive from it. ``eq=False``: instances are equal only to themselves."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, eq: bool = True) -> None:
        dataclass(init=False, repr=False, eq=False)(cls)  # collects the fields, compiles nothing
        for known in cls.__dataclass_fields__.values():
            if not (known.init and known.repr and known.compare) or known.kw_only:
                raise TypeError(f"{cls.__name__}.{known.name}: records have no options but defaults")
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
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")


def _values(made: Record) -> tuple[Any, ...]:
    """Not all of ``__dict__``: cached properties are kept there, too."""
    state = made.__dict__
    return tuple([state[name] for name in made.__match_args__])


def _default(made: Record, name: str) -> Any:
    known = made.__dataclass_fields__[name]
    if known.default is not MISSING:
        return known.default
    if known.default_factory is not MISSING:
        return known.default_factory()
    raise TypeError(f"{type(made).__name__} needs a value for {name}")
