"""The table of configurations: which engines run on which models, in which order.

This is the one place to edit when the default strategy changes. A row is a configuration and
the condition under which it takes part; rows are tried in order, and the first ones get the
first time slices. ``share`` says how long a configuration's turns are beside those of the others,
after the first round: long for those that often answer late, short for those that answer at once
or not at all (taken from who answered when, over the development set).
"""

from __future__ import annotations

from revet.driver.options import parse_options
from revet.driver.prepare import Preparation
from revet.engines.registry import REGISTRY, engine
from revet.errors import UsageError
from revet.records import Record, field, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from revet.portfolio.features import Features


class Configuration(Record):
    """An engine with its options, as they would be typed after ``-O``."""

    name: str
    engine: str
    options: Mapping[str, str] = field(default_factory=dict)
    preparation: Preparation = field(default_factory=Preparation)
    why: str = ""
    share: float = 1.0

    def prepared(self, how: Preparation) -> Configuration:
        """With the reductions the user wants, besides those the configuration lives on."""
        cells = how.array_cells or self.preparation.array_cells
        return replace(self, preparation=replace(how, array_cells=cells))


class Row(Record):
    configuration: Configuration
    when: Callable[[Features], bool]


def _row(
    name: str,
    engine_name: str,
    why: str,
    when: Callable[[Features], bool],
    share: float = 1.0,
    **options: str,
) -> Row:
    return Row(Configuration(name, engine_name, options, why=why, share=share), when)


def _cells(engine_name: str, why: str, share: float = 1.0) -> Row:
    """An engine on the automaton that watches some cells of the arrays."""
    cells = Preparation(array_cells=True)
    made = Configuration(f"{engine_name}-cells", engine_name, {}, cells, why, share)
    return Row(made, lambda f: f.automaton and f.loops and f.arrays)


_LARGE = 300
"""Edges of a program from which on its control flow is most of the problem: state machines, product
lines, schedulers. Explicit values and predicates along paths do best there."""


def _is_large(f: Features) -> bool:
    return f.automaton and f.loops and f.size > _LARGE


TABLE: list[Row] = [
    _row("summaries", "summaries", "proves recursive procedures by contracts", lambda f: f.recursive),
    _row("boxes", "boxes", "cases of the inputs, by intervals: no solver for floats is as quick",
         lambda f: f.automaton and f.floats),
    # Programs: where arrays matter, their cells first; otherwise frames per location.
    _row("cegar", "cegar", "values, then predicates along paths: state machines, product lines",
         _is_large, share=2.0),
    _row("pdr-cfa", "pdr-cfa", "frames per location; fast where few facts are needed",
         lambda f: f.automaton and f.loops and not f.arrays),
    _row("bmc", "bmc", "finds violations; proves programs whose runs all end",
         lambda f: f.automaton, share=1.5, strategy="global"),
    _row("explore", "explore", "runs the program: violations behind many turns of a loop",
         lambda f: f.executable, share=1.5),
    _cells("houdini", "guesses quantified invariants about arrays", share=1.5),
    _cells("pdr-ia", "finds quantified invariants about arrays"),
    _row("pdr-cfa", "pdr-cfa", "frames per location; fast where few facts are needed",
         lambda f: f.automaton and f.loops and f.arrays, share=0.5),
    # Whole programs as one system: what these solve and the above do not, they solve soon.
    _row("kind", "kind", "proves what is inductive within a few steps",
         lambda f: f.automaton and f.loops, share=0.5),
    _row("pdr-ia", "pdr-ia", "finds invariants over predicates",
         lambda f: f.automaton and f.loops and not f.arrays, share=0.7),
    _row("spacer", "spacer", "a Horn solver's view", lambda f: f.automaton and f.loops, share=0.7),
    # Dataflow and other systems: k-induction answers most, interpolants find what it lacks.
    _row("kind", "kind", "proves what is inductive within a few steps",
         lambda f: not f.automaton and f.loops),
    _row("pdr", "pdr", "PDR on the bits", lambda f: not f.automaton and f.made_of_bits),
    _row("pdr-ia", "pdr-ia", "finds invariants over predicates",
         lambda f: not f.automaton and f.loops, share=2.0),
    _row("bmc-deep", "bmc", "violations after many steps", lambda f: not f.automaton, strategy="global"),
    _row("spacer", "spacer", "a Horn solver's view", lambda f: not f.automaton and f.loops),
    _row("cegar", "cegar", "values, then predicates along paths",
         lambda f: f.automaton and f.loops and not f.arrays and not _is_large(f)),
]

CIRCUITS: list[Configuration] = [
    Configuration("pdr", "pdr", why="proves circuits by induction, clause by clause"),
    Configuration("bmc", "bmc", why="finds violations"),
]
"""On circuits; as many as there are cores on most machines, so that they need not take turns."""


def choose(features: Features) -> list[Configuration]:
    """The configurations for a model, most promising first; engines not installed are left out."""
    if features.circuit:
        return [configuration for configuration in CIRCUITS if configuration.engine in REGISTRY]
    return [
        row.configuration
        for row in TABLE
        if row.configuration.engine in REGISTRY
        and row.when(features)
        and (features.automaton or REGISTRY[row.configuration.engine].takes != "cfa")
    ]


def left_out(features: Features) -> list[str]:
    """The names of the table's configurations that do not take part, for ``--explain-choice``."""
    everybody = [*(row.configuration for row in TABLE), *CIRCUITS]
    taken = {configuration.name for configuration in choose(features)}
    return list(dict.fromkeys(one.name for one in everybody if one.name not in taken))


def parse_engines(text: str) -> list[Configuration]:
    """``kind,pdr-ia,kind:abstraction=structural:invariants=no``: engines, each with its options.

    A configuration is named as it was written, which keeps two of the same engine apart.
    """
    found: dict[str, Configuration] = {}
    for part in text.split(","):
        name, *options = (piece.strip() for piece in part.split(":"))
        texts = {}
        for option in options:
            key, equals, value = option.partition("=")
            if not equals:
                raise UsageError(f"--engines {part.strip()}: write NAME:KEY=VALUE")
            texts[key] = value
        if name == "portfolio" or not name:
            raise UsageError(f"--engines needs names of engines; choose from: {', '.join(REGISTRY)}")
        parse_options(engine(name), texts)  # refuses what does not exist
        written = ":".join([name, *options])
        found[written] = Configuration(written, name, texts, why="asked for")
    return list(found.values())
