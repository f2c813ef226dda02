"""Verdicts as bytes, for passing them from a worker process to its parent.

Locations travel by name and edges by number: both processes hold the same model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.result.certificate import KINDS
from revet.result.fields import Fields
from revet.result.trace import (
    CfaTrace,
    CircuitTrace,
    Derivation,
    DerivationStep,
    InputTrace,
    SystemTrace,
)
from revet.result.verdict import Safe, Unknown, Unsafe

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from revet.logic.terms import Term
    from revet.model.cfa import Cfa
    from revet.model.kind import Model
    from revet.result.certificate import Certificate
    from revet.result.trace import State, Trace
    from revet.result.verdict import Verdict


def dump_verdict(verdict: Verdict, model: Model) -> bytes:
    """For files; between processes plain data is enough."""
    import msgspec

    return msgspec.msgpack.encode(verdict_to_data(verdict, model))


def load_verdict(data: bytes, model: Model) -> Verdict:
    """The inverse; ``model`` must be the model that the verdict was dumped with."""
    import msgspec

    return verdict_from_data(msgspec.msgpack.decode(data), model)


def verdict_from_data(data: Any, model: Model) -> Verdict:
    """The inverse of :func:`verdict_to_data`."""
    match data:
        case ["safe", certificate]:
            return Safe(_read_certificate(certificate, model))
        case ["unsafe", trace]:
            return Unsafe(_read_trace(trace, model))
        case ["unknown", reason, bound]:
            return Unknown(reason, bound)
    raise ValueError("not a verdict")


def verdict_to_data(verdict: Verdict, model: Model) -> list[Any]:
    """Lists, numbers, strings and bytes only."""
    match verdict:
        case Safe(certificate):
            return ["safe", _certificate(certificate)]
        case Unsafe(trace):
            return ["unsafe", _trace(trace, model)]
        case Unknown(reason, bound):
            return ["unknown", reason, bound]


def _certificate(certificate: Certificate) -> list[Any]:
    """The kind, its fields with terms as numbers, and the table of terms (if there are any)."""
    terms: dict[Term, int] = {}
    fields = certificate.fields(lambda term: terms.setdefault(term, len(terms)))
    return [certificate.kind, fields, dumps(list(terms)) if terms else None]


def _read_certificate(data: list[Any], model: Model) -> Certificate:
    kind, fields, table = data
    terms = loads(table) if table else []
    return KINDS[kind].read(Fields(fields, model, lambda number, scope, what: _at(terms, number)))


def _at(terms: list[Term], number: object) -> Term:
    assert isinstance(number, int)
    return terms[number]


def _trace(trace: Trace, model: Model) -> list[Any]:
    if isinstance(trace, InputTrace):
        return ["inputs", trace.calls, trace.memory, trace.violated, trace.steps]
    if isinstance(trace, CircuitTrace):
        return ["circuit", bytes(trace.initial), [bytes(row) for row in trace.inputs], trace.violated]
    if isinstance(trace, Derivation):
        uses = [[step.clause, list(step.premises)] for step in trace.steps]
        return ["derivation", uses, _table(tuple(step.values for step in trace.steps)), trace.violated]
    states = _table(trace.states)
    inputs = _table(trace.inputs)
    if isinstance(trace, SystemTrace):
        return ["system", states, inputs, trace.violated]
    numbers = {edge: number for number, edge in enumerate(_automaton(model).edges)}
    path = [numbers[edge] for edge in trace.edges]
    return ["cfa", states, inputs, [location.name for location in trace.locations], path]


def _read_trace(data: list[Any], model: Model) -> Trace:
    match data:
        case ["system", states, inputs, violated]:
            return SystemTrace(_rows(states), _rows(inputs), violated)
        case ["cfa", states, inputs, names, path]:
            cfa = _automaton(model)
            located = {location.name: location for location in cfa.locations}
            return CfaTrace(
                tuple(located[name] for name in names),
                _rows(states),
                tuple(cfa.edges[number] for number in path),
                _rows(inputs),
            )
        case ["derivation", uses, values, violated]:
            steps = zip(uses, _rows(values), strict=True)
            made = [DerivationStep(clause, row, tuple(premises)) for (clause, premises), row in steps]
            return Derivation(tuple(made), violated)
        case ["inputs", calls, memory, violated, steps]:
            return InputTrace(tuple(map(tuple, calls)), tuple(map(tuple, memory)), violated, steps)
        case ["circuit", initial, inputs, violated]:
            return CircuitTrace(tuple(initial), tuple(map(tuple, inputs)), violated)
    raise ValueError("not a trace")


def _automaton(model: Model) -> Cfa:
    cfa = model.as_automaton()
    assert cfa is not None, "only automata have runs of edges"
    return cfa


# What circuits need has no terms in it, and terms take longer to load than most circuits to check.


def dumps(terms: list[Term]) -> bytes:
    from revet.logic import serialize

    return serialize.dumps(terms)


def loads(data: bytes) -> list[Term]:
    from revet.logic import serialize

    return serialize.loads(data)


def _table(rows: tuple[State, ...]) -> list[Any]:
    """The variables once, then of each row the values that are not those of the row before, and the variables
    that are gone: a run of thousands of steps changes little in each."""
    from revet.logic.serialize import encode_value

    variables: dict[Term, int] = {}
    encoded = []
    before: State = {}
    for row in rows:
        changed = [
            [variables.setdefault(v, len(variables)), encode_value(value)]
            for v, value in row.items() if v not in before or before[v] is not value
        ]
        same = row.keys() == before.keys()
        encoded.append([changed, [] if same else [variables[v] for v in before if v not in row]])
        before = row
    return [dumps(list(variables)), encoded]


def _rows(data: list[Any]) -> tuple[Mapping[Term, Any], ...]:
    from revet.logic.serialize import decode_value

    variables = loads(data[0])
    rows: list[Mapping[Term, Any]] = []
    row: dict[Term, Any] = {}
    for changed, gone in data[1]:
        row = dict(row)
        for number in gone:
            del row[variables[number]]
        row.update((variables[number], decode_value(value)) for number, value in changed)
        rows.append(row)
    return tuple(rows)
