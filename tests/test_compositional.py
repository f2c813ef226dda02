"""Contracts node by node: what callers may rely on, and what is never said."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from revet.compositional import Part, check_contracts
from revet.errors import UsageError
from revet.frontends.lustre.components import components


def parts(folder: Path, text: str) -> dict[str, Part]:
    path = folder / "test.lus"
    path.write_text(text)
    found = check_contracts(path, engine="kind", timeout=60)
    assert [part.node for part in found] == components(path)
    return {part.node: part for part in found}


def revet(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "revet", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


LIMIT = """
node limit(x: int) returns (y: int);
(*@contract
  assume "not negative" x >= 0;
  guarantee "bounded" 0 <= y and y <= 10;
  mode small ( require x <= 10; ensure "same" y = x; );
  mode big ( require x > 10; );
*)
let y = if x > 10 then 10 else x; tel
"""
SUM = LIMIT + """
node sum(x: int) returns (s: int);
(*@contract assume x >= 0; guarantee "grows" s >= (0 -> pre s); *)
var l: int;
let l = limit(x); s = l -> pre s + l; tel
"""
MAIN = """
node main(a: int) returns (s, l: int);
let
  s = sum(if a < 0 then -a else a);
  l = (activate limit every a >= 0 initial default 0)(a);
  --%%PROPERTY "sum" s >= 0;
  --%%PROPERTY "limit" l <= 10;
  --%%PROPERTY "last" %s;
tel
"""


def test_callers_use_contracts(tmp_path: Path) -> None:
    found = parts(tmp_path, SUM + MAIN % "a >= 0 and a <= 10 => l = a")
    assert {name: part.contracts for name, part in found.items()} == {
        "limit": (), "sum": ("limit",), "main": ("limit", "sum"),
    }
    assert all(part.status == "safe" for part in found.values())
    assert list(found["limit"].answers) == ["bounded", "small: same", "one mode is active"]
    assert "limit.assumption not negative" in found["sum"].answers


def test_a_counterexample_against_contracts_is_no_answer(tmp_path: Path) -> None:
    """The contract of sum does not say that it adds at most 10 an instant; its body does."""
    found = parts(tmp_path, SUM + MAIN % "true -> s <= pre s + 10")
    assert found["sum"].contracts == ("limit",) and found["main"].contracts == ()  # it took the bodies
    assert found["main"].answers["last"].status == "safe" and found["main"].status == "safe"


def test_what_the_program_violates_is_found(tmp_path: Path) -> None:
    found = parts(tmp_path, SUM + MAIN % "s < 15")
    assert found["main"].status == "unsafe" and found["main"].contracts == ()
    answers = {name: answer.status for name, answer in found["main"].answers.items()}
    assert answers["last"] == "unsafe" and answers["sum"] == "safe" and answers["limit"] == "safe"


MODIFIERS = """
opaque node more(x: int) returns (y: int);
con guarantee y > x; noc
let y = x + 1; tel
transparent node next(x: int) returns (y: int);
con guarantee y > x; noc
let y = x + 1; tel
node main(x: int) returns ();
let
  check "body" next(x) = x + 1;
  check "contract" more(x) > x;
  check "not in the contract" more(x) = x + 1;
tel
"""


def test_modifiers_say_what_callers_see(tmp_path: Path) -> None:
    """An opaque node is never refined, a transparent one is never replaced by its contract."""
    main = parts(tmp_path, MODIFIERS)["main"]
    found = {name: answer.status for name, answer in main.answers.items()}
    assert found.pop("not in the contract") == "unsafe"
    assert set(found.values()) == {"safe"} and "next.guarantee of line 6" in found


BROKEN = """
node half(x: int) returns (y: int);
(*@contract guarantee "below" y <= x; *)
let y = x div 2; tel
node main(a: int) returns (y: int);
let y = half(%s); --%%PROPERTY y <= 100;
tel
"""


def test_a_broken_contract_is_not_used(tmp_path: Path) -> None:
    """half(-3) is -2: above. The first program never asks for that, the second does."""
    found = parts(tmp_path, BROKEN % "if a < 0 then 0 else if a > 200 then 200 else a")
    assert found["half"].status == "unsafe"
    assert found["main"].status == "safe" and found["main"].contracts == ()
    found = parts(tmp_path, BROKEN % "if a > 200 then 200 else a")
    answers = {name: answer.status for name, answer in found["main"].answers.items()}
    assert answers.pop("half.below") == "unsafe" and set(answers.values()) == {"safe"}


def test_an_assumption_that_a_caller_breaks(tmp_path: Path) -> None:
    text = LIMIT + "node main(a: int) returns (y: int); let y = limit(a); --%PROPERTY y >= 0;\ntel"
    found = parts(tmp_path, text)
    assert found["limit"].status == "safe" and found["main"].status == "unsafe"
    assert found["main"].answers["limit.assumption not negative"].status == "unsafe"


def test_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "sum.lus"
    path.write_text(SUM + MAIN % "s < 15")
    result = revet("check", "--compositional", "--engine", "kind", path)
    assert result.returncode == 1 and result.stdout.splitlines()[-1] == "verdict: unsafe"
    assert "node sum, with the contracts of limit: safe" in result.stdout
    assert "counterexample: property last is false" in result.stdout
    result = revet("check", "--compositional", "--engine", "kind", "--json", path)
    data = json.loads(result.stdout)
    assert [part["verdict"] for part in data] == ["safe", "safe", "unsafe"]
    assert data[1]["contracts"] == ["limit"] and data[1]["obligations"][0]["verdict"] == "safe"


def test_options_of_one_answer_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "sum.lus"
    path.write_text(SUM + MAIN % "true")
    result = revet("check", "--compositional", "--save", tmp_path / "s.json", path)
    assert result.returncode == 2 and "--save and --compositional exclude each other" in result.stderr


def test_other_languages_have_no_contracts(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Lustre"):
        check_contracts(tmp_path / "program.c")


def test_contracts_are_refined_step_by_step(tmp_path: Path) -> None:
    """What add does with small is needed; what small does is not: its contract is enough."""
    found = parts(tmp_path, """
node small(x: int) returns (y: int);
(*@contract guarantee "bounded" 0 <= y and y <= 10; *)
let y = if x > 10 then 10 else if x < 0 then 0 else x; tel
node add(x: int) returns (s: int);
(*@contract guarantee "grows" s >= (0 -> pre s); *)
let s = small(x) + (0 -> pre s); tel
node main(a: int) returns (s: int);
let s = add(a); check true -> s <= pre s + 10; tel
""")
    assert found["main"].status == "safe"
    assert found["main"].contracts == ("small",) and found["main"].refined == ("add",)


def test_every_node_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "test.lus"
    path.write_text("""
node inner(x: int) returns (y: int);
let y = x; check "positive" y > 0; tel
node main(a: int) returns (y: int);
let y = inner(if a > 0 then a else 1); check "ok" y > 0; tel
""")
    found = {part.node: part for part in check_contracts(path, engine="kind", abstract=False, every=True)}
    assert found["inner"].status == "unsafe" and not found["inner"].top
    assert found["main"].status == "safe" and found["main"].answers["inner.positive"].status == "safe"
    result = revet("check", "--modular", "--engine", "kind", path)
    assert result.returncode == 0 and "node inner: unsafe" in result.stdout
    result = revet("check", "--modular", "--each", path)
    assert result.returncode == 2 and "--each and --modular exclude each other" in result.stderr
