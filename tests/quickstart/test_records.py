"""A light dataclass behaves as the dataclass of the standard library with the same body and options does."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from functools import cached_property
from typing import Any

import pytest

from revet.quickstart import records

OPTIONS = [
    dict(zip(("frozen", "eq", "order", "slots"), values, strict=True))
    for values in itertools.product((False, True), repeat=4)
    if values[1] or not values[2]  # an order needs equality
]
"""All that our own classes ask for."""


def found_class(dataclass: Callable[..., Any], field: Callable[..., Any], options: dict[str, bool]) -> Any:
    @dataclass(**options)
    class Found:
        what: str
        depth: int = 0
        near: list[int] = field(default_factory=list)
        shade: str = field(default="red", compare=False, repr=False)
        number: int = field(default=7, metadata={"least": 1})
        steps: int = field(default=1, init=False)
        seen: list[int] = field(default_factory=list, init=False)
        later: int = field(init=False, repr=False, compare=False)

        def length(self) -> int:
            return len(self.what)

    return Found


def light(cls: Any = None, /, **options: bool) -> Any:
    return records._light(cls, **options) if cls is not None else lambda one: records._light(one, **options)


@pytest.fixture(params=OPTIONS, ids=lambda options: "-".join(name for name, on in options.items() if on))
def pair(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """The light class and the one of the standard library."""
    ours = found_class(light, records.field, request.param)
    return ours, found_class(dataclasses.dataclass, dataclasses.field, request.param)


def outcome(action: Callable[..., Any], *values: Any, **named: Any) -> Any:
    """What comes out of it, or the kind of error."""
    try:
        return action(*values, **named)
    except (TypeError, AttributeError, FrozenInstanceError) as problem:
        return type(problem)


ARGUMENTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("a",), {}), (("a", 2), {}), ((), {"what": "a"}), (("a",), {"near": [1]}),
    (("a", 1, [2], "blue", 3), {}), ((), {}),
    ((1, 2, 3, 4, 5, 6), {}), (("a",), {"what": "b"}), (("a",), {"other": 1}), ((), {"depth": 1}),
]  # fmt: skip


@pytest.mark.parametrize("earlier", [0, records._FEW])
def test_is_made_as_a_dataclass_is(pair: tuple[Any, Any], earlier: int) -> None:
    found, expected = pair
    for _ in range(earlier):
        found("x")
    for values, named in ARGUMENTS:
        one, other = (outcome(cls, *values, **named) for cls in pair)
        if isinstance(other, type):
            assert one is other
            continue
        assert repr(one) == repr(other)
        for f in fields(expected):
            assert getattr(one, f.name, None) == getattr(other, f.name, None)
        assert not hasattr(one, "later")
    assert found("a").near is not found("a").near


def test_the_standard_library_knows_its_fields(pair: tuple[Any, Any]) -> None:
    def known(cls: Any) -> list[Any]:
        names = ("name", "type", "default", "default_factory", "init", "repr", "compare", "metadata")
        return [tuple(getattr(f, name) for name in names) for f in fields(cls)]

    found, expected = pair
    assert known(found) == known(expected) == known(found("a"))
    assert found.__match_args__ == expected.__match_args__ and is_dataclass(found)
    assert getattr(found, "__slots__", None) == getattr(expected, "__slots__", None)
    assert hasattr(found("a"), "__dict__") == hasattr(expected("a"), "__dict__")
    assert found("abc").length() == 3


@pytest.mark.parametrize("earlier", [0, records._FEW])
def test_equality_and_hash(pair: tuple[Any, Any], earlier: int) -> None:
    for _ in range(earlier):
        pair[0]("x")
    for arguments in [("a",), ("a", 0, [], "blue"), ("a", 2), ("b",)]:
        one, other = (cls("a") == cls(*arguments) for cls in pair)
        assert one == other, arguments
        one, other = (outcome(lambda cls: cls("a") <= cls(*arguments), cls) for cls in pair)  # noqa: B023
        assert one == other, arguments
    found, expected = pair
    assert found("a") != expected("a")
    with pytest.raises(TypeError):
        found("a") < expected("a")  # noqa: B015
    nan = float("nan")
    assert (found(nan) == found(nan)) == (expected(nan) == expected(nan))
    one, other = (outcome(hash, cls("a", near=())) for cls in pair)
    assert isinstance(one, type) == isinstance(other, type)
    if found("a") == found("a") and isinstance(one, int):
        assert hash(found("a", near=())) == hash(found("a", near=(), shade="blue"))


def test_is_changed_only_where_it_may(pair: tuple[Any, Any]) -> None:
    def change(cls: Any) -> Any:
        made = cls("a")
        made.depth = 1
        return made.depth

    def delete(cls: Any) -> Any:
        made = cls("a")
        del made.what
        return hasattr(made, "what")

    def add(cls: Any) -> Any:
        made = cls("a")
        made.other = 1
        return made.other

    for action in (change, delete, add):
        one, other = (outcome(action, cls) for cls in pair)
        # (for another attribute of a frozen class with slots Python 3.11 says TypeError)
        assert one == other or (isinstance(one, type) and isinstance(other, type)), action
    found = pair[0]
    for replaced in (replace, records.replace):
        assert repr(replaced(found("a", 1), depth=3)) == repr(found("a", 3))
        with pytest.raises(TypeError):
            replaced(found("a"), deep=3)


def test_patterns(pair: tuple[Any, Any]) -> None:
    match pair[0]("a", 1):
        case object(what="a", depth=1) as one:
            assert one.near == []
        case _:
            raise AssertionError(pair)


Frozen = found_class(light, records.field, {"frozen": True, "slots": True})
Plain = found_class(light, records.field, {})
for _name, _cls in (("Frozen", Frozen), ("Plain", Plain)):
    _cls.__qualname__ = _name


@pytest.mark.parametrize("cls", [Frozen, Plain])
def test_copies(cls: Any) -> None:
    made = cls("a", 1, [2], "blue")
    object.__setattr__(made, "later", 5)
    for one in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made), copy.copy(made)):
        assert one == made and one.shade == "blue" and one.later == 5


def test_checks_what_it_is_given_and_keeps_what_it_computes() -> None:
    @light(frozen=True)
    class Positive:
        number: int

        def __post_init__(self) -> None:
            assert self.number > 0

        @cached_property
        def twice(self) -> int:
            return 2 * self.number

    for _ in range(records._FEW + 1):
        with pytest.raises(AssertionError):
            Positive(0)
    one: Any = Positive(2)
    assert one.twice == 4 and one == Positive(2) and repr(one).endswith("(number=2)")


@pytest.mark.parametrize("options", [o for o in OPTIONS if not o["slots"]], ids=str)
def test_one_derived_from_another(options: dict[str, bool]) -> None:
    def derived(dataclass: Callable[..., Any], field: Callable[..., Any]) -> Iterator[Any]:
        base = found_class(dataclass, field, options)

        @dataclass(**options)
        class More(base):
            depth: int = field(default=8)
            last: str | None = field(default=None)

        class Named(More):
            def __init__(self, name: str) -> None:
                super().__init__(name, last="z")

        yield More("a", last="b")
        yield Named("a")

    ours, others = derived(light, records.field), derived(dataclasses.dataclass, dataclasses.field)
    for one, other in zip(ours, others, strict=True):
        assert repr(one) == repr(other)
        assert [f.name for f in fields(one)] == [f.name for f in fields(other)]
        assert (copy.copy(one) == one) == (copy.copy(other) == other)


def test_what_a_class_says_itself_stays() -> None:
    @light(frozen=True)
    class Alike:
        number: int

        def __eq__(self, other: object) -> bool:
            return True

    for _ in range(2 * records._FEW):
        assert Alike(1) == Alike(2) and hash(Alike(1)) != hash(Alike(2)) and Alike(1) == 3


def test_a_class_without_fields() -> None:
    @light(frozen=True)
    class Nothing:
        pass

    for _ in range(2 * records._FEW):
        assert Nothing() == Nothing() and len({Nothing(), Nothing()}) == 1 and Nothing() != 0


def test_the_standard_library_derives_from_a_light_one() -> None:
    base = found_class(light, records.field, {"frozen": True})

    @dataclasses.dataclass(frozen=True, order=True)
    class More(base):
        last: int = 1

    assert repr(More("a")).endswith("More(what='a', depth=0, near=[], number=7, steps=1, seen=[], last=1)")
    assert More("a") < More("b") and records.replace(More("a"), last=3).last == 3
    assert not records._is_plain(type("Third", (More,), {}))


def test_others_are_left_to_the_standard_library() -> None:
    foreign = found_class(records.dataclass, records.field, {"frozen": True})
    assert not isinstance(foreign.__dataclass_params__, records._Record)
    assert records.replace(foreign("a", 2), what="b") == foreign("b", 2)
    body = {"__module__": records.__name__, "__annotations__": {"one": "int"}}
    named = records.dataclass(type("Named", (), body), frozen=True, kw_only=True)
    assert named(one=1) == named(one=1) and not isinstance(named.__dataclass_params__, records._Record)
    hashed = records.dataclass(type("Hashed", (), {**body, "one": records.field(hash=False)}), frozen=True)
    assert hash(hashed(1)) == hash(hashed(2)) and not isinstance(hashed.__dataclass_params__, records._Record)
    own = records.dataclass(type("Own", (), body))
    assert isinstance(own.__dataclass_params__, records._Record)
