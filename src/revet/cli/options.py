"""The options of ``revet check``, as a table: what click makes its options of, and what the plain
command lines are read with (:mod:`revet.cli.plain`)."""

from __future__ import annotations

from revet.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal


class Option(Record):
    """``spelling`` as for click: ``--timeout -t``, ``--on/--off``, and a last word without dashes for
    the parameter's name, if it is not the option's."""

    spelling: str
    kind: Literal["flag", "switch", "text", "texts", "number", "count", "choice", "file", "folder"]
    help: str
    metavar: str | None = None
    default: Any = None
    least: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def parameter(self) -> str:
        """The name of the argument of ``run_check``."""
        words = self.spelling.split()
        if not words[-1].startswith("-"):
            return words[-1]
        return words[0].split("/")[0].lstrip("-").replace("-", "_")

    @property
    def absent(self) -> Any:
        """The parameter's value if the option is not given."""
        return {"flag": False, "texts": ()}.get(self.kind, self.default)


_MODEL = "C: ILP32 or LP64 (default: the task's, else ILP32)."

CHECK = [
    Option("--engine -e", "text", "One engine instead of the portfolio (see 'revet engines').", "NAME"),
    Option("--engines", "text",
           "These instead of the portfolio's choice; with options as kind:abstraction=structural.", "A,B,…"),
    Option("--option -O options", "texts", "An option of the engine; may be given several times.",
           "KEY=VALUE"),
    Option("--timeout -t", "number", "Seconds for everything (default: no limit).", "S", least=0.1),
    Option("--memory", "count", "Memory limit of all processes together (default: none).", "MB", least=64),
    Option("--property -p property_", "text",
           "Check one of several properties; for C also unreach-call, no-overflow or a .prp file.", "NAME"),
    Option("--each", "flag", "Answer for each property separately."),
    Option("--large-blocks/--no-large-blocks", "switch", "Whole loop bodies as single steps (default).",
           default=True),
    Option("--array-cells", "flag",
           "Watch a few cells instead of whole arrays: finds quantified invariants, no violations."),
    Option("--exchange/--no-exchange", "switch",
           "Engines on the same model tell each other what they find (default).", default=True),
    Option("--reduce/--no-reduce", "switch", "Remove what cannot matter first (default).", default=True),
    Option("--32/--64 ilp32", "switch", _MODEL),
    Option("--arithmetic", "choice", "C: mathematical integers or bit-vectors.",
           default="auto", choices=("auto", "int", "bv")),
    Option("--overflow", "choice",
           "C: assume that signed integers do not overflow (default), or let them wrap.",
           default="assume", choices=("assume", "wrap")),
    Option("--entry", "text", "C: where the run starts, with any arguments (main).", "FUNCTION"),
    Option("--recursion", "count", "C: search for violations N calls deep in recursive functions.", "N",
           least=1),
    Option("--strict", "flag", "C: a called function without a body is an error."),
    Option("--approximate", "flag",
           "C: expressions that are not modelled have any value, where that is sound."),
    Option("--compositional", "flag",
           "Lustre: prove each node with a contract once; callers use the contract, not the body."),
    Option("--parse-only", "flag", "Stop after the front end."),
    Option("--explain-choice", "flag", "Say which engines the portfolio picks, and why."),
    Option("--explain", "text",
           "Write the engine's frames or tree: - or .txt as text with every step, .dot, .svg.", "PATH"),
    Option("--predicates", "text",
           "Predicates for engine cegar to start from: 'y >= z, x >= y'.", "FORMULAS"),
    Option("--json json_", "flag", "Print one JSON object instead of text."),
    Option("--save", "file", "Save the certificate or trace, for 'revet validate'.", "FILE"),
    Option("--harness", "file", "C: write a driver that reproduces the violation.", "FILE"),
    Option("--witness", "file", "Write a witness: C, SV-COMP's format 2.0; circuits, their own.", "FILE"),
    Option("--html", "file",
           "Write a report to look at in a browser: source, evidence, graph, progress.", "FILE"),
    Option("--sarif", "file", "Write the result as SARIF 2.1.0, for code-scanning services.", "FILE"),
    Option("--cache", "folder",
           "Try the evidence of the last run first (default: .revet-cache, if it exists).", "DIR"),
    Option("--no-cache", "flag", "Neither read nor write a cache."),
    Option("--progress/--no-progress", "switch",
           "Show on standard error what the engines do: a table on a terminal, lines elsewhere.",
           default=True),
    Option("--quiet -q", "flag", "The verdict line and nothing else."),
    Option("--log", "flag", "Every event of the engines on standard error."),
    Option("--stats", "flag", "Solver queries, times by phase, lemmas, memory."),
]
