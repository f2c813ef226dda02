"""AIGER 1.9 circuits, ASCII (``.aag``) and binary (``.aig``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.errors import InputError, UsageError
from revet.frontends.aiger.circuit import circuit_of
from revet.frontends.aiger.file import AigerFile
from revet.frontends.aiger.reader import read_aiger
from revet.frontends.aiger.simulate import faults
from revet.frontends.aiger.witness import read_witness, write_witness
from revet.frontends.aiger.writer import certificate_circuit, write_aiger
from revet.frontends.program import Program, ReplayFailed
from revet.model.circuit import Circuit
from revet.result import CircuitInvariant, CircuitTrace, Safe, Unsafe, Verdict
from revet.result.trace import Trace


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> Program:
    if len(paths) > 1:
        raise UsageError("give one AIGER file at a time")
    try:
        data = paths[0].read_bytes()
    except OSError as error:
        raise InputError(f"{paths[0]}: {error.strerror or error}") from error
    return program_of(data, paths[0])


def program_of(data: bytes, path: Path) -> Program:
    """The program in the bytes of a file called ``path``."""
    file = read_aiger(str(path), data)
    circuit = circuit_of(file, str(path), path.stem)
    properties = list(circuit.bad)
    free = sum(reset not in (0, 1) for reset in file.reset)
    assumptions = (f"{free} of {circuit.latches} latches have no reset: any initial value",) if free else ()
    return Program(
        circuit, "aiger", (path,), _replay(file, properties), assumptions,
        extras={
            "witness": _evidence(circuit, properties),
            "read_witness": lambda text, file: Unsafe(read_witness(text, file, circuit, properties)),
        },
    )


def _replay(file: AigerFile, properties: list[str]) -> Callable[[Trace], list[str]]:
    goals = file.bad or file.outputs

    def replay(trace: Trace) -> list[str]:
        assert isinstance(trace, CircuitTrace)
        goal = goals[properties.index(trace.violated)]
        for fault in faults(file, trace.initial, trace.inputs, goal):
            raise ReplayFailed(fault)
        steps = len(trace.inputs)
        return [f"{steps} step{'s' * (steps != 1)} run by the AIGER simulator: {trace.violated} is reached"]

    return replay


def _evidence(circuit: Circuit, properties: list[str]) -> Callable[[Verdict], str]:
    """The text of ``--witness``: a counterexample, or the certificate as a circuit."""

    def text(verdict: Verdict) -> str:
        match verdict:
            case Unsafe(CircuitTrace() as trace):
                return write_witness(circuit, trace, properties)
            case Safe(CircuitInvariant(clauses, k=1)):
                return write_aiger(certificate_circuit(circuit, clauses)).decode()
        raise UsageError("--witness: AIGER can write counterexamples and 1-inductive invariants only")

    return text
