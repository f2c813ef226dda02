"""Answers as plain data: the documented, versioned JSON of ``--json`` (docs/json.md)."""

from __future__ import annotations

from typing import Any

from revet import __version__
from revet.driver.answer import Answer, Participant
from revet.engines.common.context import Statistics
from revet.errors import Position
from revet.frontends.kit.source_run import SourceRun, SourceStep
from revet.frontends.program import Property, Remarks, ReplayFailed, TellsRuns
from revet.logic.pretty import format_value
from revet.report import SCHEMA
from revet.result.trace import CfaTrace, CircuitTrace, Derivation, InputTrace, State, SystemTrace, Trace
from revet.result.verdict import Safe, Unknown, Unsafe


def answer_data(answer: Answer) -> dict[str, Any]:
    """One object; keys are stable within a schema version."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "tool": {"name": "revet", "version": __version__},
        "files": [str(path) for path in answer.program.files],
        "language": answer.program.language,
        **({"settings": answer.program.settings} if answer.program.settings else {}),
        "property": answer.property_name,
        "properties": [_property(one) for one in answer.program.properties],
        "verdict": answer.status,
        **({"question": "reachability"} if answer.program.reaching else {}),
        "engine": answer.engine,
        "seconds": round(answer.seconds, 3),
        "assumptions": list(answer.program.assumptions),
        "statistics": _statistics(answer.stats),
    }
    if answer.program.left_out:
        data["not_checked"] = list(answer.program.left_out)
    if answer.groups:
        data["groups"] = [_group(one) for one in answer.groups]
    if answer.participants:
        data["peak_memory"] = answer.peak_memory
        data["participants"] = [_participant(one) for one in answer.participants]
    if answer.checked is not None:
        data["checked"] = {
            "accepted": answer.checked.accepted,
            "how": list(answer.checked.notes),
            "seconds": round(answer.checked.seconds, 3),
        }
    if isinstance(answer.program, Remarks):
        data["remarks"] = answer.program.remarks(answer.verdict)
    match answer.verdict:
        case Safe(certificate):
            data["certificate"] = certificate.data()
        case Unsafe(trace):
            data["trace"] = {**_trace(trace), **_in_source(answer, trace)}
        case Unknown(reason, bound):
            data["reason"] = reason
            data["bound"] = bound
    return data


def _group(answer: Answer) -> dict[str, Any]:
    """The answer about one portion of a question that was divided."""
    found: dict[str, Any] = {
        "name": answer.property_name, "verdict": answer.status, "engine": answer.engine,
        "seconds": round(answer.seconds, 3), "assumptions": list(answer.program.assumptions),
    }
    if answer.checked is not None:
        found["how"] = list(answer.checked.notes)
    match answer.verdict:
        case Safe(certificate):
            found["certificate"] = certificate.data()
        case Unsafe(trace):
            found["violated"] = trace.violated
        case Unknown(reason):
            found["reason"] = reason
    return found


def _property(one: Property) -> dict[str, Any]:
    found: dict[str, Any] = {"name": one.name, "kind": one.kind}
    if one.text:
        found["text"] = one.text
    if one.weakness is not None:
        found["cwe"] = one.weakness
    if one.position is not None:
        found["position"] = _position(one.position)
    return found


def _in_source(answer: Answer, trace: Trace) -> dict[str, Any]:
    """What the source's interpreter says of the run: of dataflow programs the streams, instant by
    instant; of a run that is only known by what it draws, the statements."""
    program = answer.program
    if not isinstance(program, TellsRuns) or not isinstance(trace, (SystemTrace, InputTrace, CfaTrace)):
        return {}
    try:
        run = program.source_run(trace)
    except ReplayFailed:  # a run that only the model has confirmed
        return {}
    if isinstance(run, SourceRun):
        steps = [_source_step(number, step) for number, step in enumerate(run.steps)]
        told = {"ending": run.ending, "given": dict(run.start), "left_out": run.left_out}
        return {**told, "run" if isinstance(trace, CfaTrace) else "steps": steps}
    return {"streams": {title: {name: list(cells) for name, cells in rows} for title, rows in run.groups}}


def _source_step(number: int, step: SourceStep) -> dict[str, Any]:
    found: dict[str, Any] = {"step": number, "statement": step.text, "changes": dict(step.changes)}
    if step.function:
        found["function"] = step.function
    if step.position is not None:
        found["position"] = _position(step.position)
    return found


def _position(place: Position) -> dict[str, Any]:
    return {"file": place.file, "line": place.line, "column": place.column}


def _statistics(statistics: Statistics) -> dict[str, Any]:
    return {
        "counts": dict(sorted(statistics.counts.items())),
        "seconds": {name: round(value, 4) for name, value in statistics.seconds.items()},
    }


def _participant(one: Participant) -> dict[str, Any]:
    return {
        "name": one.name,
        "engine": one.engine,
        "outcome": one.outcome,
        "cpu_seconds": round(one.cpu_seconds, 3),
        "peak_memory": one.memory,
        "statistics": _statistics(one.stats),
    }


def _trace(trace: Trace) -> dict[str, Any]:
    if isinstance(trace, CircuitTrace):
        rows = ["".join(map(str, row)) for row in (trace.initial, *trace.inputs)]
        return {"violated": trace.violated, "length": len(trace), "latches": rows[0], "inputs": rows[1:]}
    if isinstance(trace, InputTrace):
        calls = [{"function": name, "value": value} for name, value in trace.calls]
        memory = [{"variable": name, "bytes": data} for name, data in trace.memory]
        return {"violated": trace.violated, "length": len(trace), "calls": calls, "memory": memory}
    if isinstance(trace, Derivation):
        from revet.report.horn import derivation_data

        return derivation_data(trace)
    steps: list[dict[str, Any]] = []
    for number, state in enumerate(trace.states):
        step: dict[str, Any] = {"step": number, "state": _state(state)}
        if isinstance(trace, CfaTrace):
            step["location"] = trace.locations[number].name
            if number < len(trace.edges):
                edge = trace.edges[number]
                step["statement"] = str(edge)
                if edge.position is not None:
                    step["position"] = _position(edge.position)
        elif number < len(trace.inputs):
            step["inputs"] = _state(trace.inputs[number])
        steps.append(step)
    return {"violated": trace.violated, "length": len(trace), "steps": steps}


def _state(state: State) -> dict[str, str]:
    return {variable.name: format_value(value, variable.sort) for variable, value in state.items()}
