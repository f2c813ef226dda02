"""``load``: what the registry of front ends calls for C files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.errors import UsageError
from revet.frontends.c.lower.program import lower
from revet.frontends.c.options import Options
from revet.frontends.c.parse import own_functions, parse_units, read_unit
from revet.frontends.c.source import CSource
from revet.frontends.c.task import read_task, settings


def load(paths: Sequence[Path], options: Mapping[str, Any] | None = None) -> CSource:
    """C files, or one SV-COMP task definition (``.yml``), whose settings the options override."""
    given = {name: value for name, value in (options or {}).items() if value is not None}
    if paths[0].suffix not in (".yml", ".yaml"):
        return _load(list(paths), Options.from_mapping(given))
    if len(paths) > 1:
        raise UsageError("give one task definition at a time")
    task = read_task(paths[0])
    chosen = Options.from_mapping({**settings(task, given.get("property")), **given})
    wanted = task.property(chosen.property)
    return _load(list(task.files), chosen, wanted.expected if wanted is not None else None)


def functions(paths: Sequence[Path], options: Mapping[str, Any] | None = None) -> list[tuple[str, str]]:
    """The functions that C files define themselves: what people call each, and its name as an entry."""
    chosen = Options.from_mapping({k: v for k, v in (options or {}).items() if v is not None})
    units = [read_unit(path, chosen.arguments(path)) for path in paths]
    found = own_functions(units, chosen.model())
    names = Counter(name for _, defined in found for name in defined)
    return [
        (name if names[name] == 1 else f"{path.name}:{name}", name if names[name] == 1 else f"{path}:{name}")
        for path, defined in found for name in defined
    ]


def _load(paths: list[Path], options: Options, expected: bool | None = None) -> CSource:
    units = [read_unit(path, options.arguments(path)) for path in paths]
    tree = parse_units(units, options.model(), options.approximate, options.wanted())
    return CSource(tree, lower(tree, options), options, paths, expected)
