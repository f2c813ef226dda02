"""Contracts of recursive procedures, found by z3's Spacer (``summaries``).

Papers: Komuravelli, Gurfinkel, Chaki, *SMT-based model checking for recursive programs* (CAV 2014)
for the solver; Bjørner, Gurfinkel, McMillan, Rybalchenko, *Horn clause solvers for program
verification* (2015) for the encoding; Reps, Horwitz, Sagiv, *Precise interprocedural dataflow
analysis via graph reachability* (POPL 1995) for the idea of a summary; Flanagan, Leino, *Houdini, an
annotation assistant for ESC/Java* (FME 2001) for contracts that are guessed.

=====================================================  ===========================================
idea                                                   where
=====================================================  ===========================================
all paths between calls and loop heads are one step    :func:`encode.steps_of`
a predicate a place, over entry values and variables   :class:`encode.Encoding`
who is called with what; what a procedure does         ``called`` and ``summary`` of the encoding
a model of the rules is a set of contracts             :meth:`encode.Encoding.certificate`
guesses instead of Spacer: the inductive ones          :class:`revet.invariants.clauses.ClauseHoudini`
=====================================================  ===========================================

A place's predicate holds of what can be *reached* there: the body of a procedure is entered only
with arguments that some call passes. So contracts need not hold for arguments that nobody uses.

Limits: proofs only. A derivation of the error says that there is a violation, but not which run it
is; the engines that unroll the calls find the run. Spacer has no floats and is weak on bit-vectors.
"""

from __future__ import annotations

from dataclasses import dataclass

from revet.engines.common.context import Context
from revet.engines.common.options import check_options
from revet.engines.summaries.encode import Encoding, encode
from revet.invariants.clauses import ClauseHoudini, bounds, cases, limits
from revet.logic.sorts import FloatSort
from revet.model.procedures import Procedures
from revet.result import Safe, Unknown, Verdict
from revet.smt.z3 import Z3
from revet.smt.z3.horn import Derivable, Refuted, Undecided


@dataclass(frozen=True)
class Options:
    """How Spacer runs."""

    guidance: bool = True
    """global guidance (spacer.global): lemmas are generalised by looking at their siblings"""
    guesses: bool = False
    """contracts are guessed and filtered (Houdini on the clauses), and Spacer is not asked"""

    def __post_init__(self) -> None:
        check_options(self)


def check(model: Procedures, options: Options, context: Context) -> Verdict:
    """Ask Spacer, and turn its model into contracts."""
    variables = (x for one in model.procedures.values() for x in one.cfa.variables)
    if any(isinstance(x.sort, FloatSort) for x in variables):
        return Unknown("Spacer has no floating point")
    backend = Z3()
    with context.stats.solving(backend):
        return _solve(model, options, context, backend)


def _solve(model: Procedures, options: Options, context: Context, backend: Z3) -> Verdict:
    with context.stats.phase("encode"):
        encoding = encode(model, backend, {"spacer.global": options.guidance})
    context.stats.counts["predicates"] = len(encoding.horn.predicates)
    if options.guesses:
        with context.stats.phase("guesses"):
            return _guessed(encoding, context, backend)
    with context.stats.phase("spacer"):
        answer = encoding.horn.query(encoding.error(), context.budget)
    match answer:
        case Refuted(found):
            return Safe(encoding.certificate(found))
        case Derivable():
            return Unknown("an error can be reached through recursive calls; unrolling shows the run")
        case Undecided(text):
            return Unknown(f"Spacer: {text}")


def _guessed(encoding: Encoding, context: Context, backend: Z3) -> Verdict:
    """Contracts of guessed formulas, if those that hold together suffice."""
    predicates, program = encoding.horn.predicates, encoding.program
    arguments = {symbol: one.arguments for symbol, one in predicates.items()}
    entries = {copy for one in program.procedures.values() for copy in program.entry_copies(one).values()}
    at = limits(encoding.clauses)
    houdini = ClauseHoudini(encoding.clauses, arguments, backend, context.budget)
    guesses = (
        {symbol: bounds(names, at) for symbol, names in arguments.items()},
        {symbol: cases(names, entries, at) for symbol, names in arguments.items()},
    )
    for candidates in guesses:
        houdini.filter(candidates)
        if houdini.excludes_errors():
            found = houdini.needed()
            return Safe(encoding.certificate({one: found[symbol] for symbol, one in predicates.items()}))
    return Unknown("the contracts that were guessed and hold do not exclude the errors")
