"""Witness files of AIGER, judged as ``aigsim`` does: from the two texts alone, with nothing of Revet's.

Debian has no package of the AIGER tools, so the judge is written here, from the format's report: a
first line ``1``, a line ``b`` and a number, the latches, one line of inputs for each step, a dot.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from revet.api import check
from revet.frontends.aiger import program_of
from revet.frontends.aiger.writer import write_aiger
from revet.result import Unsafe
from tests.frontends.aiger.random_circuits import random_circuit, shortest_violation


def accepted(aag: str, witness: str) -> bool:
    """Does the run start in a reset state, keep the constraints and end in the bad state named?"""
    lines = iter(aag.splitlines())
    _, inputs, latches, outputs, gates, *more = map(int, next(lines).split()[1:])
    bad, constraints = (*more, 0, 0)[:2]
    pins = [int(next(lines)) for _ in range(inputs)]
    cells = [list(map(int, next(lines).split())) for _ in range(latches)]
    for _ in range(outputs):
        next(lines)
    goals = [int(next(lines)) for _ in range(bad)]
    assumed = [int(next(lines)) for _ in range(constraints)]
    wires = [list(map(int, next(lines).split())) for _ in range(gates)]
    first, which, start, *rows, dot = witness.splitlines()
    if (first, dot, which[0]) != ("1", ".", "b") or not rows:
        return False
    state = [int(bit) for bit in start]
    for (latch, _, *reset), bit in zip(cells, state, strict=True):
        if (reset or [0])[0] not in (bit, latch):
            return False
    for row in rows:
        value = {0: 0, 1: 1}
        for literal, bit in [*zip(pins, map(int, row), strict=True),
                             *zip([cell[0] for cell in cells], state, strict=True)]:
            value[literal], value[literal + 1] = bit, 1 - bit
        for gate, a, b in wires:
            value[gate] = value[a] & value[b]
            value[gate + 1] = 1 - value[gate]
        if not all(value[literal] for literal in assumed):
            return False
        state = [value[cell[1]] for cell in cells]
    return value[goals[int(which[1:])]] == 1


def test_written_witnesses_are_accepted_and_damaged_ones_are_not() -> None:
    random = Random(31)
    written = refused = 0
    while written < 25:
        circuit = random_circuit(random, 6)
        if shortest_violation(circuit) is None:
            continue
        text = write_aiger(circuit).decode()
        program = program_of(text.encode(), Path("c.aag"))
        answer = check(program, engine="pdr" if written % 2 else "bmc")
        assert isinstance(answer.verdict, Unsafe)
        witness = program.witness(answer.verdict)
        assert accepted(text, witness)
        lines = witness.splitlines()
        start = "".join("10"[int(bit)] for bit in lines[2])
        refused += not accepted(text, "\n".join([*lines[:2], start, *lines[3:]]))
        written += 1
    assert refused > 15
