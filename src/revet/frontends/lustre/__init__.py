"""Lustre, in KIND 2's dialect: nodes, constants, enumerations, subranges, machine integers,
``assert``, ``--%MAIN`` and ``--%PROPERTY``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from revet.errors import InputError, Position, UsageError
from revet.frontends.lustre.parser import parse
from revet.frontends.lustre.replay import Replay
from revet.frontends.lustre.translate import Translator
from revet.frontends.lustre.types import Typing
from revet.frontends.program import Program


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> Program:
    """Read one file; the properties are those of its main node."""
    if len(paths) > 1:
        raise UsageError("give one Lustre file at a time")
    with _deep_recursion():
        file = parse(paths[0])
        typing = Typing(file)
        main = file.main
        if not main.properties:
            raise InputError(
                f"node {main.name} has no property: add a line '--%PROPERTY formula;'",
                Position(file.path, main.position.line, main.position.column),
            )
        translator = Translator(typing, main)
        system = translator.system()
    replay = Replay(translator)
    return Program(
        system, "lustre", tuple(paths), replay.confirm, render_trace=replay.render,
    )


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Python's frames are on the heap: a deep expression is limited by memory, not by the stack."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
