"""Lustre, in KIND 2's dialect: nodes, constants, enumerations, subranges, machine integers,
``assert``, ``--%MAIN`` and ``--%PROPERTY``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from revet.errors import InputError, Position, UsageError
from revet.frontends.lustre.clocks import expand_clocks
from revet.frontends.lustre.composites import expand_composites
from revet.frontends.lustre.contracts import expand_contracts
from revet.frontends.lustre.parser import parse
from revet.frontends.lustre.ranges import oblige_ranges
from revet.frontends.lustre.replay import Replay
from revet.frontends.lustre.syntax import File
from revet.frontends.lustre.translate import Translator
from revet.frontends.lustre.types import Typing
from revet.frontends.program import Program


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> Program:
    """Read one file; the properties are those of its main node."""
    if len(paths) > 1:
        raise UsageError("give one Lustre file at a time")
    with _deep_recursion():
        file = read(paths[0])
        typing = Typing(file)
        main = file.main
        if main.imported:
            raise InputError(f"the main node {main.name} is imported and has no body", main.position)
        translator = Translator(typing, main)
        system = translator.system()
        if not system.properties:
            raise InputError(
                f"node {main.name} has no property: add a line '--%PROPERTY formula;'",
                Position(file.path, main.position.line, main.position.column),
            )
    replay = Replay(translator)
    imported = {i.node.name.rstrip("~") for i, _ in translator.free if i.node.contract}
    return Program(
        system,
        "lustre",
        tuple(paths),
        replay.confirm,
        tuple(f"imported node {name} keeps its contract" for name in sorted(imported)),
        render_trace=replay.render,
        source_run=replay.streams,
    )


def read(path: Path) -> File:
    """Parse, and reduce contracts, records, arrays and clocks to plain Lustre."""
    return expand_clocks(expand_composites(expand_contracts(oblige_ranges(parse(path)))))


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Python's frames are on the heap: a deep expression is limited by memory, not by the stack."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
