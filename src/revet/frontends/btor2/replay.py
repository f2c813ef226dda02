"""Counterexamples of BTOR2 files: confirmed by the interpreter, written as BTOR2 witnesses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from revet.budget import Budget
from revet.errors import UsageError
from revet.frontends.btor2.interpret import Machine, zero
from revet.frontends.btor2.translate import Translation
from revet.frontends.btor2.witness import read_witness
from revet.frontends.program import Program, ReadsWitnesses, ReplayFailed, WritesWitnesses
from revet.logic.sorts import ArraySort, BitVecSort
from revet.logic.values import same
from revet.result.trace import SystemTrace, Trace
from revet.result.verdict import Unsafe, Verdict


class Btor2Program(Program, WritesWitnesses, ReadsWitnesses):
    language = "btor2"

    def __init__(self, translation: Translation, path: Path) -> None:
        super().__init__(translation.system, (path,))
        self.translation = translation
        self.file = translation.file

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        """Run the file on the trace's inputs; only what the file leaves open is taken from it."""
        assert isinstance(trace, SystemTrace)
        file, machine = self.file, Machine(self.file)
        states = {n: self._given(trace, n, 0) for n in file.states}
        for step in range(len(trace.states)):
            inputs = {n: self._given(trace, n, step) for n in file.inputs}
            machine.read({**inputs, **states})
            for state in file.init if step == 0 else ():
                if not same(machine.initial(state), states[state], file.nodes[state].sort):
                    raise ReplayFailed(f"state {state} does not start with its initial value")
            for constraint in file.constraints:
                if not machine.value(constraint):
                    raise ReplayFailed(f"step {step}: a constraint is violated")
            if step < len(trace):
                states = {
                    n: machine.value(file.next[n]) if n in file.next else self._given(trace, n, step + 1)
                    for n in file.states
                }
        if machine.value(self.translation.properties[trace.violated]) != 1:
            raise ReplayFailed(f"the last step does not violate {trace.violated}")
        count = len(trace.states)
        return [f"{count} step{'s' * (count != 1)} run by the BTOR2 interpreter: {trace.violated} is reached"]

    def _given(self, trace: SystemTrace, node: int, step: int) -> Any:
        variable = self.translation.variables[node]
        if variable in trace.states[step]:
            return trace.states[step][variable]
        drawn = trace.inputs[step] if step < len(trace.inputs) else {}
        return drawn.get(variable, zero(variable.sort))

    def witness(self, verdict: Verdict) -> str:
        if not isinstance(verdict, Unsafe) or not isinstance(verdict.trace, SystemTrace):
            raise UsageError("--witness: BTOR2 has a notation for counterexamples only")
        trace, file = verdict.trace, self.file
        lines = ["sat", f"b{list(self.translation.properties).index(trace.violated)}"]
        for step in range(len(trace.states)):
            free = [
                n for n in enumerate(file.states)
                if (step == 0 and n[1] not in file.init) or (step and n[1] not in file.next)
            ]
            rows = [line for at, n in free for line in self._assignment(trace, at, n, step)]
            if rows or step == 0:
                lines += [f"#{step}", *rows]
            lines.append(f"@{step}")
            for at, n in enumerate(file.inputs):
                lines += self._assignment(trace, at, n, step)
        return "\n".join([*lines, "."]) + "\n"

    def read_witness(self, text: str, path: str) -> Unsafe:
        return Unsafe(read_witness(text, path, self.translation))

    def _assignment(self, trace: SystemTrace, at: int, node: int, step: int) -> list[str]:
        sort, value = self.file.nodes[node].sort, self._given(trace, node, step)
        name = f"{self.translation.variables[node].name}#{step}"
        if isinstance(sort, BitVecSort):
            return [f"{at} {value:0{sort.width}b} {name}"]
        assert isinstance(sort, ArraySort)
        index, element = sort.index, sort.element
        assert isinstance(index, BitVecSort) and isinstance(element, BitVecSort)
        entries = dict(value.entries)
        if value.default and index.width <= 12:
            entries = {k: entries.get(k, value.default) for k in range(1 << index.width)}
        return [
            f"{at} [{k:0{index.width}b}] {v:0{element.width}b} {name}" for k, v in sorted(entries.items())
        ]
