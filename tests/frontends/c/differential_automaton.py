"""The lowered program as a fourth way to run a case: the automaton, executed by evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from revet.frontends.c.ast import CProgram
from revet.frontends.c.lower.program import Lowered, lower
from revet.frontends.c.options import Options
from revet.frontends.c.types import Array, CType, size_of
from revet.frontends.kit.deep import at_any_depth
from revet.logic.sorts import ArraySort
from revet.logic.terms import Term
from revet.logic.values import ArrayValue, Value, default_value
from revet.model.cfa import Location
from revet.model.execute import Stuck, draws, execute


def lowered_with(program: CProgram, arithmetic: str) -> Lowered:
    options = Options(data_model=program.data_model.name, arithmetic=arithmetic, malloc="if-too-large")
    return at_any_depth(lower)(program, options)


def final_state(lowered: Lowered) -> tuple[Location, dict[Term, Value]]:
    """Follow the only run of a program without inputs to its end."""
    cfa = lowered.cfa
    state: dict[Term, Value] = {variable: default_value(variable.sort) for variable in cfa.variables}
    places = next((variable for variable in cfa.variables if variable.name == "$places"), None)
    if places is not None:
        state[places] = _places(lowered)
    here = cfa.initial
    while cfa.outgoing[here]:
        for edge in cfa.outgoing[here]:
            drawn = [_drawn(variable) for variable in draws(edge.statements)]
            try:
                state = execute(edge.statements, state, drawn)
            except Stuck:
                continue
            here = edge.target
            break
        else:
            raise AssertionError(f"the automaton is stuck at {here}")
    return here, state


def _places(lowered: Lowered) -> ArrayValue:
    """A place for every object, and for some blocks."""
    layout = lowered.layout
    first, spacing = layout.objects_start, 1 << (layout.objects_start.bit_length() - 1)
    starts = [first + n * spacing for n in range((layout.objects_end - first) // spacing)]
    starts += [layout.heap_start + n * spacing for n in range(9)]
    return ArrayValue(0, {start: 0x10000 * number for number, start in enumerate(starts, 1)})


def _drawn(variable: Term) -> Value:
    """What a local variable gets as its next place is past those of all others."""
    if variable.name.split("#")[0].endswith("$place"):
        return 0x1000000 + 0x10000 * (sum(map(ord, variable.name)) % 999)
    return default_value(variable.sort)


def automaton_outputs(
    program: CProgram, lowered: Lowered, types: dict[str, CType], outputs: Sequence[str]
) -> dict[str, bytes]:
    """The outputs' bytes at the end of the automaton's run."""
    end, state = final_state(lowered)
    assert end.name == "end", f"the automaton ends at {end}"
    named = {m.expression: term for term, m in lowered.meanings.items() if m.function is None}
    return {name: _output(name, types[name], named, state) for name in outputs}


def _output(name: str, type: CType, named: dict[Any, Term], state: dict[Term, Value]) -> bytes:
    if not isinstance(type, Array):
        return _scalar(state[named[name]], type)
    whole = named.get(name)
    if whole is not None and isinstance(whole.sort, ArraySort):
        value: Any = state[whole]
        return b"".join(_scalar(value.select(n), type.element) for n in range(type.count or 0))
    parts = [named.get(f"{name}[{n}]") for n in range(type.count or 0)]
    return b"".join(_scalar(state[part], type.element) if part is not None else b"" for part in parts)


def _scalar(value: Any, type: CType) -> bytes:
    """Integers of either encoding, and floats, which are bit patterns already."""
    size = size_of(type)
    return (int(value) % (1 << 8 * size)).to_bytes(size, "little")
