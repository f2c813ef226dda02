"""Printing witnesses. The emitter writes YAML by hand: strings in JSON's quotes, which YAML reads."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from revet import __version__
from revet.errors import Position
from revet.frontends.c.ast.program import spoken

FORMAT_VERSION = "2.0"
_NAMESPACE = uuid.UUID("6f1d1f7e-7d0f-5c3b-9f0e-2b6c0f1a5e11")


@dataclass(frozen=True, slots=True)
class WitnessTask:
    """What the witness is about; ``specification`` is the text of the property file."""

    files: tuple[Path, ...]
    specification: str
    data_model: str


@dataclass(frozen=True, slots=True)
class Invariant:
    """A C expression that holds whenever the run comes to a place.

    ``kind`` is ``loop_invariant`` (the place is a loop's keyword) or ``location_invariant``."""

    at: Position
    function: str | None
    value: str
    kind: str = "loop_invariant"


@dataclass(frozen=True, slots=True)
class Waypoint:
    """A step of a violating run: an ``assumption`` that holds there, or the ``target``."""

    kind: str
    at: Position
    function: str | None
    constraint: str | None = None


def invariant_witness(
    task: WitnessTask, invariants: Sequence[Invariant], *, now: datetime | None = None
) -> str:
    """A correctness witness: an ``invariant_set`` entry."""
    content = [
        {
            "invariant": {
                "type": invariant.kind,
                "location": _location(invariant.at, invariant.function),
                "value": invariant.value,
                "format": "c_expression",
            }
        }
        for invariant in invariants
    ]
    return _entry("invariant_set", task, content, now)


def violation_witness(
    task: WitnessTask, waypoints: Sequence[Waypoint], *, now: datetime | None = None
) -> str:
    """A violation witness: every waypoint is a segment of its own; the last one is the target."""
    if not waypoints or waypoints[-1].kind != "target":
        raise ValueError("a violation sequence ends with its target")
    return _entry("violation_sequence", task, [{"segment": [_waypoint(w)]} for w in waypoints], now)


def _waypoint(waypoint: Waypoint) -> dict[str, Any]:
    content: dict[str, Any] = {"type": waypoint.kind, "action": "follow"}
    if waypoint.constraint is not None:
        content["constraint"] = {"value": waypoint.constraint, "format": "c_expression"}
    content["location"] = _location(waypoint.at, waypoint.function)
    return {"waypoint": content}


def _location(at: Position, function: str | None) -> dict[str, Any]:
    place: dict[str, Any] = {"file_name": at.file, "line": at.line, "column": at.column}
    if function is not None:
        place["function"] = spoken(function)
    return place


def _entry(kind: str, task: WitnessTask, content: list[Any], now: datetime | None) -> str:
    moment = (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    hashes = {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in task.files}
    # The identifier follows from what is said about what: same witness, same name.
    name = uuid.uuid5(_NAMESPACE, json.dumps([kind, hashes, task.specification, content]))
    metadata = {
        "format_version": FORMAT_VERSION,
        "uuid": str(name),
        "creation_time": moment,
        "producer": {"name": "Revet", "version": __version__},
        "task": {
            "input_files": [str(file) for file in task.files],
            "input_file_hashes": hashes,
            "specification": task.specification.strip(),
            "data_model": task.data_model.upper(),
            "language": "C",
        },
    }
    return to_yaml([{"entry_type": kind, "metadata": metadata, "content": content}])


def to_yaml(value: Any) -> str:
    """Lists, dictionaries, strings and integers as block YAML."""
    return "\n".join(_lines(value)) + "\n"


def _lines(value: Any) -> list[str]:
    if isinstance(value, dict) and value:
        lines = []
        for key, inner in value.items():
            shown = key if str(key).isidentifier() else json.dumps(str(key))
            lines += _attached(f"{shown}:", _lines(inner), _is_scalar(inner), "  ")
        return lines
    if isinstance(value, list) and value:
        lines = []
        for inner in value:
            lines += _attached("-", _lines(inner), True, "  ")
        return lines
    if isinstance(value, (dict, list)):
        return ["{}" if isinstance(value, dict) else "[]"]
    return [json.dumps(value)]


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, (dict, list)) or not value


def _attached(head: str, lines: list[str], same_line: bool, indent: str) -> list[str]:
    """``head`` with its value on the same line, or indented below."""
    if same_line:
        return [f"{head} {lines[0]}", *(indent + line for line in lines[1:])]
    return [head, *(indent + line for line in lines)]
