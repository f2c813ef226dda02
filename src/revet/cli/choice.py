"""Which configurations run: predicates that were given, and the reasons for the portfolio's choice."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from revet.cli.output import echo
from revet.errors import UsageError
from revet.portfolio import Configuration, features_of_program, left_out
from revet.portfolio.head_start import has_head_start
from revet.portfolio.limits import HEAD_START

if TYPE_CHECKING:
    from revet.frontends.program import Program
    from revet.question import Question


def with_predicates(question: Question, text: str | None, program: Program) -> Question:
    """``--predicates``: formulas over the program's variables, handed to cegar as SMT-LIB.

    They are read here, where the program's names are known, so that a mistake is shown before
    anything runs.
    """
    if text is None:
        return question
    why = "predicates were given"
    asked = question.engines or (Configuration("cegar", "cegar", {}, question.preparation, why=why),)
    if any(one.engine != "cegar" for one in asked):
        raise UsageError("--predicates is for engine cegar; write --engine cegar or no engine")
    from revet.model.cfa import Cfa
    from revet.model.system import TransitionSystem

    if not isinstance(program.model, (Cfa, TransitionSystem)):
        raise UsageError("--predicates is for automata and transition systems, not for such an input")
    from revet.frontends.kit.expressions import parse_formulas
    from revet.logic.smtlib import print_script

    names = {x.name: x for x in program.model.variables}
    script = print_script(parse_formulas(text, names, "--predicates"))
    given = tuple(replace(one, options={**one.options, "predicates": script}) for one in asked)
    return replace(question, engines=given)


def explain_choice(question: Question, program: Program) -> None:
    """``--explain-choice``: what will run, in which order and why, on standard error."""
    features = features_of_program(program)
    chosen = question.configurations(program)
    cores = len(os.sched_getaffinity(0))
    echo(f"model: {features.describe()}", err=True)
    turns = "all at once" if len(chosen) <= cores else f"{cores} at a time, in turns"
    if len(chosen) > 1 and has_head_start(program, chosen, question.limits):
        turns += f", after {HEAD_START} s in which {chosen[0].name} is alone"
    echo(f"configurations, {turns}:", err=True)
    for one in chosen:
        options = "".join(f" {key}={value}" for key, value in one.options.items())
        engine = f" ({one.engine}{options})" if options or one.engine != one.name else ""
        echo(f"  {one.name}{engine}: {one.why}", err=True)
    if question.engines is None and (names := left_out(features)):
        echo(f"not for such a model: {', '.join(names)}", err=True)
