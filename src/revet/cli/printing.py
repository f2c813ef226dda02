"""What ``revet check`` prints and writes about its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.cli.output import echo
from revet.cli.reports import write_text
from revet.errors import UsageError
from revet.frontends.program import TellsRuns, WritesHarness, WritesModels, WritesWitnesses
from revet.report.text import render, verdict_line
from revet.result.verdict import Safe, Unknown, Unsafe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.cli.given import Given
    from revet.driver.answer import Answer
    from revet.frontends.program import Program
    from revet.model.kind import Model
    from revet.result.certificate import Certificate


def say_parsed(program: Program, seconds: float) -> None:
    model = program.model
    names = program.property_names
    what = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
    echo(
        f"{program.language}: {type(model).__name__} with {model.extent}, "
        f"{len(names)} properties ({what}), read in {seconds:.2f} s"
    )
    for line in program.assumptions:
        echo(f"  assuming {line}")


def print_answers(answers: Sequence[Answer], given: Given) -> None:
    """With ``--json`` one JSON value and nothing else; otherwise text that ends with the verdict line."""
    if given.json_:
        import json

        from revet.report.data import answer_data

        data = [answer_data(one) for one in answers]
        echo(json.dumps(data if given.each else data[0], indent=2))
    elif given.each:
        if not given.quiet:
            _print_each(answers)
        words = {0: "safe", 1: "unsafe", 3: "unknown"}
        echo(f"verdict: {words[joint_status(answers)]}")
    elif given.quiet:
        echo(verdict_line(answers[0]))
    else:
        echo(render(answers[0], stats=given.stats))


def print_kind2(program: Program, answers: Sequence[Answer], given: Given) -> None:
    """The array that KIND 2 would print."""
    import json

    from revet.frontends.lustre import LustreProgram
    from revet.report.kind2 import kind2_data

    assert isinstance(program, LustreProgram)  # refuse_exports has seen to it
    engines = sorted({answer.engine for answer in answers})
    echo(json.dumps(kind2_data(program, answers, engines, given.timeout), indent=2))


def _print_each(answers: Sequence[Answer]) -> None:
    """The runs that break a property, then what all answers assume, each sentence once."""
    for one in answers:
        if one.status == "unsafe" and isinstance(one.verdict, Unsafe) and isinstance(one.program, TellsRuns):
            echo(f"\n{one.property_name or one.verdict.trace.violated}:")
            echo(one.program.render_trace(one.verdict.trace).rstrip("\n"))
    assumed = dict.fromkeys(line for one in answers for line in one.program.assumptions)
    if assumed:
        echo("\nassuming\n" + "\n".join(f"  {line}" for line in assumed))


def short_verdict(answer: Answer) -> str:
    return verdict_line(answer).removeprefix("verdict: ")


def joint_status(answers: Sequence[Answer]) -> int:
    """Unsafe if any is, safe only if all are."""
    statuses = [answer.exit_status for answer in answers]
    return 1 if 1 in statuses else 3 if 3 in statuses else 0


def export(answer: Answer, given: Given) -> None:
    """Evidence in files: what was asked for and this answer has."""
    if answer.groups and answer.status == "safe":
        asked = [f"--{what}" for what in ("save", *_WRITERS) if getattr(given, what)]
        names = ", ".join(one.property_name or "" for one in answer.groups)
        if asked:
            note = f"there is a proof for each of {names}; name one with --property"
            echo(f"revet: note: {', '.join(asked)}: nothing is written, {note}", err=True)
        return
    if given.save and isinstance(answer.verdict, Unknown):  # the verdict stands here, too
        echo(f"revet: note: {given.save} is not written: the answer unknown has no evidence", err=True)
    elif given.save:
        from pathlib import Path

        from revet.result.files import write_evidence

        write_evidence(Path(given.save), answer.verdict, answer.program.model)
        if answer.groups and answer.status == "unsafe":
            about = next(one.property_name for one in answer.groups if one.status == "unsafe")
            echo(f"revet: note: {given.save} is about --property {about}", err=True)
    for what in _WRITERS:
        path: str | None = getattr(given, what)
        if path is None:
            continue
        text = _written(answer, what)
        if text is None:  # the verdict stands, and so does its exit status
            echo(f"revet: note: {path} is not written: the answer {answer.status} has no {what}", err=True)
        elif path == "-":
            echo(text.rstrip("\n"))
        else:
            write_text(path, text)


_WRITERS = {
    "harness": WritesHarness, "witness": WritesWitnesses, "model": WritesModels, "proof": WritesModels,
}
"""Evidence in the notation of the input language, and who can write it."""


def refuse_exports(program: Program, given: Given) -> None:
    """Before anything runs: not every input language has these."""
    if given.kind2_json and program.language != "lustre":
        raise UsageError("--kind2-json is for Lustre programs")
    for what, capability in _WRITERS.items():
        if not getattr(given, what) or isinstance(program, capability):
            continue
        if what != "proof" or not has_queries(program.model):
            raise UsageError(f"--{what}: there is none for this input language")


def _written(answer: Answer, what: str) -> str | None:
    """Evidence in the input language's own notation; None if the answer has none."""
    program, verdict = answer.program, answer.verdict
    if isinstance(verdict, Unknown):
        return None
    if what == "harness" and isinstance(program, WritesHarness) and isinstance(verdict, Unsafe):
        return program.harness(verdict.trace)
    if what == "witness" and isinstance(program, WritesWitnesses):
        return program.witness(verdict)
    if what == "model" and isinstance(program, WritesModels):
        return program.smtlib_model(verdict)
    if what == "proof" and isinstance(program, WritesModels):
        return program.smtlib_proof(verdict)
    if what == "proof" and isinstance(verdict, Safe):
        return queries_of(program.model, verdict.certificate)
    return None


def has_queries(model: Model) -> bool:
    """Can proofs about such a model be written as SMT-LIB queries?"""
    return model.of_terms and model.as_system() is not None


def queries_of(model: Model, certificate: Certificate) -> str | None:
    from revet.report.obligations import smtlib_obligations

    system = model.as_system() if model.of_terms else None
    return smtlib_obligations(system, certificate) if system is not None else None
