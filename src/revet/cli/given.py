"""What ``revet check`` was given, as one typed value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from revet.cli.options import LANGUAGE
from revet.driver.prepare import Preparation
from revet.portfolio.configuration import asked_for, key_value

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from revet.portfolio.configuration import Configuration


@dataclass(frozen=True)
class Given:
    """The parameters of the table in :mod:`revet.cli.options`; ``language`` has the options of input
    languages that were given, by the names that the languages know them by."""

    files: tuple[str, ...]
    engine: str | None = None
    engines: str | None = None
    options: tuple[str, ...] = ()
    timeout: float | None = None
    memory: int | None = None
    property_: str | None = None
    each: bool = False
    functions: bool = False
    large_blocks: bool = True
    array_cells: bool = False
    bits: bool = False
    exchange: bool = True
    reduce: bool = True
    compositional: bool = False
    modular: bool = False
    parse_only: bool = False
    explain_choice: bool = False
    explain: str | None = None
    predicates: str | None = None
    json_: bool = False
    kind2_json: bool = False
    save: str | None = None
    harness: str | None = None
    witness: str | None = None
    model: str | None = None
    proof: str | None = None
    html: str | None = None
    sarif: str | None = None
    cache: str | None = None
    no_cache: bool = False
    progress: bool = True
    quiet: bool = False
    log: bool = False
    stats: bool = False
    language: Mapping[str, Any] = field(default_factory=dict)

    @property
    def preparation(self) -> Preparation:
        models_only = self.model is not None
        return Preparation(
            self.reduce, self.large_blocks, self.array_cells, bits=self.bits, models_only=models_only
        )

    def asked_for(self) -> tuple[Configuration, ...] | None:
        """The configurations that were named; None for the portfolio's choice."""
        pairs = dict(key_value(option, f"-O {option}: write KEY=VALUE") for option in self.options)
        if self.explain is not None:
            pairs["explain"] = "true"
        return asked_for(self.engine, self.engines, pairs, self.preparation)


def given(parameters: Mapping[str, Any]) -> Given:
    """From the parameters of the command line."""
    ours = {name: value for name, value in parameters.items() if name not in _ABSENT}
    return Given(**ours, language=language_options(parameters))


_ABSENT = {option.parameter: option.absent for option in LANGUAGE}


def language_options(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The options of input languages that were given, by the names that the languages know them by."""
    found = {name: parameters[name] for name, absent in _ABSENT.items() if parameters[name] != absent}
    if "ilp32" in found:
        found["data_model"] = "ilp32" if found.pop("ilp32") else "lp64"
    return found
