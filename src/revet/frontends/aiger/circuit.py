"""From an AIGER file to a circuit: variables renumbered, gates sorted, properties named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import InputError
from revet.model.circuit import Circuit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.frontends.aiger.file import AigerFile


def circuit_of(file: AigerFile, path: str, name: str) -> Circuit:
    """Old files have no bad-state section: there the outputs are the bad states."""
    goals, kind = (file.bad, "b") if file.bad else (file.outputs, "o")
    if not goals:
        from revet.errors import Position

        raise InputError("there is no property: neither a bad-state literal nor an output", Position(path, 1))
    order = _sorted_gates(file, path)
    number = [-1] * (file.header.variables + 1)
    number[0] = 0
    defined = [*file.inputs, *file.latches, *(file.gates[k] for k in order)]
    for new, literal in enumerate(defined, 1):
        number[literal >> 1] = new
    as_they_are = number == list(range(len(number)))  # most files number their variables as circuits do

    def renamed(literals: Sequence[int], what: str) -> Sequence[int]:
        if as_they_are:
            return literals
        found = [2 * number[x >> 1] + (x & 1) for x in literals]
        if found and min(found) < 0:
            stray = next(x for x, y in zip(literals, found, strict=True) if y < 0)
            raise InputError(f"{path}: {what} uses literal {stray}, which is never defined")
        return found

    bad = dict(zip(_property_names(file, kind, len(goals)), renamed(goals, "a property"), strict=True))
    first_latch = 1 + len(file.inputs)
    names = {1 + n: file.symbols[f"i{n}"] for n in range(len(file.inputs)) if f"i{n}" in file.symbols}
    names |= {
        first_latch + n: file.symbols[f"l{n}"] for n in range(len(file.latches)) if f"l{n}" in file.symbols
    }
    return Circuit(
        inputs=len(file.inputs),
        next=renamed(file.next, "a latch"),
        reset=file.reset,
        left=renamed([file.left[k] for k in order], "a gate"),
        right=renamed([file.right[k] for k in order], "a gate"),
        bad=bad,
        constraints=renamed(file.constraints, "a constraint"),
        name=name,
        names=names,
    )


def _property_names(file: AigerFile, kind: str, count: int) -> list[str]:
    """The symbols where they are different from each other, else ``b0``, ``b1`` … (witnesses call
    outputs that, too)."""
    given = [file.symbols.get(f"{kind}{n}", "") for n in range(count)]
    plain = [f"b{n}" for n in range(count)]
    distinct = len(set(given)) == count and "" not in given
    return given if distinct else plain


def _sorted_gates(file: AigerFile, path: str) -> Sequence[int]:
    """The gates in an order in which arguments come first; nothing to do in most files."""
    gates, left, right = file.gates, file.left, file.right
    last = 0
    for gate, a, b in zip(gates, left, right, strict=True):
        if gate <= last or a >= gate or b >= gate:
            break
        last = gate
    else:
        return range(len(gates))
    position = [-1] * (file.header.variables + 1)
    for k, gate in enumerate(gates):
        position[gate >> 1] = k
    order: list[int] = []
    state = bytearray(len(gates))  # 1: being visited, 2: done
    for root in range(len(gates)):
        stack = [root]
        while stack:
            k = stack[-1]
            if state[k] == 2:
                stack.pop()
                continue
            waiting = []
            for argument in (left[k] >> 1, right[k] >> 1):
                p = position[argument]
                if p >= 0 and state[p] != 2:
                    if state[p] == 1 or p == k:
                        from revet.errors import Position

                        line = (file.first_gate_line or 1) + p
                        raise InputError(f"gate {gates[p]} depends on itself", Position(path, line))
                    waiting.append(p)
            if waiting:
                state[k] = 1
                stack += waiting
            else:
                state[k] = 2
                order.append(k)
                stack.pop()
    return order
