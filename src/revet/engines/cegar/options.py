"""Options of ``cegar``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from revet.engines.common.options import check_options


@dataclass(frozen=True)
class Options:
    domain: Literal["product", "predicates", "explicit"] = "product"
    """What an abstract state says: truth of predicates, values of variables, or both."""
    blocks: Literal["auto", "true", "false"] = "auto"
    """Explore large blocks or single statements; auto: both in turn, values first."""
    abstraction: Literal["boolean", "cartesian"] = "boolean"
    """Any combination of predicates, or a conjunction of them."""
    negations: bool = True
    """A state may also say that a predicate is false (the textbook's Cartesian one does not)."""
    sharing: Literal["global", "location"] = "global"
    """Where a variable is tracked: everywhere it is live, or on the paths that needed it."""
    search: Literal["breadth", "depth"] = "breadth"
    """Which abstract states are explored first."""
    refine: bool = True
    """Find predicates and variables from infeasible paths; false: stop at the first such path."""
    predicates: str = ""
    """Predicates to start from, as an SMT-LIB script; ``--predicates`` writes it."""
    explain: bool = False
    """Report the abstract reachability tree at every refinement and at the end."""
    max_values: int = field(default=64, metadata={"least": 1})
    """A variable with more values than this at one location is not tracked any more."""
    max_cubes: int = field(default=128, metadata={"least": 1})
    """A Boolean abstraction with more cubes than this becomes Cartesian for this step."""

    def __post_init__(self) -> None:
        check_options(self)
