"""What runs mean, the journal, scores, tables and plots."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest

from revet.bench.journal import NAME, Journal
from revet.bench.runs import OtherVersion, Result, Run, outcome, plan, run_one
from revet.bench.score import best_of_each, contradictions, summarise
from revet.bench.tables import csv_text, plots, summaries, table
from revet.bench.tasks import Task
from revet.errors import UsageError
from revet.report.plot import Axis


def result(task: str, status: str, **more: Any) -> Result:
    fields: dict[str, Any] = {
        "key": f"{task}-{more.get('configuration', 'default')}", "set": "s", "expected": None,
        "configuration": "default", "seconds": 1.0, "cpu": 1.0, "memory": 50, "note": "", "version": "1",
    }
    return Result(task=task, status=status, **(fields | more))


@pytest.mark.parametrize(
    ("code", "late", "over_time", "out", "expected"),
    [
        (0, False, False, "all good\nverdict: safe\n", ("safe", "")),
        (1, False, False, "verdict: unsafe (assert@7)\n", ("unsafe", "assert@7")),
        (3, False, False, "verdict: unknown (no idea)\n", ("unknown", "no idea")),
        (3, False, True, "verdict: unknown (time is up)\n", ("timeout", "time is up")),
        (0, True, True, "verdict: safe\n", ("timeout", "did not end by itself")),
        (1, False, False, "verdict: safe\n", ("error", "says safe, but its exit status is 1")),
        (-9, False, False, "verdict: unsafe\n", ("error", "says unsafe, but its exit status is -9")),
        (2, False, False, "", ("error", "revet: x.c: bad")),
        (0, False, False, "the verdict: safe\n", ("error", "revet: x.c: bad")),
    ],
)
def test_only_a_verdict_line_with_its_exit_status_is_an_answer(
    code: int, late: bool, over_time: bool, out: str, expected: tuple[str, str]
) -> None:
    assert outcome(code, late, over_time, out, "note\nrevet: x.c: bad\n") == expected


def test_keys_depend_on_all_that_matters(tmp_path: Path) -> None:
    program = tmp_path / "a.c"
    program.write_text("int main(void) { return 0; }\n")
    task = Task("a.c", program)

    def keys(**more: Any) -> set[str]:
        arguments: dict[str, Any] = {"configurations": ["default"], "timeout": 5.0, "memory": None} | more
        return {run.key for run in plan([task], **arguments)}

    first = keys()
    different = [keys(timeout=6.0), keys(memory=100), keys(configurations=["kind"])]
    different.append(keys(options=("--strict",)))
    program.write_text("int main(void) { return 1; }\n")
    different.append(keys())
    assert len(set().union(first, *different)) == 6


def test_a_journal_survives_a_kill_in_the_middle_of_a_line(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.add(result("a", "safe"))
    journal.add(result("b", "unsafe"))
    journal.close()
    path = tmp_path / NAME
    path.write_bytes(path.read_bytes()[:-20])
    journal = Journal(tmp_path)
    assert list(journal.results) == ["a-default"]
    journal.add(result("b", "unknown"))
    journal.add(result("b", "unsafe"))
    journal.close()
    journal = Journal(tmp_path)
    assert [r.status for r in journal.results.values()] == ["safe", "unsafe"]
    journal.close()
    journal = Journal(tmp_path, fresh=True)
    assert not journal.results
    journal.close()


def test_two_benches_do_not_write_to_one_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(UsageError, match="another bench is writing here"):
        Journal(tmp_path)
    journal.close()
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        Journal(tmp_path / "file" / "inside")


RESULTS = [
    result("a", "safe", expected="safe", seconds=2.0),
    result("b", "unsafe", expected="unsafe", seconds=4.0),
    result("c", "safe", expected="unsafe"),
    result("d", "unsafe", expected="safe"),
    result("e", "timeout", expected="safe"),
    result("f", "safe", seconds=3.0),
    result("g", "error"),
]


def test_scores_are_those_of_sv_comp() -> None:
    row = summarise("s", "default", RESULTS, limit=10.0)
    assert astuple(row) == (
        "s", "default", 7, 2, 1, 2, 0, 1, 1, 2 + 1 - 32 - 16, 8, pytest.approx((9 + 4 * 20) / 7), 3.0,
    )


def test_the_union_takes_right_answers_only() -> None:
    other = [result("c", "unsafe", expected="unsafe", configuration="kind", seconds=9.0),
             result("e", "unknown", expected="safe", configuration="kind")]
    union = {r.task: (r.status, r.wrong) for r in best_of_each([*RESULTS, *other])}
    assert union["c"] == ("unsafe", False) and union["d"] == ("unsafe", True)
    rows = summaries([*RESULTS, *other], 10.0)
    assert [(row.configuration, row.solved) for row in rows] == [
        ("default", 3), ("kind", 1), ("any of them", 4),
    ]
    assert table(rows).splitlines()[0].split()[:3] == ["set", "configuration", "tasks"]


def test_contradictions_are_found_without_expectations() -> None:
    both = [result("x", "safe"), result("x", "unknown", configuration="bmc"),
            result("x", "unsafe", configuration="kind"), result("y", "safe")]
    assert [(one.configuration, other.configuration) for one, other in contradictions(both)] == [
        ("default", "kind")
    ]


def test_csv_has_a_row_a_run() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(RESULTS))))
    assert len(rows) == 7 and rows[0]["status"] == "safe" and rows[6]["expected"] == ""


def test_plots_are_svg_with_a_point_a_task() -> None:
    other = [result(r.task, "safe", configuration="pdr <ia>", seconds=7.0) for r in RESULTS]
    drawn = plots([*RESULTS, *other], 10.0)
    assert sorted(drawn) == ["cactus.svg", "scatter-default-pdr_ia_.svg"]
    scatter = ElementTree.fromstring(drawn["scatter-default-pdr_ia_.svg"])
    name = "{http://www.w3.org/2000/svg}"
    assert len(scatter.findall(f"{name}circle")) == 7
    assert {t.text for t in scatter.iter(f"{name}title")} == set("abcdefg")
    cactus = ElementTree.fromstring(drawn["cactus.svg"])
    assert len(cactus.findall(f"{name}polyline")) == 2
    assert "pdr <ia> (7)" in {text.text for text in cactus.iter(f"{name}text")}


def test_plots_of_nothing() -> None:
    for text in plots([result("a", "unknown"), result("a", "error", configuration="b")], 10.0).values():
        ElementTree.fromstring(text)


@pytest.mark.parametrize(
    ("least", "top", "ticks"),
    [
        (0.6, 9.0, [0.5, 1, 2, 5, 10]),
        (1.0, 1.0, [1, 2]),
        (0.1, 60.0, [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]),
        (3.0, 2.0, [2, 5]),
    ],
)
def test_logarithmic_axes_hold_all_values(least: float, top: float, ticks: list[float]) -> None:
    axis = Axis.logarithmic("s", least, top)
    assert list(axis.ticks) == pytest.approx(ticks)
    assert 0 <= axis.at(least) <= 1 and 0 <= axis.at(top) <= 1 and axis.at(0.0) == 0


def test_a_worker_of_another_version_runs_nothing() -> None:
    run = Run("k", "t", "s", None, "default", ("check", "no.c"), 5.0, "0.0+else")
    with pytest.raises(OtherVersion, match=r"the bench 0.0\+else"):
        run_one(run)
