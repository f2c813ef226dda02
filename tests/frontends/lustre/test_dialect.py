"""KIND 2's dialect beyond nodes: clocks, contracts, records, arrays, subranges."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from revet.api import check
from revet.errors import InputError, Unsupported
from revet.frontends import load
from revet.frontends.lustre import read
from revet.frontends.lustre.interpret import run
from revet.report.data import answer_data


def written(folder: Path, text: str) -> Path:
    path = folder / "test.lus"
    path.write_text(text)
    return path


def streams(folder: Path, text: str, **inputs: list[Any]) -> dict[str, list[Any]]:
    steps = len(next(iter(inputs.values())))
    program = read(written(folder, text), "main")
    rows = run(program, [{n: v[t] for n, v in inputs.items()} for t in range(steps)])
    return {name: [row[name] for row in rows] for name in rows[0]}


def verdicts(folder: Path, text: str, engine: str = "pdr-ia") -> dict[str, str]:
    program = load([written(folder, text)])
    return {
        name: check(program, engine=engine, property=name, timeout=30).status
        for name in program.property_names
    }


COUNTER = "node count(up: bool) returns (n: int); let n = (if up then 1 else 0) + (0 -> pre n); tel\n"
C = [False, True, True, False, True, False]


def test_activate_holds_its_outputs(tmp_path: Path) -> None:
    text = COUNTER + """
    node main(c, up: bool) returns (n: int);
    let n = (activate count every c initial default -1)(up); tel"""
    found = streams(tmp_path, text, c=C, up=[True, True, False, True, True, True])
    assert found["n"] == [-1, 1, 1, 1, 2, 2]
    text = COUNTER + "node main(c: bool) returns (n: int); let n = condact(c, count(true), 0); tel"
    assert streams(tmp_path, text, c=C)["n"] == [0, 1, 2, 2, 3, 3]


def test_restart_begins_anew(tmp_path: Path) -> None:
    text = COUNTER + "node main(c: bool) returns (n: int); let n = (restart count every c)(true); tel"
    assert streams(tmp_path, text, c=C)["n"] == [1, 1, 1, 2, 1, 2]


def test_clocks_nest(tmp_path: Path) -> None:
    """A restart that comes while the inner node stands still is remembered."""
    text = COUNTER + """
    node inner(c: bool) returns (n: int);
    let n = (activate count every c initial default 0)(true); tel
    node main(c, r: bool) returns (n: int); let n = (restart inner every r)(c); tel"""
    r = [False, False, False, True, False, False]
    assert streams(tmp_path, text, c=C, r=r)["n"] == [0, 1, 2, 0, 1, 1]


def test_merge(tmp_path: Path) -> None:
    text = COUNTER + """
    node down(x: int) returns (n: int); let n = x -> pre n - 1; tel
    node main(c: bool; x: int) returns (n, m: int);
    let
      n = merge(c; (activate count every c)(true); (activate down every not c)(x));
      m = merge c (true -> x when c) (false -> (0 -> pre m) when not c);
    tel"""
    found = streams(tmp_path, text, c=C, x=[10, 20, 30, 40, 50, 60])
    assert found["n"] == [10, 1, 2, 9, 3, 8]
    assert found["m"] == [0, 20, 30, 30, 50, 50]


def test_merge_over_an_enumeration(tmp_path: Path) -> None:
    text = """
    type light = enum { red, green, off };
    node main(l: light) returns (n: int);
    let n = merge l (green -> 2 when green(l)) (red -> 1 when red(l)) (off -> 0); tel"""
    assert streams(tmp_path, text, l=[0, 1, 2])["n"] == [1, 2, 0]


def test_records_and_arrays(tmp_path: Path) -> None:
    text = """
    const size = 3;
    type point = struct { x: int; y: int };
    type path = point ^ size;
    node shift(p: path; q: point) returns (s: path; last: point);
    let s = [q, p[0], p[1]]; last = p[size - 1]; tel
    node main(a: int; i: int) returns (r: path; e: point; same: bool; n: int);
    var p: point;
    let
      p = point { x = a; y = -a };
      (r, e) = shift(point { x = 0; y = 0 } ^ size -> pre r, p);
      same = r[0] = p;
      n = r[i].x + e.y;
    tel"""
    found = streams(tmp_path, text, a=[1, 2, 3, 4, 5], i=[0, 0, 1, 2, 0])
    assert [r[0][0] for r in found["r"]] == [1, 2, 3, 4, 5]
    assert [r[2][1] for r in found["r"]] == [0, 0, -1, -2, -3]
    assert all(found["same"]) and found["n"] == [1, 2, 2, 1, 3]


def test_an_index_beyond_the_bounds_is_any_value(tmp_path: Path) -> None:
    text = """
    node main(i: int) returns (a: int ^ 2; ok, sure: bool);
    let
      a = [1, 2];
      ok = a[i] > 0;
      sure = 0 <= i and i < 2 => a[i] > 0;
      --%PROPERTY ok;
      --%PROPERTY sure;
    tel"""
    assert verdicts(tmp_path, text) == {"ok": "unsafe", "sure": "safe"}


def test_contract_of_the_main_node(tmp_path: Path) -> None:
    text = """
    node main(x: int) returns (y: int);
    (*@contract
      var sum: int = x + (0 -> pre sum);
      assume x >= 0;
      guarantee "positive" y >= 0;
      guarantee "sum" y = sum;
      guarantee "wrong" y < 5;
      mode small ( require x < 2; ensure "slow" y <= (0 -> pre y) + 1; );
      mode big ( require x > 2; ensure y > 2; );
    *)
    let y = x -> pre y + x; tel"""
    found = verdicts(tmp_path, text)
    assert found.pop("one mode is active") == "unsafe"  # x = 2 is in none
    assert found.pop("wrong") == "unsafe"
    assert found["small is reachable"] == "safe"
    assert len(found) == 6 and set(found.values()) == {"safe"}


def test_the_modes_of_imported_contracts_cover_all_cases_together(tmp_path: Path) -> None:
    text = """
    contract above(x: int) returns (y: int);
    let mode up ( require x > 0; ensure y > 0; ); tel
    node main(x: int) returns (y: int);
    (*@contract import above(x) returns (y); mode down ( require x <= 0; ensure y <= 0; ); *)
    let y = x; tel"""
    found = verdicts(tmp_path, text)
    assert set(found.values()) == {"safe"} and "one mode is active" in found
    assert verdicts(tmp_path, text.replace("x <= 0", "x < 0"))["one mode is active"] == "unsafe"


def test_callers_owe_the_assumptions(tmp_path: Path) -> None:
    text = """
    node root(x: int) returns (y: int);
    (*@contract assume "not negative" x >= 0; guarantee "half" 2 * y <= x; *)
    let y = x div 2; tel
    node main(a: int) returns (u, v: int);
    let u = root(if a < 0 then -a else a); v = root(a); --%PROPERTY u >= 0;
    tel"""
    found = verdicts(tmp_path, text)
    assert found["root[1].assumption not negative"] == "unsafe"
    assert found["root.assumption not negative"] == "safe"
    assert found["root.half"] == "safe" and found["root[1].half"] == "safe"


def test_imported_nodes_and_contract_nodes(tmp_path: Path) -> None:
    text = """
    contract steady(i: int) returns (o: int);
    let var low: int = 0; assume i > low; guarantee "above" o >= i; tel
    node imported device(x: int) returns (y: int);
    (*@contract import steady(x) returns (y); *)
    node main(a: int) returns (y: int; ok: bool);
    let
      y = device(if a > 0 then a else 1);
      ok = y >= 1;
      --%PROPERTY ok;
      --%PROPERTY "exact" y = a;
    tel"""
    found = verdicts(tmp_path, text)
    assert found["exact"] == "unsafe"
    assert found["ok"] == "safe" and found["device.assumption steady.assume of line 3"] == "safe"
    assert load([written(tmp_path, text)]).assumptions == ("imported node device keeps its contract",)


def test_subranges_are_properties_of_their_own(tmp_path: Path) -> None:
    text = """
    type digit = subrange [0, 9] of int;
    node next(d: digit) returns (e: digit); let e = if d = 9 then 0 else d + 1; tel
    node main(x: subrange [0, 5] of int) returns (a: digit; b: subrange [0, 3] of int);
    let a = 0 -> pre next(a); b = x; tel"""
    found = verdicts(tmp_path, text)
    assert found["range of a"] == "safe" and found["range of b"] == "unsafe"
    assert found["next.assumption range of d"] == "safe" and found["next.range of e"] == "safe"


REFUSED = {
    "node n(x: int) returns (y: int);\n(*@contract guarantee n(x) = y; *) let y = x; tel": "calls itself",
    "node n(c: bool; x: int) returns (y: int); let y = x when c; tel": "inside 'merge' only",
    "node n(c, d: bool) returns (y: int); let y = merge(c; 1 when d; 2); tel": "on another clock",
    "const a = [1, 2]; const b = a[2]; node n() returns (y: int); let y = b; tel": "beyond an array of 2",
    "type r = struct { a: int }; node n(x: r) returns (y: int); let y = x.b; tel": "has no field b",
    "node n(k: int; a: int^k) returns (y: int); let y = 1; tel": "the size of an array is constant, k is not",
    "node n(a: int) returns (y: int);\n(*@contract import c(a) returns (y); *) let y = a; tel":
        "there is no contract c",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused_is_said_where(tmp_path: Path, text: str) -> None:
    with pytest.raises((InputError, Unsupported), match=r"test\.lus:\d+:\d+: ") as caught:
        read(written(tmp_path, text))
    assert REFUSED[text] in str(caught.value)


def test_ten_thousand_equations(tmp_path: Path) -> None:
    count = 10_000
    names = ", ".join(f"x{n}" for n in range(count))
    equations = "\n".join(
        f"x{n} = {n % 7} -> if x{n - n % 20} > pre x{n - 1} then pre x{n} + {n % 7} else x{n - n % 20};"
        if n % 20 else f"x{n} = {n} -> pre x{n} + 1;"
        for n in range(count)
    )
    last = f"ok = x{count - 1} >= 0;\n--%PROPERTY ok;\ntel\n"
    text = f"node main() returns (ok: bool);\nvar {names}: int;\nlet\n{equations}\n{last}"
    start = time.process_time()
    program = load([written(tmp_path, text)])
    assert len(program.model.variables) == count + 2
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "link", ["held(x{0})", "x{0} + (0 -> pre x{0})", "x{0} * y", "x{0} - (if y > {0} then y else 1)"]
)
def test_a_chain_of_ten_thousand_equations_within_one_instant(tmp_path: Path, link: str) -> None:
    count = 10_000
    names = ", ".join(f"x{n}" for n in range(count))
    equations = "\n".join(f"x{n} = {link.format(n - 1)};" for n in range(1, count))
    text = (
        "node held(u: int) returns (v: int); let v = u -> pre v + u; tel\n"
        f"node main(y: int) returns (ok: bool);\nvar {names}: int;\nlet\nx0 = y;\n{equations}\n"
        f"ok = x{count - 1} >= 0;\n--%PROPERTY ok;\ntel\n"
    )
    start = time.process_time()
    program = load([written(tmp_path, text)])
    assert list(program.model.properties) == ["ok"]
    assert time.process_time() - start < 20  # a walk over all that is below each equation took 70


def test_json_has_the_streams_as_the_source_writes_them(tmp_path: Path) -> None:
    text = """
    type light = enum { red, green };
    node main(a: bool) returns (m: int8; l: light);
    let
      m = int8(120) -> pre m + int8(5);
      l = if m > int8(120) then green else red;
      --%PROPERTY "positive" m > int8(0);
    tel"""
    trace = answer_data(check(load([written(tmp_path, text)]), engine="bmc"))["trace"]
    assert trace["violated"] == "positive"
    assert trace["streams"]["outputs"] == {"m": ["120", "125", "-126"], "l": ["red", "green", "red"]}
    assert len(trace["streams"]["inputs"]["a"]) == 3
