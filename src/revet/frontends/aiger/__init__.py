"""AIGER 1.9 circuits, ASCII (``.aag``) and binary (``.aig``)."""

from __future__ import annotations

import os.path

from revet.errors import InputError, UsageError
from revet.frontends.aiger.circuit import circuit_of
from revet.frontends.aiger.reader import read_aiger
from revet.frontends.program import Program, ReplayFailed
from revet.result import CircuitInvariant, CircuitTrace, Safe, Unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from revet.frontends.aiger.file import AigerFile
    from revet.model.circuit import Circuit
    from revet.result import Verdict
    from revet.result.trace import Trace


def load(paths: Sequence[str], options: Mapping[str, Any]) -> Program:
    if len(paths) > 1:
        raise UsageError("give one AIGER file at a time")
    try:
        with open(paths[0], "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(f"{paths[0]}: {error.strerror or error}") from error
    return program_of(data, paths[0])


def program_of(data: bytes, path: str) -> Program:
    """The program in the bytes of a file called ``path``."""
    file = read_aiger(path, data)
    circuit = circuit_of(file, path, os.path.splitext(os.path.basename(path))[0])
    properties = list(circuit.bad)
    free = sum(reset not in (0, 1) for reset in file.reset)
    assumptions = (f"{free} of {circuit.latches} latches have no reset: any initial value",) if free else ()
    return Program(
        circuit, "aiger", (path,), _replay(file, properties), assumptions,
        extras={
            "witness": _evidence(circuit, properties),
            "read_witness": lambda text, file: _counterexample(text, file, circuit, properties),
        },
    )


def _replay(file: AigerFile, properties: list[str]) -> Callable[[Trace], list[str]]:
    goals = file.bad or file.outputs

    def replay(trace: Trace) -> list[str]:
        from revet.frontends.aiger.simulate import faults

        assert isinstance(trace, CircuitTrace)
        goal = goals[properties.index(trace.violated)]
        for fault in faults(file, trace.initial, trace.inputs, goal):
            raise ReplayFailed(fault)
        steps = len(trace.inputs)
        return [f"{steps} step{'s' * (steps != 1)} run by the AIGER simulator: {trace.violated} is reached"]

    return replay


def _counterexample(text: str, path: str, circuit: Circuit, properties: list[str]) -> Unsafe:
    from revet.frontends.aiger.witness import read_witness

    return Unsafe(read_witness(text, path, circuit, properties))


def _evidence(circuit: Circuit, properties: list[str]) -> Callable[[Verdict], str]:
    """The text of ``--witness``: a counterexample, or the certificate as a circuit."""

    def text(verdict: Verdict) -> str:
        from revet.frontends.aiger.witness import write_witness
        from revet.frontends.aiger.writer import certificate_circuit, write_aiger

        match verdict:
            case Unsafe(CircuitTrace() as trace):
                return write_witness(circuit, trace, properties)
            case Safe(CircuitInvariant(clauses, k=1)):
                return write_aiger(certificate_circuit(circuit, clauses)).decode()
        raise UsageError("--witness: AIGER can write counterexamples and 1-inductive invariants only")

    return text
