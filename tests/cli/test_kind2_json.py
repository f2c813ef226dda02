"""``--kind2-json``: the objects of KIND 2's schema, for every kind of property."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PROGRAM = """
type color = enum { red, green };
type pair = struct { c: color; r: real };
node imported limit(x: int) returns (y: int);
(*@contract assume "low" x >= 0; guarantee y >= 0; *)
node half(x: int) returns (y: int);
let y = x div 2; tel
node main(x: subrange [0, 9] of int; p: pair) returns (y: int; q: bool^2);
(*@contract
  guarantee "never" y < 3;
  mode big ( require x > 5; ensure "positive" y > 0; );
  mode small ( require x <= 5; );
*)
var z: int;
let
  z = half(x);
  y = limit(z) + 1;
  q = [x > 3, false];
  check "ok" z >= 0;
  check reachable "seven" x = 7;
tel
"""


def revet(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "revet", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_objects(tmp_path: Path) -> None:
    path = tmp_path / "test.lus"
    path.write_text(PROGRAM)
    done = revet("check", "--kind2-json", "-t", 200, path)
    data: list[dict[str, Any]] = json.loads(done.stdout)
    assert done.returncode == 1, done.stderr
    kinds = [one["objectType"] for one in data if one["objectType"] != "log"]
    count = kinds.count("property")
    assert kinds == ["kind2Options", "analysisStart", *["property"] * count, "analysisStop"]
    start = next(one for one in data if one["objectType"] == "analysisStart")
    assert start["top"] == "main" and start["concrete"] == ["half"] and start["abstract"] == ["limit"]
    found = {one["name"]: one for one in data if one["objectType"] == "property"}
    for one in found.values():
        assert {"name", "line", "column", "source", "answer", "runtime"} <= one.keys()
    answers = {name: (one["source"], one["answer"]["value"]) for name, one in found.items()}
    assert answers == {
        "ok": ("PropAnnot", "valid"),
        "seven": ("PropAnnot", "reachable"),
        "never": ("Guarantee", "falsifiable"),
        "big: positive": ("Ensure", "valid"),
        "one mode is active": ("OneModeActive", "valid"),
        "big is reachable": ("NonVacuityCheck", "reachable"),
        "small is reachable": ("NonVacuityCheck", "reachable"),
        "limit.assumption low": ("Assumption", "valid"),
    }
    (block,) = found["never"]["counterExample"]
    assert block["blockType"] == "node" and found["never"]["falseAt"] == 0
    streams = {stream["name"]: stream for stream in block["streams"]}
    assert list(streams) == ["x", "p.c", "p.r", "y", "q", "z"]
    assert streams["p.c"]["typeInfo"]["values"] == ["red", "green"] and streams["p.r"]["type"] == "real"
    assert streams["q"]["typeInfo"] == {"baseType": "bool", "sizes": [2]}
    assert streams["y"]["class"] == "output" and streams["y"]["instantValues"][0][1] >= 3
    assert "witness" in found["seven"] and found["seven"]["reachableAt"] == 0


def test_what_is_checked_beside_the_top_node_is_there(tmp_path: Path) -> None:
    path = tmp_path / "test.lus"
    path.write_text("""
        opaque function up(x: int) returns (y: int); con guarantee "more" y > x; noc let y = x + 1; tel
        node main(x: int) returns (y: int);
        con mode all (require 0 = (0 -> pre y);); noc
        let y = 0 * up(x); tel""")
    data = json.loads(revet("check", "--kind2-json", "-t", 200, path).stdout)
    answers = {one["name"]: one["answer"]["value"] for one in data if one["objectType"] == "property"}
    assert answers == {
        "all is reachable": "reachable", "one mode is active": "valid", "up: more": "valid",
        "the contract of main: one mode is active": "falsifiable",
    }
    assert [one["top"] for one in data if "top" in one] == ["main", "up", "the contract of main"]


def test_refusals(tmp_path: Path) -> None:
    path = tmp_path / "test.lus"
    path.write_text(PROGRAM)
    both = revet("check", "--json", "--kind2-json", path)
    assert both.returncode == 2 and "exclude each other" in both.stderr
    other = tmp_path / "test.spa"
    other.write_text("int x;\nassert(x == x);\n")
    assert revet("check", "--kind2-json", other).returncode == 2
