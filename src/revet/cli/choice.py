"""Which configurations run: those that were asked for, or the portfolio's table."""

from __future__ import annotations

import os

from revet.cli.output import echo
from revet.driver.options import parse_options
from revet.engines.registry import engine as engine_info
from revet.errors import UsageError
from revet.portfolio import Configuration, choose, features_of_program, left_out, parse_engines
from revet.portfolio.head_start import has_head_start
from revet.portfolio.limits import HEAD_START
from revet.records import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from revet.driver.prepare import Preparation
    from revet.frontends.program import Program
    from revet.portfolio import Limits


def asked_for(
    engine: str | None, engines: str | None, options: tuple[str, ...], preparation: Preparation
) -> list[Configuration] | None:
    """The configurations that the user named; None for the portfolio's choice."""
    texts = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise UsageError(f"-O {option}: write KEY=VALUE")
        texts[key.strip()] = value.strip()
    if engines is not None:
        if engine is not None:
            raise UsageError("--engine and --engines exclude each other")
        if texts:
            raise UsageError("-O belongs to --engine; after --engines write NAME:KEY=VALUE")
        return [one.prepared(preparation) for one in parse_engines(engines)]
    if engine is None or engine == "portfolio":
        if texts:
            raise UsageError("-O needs --engine NAME: options belong to one engine")
        return None
    parse_options(engine_info(engine), texts)  # refuse bad values before any work is done
    return [Configuration(engine, engine, texts, preparation, why="asked for")]


def with_predicates(
    asked: list[Configuration] | None, text: str | None, program: Program, preparation: Preparation
) -> list[Configuration] | None:
    """``--predicates``: formulas over the program's variables, handed to cegar as SMT-LIB.

    They are read here, where the program's names are known, so that a mistake is shown before
    anything runs.
    """
    if text is None:
        return asked
    if asked is None:
        asked = [Configuration("cegar", "cegar", {}, preparation, why="predicates were given")]
    if any(one.engine != "cegar" for one in asked):
        raise UsageError("--predicates is for engine cegar; write --engine cegar or no engine")
    from revet.model.cfa import Cfa

    if not isinstance(program.model, Cfa):
        raise UsageError("--predicates is for control-flow automata, and this input is another model")
    from revet.frontends.expressions import parse_formulas
    from revet.logic.smtlib import print_script

    names = {x.name: x for x in program.model.variables}
    script = print_script(parse_formulas(text, names, "--predicates"))
    return [replace(one, options={**one.options, "predicates": script}) for one in asked]


def configurations_for(
    program: Program,
    asked: list[Configuration] | None,
    preparation: Preparation,
    limits: Limits,
    explain: bool,
) -> list[Configuration]:
    """What runs on this program; with ``--explain-choice`` the reasons go to standard error."""
    if asked is not None and not explain:
        return asked
    features = features_of_program(program)
    chosen = asked or [one.prepared(preparation) for one in choose(features)]
    if explain:
        cores = len(os.sched_getaffinity(0))
        echo(f"model: {features.describe()}", err=True)
        turns = "all at once" if len(chosen) <= cores else f"{cores} at a time, in turns"
        if len(chosen) > 1 and has_head_start(program, chosen, limits):
            turns += f", after {HEAD_START} s in which {chosen[0].name} is alone"
        echo(f"configurations, {turns}:", err=True)
        for one in chosen:
            options = "".join(f" {key}={value}" for key, value in one.options.items())
            engine = f" ({one.engine}{options})" if options or one.engine != one.name else ""
            echo(f"  {one.name}{engine}: {one.why}", err=True)
        if asked is None and (names := left_out(features)):
            echo(f"not for such a model: {', '.join(names)}", err=True)
    return chosen
