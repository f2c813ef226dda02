"""AIGER: meaning, round trips, errors with places, and files damaged at random."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from revet.api import check
from revet.checker.certificate import check_certificate
from revet.checker.replay import ReplayError, replay
from revet.errors import InputError
from revet.frontends.aiger import program_of
from revet.frontends.aiger.witness import read_witness, write_witness
from revet.frontends.aiger.writer import write_aiger
from revet.model.circuit import ANY, Circuit
from revet.result import CircuitInvariant, CircuitTrace, Safe, Unsafe
from revet.result.files import read_evidence, write_evidence
from tests.frontends.aiger.random_circuits import random_circuit, shortest_violation

# Two latches; bad when both are 1, which takes a step or two.
COUNTER = b"""aag 6 1 2 0 3 1
2
4 9 0
6 13
12
8 4 2
10 6 8
12 6 4
b0 three
c
made by hand
"""


def load(data: bytes) -> Circuit:
    model = program_of(data, Path("file.aag")).model
    assert isinstance(model, Circuit)
    return model


def same(one: Circuit, two: Circuit) -> bool:
    def facts(c: Circuit) -> list[object]:
        lists = (c.next, c.reset, c.constraints)
        gates = [(max(a, b), min(a, b)) for a, b in zip(c.left, c.right, strict=True)]
        return [c.inputs, *map(list, lists), gates, list(c.bad.items()), dict(c.names)]

    return facts(one) == facts(two)


def test_sections_and_symbols() -> None:
    circuit = load(COUNTER)
    assert (circuit.inputs, circuit.latches, circuit.gates) == (1, 2, 3)
    assert circuit.bad == {"three": 12}
    assert list(circuit.reset) == [0, 0]


def test_outputs_of_old_files_are_bad_states() -> None:
    assert load(b"aag 1 1 0 1 0\n2\n2\n").bad == {"b0": 2}


def test_resets() -> None:
    assert list(load(b"aag 3 0 3 1 0\n2 2 0\n4 4 1\n6 6 6\n6\n").reset) == [0, 1, ANY]


def test_gates_in_any_order() -> None:
    """Gate 8 uses gate 6, which the file defines later, and numbers may have gaps."""
    circuit = load(b"aag 9 2 0 1 2\n2\n18\n8\n8 6 2\n6 18 3\n")
    assert list(circuit.left) == [4, 6] and list(circuit.right) == [3, 2]
    assert circuit.bad == {"b0": 8}


@pytest.mark.parametrize("binary", [False, True])
def test_round_trip(binary: bool) -> None:
    random = Random(3)
    for _ in range(200):
        circuit = random_circuit(random, 6, gates=20)
        assert same(load(write_aiger(circuit, binary)), circuit)


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (b"", ":1:1", "not an AIGER file"),
        (b"aag 1 1 0\n", ":1:1", "header"),
        (b"aag 1 1 0 1 0 0 0 1\n2\n2\n", ":1:1", "justice"),
        (b"aag 99999999999 1 0 1 0\n2\n2\n", ":1:1", "more than"),
        (b"aag 900000 900000 0 1 0\n2\n2\n", ":1:1", "shorter"),
        (b"aag 1 2 0 1 0\n2\n4\n2\n", ":1:1", "M is 1"),
        (b"aag 1 1 0 1 0\n2\n7\n", ":3:1", "beyond"),
        (b"aag 1 1 0 1 0\n3\n2\n", ":2:1", "not a variable"),
        (b"aag 2 2 0 1 0\n2\n2\n2\n", ":3:1", "twice"),
        (b"aag 2 1 1 1 0\n2\n4 2 3\n4\n", ":3:1", "reset"),
        (b"aag 3 1 0 1 2\n2\n4\n4 6 2\n6 4 2\n", ":4:1", "depends on itself"),
        (b"aag 3 1 0 1 1\n2\n6\n6 4 2\n", "", "never defined"),
        (b"aag 3 1 0 1 1\n2\n6\n6 2\n\n", ":4:1", "3 literals"),
        (b"aag 1 1 0 1 0\n2\n2\nx0 name\n", ":4:1", "symbol"),
        (b"aag 1 1 0 0 0\n2\n", ":1:1", "no property"),
        (b"aig 2 1 0 1 1\n4\n\x00\x02", "byte 16", "refers to itself"),
        (b"aig 2 1 0 1 1\n4\n\x82\x80", "byte 18", "ends within"),
    ],
)
def test_errors_say_where(data: bytes, place: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(data)
    assert place in str(caught.value) and message in str(caught.value)


def damage(random: Random, data: bytes) -> bytes:
    text = bytearray(data)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(text))
        match random.randrange(4):
            case 0:
                text[at] = random.randrange(256)
            case 1:
                del text[at : at + random.randint(1, 5)]
            case 2:
                text[at:at] = random.choice([b"\n", b" ", b"9", b"-", b"\xff", b"c", b"0"])
            case 3:
                text = text[: at + 1]
        text = text or bytearray(b"a")
    return bytes(text)


@pytest.mark.parametrize("binary", [False, True])
def test_damaged_files_are_refused_or_read(binary: bool) -> None:
    """Whatever the bytes: a circuit or an InputError, nothing else."""
    random = Random(11)
    refused = 0
    for _ in range(600):
        data = damage(random, write_aiger(random_circuit(random, 4), binary))
        try:
            load(data)
        except InputError:
            refused += 1
    assert 100 < refused < 600


def test_check_and_witness(tmp_path: Path) -> None:
    file = tmp_path / "counter.aag"
    file.write_bytes(COUNTER)
    program = program_of(COUNTER, file)
    answer = check(file, engine="pdr")
    assert isinstance(answer.verdict, Unsafe)
    trace = answer.verdict.trace
    assert isinstance(trace, CircuitTrace) and isinstance(program.model, Circuit)
    text = write_witness(program.model, trace, ["three"])
    assert text.startswith("1\nb0\n00\n") and text.endswith("\n.\n")
    again = read_witness(text, "w", program.model, ["three"])
    assert (again.initial, again.inputs, again.violated) == (trace.initial, trace.inputs, trace.violated)
    program.replay(again)


def test_certificate_circuit_is_one_inductive() -> None:
    """The circuit that a proof is written as says the same thing, and is inductive as it stands."""
    random = Random(5)
    written = 0
    while written < 10:
        circuit = random_circuit(random, 5)
        if shortest_violation(circuit) is not None:
            continue
        program = program_of(write_aiger(circuit), Path("c.aag"))
        answer = check(program, engine="pdr")
        assert isinstance(answer.verdict, Safe) and isinstance(answer.verdict.certificate, CircuitInvariant)
        text = program.witness(answer.verdict)
        proved = check(program_of(text.encode(), Path("p.aag")), engine="kind", options={"max-k": 1})
        assert proved.status == "safe"
        written += 1


def test_saved_evidence_is_accepted_and_damaged_evidence_is_not(tmp_path: Path) -> None:
    random = Random(21)
    kinds = set()
    for number in range(30):
        circuit = random_circuit(random, 5)
        answer = check(circuit, engine="pdr")
        path = tmp_path / f"{number}.json"
        write_evidence(path, answer.verdict, circuit)
        match read_evidence(path, circuit):
            case Safe(certificate):
                assert check_certificate(circuit, certificate).accepted
                kinds.add("safe")
            case Unsafe(CircuitTrace() as trace):
                replay(circuit, trace)
                # One bad step fewer, or a bad state of another circuit: no longer a violation.
                with pytest.raises(ReplayError):
                    replay(circuit, CircuitTrace(trace.initial, (), trace.violated))
                kinds.add("unsafe")
    assert kinds == {"safe", "unsafe"}


def test_wrong_invariants_are_rejected() -> None:
    """The negation of any clause, or clauses dropped, must not pass for an unsafe circuit."""
    random = Random(22)
    rejected = 0
    while rejected < 40:
        circuit = random_circuit(random, 5)
        if shortest_violation(circuit) is None:
            continue
        latches = range(circuit.first_latch, circuit.first_gate)
        clauses = tuple(
            (2 * random.choice(latches) + random.randrange(2),) for _ in range(random.randrange(4))
        )
        for k in (1, 2, 5):
            for simple_path in (False, True):
                report = check_certificate(circuit, CircuitInvariant(clauses, k, simple_path))
                assert report.status == "rejected"
        rejected += 1
