"""A light dataclass behaves as the frozen dataclass of the standard library with the same fields does."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, dataclass, fields, replace
from functools import cached_property
from typing import Any, TypeVar, dataclass_transform

import pytest

from revet.quickstart import records
from revet.quickstart.records import field

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def light(cls: type[T]) -> type[T]:
    made: type[T] = records._light(cls, eq=True, frozen=True)
    return made


@dataclass_transform(frozen_default=True, eq_default=False)
def light_and_alone(cls: type[T]) -> type[T]:
    made: type[T] = records._light(cls, eq=False, frozen=True)
    return made


@light
class Found:
    what: str
    depth: int = 0
    near: list[int] = field(default_factory=list)

    @cached_property
    def length(self) -> int:
        return len(self.what)


@dataclass(frozen=True)
class Expected:
    what: str
    depth: int = 0
    near: list[int] = dataclasses.field(default_factory=list)


@light
class Pair:
    one: int
    other: int


@light_and_alone
class Alone:
    what: str


@pytest.mark.parametrize("values, named", [
    (("a",), {}), (("a", 2), {}), ((), {"what": "a"}), (("a",), {"near": [1]}), (("a", 1, [2]), {}),
    ((), {}), ((1, 2, 3, 4), {}), (("a",), {"what": "b"}), (("a",), {"other": 1}), ((), {"depth": 1}),
])
def test_is_made_as_a_dataclass_is(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    try:
        expected = Expected(*values, **named)
    except TypeError:
        with pytest.raises(TypeError):
            Found(*values, **named)
        return
    found = Found(*values, **named)
    assert repr(found) == repr(expected).replace("Expected", "Found")
    assert [f.name for f in fields(found)] == [f.name for f in fields(expected)]
    for f in fields(expected):
        assert getattr(found, f.name) == getattr(expected, f.name)


def test_values_make_it_equal_unless_it_says_otherwise() -> None:
    one, other = Found("a", 1), Found("a", 1)
    assert one.length == 1  # cached in the instance, and no part of its value
    assert one == other and one != Found("a", 2) and one != Expected("a", 1)
    assert len({Pair(1, 2), Pair(1, 2), Pair(2, 1)}) == 2
    assert Alone("a") != Alone("a") and len({Alone("a"), Alone("a")}) == 2
    assert one.near is not other.near


def test_is_not_changed() -> None:
    found = Found("a")
    with pytest.raises(FrozenInstanceError):
        found.depth = 1  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del found.depth
    assert replace(found, depth=3) == Found("a", 3) == records.replace(found, depth=3)
    with pytest.raises(TypeError):
        records.replace(found, deep=3)


def test_copies_and_patterns() -> None:
    found = Found("a", 1, [2])
    assert pickle.loads(pickle.dumps(found)) == found == copy.deepcopy(found)
    match found:
        case Found(what, depth):
            assert (what, depth) == ("a", 1)
        case _:
            raise AssertionError(found)


def test_checks_what_it_is_given() -> None:
    @light
    class Positive:
        number: int

        def __post_init__(self) -> None:
            assert self.number > 0

    with pytest.raises(AssertionError):
        Positive(0)


def test_once_the_real_module_is_loaded_it_is_used() -> None:
    @records.dataclass(frozen=True)
    class Ordinary:
        what: int
        near: list[int] = field(default_factory=list)

    assert Ordinary.__init__ is not records._init
    assert records.replace(Ordinary(1, [2]), what=3) == Ordinary(3, [2])


def test_one_derived_from_another() -> None:
    @light
    class More(Found):
        depth: int = field(default=7, metadata={"least": 1})
        last: str | None = field(default=None)

    more = More("a")
    assert more.__match_args__ == ("what", "depth", "near", "last")
    assert repr(more).endswith("More(what='a', depth=7, near=[], last=None)")
    assert [(f.name, f.default) for f in fields(More)][1:2] == [("depth", 7)]
    assert fields(More)[1].metadata == {"least": 1}
    assert fields(More)[2].default_factory is list
    assert [f.name for f in fields(Found)] == ["what", "depth", "near"]
    assert dataclasses.is_dataclass(more) and More("a") == more and replace(more, last="b").last == "b"


def _both(cls: type[T], **options: Any) -> tuple[Any, Any]:
    """A class as a light dataclass, and the same as the standard library makes it."""
    body = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__")}
    kept = {
        k: dataclasses.field(**v.options) if isinstance(v, records._Field) else v for k, v in body.items()
    }
    return (
        records._light(type(cls.__name__, (), dict(body)), **options),
        dataclass(**options)(type(cls.__name__, (), kept)),
    )


class Place:
    line: int
    shown: str = field(default="s", compare=False)
    quiet: list[int] = field(default_factory=list, repr=False)
    late: list[int] = field(default_factory=list, init=False)
    never: int = field(init=False, repr=False, compare=False)


@pytest.mark.parametrize("options", [
    {"frozen": True}, {"frozen": True, "eq": False}, {}, {"eq": False}, {"frozen": True, "order": True},
])
def test_fields_and_classes_with_options(options: dict[str, Any]) -> None:
    for values in (((1,), (1, "t")), ((1,), (2,)), ((3, "x", [1]), (3, "y", [1])), ((1, "s", [1]), (1,))):
        (one, other), (own, its) = ([made(*v) for v in values] for made in _both(Place, **options))
        assert repr(one) == repr(own) and one.late == own.late == [] and one.late is not other.late
        assert (one == other) is (own == its)
        assert type(one).__match_args__ == type(own).__match_args__
        assert [f.name for f in fields(one)] == [f.name for f in fields(own)]
        assert (type(one).__hash__ is None) is (type(own).__hash__ is None)
        if options.get("order"):
            assert [one < other, one <= other, one > other, one >= other] == [
                own < its, own <= its, own > its, own >= its
            ]
        if not options.get("frozen"):
            one.line = own.line = 9
            assert repr(one) == repr(own)
    with pytest.raises(TypeError):
        _both(Place, **options)[0](1, "s", [], [])
