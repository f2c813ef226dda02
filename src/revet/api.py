"""The Python API: ``import revet; revet.check("program.spa")``."""

from __future__ import annotations

import os

from revet.driver.answer import Answer
from revet.driver.prepare import Preparation
from revet.engines.registry import engine as engine_info
from revet.errors import UsageError
from revet.events import ignore
from revet.frontends.program import Program
from revet.frontends.registry import load
from revet.model.circuit import Circuit
from revet.portfolio import Configuration, Limits, choose, features_of_program, parse_engines, run_portfolio
from revet.records import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from revet.events import Observer
    from revet.model.cfa import Cfa
    from revet.model.system import TransitionSystem
    from revet.result.trace import Trace


class Result(Answer):
    """An answer that notebooks can show, and that writes its own report."""

    def _repr_html_(self) -> str:
        """What a notebook shows in a cell's output."""
        from revet.report.html import html_fragment

        return html_fragment(self)

    def html(self) -> str:
        """The page of ``--html``, without the plot of the engines' progress."""
        from revet.report.html import html_report

        return html_report(self)


def check(
    what: str | Path | Cfa | TransitionSystem | Circuit | Program,
    *,
    engine: str | None = None,
    engines: str | None = None,
    options: Mapping[str, Any] | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    property: str | None = None,
    large_blocks: bool = True,
    array_cells: bool = False,
    reduce: bool = True,
    observe: Observer = ignore,
    **language_options: Any,
) -> Result:
    """Check a file, an automaton or a transition system; the answer's evidence is confirmed.

    ``engine`` None runs the portfolio, with the ``engines`` if they are given ("kind,bmc").
    ``options`` are the engine's, as after ``-O`` on the command line. ``property`` names one of
    several. ``memory`` is in bytes, for all processes together.
    """
    program = as_program(what, language_options)
    if property is not None:
        program = restrict(program, property)
    if engine is not None and engines is not None:
        raise UsageError("engine and engines exclude each other")
    preparation = Preparation(reduce, large_blocks, array_cells)
    texts = {key: str(value) for key, value in (options or {}).items()}
    if engine is None or engine == "portfolio":
        if texts:
            raise UsageError("options belong to one engine: name it with engine=…")
        chosen = parse_engines(engines) if engines else choose(features_of_program(program))
        configurations = [configuration.prepared(preparation) for configuration in chosen]
    else:
        engine_info(engine)
        configurations = [Configuration(engine, engine, texts, preparation)]
    answer = run_portfolio(program, configurations, Limits(timeout, memory), observe)
    answer.property_name = property
    return Result(**vars(answer))


def as_program(what: Any, language_options: Mapping[str, Any] | None = None) -> Program:
    """A program from a path or from a model built in Python."""
    if isinstance(what, Program):
        return what
    if isinstance(what, (str, os.PathLike)):
        return load([os.fspath(what)], language_options)
    from revet.checker.replay import replay as replay_model
    from revet.model.cfa import Cfa
    from revet.model.system import TransitionSystem

    if isinstance(what, (Cfa, TransitionSystem, Circuit)):
        model = what

        def replay(trace: Trace) -> list[str]:
            replay_model(model, trace)
            return [f"run of {len(trace)} steps replayed on the model"]

        return Program(model, "python", (), replay)
    raise UsageError(f"cannot check a {type(what).__name__}: give a path, a Cfa or a TransitionSystem")


def properties(program: Program) -> list[str]:
    """The names of a program's properties: error locations or the system's properties."""
    model = program.model
    if isinstance(model, Circuit):
        return list(model.bad)
    from revet.model.cfa import Cfa

    if isinstance(model, Cfa):
        return [location.name for location in model.errors]
    return list(model.properties)


def restrict(program: Program, name: str) -> Program:
    """The same program with one property only."""
    known = properties(program)
    if name not in known:
        raise UsageError(f"there is no property {name}; there are: {', '.join(known) or 'none'}")
    model = program.model
    if isinstance(model, Circuit):
        return replace(program, model=model.restricted_to(name))
    import dataclasses

    from revet.model.cfa import Cfa

    if not isinstance(model, Cfa):
        return replace(program, model=model.restricted_to(name))
    kept = tuple(location for location in model.errors if location.name == name)
    return replace(program, model=dataclasses.replace(model, errors=kept))
