"""The commands of ``revet``. Everything heavy is imported inside the command that needs it."""

from __future__ import annotations

import click

from revet import __version__


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


@revet.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--engine", "-e", metavar="NAME",
              help="One engine instead of the portfolio (see 'revet engines').")
@click.option("--engines", metavar="A,B,…",
              help="These instead of the portfolio's choice; with options as kind:abstraction=structural.")
@click.option("--option", "-O", "options", multiple=True, metavar="KEY=VALUE",
              help="An option of the engine; may be given several times.")
@click.option("--timeout", "-t", type=click.FloatRange(min=0.1), metavar="S", help="Seconds for everything.")
@click.option("--memory", type=click.IntRange(min=64), metavar="MB",
              help="Memory limit of all processes together.")
@click.option("--property", "-p", "property_", metavar="NAME",
              help="Check one of several properties; for C also unreach-call, no-overflow or a .prp file.")
@click.option("--each", is_flag=True, help="Answer for each property separately.")
@click.option("--large-blocks/--no-large-blocks", default=True,
              help="Whole loop bodies as single steps (default).")
@click.option("--array-cells", is_flag=True,
              help="Watch a few cells instead of whole arrays: finds quantified invariants, no violations.")
@click.option("--exchange/--no-exchange", default=True,
              help="Engines on the same model tell each other what they find (default).")
@click.option("--reduce/--no-reduce", default=True, help="Remove what cannot matter first (default).")
@click.option("--32/--64", "ilp32", default=None, help="C: ILP32 or LP64 (default: the task's, else ILP32).")
@click.option("--arithmetic", type=click.Choice(["auto", "int", "bv"]), default="auto",
              help="C: mathematical integers or bit-vectors.")
@click.option("--overflow", type=click.Choice(["assume", "wrap"]), default="assume",
              help="C: assume that signed integers do not overflow (default), or let them wrap.")
@click.option("--entry", metavar="FUNCTION", help="C: where the run starts, with any arguments (main).")
@click.option("--recursion", type=click.IntRange(min=1), metavar="N",
              help="C: search for violations N calls deep in recursive functions.")
@click.option("--strict", is_flag=True, help="C: a called function without a body is an error.")
@click.option("--approximate", is_flag=True,
              help="C: expressions that are not modelled have any value, where that is sound.")
@click.option("--compositional", is_flag=True,
              help="Lustre: prove each node with a contract once; callers use the contract, not the body.")
@click.option("--parse-only", is_flag=True, help="Stop after the front end.")
@click.option("--explain-choice", is_flag=True, help="Say which engines the portfolio picks, and why.")
@click.option("--explain", metavar="PATH",
              help="Write the engine's frames or tree: - or .txt as text with every step, .dot, .svg.")
@click.option("--predicates", metavar="FORMULAS",
              help="Predicates for engine cegar to start from: 'y >= z, x >= y'.")
@click.option("--json", "json_", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--save", type=click.Path(dir_okay=False), metavar="FILE",
              help="Save the certificate or trace, for 'revet validate'.")
@click.option("--harness", type=click.Path(dir_okay=False), metavar="FILE",
              help="C: write a driver that reproduces the violation.")
@click.option("--witness", type=click.Path(dir_okay=False), metavar="FILE",
              help="C: write an SV-COMP witness 2.0.")
@click.option("--html", type=click.Path(dir_okay=False), metavar="FILE",
              help="Write a report to look at in a browser: source, evidence, graph, progress.")
@click.option("--sarif", type=click.Path(dir_okay=False), metavar="FILE",
              help="Write the result as SARIF 2.1.0, for code-scanning services.")
@click.option("--cache", type=click.Path(file_okay=False), metavar="DIR",
              help="Try the evidence of the last run first (default: .revet-cache, if it exists).")
@click.option("--no-cache", is_flag=True, help="Neither read nor write a cache.")
@click.option("--progress/--no-progress", default=True,
              help="Show on standard error what the engines do: a table on a terminal, lines elsewhere.")
@click.option("--quiet", "-q", is_flag=True, help="The verdict line and nothing else.")
@click.option("--log", is_flag=True, help="Every event of the engines on standard error.")
@click.option("--stats", is_flag=True, help="Solver queries, times by phase, lemmas, memory.")
def check(**arguments: object) -> int:
    """Check the assertions of a program.

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

    TASKS are programs, folders, SV-COMP .yml and .set files, or CSV files with the columns
    path, expected and set.
    Exit status: 0 no wrong verdict, 1 a wrong or contradictory one, 2 usage or input error,
    3 interrupted.
    """
    from revet.cli.bench import run_bench

    return run_bench(**arguments)  # type: ignore[arg-type]
