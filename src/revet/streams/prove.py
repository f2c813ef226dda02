"""``Spec.prove``: each property by name, through the driver; counterexamples as streams.

Every *refuted* comes with inputs on which the interpreter (which shares nothing with the
translation) sees the property fail; every *proved* with a certificate that was checked.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from revet.budget import Budget
from revet.errors import UsageError
from revet.events import ignore
from revet.frontends.kit.source_run import StreamTable
from revet.frontends.program import Program, ReplayFailed, TellsRuns
from revet.result.trace import SystemTrace, Trace
from revet.result.verdict import Unsafe
from revet.streams.core import Apply, Extern, Node, Variable, reached
from revet.streams.evaluate import INEXACT
from revet.streams.interpret import Interpreter
from revet.streams.table import Table
from revet.streams.translate import Translation, translate
from revet.streams.types import Real

if TYPE_CHECKING:
    from revet.driver.answer import Answer
    from revet.events import Observer
    from revet.streams.spec import Property, Spec


@dataclass(frozen=True)
class Proof:
    """What is known about a property. ``run`` is the counterexample of a refuted ``forall``, or the
    witness of a proved ``exists``; ``answer`` has the certificate and the statistics."""

    name: str
    status: Literal["proved", "refuted", "unknown", "admitted"]
    run: Table | None
    answer: Answer | None
    """None: it was admitted, something that it uses was not proved, or its time was up before it began."""
    using: tuple[Proof, ...] = ()

    def __bool__(self) -> bool:
        return self.status == "proved"

    @property
    def admitting(self) -> list[str]:
        """What was taken for granted on the way, without a proof."""
        own = [self.name] if self.status == "admitted" else []
        return list(dict.fromkeys([*own, *(name for used in self.using for name in used.admitting)]))

    @property
    def reason(self) -> str:
        """Of *unknown*."""
        if self.answer is not None:
            return str(self.answer.reason)
        missing = [used.name for used in self.using if used.status not in ("proved", "admitted")]
        return f"it uses {', '.join(missing)}, which was not proved" if missing else "time is up"

    @property
    def line(self) -> str:
        """The status and what it rests on."""
        text = f"{self.name}: {self.status}"
        if self.status == "unknown":
            return f"{text} ({self.reason})"
        if self.using and self.status != "refuted":
            text += f", using {', '.join(used.name for used in self.using)}"
        if self.admitting and self.status == "proved":
            text += f", admitting {', '.join(self.admitting)}"
        return text

    def __str__(self) -> str:
        return self.line if self.run is None else f"{self.line}\n{self.run}"

    def _repr_html_(self) -> str:
        """What a notebook shows; the streams as a table."""
        head = f"<b>{escape(self.name)}</b>{escape(self.line.removeprefix(self.name))}"
        rows = [] if self.run is None else self.run.rows()
        cells = "".join(
            f"<tr><th>{escape(name)}</th>{''.join(f'<td>{escape(value)}</td>' for value in values)}</tr>"
            for name, values in rows
        )
        return f"<div>{head}</div>" + (f"<table>{cells}</table>" if cells else "")


_LEAST = 0.1  # seconds worth starting for


@dataclass(frozen=True)
class How:
    """The engines to use and their options, as for :func:`revet.check`. A property has ``timeout`` seconds,
    and all of them together have time ``until`` then, on the clock of ``time.monotonic``."""

    engine: str | None = None
    engines: str | None = None
    options: Mapping[str, Any] | None = None
    timeout: float | None = 60
    observe: Observer = ignore
    memory: int | None = None
    until: float | None = None

    @property
    def seconds(self) -> float | None:
        """What is left for the next property."""
        left = [self.timeout, None if self.until is None else self.until - time.monotonic()]
        return min((one for one in left if one is not None), default=None)

    @property
    def is_over(self) -> bool:
        """Is too little time left to begin another one?"""
        return self.seconds is not None and self.seconds < _LEAST


def prove(spec: Spec, names: Sequence[str] = (), how: How | None = None) -> dict[str, Proof]:
    """The named properties (all, if none is named), in the order in which they were stated or named."""
    known = spec.properties
    for name in names:
        if name not in known:
            raise UsageError(f"there is no property {name}; there are: {', '.join(known) or 'none'}")
    found: dict[str, Proof] = {}
    for name in names or known:
        proof_of(spec, name, how or How(), found)
    return {name: found[name] for name in names or known}


def proof_of(spec: Spec, name: str, how: How, found: dict[str, Proof]) -> Proof:
    """The property and, before it, what it uses; nothing twice: ``found`` knows and learns."""
    if name not in found:
        prop = spec.properties[name]
        used = tuple(proof_of(spec, other, how, found) for other in prop.using)
        if prop.admitted:
            found[name] = Proof(name, "admitted", None, None)
        elif how.is_over or any(proof.status not in ("proved", "admitted") for proof in used):
            found[name] = Proof(name, "unknown", None, None, used)
        else:
            found[name] = _prove_one(_with_lemmas(spec, prop), prop, how, used)
    return found[name]


def _with_lemmas(spec: Spec, prop: Property) -> Spec:
    """Lemmas hold in all runs that count: assuming them leaves these runs as they are."""
    if not prop.using:
        return spec
    made = copy(spec)
    made.assumptions = [*spec.assumptions, *(spec.properties[name].formula for name in prop.using)]
    return made


def program_of(spec: Spec, prop: Property) -> StreamProgram:
    """The property's transition system as a program that the driver takes."""
    return StreamProgram(spec, prop, translate(spec, prop))


class StreamProgram(Program, TellsRuns):
    """One property of a specification."""

    language = "streams"

    def __init__(self, spec: Spec, prop: Property, translation: Translation) -> None:
        super().__init__(translation.system)
        self.spec = spec
        self.property = prop
        self.translation = translation

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        return _confirm(self.spec, self.property, self.translation, trace)

    def table(self, trace: Trace) -> Table:
        return _table(self.spec, self.property, self.translation, trace)

    def render_trace(self, trace: Trace) -> str:
        return str(self.table(trace))

    def source_run(self, trace: Trace) -> StreamTable:
        group = ("streams", tuple((name, tuple(values)) for name, values in self.table(trace).rows()))
        return StreamTable((group,), f"property {self.property.name}")


def _prove_one(spec: Spec, prop: Property, how: How, used: tuple[Proof, ...]) -> Proof:
    from revet.api import check

    program = program_of(spec, prop)
    answer = check(
        program, engine=how.engine, engines=how.engines, options=how.options, timeout=how.seconds,
        memory=how.memory, observe=how.observe,
    )
    run = None
    if isinstance(answer.verdict, Unsafe):
        run = program.table(answer.verdict.trace)
    status: Literal["proved", "refuted", "unknown"] = "unknown"
    if answer.status == "safe":
        status = "proved" if prop.universal else "refuted"
    elif answer.status == "unsafe":
        status = "refuted" if prop.universal else "proved"
    return Proof(prop.name, status, run, answer, used)


def _inputs(translation: Translation, trace: SystemTrace) -> tuple[dict[str, list[Any]], int]:
    """What the trace feeds to the externs, and the number of instants it has."""
    steps = len(trace.inputs) + (0 if translation.recorded else 1)
    rows = list(trace.inputs)
    inputs: dict[str, list[Any]] = {}
    for name, variable in translation.inputs.items():
        type_ = translation.flat.externs[name].type
        drawn = [type_.from_logic(row[variable]) if variable in row else type_.zero for row in rows]
        inputs[name] = drawn + [type_.zero] * (steps - len(drawn))
    return inputs, steps


def _confirm(spec: Spec, prop: Property, translation: Translation, trace: Trace) -> list[str]:
    assert isinstance(trace, SystemTrace)
    inputs, steps = _inputs(translation, trace)
    interpreter = Interpreter(inputs)
    for t in range(steps):
        if not all(interpreter.value(assumption, t) for assumption in spec.assumptions):
            raise ReplayFailed(f"an assumption is false at instant {t}")
    rounded = [
        node.operator for root in (prop.formula, *spec.assumptions) for node in reached(root)
        if isinstance(node, Apply) and node.type is Real and node.operator in INEXACT
    ]
    if rounded:
        raise ReplayFailed(f"{rounded[0]} of a Real cannot be computed exactly, so no run refutes it")
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
    for node in reached(prop.formula):
        if isinstance(node, Variable) and node.name:
            shown.setdefault(node.name, node)
    shown[f"property {prop.name}"] = prop.formula
    streams = {name: [interpreter.value(node, t) for t in range(steps)] for name, node in shown.items()}
    return Table(streams, {}, {name: node.type for name, node in shown.items()}, {})


def _fed(start: Node, inputs: dict[str, list[Any]]) -> bool:
    """Does the trace say everything that this stream looks at?"""
    return all(node.name in inputs for node in reached(start) if isinstance(node, Extern))
