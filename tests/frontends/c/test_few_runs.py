"""Programs that ask for choices between two values only: all of their runs are made, and that is a proof."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.budget import Budget
from revet.checker.only_run import next_choices
from revet.driver.run import confirm
from revet.frontends.c.load import load
from revet.result import FewRuns, InputTrace, OnlyRun, Safe, Unknown, Unsafe

COPIES = """
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char *text = "hello";
    char *name = malloc(strlen(text) + 1);
    if (!name) return 1;
    strcpy(name, text);
    int *count = malloc(sizeof *count);
    if (!count) { %s return 1; }
    *count = 0;
    while (*count < (int)strlen(name)) (*count)++;
    assert(*count == 5);
    free(count); free(name);
    return 0;
}
"""


def checked(folder: Path, text: str, **options: str) -> revet.Result:
    path = folder / "few.c"
    path.write_text(text)
    return revet.check(path, timeout=60, **options)


def test_every_allocation_may_fail(tmp_path: Path) -> None:
    answer = checked(tmp_path, COPIES % "free(name);")
    assert isinstance(answer.verdict, Safe) and isinstance(answer.verdict.certificate, FewRuns)
    assert answer.verdict.certificate.runs == 3


def test_a_run_of_those_that_breaks_the_property_is_found(tmp_path: Path) -> None:
    answer = checked(tmp_path, COPIES % "*count = 0;")
    assert isinstance(answer.verdict, Unsafe) and isinstance(answer.verdict.trace, InputTrace)
    assert [value for _, value in answer.verdict.trace.calls] == ["0", "1"]


def test_a_leak_where_the_second_one_fails(tmp_path: Path) -> None:
    assert checked(tmp_path, COPIES % "", property="leaks").status == "unsafe"
    assert checked(tmp_path, COPIES % "free(name);", property="leaks").status == "safe"


def test_abort_is_an_end(tmp_path: Path) -> None:
    text = "int main(void) { int *p = malloc(4); if (!p) abort(); *p = 1; return 0; }"
    answer = checked(tmp_path, f"#include <stdlib.h>\n{text}")
    assert isinstance(answer.verdict, Safe) and isinstance(answer.verdict.certificate, FewRuns)


@pytest.mark.parametrize("claim", [FewRuns(2, 100), FewRuns(3, 1), FewRuns(4, 100), OnlyRun(40)])
def test_other_numbers_are_refused(tmp_path: Path, claim: FewRuns | OnlyRun) -> None:
    path = tmp_path / "few.c"
    path.write_text(COPIES % "free(name);")
    verdict, report = confirm(load([path]), Safe(claim), Budget(60))
    assert isinstance(verdict, Unknown) and report is not None and not report.accepted


def test_inputs_of_many_values_are_not_few(tmp_path: Path) -> None:
    path = tmp_path / "many.c"
    path.write_text("extern int nondet_int(void);\nint main(void) { return nondet_int(); }")
    verdict, _ = confirm(load([path]), Safe(FewRuns(1, 5)), Budget(60))
    assert isinstance(verdict, Unknown) and "asks for 1 values" in verdict.reason


def test_all_choices_are_made_once() -> None:
    made: list[tuple[int, ...]] = []
    choices: tuple[int, ...] | None = ()
    while choices is not None:  # the second choice is offered only after 1 as the first one
        complete = (*choices, 0, 0, 0)
        alternatives = (2, 3) if complete[0] else (2,)
        made.append(complete[: len(alternatives)])
        choices = next_choices(choices, alternatives)
    assert made == [(0,), (1, 0), (1, 1), (1, 2)]
