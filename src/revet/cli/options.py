"""The options of ``revet check``, as a table: what click makes its options of, and what the plain
command lines are read with (:mod:`revet.quickstart.command_line`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, Literal


@dataclass(frozen=True)
class Option:
    """``spelling`` as for click: ``--timeout -t``, ``--on/--off``, and a last word without dashes for
    the parameter's name, if it is not the option's."""

    spelling: str
    kind: Literal[
        "flag", "switch", "text", "texts", "number", "count", "choice", "file", "folder", "language"
    ]
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


STANDARD_INPUT = Option(
    "--language -x", "language",
    "The language of standard input, which is written - in place of a file: c, lustre, …, or a suffix.",
    "NAME",
)

LANGUAGE = [
    STANDARD_INPUT,
    Option("--32/--64 ilp32", "switch", "C: ILP32 or LP64 (default: the task's, else this machine's)."),
    Option("--arithmetic", "choice", "C: mathematical integers or bit-vectors.",
           default="auto", choices=("auto", "int", "bv")),
    Option("--overflow", "choice",
           "C: signed overflow is undefined (default: checked, or assumed not to happen), or wraps.",
           default="assume", choices=("assume", "wrap")),
    Option("--evaluation-order", "choice",
           "C: operands that interfere in every order C allows (default), or from one side.",
           default="any", choices=("any", "left", "right")),
    Option("-I include_paths", "texts", "C: look for headers there, too.", "DIR"),
    Option("-isystem system_paths", "texts", "C: look there for headers of the system, too.", "DIR"),
    Option("-D defines", "texts", "C: define a macro.", "NAME[=VALUE]"),
    Option("-U undefines", "texts", "C: do not define a macro.", "NAME"),
    Option("-include includes", "texts", "C: read this header first.", "FILE"),
    Option("-std standard", "text", "C: the dialect (gnu17).", "NAME"),
    Option("--target", "text", "C: the compiler's target, x86_64-linux-gnu or i386-linux-gnu.", "NAME"),
    Option("--compile-commands", "text", "C: the arguments of each file as a project builds it.", "FILE"),
    Option("--callbacks", "choice",
           "C: functions without a body may call what they are given (any), or not (none: SV-COMP's rule).",
           choices=("any", "none")),
    Option("--malloc", "choice",
           "C: malloc fails whenever it likes (default), for sizes that no object has, or never.",
           choices=("may-fail", "if-too-large", "never-fails")),
    Option("--volatile", "choice",
           "C: what a read of a volatile object gives: any value (default), or what was written.",
           choices=("any", "plain")),
    Option("--entry", "text", "C: where the run starts, with any arguments (main).", "FUNCTION"),
    Option("--entry-pointers", "choice",
           "C: pointers that the entry gets are valid, or may-be-null, or may-alias.", default="valid",
           choices=("valid", "may-be-null", "may-alias")),
    Option("--entry-globals", "choice", "C: globals when the entry is called.", default="initialised",
           choices=("initialised", "any")),
    Option("--entry-depth", "count", "C: pointers behind pointers lead to objects N deep (2), then null.",
           "N", least=0),
    Option("--entry-length", "count", "C: the most elements of arrays behind pointers (1048576).", "N",
           least=1),
    Option("--entry-assume", "texts",
           "C: a condition on the entry's parameters; revet_length(p) counts the elements behind p.",
           "EXPRESSION"),
    Option("--recursion", "count", "C: search for violations N calls deep in recursive functions.", "N",
           least=1),
    Option("--strict", "flag",
           "C: what would be assumed of functions without a body and the like is an error."),
    Option("--approximate", "flag",
           "C: expressions that are not modelled have any value, where that is sound."),
    Option("--validate-translation", "choice",
           "C: after safe, compare model and compiled program: brief (0.3 s, the default), full, off.",
           default="brief", choices=("brief", "full", "off")),
]
"""Options of input languages: each is passed on, under its parameter's name, to the language of the program,
which refuses those that it does not have."""

CHECK = [
    Option("--engine -e", "text", "One engine instead of the portfolio (see 'revet engines').", "NAME"),
    Option("--engines", "text",
           "These instead of the portfolio's choice; with options as kind:abstraction=structural.", "A,B,…"),
    Option("--option -O options", "texts", "An option of the engine; may be given several times.",
           "KEY=VALUE"),
    Option("--timeout -t", "number", "Seconds for everything (default: no limit).", "S", least=0.1),
    Option("--memory", "count", "Memory limit of all processes together (default: none).", "MB", least=64),
    Option("--property -p property_", "text",
           "Check one of several properties; for C also groups (assertions,bounds) or a .prp file.", "NAME"),
    Option("--each", "flag", "Answer for each property separately."),
    Option("--functions", "flag", "C: check every function as an entry, and print a table."),
    Option("--large-blocks/--no-large-blocks", "switch", "Whole loop bodies as single steps (default).",
           default=True),
    Option("--array-cells", "flag",
           "Watch a few cells instead of whole arrays: finds quantified invariants, no violations."),
    Option("--bits", "flag",
           "Bit-vectors and small arrays as gates: bmc and kind run on a SAT solver, as pdr does."),
    Option("--exchange/--no-exchange", "switch",
           "Engines on the same model tell each other what they find (default).", default=True),
    Option("--reduce/--no-reduce", "switch", "Remove what cannot matter first (default).", default=True),
    *LANGUAGE,
    Option("--compositional", "flag",
           "Lustre: prove each node with a contract once; callers use the contract, not the body."),
    Option("--modular", "flag", "Lustre: check every node by itself, with any inputs; report node by node."),
    Option("--parse-only", "flag", "Stop after the front end."),
    Option("--explain-choice", "flag", "Say which engines the portfolio picks, and why."),
    Option("--explain", "text",
           "Write the engine's frames or tree: - or .txt as text with every step, .dot, .svg.", "PATH"),
    Option("--predicates", "text",
           "Predicates for engine cegar to start from: 'y >= z, x >= y'.", "FORMULAS"),
    Option("--json json_", "flag", "Print one JSON object instead of text."),
    Option("--kind2-json", "flag", "Lustre: an answer for each property, as KIND 2 prints them."),
    Option("--save", "file", "Save the certificate or trace, for 'revet validate'.", "FILE"),
    Option("--harness", "file", "C: write a driver that reproduces the violation.", "FILE"),
    Option("--witness", "file", "Write a witness: C, SV-COMP's format 2.0; circuits, their own.", "FILE"),
    Option("--model", "file", "Horn clauses: write the model as SMT-LIB definitions (- prints it).", "FILE"),
    Option("--proof", "file",
           "Write the proof as SMT-LIB for other solvers (- prints it): a derivation from Horn clauses; for "
           "Lustre and transition systems, queries that must be unsat.", "FILE"),
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
