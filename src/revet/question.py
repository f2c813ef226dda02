"""What is asked: one value, whoever asks (command line, Python, cache, compositional runs)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from revet.driver.prepare import Preparation
from revet.frontends.kit.limits import memory_for_reading
from revet.frontends.registry import load
from revet.portfolio.configuration import Configuration, choose
from revet.portfolio.features import features_of_program
from revet.portfolio.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from revet.frontends.program import Program


@dataclass(frozen=True)
class Question:
    """All that decides an answer.

    ``options`` are those of the input language, ``property`` leaves one of several properties or names a
    specification that the language knows, ``engines`` None is the portfolio's choice.
    """

    files: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    property: str | None = None
    engines: tuple[Configuration, ...] | None = None
    preparation: Preparation = field(default_factory=Preparation)
    limits: Limits = field(default_factory=Limits)

    def read(self) -> Program:
        """The program in the files, with the property that is asked about."""
        with memory_for_reading(self.limits.memory):
            return load(self.files, self.options, self.property)

    def of_each_property(self, program: Program) -> Iterator[tuple[Question, Program]]:
        """The same question about each property of ``program``, which this question reads."""
        options = self.options
        if self.property is not None and self.property not in program.property_names:  # a specification
            options = {**options, "property": self.property}
        for name in program.property_names:
            yield replace(self, options=options, property=name), program.restricted_to(name)

    def parts(self, program: Program) -> list[tuple[Question, Program]]:
        """The question itself, or where some properties are to be reached: one about the others, then one
        about each of these. They have a limit of time together."""
        asked = program.questions()
        limits = self.limits
        if limits.seconds is not None and len(asked) > 1:
            limits = replace(limits, seconds=limits.seconds / len(asked))
        mine = replace(self, limits=limits)
        return [(replace(mine, property=name or self.property), about) for name, about in asked]

    def configurations(self, program: Program) -> list[Configuration]:
        """What runs on the program."""
        if self.engines is not None:
            return list(self.engines)
        return [one.prepared(self.preparation) for one in choose(features_of_program(program))]
