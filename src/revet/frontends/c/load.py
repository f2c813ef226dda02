"""``load``: what the registry of front ends calls for C files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from revet.frontends.c.deep import with_deep_stack
from revet.frontends.c.lower.program import lower
from revet.frontends.c.options import Options
from revet.frontends.c.parse import parse_texts
from revet.frontends.c.preprocess import preprocess
from revet.frontends.c.replay import replay
from revet.frontends.program import Program


def load(paths: Sequence[Path], options: Mapping[str, Any] | None = None) -> Program:
    chosen = Options.from_mapping(options or {})
    return with_deep_stack(lambda: _load(list(paths), chosen))


def _load(paths: list[Path], options: Options) -> Program:
    model = options.model()
    tree = parse_texts([preprocess(path, model) for path in paths], model)
    lowered = lower(tree, options)

    return Program(
        lowered.cfa, "C", tuple(paths), partial(replay, lowered, tree, options.property),
        lowered.assumptions, precise=lowered.precise,
        extras={"c": lowered, "tree": tree},
    )
