"""``Spec.prove``: each property by name, through the driver; counterexamples as streams.

Every *refuted* comes with inputs on which the interpreter (which shares nothing with the
translation) sees the property fail; every *proved* with a certificate that was checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from revet.errors import UsageError
from revet.frontends.program import Program, ReplayFailed
from revet.frontends.source_run import StreamTable
from revet.result.trace import SystemTrace, Trace
from revet.result.verdict import Unsafe
from revet.streams.core import Extern, Node, Variable
from revet.streams.interpret import Interpreter
from revet.streams.table import Table
from revet.streams.translate import Translation, translate

if TYPE_CHECKING:
    from revet.driver.answer import Answer
    from revet.streams.spec import Property, Spec


@dataclass(frozen=True)
class Proof:
    """What is known about a property. ``run`` is the counterexample of a refuted ``forall``, or the
    witness of a proved ``exists``; ``answer`` has the certificate and the statistics."""

    name: str
    status: Literal["proved", "refuted", "unknown"]
    run: Table | None
    answer: Answer

    def __bool__(self) -> bool:
        return self.status == "proved"

    def __str__(self) -> str:
        text = f"{self.name}: {self.status}"
        if self.status == "unknown":
            text += f" ({self.answer.reason})"
        return text if self.run is None else f"{text}\n{self.run}"


    def _repr_html_(self) -> str:
        """What a notebook shows; the streams as a table."""
        reason = f" ({self.answer.reason})" if self.status == "unknown" else ""
        head = f"<b>{escape(self.name)}</b>: {self.status}{escape(reason)}"
        rows = [] if self.run is None else self.run.rows()
        cells = "".join(
            f"<tr><th>{escape(name)}</th>{''.join(f'<td>{escape(value)}</td>' for value in values)}</tr>"
            for name, values in rows
        )
        return f"<div>{head}</div>" + (f"<table>{cells}</table>" if cells else "")


def prove(
    spec: Spec, names: Sequence[str] = (), *, engine: str | None = None, timeout: float | None = 60
) -> dict[str, Proof]:
    known = spec.properties
    for name in names:
        if name not in known:
            raise UsageError(f"there is no property {name}; there are: {', '.join(known) or 'none'}")
    return {name: _prove_one(spec, known[name], engine, timeout) for name in names or known}


def program_of(spec: Spec, prop: Property) -> Program:
    """The property's transition system as a program that the driver takes."""
    return _program(spec, prop, translate(spec, prop))


def _program(spec: Spec, prop: Property, translation: Translation) -> Program:
    def replay(trace: Trace) -> list[str]:
        return _confirm(spec, prop, translation, trace)

    def render(trace: Trace) -> str:
        return str(_table(spec, prop, translation, trace))

    def streams(trace: Trace) -> StreamTable:
        rows = _table(spec, prop, translation, trace).rows()
        group = ("streams", tuple((name, tuple(values)) for name, values in rows))
        return StreamTable((group,), f"property {prop.name}")

    return Program(
        translation.system, "streams", (), replay, render_trace=render, source_run=streams
    )


def _prove_one(spec: Spec, prop: Property, engine: str | None, timeout: float | None) -> Proof:
    from revet.api import check

    translation = translate(spec, prop)
    answer = check(_program(spec, prop, translation), engine=engine, timeout=timeout)
    run = None
    if isinstance(answer.verdict, Unsafe):
        run = _table(spec, prop, translation, answer.verdict.trace)
    status: Literal["proved", "refuted", "unknown"] = "unknown"
    if answer.status == "safe":
        status = "proved" if prop.universal else "refuted"
    elif answer.status == "unsafe":
        status = "refuted" if prop.universal else "proved"
    return Proof(prop.name, status, run, answer)


def _inputs(translation: Translation, trace: SystemTrace) -> tuple[dict[str, list[Any]], int]:
    """What the trace feeds to the externs, and the number of instants it has."""
    steps = len(trace.inputs) + (0 if translation.recorded else 1)
    rows = list(trace.inputs)
    inputs: dict[str, list[Any]] = {}
    for name, variable in translation.inputs.items():
        type_ = translation.flat.externs[name].type
        drawn = [type_.from_logic(row[variable]) if variable in row else _zero(type_) for row in rows]
        inputs[name] = drawn + [_zero(type_)] * (steps - len(drawn))
    return inputs, steps


def _zero(type_: Any) -> Any:
    return {"bool": False, "float": 0.0}.get(type_.kind, 0)


def _confirm(spec: Spec, prop: Property, translation: Translation, trace: Trace) -> list[str]:
    assert isinstance(trace, SystemTrace)
    inputs, steps = _inputs(translation, trace)
    interpreter = Interpreter(inputs)
    for t in range(steps):
        if not all(interpreter.value(assumption, t) for assumption in spec.assumptions):
            raise ReplayFailed(f"an assumption is false at instant {t}")
    if steps == 0 or bool(interpreter.value(prop.formula, steps - 1)) == prop.universal:
        raise ReplayFailed(f"property {prop.name} does not fail at instant {steps - 1}")
    seen = "false" if prop.universal else "true"
    return [f"{steps} instants run by the interpreter of streams: {prop.name} is {seen} at the last"]


def _table(spec: Spec, prop: Property, translation: Translation, trace: Trace) -> Table:
    """Externs, observers, the streams that have names, and the property itself."""
    assert isinstance(trace, SystemTrace)
    inputs, steps = _inputs(translation, trace)
    interpreter = Interpreter(inputs)
    shown: dict[str, Node] = dict(translation.flat.externs)
    for name, node in spec.observers.items():
        if _fed(node, inputs):
            shown.setdefault(name, node)
    for variable in _variables(prop.formula):
        if variable.name:
            shown.setdefault(variable.name, variable)
    shown[f"property {prop.name}"] = prop.formula
    streams = {name: [interpreter.value(node, t) for t in range(steps)] for name, node in shown.items()}
    return Table(streams, {}, {name: node.type for name, node in shown.items()}, {})


def _reached(start: Node) -> list[Node]:
    found: dict[Node, None] = {start: None}
    stack = [start]
    while stack:
        for child in stack.pop().children:
            if child not in found:
                found[child] = None
                stack.append(child)
    return list(found)


def _variables(start: Node) -> list[Variable]:
    return [node for node in _reached(start) if isinstance(node, Variable)]


def _fed(start: Node, inputs: dict[str, list[Any]]) -> bool:
    """Does the trace say everything that this stream looks at?"""
    return all(node.name in inputs for node in _reached(start) if isinstance(node, Extern))
