"""Reading witnesses: the invariants of a correctness witness, written by any tool."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from revet.errors import InputError, Position
from revet.frontends.c.task import read_yaml
from revet.frontends.c.witness.writing import Invariant


@dataclass(frozen=True, slots=True)
class Witness:
    """``kind`` is correctness or violation; ``notes`` says what was left out and why."""

    kind: str
    invariants: tuple[Invariant, ...]
    specification: str | None
    data_model: str | None
    hashes: dict[str, str]
    notes: tuple[str, ...] = ()


def read_witness(path: Path) -> Witness:
    """Read a witness of format 2.x; anything malformed is an :class:`InputError`."""
    entries = read_yaml(path)
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{path}: not a witness: expected a list of entries")
    invariants: list[Invariant] = []
    notes: list[str] = []
    kind = "correctness"
    for entry in entries:
        match entry:
            case {"entry_type": "invariant_set", "content": list(items)}:
                for item in items:
                    _add_invariant(path, item, invariants, notes)
            case {"entry_type": "violation_sequence"}:
                kind = "violation"
            case {"entry_type": other}:
                notes.append(f"entries of type {other} are not used")
            case _:
                raise InputError(f"{path}: an entry without entry_type or content")
    metadata = entries[0].get("metadata")
    task = metadata.get("task") if isinstance(metadata, dict) else None
    task = task if isinstance(task, dict) else {}
    return Witness(
        kind, tuple(invariants), _text(task.get("specification")), _text(task.get("data_model")),
        {str(k): str(v) for k, v in (task.get("input_file_hashes") or {}).items()}, tuple(notes),
    )


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _add_invariant(path: Path, item: Any, invariants: list[Invariant], notes: list[str]) -> None:
    content = item.get("invariant") if isinstance(item, dict) else None
    if not isinstance(content, dict):
        raise InputError(f"{path}: an item of an invariant_set without an invariant")
    place, value = content.get("location"), content.get("value")
    kind, form = content.get("type"), content.get("format", "c_expression")
    if not isinstance(place, dict) or not isinstance(place.get("line"), int) or value is None:
        raise InputError(f"{path}: an invariant without location or value")
    if form != "c_expression" or kind not in ("loop_invariant", "location_invariant"):
        notes.append(f"line {place['line']}: an invariant of type {kind}, format {form} is not used")
        return
    column = place.get("column")
    at = Position(str(place.get("file_name", "")), place["line"], column if isinstance(column, int) else 0)
    text = {True: "1", False: "0"}[value] if isinstance(value, bool) else str(value)
    invariants.append(Invariant(at, _text(place.get("function")), text, kind))
