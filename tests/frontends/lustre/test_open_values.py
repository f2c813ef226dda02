"""What a program leaves open is any value; what it owes inside a quantifier is owed; files include others."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.api import check
from revet.errors import InputError
from revet.frontends import load
from revet.frontends.lustre import read

SAFE_AND_UNSAFE = {
    "an activated call without a default is any one value until it is activated": """
        node sum(x: int) returns (y: int); let y = x + (0 -> pre y); tel
        node main(c: bool; x: int) returns ();
        var a, b: int; active: bool;
        let
          a = (activate sum every c)(x);
          b = (activate sum every c initial default 0)(x);
          active = c -> c or pre active;
          check "good" active => a = b;
          check "good 2" true -> (not c => a = pre a);
          check "bad" a = b;
        tel""",
    "last of a variable that is defined outside of the frame": """
        node main(m: bool) returns ();
        var x, z: int;
        let
          z = 3 -> pre z + 1;
          frame (x) x = 7; let when m then x = last z; end tel
          check "good" true -> x = (if m then pre z else pre x);
          check "bad" x = 7 or x >= 3;
        tel""",
    "by zero: any value, the same for the same dividend": """
        node main(x, y: int; u, v: real) returns ();
        let
          check "good" true -> (x = pre x and y = pre y => x div y = pre (x div y));
          check "good 2" y > 0 => x mod y < y;
          check "bad" y = 0 => x div y = 0;
          check "bad 2" y = 0 => x mod y = x;
          check "bad 3" v = 0.0 => u / v = 0.0;
        tel""",
    "an abstract type may have one value": """
        type T;
        node main(x, y: T; one: bool) returns ();
        con assume one => forall (v, w: T) v = w; noc
        let
          check "good" one => x = y;
          check "good 2" exists (v: T) v = x;
          check "bad" exists (v, w: T) v <> w;
        tel""",
    "an abstract type may have many": """
        type T;
        node main(x: T) returns ();
        let
          check "bad" forall (v: T) v = x;
        tel""",
    "what a function leaves open is a function of its inputs": """
        function part(x: int) returns (y, z: int);
        var open: int;
        let y = open + x; tel
        node main(a, b: int) returns ();
        var p, q, r, s: int;
        let
          (p, q) = part(a);
          (r, s) = part(b);
          check "good" a = b => p = r and q = s;
          check "good 2" true -> (a = pre b => q = pre s);
          check "bad" p = r;
          check "bad 2" q = s;
        tel""",
    "functions of sets and maps": """
        function imported size(s: set<int>; m: map<int, int>) returns (n: int);
        node main(v: int; s: set<int>; m: map<int, int>) returns ();
        let
          check "good" size(s + { v }, m) = size({ v } + s, m);
          check "good 2" not (1 in m) => size(s, m) = size(s, (m[1 := v]) - { 1 });
          check "bad" size(s, m) = size(s + { v }, m);
          check "bad 2" size(s, m) = size(s, m[1 := v]);
        tel""",
    "what a node leaves open is not": """
        node part(x: int) returns (y: int);
        let tel
        node main(a: int) returns ();
        let check "bad" part(a) = part(a); tel""",
}


@pytest.mark.parametrize("name", SAFE_AND_UNSAFE)
def test_values_that_are_open(name: str, tmp_path: Path) -> None:
    found = verdicts(tmp_path, SAFE_AND_UNSAFE[name])
    assert found == {n: "safe" if n.startswith("good") else "unsafe" for n in found}


def verdicts(folder: Path, text: str, engine: str = "kind") -> dict[str, str]:
    path = folder / "test.lus"
    path.write_text(text)
    program = load([path])
    return {n: check(program, engine=engine, property=n, timeout=60).status for n in program.property_names}


def test_quantifiers_of_other_properties_do_not_hide_a_violation(tmp_path: Path) -> None:
    path = tmp_path / "test.lus"
    path.write_text("""
        const N: int;
        node main(a: int^N; s: set<[int, bool]>; k: int) returns ();
        con assume N > 2 and k >= 0 and k < N; noc
        var b: int^N; t: set<[int, bool]>;
        let
          b[j] = if j = k then 5 else a[j];
          t = s + { '(k, false) };
          check "good" forall (e: [int, bool]) e in s => e in t;
          check "bad" b[0] = a[0];
        tel""")
    assert check(load([path]), property="bad", timeout=60).status == "unsafe"


def test_a_run_with_two_results_for_a_set_is_no_violation(tmp_path: Path) -> None:
    """That results agree at different instants is left open in the model, and asked of its runs."""
    text = """
        function imported size(s: set<int>) returns (n: int);
        node main(s: set<int>) returns ();
        let check "good" true -> (s = pre s => size(s) = pre size(s)); tel"""
    assert verdicts(tmp_path, text) == {"good": "unknown"}


def test_an_assumption_is_owed_by_a_call_in_a_property(tmp_path: Path) -> None:
    text = """
        function half(x: int) returns (y: int);
        con assume "even" x mod 2 = 0; noc
        let y = x div 2; tel
        node main(x: int) returns ();
        let check "p" half(x) = half(x); tel"""
    assert verdicts(tmp_path, text) == {
        "p": "safe", "half.assumption even": "unsafe", "half[1].assumption even": "unsafe",
    }


def test_what_is_owed_inside_a_quantifier_is_asked(tmp_path: Path) -> None:
    text = """
        datatype Option = None | Some (val: int);
        type Nat = subtype { x: int | x >= 0 };
        node main(o: Option; n: int) returns ();
        let
          check "a" forall (i: int | 0 <= i and i < 3) (i - 1 : Nat) < 3;
          check "b" forall (i: int) i >= 0 ==> (i + 1 : Nat) > i;
          check "c" forall (i: int) Some?(o) ==> o.val + i = i + o.val;
          check "d" forall (i: int) Some?(o) => o.val + i = i + o.val;
        tel"""
    found = verdicts(tmp_path, text)
    assert {n for n, status in found.items() if status == "unsafe"} == {
        "type at 6:56", "Some at 9:50", "Some at 9:66",
    }
    assert set(found.values()) == {"safe", "unsafe"}


def test_a_violation_with_an_array_of_any_size_has_few_elements(tmp_path: Path) -> None:
    """Written out for small sizes, where the solver finds no model with quantifiers."""
    path = tmp_path / "test.lus"
    path.write_text("""
        node count(const n: int; b: bool^n) returns (c: int);
        var a: int^n;
        let
          a[i] = (if i = 0 then 0 else a[i - 1]) + (if b[i] then 1 else 0);
          c = a[n - 1];
        tel
        node main(const n: int; ask, turn: bool^n) returns (got: bool^n);
        con
          assume n > 0;
          guarantee "fair" true -> forall (i: int) 0 <= i and i < n =>
            (pre ask[i] and not pre got[i] => got[i]);
        noc
        let
          got[i] = ask[i] and (turn[i] or count(n, ask) = 1);
        tel""")
    answer = check(path, timeout=60)
    assert answer.status == "unsafe"


def test_two_steps_back_may_be_needed_for_an_array(tmp_path: Path) -> None:
    text = """
        node main(const n: int; s: int) returns (ok: bool^n);
        var a: int^n;
        let
          a[i] = if i = 0 then s else (-1 -> pre a[i - 1]);
          ok[i] = a[i] = -1 or a[i] = s or (false -> pre ok[i]);
          check "good" forall (i: int) 0 <= i and i < n => ok[i];
        tel"""
    assert verdicts(tmp_path, text) == {"good": "safe"}


def test_a_file_includes_others_once(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.lus").write_text(
        'include "b.lus"\nnode up(x: int) returns (y: int); let y = x + one; tel\n'
    )
    (tmp_path / "more" / "b.lus").write_text("const one: int = 1;\n")
    main = tmp_path / "main.lus"
    main.write_text(
        'include "more/a.lus" include "more/b.lus"\nnode main(x: int) returns (); let check up(x) > x; tel\n'
    )
    assert check(main, timeout=60).status == "safe"
    (tmp_path / "more" / "b.lus").write_text("const one: int = true;\n")
    with pytest.raises(InputError) as caught:
        read(main)
    assert caught.value.position is not None and caught.value.position.file.endswith("more/b.lus")
    assert caught.value.source_line == "const one: int = true;"


def test_a_file_that_is_not_there_cannot_be_included(tmp_path: Path) -> None:
    main = tmp_path / "main.lus"
    main.write_text('include "nowhere.lus"\n')
    with pytest.raises(InputError, match=r"there is no file .*nowhere\.lus to include"):
        read(main)
