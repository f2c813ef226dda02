"""``revet check``: from the command line to the answers, and what is written about them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from revet.api import answer
from revet.cli import launch_time
from revet.cli.cached import cache_for
from revet.cli.choice import explain_choice, with_predicates
from revet.cli.conflicts import refuse_conflicts, refuse_one_answer
from revet.cli.explanation import Explanation
from revet.cli.output import FORM, echo
from revet.cli.printing import (
    export,
    joint_status,
    print_answers,
    print_kind2,
    refuse_exports,
    say_parsed,
    short_verdict,
)
from revet.cli.reading import ReadingTime
from revet.cli.reports import Reports
from revet.cli.shares import answer_all
from revet.cli.watch import watch
from revet.errors import InputError
from revet.portfolio import Interrupt, Limits
from revet.question import Question

if TYPE_CHECKING:
    from revet.cli.given import Given
    from revet.driver.answer import Answer
    from revet.frontends.program import Program


def run_check(given: Given) -> int:
    """The exit status: 0 safe, 1 unsafe, 3 undecided; errors are raised."""
    if any(file.endswith(".py") for file in given.files):
        from revet.cli.monitors import run_monitor

        return run_monitor(given)
    if given.compositional or given.modular:
        from revet.cli.compositional import run_compositional

        return run_compositional(given)
    if given.functions:
        from revet.cli.functions import run_functions

        return run_functions(given)
    return _check_program(given)


def _check_program(given: Given) -> int:
    """A program as a whole, all its properties at once or one by one."""
    start = launch_time()
    FORM.settle(json=given.json_, several=given.each)
    refuse_conflicts(given)
    if given.kind2_json:
        given = replace(given, each=True, json_=True)
    reports = Reports(given.html, given.sarif, given.each)
    shown = Explanation(given.explain, given.engine)
    cache = cache_for(given)
    limits = _limits(given, start)
    question = Question(
        given.files, given.language, given.property_, given.asked_for(), given.preparation, limits
    )
    with ReadingTime(given.timeout, start):
        program = _read(question)
    if given.parse_only:
        say_parsed(program, time.monotonic() - start)
        return 0
    refuse_exports(program, given)
    question = with_predicates(question, given.predicates, program)
    view = watch(start, log=given.log, progress=given.progress and not given.quiet)
    observe = reports.observer(shown.watch(view))
    questions = list(question.of_each_property(program)) if given.each else question.parts(program)
    if len(questions) > 1 and not given.each:
        refuse_one_answer(given)
        given = replace(given, each=True)
    with Interrupt(last=True) as interrupt, view:

        def ask(one: Question, about: Program, seconds: float | None) -> Answer:
            one = replace(one, limits=replace(limits, seconds=seconds))
            if given.explain_choice:
                explain_choice(one, about)
            found = answer(one, about, observe, interrupt, cache)
            view.clear()
            return found

        answers = answer_all(
            questions, lambda: _left(given, start), ask, lambda one, found: _tell(given, one, found)
        )
        shown.write()
        if not given.each:
            export(answers[0], given)  # what is printed comes before the verdict, which is the last line
        if given.kind2_json:
            print_kind2(program, answers, given)
        else:
            print_answers(answers, given)
        reports.write(answers)
    return joint_status(answers)


def _tell(given: Given, one: Question, found: Answer) -> None:
    """With ``--each``, one of the answers in a line."""
    if given.each and not given.json_ and not given.quiet:
        echo(f"{one.property or 'all invariants'}: {short_verdict(found)}")


def _read(question: Question) -> Program:
    try:
        return question.read()
    except RecursionError:
        raise InputError(f"{question.files[0]}: nested too deeply to be read") from None


def _limits(given: Given, start: float) -> Limits:
    memory = None if given.memory is None else given.memory << 20
    return Limits(_left(given, start), memory, verbose=given.log, exchange=given.exchange)


def _left(given: Given, start: float) -> float | None:
    """Seconds for what begins now: reading counts, too."""
    return None if given.timeout is None else max(0.1, given.timeout - (time.monotonic() - start))
