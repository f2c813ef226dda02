"""Answers as text for a terminal. The last line is always ``verdict: …``."""

from __future__ import annotations

from revet.model.circuit import Circuit
from revet.report.circuit import render_circuit_invariant, render_circuit_trace
from revet.result.certificate import (
    Cases,
    CircuitInvariant,
    Exhausted,
    KInductive,
    LocationInvariants,
    OnlyRun,
    ProcedureContracts,
)
from revet.result.trace import CircuitTrace, InputTrace
from revet.result.verdict import Safe, Unknown, Unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from revet.driver.answer import Answer
    from revet.engines.context import Statistics
    from revet.result.certificate import (
        Certificate,
    )
    from revet.result.trace import Trace


def render(answer: Answer, *, stats: bool = False) -> str:
    """The whole report, ending with the verdict line."""
    program = answer.program
    parts: list[str] = []
    match answer.verdict:
        case Safe(certificate):
            show = program.render_certificate
            parts.append(show(certificate) if show else render_certificate(certificate, program.model))
        case Unsafe(trace):
            draw = program.render_trace
            parts.append(draw(trace) if draw else _trace(trace, program.model))
        case Unknown(reason, bound):
            parts.append(f"undecided: {reason}")
            if bound is not None:
                parts.append(f"known so far: no violation within {bound} steps")
    if program.assumptions:
        parts.append("assuming\n" + "\n".join(f"  {line}" for line in program.assumptions))
    parts.append(_how(answer))
    if stats:
        parts.append(render_statistics(answer))
    parts.append(verdict_line(answer))
    return "\n\n".join(part.rstrip("\n") for part in parts if part)


def _trace(trace: Trace, model: object) -> str:
    if isinstance(trace, CircuitTrace):
        assert isinstance(model, Circuit)
        return render_circuit_trace(model, trace)
    assert not isinstance(trace, InputTrace), "only front ends that can run programs make these"
    from revet.report.trace import render_trace

    return render_trace(trace)


def verdict_line(answer: Answer) -> str:
    line = f"verdict: {answer.status}"
    if isinstance(answer.verdict, Unknown):
        first = answer.verdict.reason.strip().splitlines()
        return f"{line} ({first[0] if first else 'no reason given'})"
    if isinstance(answer.verdict, Unsafe):
        return f"{line} ({answer.verdict.trace.violated})"
    return line


def _how(answer: Answer) -> str:
    lines = [f"engine   {answer.engine}, {answer.seconds:.2f} s"]
    queries = answer.stats.counts.get("queries")
    if queries:
        lines[0] += f", {queries} solver queries"
    if answer.checked is not None:
        for number, note in enumerate(answer.checked.notes):
            lines.append(("checked  " if number == 0 else "         ") + note)
        lines[-1] += f" ({answer.checked.seconds:.2f} s)"
    return "\n".join(lines)


def render_statistics(answer: Answer) -> str:
    """Counters and times of the configuration that answered, then a line for each that took part."""
    rows = _statistics_rows(answer.stats)
    if answer.checked is not None:
        rows.append(("seconds: check", f"{answer.checked.seconds:.3f}"))
    if answer.peak_memory:
        rows.append(("peak memory of all processes, MB", str(answer.peak_memory >> 20)))
    lines = ["statistics", *_columns(rows)]
    if len(answer.participants) > 1:
        for one in answer.participants:
            lines.append(f"{one.name}: {one.outcome.splitlines()[0] if one.outcome else 'ended'}")
            used = [("CPU seconds", f"{one.cpu_seconds:.2f}"), ("peak memory, MB", str(one.memory >> 20))]
            lines += _columns(used + _statistics_rows(one.stats))
    return "\n".join(lines)


def _statistics_rows(statistics: Statistics) -> list[tuple[str, str]]:
    rows = [(name, str(count)) for name, count in sorted(statistics.counts.items())]
    return rows + [(f"seconds: {name}", f"{value:.3f}") for name, value in statistics.seconds.items()]


def _columns(rows: list[tuple[str, str]]) -> list[str]:
    width = max((len(name) for name, _ in rows), default=0)
    return [f"  {name:{width}}  {value}" for name, value in rows]


def render_certificate(certificate: Certificate, model: object) -> str:
    """Invariants as formulas, one line a location."""
    match certificate:
        case KInductive(formula, k, simple_path):
            how = "inductive invariant" if k == 1 else f"{k}-inductive invariant"
            how += " over different states" if simple_path else ""
            return f"{how}\n  {formula}"
        case LocationInvariants(formulas, k):
            from revet.model.cfa import Cfa

            how = "inductive invariant" if k == 1 else f"{k}-inductive invariant"
            errors = set(model.errors) if isinstance(model, Cfa) else set()
            rows = [(loc, formula) for loc, formula in formulas.items() if loc not in errors]
            if not rows:
                return "no run reaches an error location: the automaton's paths all end before"
            names = [
                f"{loc.name} (line {loc.position.line})" if loc.position else loc.name for loc, _ in rows
            ]
            width = max(len(name) for name in names)
            lines = [f"  {name:{width}}  {formula}" for name, (_, formula) in zip(names, rows, strict=True)]
            return f"{how}\n" + "\n".join(lines)
        case CircuitInvariant():
            assert isinstance(model, Circuit)
            return render_circuit_invariant(model, certificate)
        case ProcedureContracts(contracts):
            return "contracts of the procedures\n" + "\n".join(
                f"  {name} requires {contract.requires}\n  {name} ensures {contract.ensures}"
                for name, contract in contracts.items()
            )
        case Exhausted():
            return exhausted_text(certificate)
        case OnlyRun(steps):
            return f"the program reads nothing, and its only run ends after {steps} steps"
        case Cases():
            return f"in each of {certificate.leaves} cases of what is drawn, intervals exclude the error"


def exhausted_text(certificate: Exhausted) -> str:
    """What a proof by exhaustion says, in a sentence."""
    where = "backwards from the error" if certificate.backward else "from the start"
    runs = "every run that repeats no state" if certificate.simple_path else "every run"
    return f"{runs}, followed {where}, has ended after {certificate.depth} steps"


