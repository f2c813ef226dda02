"""Options of lifted PDR."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from revet.engines.common.options import check_options


@dataclass(frozen=True)
class Options:
    levels: Literal["back-edges", "edges"] = "back-edges"
    """What a level counts; ``edges`` is the lifted algorithm as first published."""
    unsat_cores: bool = True
    """Keep only the literals that the solver needed."""
    drop_literals: bool = True
    """Drop literals from blocked cubes while they stay blocked."""
    syntactic: bool = True
    """Drop literals that no incoming edge touches and that its guard or frame has anyway."""
    interpolate: Literal["no", "diverging", "always"] = "diverging"
    """Blocked cubes from interpolants between frame and obligation: new atoms, at a price;
    ``diverging`` asks for them where a location collects lemma after lemma."""
    predecessors: Literal["projection", "normal-form"] = "projection"
    """Around one model, or all cubes of the weakest precondition as long as they are few."""
    split_equalities: bool = True
    """Turn ``t = c`` in cubes into two inequalities, which generalise separately."""
    weaken_bounds: bool = True
    """Try the program's own constants as weaker bounds in blocked cubes."""
    propagate: bool = True
    """Push lemmas to higher levels when a level is done."""
    explain: bool = False
    """Report the table of frames (levels × locations) after every phase."""
    max_level: int | None = field(default=None, metadata={"least": 0})
    """Give up after this level."""

    def __post_init__(self) -> None:
        check_options(self)
