"""Counterexamples in AIGER's own notation, as ``aigsim`` and competition tools read them::

    1            the property is violated
    b0           which one
    010          the latches at the start
    11           the inputs, one line a step
    .
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import InputError, Position
from revet.result.trace import CircuitTrace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.model.circuit import Circuit


def write_witness(circuit: Circuit, trace: CircuitTrace, properties: Sequence[str]) -> str:
    """``properties`` are all of the file's, in order: the witness numbers them."""
    rows = ["".join(map(str, row)) for row in (trace.initial, *trace.inputs)]
    return "\n".join(["1", f"b{properties.index(trace.violated)}", *rows, "."]) + "\n"


def read_witness(text: str, path: str, circuit: Circuit, properties: Sequence[str]) -> CircuitTrace:
    """``x`` (any value) is read as 0. Lines after the final dot, and comments, are ignored."""
    lines = [
        (n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if not line.startswith("c")
    ]

    def fail(message: str, n: int, line: str = "") -> InputError:
        return InputError(message, Position(path, n), line or None)

    def bits(index: int, width: int, what: str) -> tuple[int, ...]:
        n, line = lines[index]
        if len(line) != width or line.strip("01x"):
            raise fail(f"expected {what}: {width} digits 0, 1 or x", n, line)
        return tuple(int(c == "1") for c in line)

    if not lines or lines[0][1] != "1":
        raise fail("a counterexample starts with a line 1", 1, lines[0][1] if lines else "")
    dot = next((k for k, (_, line) in enumerate(lines) if line == "."), None)
    if dot is None or dot < 4:
        raise fail("a counterexample has a property, the latches, at least one step and a final dot", 1)
    n, which = lines[1]
    if which[:1] != "b" or not which[1:].isdigit() or int(which[1:]) >= len(properties):
        raise fail(f"expected the violated property: b0 … b{len(properties) - 1}", n, which)
    initial = bits(2, circuit.latches, "the latches")
    inputs = tuple(bits(k, circuit.inputs, f"the inputs of step {k - 3}") for k in range(3, dot))
    return CircuitTrace(initial, inputs, properties[int(which[1:])])
