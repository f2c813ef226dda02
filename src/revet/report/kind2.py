"""``--kind2-json``: answers about a Lustre program in the shape of KIND 2's JSON output.

The objects and their fields are those of KIND 2's published schema (``schemas/kind2-output.json`` in its
repository) where the concept is the same: ``kind2Options``, ``analysisStart``, ``property`` with
``counterExample`` or ``witness``, ``analysisStop``. Values of records and tuples are streams of their own,
with the names of the parts; values of sets, maps and datatypes are texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from revet.frontends.lustre import types as t
from revet.frontends.lustre.values import shown
from revet.result.certificate import KInductive
from revet.result.verdict import Safe, Unknown, Unsafe

if TYPE_CHECKING:
    from revet.driver.answer import Answer
    from revet.frontends.lustre import LustreProgram
    from revet.frontends.lustre.core import Node, Stream
    from revet.frontends.lustre.lower_context import Obligation

_SOURCES = {
    "property": "PropAnnot", "reachability": "PropAnnot", "guarantee": "Guarantee", "ensure": "Ensure",
    "assumption": "Assumption", "coverage": "OneModeActive", "vacuity": "NonVacuityCheck",
    "type": "Generated",
}


def kind2_data(
    program: LustreProgram, answers: Sequence[Answer], engines: Sequence[str], timeout: float | None
) -> list[dict[str, Any]]:
    """The array that KIND 2 prints; ``answers`` are about one property each (their ``property_name``)."""
    found: list[dict[str, Any]] = [{
        "objectType": "kind2Options", "enabled": list(engines), "timeout": timeout or 0.0, "bmcMax": 0,
        "compositional": False, "modular": False,
    }]
    found += [{"objectType": "log", "level": "warn", "source": "parse", "value": line}
              for line in program.assumptions]
    by_name = {answer.property_name: answer for answer in answers}
    for top in program.analysed:
        mine = [o for o in program.obligations if o.top.node is top and o.name in by_name]
        concrete, abstract = program.called(top)
        found.append({
            "objectType": "analysisStart", "top": top.name, "concrete": concrete, "abstract": abstract,
            "assumptions": [],
        })
        found += [_property(program, one, by_name[one.name]) for one in mine]
        found.append({"objectType": "analysisStop"})
    return found


def _property(program: LustreProgram, obligation: Obligation, answer: Answer) -> dict[str, Any]:
    verdict = answer.verdict
    late = isinstance(verdict, Unknown) and "time" in verdict.reason
    found: dict[str, Any] = {
        "objectType": "property",
        "name": obligation.name,
        "scope": obligation.instance.node.name,
        "line": obligation.position.line,
        "column": obligation.position.column,
        "source": _SOURCES[obligation.kind],
        "runtime": {"unit": "sec", "timeout": late, "value": round(answer.seconds, 3)},
    }
    values = ("unreachable", "reachable") if obligation.reach else ("valid", "falsifiable")
    match verdict:
        case Safe(certificate):
            if isinstance(certificate, KInductive):
                found["k"] = certificate.k
            found["answer"] = {"source": answer.engine, "value": values[0]}
        case Unsafe(trace):
            found["reachableAt" if obligation.reach else "falseAt"] = max(0, len(trace) - 1)
            found["answer"] = {"source": answer.engine, "value": values[1]}
            node, rows = program.rows(trace)
            found["witness" if obligation.reach else "counterExample"] = [_block(node, rows)]
        case Unknown(_, bound):
            if bound is not None:
                found["unreachableFor" if obligation.reach else "trueFor"] = bound
            found["answer"] = {"value": "unknown"}
    return found


def _block(node: Node, rows: list[dict[str, Any]]) -> dict[str, Any]:
    groups = (("input", node.inputs), ("output", node.outputs), ("local", node.written_locals))
    return {
        "blockType": "function" if node.function else "node",
        "name": node.name,
        "line": node.position.line,
        "column": node.position.column,
        "streams": [s for class_, streams in groups for one in streams for s in _streams(one, class_, rows)],
    }


def _streams(stream: Stream, class_: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "name": name, **_typed(type_), "class": class_,
            "instantValues": [[n, _value(type_, value)] for n, value in enumerate(column)],
        }
        for name, type_, column in _parts(stream.name, stream.type, [row[stream.name] for row in rows])
    ]


def _parts(name: str, type_: t.Type, column: list[Any]) -> list[tuple[str, t.Type, list[Any]]]:
    """A stream of records or tuples as streams of their parts."""
    match t.plain(type_):
        case t.Record(fields=fields):
            parts = [(f"{name}.{field}", part) for field, part in fields]
        case t.TupleOf(items=items):
            parts = [(f"{name}.{k}", part) for k, part in enumerate(items)]
        case _:
            return [(name, type_, column)]
    return [
        leaf for k, (label, part) in enumerate(parts) for leaf in _parts(label, part, [v[k] for v in column])
    ]


def _typed(type_: t.Type) -> dict[str, Any]:
    """``type`` and, where there is one, ``typeInfo``."""
    match t.plain(type_):
        case t.Enum(name=name, values=values):
            return {"type": "enum", "typeInfo": {"name": name, "values": list(values)}}
        case t.ArrayOf(element=element) as array:
            inner = _typed(element)
            sizes = [array.length, *inner.get("typeInfo", {}).get("sizes", [])]
            base = inner["typeInfo"]["baseType"] if inner["type"] == "array" else inner["type"]
            return {"type": "array", "typeInfo": {"baseType": base, "sizes": sizes}}
        case t.Datatype(constructors=constructors) as data:
            names = [constructor.name for constructor in constructors]
            return {"type": "datatype", "typeInfo": {"name": str(data), "constructors": names}}
        case t.Machine(width=width, signed=signed) if width in (8, 16, 32, 64):
            return {"type": f"{'' if signed else 'u'}int{width}"}
        case plain if plain in (t.BOOL, t.INT, t.REAL):
            return {"type": str(plain)}
        case plain:
            return {"type": "abstr", "typeInfo": {"name": str(plain)}}


def _value(type_: t.Type, value: Any) -> Any:
    match t.plain(type_):
        case t.ArrayOf(element=element):
            return [_value(element, part) for part in value]
        case plain if isinstance(value, Fraction):
            whole = value.denominator == 1
            return int(value) if whole else {"num": value.numerator, "den": value.denominator}
        case plain if isinstance(value, (bool, int)) and not isinstance(plain, t.Enum):
            return value
        case plain:
            return shown(plain, value)
