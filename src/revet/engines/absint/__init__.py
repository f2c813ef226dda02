"""Abstract interpretation with constants, signs, intervals, congruences and octagons, forward and backward.

Papers
    Cousot, Cousot: *Abstract interpretation: a unified lattice model …* (POPL 1977), and their
    *Static determination of dynamic properties of programs* (1976) for intervals.
    Kildall: *A unified approach to global program optimization* (POPL 1973) for constants.
    Granger: *Static analysis of arithmetical congruences* (1989).
    Miné: *The octagon abstract domain* (2006); his thesis for packs of variables.
    Bourdoncle: *Efficient chaotic iteration strategies with widenings* (1993).

Idea → where
    domains: sets of numbers and what operators do to them    ``constants``, ``signs``, ``intervals``,
                                                              ``congruences``, ``product`` (the last three)
    what a domain must provide                                ``domain``
    states: variable → value, the non-relational lift         ``states``
    assignments and conditions                                ``transfer``
    octagons: closure, join, widening, narrowing              ``octagon``
    which variables share an octagon                          ``packs``
    states with octagons, assignments, conditions             ``relational``, ``conditions``, ``linear``
    what the iteration needs of states                        ``lattice``
    iteration order                                           ``order``
    fixpoint, widening, narrowing; usable as a library        ``analysis``
    from which states an error can be reached                 ``backward``

Invariants kept
    * Every state contains all concrete states in which a run is at the location.
    * The states are a post-fixpoint, so their formulas are an inductive annotation and a
      certificate that the checker accepts edge by edge.

Deviations
    Heads of components only widen; thresholds are the constants of the loop's own conditions.

Limits
    Relations are sums and differences of two variables of one sort that the program compares or assigns.
    Bit-vectors, floats and arrays are unknown. Reals have closed intervals only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from revet.engines.absint.analysis import Analysis, DomainName, analyse
from revet.engines.common.context import Context
from revet.events import Arrow, Box, Explained, InvariantFound, Note, ignore
from revet.logic.core import and_, not_
from revet.logic.terms import TRUE
from revet.model.cfa import Cfa, Location
from revet.result import LocationInvariants, Safe, Unknown, Verdict

_WORDS = {
    "product": "signs, intervals and congruences",
    "relational": "octagons, signs, intervals and congruences",
}


@dataclass(frozen=True)
class Options:
    domain: DomainName = "relational"
    """constants, signs, intervals, congruences, product (the last three together), octagons (with
    intervals), or relational: octagons and the product"""

    widening_delay: int = 2
    """how often a loop head is joined before it is widened"""

    narrowing: int = 2
    """rounds downwards after the fixpoint"""

    thresholds: bool = True
    """widen to constants of the loop's conditions before widening to infinity"""

    direction: Literal["forward", "backward", "both"] = "forward"
    """from where runs start, from the errors backwards, or first the one and then the other within it"""

    explain: bool = False
    """report the values at the locations after every round"""


def check(cfa: Cfa, options: Options, context: Context) -> Verdict:
    """See :mod:`revet.engines.absint`."""
    if options.direction == "backward":
        return _backward(cfa, options, context, None)
    analysis = _analysed(cfa, options, context)
    if context.observe is not ignore:
        _announce(analysis, context)
    open_ = [error for error in cfa.errors if analysis.states[error] is not None]
    if not open_:
        return Safe(LocationInvariants({at: analysis.formula(at) for at in cfa.locations}))
    if options.direction == "both":
        return _backward(cfa, options, context, analysis)
    known = "; ".join(f"{error.name}: {analysis.show(error)}" for error in open_[:3])
    more = f"; and {len(open_) - 3} more" if len(open_) > 3 else ""
    return Unknown(f"the {_WORDS.get(options.domain, options.domain)} do not exclude {known}{more}")


def _analysed(cfa: Cfa, options: Options, context: Context, **how: Any) -> Analysis:
    backward = bool(how.get("backward"))

    def watch(title: str, analysis: Analysis) -> None:
        context.observe(explained(f"{'backward' if backward else 'forward'}, {title}", analysis, backward))

    with context.stats.phase("analysis"):
        return analyse(
            cfa,
            options.domain,
            widening_delay=options.widening_delay,
            narrowing=options.narrowing,
            thresholds=options.thresholds,
            budget=context.budget,
            watch=watch if options.explain else None,
            **how,
        )


def _backward(cfa: Cfa, options: Options, context: Context, forward: Analysis | None) -> Verdict:
    """What cannot reach an error (among what can be reached, if that is known) is inductive."""
    within = None if forward is None else forward.states
    found = _analysed(cfa, options, context, backward=True, within=within)
    start = found.lattice.start(cfa.precondition)
    if found.lattice.meet(start, found.states[cfa.initial]) is not None:
        reason = f"an error may be reached from {cfa.initial.name}: {found.show(cfa.initial)}"
        words = _WORDS.get(options.domain, options.domain)
        return Unknown(f"the {words} do not exclude it backwards: {reason}")
    formulas = {at: not_(found.formula(at)) for at in cfa.locations if at not in cfa.errors}
    if forward is not None:
        formulas = {at: and_(forward.formula(at), formula) for at, formula in formulas.items()}
    return Safe(LocationInvariants(formulas))


def explained(title: str, analysis: Analysis, backward: bool = False) -> Explained:
    """The values at every location, and the automaton with them in its boxes (backward: turned around)."""
    cfa = analysis.cfa
    errors = set(cfa.errors)

    def shown(at: Location) -> str:
        return "no way to an error" if backward and analysis.states[at] is None else analysis.show(at)

    width = max(len(at.name) for at in cfa.locations)
    text = "\n".join(f"{at.name:<{width}}  {shown(at)}" for at in cfa.locations)
    kinds = {cfa.initial: "initial", **dict.fromkeys(errors, "error")}
    boxes = [Box(at.name, at.name, (shown(at),), kinds.get(at, "")) for at in cfa.locations]
    arrows = [Arrow(edge.source.name, edge.target.name, str(edge)) for edge in cfa.edges]
    return Explained("absint", title, text, tuple(boxes), tuple(arrows))


def _announce(analysis: Analysis, context: Context) -> None:
    context.observe(Note("absint", "values at the locations:\n" + analysis.report()))
    for location in analysis.cfa.locations:
        formula = analysis.formula(location)
        if formula is not TRUE:
            context.observe(InvariantFound("absint", formula, location.name))


__all__ = ["Analysis", "Options", "analyse", "check"]
