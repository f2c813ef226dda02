"""``revet check``."""

from __future__ import annotations

import time

from revet.api import as_program, properties, restrict
from revet.cli import launch_time
from revet.cli.cached import Cached
from revet.cli.choice import asked_for, configurations_for, with_predicates
from revet.cli.conflicts import refuse_conflicts
from revet.cli.language import data_model
from revet.cli.output import echo
from revet.cli.reading import ReadingTime
from revet.cli.reports import Reports
from revet.cli.watch import watch
from revet.driver.prepare import Preparation
from revet.errors import InputError, UsageError
from revet.events import Explained
from revet.frontends.registry import language_of, load
from revet.model.circuit import Circuit
from revet.portfolio import Interrupt, Limits, run_portfolio
from revet.report.text import render, verdict_line
from revet.result.verdict import Safe, Unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from revet.cache import Question
    from revet.driver.answer import Answer
    from revet.events import Event, Observer
    from revet.frontends.program import Program

_C_PROPERTIES = ("unreach-call", "no-overflow")
# Options for C alone, and their values if they are not given.
_C_OPTIONS = {
    "arithmetic": "auto", "overflow": "assume", "entry": None, "recursion": None, "strict": False,
    "approximate": False,
}


def run_check(
    files: tuple[str, ...],
    engine: str | None,
    options: tuple[str, ...],
    timeout: float | None,
    memory: int | None,
    property_: str | None,
    each: bool,
    json_: bool,
    log: bool,
    stats: bool,
    parse_only: bool,
    explain_choice: bool,
    **more: Any,
) -> int:
    if more["compositional"]:
        from revet.cli.compositional import refuse, run_compositional

        refuse({**more, "property": property_, "each": each, "parse_only": parse_only})
        return run_compositional(files, engine, options, timeout, memory, json_, more["engines"])
    start = launch_time()
    refuse_conflicts(files, each, parse_only, json_, more)
    reports = Reports(more["html"], more["sarif"], each)
    preparation = Preparation(more["reduce"], more["large_blocks"], more["array_cells"])
    shown = _Explanation(more["explain"])
    asked = asked_for(engine, more["engines"], shown.options(engine, options), preparation)
    cached = Cached(more["cache"], more["no_cache"], recall=more["explain"] is None)
    with ReadingTime(timeout, start):
        program = _load(files, property_, more)
    if parse_only:
        _say_parsed(program, time.monotonic() - start)
        return 0
    if property_ is not None and not _is_specification(property_):
        program = restrict(program, property_)
    _refuse_exports(program, more)
    asked = with_predicates(asked, more["predicates"], program, preparation)
    limits = _limits(timeout, memory, log, more["exchange"], start)
    view = watch(start, log=log, progress=more["progress"] and not more["quiet"])
    observe = reports.observer(shown.watch(view))
    programs = [restrict(program, name) for name in properties(program)] if each else [program]
    answers = []
    with Interrupt(last=True) as interrupt, view:
        for one in programs:
            name = properties(one)[0] if each else None
            configurations = configurations_for(one, asked, preparation, limits(), explain_choice)
            question = _question(files, property_, name, more) if cached.on else None
            answer = cached.recall(question, one, limits(), interrupt) or run_portfolio(
                one, configurations, limits(), observe, interrupt
            )
            cached.keep(question, answer)
            answer.property_name = name or property_
            answers.append(answer)
            view.clear()
            if each and not json_ and not more["quiet"]:
                echo(f"{answer.property_name}: {verdict_line(answer).removeprefix('verdict: ')}")
        shown.write()
        _print(answers, each, json_, stats, more)
        reports.write(answers)
    return _joint_status(answers)


def _print(answers: list[Answer], each: bool, json_: bool, stats: bool, more: dict[str, Any]) -> None:
    if each:
        _print_each(answers, json_)
    else:
        _print_one(answers[0], json_, stats, more["quiet"])
        _export(answers[0], more)


class _Explanation:
    """``--explain``: turns the engine's option on, keeps what it shows, writes it at the end."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.steps: list[Explained] = []

    def options(self, engine: str | None, given: tuple[str, ...]) -> tuple[str, ...]:
        if self.path is None:
            return given
        from revet.report.explain import refuse_explaining

        refuse_explaining(engine, self.path)
        return (*given, "explain=true")

    def watch(self, observe: Observer) -> Observer:
        if self.path is None:
            return observe

        def keep(event: Event) -> None:
            if isinstance(event, Explained):
                self.steps.append(event)
            observe(event)

        return keep

    def write(self) -> None:
        if self.path is None:
            return
        from revet.report.explain import explanation

        if not self.steps:
            echo("--explain: the engine ended before it had anything to show", err=True)
        elif self.path == "-":
            echo(explanation(self.steps, self.path))
        else:
            _write(self.path, explanation(self.steps, self.path))


def _question(
    files: tuple[str, ...], property_: str | None, one: str | None, more: dict[str, Any]
) -> Question:
    """What the cache knows this run by; the engine is not part of it: evidence is evidence."""
    from revet.cache import Question

    options = {name: more[name] for name in ("ilp32", *_C_OPTIONS)}
    if property_ is not None and _is_specification(property_):
        options["property"] = property_
        property_ = None
    return Question(files, options, one or property_)


def _is_specification(property_: str) -> bool:
    return property_ in _C_PROPERTIES or property_.endswith(".prp")


def _load(files: tuple[str, ...], property_: str | None, more: dict[str, Any]) -> Program:
    language_options = {
        **data_model(more["ilp32"]),
        **{name: more[name] for name in _C_OPTIONS},
    }
    given = [f"--{name}" for name, default in _C_OPTIONS.items() if more[name] != default]
    if more["ilp32"] is not None:
        given.append("--32" if more["ilp32"] else "--64")
    language = language_of(files[0])
    if given and language is not None and language.name != "c":
        raise UsageError(f"{given[0]} is for C, and {files[0]} is {language.summary}")
    if property_ is not None and _is_specification(property_):
        language_options["property"] = property_
    try:
        return as_program(load(files, language_options))
    except RecursionError:
        raise InputError(f"{files[0]}: nested too deeply to be read") from None


def _limits(timeout: float | None, memory: int | None, log: bool, exchange: bool, start: float) -> Any:
    """Limits for one run; the time that reading took is taken off."""

    def make() -> Limits:
        left = None if timeout is None else max(0.1, timeout - (time.monotonic() - start))
        return Limits(left, None if memory is None else memory << 20, verbose=log, exchange=exchange)

    return make


def _say_parsed(program: Program, seconds: float) -> None:
    model = program.model
    names = properties(program)
    count = f"{model.latches} latches" if isinstance(model, Circuit) else f"{len(model.variables)} variables"
    what = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
    echo(
        f"{program.language}: {type(model).__name__} with {count}, "
        f"{len(names)} properties ({what}), read in {seconds:.2f} s"
    )
    for line in program.assumptions:
        echo(f"  assuming {line}")


def _print_one(answer: Answer, json_: bool, stats: bool, quiet: bool) -> None:
    if json_:
        import json

        from revet.report.data import answer_data

        echo(json.dumps(answer_data(answer), indent=2))
        echo(verdict_line(answer))
    elif quiet:
        echo(verdict_line(answer))
    else:
        echo(render(answer, stats=stats))


def _print_each(answers: list[Answer], json_: bool) -> None:
    if json_:
        import json

        from revet.report.data import answer_data

        echo(json.dumps([answer_data(answer) for answer in answers], indent=2))
    words = {0: "safe", 1: "unsafe", 3: "unknown"}
    echo(f"verdict: {words[_joint_status(answers)]}")


def _joint_status(answers: list[Answer]) -> int:
    """Unsafe if any is, safe only if all are."""
    statuses = [answer.exit_status for answer in answers]
    return 1 if 1 in statuses else 3 if 3 in statuses else 0


def _export(answer: Answer, more: dict[str, Any]) -> None:
    """Evidence in files: what was asked for and this answer has."""
    if more["save"]:
        from pathlib import Path

        from revet.result.files import write_evidence

        write_evidence(Path(more["save"]), answer.verdict, answer.program.model)
    for what in ("harness", "witness"):
        if more[what]:
            text = _written(answer, what)
            if text is None:  # the verdict stands, and so does its exit status
                why = f"the answer {answer.status} has no {what}"
                echo(f"revet: note: {more[what]} is not written: {why}", err=True)
            else:
                _write(more[what], text)


def _refuse_exports(program: Program, more: dict[str, Any]) -> None:
    """Before anything runs: not every input language has these."""
    for what in ("harness", "witness"):
        if more[what] and not (callable(program.extras.get(what)) or "evidence" in program.extras):
            raise UsageError(f"--{what}: there is none for this input language")


def _written(answer: Answer, what: str) -> str | None:
    """A harness or a witness in the input language's own notation; None if the answer has none."""
    from revet.frontends.c.evidence import Evidence

    writer = answer.program.extras.get(what)
    if callable(writer):
        return None if answer.status == "unknown" else str(writer(answer.verdict))
    make = answer.program.extras.get("evidence")
    evidence = make() if callable(make) else None
    if not isinstance(evidence, Evidence):
        raise UsageError(f"--{what}: there is none for this input language")
    match answer.verdict, what:
        case Unsafe(trace), "harness":
            return evidence.harness(trace)
        case Unsafe(trace), "witness":
            return evidence.violation_witness(trace)
        case Safe(certificate), "witness":
            return evidence.correctness_witness(certificate)
    return None


def _write(path: str, text: str) -> None:
    from pathlib import Path

    try:
        Path(path).write_text(text)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
