"""Abstract interpretation with constants, signs and intervals.

Papers
    Cousot, Cousot: *Abstract interpretation: a unified lattice model …* (POPL 1977), and their
    *Static determination of dynamic properties of programs* (1976) for intervals.
    Kildall: *A unified approach to global program optimization* (POPL 1973) for constants.
    Bourdoncle: *Efficient chaotic iteration strategies with widenings* (1993).

Idea → where
    domains: sets of numbers and what operators do to them    ``constants``, ``signs``, ``intervals``,
                                                              ``product`` (intervals with signs)
    what a domain must provide                                ``domain``
    states: variable → value, the non-relational lift         ``states``
    assignments and conditions                                ``transfer``
    iteration order                                           ``order``
    fixpoint, widening, narrowing; usable as a library        ``analysis``

Invariants kept
    * Every state contains all concrete states in which a run is at the location.
    * The states are a post-fixpoint, so their formulas are an inductive annotation and a
      certificate that the checker accepts edge by edge.

Deviations
    Heads of components only widen; thresholds are the constants of the loop's own conditions.

Limits
    Non-relational: no ``x = y``, no ``x + y <= 10``. Bit-vectors, floats and arrays are unknown.
    Reals have closed intervals only.
"""

from __future__ import annotations

from dataclasses import dataclass

from revet.engines.absint.analysis import Analysis, DomainName, analyse
from revet.engines.context import Context
from revet.events import InvariantFound, Note, ignore
from revet.logic.terms import TRUE
from revet.model.cfa import Cfa
from revet.result import LocationInvariants, Safe, Unknown, Verdict


@dataclass(frozen=True)
class Options:
    domain: DomainName = "product"
    """constants, signs, intervals, or product: intervals and signs together"""

    widening_delay: int = 2
    """how often a loop head is joined before it is widened"""

    narrowing: int = 2
    """rounds downwards after the fixpoint"""

    thresholds: bool = True
    """widen to constants of the loop's conditions before widening to infinity"""


def check(cfa: Cfa, options: Options, context: Context) -> Verdict:
    """See :mod:`revet.engines.absint`."""
    with context.stats.phase("analysis"):
        analysis = analyse(
            cfa,
            options.domain,
            widening_delay=options.widening_delay,
            narrowing=options.narrowing,
            thresholds=options.thresholds,
            budget=context.budget,
        )
    if context.observe is not ignore:
        _announce(analysis, context)
    open_ = [error for error in cfa.errors if analysis.states[error] is not None]
    if not open_:
        return Safe(LocationInvariants({at: analysis.formula(at) for at in cfa.locations}))
    known = "; ".join(f"{error.name}: {analysis.show(error)}" for error in open_[:3])
    more = f"; and {len(open_) - 3} more" if len(open_) > 3 else ""
    return Unknown(f"the {options.domain} do not exclude {known}{more}")


def _announce(analysis: Analysis, context: Context) -> None:
    context.observe(Note("absint", "values at the locations:\n" + analysis.report()))
    for location in analysis.cfa.locations:
        formula = analysis.formula(location)
        if formula is not TRUE:
            context.observe(InvariantFound("absint", formula, location.name))


__all__ = ["Analysis", "Options", "analyse", "check"]
