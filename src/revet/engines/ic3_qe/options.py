"""The options of ``ic3-qe``: each step of generalisation can be switched off, to measure it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

from revet.engines.common.options import check_options


class Generalization(Protocol):
    """What lemma tightening looks at."""

    @property
    def bounding_box(self) -> bool: ...
    @property
    def drop_literals(self) -> bool: ...
    @property
    def combine(self) -> bool: ...
    @property
    def stretch(self) -> bool: ...
    @property
    def blocked_states(self) -> int: ...


@dataclass(frozen=True)
class Options:
    """How ic3-qe generalises."""

    generalization: Literal["project", "cooper", "eliminate"] = "project"
    """predecessors: by z3's projection, by our Cooper projection, by exact elimination"""
    split_equalities: bool = True
    """write a = b as two inequalities in cubes, so that lemmas can keep one half"""
    bounding_box: bool = True
    """try to block the bounding box of a cube"""
    drop_literals: bool = True
    """drop literals of lemmas one by one after the unsat cores"""
    combine: bool = True
    """replace two inequalities of a lemma by a combination in which a variable cancels"""
    stretch: bool = True
    """move bounds of a lemma to the values that runs start with"""
    blocked_states: int = field(default=3, metadata={"least": 0})
    """counterexamples to generalisation blocked for one literal that is to be dropped"""

    def __post_init__(self) -> None:
        check_options(self)
