"""The abstraction of ``--compositional``: every run of the program is a run against the contracts."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from revet.frontends.lustre import read
from revet.frontends.lustre.translate import Instance, Translator
from revet.frontends.lustre.types import Typing
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.logic.values import Value, default_value
from tests.frontends.lustre.random_programs import Programs, leaves, random_value

STEPS = 8
Place = tuple[object, ...]


class Running:
    """A transition system that runs, with only the contracts of the nodes in ``abstract``."""

    def __init__(self, path: Path, abstract: set[str]) -> None:
        file = read(path, "main", abstract)
        self.typing = Typing(file)
        self.translator = Translator(self.typing, file.main)
        self.system = self.translator.system()
        self.state: dict[Term, Value] = {x: default_value(x.sort) for x in self.system.variables}
        self.state[self.translator.first] = True

    def step(self, inputs: dict[str, Any], outputs: dict[tuple[Place, str], Value]) -> bool:
        """One instant, with given outputs of the abstract nodes; False if the guard forbids it."""
        types = self.typing.variables[self.translator.main.node]
        known = {x: default_value(x.sort) for x in self.system.inputs}
        for name, variable in self.translator.inputs.items():
            width = types[name].width
            known[variable] = inputs[name] % (1 << width) if width else inputs[name]
        for (instance, name), variable in self.translator.free.items():
            known[variable] = outputs.get((place(instance), name), known[variable])
        self.evaluate = Evaluator({**self.state, **known})
        self.state = {x: self.evaluate(self.system.step.after(x)) for x in self.system.variables}
        return self.evaluate(self.system.step.guard) is True

    def streams(self) -> dict[str, Value]:
        main = self.translator.main
        names = self.typing.variables[main.node]
        return {name: self.evaluate(self.translator._stream(main, name)) for name in names}

    def outputs(self) -> dict[tuple[Place, str], Value]:
        return {
            (place(instance), d.name): self.evaluate(self.translator._stream(instance, d.name))
            for instance in self.translator._instances
            for d in instance.node.outputs
        }

    def kept(self) -> bool:
        """Is every guarantee kept?"""
        return all(
            self.state[self.system.properties[name]]
            for name, (_, clause) in self.translator.obligations.items()
            if not clause.name.startswith("assumption ")
        )


def place(instance: Instance) -> Place:
    """Where an instance is in the program's text: the two translations number calls differently."""
    return tuple((call.node, call.position.line, call.position.column) for call in instance.calls)


def compare(seed: int, folder: Path) -> int:
    """The number of instants at which the program kept its contracts and was compared."""
    programs = Programs(seed)
    text, main = programs.program()
    path = folder / "random.lus"
    path.write_text(text)
    contracts = {node.name for node in programs.nodes if node.contract}
    concrete, abstract = Running(path, set()), Running(path, contracts)
    random = Random(seed)
    for instant in range(STEPS):
        drawn = {name: random_value(kind, random) for name, kind in main.inputs}
        inputs = {k: v for name, value in drawn.items() for k, v in leaves(name, value).items()}
        assert concrete.step(inputs, {})
        if not concrete.kept():
            return instant
        where = f"seed {seed}, instant {instant}\n{text}"
        assert abstract.step(inputs, concrete.outputs()), where
        assert abstract.streams() == concrete.streams(), where
    return STEPS


@pytest.mark.parametrize("block", range(4))
def test_runs_of_a_program_are_runs_against_its_contracts(block: int, tmp_path: Path) -> None:
    assert sum(compare(seed, tmp_path) for seed in range(25 * block, 25 * block + 25)) > 25
