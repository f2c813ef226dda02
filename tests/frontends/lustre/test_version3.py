"""The language of KIND 2's version 3: what each construct means, by verdicts on small programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.api import check
from revet.errors import InputError
from revet.frontends import load


def verdicts(folder: Path, text: str, engine: str = "kind") -> dict[str, str]:
    path = folder / "test.lus"
    path.write_text(text)
    program = load([path])
    return {n: check(program, engine=engine, property=n, timeout=60).status for n in program.property_names}


SAFE_AND_UNSAFE = {
    "every unguarded pre is any value of its own": """
        node main(x: bool) returns ();
        let
          check "bad" pre x = pre x;
          check "good" true -> (pre x = pre x);
        tel""",
    "a restart makes it any value again": """
        node last(x: int) returns (y: int); let y = pre x; tel
        node main(r: bool; x: int) returns ();
        var a: int;
        let
          a = (restart last every r)(x);
          check "good" true -> (not r => a = pre x);
          check "bad" true -> a = pre x;
        tel""",
    "imported functions are functions": """
        function imported f(x: int) returns (y: int);
        node imported g(x: int) returns (y: int);
        node main(x: int) returns (z: int);
        con guarantee "good" z = f(x); noc
        let
          z = f(x);
          check "good too" true -> (x = pre x => f(x) = pre f(x));
          check "bad" g(x) = g(x);
        tel""",
    "choose is a function, any is not": """
        node main(x: int) returns ();
        var a, b: int;
        let
          a = choose { v: int | v > x };
          b = any { v: int | v > x };
          check "good" a > x and b > x;
          check "good 2" true -> (x = pre x => a = pre a);
          check "bad" true -> (x = pre x => b = pre b);
        tel""",
    "the default of activate is that of the first instant": """
        node id(x: int) returns (y: int); let y = x; tel
        node main(c: bool; d: int) returns ();
        var a, first: int;
        let
          first = d -> pre first;
          a = (activate id every c initial default d)(7);
          check "good" a = 7 or a = first;
          check "bad" a = 7 or a = d;
        tel""",
    "of an opaque node callers see the contract alone, of a transparent one the body": """
        opaque node more(x: int) returns (y: int);
        con guarantee "good" y > x; noc
        let y = x + 1; tel
        opaque function up(x: int) returns (y: int);
        con guarantee "good" y > x; noc
        let y = x + 1; check "good own" y = x + 1; tel
        transparent node next(x: int) returns (y: int);
        con guarantee "good" y > x; noc
        let y = x + 1; tel
        node main(x: int) returns ();
        let
          check "good" more(x) > x and up(x) > x and up(x) = up(x) and next(x) = x + 1;
          check "bad" more(x) = x + 1;
          check "bad 2" more(x) = more(x);
          check "bad 3" up(x) = x + 1;
        tel""",
    "the type of a constructor's field may come from the others": """
        datatype List<T> = Nil | Cons (head: T, tail: List<T>);
        node main(x: int) returns ();
        var l: List<int>;
        let
          l = Cons(x, Cons(1, Nil));
          check "good" Cons?(l) and then l.head = x;
          check "bad" l = Cons(1, Cons(x, Nil));
        tel""",
    "parameters and arrays of any size": """
        const N: subrange [1, *] of int;
        node main(x: int) returns (a: int^N);
        let
          a[i] = if i = 0 then x else a[i - 1] + 1;
          check "good" a[0] = x;
          check "good 2" N > 1 => a[1] = x + 1;
          check "bad" x > 0;
        tel""",
    "sets and maps": """
        node main(s: set<int>; x, y: int) returns (m: map<int, int>);
        let
          m = (map[]@<int, int> -> pre m)[x := y];
          check "good" x in m and m[x] = y;
          check "good 2" (s + { x }) - { x } = s - { x };
          check "bad" s - { x } = s;
        tel""",
    "datatypes": """
        datatype Tree = Leaf | Fork (left: Tree, value: int, right: Tree);
        datatype Option<T> = None | Some (it: T);
        node main(t: Tree; x: int) returns (o: Option<int>);
        let
          o = match t with | Fork (Leaf, v, _) : Some(v) | _ : None end;
          check "bad" o <> Some(3);
        tel""",
    "datatypes contain nothing that contains them": """
        datatype Tree = Leaf | Fork (left: Tree, value: int, right: Tree);
        node main(t: Tree; x: int) returns ();
        let
          check "good" t <> Fork(t, x, Leaf);
          check "good 2" Fork(t, x, t) = Fork(t, 1, t) => x = 1;
          check "bad" x <> 1;
        tel""",
    "nor do two that contain each other, or tuples, arrays and sets": """
        datatype Tree = Leaf | Fork (kids: Trees) | Pair (two: [Tree, int], row: Tree^2, marks: set<int>);
        datatype Trees = Empty | More (first: Tree, rest: Trees);
        node main(t: Tree; f: Trees; s: set<int>) returns ();
        let
          check "good" t <> Fork(More(t, f));
          check "good 2" t <> Pair('(t, 1), [Leaf, Leaf], s) and t <> Pair('(Leaf, 1), [Leaf, t], s);
          check "bad" t <> Pair('(Leaf, 1), [Leaf, Leaf], s);
        tel""",
    "what is matched is evaluated at every instant": """
        datatype Option = None | Some (it: int);
        node before(x, first: Option) returns (y: Option); let y = first -> pre x; tel
        node main(a: Option; x: int) returns (o: int);
        let
          o = match before(Some(3), a) with | Some(v) : v | None : 0 end;
          check "good" true -> o = 3;
          check "bad" o = 3;
        tel""",
    "frames and lazy branches": """
        node main(c: bool) returns (n: int);
        let
          frame (n) n = 0; let when c then n = last n + 1; end tel
          check "good" n >= 0;
          check "bad" n < 3;
        tel""",
    "refinements are owed and assumed": """
        type Even = subtype { n: int | n mod 2 = 0 };
        node half(x: Even) returns (y: int); let y = x div 2; check "good" 2 * y = x; tel
        node main(x: Even; z: int) returns (good: Even; bad: Even);
        let good = x + 2; bad = z + 0 * half(x); tel""",
    "quantifiers": """
        node main(a: int^4; s: set<int>) returns ();
        let
          check "good" (forall (i: int | 0 <= i and i < 4) a[i] > 0) => a[2] > 0;
          check "bad" forall (i: int) i in s => i > 0;
        tel""",
    "machine integers of any width": """
        node main(x: uint<4>; y: sint<5>) returns ();
        let
          check "good" (x ++ x)[3:0] = x;
          check "good 2" (x && (uint@<4> 7)) <= uint@<4> 7;
          check "bad" y + (sint@<5> 1) > y;
        tel""",
    "bodies refer to modes": """
        contract spec(x: int) returns (y: int); let mode up (require x > 0; ensure "good" y > 0;); tel
        node main(x: int) returns (y: int);
        con mode down (require x <= 0;); import spec(x) returns (y); noc
        let
          y = x;
          check "good" ::spec::up => y > 0;
          check "bad" ::down => y < 0;
        tel""",
    "a conversion without parentheses goes as far as types allow": """
        node main(a, b: int; x: int8) returns (z: int8);
        let
          z = int8 0 -> if pre z > int8 100 then int8 0 else int8 1 + pre z;
          check "good" (int8 a + b) = int8 (a + b);
          check "good 2" int8 3 * int8 4 + int8 1 = int8 13;
          check "good 3" z >= int8 0 and z <= int8 101;
          check "bad" x = int8 -128 => x > int8 0;
        tel""",
}


def test_modes_cover_what_the_contract_allows_whatever_the_body_does(tmp_path: Path) -> None:
    text = """
    node main(x: bool) returns (y: int);
    con
      var before: int = 0 -> pre y;
      mode low (require before <= 1; ensure y <= CEILING;);
    noc
    let y = 0; tel"""
    name = "the contract of main: one mode is active"
    assert verdicts(tmp_path, text.replace("CEILING", "1"))[name] == "safe"
    found = verdicts(tmp_path, text.replace("CEILING", "2"))
    assert found.pop(name) == "unsafe" and set(found.values()) == {"safe"}


def test_an_imported_node_on_its_own_has_modes_that_cover_all_cases(tmp_path: Path) -> None:
    text = "node imported n(x: int) returns (y: int); con mode a (require x > 0; ensure y > 0;); %s noc"
    assert verdicts(tmp_path, text % "")["one mode is active"] == "unsafe"
    found = verdicts(tmp_path, text % "mode b (require x < 1;);")
    assert found == dict.fromkeys(["one mode is active", "a is reachable", "b is reachable"], "safe")


@pytest.mark.parametrize("what", SAFE_AND_UNSAFE)
def test_good_is_safe_and_bad_is_unsafe(tmp_path: Path, what: str) -> None:
    found = verdicts(tmp_path, SAFE_AND_UNSAFE[what])
    assert found and "bad" in "".join(found), found
    for name, status in found.items():
        assert status == ("unsafe" if "bad" in name else "safe"), f"{what}: {found}"


def test_what_is_to_be_reached(tmp_path: Path) -> None:
    text = """
    node main() returns (n: int);
    let
      n = 0 -> pre n + 1;
      check reachable "good" n = 4 from 3 within 5;
      check reachable "bad" n = 4 within 3;
      check "bad 2" n < 2;
    tel"""
    assert verdicts(tmp_path, text) == {"good": "safe", "bad": "unsafe", "bad 2": "unsafe"}
    text = "node main(x: int) returns (); let check reachable x = 3; tel"
    (tmp_path / "test.lus").write_text(text)
    assert check(tmp_path / "test.lus", engine="kind", timeout=60).status == "safe"


def test_every_top_node_is_analysed_and_none_stops_another(tmp_path: Path) -> None:
    text = """
    node stuck(x: int) returns (); let assert x > 0 and x < 0; check "anything" false; tel
    node other(x: int) returns (); let check "bad" x < 3; tel
    """
    assert verdicts(tmp_path, text) == {"stuck: anything": "safe", "other: bad": "unsafe"}


def test_what_may_be_anything_is_said(tmp_path: Path) -> None:
    path = tmp_path / "test.lus"
    path.write_text("node main(x: int) returns (y, z: int); let y = pre x; check y = y; tel")
    assert load([path]).assumptions == (
        f"{path}:1:31: z has no definition: any value",
        f"{path}:1:48: this pre has no value at the first instant: any value is taken there",
    )


REFUSED = {
    "function f(x: int) returns (y: int); let y = pre x; tel": "'pre' in function f",
    "function f(x: int) returns (y: int); let y = n(x); tel\nnode n(x: int) returns (y: int); let y = x; tel":
        "a call of node n in function f",
    "node n(x: int) returns (y: int); con assume y > 0; noc let y = x; tel":
        "an assumption depends on the output y",
    "contract c(a: int) returns (b: int); let guarantee b > a; tel\nnode n(x: int) returns (y: int);"
    "con import c(y) returns (y); noc let y = x; tel": "an input of a contract depends on the output y",
    "node n() returns (y: int); let frame (y) y = 0 -> 1; let tel tel": "no pre and no -> in it",
    "datatype D = A | B (m: map<int, int>, d: D); node n(d: D) returns (); let check d = d; tel":
        "which contains itself and maps",
    "datatype D = A | B; node n(d: D) returns (y: int); let y = match d with | A : 1 end; tel":
        "do not cover every value",
    "node n(x, y: uint8) returns (z: uint8); let z = x lsh y; tel": "a constant number of bits",
    "opaque node n(x: int) returns (y: int); let y = x; tel": "is opaque and has no contract",
    "transparent node imported n(x: int) returns (y: int);": "is transparent and has no body",
    "type t = struct { a: u }; type u = struct { b: t };": "contains itself",
    "function rec f(n: int) returns (y: int); let y = f(n); tel": "what 'decreases'",
    "node n(x: int) returns (y: int); let if x > 0 then y = 1; fi tel": "not defined in every branch",
    "node n<T>(x, y: T) returns (z: T); let z = x + y; tel": "'+' takes numbers",
}


@pytest.mark.parametrize("text", REFUSED)
def test_errors_have_a_place(tmp_path: Path, text: str) -> None:
    path = tmp_path / "test.lus"
    path.write_text(text)
    with pytest.raises(InputError, match=r"test\.lus:\d+:\d+: ") as caught:
        load([path])
    assert REFUSED[text] in str(caught.value)
