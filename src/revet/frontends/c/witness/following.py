"""Re-checking a violation witness 2.0, whoever wrote it: the program, made to follow its waypoints.

A ghost variable counts the waypoints that a run has passed. At each one the program's text gets an expression
that moves the count on where the constraint holds, and at the target an assumption that all were passed. A
witness is confirmed by a run of that program into an error on the target's line, found and confirmed as any
violation is. Waypoints that are not used (of kinds without a constraint in C, or where no expression can
stand) are said: they restrict nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from revet.errors import InputError, Position
from revet.frontends.c.lower.program import lower
from revet.frontends.c.options import Options
from revet.frontends.c.parse import Unit, parse_units, read_unit
from revet.frontends.c.source import CSource
from revet.frontends.c.task import read_yaml
from revet.frontends.c.witness.annotate import insert
from revet.frontends.c.witness.reading import read_witness
from revet.frontends.c.witness.validate import from_witness, hash_notes
from revet.frontends.c.witness.writing import Invariant, Waypoint
from revet.frontends.kit.deep import at_any_depth

_COUNT = "revet_passed"


def followed(
    paths: Sequence[Path], witness_path: Path, options: Mapping[str, Any] | None = None
) -> tuple[CSource, list[str]]:
    """The program that follows a violation witness, about the errors at its target; and notes."""
    witness = read_witness(witness_path)
    waypoints, notes = _waypoints(witness_path)
    if not waypoints or waypoints[-1].kind != "target":
        raise InputError(f"{witness_path}: a violation sequence without a target at its end")
    chosen = Options.from_mapping({**from_witness(witness), **dict(options or {})})
    units = [read_unit(path, chosen.arguments(path)) for path in paths]
    source = at_any_depth(_made)(units, waypoints, chosen, paths, notes)
    target = waypoints[-1].at
    wanted = [one.name for one in source.properties if one.position and one.position.line == target.line]
    if not wanted:
        raise InputError(f"{witness_path}: nothing that is checked stands at the target, line {target.line}")
    return source.restricted_to(*wanted), [*hash_notes(witness, paths), *notes]


def is_violation(path: Path) -> bool:
    return read_witness(path).kind == "violation"


def _made(
    units: Sequence[Unit], waypoints: Sequence[Waypoint], options: Options, paths: Sequence[Path],
    notes: list[str],
) -> CSource:
    guided = _guided(units, waypoints, notes)
    tree = parse_units(guided, options.model(), entry=options.wanted(), checks=options.checks)
    return CSource(tree, lower(tree, options), options, list(paths))


def _guided(units: Sequence[Unit], waypoints: Sequence[Waypoint], notes: list[str]) -> list[Unit]:
    """The texts with the expressions in them, on the lines that they had."""
    claims, passed = [], 0
    for waypoint in waypoints[:-1]:
        condition = f"{_COUNT} == {passed} && ({waypoint.constraint})"
        text = f"(({condition}) ? {_COUNT} = {passed + 1} : 0)"
        claim = Invariant(waypoint.at, waypoint.function, text, "location_invariant")
        if insert(units, [claim], "").notes:
            notes.append(f"line {waypoint.at.line}: no place for {waypoint.constraint}; not used")
            continue
        claims.append(claim)
        passed += 1
    target = waypoints[-1]
    last = f"__VERIFIER_assume({_COUNT} == {passed})"
    claims.append(Invariant(target.at, target.function, last, "location_invariant"))
    found = insert(units, claims, "")
    if any(f"line {target.at.line}:" in note for note in found.notes):
        notes.append("no assumption can stand at the target: the order of the waypoints is not required")
    heads = [f"int {_COUNT}; "] + [f"extern int {_COUNT}; "] * (len(units) - 1)
    declared = "extern void __VERIFIER_assume(int); "
    return [
        replace(unit, text=(head + declared).encode() + unit.text, changed=True)
        for unit, head in zip(found.units, heads, strict=True)
    ]


def _waypoints(path: Path) -> tuple[list[Waypoint], list[str]]:
    """Those that can be followed, in order, the target last; and notes about the others."""
    found: list[Waypoint] = []
    notes: list[str] = []
    for entry in read_yaml(path):
        if not isinstance(entry, dict) or entry.get("entry_type") != "violation_sequence":
            continue
        content = entry.get("content")
        for item in content if isinstance(content, list) else []:
            for row in item.get("segment", []) if isinstance(item, dict) else []:
                one = row.get("waypoint") if isinstance(row, dict) else None
                if isinstance(one, dict):
                    _add(path, one, found, notes)
    return found, notes


def _add(path: Path, one: dict[str, Any], found: list[Waypoint], notes: list[str]) -> None:
    place, constraint = one.get("location"), one.get("constraint")
    if not isinstance(place, dict) or not isinstance(place.get("line"), int):
        raise InputError(f"{path}: a waypoint without a location")
    column = place.get("column")
    at = Position(str(place.get("file_name", "")), place["line"], column if isinstance(column, int) else 1)
    kind, value = str(one.get("type")), constraint.get("value") if isinstance(constraint, dict) else None
    usable = kind == "target" or (kind == "assumption" and isinstance(value, str))
    if one.get("action") != "follow" or not usable:
        notes.append(f"line {at.line}: a waypoint of type {kind}, action {one.get('action')} is not used")
        return
    function = place.get("function")
    name = str(function) if function is not None else None
    found.append(Waypoint(kind, at, name, str(value) if kind == "assumption" else None))
