"""Lustre, in KIND 2's dialect: nodes, constants, enumerations, subranges, machine integers,
``assert``, ``--%MAIN`` and ``--%PROPERTY``."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from revet.errors import InputError, Position, UsageError
from revet.frontends.lustre.clocks import expand_clocks
from revet.frontends.lustre.components import component
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
    """Read one file; the properties are those of its main node.

    For compositional checking ``options`` name another ``node`` to look at, and the nodes that are
    ``abstract``: only their contracts count.
    """
    if len(paths) > 1:
        raise UsageError("give one Lustre file at a time")
    with _deep_recursion():
        part = "node" in options
        abstract = set(options.get("abstract", ()))
        file = read(paths[0], options.get("node"), abstract)
        typing = Typing(file)
        main = file.main
        if main.imported:
            raise InputError(f"the main node {main.name} is imported and has no body", main.position)
        translator = Translator(typing, main)
        system = translator.system()
        if not system.properties and not part:
            raise InputError(
                f"node {main.name} has no property: add a line '--%PROPERTY formula;'",
                Position(file.path, main.position.line, main.position.column),
            )
    replay = Replay(translator)
    outside = [i.node for i, _ in translator.free if i.node.imported and i.node.contract]
    contracts = {node.name.rstrip("~") for node in outside}
    return Program(
        system,
        "lustre",
        tuple(paths),
        replay.confirm,
        tuple(f"imported node {name} keeps its contract" for name in sorted(contracts - abstract)),
        render_trace=replay.render,
        extras={"contracts": sorted(contracts & abstract)},
        source_run=replay.streams,
    )


def read(path: Path, node: str | None = None, abstract: Collection[str] = ()) -> File:
    """Parse, and reduce contracts, records, arrays and clocks to plain Lustre.

    ``node`` is looked at instead of the main node, with nothing but contracts of the ``abstract``."""
    file = component(parse(path), node, abstract)
    return expand_clocks(expand_composites(expand_contracts(oblige_ranges(file))))


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Python's frames are on the heap: a deep expression is limited by memory, not by the stack."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
