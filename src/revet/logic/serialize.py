"""Terms as bytes, for passing them between processes: a table of nodes, shared parts once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from revet.logic.sorts import Sort, sort_from_name
from revet.logic.terms import FunctionSymbol, Op, Term
from revet.logic.values import ArrayValue, rational
from revet.logic.walk import build_node, subterms

# A node is [op, sort index, payload, argument index...]; the file is [sorts, nodes, roots].


def dumps(terms: Sequence[Term]) -> bytes:
    """Serialise several terms together."""
    import msgspec  # not needed for circuits, and it takes its time to load

    sorts: dict[Sort, int] = {}
    numbers: dict[Term, int] = {}
    nodes = []
    quantified = [term for term in subterms(*terms) if term.op in (Op.FORALL, Op.EXISTS)]
    bound = [variable for term in quantified for variable in term.payload]
    for term in subterms(*terms, *bound):
        numbers[term] = len(numbers)
        sort = sorts.setdefault(term.sort, len(sorts))
        payload = _encode(term.payload, numbers) if term.payload is not None else None
        nodes.append([term.op, sort, payload, *(numbers[arg] for arg in term.args)])
    return msgspec.msgpack.encode([[s.name for s in sorts], nodes, [numbers[t] for t in terms]])


def loads(data: bytes) -> list[Term]:
    """The inverse of :func:`dumps`."""
    import msgspec

    names, nodes, roots = msgspec.msgpack.decode(data)
    sorts = [sort_from_name(name) for name in names]
    terms: list[Term] = []
    for op, sort, payload, *args in nodes:
        terms.append(
            build_node(op, tuple([terms[arg] for arg in args]), _decode(payload, terms), sorts[sort])
        )
    return [terms[root] for root in roots]


def loads_one(data: bytes) -> Term:
    return loads(data)[0]


def encode_value(value: Any) -> Any:
    """A value as plain JSON-like data. Big integers travel as text: msgpack ends at 64 bits."""
    if isinstance(value, (bool, str)) or value is None:
        return value
    if isinstance(value, int):
        return value if -(1 << 62) < value < 1 << 62 else ["i", str(value)]
    if isinstance(value, Fraction):
        return ["q", str(value)]
    if isinstance(value, ArrayValue):
        entries = [[encode_value(i), encode_value(v)] for i, v in value.entries.items()]
        return ["a", encode_value(value.default), entries]
    raise TypeError(f"not a value: {value!r}")


def decode_value(data: Any) -> Any:
    match data:
        case ["i", text]:
            return int(text)
        case ["q", text]:
            return rational(text)
        case ["a", default, entries]:
            return ArrayValue(
                decode_value(default), {decode_value(i): decode_value(v) for i, v in entries}
            )
    return data


def _encode(payload: Any, numbers: dict[Term, int]) -> Any:
    if isinstance(payload, FunctionSymbol):
        return ["f", payload.name, [s.name for s in payload.domain], payload.range.name]
    if isinstance(payload, tuple):
        return ["t", *(["v", numbers[p]] if isinstance(p, Term) else p for p in payload)]
    return encode_value(payload)


def _decode(data: Any, terms: list[Term]) -> Any:
    match data:
        case ["f", name, domain, range_]:
            return FunctionSymbol(name, map(sort_from_name, domain), sort_from_name(range_))
        case ["t", *parts]:
            return tuple(terms[p[1]] if isinstance(p, list) else p for p in parts)
    return decode_value(data)


