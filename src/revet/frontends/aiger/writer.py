"""Writing circuits as AIGER 1.9, ASCII or binary, and proofs as circuits.

A proof is written as the format's own kind of certificate: the circuit itself, whose bad state is
now "the invariant is false". A tool that knows nothing of Revet can check by one step of induction
that it never is, and that it implies the property.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from revet.model.circuit import ANY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.model.circuit import Circuit


def write_aiger(circuit: Circuit, binary: bool = False) -> bytes:
    head = "aig" if binary else "aag"
    first = circuit.first_gate
    counts = [circuit.size - 1, circuit.inputs, circuit.latches, 0, circuit.gates, len(circuit.bad)]
    if circuit.constraints:
        counts.append(len(circuit.constraints))
    lines = [f"{head} {' '.join(map(str, counts))}"]
    if not binary:
        lines += [str(2 * v) for v in range(1, circuit.inputs + 1)]
    for n, (after, reset) in enumerate(zip(circuit.next, circuit.reset, strict=True)):
        latch = 2 * (circuit.first_latch + n)
        words = [] if binary else [latch]
        words.append(after)
        if reset:
            words.append(latch if reset == ANY else reset)
        lines.append(" ".join(map(str, words)))
    lines += [str(literal) for literal in (*circuit.bad.values(), *circuit.constraints)]
    pairs = zip(circuit.left, circuit.right, strict=True)
    if binary:
        text = "\n".join(lines).encode() + b"\n" + _deltas(circuit)
    else:
        lines += [f"{2 * gate} {a} {b}" for gate, (a, b) in enumerate(pairs, first)]
        text = "\n".join(lines).encode() + b"\n"
    return text + "".join(f"{line}\n" for line in _symbols(circuit)).encode()


def _deltas(circuit: Circuit) -> bytes:
    out = bytearray()
    for gate, (a, b) in enumerate(zip(circuit.left, circuit.right, strict=True), circuit.first_gate):
        large, small = max(a, b), min(a, b)
        for delta in (2 * gate - large, large - small):
            while delta > 127:
                out.append(delta & 127 | 128)
                delta >>= 7
            out.append(delta)
    return bytes(out)


def _symbols(circuit: Circuit) -> list[str]:
    lines = []
    for number, name in sorted(circuit.names.items()):
        if "\n" in name:
            continue
        latch = number - circuit.first_latch
        lines.append(f"l{latch} {name}" if latch >= 0 else f"i{number - 1} {name}")
    plain = [f"b{n}" for n in range(len(circuit.bad))]
    if list(circuit.bad) != plain:
        lines += [f"b{n} {name}" for n, name in enumerate(circuit.bad) if name and "\n" not in name]
    return lines


def certificate_circuit(circuit: Circuit, clauses: Sequence[Sequence[int]]) -> Circuit:
    """The circuit with one bad state: some clause is false, or an original bad state."""
    left, right = list(circuit.left), list(circuit.right)

    def conjunction(literals: Sequence[int]) -> int:
        result = 1
        for literal in literals:
            if result == 1:
                result = literal
                continue
            left.append(max(result, literal))
            right.append(min(result, literal))
            result = 2 * (circuit.first_gate + len(left) - 1)
        return result

    false_clauses = [conjunction([literal ^ 1 for literal in clause]) for clause in clauses]
    fine = conjunction([x ^ 1 for x in (*circuit.bad.values(), *false_clauses)])
    return replace(circuit, left=left, right=right, bad={"b0": fine ^ 1})
