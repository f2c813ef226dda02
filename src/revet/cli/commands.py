"""The commands of ``revet``. Everything heavy is imported inside the command that needs it."""

from __future__ import annotations

import click

from revet import __version__
from revet.cli.options import CHECK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from revet.cli.options import Option


def _options(table: Sequence[Option]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The options of a table, in its order."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
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


_SECTIONS = {
    "--engine": "How to search",
    "--property": "What to check",
    "--large-blocks": "The model",
    "--32": "Input languages",
    "--parse-only": "Looking inside",
    "--json": "Evidence and reports",
    "--cache": "Doing it again",
    "--progress": "What is printed",
}
"""The titles in the help of ``check``, by the first option below each."""


class _Sections(click.Command):
    """Thirty-five options in one list teach nobody."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows: dict[str, list[tuple[str, str]]] = {}
        title = ""
        for parameter in self.get_params(ctx):
            title = next((_SECTIONS[word] for word in parameter.opts if word in _SECTIONS), title)
            record = parameter.get_help_record(ctx)
            if record is not None and title:
                rows.setdefault(title, []).append(record)
        for title, options in rows.items():
            with formatter.section(title):
                formatter.write_dl(options)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="revet")
def revet() -> None:
    """Prove that programs keep their assertions, or show a run that breaks them.

    \b
      revet check program.c            prove it or break it
      revet check --engine kind f.lus  with one engine
      revet show automaton.cfa         the control-flow automaton, before and after reduction
      revet validate model cert.json   re-check a saved certificate or trace
      revet bench tasks.csv            many programs, with one or several engines
      revet engines                    what can be put after --engine

    Every answer is checked before it is printed: a proof by an independent checker, a
    counterexample by running it.
    """


@revet.command(cls=_Sections)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@_options(CHECK)
def check(**arguments: object) -> int:
    """Check the assertions of a program.

    \b
      revet check f.c                      the verdict, and what it rests on
      revet check -t 60 --html r.html f.c  at most a minute; a page to look at
      revet check -p no-overflow f.c       another property
      revet check --each model.lus         an answer for each property
      revet check -e kind model.lus        one engine instead of several

    The last line printed is 'verdict: safe', 'verdict: unsafe' or 'verdict: unknown'.
    Exit status: 0 safe, 1 unsafe, 2 usage or input error, 3 undecided.
    """
    from revet.cli.check import run_check

    return run_check(**arguments)  # type: ignore[arg-type]


@revet.command()
@click.argument("model", metavar="MODEL")
@click.argument("evidence", metavar="EVIDENCE")
@click.option("--timeout", "-t", type=click.FloatRange(min=0.1), metavar="S")
@click.option("--32/--64", "ilp32", default=None, help="C: ILP32 or LP64 (default: the task's, else ILP32).")
def validate(model: str, evidence: str, timeout: float | None, ilp32: bool | None) -> int:
    """Re-check a saved certificate or trace, or an invariant written by hand.

    \b
    An invariant for an automaton, as JSON:
      {"revet": 1, "kind": "invariants", "k": 1, "locations": {"L1": "(<= x 10)"}}

    Exit status: 0 accepted, 1 rejected (with the condition that fails), 2 unreadable, 3 undecided.
    """
    from revet.cli.validate import run_validate

    return run_validate(model, evidence, timeout, ilp32)


@revet.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--format", "format_", type=click.Choice(["text", "dot", "svg", "aiger"]), default="text",
              help="aiger: as a circuit, if it has only Booleans and bit-vectors.")
@click.option("--stage", type=click.Choice(["source", "reduced", "blocks", "system"]), default="source",
              help="Before any pass, after cleaning, after large-block encoding, as a transition system.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), metavar="FILE", help="Write there.")
@click.option("--32/--64", "ilp32", default=None, help="C: ILP32 or LP64 (default: the task's, else ILP32).")
def show(files: tuple[str, ...], format_: str, stage: str, output: str | None, ilp32: bool | None) -> int:
    """Show the model of a program: as text, DOT, SVG or AIGER."""
    from revet.cli.show import run_show

    return run_show(files, format_, stage, output, ilp32)


@revet.command()
@click.argument("file", metavar="FILE")
@click.argument("witness", metavar="WITNESS")
@click.option("--format", "format_", type=click.Choice(["text", "svg", "vcd"]), default="text")
@click.option("--output", "-o", type=click.Path(dir_okay=False), metavar="FILE", help="Write there.")
@click.option("--changing", is_flag=True, help="Only the signals that change.")
def simulate(file: str, witness: str, format_: str, output: str | None, changing: bool) -> int:
    """Replay a counterexample of a circuit or transition system and draw its waveform.

    The witness is an AIGER or BTOR2 witness, or what 'check --save' wrote to a .json file.
    Exit status: 0 it violates the property, 1 it does not, 2 unreadable.
    """
    from revet.cli.simulate import run_simulate

    return run_simulate(file, witness, format_, output, changing)


@revet.command()
@click.argument("name", required=False)
def engines(name: str | None) -> int:
    """List the engines, or explain one with its options."""
    from revet.cli.engines import list_engines

    return list_engines(name)


@revet.command()
@click.argument("tasks", nargs=-1, required=True, metavar="TASKS...")
@click.option("--engines", default="default", metavar="A,B",
              help="Engines to compare, as NAME or NAME:KEY=VALUE; 'default' is the portfolio.")
@click.option("--timeout", "-t", type=click.FloatRange(min=0.1), default=60.0, metavar="S",
              help="Seconds for each run (default 60).")
@click.option("--memory", type=click.IntRange(min=64), metavar="MB", help="As for 'revet check'.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="Runs side by side (default 1).")
@click.option("--sets", metavar="A,B", help="Only the tasks of these sets.")
@click.option("--every", type=click.IntRange(min=1), default=1, metavar="N", help="Every N-th task of a set.")
@click.option("--options", default="", metavar="TEXT", help="Further options of 'revet check' for every run.")
@click.option("--out", "-o", type=click.Path(file_okay=False), metavar="DIR",
              help="Journal, table, CSV file and plots go there; an interrupted bench goes on from there.")
@click.option("--fresh", is_flag=True, help="Forget the runs in the journal.")
@click.option("--cluster", metavar="ADDRESS",
              help="Run on a dask.distributed cluster; local:N starts N workers here.")
def bench(**arguments: object) -> int:
    """Run engines on tasks, compare verdicts with expectations, and count.

    \b
      revet bench tasks.csv -t 30 -o out            table and plots; goes on after Ctrl-C
      revet bench src --engines default,kind,bmc    engines side by side
      revet bench tasks.csv --cluster host:8786     on the workers of a scheduler

    TASKS are programs, folders, SV-COMP .yml and .set files, or CSV files with the columns
    path, expected and set.
    Exit status: 0 no wrong verdict, 1 a wrong or contradictory one, 2 usage or input error,
    3 interrupted.
    """
    from revet.cli.bench import run_bench

    return run_bench(**arguments)  # type: ignore[arg-type]
