"""The commands of ``revet``. Everything heavy is imported inside the command that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from revet import __version__
from revet.cli.click_options import ELEMENTS, PROPERTY, CommandSections, Sections, analysis, options
from revet.cli.options import CHECK, LANGUAGE, STANDARD_INPUT
from revet.cli.standard_input import from_standard_input

if TYPE_CHECKING:
    from typing import Any


@click.group(
    cls=CommandSections, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="revet")
def revet() -> None:
    """Prove that programs keep their assertions, or show a run that breaks them.

    \b
      revet check program.c            prove it or break it
      revet check --functions lib.c    every function of a C file, as a table
      revet check --engine kind f.lus  with one engine
      revet check --html r.html f.c    a page to look at

    Every answer is checked before it is printed: a proof by an independent checker, a
    counterexample by running it.
    """


@revet.command(cls=Sections)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@options(CHECK)
def check(**arguments: Any) -> int:
    """Check the assertions of a program.

    \b
      revet check f.c                      the verdict, and what it rests on
      revet check -t 60 --html r.html f.c  at most a minute; a page to look at
      revet check -p no-overflow f.c       another property
      revet check --each model.lus         an answer for each property
      revet check -e kind model.lus        one engine instead of several

    FILE may be - for standard input, with --language.
    The last line printed is 'verdict: safe', 'verdict: unsafe' or 'verdict: unknown'.
    Exit status: 0 safe, 1 unsafe, 2 usage or input error, 3 undecided.
    """
    from revet.cli.check import run_check
    from revet.cli.given import given

    return run_check(given(arguments))


@revet.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE... EVIDENCE")
@click.option("--timeout", "-t", type=click.FloatRange(min=0.1), metavar="S")
@click.option("--property", "-p", "property_", metavar="NAME", help="What the evidence is about.")
@options(LANGUAGE)
def validate(
    files: tuple[str, ...], timeout: float | None, property_: str | None, **language: object
) -> int:
    """Re-check a saved certificate or trace, or an invariant written by hand.

    \b
    An invariant for an automaton, as JSON:
      {"revet": 1, "kind": "invariants", "k": 1, "locations": {"L1": "(<= x 10)"}}

    Exit status: 0 accepted, 1 rejected (with the condition that fails), 2 unreadable, 3 undecided.
    """
    from revet.cli.given import language_options
    from revet.cli.validate import run_validate

    if len(files) < 2:
        raise click.UsageError("give the program's files and then the evidence")
    return run_validate(files[:-1], files[-1], timeout, language_options(language), property_)


@revet.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--format", "format_", default="text",
              type=click.Choice(["text", "dot", "svg", "aiger", "btor2", "vmt", "moxi", "chc"]),
              help="aiger: as a circuit, if it has only Booleans and bit-vectors; btor2: also with arrays; "
                   "vmt: as VMT-LIB; moxi: as MoXI; chc: as Horn clauses.")
@click.option("--stage", type=click.Choice(["source", "reduced", "blocks", "system", "states"]),
              default="source",
              help="Before any pass, after cleaning, after large-block encoding, as a transition system; "
                   "states: the states of a small finite model, with a counterexample.")
@click.option("--reduce/--no-reduce", default=True,
              help="Whether cleaning, slicing and large blocks come before --stage system.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), metavar="FILE", help="Write there.")
@click.option("--property", "-p", "property_", metavar="NAME", help="The model for this property.")
@options(LANGUAGE)
def show(
    files: tuple[str, ...], format_: str, stage: str, reduce: bool, output: str | None,
    property_: str | None, **language: object,
) -> int:
    """Show the model of a program: as text or a picture, or in the notation of other tools."""
    from revet.cli.given import language_options
    from revet.cli.show import run_show

    return run_show(files, format_, stage, reduce, output, language_options(language), property_)


def _image_command(kind: str, first_line: str) -> None:
    """``revet post``, ``pre`` and ``wp`` differ in a word."""

    def command(
        words: tuple[str, ...], edges: tuple[str, ...], times: int, every: bool, **given: object
    ) -> int:
        from revet.cli.images import run_image

        return run_image(kind, words, edges, times, every, _step_options(given))

    command.__doc__ = f"""{first_line}

    \b
      revet {kind} model.cfa 'at l2 and y >= z' --edge 'l2 -> l2' --times 2
      revet {kind} 'x <= 3' --statement 'assume x < y; x := x + 1'

    FORMULA may say where the automaton is: 'at l2'. Without --edge, every edge is a step. The result is
    exact, and a formula that can be used again; where there is no quantifier elimination, exit status 2.
    """
    for decorate in reversed((
        revet.command(kind),
        click.argument("words", nargs=-1, required=True, metavar="[MODEL] FORMULA"),
        click.option("--edge", "-e", "edges", multiple=True, metavar="EDGE",
                     help="Only this edge: 'l1 -> l2', or its number; several are alternatives."),
        click.option("--times", "-n", type=click.IntRange(min=0), default=1, metavar="N",
                     help="So many steps."),
        click.option("--every", is_flag=True, help="Print the image after every step."),
        click.option("--statement", metavar="TEXT",
                     help="Instead of MODEL: 'assume x < 3; x := x + 1; havoc y'."),
        click.option("--variables", default="", metavar="NAMES",
                     help="Sorts for --statement: 'x, y: int, b: bool, r: real, v: bv8' (default int)."),
        click.option("--timeout", "-t", type=click.FloatRange(min=0.1), metavar="S"),
        options(LANGUAGE),
    )):
        command = decorate(command)


_image_command("post", "The states after a step from the states of a formula.")
_image_command("pre", "The states from which some step leads into the states of a formula.")
_image_command("wp", "The states from which every step leads into the states of a formula.")


def _step_options(given: dict[str, object]) -> dict[str, object]:
    from revet.cli.given import language_options

    own = {name: given[name] for name in ("statement", "variables", "timeout")}
    return {**own, **language_options(given)}


@revet.command()
@click.argument("words", nargs=-1, required=True, metavar="[MODEL] [FORMULA]")
@click.option("--predicates", "-p", required=True, metavar="FORMULAS", help="'at l1, y >= z, x >= y'.")
@click.option("--variables", default="", metavar="NAMES", help="Instead of MODEL: 'x, y: int, b: bool'.")
@click.option("--system", is_flag=True, help="The whole abstract system: states, initial, unsafe, steps.")
@click.option("--format", "format_", default="text", type=click.Choice(["text", "dot", "svg"]),
              help="Of --system.")
@click.option("--timeout", "-t", type=click.FloatRange(min=0.1), metavar="S")
@options(LANGUAGE)
def abstract(words: tuple[str, ...], predicates: str, system: bool, format_: str, **given: object) -> int:
    """Which predicates a formula entails; without a formula, the states reached with these predicates.

    \b
      revet abstract model.cfa 'at l2 and x + 1 <= y' --predicates 'at l2, x >= y'
      revet abstract model.cfa --predicates 'at l1, at l2, at l3, x >= y'
      revet abstract model.sts --predicates 'x < 10, y < x' --system

    The second form applies abstract post images from the initial states on until none is new.
    Exit status: 0, or 3 if they do not exclude an error.
    """
    from revet.cli.images import run_abstract

    options = _step_options({**given, "statement": None})
    return run_abstract(words, predicates, options, format_ if system else None)


@revet.command()
@click.argument("model", metavar="MODEL")
@click.argument("path", metavar="PATH")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@click.option("--timeout", "-t", type=click.FloatRange(min=0.1), metavar="S")
@options(LANGUAGE)
def path(model: str, path: str, json_: bool, timeout: float | None, **language: object) -> int:
    """Can a path of the automaton be executed?

    \b
      revet path model.cfa 'a b c d f'        by its locations
      revet path model.cfa 'e1 e2 e3 e5'      by its edges, as 'revet show' lists them

    If it can: values for all variables along it. If not: a shortest part that contradicts itself, with a
    star at the edges that matter. Exit status: 0 feasible, 1 infeasible, 2 not a path, 3 undecided.
    """
    from revet.cli.given import language_options
    from revet.cli.images import run_path

    return run_path(model, path, json_, {"timeout": timeout, **language_options(language)})


@revet.command()
@click.argument("file", metavar="FILE")
@click.argument("witness", metavar="WITNESS|N")
@click.option("--format", "format_", type=click.Choice(["text", "svg", "vcd", "csv"]), default="text",
              help="vcd: not for monitors; csv: only for them.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), metavar="FILE", help="Write there.")
@click.option("--changing", is_flag=True, help="Only the signals that change.")
@click.option("--compiled", is_flag=True, help="Monitors: run the generated C, not the interpreter.")
@options([STANDARD_INPUT])
def simulate(
    file: str, witness: str, format_: str, output: str | None, changing: bool, compiled: bool, language: None
) -> int:
    """Replay a counterexample of a circuit or transition system and draw its waveform, or run a monitor.

    \b
      revet simulate counter.aag run.wit     the witness is AIGER's, BTOR2's, or what 'check --save' wrote
      revet simulate monitor.py 10           ten instants of a monitor in Python, on its sample data

    Exit status of the first: 0 it violates the property, 1 it does not, 2 unreadable.
    """
    if file.endswith(".py"):
        from revet.cli.monitors import run_simulation

        return run_simulation(file, witness, compiled, format_, output)
    from revet.cli.simulate import run_simulate

    return run_simulate(file, witness, format_, output, changing)


@revet.command("compile")
@click.argument("file", metavar="MONITOR.py")
@click.option("--output", "-o", default=".", type=click.Path(file_okay=False), metavar="DIR",
              help="Write the C files there.")
@click.option("--prefix", metavar="NAME", help="Of files and functions (default: the monitor's name).")
@click.option("--step", metavar="NAME", help="The function to call at every instant (default: PREFIX_step).")
@click.option("--verify", is_flag=True, help="Prove that the C code does what the monitor says.")
@from_standard_input("python")
def compile_(file: str, output: str, prefix: str | None, step: str | None, verify: bool) -> int:
    """Compile a monitor in Python to C99: a header, the source and an example driver for each.

    Exit status of --verify: 0 all are proved, 1 one is not what the monitor says, 3 undecided.
    """
    from revet.cli.monitors import run_compile

    return run_compile(file, output, prefix, step, verify)


@revet.command()
@click.argument("file", metavar="FILE")
@click.argument("inputs", metavar="VALUES")
@click.option("--node", metavar="NAME", help="The node to run; default: the only top node.")
@click.option("--monitor", is_flag=True, help="VALUES has the outputs, too: look at the contract only.")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@click.option("--html", type=click.Path(dir_okay=False), metavar="FILE", help="Also write a page.")
@from_standard_input("lustre")
def interpret(**arguments: Any) -> int:
    """Run a Lustre node on the inputs in a .json or .csv file, or its contract on a recorded trace.

    Exit status: 0 everything held, 1 a property or guarantee did not, 2 unreadable.
    """
    from revet.cli.interpret import run_interpret

    return run_interpret(**arguments)


@revet.command()
@analysis
def realizability(**arguments: Any) -> int:
    """Can the contracts of a Lustre program be kept, whatever the inputs are?

    \b
    Exit status: 0 all are realizable, 1 one is not (a run into the deadlock is shown),
    2 usage or input error, 3 undecided.
    """
    from revet.cli.analyses import run_realizability

    return run_realizability(**arguments)


@revet.command()
@analysis
@PROPERTY
@ELEMENTS
@click.option("--all", "every", is_flag=True, help="All minimal cores.")
@click.option("--must", is_flag=True, help="Also the elements that every core has.")
def cores(**arguments: Any) -> int:
    """Which equations, assertions, assumptions and guarantees do the proofs of a Lustre node rest on?

    A core is a minimal set of elements with which the node's properties still hold.
    """
    from revet.cli.analyses import run_cores

    return run_cores(**arguments)


@revet.command("cut-sets")
@analysis
@PROPERTY
@ELEMENTS
@click.option("--all", "every", is_flag=True, help="All minimal cut sets.")
def cut_sets(**arguments: Any) -> int:
    """Without which elements of a Lustre node do its properties fail?

    A cut set is a minimal set of such elements; a counterexample is shown with each.
    """
    from revet.cli.analyses import run_cut_sets

    return run_cut_sets(**arguments)


@revet.command("mode-tests")
@analysis
@click.option("--depth", type=click.IntRange(min=1), default=3, help="Instants of a test (default 3).")
@click.option("--limit", type=click.IntRange(min=1), default=100, help="At most so many tests (default 100).")
@click.option("--out", "-o", type=click.Path(file_okay=False), metavar="DIR",
              help="Write inputs, traces and the graph of the modes there.")
def mode_tests(**arguments: Any) -> int:
    """Tests from the modes of a Lustre contract: one for every way in which they can follow each other.

    Exit status: 0, or 3 if a mode is active in no test.
    """
    from revet.cli.analyses import run_mode_tests

    return run_mode_tests(**arguments)


@revet.command()
@analysis
@PROPERTY
def assumptions(**arguments: Any) -> int:
    """What would have to be assumed of a Lustre node's inputs so that its properties hold?

    Exit status: 0, or 3 if properties fail and no assumption was found.
    """
    from revet.cli.analyses import run_assumptions

    return run_assumptions(**arguments)


@revet.command("generate-contract")
@analysis
def generate_contract(**arguments: Any) -> int:
    """A contract for a Lustre node, from invariants between its inputs and outputs that are found.

    Exit status: 0, or 3 if nothing was found.
    """
    from revet.cli.analyses import run_contract

    return run_contract(**arguments)


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
def bench(**arguments: Any) -> int:
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

    return run_bench(**arguments)
