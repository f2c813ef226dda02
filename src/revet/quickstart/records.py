"""Dataclasses that cost next to nothing to define.

The standard library compiles up to six functions for every dataclass, the better part of a millisecond, and
reading a small C file needs some two hundred classes; its module takes longer to load than Python itself.
Here a class gets functions that look its fields up, and an ``__init__`` of its own when it has had
``_FEW`` instances. To everyone else they are dataclasses: ``dataclasses.fields``, ``replace``, ``match`` and
``pickle`` know them as such. The standard library makes the classes of other packages, those that ask for
more than ``_OPTIONS`` and ``_FIELD_OPTIONS``, and those derived from one that it made.
"""

from __future__ import annotations

import _operator as operator  # without the part that is written in Python
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_FEW = 20
_OPTIONS = frozenset(("frozen", "eq", "order", "slots"))
_FIELD_OPTIONS = frozenset(("default", "default_factory", "metadata", "compare", "init", "repr"))
_NONE: Any = object()


class _Field:
    """What :func:`field` leaves in the body of a class, and what an annotation alone or a value means."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options


def field(**options: Any) -> Any:
    return _Field(options)


def dataclass(cls: Any = None, /, **options: Any) -> Any:
    """As in the standard library, to be called with or without options."""
    if cls is None:
        return lambda one: dataclass(one, **options)
    if cls.__module__.startswith("revet.") and options.keys() <= _OPTIONS and _is_plain(cls):
        return _light(cls, **options)
    for name, one in list(vars(cls).items()):
        if isinstance(one, _Field):
            setattr(cls, name, _real().field(**one.options))
    return _real().dataclass(cls, **options)


def replace(instance: Any, /, **changes: Any) -> Any:
    record = getattr(type(instance), "__dataclass_params__", None)
    if not isinstance(record, _Record):
        return _real().replace(instance, **changes)
    return type(instance)(**{name: getattr(instance, name) for name in instance.__match_args__} | changes)


def _is_plain(cls: type) -> bool:
    given = [one for one in vars(cls).values() if isinstance(one, _Field)]
    bases = [vars(base).get("__dataclass_params__") for base in cls.__mro__]
    return all(one is None or isinstance(one, _Record) for one in bases) and all(
        one.options.keys() <= _FIELD_OPTIONS for one in given
    )


def _real() -> Any:
    from revet.quickstart.stand_in import real

    return real("dataclasses")


class _Record:
    """The fields of a class, by name: those of its bases first. ``own`` are those of its body.

    It is the class's ``__dataclass_params__``, of which the standard library reads ``frozen``."""

    def __init__(self, cls: type, frozen: bool) -> None:
        self.frozen = frozen
        self.own: dict[str, _Field] = {}
        body = vars(cls)
        for name, kind in body.get("__annotations__", {}).items():
            if not str(kind).startswith(("ClassVar", "typing.ClassVar")):
                given = body.get(name, _NONE)
                if not isinstance(given, _Field):
                    given = _Field({} if given is _NONE else {"default": given})
                self.own[name] = given
        self.fields: dict[str, dict[str, Any]] = {}
        for base in reversed(cls.__mro__[1:]):
            inherited = vars(base).get("__dataclass_params__")
            self.fields |= {} if inherited is None else inherited.fields
        self.fields |= {name: one.options for name, one in self.own.items()}

    def with_option(self, option: str) -> list[str]:
        """The fields that do not say no to it."""
        return [name for name, options in self.fields.items() if options.get(option, True)]


class _Fields:
    """A class's ``__dataclass_fields__``, made by the standard library for whoever asks: from a class that
    has the same fields and nothing else."""

    def __get__(self, instance: object, owner: Any) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for base in reversed(owner.__mro__):
            record: _Record | None = vars(base).get("__dataclass_params__")
            if record is not None:
                kinds = {name: vars(base)["__annotations__"][name] for name in record.own}
                body: dict[str, Any] = {"__module__": base.__module__, "__annotations__": kinds}
                body |= {name: _real().field(**one.options) for name, one in record.own.items()}
                made |= _real().dataclass(init=False, repr=False, eq=False)(
                    type(base.__name__, (), body)
                ).__dataclass_fields__
        return made


_FIELDS = _Fields()


def _light(
    cls: Any, *, frozen: bool = False, eq: bool = True, order: bool = False, slots: bool = False
) -> Any:
    record = _Record(cls, frozen)
    for name, one in record.own.items():
        if "default" in one.options:
            setattr(cls, name, one.options["default"])
        elif name in vars(cls):
            delattr(cls, name)
    if slots:
        cls = _with_slots(cls, record)
    functions: dict[str, Any] = {
        "__dataclass_params__": record, "__dataclass_fields__": _FIELDS, "__init__": _init(cls, record),
        "__match_args__": tuple(record.with_option("init")), "__repr__": _repr,
    }
    functions |= _comparison(record, order) if eq else {}
    if frozen:
        functions |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    own = vars(cls)
    for name, function in functions.items():
        if name not in own or (name == "__hash__" and own[name] is None):
            setattr(cls, name, function)
    return cls


def _with_slots(cls: Any, record: _Record) -> Any:
    """The class again, with a slot for every field that has none in a base."""
    taken = {name for base in cls.__mro__[1:] for name in vars(base).get("__slots__", ())}
    left_out = {*record.fields, "__dict__", "__weakref__"}
    body = {name: value for name, value in vars(cls).items() if name not in left_out}
    body["__slots__"] = tuple(name for name in record.fields if name not in taken)
    if record.frozen:
        body = {"__getstate__": _state, "__setstate__": _restore} | body
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__dataclass_params__.fields]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__dataclass_params__.fields, state, strict=True):
        object.__setattr__(self, name, value)


def _init(cls: Any, record: _Record) -> Callable[..., None]:
    made = 0

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        nonlocal made
        made += 1
        if made == _FEW:
            for name, function in _compiled(cls, record).items():
                setattr(cls, name, function)
        names = record.with_option("init")
        if len(values) > len(names):
            raise TypeError(f"{cls.__name__} is given {len(names)} values, not {len(values)}")
        given = dict(zip(names, values, strict=False))  # the others come below
        for name in names[len(values) :]:
            if name in named:
                given[name] = named.pop(name)
        if named:
            raise TypeError(f"{cls.__name__} got {', '.join(named)}: unknown, or given twice")
        for name, options in record.fields.items():
            if name in given:
                object.__setattr__(self, name, given[name])
            elif "default" in options or "default_factory" in options:
                object.__setattr__(self, name, _default(options))
            elif name in names:
                raise TypeError(f"{cls.__name__} needs a value for {name}")
        if hasattr(cls, "__post_init__"):
            self.__post_init__()

    return __init__


def _default(options: dict[str, Any]) -> Any:
    return options["default"] if "default" in options else options["default_factory"]()


def _compiled(cls: type, record: _Record) -> dict[str, Any]:
    """``__init__``, and ``__eq__`` and ``__hash__`` if they are ours, as somebody would write them for these
    fields."""
    scope: dict[str, Any] = {"_NONE": _NONE, "_set": object.__setattr__}
    parameters: list[str] = []
    lines: list[str] = []
    for name, options in record.fields.items():
        given = options.get("init", True)
        value, default = name, ""
        if "default" in options:
            scope[f"_default_{name}"], default = options["default"], f"=_default_{name}"
            value = name if given else f"_default_{name}"
        elif "default_factory" in options:
            scope[f"_make_{name}"], default = options["default_factory"], "=_NONE"
            value = f"_make_{name}() if {name} is _NONE else {name}" if given else f"_make_{name}()"
        if given:
            parameters.append(name + default)
        if given or default:
            lines.append(f"_set(self, {name!r}, {value})" if record.frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    ours, theirs = (
        "".join(f"{one}.{name}, " for name in record.with_option("compare")) for one in ("self", "other")
    )
    same = f"({ours}) == ({theirs})" if ours else "True"
    bodies = {
        "__init__": f"(self, {', '.join(parameters)}):\n " + "\n ".join(lines or ["pass"]),
        "__eq__": f"(self, other):\n return {same} if other.__class__ is self.__class__ else NotImplemented",
        "__hash__": f"(self):\n return hash(({ours}))",
    }
    names = [name for name in bodies if getattr(vars(cls).get(name), "__module__", None) == __name__]
    exec("\n".join(f"def {name}{bodies[name]}" for name in names), scope)
    return {name: scope[name] for name in names}


def _repr(self: Any) -> str:
    names = type(self).__dataclass_params__.with_option("repr")
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
    return f"{type(self).__qualname__}({shown})"


def _comparison(record: _Record, order: bool) -> dict[str, Any]:
    """``__eq__``, ``__hash__`` and perhaps an order; there is no hash of what may change."""
    names = record.with_option("compare")
    values: Callable[[Any], Any] = operator.attrgetter(*names) if len(names) > 1 else (
        lambda one: tuple([getattr(one, name) for name in names])
    )

    def __eq__(self: Any, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(values(self))

    def ordered(operation: Callable[[Any, Any], bool]) -> Callable[[Any, object], bool]:
        return lambda self, other: (
            operation(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented
        )

    compared = {"__eq__": __eq__, "__hash__": __hash__ if record.frozen else None}
    operations = [operator.lt, operator.le, operator.gt, operator.ge] if order else []
    return compared | {f"__{one.__name__}__": ordered(one) for one in operations}


def _refuse_to_set(self: Any, name: str, value: Any) -> None:
    _refuse(type(self), name)
    object.__setattr__(self, name, value)


def _refuse_to_delete(self: Any, name: str) -> None:
    _refuse(type(self), name)
    object.__delattr__(self, name)


def _refuse(cls: Any, name: str) -> None:
    """For a field, and for anything of a class that is a dataclass itself."""
    if name in cls.__dataclass_params__.fields or "__dataclass_params__" in vars(cls):
        raise _real().FrozenInstanceError(f"cannot assign to or delete field {name!r}")
