"""``--json``: what docs/json.md says is there, and what is there is in docs/json.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from revet.api import check
from revet.report import data
from revet.report.data import answer_data
from revet.report.sarif import sarif_data
from revet.result.certificate import KINDS
from tests.report.answers import SAFE, UNSAFE, answered

DOCUMENTED = (Path(__file__).parents[2] / "docs/json.md").read_text()


@pytest.mark.parametrize("name", [*SAFE, *UNSAFE])
def test_every_key_is_documented(name: str) -> None:
    found = answer_data(answered(name)[0])
    assert found["schema"] == data.SCHEMA
    inner = found.get("certificate") or found["trace"]
    for key in [*found, *inner]:
        assert re.search(rf"\b{key}\b", DOCUMENTED), key


def test_every_kind_is_documented() -> None:
    kinds = {kind: kind for kind in KINDS} | {"invariants": "location-invariants"}  # files have an older name
    for kind in kinds.values():
        assert f"| `{kind}`" in DOCUMENTED, kind


def test_runs_of_the_program_itself_have_their_statements() -> None:
    answer = check(Path(__file__).parents[2] / "examples/boogie/ring.bpl", engine="explore", timeout=60)
    trace = answer_data(answer)["trace"]
    assert trace["left_out"] == 0 and len(trace["steps"]) > 10
    last = trace["steps"][-1]
    assert last["position"]["line"] == 23 and last["statement"].startswith("assert ring")
    assert {"sent": "1"} in [step["changes"] for step in trace["steps"]]


def test_very_long_runs_are_watched_at_their_beginning_only(tmp_path: Path) -> None:
    path = tmp_path / "long.c"
    path.write_text(
        "void reach_error(void);\nint main(void) {\n  int x = 0;\n"
        "  while (x < 60000) x++;\n  reach_error();\n  return 0;\n}\n"
    )
    answer = check(path, engine="explore", timeout=60)
    trace = answer_data(answer)["trace"]
    assert trace["left_out"] > 100_000 and 100 < len(trace["steps"]) < 4000
    [result] = sarif_data([answer])["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 5
