"""What click is told about options: those of the tables, in groups, and those that analyses share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from revet.cli.standard_input import SUFFIXES, from_standard_input

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from revet.cli.options import Option


def options(table: Sequence[Option]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The options of a table, in its order. With ``--language`` among them, ``-`` is standard input."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        if any(option.kind == "language" for option in table):
            command = from_standard_input()(command)
        for option in reversed(table):
            names = option.spelling.split()
            command = click.option(*names, help=option.help, **_attributes(option))(command)
        return command

    return decorate


def _attributes(option: Option) -> dict[str, Any]:
    match option.kind:
        case "flag":
            return {"is_flag": True}
        case "switch":
            return {"default": option.default}
        case "choice":
            return {"type": click.Choice(option.choices), "default": option.default}
        case "language":
            return {"type": click.Choice(list(SUFFIXES)), "metavar": option.metavar}
        case "texts":
            return {"multiple": True, "metavar": option.metavar}
    kinds: dict[str, Any] = {
        "text": None,
        "number": click.FloatRange(min=option.least),
        "count": click.IntRange(min=option.least),  # type: ignore[arg-type]
        "file": click.Path(dir_okay=False),
        "folder": click.Path(file_okay=False),
    }
    return {"type": kinds[option.kind], "metavar": option.metavar}


SECTIONS = {
    "--engine": "How to search",
    "--property": "What to check",
    "--large-blocks": "The model",
    "--language": "Input languages",
    "--parse-only": "Looking inside",
    "--json": "Evidence and reports",
    "--cache": "Doing it again",
    "--progress": "What is printed",
}
"""The titles in the help of ``check``, by the first option below each."""


class Sections(click.Command):
    """Prints the options in groups, most used first."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows: dict[str, list[tuple[str, str]]] = {}
        title = ""
        for parameter in self.get_params(ctx):
            title = next((SECTIONS[word] for word in parameter.opts if word in SECTIONS), title)
            record = parameter.get_help_record(ctx)
            if record is not None and title:
                rows.setdefault(title, []).append(record)
        for title, options in rows.items():
            with formatter.section(title):
                formatter.write_dl(options)


COMMANDS = {
    "Checking": {
        "check": "prove a program's properties, or show a run that breaks them",
        "validate": "check a saved proof or run again, or an invariant written by hand",
        "engines": "what can be put after --engine, with its options",
        "bench": "engines on many tasks: verdicts, scores, plots",
    },
    "Looking at models": {
        "show": "the model, before and after reduction, as text, picture or file",
        "path": "can this path of an automaton be executed?",
        "post": "the states after a step from a formula's states",
        "pre": "the states from which some step leads into a formula's",
        "wp": "the states from which every step leads into a formula's",
        "abstract": "which predicates a formula entails; abstract reachability",
        "simulate": "a counterexample as a waveform; a monitor on data",
    },
    "Monitors in Python": {
        "compile": "C99 from a monitor: header, source, example driver",
    },
    "Lustre, beyond yes and no": {
        "interpret": "a node on given inputs, its contract on a trace",
        "realizability": "can the contracts be kept, whatever the inputs are?",
        "cores": "which equations and assumptions do the proofs rest on?",
        "cut-sets": "without which of them do the properties fail?",
        "mode-tests": "tests from the modes of a contract",
        "assumptions": "what must be assumed of the inputs?",
        "generate-contract": "a contract from invariants that are found",
    },
}
"""The commands in the order of ``revet --help``, each in a few words."""


class CommandSections(click.Group):
    """Prints the commands by what they are for."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, rows in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl(list(rows.items()))


def analysis(command: Callable[..., int]) -> Callable[..., int]:
    """The options that all analyses of Lustre programs have."""
    for option in (
        from_standard_input("lustre"),
        click.option("--html", type=click.Path(dir_okay=False), metavar="FILE", help="Also write a page."),
        click.option("--json", "json_", is_flag=True, help="Print JSON."),
        click.option("--timeout", "-t", type=click.FloatRange(min=0.1), metavar="S", help="For all of it."),
        click.option("--node", metavar="NAME", help="About this node."),
        click.argument("file", metavar="FILE"),
    ):
        command = option(command)
    return command


ELEMENTS = click.option(
    "--elements", multiple=True,
    type=click.Choice(["equation", "assertion", "assumption", "guarantee", "weak"]),
    help="Only elements of this kind, may be given several times; weak: only those marked 'weakly'.",
)
PROPERTY = click.option("--property", "-p", "property_", metavar="NAME", help="Only this one of the node's.")
