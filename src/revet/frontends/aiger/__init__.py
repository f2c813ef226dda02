"""AIGER 1.9 circuits, ASCII (``.aag``) and binary (``.aig``)."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from revet.errors import InputError, UsageError
from revet.frontends.aiger.circuit import circuit_of
from revet.frontends.aiger.reader import read_aiger
from revet.frontends.program import Program, ReadsWitnesses, ReplayFailed, WritesWitnesses
from revet.result import CircuitInvariant, CircuitTrace, Safe, Unsafe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from revet.budget import Budget
    from revet.frontends.aiger.file import AigerFile
    from revet.result import Verdict
    from revet.result.trace import Trace


def load(paths: Sequence[str], options: Mapping[str, Any]) -> AigerProgram:
    if len(paths) > 1:
        raise UsageError("give one AIGER file at a time")
    try:
        with open(paths[0], "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(f"{paths[0]}: {error.strerror or error}") from error
    return program_of(data, paths[0])


def program_of(data: bytes, path: str) -> AigerProgram:
    """The program in the bytes of a file called ``path``."""
    return AigerProgram(read_aiger(path, data), path)


class AigerProgram(Program, WritesWitnesses, ReadsWitnesses):
    language = "aiger"

    def __init__(self, file: AigerFile, path: str) -> None:
        circuit = circuit_of(file, path, os.path.splitext(os.path.basename(path))[0])
        free = sum(reset not in (0, 1) for reset in file.reset)
        notes = (f"{free} of {circuit.latches} latches have no reset: any initial value",) if free else ()
        super().__init__(circuit, (path,), notes)
        self._file = file
        self._circuit = circuit  # with all its properties, whichever is asked about
        self._names = list(circuit.bad)

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        from revet.frontends.aiger.simulate import faults

        assert isinstance(trace, CircuitTrace)
        goals = self._file.bad or self._file.outputs
        goal = goals[self._names.index(trace.violated)]
        for fault in faults(self._file, trace.initial, trace.inputs, goal):
            raise ReplayFailed(fault)
        steps = len(trace.inputs)
        return [f"{steps} step{'s' * (steps != 1)} run by the AIGER simulator: {trace.violated} is reached"]

    def witness(self, verdict: Verdict) -> str:
        """A counterexample, or the certificate as a circuit."""
        from revet.frontends.aiger.witness import write_witness
        from revet.frontends.aiger.writer import certificate_circuit, write_aiger

        match verdict:
            case Unsafe(CircuitTrace() as trace):
                return write_witness(self._circuit, trace, self._names)
            case Safe(CircuitInvariant(clauses, k=1)):
                return write_aiger(certificate_circuit(self._circuit, clauses)).decode()
        raise UsageError("--witness: AIGER can write counterexamples and 1-inductive invariants only")

    def read_witness(self, text: str, path: str) -> Unsafe:
        from revet.frontends.aiger.witness import read_witness

        return Unsafe(read_witness(text, path, self._circuit, self._names))
