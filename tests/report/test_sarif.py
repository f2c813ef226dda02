"""SARIF: the structure that the standard requires, and what the results say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from revet.driver.answer import Answer
from revet.report.sarif import sarif_data, sarif_text
from revet.result.verdict import Unknown
from tests.report.answers import SAFE, UNSAFE, answered

_LEVELS = {"none", "note", "warning", "error"}
_KINDS = {"pass", "open", "informational", "notApplicable", "review", "fail"}


def validate(log: dict[str, Any]) -> list[dict[str, Any]]:
    """What SARIF 2.1.0 requires of the objects that we write (§3.13 to §3.38); the results."""
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] and ":" in driver["informationUri"]
    identifiers = [rule["id"] for rule in driver["rules"]]
    assert len(identifiers) == len(set(identifiers))
    for rule in driver["rules"]:
        assert rule["help"]["text"]
        assert rule["shortDescription"]["text"] and rule["defaultConfiguration"]["level"] in _LEVELS
    assert all(isinstance(i["executionSuccessful"], bool) for i in run["invocations"])
    uris = {artifact["location"]["uri"] for artifact in run["artifacts"]}
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"] and result["level"] in _LEVELS and result["kind"] in _KINDS
        assert result["kind"] in ("fail", "open")
        assert (result["level"] == "none") == (result["kind"] != "fail")  # §3.27.10
        for location in result["locations"]:
            check_location(location, uris)
        for flow in result.get("codeFlows", ()):
            assert flow["threadFlows"]
            for thread in flow["threadFlows"]:
                assert thread["locations"]
                for step in thread["locations"]:
                    check_location(step["location"], uris)
                    assert step["nestingLevel"] >= 0 and step["executionOrder"] >= 0
    return list(run["results"])


def check_location(location: dict[str, Any], uris: set[str]) -> None:
    physical = location["physicalLocation"]
    assert physical["artifactLocation"]["uri"] in uris
    region = physical["region"]  # code-scanning services want one, if only the first line
    assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_is_one_error(name: str) -> None:
    answer, _ = answered(name)
    log = json.loads(sarif_text([answer], ["revet", "check", name]))
    (result,) = validate(log)
    assert result["level"] == "error" and result["ruleId"] in ("revet/violation", "revet/assertion")
    assert log["runs"][0]["invocations"][0]["exitCode"] == 1


@pytest.mark.parametrize("name", SAFE)
def test_safe_is_no_result(name: str) -> None:
    answer, _ = answered(name)
    assert validate(sarif_data([answer])) == []


def test_the_run_is_a_code_flow() -> None:
    answer, _ = answered("c/traffic_light.c")
    (result,) = validate(sarif_data([answer]))
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 17
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps]
    assert lines[0] == 9 and lines[-1] == 17
    assert steps[0]["state"] == {"north": {"text": "GREEN"}, "east": {"text": "RED"}}


def test_the_property_of_a_lustre_model_has_a_place() -> None:
    answer, _ = answered("lustre/speed.lus")
    (result,) = validate(sarif_data([answer]))
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 9


def test_unknown_is_a_note() -> None:
    answer, _ = answered("spa/lock.spa")
    unknown = Answer(answer.program, Unknown("time is up", 4), "portfolio")
    (result,) = validate(sarif_data([unknown]))
    assert result["level"] == "none" and result["kind"] == "open"
    assert "time is up" in result["message"]["text"] and "within 4 steps" in result["message"]["text"]


def test_several_answers_are_one_log() -> None:
    answers = [answered(name)[0] for name in ("spa/lock.spa", "c/traffic_light.c", "lustre/speed.lus")]
    assert len(validate(sarif_data(answers))) == 2


def test_names_of_files_are_references(tmp_path: Path) -> None:
    from revet.report.sarif import _uri

    assert _uri("a b/ü#.c") == "a%20b/%C3%BC%23.c"
    assert _uri("/x y.c") == "file:///x%20y.c"
