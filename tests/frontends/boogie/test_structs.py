"""ULTIMATE's structs: what they become, and that the meaning stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet import check as verify
from revet.errors import InputError, Unsupported
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.parser import parse_text
from revet.frontends.boogie.types import check
from revet.frontends.kit.deep import at_any_depth

POINTERS = """\
type ptr = { base: int, offset: int };
type node = { next: ptr, value: int };
const null: ptr; axiom null == { base: 0, offset: 0 };
var heap: [ptr]node;
function {:const_array} all(v: node) returns ([ptr]node);
function shifted(p: ptr, by: int) returns (ptr) { { base: p!base, offset: p!offset + by } }

procedure cons(value: int, tail: ptr) returns (p: ptr)
  modifies heap;
  ensures p != null && heap[p]!value == value && heap[p]!next == tail;
  ensures (forall q: ptr :: q == p || heap[q] == old(heap[q]));
{
  havoc p;
  assume p != null && p != tail;
  heap[p] := { next: tail, value: value };
}

procedure ULTIMATE.start()
  modifies heap;
{
  var p, q: ptr;
  var n: node;

  heap := all({ next: null, value: 7 });
  assert heap[null]!value == 7;
  call p := cons(1, null);
  call q := cons(2, p);
  n := heap[q];
  n!value, heap[q]!next!offset := 3, if n!value == 2 then 5 else 6;
  assert heap[q] != n && heap[q]!next == shifted(p, 5 - p!offset);
}
"""


def test_a_variable_for_every_field() -> None:
    program = check(parse_text(POINTERS, "a.bpl"))
    assert {name: str(one.type) for name, one in program.globals.items()} == {
        "heap!next!base": "[int,int]int",
        "heap!next!offset": "[int,int]int",
        "heap!value": "[int,int]int",
    }
    assert list(program.constants) == ["null!base", "null!offset"]
    assert [one.name for one in program.procedures["cons"].inputs] == ["value", "tail!base", "tail!offset"]
    for function in program.functions.values():
        assert all(not isinstance(one.type, s.StructType) for one in function.parameters)


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        (("", ""), "safe"),
        (("then 5 else 6", "then 6 else 5"), "unsafe"),
        (("heap[null]!value == 7", "heap[null]!next != null"), "unsafe"),
        (("assert heap[q] != n", "assert heap[p] != n && heap[q]!value == n!value"), "unsafe"),
        (("ensures p != null", "ensures p!base != null!base"), "unsafe"),
    ],
)
def test_verdicts(tmp_path: Path, change: tuple[str, str], verdict: str) -> None:
    file = tmp_path / "a.bpl"
    file.write_text(POINTERS.replace(*change) if change[0] else POINTERS)
    assert type(verify(file, timeout=60).verdict).__name__.lower() == verdict


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("var p: { x: int, x: bool };", "field x is declared twice"),
        ("const p: { x: int }; axiom p!y == 1;", "there is no field y"),
        ("const p: int; axiom p!y == 1;", "only structs have fields, this is an int"),
        ("const p: { x: int }; axiom p == { x: true };", "'==' between a {x: int} and a {x: bool}"),
        ("axiom { x: 1, x: 2 } == { x: 1 };", "a field has two values"),
        ("procedure p() { var v: { x: int }; v!x, v!x := 1, 2; }", "v!x is assigned twice here"),
        ("procedure p() { var v: { x: int }; v, v!x := { x: 1 }, 2; }", "v!x is assigned twice here"),
        ("function {:const_array} f(a: int, b: int) returns ([int]int);", "const_array: f must take a value"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check(parse_text(text, "a.bpl"))
    assert message in caught.value.message and caught.value.position is not None


@pytest.mark.parametrize(
    "text",
    [
        "const unique p: { x: int, y: int };",
        "type F a; var f: F ({ x: int });",
        "function id<a>(a): a; var p: { x: int };",
        "type t0 = int;" + "".join(f"type t{n + 1} = {{ a, b: t{n} }};" for n in range(60)) + "var x: t60;",
        "type p = { a, b: int }; const m: [p]p; const x: p; axiom " + "m[" * 60 + "x" + "]" * 60 + " == x;",
    ],
    ids=["unique", "argument", "polymorphic", "many fields", "many parts"],
)  # fmt: skip
def test_what_is_not_modelled_is_refused(text: str) -> None:
    with pytest.raises(Unsupported):
        check(parse_text(text, "a.bpl"))


@at_any_depth
def test_depth_is_not_bounded_by_the_stack() -> None:
    many = " + ".join(["p!x"] * 10_000)
    deep = "(" * 10_000 + "p!y" + ")" * 10_000
    check(parse_text(f"const p: {{ x: int, y: bool }}; axiom {many} > 0 && {deep};", "a.bpl"))
