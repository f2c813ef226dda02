"""Validations that need not be made again: the same program, read the same way, by the same Revet.

Only good news is kept, in the user's cache folder, under a name made of all that it depends on: the texts,
what the translation made of them, its flags and order of evaluation, the versions of Revet and of the
compiler. A program that includes files of
its own is not remembered, because their texts are not at hand here.
"""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from revet import __version__
from revet.frontends.c.clang.run import wheel_version
from revet.frontends.c.temporary import cache_folder
from revet.frontends.c.toolchain import toolchain_for

if TYPE_CHECKING:
    from revet.frontends.c.ast import CProgram
    from revet.frontends.c.lower.program import Lowered

_INCLUDES = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[^<\s]', re.M)

_MOST_EDGES = 5000  # writing more of them down takes as long as validating


class Kept(msgspec.Struct):
    runs: int
    covered: int
    branches: int


def place_of(tree: CProgram, lowered: Lowered, entry: str) -> Path | None:
    """Where a validation of this program is remembered; None if it is not."""
    texts = [Path(file).read_bytes() for file in tree.files]
    if any(_INCLUDES.search(text) for text in texts) or len(lowered.cfa.edges) > _MOST_EDGES:
        return None
    toolchain = toolchain_for(tree.data_model)
    made = (
        __version__, wheel_version(), toolchain.name, *toolchain.compile, tree.data_model.name,
        lowered.arithmetic, lowered.orders.chosen, entry, *(one for unit in tree.arguments for one in unit),
    )
    key = hashlib.sha256("\0".join(made).encode())
    for text in texts:
        key.update(hashlib.sha256(text).digest())
    for edge in lowered.cfa.edges:
        key.update(f"{edge.source.name} {edge.target.name} {edge.statements}\n".encode())
    return cache_folder() / "validated" / f"{key.hexdigest()[:32]}.json"


def recall(place: Path | None) -> Kept | None:
    if place is None:
        return None
    try:
        return msgspec.json.decode(place.read_bytes(), type=Kept)
    except (OSError, msgspec.MsgspecError):
        return None


def keep(place: Path | None, found: Kept) -> None:
    if place is not None:
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(msgspec.json.encode(found))
