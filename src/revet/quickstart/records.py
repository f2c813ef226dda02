"""Frozen dataclasses that cost next to nothing to define.

The standard library compiles up to six functions for every frozen dataclass, the better part of a
millisecond, and its module takes longer to load than Python itself. Here all classes share one set of
functions, which look the fields up. To everyone else they are dataclasses: ``dataclasses.fields``,
``replace``, ``match`` and ``pickle`` know them as such. Making an instance takes about a microsecond
longer, so as soon as somebody has loaded the real module its dataclasses are used; classes of other
packages, and those that are not just ``frozen``, have it loaded.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import dataclasses
    from collections.abc import Callable
    from typing import Any


class _Field:
    """What :func:`field` leaves in the body of a class."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options


def field(**options: Any) -> Any:
    return _Field(options)


def dataclass(cls: Any = None, /, **options: Any) -> Any:
    """As in the standard library, to be called with or without options."""
    if cls is None:
        return lambda one: dataclass(one, **options)
    plain = options.get("frozen") and options.keys() <= {"frozen", "eq"}
    if plain and cls.__module__.startswith("revet.") and not _is_loaded():
        return _light(cls, options.get("eq", True))
    _restore(cls, {name: one for name, one in vars(cls).items() if isinstance(one, _Field)})
    return _real().dataclass(cls, **options)


def replace(instance: Any, /, **changes: Any) -> Any:
    if getattr(type(instance), "__init__", None) is not _init:
        return _real().replace(instance, **changes)
    kept = zip(instance.__match_args__, _values(instance), strict=True)
    return type(instance)(**dict(kept) | changes)


def _is_loaded() -> bool:
    return hasattr(sys.modules.get("dataclasses"), "__file__")  # a stand-in has none


def _real() -> Any:
    from revet.quickstart.stand_in import real

    return real("dataclasses")


def _restore(cls: type, options: dict[str, _Field]) -> None:
    for name, given in options.items():
        setattr(cls, name, _real().field(**given.options))


class _Fields:
    """A class's ``__dataclass_fields__``, made by the standard library for whoever asks."""

    def __init__(self, options: dict[str, _Field]) -> None:
        self.options = options

    def __get__(self, instance: object, owner: Any) -> dict[str, dataclasses.Field[Any]]:
        cls = next(one for one in owner.__mro__ if vars(one).get("__dataclass_fields__") is self)
        _restore(cls, self.options)
        for name in ("__setattr__", "__delattr__"):  # it makes its own
            delattr(cls, name)
        _real().dataclass(init=False, repr=False, eq=False, frozen=True)(cls)
        made: dict[str, dataclasses.Field[Any]] = owner.__dataclass_fields__
        return made


def _light(cls: Any, eq: bool) -> Any:
    names = dict.fromkeys(getattr(cls, "__match_args__", ()))
    factories = dict(getattr(cls, "_factories", {}))
    own, options = vars(cls), {}
    for name, kind in own.get("__annotations__", {}).items():
        if str(kind).startswith(("ClassVar", "typing.ClassVar")):
            continue
        names[name] = None
        given = own.get(name)
        if isinstance(given, _Field):
            options[name] = given
    for name, one in options.items():
        if "default_factory" in one.options:
            factories[name] = one.options["default_factory"]
        if "default" in one.options:
            setattr(cls, name, one.options["default"])
        else:
            delattr(cls, name)
    own_fields = _Fields(options)
    for name, value in (
        ("__match_args__", tuple(names)), ("_factories", factories), ("__dataclass_fields__", own_fields),
    ):  # fmt: skip
        setattr(cls, name, value)
    shared: dict[str, Callable[..., Any]] = {
        "__init__": _init, "__repr__": _repr, "__setattr__": _frozen, "__delattr__": _frozen,
    }  # fmt: skip
    if eq:
        shared |= {"__eq__": _eq, "__hash__": _hash}
    for name, function in shared.items():
        if name not in own or (name == "__hash__" and own[name] is None):
            setattr(cls, name, function)
    return cls


def _init(self: Any, *values: Any, **named: Any) -> None:
    cls = type(self)
    names = cls.__match_args__
    if len(values) > len(names):
        raise TypeError(f"{cls.__name__} has {len(names)} fields, not {len(values)}")
    state = self.__dict__
    state.update(zip(names, values, strict=False))  # the others come below
    for name in names[len(values) :]:
        state[name] = named.pop(name) if name in named else _default(cls, name)
    if named:
        raise TypeError(f"{cls.__name__} got {', '.join(named)}: unknown, or given twice")
    if hasattr(cls, "__post_init__"):
        self.__post_init__()


def _default(cls: Any, name: str) -> Any:
    if name in cls._factories:
        return cls._factories[name]()
    try:
        return getattr(cls, name)
    except AttributeError:
        raise TypeError(f"{cls.__name__} needs a value for {name}") from None


def _values(made: Any) -> tuple[Any, ...]:
    """Not all of ``__dict__``: cached properties are kept there, too."""
    state = made.__dict__
    return tuple([state[name] for name in made.__match_args__])


def _repr(self: Any) -> str:
    pairs = zip(self.__match_args__, _values(self), strict=True)
    return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in pairs)})"


def _eq(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _frozen(self: Any, name: str, *_: Any) -> None:
    raise _real().FrozenInstanceError(f"cannot assign to or delete field {name!r}")
