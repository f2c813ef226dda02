"""Sets and maps with keys of every type: values that come from a model are those of the interpreter."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.api import check
from revet.frontends import load
from revet.frontends.lustre.types import INT, Constructor, Datatype
from revet.frontends.lustre.values import from_scalars, key_types, nothing, scalars, unusual
from tests.frontends.lustre.test_version3 import verdicts

HEADER = """
    type Light = enum { Red, Green };
    type Point = struct { x: int8; on: bool };
    type Thing;
    datatype Shape = Dot | Disc (radius: int8);
    datatype List = Nil | Cons (head: int, tail: List);
    datatype Nat = Succ (before: Nat) | Zero;
"""
KEYS = {  # each with two values of it
    "bool": ("true", "false"), "int": ("-3", "4"), "real": ("1.5", "-0.25"), "Light": ("Red", "Green"),
    "int8": ("(int8 -3)", "(int8 4)"), "uint<4>": ("(uint@<4> 15)", "(uint@<4> 1)"),
    "[int8, Light]": ("'(int8 -3, Green)", "'(int8 -3, Red)"),
    "Point": ("Point { x = int8 -1; on = true }", "Point { x = int8 1; on = true }"),
    "Shape": ("Disc(int8 -2)", "Dot"), "List": ("Cons(3, Nil)", "Cons(3, Cons(3, Nil))"),
    "Nat": ("Succ(Succ(Zero))", "Zero"),
}


@pytest.mark.parametrize("key", KEYS)
def test_sets_and_maps_from_a_model(key: str, tmp_path: Path) -> None:
    one, other = KEYS[key]
    found = verdicts(tmp_path, f"""{HEADER}
        node main(s: set<{key}>; m: map<{key}, int>; x: {key}) returns ();
        con assume s = {{x}}; assume m = map[x := 7]; noc
        let
          check "one" not ({one} in s);
          check "other" not ({other} in m);
          check "another" forall (k: {key}) k in s => k = {one};
        tel""", "bmc")
    assert found == dict.fromkeys(["one", "other", "another"], "unsafe")


@pytest.mark.parametrize("key", ["bool", "Light", "uint<2>"])
def test_a_set_of_all_values_is_equal_to_their_list(key: str, tmp_path: Path) -> None:
    values = {"bool": ["true", "false"], "Light": ["Red", "Green"]}.get(key)
    values = values or [f"(uint@<2> {n})" for n in range(4)]
    found = verdicts(tmp_path, f"""{HEADER}
        node main(s: set<{key}>) returns ();
        let
          check "good" ({" and ".join(f"{v} in s" for v in values)}) => s = {{ {", ".join(values)} }};
          check "bad" s <> {{ {", ".join(values)} }};
        tel""")
    assert found == {"good": "safe", "bad": "unsafe"}


def test_lists_that_a_model_says_little_about_are_different(tmp_path: Path) -> None:
    found = verdicts(tmp_path, f"""{HEADER}
        function imported f(n: Nat) returns (m: Nat);
        node main(x, y: List; a, b: Nat) returns ();
        let
          check "bad" x = y or Nil?(x) or Nil?(y);
          check "bad, too" f(a) = f(b) or Zero?(a) or Zero?(b);
        tel""", "bmc")
    assert found == {"bad": "unsafe", "bad, too": "unsafe"}


def _recursive(*constructors: tuple[str, tuple[str, ...]]) -> Datatype:
    made = Datatype("T", (), lambda: found)
    found = tuple(
        Constructor(name, tuple((f"f{k}", made if part == "T" else INT) for k, part in enumerate(parts)))
        for name, parts in constructors
    )
    return made


def test_simplest_and_unusual_values_of_recursive_datatypes() -> None:
    for type_ in (
        _recursive(("A", ("T",)), ("B", ("int", "int"))), _recursive(("N", ()), ("S", ("T",))),
        _recursive(("L", ("int",)), ("F", ("T", "T")), ("G", ("T", "int"))),
    ):
        values = [nothing(type_), *(unusual(type_, number) for number in range(5))]
        assert len(set(values)) == 6
        assert key_types(type_) == [type_]
        assert all(from_scalars(type_, iter(scalars(type_, value))) == value for value in values)


def test_a_type_of_one_value_is_a_counterexample(tmp_path: Path) -> None:
    path = tmp_path / "one.lus"
    path.write_text("type T; node main(x: T) returns (); let check exists (a, b: T) a <> b; tel")
    assert check(load([path]), timeout=60).status == "unsafe"
