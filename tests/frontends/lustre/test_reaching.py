"""What should be reachable: how answers are told, and definitions that contradict each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.api import check
from revet.budget import Budget
from revet.driver.answer import Answer
from revet.driver.run import confirm
from revet.frontends.registry import load
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.values import ArrayValue, Value, default_value
from revet.model.system import TransitionSystem
from revet.report.data import answer_data
from revet.report.html import html_fragment, html_report
from revet.report.sarif import sarif_data
from revet.result.trace import SystemTrace
from revet.result.verdict import Safe, Unknown, Unsafe

REACH = """
node n(x: bool) returns (y: bool);
let
  y = x and not x;
  check reachable "on" x;
  check reachable "never" y;
tel
"""


def asked(folder: Path, text: str, property: str | None = None) -> Answer:
    path = folder / "test.lus"
    path.write_text(text)
    return check(path, property=property, timeout=120)


def test_a_run_is_the_good_news(tmp_path: Path) -> None:
    answer = asked(tmp_path, REACH, "on")
    assert answer.status == "safe" and isinstance(answer.verdict, Unsafe)
    data = answer_data(answer)
    assert data["question"] == "reachability" and "trace" in data and data["verdict"] == "safe"
    assert sarif_data([answer])["runs"][0]["results"] == []
    page = html_report(answer)
    assert "There is a run that reaches what should be reachable." in page
    assert "The run that reaches it" in page and "breaks" not in page.split("<script")[0].split("</style>")[1]
    assert "replayed" in page


def test_a_proof_is_the_bad_news(tmp_path: Path) -> None:
    answer = asked(tmp_path, REACH, "never")
    assert answer.status == "unsafe" and isinstance(answer.verdict, Safe)
    (result,) = sarif_data([answer])["runs"][0]["results"]
    assert result["level"] == "error" and "no run reaches it" in result["message"]["text"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 6
    page = html_report(answer)
    assert "No run of the program reaches" in page and "Why it is never reached" in page
    assert "The certificate was checked" in page
    assert "why it is never reached" in html_fragment(answer)


@pytest.mark.parametrize(("second", "status"), [("0 -> 1", "safe"), ("0 -> 2", "unsafe"), ("3", "unsafe")])
def test_two_definitions(second: str, status: str, tmp_path: Path) -> None:
    """If they contradict each other there is no run, and every property holds: that is not *safe*."""
    inner = f"node m(a: int) returns (x: int);\nlet x = 0 -> 1; x = {second}; tel\n"
    outer = 'node n(a: int) returns (x: int);\nlet x = m(a); check "ok" x <= 1; tel\n'
    assert asked(tmp_path, inner + outer).status == status


QUANTIFIED = """
node n(const size: int; a: int^size) returns (y: int);
let
  assert size = 3;
  assert forall (i: int) (0 <= i and i < size) => a[i] > 0;
  y = a[0];
  check "low" y < 5;
tel
"""


@pytest.mark.parametrize(("array", "accepted"), [
    (ArrayValue(7), True), (ArrayValue(7, {1: -1}), False), (ArrayValue(7, {5: -1}), True),
])
def test_what_is_quantified_is_judged_by_the_interpreter(
    array: ArrayValue, accepted: bool, tmp_path: Path
) -> None:
    """The replay on the model leaves out what is quantified in the guard; a run that breaks it is refused."""
    path = tmp_path / "test.lus"
    path.write_text(QUANTIFIED)
    program = load([path])
    system = program.model
    assert isinstance(system, TransitionSystem) and system.step.guard.quantified
    before: dict[Term, Value] = {
        x: 3 if x.name == "size" else default_value(x.sort) if x.sort is not BOOL else True
        for x in system.variables
    }
    drawn: dict[Term, Value] = {x: True if x.sort is BOOL else array for x in system.inputs}
    evaluator = Evaluator({**before, **drawn})
    after = {x: evaluator(system.step.after(x)) for x in system.variables}
    verdict, _ = confirm(program, Unsafe(SystemTrace((before, after), (drawn,), "low")), Budget(60))
    assert isinstance(verdict, Unsafe if accepted else Unknown), verdict
