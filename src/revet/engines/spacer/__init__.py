"""z3's Spacer on the Horn encoding of the model (``spacer``).

Papers: Komuravelli, Gurfinkel, Chaki, *SMT-based model checking for recursive programs* (CAV
2014); Krishnan, Chen, Shoham, Gurfinkel, *Global guidance for local generalization in model
checking* (CAV 2020) for ``spacer.global``; Bjørner, Gurfinkel, McMillan, Rybalchenko, *Horn
clause solvers for program verification* (2015) for the encoding.

=========================================  ==============================================
idea                                       where
=========================================  ==============================================
one predicate a location, a rule a step    :mod:`spacer.encode`
a model of the rules is an invariant       :meth:`spacer.encode.Encoding.certificate`
a derivation is a run, inputs solved for   :mod:`spacer.runs`
Horn clauses as they are                   :mod:`spacer.clauses`
bit-vectors as if they were integers       :mod:`spacer.integers`
Booleans as control flow                   :mod:`revet.transform.horn_cases`
what z3 made up in a model, replaced       :mod:`spacer.models`
=========================================  ==============================================

What Spacer says is evidence like any other and is checked by the driver.

Limits: Spacer has no floats and no uninterpreted functions; on bit-vectors and non-linear
terms it is weak. When a derivation cannot be read, the run is searched for by unrolling.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from revet.engines.common.context import Context
from revet.engines.common.options import check_options
from revet.engines.common.supported import Construct, obstacle
from revet.engines.spacer.clauses import check_clauses
from revet.engines.spacer.encode import encode
from revet.engines.spacer.integers import check_as_integers
from revet.engines.spacer.runs import Gap, run_of, searched_run
from revet.errors import Unsupported
from revet.events import Note
from revet.model.cfa import Cfa
from revet.model.horn import HornSystem
from revet.model.system import TransitionSystem
from revet.result import Safe, Unknown, Unsafe, Verdict
from revet.smt.z3 import Z3
from revet.smt.z3.horn import Derivable, Refuted, Undecided
from revet.transform.horn_cases import split_cases

_REFUSED = (Construct.FLOAT, Construct.UNINTERPRETED, Construct.QUANTIFIER)


@dataclass(frozen=True)
class Options:
    """How Spacer runs."""

    guidance: bool = True
    """global guidance (spacer.global): lemmas are generalised by looking at their siblings"""
    preprocess: bool = False
    """let z3 inline and slice predicates before solving"""
    integers: bool = False
    """Horn clauses over bit-vectors: as if these were integers; an answer counts if it holds for bits, too"""
    cases: bool = False
    """Horn clauses: one predicate for each value that its Boolean arguments have, where these are few"""

    def __post_init__(self) -> None:
        check_options(self)


def check(model: Cfa | TransitionSystem | HornSystem, options: Options, context: Context) -> Verdict:
    """Ask Spacer, and turn its answer into a certificate or a run."""
    if isinstance(model, HornSystem):
        return _on_clauses(model, options, context)
    found = obstacle(model, _REFUSED)
    if found is not None:
        return found.refusal("Spacer")
    backend = Z3()
    with context.stats.solving(backend):
        return _solve(model, options, context, backend)


def _on_clauses(system: HornSystem, options: Options, context: Context) -> Verdict:
    if options.cases:
        try:
            with context.stats.phase("cases"):
                reduction = split_cases(system)
        except Unsupported as reason:
            return Unknown(str(reason))
        context.stats.counts["predicates"] = len(reduction.model.predicates)
        return reduction.verdict_back(_on_clauses(reduction.model, replace(options, cases=False), context))
    parameters = {"spacer.global": options.guidance}
    if options.integers:
        return check_as_integers(system, parameters, context, preprocess=options.preprocess)
    backend = Z3()
    with context.stats.solving(backend):
        return check_clauses(system, parameters, context, backend, preprocess=options.preprocess)


def _solve(model: Cfa | TransitionSystem, options: Options, context: Context, backend: Z3) -> Verdict:
    with context.stats.phase("encode"):
        encoding = encode(
            model, backend, {"spacer.global": options.guidance}, keep_predicates=not options.preprocess
        )
    context.stats.counts["predicates"] = len(encoding.places)
    with context.stats.phase("spacer"):
        answer = encoding.horn.query(encoding.error(), context.budget)
    match answer:
        case Refuted(found):
            return Safe(encoding.certificate(found))
        case Derivable(facts):
            with context.stats.phase("run"):
                try:
                    return Unsafe(run_of(encoding, facts, backend, context.budget))
                except Gap as gap:
                    context.observe(Note("spacer", f"derivation not usable ({gap}); unrolling"))
                    return searched_run(encoding, backend, context.budget)
        case Undecided(text):
            return Unknown(f"Spacer: {text}")
