"""Dataclasses that cost next to nothing to define.

The standard library compiles up to six functions for every frozen dataclass, the better part of a
millisecond, and its module takes longer to load than Python itself. Here all classes share one set of
functions, which look the fields up. To everyone else they are dataclasses: ``dataclasses.fields``,
``replace``, ``match`` and ``pickle`` know them as such. Making an instance takes about a microsecond
longer, so as soon as somebody has loaded the real module its dataclasses are used; classes of other
packages have it loaded, and so have those that are not just ``frozen``, except in the front end of Lustre: a
tree's hundred classes took longer than reading a program (they have no ``__slots__`` then).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import dataclasses
    from collections.abc import Callable
    from typing import Any


_MANY = ("revet.position", "revet.frontends.kit.", "revet.frontends.lustre.")


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
    many = options.keys() <= {"frozen", "eq", "slots", "order"} and cls.__module__.startswith(_MANY)
    if (many or (plain and cls.__module__.startswith("revet."))) and not _is_loaded():
        return _light(cls, **options)
    _restore(cls, {name: one for name, one in vars(cls).items() if isinstance(one, _Field)})
    return _real().dataclass(cls, **options)


def replace(instance: Any, /, **changes: Any) -> Any:
    if getattr(type(instance), "__init__", None) is not _init:
        return _real().replace(instance, **changes)
    return type(instance)(**{name: getattr(instance, name) for name in instance.__match_args__} | changes)


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

    def __init__(self, options: dict[str, _Field], frozen: bool) -> None:
        self.options = options
        self.frozen = frozen

    def __get__(self, instance: object, owner: Any) -> dict[str, dataclasses.Field[Any]]:
        cls = next(one for one in owner.__mro__ if vars(one).get("__dataclass_fields__") is self)
        _restore(cls, self.options)
        for name in ("__setattr__", "__delattr__") if self.frozen else ():  # it makes its own
            delattr(cls, name)
        _real().dataclass(init=False, repr=False, eq=False, frozen=self.frozen)(cls)
        made: dict[str, dataclasses.Field[Any]] = owner.__dataclass_fields__
        return made


def _light(
    cls: Any, eq: bool = True, frozen: bool = False, order: bool = False, slots: bool = False
) -> Any:
    """The class with the shared functions; ``slots`` would only save memory."""
    fields: dict[str, dict[str, Any]] = dict(getattr(cls, "_light_fields", {}))
    factories = dict(getattr(cls, "_factories", {}))
    own, options = vars(cls), {}
    for name, kind in own.get("__annotations__", {}).items():
        if str(kind).startswith(("ClassVar", "typing.ClassVar")):
            continue
        given = own.get(name)
        if isinstance(given, _Field):
            options[name] = given
        fields[name] = given.options if isinstance(given, _Field) else {}
    for name, one in options.items():
        if "default_factory" in one.options:
            factories[name] = one.options["default_factory"]
        if "default" in one.options:
            setattr(cls, name, one.options["default"])
        else:
            delattr(cls, name)
    own_fields = _Fields(options, frozen)
    for name, value in (
        ("__match_args__", _with("init", fields)), ("_compared", _with("compare", fields)),
        ("_shown", _with("repr", fields)), ("_light_fields", fields), ("_factories", factories),
        ("_made", tuple([name for name in factories if not fields[name].get("init", True)])),
        ("__dataclass_fields__", own_fields),
    ):  # fmt: skip
        setattr(cls, name, value)
    shared: dict[str, Callable[..., Any] | None] = {"__init__": _init, "__repr__": _repr}
    if frozen:
        shared |= {"__setattr__": _frozen, "__delattr__": _frozen}
    if eq:
        shared |= {"__eq__": _eq, "__hash__": _hash if frozen else None}
    if order:
        shared |= {"__lt__": _lt, "__le__": _le, "__gt__": _gt, "__ge__": _ge}
    for name, function in shared.items():
        if name not in own or (name == "__hash__" and own[name] is None):
            setattr(cls, name, function)
    return cls


def _with(use: str, fields: dict[str, dict[str, Any]]) -> tuple[str, ...]:
    return tuple([name for name, options in fields.items() if options.get(use, True)])


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
    for name in cls._made:
        state[name] = cls._factories[name]()
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
    """What is compared; not all of ``__dict__``: cached properties are kept there, too."""
    state = made.__dict__
    return tuple([state[name] for name in made._compared])


def _repr(self: Any) -> str:
    pairs = ((name, getattr(self, name)) for name in self._shown)
    return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in pairs)})"


def _eq(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _lt(self: Any, other: object) -> bool:
    return _values(self) < _values(other) if type(other) is type(self) else NotImplemented


def _le(self: Any, other: object) -> bool:
    return _values(self) <= _values(other) if type(other) is type(self) else NotImplemented


def _gt(self: Any, other: object) -> bool:
    return _values(self) > _values(other) if type(other) is type(self) else NotImplemented


def _ge(self: Any, other: object) -> bool:
    return _values(self) >= _values(other) if type(other) is type(self) else NotImplemented


def _frozen(self: Any, name: str, *_: Any) -> None:
    raise _real().FrozenInstanceError(f"cannot assign to or delete field {name!r}")
