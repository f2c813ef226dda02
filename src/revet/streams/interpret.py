"""The interpreter: the reference semantics of streams, straight from their definition.

It works on the specification as written: a value is asked for at an instant, and a delay or a drop
asks for another instant. It shares nothing with flattening, so it can confirm what the transition
system and the C code say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from revet.streams.core import Apply, Constant, Delay, Drop, Extern, Node, Variable
from revet.streams.evaluate import apply_operator
from revet.streams.places import error
from revet.streams.table import Table
from revet.streams.types import Type, Value, assemble, part

if TYPE_CHECKING:
    from revet.streams.spec import Spec, Trigger


class Interpreter:
    """Values of nodes at instants, computed once each. ``inputs`` replace sample data."""

    def __init__(self, inputs: Mapping[str, Sequence[Any]] | None = None) -> None:
        self.inputs = dict(inputs or {})
        self._known: dict[tuple[Node, int], Value] = {}

    def value(self, node: Node, instant: int) -> Value:
        wanted = (node, instant)
        stack = [wanted]
        known = self._known
        while stack:
            key = stack[-1]
            if key in known:
                stack.pop()
                continue
            missing = [k for k in self._needs(*key) if k not in known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            known[key] = self._compute(*key)
        return known[wanted]

    def _needs(self, node: Node, t: int) -> list[tuple[Node, int]]:
        match node:
            case Apply():
                return [(arg, t) for arg in node.args]
            case Drop():
                return [(node.source, t + node.count)]
            case Delay():
                return [] if t < len(node.buffer) else [(node.source, t - len(node.buffer))]
            case Variable(definition=Node() as definition):
                return [(definition, t)]
        return []

    def _compute(self, node: Node, t: int) -> Value:
        match node:
            case Constant():
                return node.value
            case Extern():
                return self._read(node, t)
            case Delay() if t < len(node.buffer):
                return node.buffer[t]
            case Apply():
                values = [self._known[arg, t] for arg in node.args]
                return apply_operator(node.operator, node.type, [a.type for a in node.args], values)
        (key,) = self._needs(node, t)
        return self._known[key]

    def _read(self, node: Extern, t: int) -> Value:
        if node.name in self.inputs:
            given = self.inputs[node.name]
            if not len(given):
                raise error(f"no value for extern {node.name}", node.place)
            try:
                return node.type.accept(given[t % len(given)])
            except ValueError as problem:
                raise error(f"input for extern {node.name}: {problem}", node.place) from None
        if node.sample is None:
            raise error(f"extern {node.name} has no sample data: give some, or inputs", node.place)
        return node.sample[t % len(node.sample)]


def interpret(spec: Spec, steps: int, inputs: Mapping[str, Sequence[Any]] | None = None) -> Table:
    flat = spec.flat()  # refuses what has no meaning
    inputs = spread_inputs(inputs, flat.externs)
    interpreter = Interpreter(inputs)
    times = range(steps)
    watched = {**flat.externs, **spec.observers} if spec.observers else dict(flat.externs)
    streams = {name: [interpreter.value(node, t) for t in times] for name, node in watched.items()}
    triggers: dict[str, list[tuple[Any, ...] | None]] = {
        row: [None] * steps for name, stated in spec.calls().items() for row in call_rows(name, len(stated))
    }
    for t in times:
        for name, stated in spec.calls().items():
            made = [trigger for trigger in stated if interpreter.value(trigger.guard, t)]
            for row, trigger in zip(call_rows(name, len(stated)), made, strict=False):
                leaves = [interpreter.value(argument, t) for argument in trigger.arguments]
                triggers[row][t] = assemble_call(trigger, leaves)
    return Table(streams, triggers, {n: node.type for n, node in watched.items()}, argument_types(spec))


def call_rows(name: str, count: int) -> list[str]:
    """The rows of a table for a function that so many triggers call: its first call, its second, …"""
    return [name, *(f"{name}#{number}" for number in range(2, count + 1))]


def assemble_call(trigger: Trigger, leaves: Sequence[Any]) -> tuple[Any, ...]:
    """The arguments as values of their types."""
    rest = iter(leaves)
    return tuple(assemble(type_, rest) for type_ in trigger.types)


def argument_types(spec: Spec) -> dict[str, tuple[Type, ...]]:
    return {
        row: stated[0].types for name, stated in spec.calls().items() for row in call_rows(name, len(stated))
    }


def spread_inputs(
    inputs: Mapping[str, Sequence[Any]] | None, externs: Mapping[str, Extern]
) -> dict[str, Sequence[Any]]:
    """Inputs by leaf: data for an array or a struct are given as lists or dictionaries."""
    spread: dict[str, Sequence[Any]] = {}
    for name, values in (inputs or {}).items():
        if name in externs:
            spread[name] = values
            continue
        inside = [leaf for leaf in externs if leaf.startswith((f"{name}.", f"{name}["))]
        if not inside:
            raise error(f"there is no extern {name}; there are: {', '.join(externs) or 'none'}")
        for leaf in inside:
            spread[leaf] = [part(value, leaf[len(name) :]) for value in values]
    return spread
