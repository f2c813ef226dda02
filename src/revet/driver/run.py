"""Run one engine on one program in this process, and confirm what it says.

The portfolio runs :func:`run_engine` and :func:`confirm_found` in processes of their own.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from revet.budget import OutOfBudget
from revet.checker.certificate import check_certificate
from revet.checker.replay import ReplayError, replay
from revet.driver.answer import Answer, Checked
from revet.driver.prepare import Preparation, prepare
from revet.engines.common.context import Context
from revet.engines.registry import engine
from revet.errors import Unsupported
from revet.events import BoundReached
from revet.frontends.program import (
    Explores,
    HasOnlyRun,
    HasProcedures,
    Mistranslated,
    ReplayFailed,
    ValidatesTranslation,
)
from revet.result.trace import InputTrace
from revet.result.verdict import Safe, Unknown, Unsafe
from revet.smt.errors import SolverError
from revet.transform.reduction import NoControl

if TYPE_CHECKING:
    from typing import Any

    from revet.budget import Budget
    from revet.events import Event, Observer
    from revet.frontends.program import Program
    from revet.result.certificate import Certificate
    from revet.result.verdict import Verdict


class _Watcher:
    """Passes events on and remembers the deepest bound, for when time runs out."""

    def __init__(self, observe: Observer) -> None:
        self._observe = observe
        self.bound: int | None = None

    def __call__(self, event: Event) -> None:
        if isinstance(event, BoundReached):
            self.bound = event.depth
        self._observe(event)


_PROCEDURES_SECONDS = 60.0  # for contracts, when there is no limit


def run_engine(
    program: Program, name: str, options: Any, context: Context, how: Preparation | None = None
) -> Verdict:
    """The engine's verdict, carried back to ``program.model``; *not* confirmed yet."""
    info = engine(name)
    module = info.load()
    watcher = _Watcher(context.observe)
    context.observe = watcher
    some_runs = how is not None and (how.few_numbers or how.quiet or how.narrow)
    try:
        if info.takes == "procedures":
            return _on_procedures(program, module.check, options or module.Options(), context)
        if info.procedures and _may_prove(how) and isinstance(program, HasProcedures) and program.recursive:
            proof = _contracts(program, module.check_procedures, options or module.Options(), context)
            if proof is not None:
                return proof
        if info.takes == "program":
            if not isinstance(program, Explores):
                return Unknown(f"there is no way to run a {program.language} program with random inputs")
            with context.stats.phase("engine"):
                found: Verdict = module.check(program, options or module.Options(), context)
            return found
        if some_runs:  # what holds of them bounds nothing
            context.observe = lambda event: None if isinstance(event, BoundReached) else watcher(event)
        with context.stats.phase("reduce"):
            reduction = prepare(program.model, info, how or Preparation())
        with context.stats.phase("engine"):
            verdict: Verdict = module.check(reduction.model, options or module.Options(), context)
        if isinstance(verdict, Unknown):
            verdict = _placed(program, verdict)
            if some_runs:
                verdict = Unknown(verdict.reason, None, verdict.about)
        with context.stats.phase("carry back"):
            return reduction.verdict_back(verdict)
    except OutOfBudget as stop:
        return Unknown(str(stop), watcher.bound)
    except MemoryError:
        return Unknown("out of memory", watcher.bound)
    except SolverError as error:
        return Unknown(f"the solver failed: {error}", watcher.bound)
    except NoControl as reason:
        return Unknown(str(reason))


def _placed(program: Program, refusal: Unknown) -> Unknown:
    """With the place in the source of what an engine cannot treat: only the automaton has places, and
    the engine may have seen something else."""
    from revet.logic.walk import subterms

    cfa, about = program.model.as_automaton(), refusal.about
    if about is None or cfa is None:
        return refusal
    for edge in cfa.edges:
        relation = cfa.relation(edge)
        if edge.position is not None and about in subterms(
            relation.guard, *relation.updates, *relation.updates.values()
        ):
            return Unknown(f"{refusal.reason} ({edge.position})", refusal.bound)
    return refusal


def _may_prove(how: Preparation | None) -> bool:
    """Is the whole program asked about, and not a simpler one?"""
    return how is None or not (how.few_numbers or how.array_cells)


def _contracts(program: Program, check: Any, options: Any, context: Context) -> Safe | None:
    """A proof by contracts in half of the time, if there is one."""
    left, whole = context.budget.remaining(), context.budget
    try:
        with whole.part(_PROCEDURES_SECONDS if left is None else left / 2) as part:
            context.budget = part
            verdict = _on_procedures(program, check, options, context)
    except OutOfBudget:
        whole.poll()
        return None
    finally:
        context.budget = whole
    return verdict if isinstance(verdict, Safe) else None


def _on_procedures(program: Program, check: Any, options: Any, context: Context) -> Verdict:
    if not isinstance(program, HasProcedures) or not program.recursive:
        return Unknown("the program has no recursive procedures, or they use more than scalars")
    with context.stats.phase("reduce"):
        try:
            model = program.procedures()
        except Unsupported as reason:
            return Unknown(str(reason))
    with context.stats.phase("engine"):
        verdict: Verdict = check(model, options, context)
    return verdict


def is_complete(program: Program, verdict: Verdict, checked: Checked | None = None) -> bool:
    """Does a confirmed *safe* speak of all runs, also of those beyond the model's open ends?"""
    if not isinstance(verdict, Safe):
        return False
    closed = checked is not None and checked.closed
    return closed or not program.open_ends or verdict.certificate.about != "model"


def confirm_claim(program: Program, verdict: Verdict, budget: Budget) -> tuple[Verdict, Checked | None]:
    """Check evidence that comes from outside (a file, the cache): *safe* must hold for all runs, so a
    certificate about the model must exclude the model's open ends, too."""
    closing = isinstance(verdict, Safe) and not is_complete(program, verdict)
    return confirm(program.closed() if closing else program, verdict, budget)


def confirm_found(program: Program, verdict: Verdict, budget: Budget) -> tuple[Verdict, Checked | None]:
    """Check an engine's evidence. Where the model has open ends, the certificate may exclude these as it
    stands, and then nobody need search for another one (``Checked.closed``)."""
    if isinstance(verdict, Safe) and not is_complete(program, verdict):
        found, checked = confirm(program.closed(), verdict, budget)
        if isinstance(found, Safe) and checked is not None:
            return found, Checked(True, checked.notes, checked.seconds, closed=True)
    return confirm(program, verdict, budget)


def confirm(program: Program, verdict: Verdict, budget: Budget) -> tuple[Verdict, Checked | None]:
    """Check the evidence; what is not confirmed becomes *unknown*."""
    start = time.perf_counter()
    try:
        match verdict:
            case Unknown():
                return verdict, None
            case Safe(certificate):
                report = check_certificate(_subject(program, certificate), certificate, budget=budget)
                checked = Checked(report.accepted, (str(report),), time.perf_counter() - start)
                if not report.accepted:
                    return Unknown(f"the certificate was not accepted: {report}"), checked
                notes = (str(report), *_validated(program, certificate, budget))
                return verdict, Checked(True, notes, time.perf_counter() - start)
            case Unsafe(trace):
                if isinstance(trace, InputTrace):  # that one is about the source alone
                    _require_asked_for(program, trace)
                else:
                    replay(program.model, trace, quantifiers=not program.judges_quantifiers)
                notes = tuple(program.replay(trace, budget))
                return verdict, Checked(True, notes, time.perf_counter() - start)
    except (ReplayError, ReplayFailed) as error:
        checked = Checked(False, (str(error),), time.perf_counter() - start)
        return Unknown(f"the counterexample could not be replayed: {error}"), checked
    except Mistranslated as error:
        checked = Checked(False, (str(error),), time.perf_counter() - start)
        return Unknown(f"the proof may be about another program: {error}"), checked
    except OutOfBudget:
        return Unknown("time ran out while the evidence was checked"), None
    except SolverError as error:
        return Unknown(f"the solver failed while the evidence was checked: {error}"), None
    except Unsupported as error:  # contracts, and a program that has changed since they were found
        return Unknown(f"the procedures of the program are not modelled: {error}"), None


def _subject(program: Program, certificate: Certificate) -> Any:
    """What the certificate speaks of."""
    match certificate.about:
        case "procedures" if isinstance(program, HasProcedures):
            return program.procedures()
        case "source" if isinstance(program, HasOnlyRun):
            return program.only_run
        case _:
            return program.model


def _validated(program: Program, certificate: Certificate, budget: Budget) -> tuple[str, ...]:
    """What runs of the real program say about the model that the proof is about."""
    if not isinstance(program, ValidatesTranslation):
        return ()
    note = program.validate(certificate, budget)
    return (note,) if note is not None else ()


def _require_asked_for(program: Program, trace: InputTrace) -> None:
    if trace.violated not in program.model.property_names:
        raise ReplayFailed(f"the run breaks {trace.violated}, which is not in question")


def solve(
    program: Program,
    name: str,
    options: Any = None,
    context: Context | None = None,
    how: Preparation | None = None,
) -> Answer:
    """Run one engine and confirm its answer, all in this process."""
    context = context or Context()
    start = time.perf_counter()
    verdict = run_engine(program, name, options, context, how)
    verdict, checked = confirm_found(program, verdict, context.budget)
    if isinstance(verdict, Safe) and not is_complete(program, verdict, checked):
        closed = solve(program.closed(), name, options, context, how)
        if closed.status != "safe":
            verdict, checked = Unknown(program.beyond()), None
    return Answer(program, verdict, name, checked, time.perf_counter() - start, context.stats)
