"""Options of exact reachability."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from revet.engines.common.options import check_options


@dataclass(frozen=True)
class Options:
    subsumption: Literal["image", "layer"] = "image"
    """Drop every image that is known already, or (as in the notes) only whole layers of them."""
    most_cubes: int = field(default=32, metadata={"least": 1})
    """Images whose normal form has more cubes stay one formula."""
    explain: bool = False
    """Report every layer and the disjunction so far."""
    max_layers: int | None = field(default=None, metadata={"least": 0})
    """Give up after so many post images in a row."""

    def __post_init__(self) -> None:
        check_options(self)
