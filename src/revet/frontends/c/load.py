"""``load``: what the registry of front ends calls for C files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from revet.errors import Unsupported, UsageError
from revet.frontends.c.accepted import accept
from revet.frontends.c.ast import CProgram
from revet.frontends.c.checks import by_default, not_among
from revet.frontends.c.lower.program import lower
from revet.frontends.c.options import Options
from revet.frontends.c.parse import own_functions, parse_units, read_unit
from revet.frontends.c.source import CSource
from revet.frontends.c.task import read_task, settings


def load(paths: Sequence[Path], options: Mapping[str, Any] | None = None) -> CSource:
    """C files, or one SV-COMP task definition (``.yml``), whose settings the options override. Files of which
    nobody says what to check are asked about assertions, arithmetic, memory and calls of the library."""
    given = {name: value for name, value in (options or {}).items() if value is not None}
    if paths[0].suffix not in (".yml", ".yaml"):
        if "property" not in given:
            return _load_by_default(list(paths), given)
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


def _load_by_default(paths: list[Path], given: Mapping[str, Any]) -> CSource:
    """With all groups of checks, or, where the program has something that is not modelled for one of them,
    with those that can be checked; the program knows which are left out, and why."""
    choices = by_default(given.get("overflow") == "wrap")
    chosen = Options.from_mapping({**given, "property": ",".join(choices[0])})
    tree = _tree(paths, chosen)
    refused: list[Unsupported] = []
    for groups in choices:
        options = replace(chosen, property=",".join(groups))
        try:
            lowered = accept(lower(tree, options), paths, options.checks)
        except Unsupported as problem:
            refused.append(problem)
            if "library" in groups:  # whose models of functions say more
                tree = _tree(paths, replace(chosen, property=",".join(choices[1])))
            continue
        source = CSource(tree, lowered, options, paths)
        source.ask_in_portions(groups)
        if refused:
            source.leave_out(not_among(choices[0], groups), refused)
        return source
    raise refused[-1]


def _load(paths: list[Path], options: Options, expected: bool | None = None) -> CSource:
    tree = _tree(paths, options)
    return CSource(tree, accept(lower(tree, options), paths, options.checks), options, paths, expected)


def _tree(paths: list[Path], options: Options) -> CProgram:
    units = [read_unit(path, options.arguments(path)) for path in paths]
    return parse_units(
        units, options.model(), options.approximate, options.wanted(), options.volatile, options.checks
    )
