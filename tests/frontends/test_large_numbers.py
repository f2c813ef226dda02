"""Numbers of many digits: those that a run computes are shown whole, those that a text names are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from revet.api import check
from revet.budget import Budget
from revet.driver.run import confirm_claim
from revet.errors import InputError, Unsupported
from revet.frontends import load
from revet.logic.values import rational
from revet.report.data import answer_data
from revet.report.html import html_report
from revet.report.text import render
from revet.result.files import read_evidence, write_evidence

SQUARES = {  # two, squared fifteen times, has 9,865 digits: more than Python writes by itself
    "squares.lus": "node main() returns (y, i: int);\n"
                   'let y = 2 -> pre y * pre y; i = 0 -> pre i + 1; check "few" i < 15; tel\n',
    "squares.bpl": "procedure f() { var x: int; var i: int; i := 0; x := 2;\n"
                   "while (i < 15) { x := x * x; i := i + 1; } assert x == 3; }\n",
    "halves.bpl": "procedure f() { var x: real; var i: int; i := 0; x := 0.5;\n"
                  "while (i < 15) { x := x * x; i := i + 1; } assert x == 3.0; }\n",
    "squares.spa": "int x; int i; i = 0; x = 2; while (i < 15) { x = x * x; i = i + 1; } assert(x == 3);\n",
    "squares.cfa": "main process p { var x : int var i : int init loc A loc B error loc E\n"
                   "A -> B { x := 2 i := 0 } B -> B { assume i < 15 x := x * x i := i + 1 }\n"
                   "B -> E { assume i >= 15 and x /= 3 } }\n",
}  # fmt: skip
FIRST_DIGITS = "1415461031"  # of 2 ** 2 ** 15


@pytest.mark.parametrize("name", SQUARES)
def test_a_run_through_a_very_large_number_is_shown_and_saved(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(SQUARES[name])
    answer = check(path, timeout=120)
    assert answer.status == "unsafe"
    assert FIRST_DIGITS in render(answer)
    assert FIRST_DIGITS in json.dumps(answer_data(answer))
    assert FIRST_DIGITS in html_report(answer)
    saved = tmp_path / "run.json"
    write_evidence(saved, answer.verdict, answer.program.model)
    _, checked = confirm_claim(answer.program, read_evidence(saved, answer.program.model), Budget(60))
    assert checked is not None and checked.accepted


@pytest.mark.parametrize(
    "name, text",
    [
        ("power.lus", "node main(x: real) returns (y: real); let y = 1e999999999; tel"),
        ("power.lus", "node main(x: real) returns (y: real); let y = 0x1.8p-999999999; tel"),
        ("digits.lus", f"node main(x: int) returns (y: int); let y = {'9' * 9000}; tel"),
        ("width.lus", "node main(x: uint<99999999999>) returns (y: uint<99999999999>); let y = x + x; tel"),
        ("power.bpl", "procedure f(x: real) { assert x != 1e999999999; }"),
        ("digits.bpl", f"procedure f(x: int) {{ assert x != {'9' * 9000}; }}"),
        ("width.bpl", "procedure f(x: bv99999999999) { assert x == x; }"),
        ("digits.spa", f"int x; x = {'9' * 9000}; assert(x > 0);"),
    ],
)
def test_a_short_text_of_a_very_large_number_is_refused_at_its_place(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(Unsupported) as refused:
        load([path])
    assert refused.value.position is not None


def test_evidence_with_such_a_number_is_refused_too(tmp_path: Path) -> None:
    path = tmp_path / "real.lus"
    path.write_text('node main(x: real) returns (y: real); let y = x -> pre y; check "small" y < 1.0; tel')
    answer = check(path, timeout=120)
    assert answer.status == "unsafe"
    saved = tmp_path / "run.json"
    write_evidence(saved, answer.verdict, answer.program.model)
    data = json.loads(saved.read_text())
    data["steps"][0]["inputs"] = dict.fromkeys(data["steps"][0]["inputs"], "1e999999999")
    saved.write_text(json.dumps(data))
    with pytest.raises(InputError, match="is not a value of"):
        read_evidence(saved, answer.program.model)
    assert rational("1e-2") == rational("1/100") and rational("-2.5e1") == -25
