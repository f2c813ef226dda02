"""Assumptions and contracts that are generated: written into the program, it is safe with them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from revet.analyses.assumptions import Assumption, generate_assumption
from revet.analyses.generated_contracts import generate_contract
from revet.api import check

ROOT = Path(__file__).parents[2]


def written(folder: Path, text: str) -> Path:
    path = folder / "test.lus"
    path.write_text(text)
    return path


def assumption(folder: Path, text: str) -> Assumption:
    return generate_assumption(written(folder, text), timeout=120)


NEEDS = {
    "now": """
node n(x, y: int; b: bool) returns (z: int);
con{} guarantee "low" z <= 10; noc
let z = if b then x + y else 0; tel
""",
    "state": """
node n(x: int) returns (s: int);
con{} guarantee "up" s >= (0 -> pre s); noc
let s = x + (0 -> pre s); tel
""",
    "reals in a record": """
type pair = struct {{ a: real; b: bool }};
node n(p: pair) returns (s: real);
con{} guarantee "positive" s > 0.0; noc
let s = if p.b then p.a else 1.0; tel
""",
}


@pytest.mark.parametrize("name", NEEDS)
def test_the_program_is_safe_with_what_was_found(name: str, tmp_path: Path) -> None:
    found = assumption(tmp_path, NEEDS[name].format(""))
    assert found.clauses and not found.reason, found
    path = written(tmp_path, NEEDS[name].format("".join(f" assume {c};" for c in found.clauses)))
    assert check(path, timeout=120).status == "safe", path.read_text()


def test_no_more_than_needed(tmp_path: Path) -> None:
    """The weakest assumption about a single instant is that the second operand is not zero."""
    found = assumption(tmp_path, """
node n(x, y: int) returns (z: bool);
con guarantee "ok" z; noc
let z = y <> 0; tel
""")
    assert found.clauses == ("not (y = 0)",)


@pytest.mark.parametrize(("body", "reason"), [
    ("z = x > 0 -> pre z;", "to blame"),  # decided long before it fails
    ("z = false;", "to blame"),
])
def test_where_there_is_none(body: str, reason: str, tmp_path: Path) -> None:
    found = assumption(tmp_path, f"""
node n(x: int) returns (z: bool);
con guarantee "ok" true -> z; noc
let {body} tel
""")
    assert not found.clauses and reason in found.reason, found


def test_nothing_to_assume(tmp_path: Path) -> None:
    found = assumption(tmp_path, "node n(x: bool) returns (y: bool);\nlet y = x; check y = x; tel\n")
    assert found.properties == () and "nothing is to be assumed" in found.reason


def test_a_generated_contract_is_kept(tmp_path: Path) -> None:
    body = """
node limit(x: int) returns (y: int; up: bool);
{}
let y = if x > 10 then 10 else if x < 0 then 0 else x; up = y > (0 -> pre y); tel
"""
    found = generate_contract(written(tmp_path, body.format("")), timeout=120)
    assert {"y <= 10", "0 <= y"} <= set(found.guarantees)
    used = "(*@contract import limit_spec(x) returns (y, up); *)"
    assert used in found.text
    path = written(tmp_path, found.text + body.format(used))
    assert check(path, timeout=120).status == "safe", path.read_text()


def test_commands(tmp_path: Path) -> None:
    example = ROOT / "examples" / "lustre" / "arbiter.lus"

    def revet(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "revet", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    page = tmp_path / "page.html"
    done = revet("assumptions", example, "--json", "--html", page)
    assert done.returncode == 0 and json.loads(done.stdout)["properties"] == ["first", "second"]
    assert "<pre>assume not (" in page.read_text()
    done = revet("generate-contract", ROOT / "examples" / "lustre" / "watch.lus", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["guarantees"] == ["0 <= count"]
    assert revet("assumptions", "README.md").returncode == 2
