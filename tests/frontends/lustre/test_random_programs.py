"""Random programs: a direct semantics, the interpreter and the transition system say the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from revet.frontends.lustre import read
from revet.frontends.lustre.interpret import Machine
from revet.frontends.lustre.replay import source_value
from revet.frontends.lustre.translate import Translator
from revet.frontends.lustre.types import Typing
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.logic.values import Value, default_value
from tests.frontends.lustre.random_programs import Instance, Programs, leaves, random_value

STEPS = 8
Broken = Counter[tuple[str, str]]


class Executed:
    """The transition system, run on inputs; memories are zero before the first instant."""

    def __init__(self, typing: Typing, translator: Translator) -> None:
        self.typing = typing
        self.translator = translator
        self.system = translator.system()
        self.state: dict[Term, Value] = {x: default_value(x.sort) for x in self.system.variables}
        self.state[translator.first] = True
        for flag in self.system.properties.values():
            self.state[flag] = True
        assert Evaluator(self.state)(self.system.init) is True

    def step(self, inputs: dict[str, Any]) -> tuple[dict[str, Any], Broken]:
        types = self.typing.variables[self.translator.main.node]
        known: dict[Term, Value] = {x: default_value(x.sort) for x in self.system.inputs}
        for name, variable in self.translator.inputs.items():
            width = types[name].width
            known[variable] = inputs[name] % (1 << width) if width else inputs[name]
        evaluate = Evaluator({**self.state, **known})
        assert evaluate(self.system.step.guard) is True
        streams = {
            name: source_value(evaluate(self.translator._stream(self.translator.main, name)), type_)
            for name, type_ in types.items()
        }
        self.state = {x: evaluate(self.system.step.after(x)) for x in self.system.variables}
        broken: Broken = Counter()
        for name, (instance, clause) in self.translator.obligations.items():
            node = instance.node.name.split("~")[0]
            broken[node, clause.name] += not self.state[self.system.properties[name]]
        return streams, +broken


def compare(seed: int, folder: Path) -> int:
    """Run one program; the number of values compared."""
    programs = Programs(seed)
    text, main = programs.program()
    path = folder / "random.lus"
    path.write_text(text)
    file = read(path)
    typing = Typing(file)
    machine = Machine(typing, file.main)
    system = Executed(typing, Translator(typing, file.main))
    expected_broken: Broken = Counter()
    reference = Instance(main, expected_broken)
    random, compared = Random(seed), 0
    for instant in range(STEPS):
        drawn = {name: random_value(kind, random) for name, kind in main.inputs}
        inputs = {k: v for name, value in drawn.items() for k, v in leaves(name, value).items()}
        expected_broken.clear()
        expected = {
            k: v for name, value in reference.step(drawn).items() for k, v in leaves(name, value).items()
        }
        interpreted = machine.step(inputs)
        executed, broken = system.step(inputs)
        where = f"seed {seed}, instant {instant}\n{text}"
        assert {name: interpreted[name] for name in expected} == expected, where
        assert {name: executed[name] for name in expected} == expected, where
        # which ones, not how often: a call in the condition of a choice between records is made for each part
        assert set(broken) == set(+expected_broken), where
        assert sum(broken.values()) == sum(value is False for value in machine.owed.values()), where
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
