"""Houdini (``houdini``): guess many invariants for each location, keep those that are inductive.

Papers: Flanagan, Leino, *Houdini, an annotation assistant for ESC/Java* (FME 2001). It is the
oldest way to find loop invariants and still a good first try: it cannot diverge, since there is
only a finite number of candidates and each counterexample removes some.

=================================================  ==========================================
idea                                               where
=================================================  ==========================================
candidates from the program's text                 :mod:`revet.invariants.candidates`
... about watched array cells (``--array-cells``)  :mod:`revet.invariants.cells`
the largest inductive subset                       :class:`revet.invariants.houdini.AutomatonHoudini`
the part of it that the proof needs                :meth:`revet.invariants.houdini.AutomatonHoudini.needed`
=================================================  ==========================================

With ``--array-cells`` an automaton has *parameters*, variables that no edge changes, and the
interesting candidates are of the form "if k lies between here and there, then a[k] = b[k]".

Limits: candidates are about integers, reals and Booleans; when they are not enough, the answer is
unknown, at once. It finds no violations.
"""

from __future__ import annotations

from dataclasses import dataclass

from revet.engines.common.context import Context
from revet.engines.common.options import check_options
from revet.events import InvariantFound, Note
from revet.invariants.candidates import Candidates
from revet.invariants.cells import about_cells, claims_about_order, claims_of_the_program
from revet.invariants.houdini import AutomatonHoudini
from revet.model.cfa import Cfa
from revet.result import LocationInvariants, Safe, Unknown, Verdict
from revet.smt.z3 import Z3


@dataclass(frozen=True)
class Options:
    """What is guessed."""

    limit: int = 3000
    """candidates at most, for each location and round"""

    def __post_init__(self) -> None:
        check_options(self)


def check(cfa: Cfa, options: Options, context: Context) -> Verdict:
    """Guess, filter, and see whether the rest excludes the errors."""
    backend = Z3()
    with context.stats.solving(backend):
        return _prove(cfa, options, context, backend)


def _prove(cfa: Cfa, options: Options, context: Context, backend: Z3) -> Verdict:
    found = Candidates(cfa)
    houdini = AutomatonHoudini(cfa, backend, context.budget)
    rounds = (
        ("facts", found.facts),
        ("cells", lambda: about_cells(found, claims_of_the_program(found))),
        ("order", lambda: about_cells(found, claims_about_order(found))),
    )
    for name, round_ in rounds:
        with context.stats.phase(name):
            candidates = round_()[: options.limit]
            context.observe(Note("houdini", f"{len(candidates)} candidates ({name}) for each location"))
            context.stats.counts["candidates"] += len(candidates)
            houdini.filter(candidates)
            context.stats.counts["rounds"] = houdini.rounds
            if houdini.excludes_errors():
                formulas = houdini.needed()
                context.stats.counts["lemmas"] = len(formulas)
                return Safe(LocationInvariants(formulas))
    for location, kept in houdini.kept.items():
        for formula in kept:
            context.observe(InvariantFound("houdini", formula, location.name))
    total = sum(map(len, houdini.kept.values()))
    return Unknown(f"{total} invariants found; they do not exclude the errors")
