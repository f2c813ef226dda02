"""Boxes (``boxes``): programs with floats, by cases of what they draw, decided by intervals.

Papers: interval constraint solving by branch and prune (Van Hentenryck, McAllester, Kapur, *Solving
polynomial systems using a branch and prune approach*, 1997); for programs with floats D'Silva,
Haller, Kroening, Tautschnig, *Numeric bounds analysis with conflict-driven learning* (TACAS 2012),
whose programs are in SV-COMP as floats-cdfpl. Here there is no learning, only branching: a solver
that turns a product of two doubles into gates needs minutes for what a hundred intervals show.

==================================================  ==========================================
idea                                                where
==================================================  ==========================================
run the automaton with intervals for values         :class:`boxes.run.Runner`
arithmetic on intervals, exact at the ends          :mod:`boxes.intervals`
a run gets through: halve what its guards hang on   :meth:`boxes.search.Search.split`
... or it is real: try the middle of the box        :meth:`boxes.search.Search.real`
the tree of cases is the proof                      :class:`revet.result.Cases`
==================================================  ==========================================

Limits: loops end only where their guards are decided by intervals; integers are known as a few
values or not at all; floats other than ``float`` and ``double`` are unknown values.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from revet.engines.boxes.search import Search
from revet.engines.common.context import Context
from revet.engines.common.options import check_options
from revet.model.cfa import Cfa
from revet.result import Verdict


@dataclass(frozen=True)
class Options:
    """When to give up."""

    cases: int = field(default=20_000, metadata={"least": 1})
    """cases at most"""
    steps: int = field(default=20_000, metadata={"least": 1})
    """steps of the runs of one case at most"""

    def __post_init__(self) -> None:
        check_options(self)


def check(cfa: Cfa, options: Options, context: Context) -> Verdict:
    """See the package's text."""
    return Search(cfa, options.cases, options.steps, context).prove()
