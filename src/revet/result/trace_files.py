"""Traces as JSON records; see docs/evidence.md. Used by :mod:`revet.result.files`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from revet.errors import InputError
from revet.logic.sorts import BOOL, REAL, ArraySort, BitVecSort, FloatSort, Sort
from revet.logic.terms import Term
from revet.logic.values import ArrayValue, Value, is_value, rational
from revet.model.cfa import Cfa, Edge, Location
from revet.model.circuit import Circuit
from revet.model.horn import HornSystem
from revet.model.kind import Model
from revet.model.system import TransitionSystem
from revet.result.trace import (
    CfaTrace,
    CircuitTrace,
    Derivation,
    DerivationStep,
    InputTrace,
    State,
    SystemTrace,
    Trace,
)


def write_trace(trace: Trace, model: Model) -> dict[str, Any]:
    match trace, model:
        case InputTrace(), _:
            calls, memory = [list(call) for call in trace.calls], [list(entry) for entry in trace.memory]
            record = {"kind": "trace", "violated": trace.violated, "length": trace.steps}
            return {**record, "calls": calls, "memory": memory}
        case CfaTrace(), Cfa():
            steps = _cfa_steps(trace, model)
        case SystemTrace(), TransitionSystem():
            steps = [{"state": _state_record(state)} for state in trace.states]
            for step, drawn in zip(steps, trace.inputs, strict=False):
                step["inputs"] = _state_record(drawn)
        case CircuitTrace(), Circuit():
            steps = [{"inputs": "".join(map(str, row))} for row in trace.inputs]
            steps[0]["latches"] = "".join(map(str, trace.initial))
        case Derivation(), HornSystem():
            steps = [
                {"clause": step.clause, "premises": list(step.premises), "values": _state_record(step.values)}
                for step in trace.steps
            ]
        case _:
            raise InputError("the trace is not one of this model")
    return {"kind": "trace", "violated": trace.violated, "steps": steps}


def _cfa_steps(trace: CfaTrace, cfa: Cfa) -> list[dict[str, Any]]:
    numbers = {edge: number for number, edge in enumerate(cfa.edges)}
    steps: list[dict[str, Any]] = []
    for position, (location, state) in enumerate(zip(trace.locations, trace.states, strict=True)):
        step: dict[str, Any] = {"location": location.name, "state": _state_record(state)}
        if position < len(trace.edges):
            edge = trace.edges[position]
            step["edge"] = numbers[edge]
            step["statement"] = str(edge)
            locals_ = cfa.relation(edge).locals
            given = trace.inputs[position] if trace.inputs else {}
            if locals_ and all(local in given for local in locals_):
                step["drawn"] = [_value_record(given[local]) for local in locals_]
        steps.append(step)
    return steps


def _state_record(state: State) -> dict[str, Any]:
    return {variable.name: _value_record(value) for variable, value in state.items()}


def _value_record(value: Value) -> Any:
    match value:
        case bool() | int():
            return value
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case ArrayValue():
            entries = [[_value_record(i), _value_record(v)] for i, v in value.entries.items()]
            return {"default": _value_record(value.default), "entries": entries}


def read_trace(record: Mapping[str, Any], model: Model) -> Trace:
    """The run that a record describes; whether it is one is for the replay to say."""
    if "calls" in record:
        return _read_inputs(record)
    for key in record:
        if key not in ("revet", "kind", "model", "comment", "violated", "steps"):
            raise InputError(f"{json.dumps(key)} is unknown in a trace")
    steps = record.get("steps")
    if not isinstance(steps, list) or not steps or not all(isinstance(step, dict) for step in steps):
        raise InputError('"steps" must be a list of at least one object')
    return model.accept(_Reader(record, steps))


class _Reader:
    """Runs of each kind of model, from a record with these steps."""

    def __init__(self, record: Mapping[str, Any], steps: list[dict[str, Any]]) -> None:
        self.record = record
        self.steps = steps

    def automaton(self, cfa: Cfa) -> Trace:
        trace = _read_cfa_trace(self.steps, cfa)
        violated = self.record.get("violated", trace.violated)
        if violated != trace.violated:
            raise InputError(f'"violated" is {json.dumps(violated)}, but the run ends in {trace.violated}')
        return trace

    def system(self, system: TransitionSystem) -> Trace:
        violated, steps = self._violated(system), self.steps
        states = tuple(_state(step.get("state"), system.variables, n) for n, step in enumerate(steps))
        inputs = tuple(_state(step.get("inputs", {}), system.inputs, n) for n, step in enumerate(steps[:-1]))
        return SystemTrace(states, inputs, violated)

    def circuit(self, circuit: Circuit) -> Trace:
        violated = self._violated(circuit)
        rows = tuple(_bits(step.get("inputs", ""), n) for n, step in enumerate(self.steps))
        return CircuitTrace(_bits(self.steps[0].get("latches", ""), 0), rows, violated)

    def clauses(self, clauses: HornSystem) -> Trace:
        return _read_derivation(self.steps, clauses, self._violated(clauses))

    def _violated(self, model: Model) -> str:
        name, known = self.record.get("violated"), model.property_names
        if name not in known:
            raise InputError(f'"violated" is {json.dumps(name)}; the properties are: {", ".join(known)}')
        return str(name)


def _read_derivation(steps: list[dict[str, Any]], system: HornSystem, violated: str) -> Derivation:
    found = []
    for number, step in enumerate(steps):
        match step:
            case {"clause": int(clause), "premises": list(premises)} if 0 <= clause < len(system.clauses):
                if not all(type(one) is int for one in premises):
                    raise InputError(f"step {number}: premises are numbers of steps")
                values = _state(step.get("values", {}), system.clauses[clause].variables, number)
                found.append(DerivationStep(clause, values, tuple(premises)))
            case _:
                raise InputError(f'step {number}: expected a "clause" and its "premises"')
    return Derivation(tuple(found), violated)


def _read_inputs(record: Mapping[str, Any]) -> InputTrace:
    rows = {}
    for key in ("calls", "memory"):
        entries = record.get(key)
        if not isinstance(entries, list) or not all(
            isinstance(entry, list) and len(entry) == 2 and all(isinstance(part, str) for part in entry)
            for entry in entries
        ):
            raise InputError(f'"{key}" must be a list of pairs of texts')
        rows[key] = tuple((first, second) for first, second in entries)
    length = record.get("length", 0)
    if not isinstance(length, int):
        raise InputError('"length" must be a number')
    return InputTrace(rows["calls"], rows["memory"], str(record.get("violated", "error")), length)


def _bits(text: object, step: int) -> tuple[int, ...]:
    if not isinstance(text, str) or text.strip("01"):
        raise InputError(f"step {step}: expected a text of the digits 0 and 1")
    return tuple(map(int, text))


def _read_cfa_trace(steps: list[dict[str, Any]], cfa: Cfa) -> CfaTrace:
    places = {place.name: place for place in cfa.locations}
    locations = tuple(_location(step.get("location"), places, n) for n, step in enumerate(steps))
    states = tuple(_state(step.get("state"), cfa.variables, n) for n, step in enumerate(steps))
    edges = tuple(
        _edge(cfa, step.get("edge"), locations[n], locations[n + 1], n) for n, step in enumerate(steps[:-1])
    )
    inputs = tuple(_drawn(cfa, edge, steps[n].get("drawn"), n) for n, edge in enumerate(edges))
    return CfaTrace(locations, states, edges, inputs)


def _location(name: object, places: Mapping[str, Location], step: int) -> Location:
    if not isinstance(name, str) or name not in places:
        raise InputError(f"step {step}: there is no location {json.dumps(name)}")
    return places[name]


def _edge(cfa: Cfa, number: object, source: Location, target: Location, step: int) -> Edge:
    """By its number among the automaton's edges; may be left out where only one edge fits."""
    if number is None:
        fitting = [edge for edge in cfa.outgoing[source] if edge.target is target]
        if len(fitting) != 1:
            raise InputError(
                f'step {step}: {len(fitting)} edges lead from {source} to {target}; say which with "edge"'
            )
        return fitting[0]
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(cfa.edges):
        raise InputError(f"step {step}: there is no edge {json.dumps(number)}")
    return cfa.edges[number]


def _drawn(cfa: Cfa, edge: Edge, values: object, step: int) -> dict[Term, Value]:
    if values is None:
        return {}
    locals_ = cfa.relation(edge).locals
    if not isinstance(values, list) or len(values) != len(locals_):
        raise InputError(f'step {step}: "drawn" must be a list of {len(locals_)} values')
    return {x: _value(v, x.sort, x.name, step) for x, v in zip(locals_, values, strict=True)}


def _state(record: object, variables: Iterable[Term], step: int) -> dict[Term, Value]:
    if not isinstance(record, dict):
        raise InputError(f"step {step}: expected an object with a value for each variable")
    by_name = {variable.name: variable for variable in variables}
    found: dict[Term, Value] = {}
    for name, value in record.items():
        if name not in by_name:
            raise InputError(f"step {step}: there is no variable {name}")
        found[by_name[name]] = _value(value, by_name[name].sort, name, step)
    return found


def _value(record: Any, sort: Sort, name: str, step: int) -> Value:
    try:
        value = _convert(record, sort)
    except (ValueError, TypeError, KeyError, ZeroDivisionError):
        value = None
    if value is None or not is_value(value, sort):
        raise InputError(f"step {step}: {json.dumps(record)} is not a value of {name}, whose sort is {sort}")
    return value


def _convert(record: Any, sort: Sort) -> Value | None:
    if sort is BOOL:
        return record if isinstance(record, bool) else None
    if sort is REAL:
        a_number = isinstance(record, (int, str)) and not isinstance(record, bool)
        return rational(str(record)) if a_number else None
    if isinstance(sort, ArraySort):
        default, entries = _convert(record["default"], sort.element), record.get("entries", [])
        pairs = {_convert(i, sort.index): _convert(v, sort.element) for i, v in entries}
        if default is None or None in pairs or None in pairs.values():
            return None
        return ArrayValue(default, pairs)  # type: ignore[arg-type]
    if isinstance(sort, (BitVecSort, FloatSort)) and isinstance(record, str):
        return int(record, 0)  # "0xff", "0b1010"
    return record if isinstance(record, int) and not isinstance(record, bool) else None
