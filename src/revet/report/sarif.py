"""SARIF 2.1.0 (OASIS): results for code-scanning services.

*Unsafe* is a result of level ``error`` with the run as a code flow; *safe* is no result, as
services expect; *unknown* is a result of kind ``open``, so that a question without an answer does not look
like a proof (its level is ``none``: the standard has others for failures only). Every kind of violation is a
rule, with its number in the Common Weakness Enumeration. Fingerprints are made of rule, file and the text of
the line, so that they outlive changes elsewhere in the file.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from revet import __version__
from revet.driver.answer import Answer
from revet.errors import Position
from revet.frontends.kit.source_run import SourceRun
from revet.frontends.program import KnowsWeaknesses
from revet.report.html.run import place_of_violation, run_of
from revet.result.verdict import Safe, Unknown, Unsafe

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
INFORMATION = "urn:revet:documentation"  # the documentation comes with the package
_MOST_STEPS = 2000

_RULES: list[dict[str, Any]] = [
    {
        "id": "revet/violation",
        "name": "PropertyViolated",
        "shortDescription": {"text": "A run breaks the property."},
        "fullDescription": {
            "text": "There is a run that breaks the property; it was replayed before it was reported."
        },
        "help": {
            "text": "Step through the run: 'revet check --html report.html FILE' writes a page for that."
        },
        "defaultConfiguration": {"level": "error"},
        "properties": {"precision": "very-high", "tags": ["correctness", "model-checking"]},
    },
    {
        "id": "revet/undecided",
        "name": "PropertyUndecided",
        "shortDescription": {"text": "The property was neither proved nor refuted."},
        "fullDescription": {"text": "Nothing is known beyond the bound given in the message."},
        "help": {
            "text": "More time (--timeout), another engine ('revet engines') or a simpler property may help."
        },
        "defaultConfiguration": {"level": "none"},
        "properties": {"tags": ["model-checking"]},
    },
    {
        "id": "revet/unreachable",
        "name": "NeverReached",
        "shortDescription": {"text": "What should be reachable is not."},
        "fullDescription": {"text": "It was proved that no run reaches it; the proof was checked."},
        "help": {"text": "Look for assumptions that contradict each other or exclude too much."},
        "defaultConfiguration": {"level": "error"},
        "properties": {"precision": "very-high", "tags": ["correctness", "model-checking"]},
    },
]


def sarif_text(answers: Sequence[Answer], command: Sequence[str] = ()) -> str:
    return json.dumps(sarif_data(answers, command), indent=2, ensure_ascii=False) + "\n"


def sarif_data(answers: Sequence[Answer], command: Sequence[str] = ()) -> dict[str, Any]:
    """One run with a result for every answer that is not *safe*."""
    rules = list(_RULES)
    invocation: dict[str, Any] = {"executionSuccessful": True}
    if command:
        invocation["commandLine"] = shlex.join(command)
    if len(answers) == 1:
        invocation["exitCode"] = answers[0].exit_status
    files = list(dict.fromkeys(path for answer in answers for path in answer.program.files))
    results = [result for answer in answers for result in _results(answer, rules)]
    driver = {"name": "Revet", "version": __version__, "informationUri": INFORMATION}
    run = {
        "tool": {"driver": {**driver, "rules": rules}},
        "invocations": [invocation],
        "artifacts": [{"location": {"uri": _uri(str(path))}} for path in files],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(answer: Answer, property: str, rules: list[dict[str, Any]]) -> int:
    """The number of the rule that a violation breaks; kinds of faults have rules of their own."""
    program = answer.program
    kind = program.weakness(property) if isinstance(program, KnowsWeaknesses) else None
    if kind is None:
        return 0
    name = f"revet/{kind.name}"
    known = [number for number, rule in enumerate(rules) if rule["id"] == name]
    if known:
        return known[0]
    tags = ["security", f"external/cwe/cwe-{kind.cwe:03}", "model-checking"]
    title = kind.title[:1].upper() + kind.title[1:]
    rules.append({
        **rules[0], "id": name, "name": kind.name.capitalize(), "shortDescription": {"text": f"{title}."},
        "fullDescription": {"text": f"{title} (CWE-{kind.cwe}). The run was replayed first."},
        "helpUri": f"https://cwe.mitre.org/data/definitions/{kind.cwe}.html",
        "properties": {**rules[0]["properties"], "tags": tags},
    })
    return len(rules) - 1


def _fingerprint(rule: str, name: str, place: Position | None) -> str:
    """Rule, file and the text of the line; without a line, the name of the property."""
    text = name
    if place is not None:
        try:
            lines = Path(place.file).read_text("utf-8", "replace").splitlines()
            text = " ".join(lines[place.line - 1].split())
        except (OSError, IndexError):
            text = name
    file = Path(place.file).name if place is not None else ""
    return hashlib.sha256(f"{rule}|{file}|{text}".encode()).hexdigest()[:32]


def _results(answer: Answer, rules: list[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    if answer.program.reaching and not isinstance(answer.verdict, Unknown):
        if answer.status == "unsafe":
            name = answer.property_name or "what should be reachable"
            yield {
                "ruleId": _RULES[2]["id"], "ruleIndex": 2, "level": "error", "kind": "fail",
                "message": {"text": f"{name}: no run reaches it"},
                "locations": [_location(_place(answer), answer)],
                "partialFingerprints": {"property/v1": name},
            }
        return
    match answer.verdict:
        case Unsafe(trace):
            run = run_of(answer, trace)
            steps = run.steps if isinstance(run, SourceRun) else ()
            place = place_of_violation(answer, trace, run)
            number = _rule(answer, trace.violated, rules)
            result: dict[str, Any] = {
                "ruleId": rules[number]["id"], "ruleIndex": number, "level": "error", "kind": "fail",
                "message": {"text": f"{trace.violated}: {run.ending}"},
                "locations": [_location(place, answer)],
                "partialFingerprints": {
                    "revetLine/v1": _fingerprint(rules[number]["id"], trace.violated, place)
                },
            }
            if isinstance(run, SourceRun) and steps:
                result["codeFlows"] = [_code_flow(run, answer)]
            yield result
        case Unknown(reason, bound):
            known = f" No violation within {bound} steps." if bound is not None else ""
            name = answer.property_name or "all properties"
            yield _open(answer, f"{name}: undecided, {reason.strip()}.{known}")
        case Safe() if answer.program.left_out:
            yield _open(answer, f"{', '.join(answer.program.left_out)}: not checked")


def _open(answer: Answer, text: str) -> dict[str, Any]:
    return {
        "ruleId": _RULES[1]["id"], "ruleIndex": 1, "level": "none", "kind": "open", "message": {"text": text},
        "locations": [_location(None, answer)],
    }


def _place(answer: Answer) -> Position | None:
    positions = getattr(answer.program.model, "positions", {})
    found: Position | None = positions.get(answer.property_name)
    return found


def _code_flow(run: SourceRun, answer: Answer) -> dict[str, Any]:
    locations = []
    for number, step in enumerate(run.steps[:_MOST_STEPS]):
        changes = ", ".join(f"{name} = {value}" for name, value in step.changes)
        text = f"{step.text} ({changes})" if changes else step.text
        flow: dict[str, Any] = {
            "location": {**_location(step.position, answer), "message": {"text": text}},
            "executionOrder": number + 1,
            "nestingLevel": max(0, step.depth),
        }
        if step.changes:
            flow["state"] = {name: {"text": value} for name, value in step.changes}
        locations.append(flow)
    return {"message": {"text": run.ending}, "threadFlows": [{"locations": locations}]}


def _location(place: Position | None, answer: Answer) -> dict[str, Any]:
    """The place, or the file if there is none; a model built in Python has only its name."""
    files = answer.program.files
    if place is None and not files:
        return {"logicalLocations": [{"name": answer.program.model.name, "kind": "module"}]}
    uri = _uri(place.file if place is not None else str(files[0]))
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    physical["region"] = {"startLine": 1}  # services want a line; the first stands for the file
    if place is not None:
        physical["region"] = {"startLine": max(1, place.line), "startColumn": max(1, place.column)}
    return {"physicalLocation": physical}


def _uri(name: str) -> str:
    """Relative references stay relative (services resolve them in the repository)."""
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
