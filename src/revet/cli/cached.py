"""``--cache`` and ``--no-cache``: the evidence of the last run before the engines."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from revet.cli.output import echo
from revet.errors import UsageError

if TYPE_CHECKING:
    from revet.cache import Cache
    from revet.cli.given import Given

_DEFAULT = ".revet-cache"


def cache_for(given: Given) -> Cache | None:
    """The cache of this run, if it has one. With ``--explain`` engines must run, for what they show: their
    answer is kept, but no old one is looked for."""
    if given.no_cache and given.cache is not None:
        raise UsageError("--cache and --no-cache exclude each other")
    # Without a folder there is nothing to load: most runs have none.
    if given.no_cache or (given.cache is None and not os.path.isdir(_DEFAULT)):
        return None
    from pathlib import Path

    from revet.cache import Cache

    return Cache(Path(given.cache or _DEFAULT), _say, recalls=given.explain is None)


def _say(note: str) -> None:
    echo(f"revet: note: {note}", err=True)
