"""Verdicts as bytes, for passing them from a worker process to its parent.

Locations travel by name and edges by number: both processes hold the same model.
"""

from __future__ import annotations

from revet.result.certificate import (
    Cases,
    CircuitInvariant,
    Exhausted,
    KInductive,
    LocationInvariants,
    OnlyRun,
    ProcedureContracts,
)
from revet.result.trace import CfaTrace, CircuitTrace, InputTrace, SystemTrace
from revet.result.verdict import Safe, Unknown, Unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from revet.logic.terms import Term
    from revet.model.cfa import Cfa
    from revet.model.circuit import Circuit
    from revet.model.system import TransitionSystem
    from revet.result.certificate import (
        Certificate,
    )
    from revet.result.trace import State, Trace
    from revet.result.verdict import Verdict

Model: TypeAlias = "Cfa | TransitionSystem | Circuit"


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
    match certificate:
        case KInductive(formula, k, simple_path):
            return ["k-inductive", dumps([formula]), k, simple_path]
        case LocationInvariants(formulas, k, simple_path):
            names = [location.name for location in formulas]
            return ["locations", names, dumps(list(formulas.values())), k, simple_path]
        case Exhausted(depth, backward, simple_path, cuts):
            at = None if cuts is None else sorted(location.name for location in cuts)
            return ["exhausted", depth, backward, simple_path, at]
        case CircuitInvariant(clauses, k, simple_path):
            return ["circuit", clauses, k, simple_path]
        case ProcedureContracts(contracts, invariants):
            said = [term for one in contracts.values() for term in (one.requires, one.ensures)]
            held = dumps(list(invariants.values()))
            return ["contracts", list(contracts), dumps(said), list(invariants), held]
        case OnlyRun(steps):
            return ["only-run", steps]
        case Cases(tree):
            questions = [question for question in tree if question is not None]
            numbers = [-1 if question is None else question[0] for question in tree]
            return ["cases", numbers, dumps([bound for _, bound in questions])]


def _read_certificate(data: list[Any], model: Model) -> Certificate:
    match data:
        case ["k-inductive", formula, k, simple_path]:
            return KInductive(loads(formula)[0], k, simple_path)
        case ["locations", names, formulas, k, simple_path]:
            located = {location.name: location for location in _automaton(model).locations}
            terms = loads(formulas)
            placed = {located[n]: t for n, t in zip(names, terms, strict=True)}
            return LocationInvariants(placed, k, simple_path)
        case ["exhausted", depth, backward, simple_path, names]:
            cuts = None
            if names is not None:
                places = _automaton(model).locations
                cuts = frozenset(location for location in places if location.name in set(names))
            return Exhausted(depth, backward, simple_path, cuts)
        case ["circuit", clauses, k, simple_path]:
            return CircuitInvariant(tuple(map(tuple, clauses)), k, simple_path)
        case ["contracts", names, said, locations, formulas]:
            from revet.model.procedures import Contract

            terms = loads(said)
            pairs = zip(terms[::2], terms[1::2], strict=True)
            contracts = {name: Contract(*pair) for name, pair in zip(names, pairs, strict=True)}
            return ProcedureContracts(contracts, dict(zip(locations, loads(formulas), strict=True)))
        case ["only-run", steps]:
            return OnlyRun(steps)
        case ["cases", numbers, bounds]:
            values = iter(loads(bounds))
            return Cases(tuple([None if number < 0 else (number, next(values)) for number in numbers]))
    raise ValueError("not a certificate")


def _trace(trace: Trace, model: Model) -> list[Any]:
    if isinstance(trace, InputTrace):
        return ["inputs", trace.calls, trace.memory, trace.violated, trace.steps]
    if isinstance(trace, CircuitTrace):
        return ["circuit", bytes(trace.initial), [bytes(row) for row in trace.inputs], trace.violated]
    # The variables of states and inputs once, then rows of values.
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
        case ["inputs", calls, memory, violated, steps]:
            return InputTrace(tuple(map(tuple, calls)), tuple(map(tuple, memory)), violated, steps)
        case ["circuit", initial, inputs, violated]:
            return CircuitTrace(tuple(initial), tuple(map(tuple, inputs)), violated)
    raise ValueError("not a trace")


def _automaton(model: Model) -> Cfa:
    from revet.model.cfa import Cfa

    assert isinstance(model, Cfa)
    return model


# What circuits need has no terms in it, and terms take longer to load than most circuits to check.


def dumps(terms: list[Term]) -> bytes:
    from revet.logic import serialize

    return serialize.dumps(terms)


def loads(data: bytes) -> list[Term]:
    from revet.logic import serialize

    return serialize.loads(data)


def _table(rows: tuple[State, ...]) -> list[Any]:
    from revet.logic.serialize import encode_value

    variables: dict[Term, int] = {}
    encoded = []
    for row in rows:
        encoded.append(
            [[variables.setdefault(v, len(variables)), encode_value(value)] for v, value in row.items()]
        )
    return [dumps(list(variables)), encoded]


def _rows(data: list[Any]) -> tuple[Mapping[Term, Any], ...]:
    from revet.logic.serialize import decode_value

    variables = loads(data[0])
    return tuple({variables[v]: decode_value(value) for v, value in row} for row in data[1])
