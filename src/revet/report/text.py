"""Answers as text for a terminal. The last line is always ``verdict: …``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.program import Remarks, TellsInvariants, TellsRuns
from revet.report.circuit import render_circuit_trace
from revet.result.trace import CircuitTrace, Derivation, InputTrace
from revet.result.verdict import Safe, Unknown, Unsafe

if TYPE_CHECKING:
    from revet.driver.answer import Answer
    from revet.engines.common.context import Statistics
    from revet.model.kind import Model
    from revet.result.trace import Trace


_MOST = 100  # characters of a reason in the verdict line


def render(answer: Answer, *, stats: bool = False) -> str:
    """The whole report, ending with the verdict line."""
    program = answer.program
    parts: list[str] = []
    match answer.verdict:
        case Safe(certificate):
            if isinstance(program, TellsInvariants):
                parts.append(program.render_certificate(certificate))
            else:
                parts.append(certificate.text(program.model))
        case Unsafe(trace):
            if isinstance(program, TellsRuns):
                parts.append(program.render_trace(trace))
            else:
                parts.append(_trace(trace, program.model))
        case Unknown(reason, bound):
            parts.append(f"undecided: {reason}")
            if bound is not None:
                parts.append(f"known so far: no violation within {bound} steps")
    if answer.groups:
        parts.append(_groups(answer))
    if program.assumptions:
        parts.append("assuming\n" + "\n".join(f"  {line}" for line in program.assumptions))
    if isinstance(program, Remarks):
        parts.append("\n".join(program.remarks(answer.verdict)))
    parts.append(_how(answer))
    if stats:
        parts.append(render_statistics(answer))
    parts.append(verdict_line(answer))
    return "\n\n".join(part.rstrip("\n") for part in parts if part)


def _groups(answer: Answer) -> str:
    """A line for each portion of a question that was divided."""
    width = max(len(one.property_name or "") for one in answer.groups)
    lines = []
    for one in answer.groups:
        why = (one.reason or "").splitlines()
        how = why[0] if why else f"{one.engine}, {one.seconds:.2f} s"
        lines.append(f"  {one.property_name:<{width}}  {one.status} ({how})")
    return "asked one by one\n" + "\n".join(lines)


def _trace(trace: Trace, model: Model) -> str:
    if isinstance(trace, CircuitTrace):
        return render_circuit_trace(model, trace)
    if isinstance(trace, Derivation):
        from revet.report.horn import render_derivation

        return render_derivation(model, trace)
    assert not isinstance(trace, InputTrace), "only front ends that can run programs make these"
    from revet.report.trace import render_trace

    return render_trace(trace)


def verdict_line(answer: Answer) -> str:
    line = f"verdict: {answer.status}"
    if isinstance(answer.verdict, Unknown):
        first = answer.verdict.reason.strip().splitlines()
        return f"{line} ({_short(first[0]) if first else 'no reason given'})"
    if answer.status == "safe" and answer.program.left_out:
        return f"{line} ({', '.join(answer.program.left_out)} not checked)"
    reaching = answer.program.reaching
    if isinstance(answer.verdict, Unsafe):
        return f"{line} ({answer.verdict.trace.violated}{' is reached' if reaching else ''})"
    return f"{line} ({answer.property_name or 'it'} is never reached)" if reaching else line


def _short(reason: str) -> str:
    """So that the line fits a screen: the whole reason stands above it, or in ``--json``."""
    return reason if len(reason) <= _MOST else f"{reason[: _MOST - 1].rstrip()}…"


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
