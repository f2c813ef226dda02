"""Random programs: a direct semantics, the interpreter and the transition system say the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from revet.frontends.lustre import read
from revet.frontends.lustre.core import Program
from revet.frontends.lustre.interpret import Machine
from revet.frontends.lustre.lower import Lowering
from revet.frontends.lustre.replay import TraceOracle
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.logic.values import Value, default_value
from revet.result.trace import SystemTrace
from tests.frontends.lustre.random_programs import Instance, Programs, random_value

STEPS = 8
Broken = Counter[tuple[str, str]]


def as_source(value: Any) -> Any:
    """A value of the direct semantics as the interpreter writes it."""
    if isinstance(value, dict):
        return tuple(value.values())
    return tuple(value) if isinstance(value, list) else value


class Executed:
    """The transition system, run on inputs; memories are zero before the first instant."""

    def __init__(self, program: Program) -> None:
        self.lowering = Lowering(program)
        self.system = self.lowering.system()
        self.top = self.lowering.tops[0]
        self.state: dict[Term, Value] = {x: default_value(x.sort) for x in self.system.variables}
        for variable in self.system.variables:
            if variable.name.startswith(("first", "ok.")) or ".assumed" in variable.name:
                self.state[variable] = True
        assert Evaluator(self.state)(self.system.init) is True

    def step(self, inputs: dict[str, Any]) -> tuple[dict[str, Any], Broken]:
        known: dict[Term, Value] = {x: default_value(x.sort) for x in self.system.inputs}
        for stream in self.top.node.inputs:
            self._assign(self.lowering.input_values[self.top, stream.name], inputs[stream.name], known)
        evaluate = Evaluator({**self.state, **known})
        assert evaluate(self.system.step.guard) is True
        after = {x: evaluate(self.system.step.after(x)) for x in self.system.variables}
        reader = TraceOracle(self.lowering, SystemTrace((self.state, after), (known,), "ok"), self.top)
        streams = {
            stream.name: reader.read(stream.type, self.lowering.stream(self.top, stream.name), 0)
            for stream in self.top.node.streams
        }
        self.state = after
        broken: Broken = Counter()
        for obligation in self.lowering.obligations:
            if not obligation.reach:
                clause = obligation.name.removeprefix(obligation.instance.prefix).split(" (")[0]
                broken[obligation.instance.node.name, clause] += not after[
                    self.system.properties[obligation.name]
                ]
        return streams, +broken

    def _assign(self, variables: Any, value: Any, known: dict[Term, Value]) -> None:
        if isinstance(variables, tuple):
            for variable, part in zip(variables, value, strict=True):
                self._assign(variable, part, known)
        else:
            width = getattr(variables.sort, "width", 0)
            known[variables] = value % (1 << width) if width else value


def compare(seed: int, folder: Path) -> int:
    """Run one program; the number of values compared."""
    programs = Programs(seed)
    text, main = programs.program()
    path = folder / "random.lus"
    path.write_text(text)
    program = read(path, "main")
    machine = Machine(program, program.tops[0])
    system = Executed(program)
    expected_broken: Broken = Counter()
    reference = Instance(main, expected_broken)
    random, compared = Random(seed), 0
    for instant in range(STEPS):
        drawn = {name: random_value(kind, random) for name, kind in main.inputs}
        inputs = {name: as_source(value) for name, value in drawn.items()}
        expected_broken.clear()
        expected = {
            name: as_source(value) for name, value in reference.step(drawn).items() if name != "ghost"
        }
        interpreted = machine.step(inputs)
        executed, broken = system.step(inputs)
        where = f"seed {seed}, instant {instant}\n{text}"
        assert {name: interpreted[name] for name in expected} == expected, where
        assert {name: executed[name] for name in expected} == expected, where
        assert set(broken) == set(+expected_broken), where
        compared += len(expected)
    return compared


@pytest.mark.parametrize("block", range(10))
def test_random_programs(block: int, tmp_path: Path) -> None:
    assert sum(compare(seed, tmp_path) for seed in range(20 * block, 20 * block + 20)) > 20 * STEPS * 10


@pytest.mark.long
@pytest.mark.parametrize("block", range(40))
def test_many_random_programs(block: int, tmp_path: Path) -> None:
    for seed in range(10_000 + 100 * block, 10_100 + 100 * block):
        compare(seed, tmp_path)
