"""The abstraction of ``--compositional``: every run of the program is a run against the contracts."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from revet.frontends.lustre import read
from revet.frontends.lustre.lower import Lowering
from revet.frontends.lustre.lower_context import Instance
from revet.frontends.lustre.shapes import terms
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.logic.values import Value, default_value
from tests.frontends.lustre.random_programs import Programs, random_value
from tests.frontends.lustre.test_random_programs import as_source

STEPS = 8
Place = tuple[object, ...]


class Running:
    """A transition system that runs, with only the contracts of the nodes in ``abstract``."""

    def __init__(self, path: Path, abstract: set[str]) -> None:
        self.lowering = Lowering(read(path, "main", abstract), frozenset(abstract))
        self.system = self.lowering.system()
        self.top = self.lowering.tops[0]
        self.state: dict[Term, Value] = {x: default_value(x.sort) for x in self.system.variables}
        for variable in self.system.variables:
            if variable.name.startswith("first") or ".assumed" in variable.name:
                self.state[variable] = True

    def step(self, inputs: dict[str, Any], outputs: dict[tuple[Place, str], list[Value]]) -> bool:
        """One instant, with given outputs of the abstract nodes; False if the guard forbids it."""
        known = {x: default_value(x.sort) for x in self.system.inputs}
        for stream in self.top.node.inputs:
            for variable, part in zip(
                terms(self.lowering.input_values[self.top, stream.name]),
                parts(inputs[stream.name]),
                strict=True,
            ):
                width = getattr(variable.sort, "width", 0)
                known[variable] = part % (1 << width) if width else part
        for instance in self.lowering.instances:
            for stream in instance.node.outputs:
                source = self.lowering.sources.get(
                    ("stream", instance.path, stream.name, (), instance.top or instance)
                )
                if source is not None:
                    given = outputs.get((place(instance), stream.name))
                    for number, variable in enumerate(terms(source[1])):
                        known[variable] = known[variable] if given is None else given[number]
        self.evaluate = Evaluator({**self.state, **known})
        self.state = {x: self.evaluate(self.system.step.after(x)) for x in self.system.variables}
        return self.evaluate(self.system.step.guard) is True

    def streams(self) -> dict[str, list[Value]]:
        return {s.name: self._values(self.top, s.name) for s in self.top.node.streams}

    def _values(self, instance: Instance, name: str) -> list[Value]:
        return [self.evaluate(term) for term in terms(self.lowering.stream(instance, name))]

    def outputs(self) -> dict[tuple[Place, str], list[Value]]:
        return {
            (place(instance), stream.name): self._values(instance, stream.name)
            for instance in self.lowering.instances
            for stream in instance.node.outputs
        }

    def kept(self) -> bool:
        """Is every guarantee kept?"""
        return all(
            self.state[self.system.properties[obligation.name]]
            for obligation in self.lowering.obligations
            if "assumption " not in obligation.name and not obligation.reach
        )


def parts(value: Any) -> list[Any]:
    return [part for item in value for part in parts(item)] if isinstance(value, tuple) else [value]


def place(instance: Instance) -> Place:
    """Where an instance is in the program's text: the two lowerings have calls of their own."""
    return tuple((call.node.name, call.position.line, call.position.column) for call, _ in instance.path)


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
        inputs = {name: as_source(value) for name, value in drawn.items()}
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
