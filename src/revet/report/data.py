"""Answers as plain data: the documented, versioned JSON of ``--json`` (docs/json.md)."""

from __future__ import annotations

from typing import Any

from revet import __version__
from revet.driver.answer import Answer, Participant
from revet.engines.context import Statistics
from revet.errors import Position
from revet.frontends.source_run import SourceRun, SourceStep
from revet.logic.pretty import format_value
from revet.result.certificate import (
    Cases,
    Certificate,
    CircuitInvariant,
    Exhausted,
    KInductive,
    LocationInvariants,
    OnlyRun,
    ProcedureContracts,
)
from revet.result.trace import CfaTrace, CircuitTrace, InputTrace, State, SystemTrace, Trace
from revet.result.verdict import Safe, Unknown, Unsafe

SCHEMA = 1


def answer_data(answer: Answer) -> dict[str, Any]:
    """One object; keys are stable within a schema version."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "tool": {"name": "revet", "version": __version__},
        "files": [str(path) for path in answer.program.files],
        "language": answer.program.language,
        "property": answer.property_name,
        "verdict": answer.status,
        "engine": answer.engine,
        "seconds": round(answer.seconds, 3),
        "assumptions": list(answer.program.assumptions),
        "statistics": _statistics(answer.stats),
    }
    if answer.participants:
        data["peak_memory"] = answer.peak_memory
        data["participants"] = [_participant(one) for one in answer.participants]
    if answer.checked is not None:
        data["checked"] = {
            "accepted": answer.checked.accepted,
            "how": list(answer.checked.notes),
            "seconds": round(answer.checked.seconds, 3),
        }
    match answer.verdict:
        case Safe(certificate):
            data["certificate"] = _certificate(certificate)
        case Unsafe(trace):
            data["trace"] = {**_trace(trace), **_in_source(answer, trace)}
        case Unknown(reason, bound):
            data["reason"] = reason
            data["bound"] = bound
    return data


def _in_source(answer: Answer, trace: Trace) -> dict[str, Any]:
    """What the source's interpreter says of the run: of dataflow programs the streams, instant by
    instant; of a run that is only known by what it draws, the statements."""
    if answer.program.source_run is None or not isinstance(trace, (SystemTrace, InputTrace)):
        return {}
    run = answer.program.source_run(trace)
    if isinstance(run, SourceRun):
        steps = [_source_step(number, step) for number, step in enumerate(run.steps)]
        return {"steps": steps, "left_out": run.left_out}
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


def _certificate(certificate: Certificate) -> dict[str, Any]:
    match certificate:
        case KInductive(formula, k, simple_path):
            return {"kind": "k-inductive", "k": k, "simple_path": simple_path, "formula": str(formula)}
        case LocationInvariants(formulas, k):
            places = [
                {
                    "location": location.name,
                    "line": location.position.line if location.position else None,
                    "formula": str(formula),
                }
                for location, formula in formulas.items()
            ]
            return {"kind": "location-invariants", "k": k, "invariants": places}
        case CircuitInvariant(clauses, k, simple_path):
            return {"kind": "clauses", "k": k, "simple_path": simple_path, "clauses": clauses}
        case ProcedureContracts(contracts, invariants):
            said = [
                {"procedure": name, "requires": str(one.requires), "ensures": str(one.ensures)}
                for name, one in contracts.items()
            ]
            held = [{"location": name, "formula": str(formula)} for name, formula in invariants.items()]
            return {"kind": "contracts", "contracts": said, "invariants": held}
        case Exhausted(depth=depth, backward=backward):
            return {"kind": "exhausted", "depth": depth, "backward": backward}
        case OnlyRun(steps):
            return {"kind": "only-run", "steps": steps}
        case Cases():
            return {"kind": "cases", "leaves": certificate.leaves}


def _trace(trace: Trace) -> dict[str, Any]:
    if isinstance(trace, CircuitTrace):
        rows = ["".join(map(str, row)) for row in (trace.initial, *trace.inputs)]
        return {"violated": trace.violated, "length": len(trace), "latches": rows[0], "inputs": rows[1:]}
    if isinstance(trace, InputTrace):
        calls = [{"function": name, "value": value} for name, value in trace.calls]
        memory = [{"variable": name, "bytes": data} for name, data in trace.memory]
        return {"violated": trace.violated, "length": len(trace), "calls": calls, "memory": memory}
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
