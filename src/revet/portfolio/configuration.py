"""The table of configurations: which engines run on which models, in which order.

This is the one place to edit when the default strategy changes. A row is a configuration and
the condition under which it takes part; rows are tried in order, and the first ones get the
first time slices. ``share`` says how long a configuration's turns are beside those of the others,
after the first round (whose turns are a second, or ``first``): long for those that often answer late,
short for those that answer at once or not at all (taken from who answered when, over the development set).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from revet.driver.options import parse_options
from revet.driver.prepare import Preparation
from revet.engines.registry import REGISTRY, engine
from revet.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from revet.portfolio.features import Features


@dataclass(frozen=True)
class Configuration:
    """An engine with its options, as they would be typed after ``-O``."""

    name: str
    engine: str
    options: Mapping[str, str] = field(default_factory=dict)
    preparation: Preparation = field(default_factory=Preparation)
    why: str = ""
    share: float = 1.0
    first: float = 1.0
    """Seconds of its first turn (about): more for what answers most models of a kind, but not at once."""
    stays: bool = False
    """It keeps a core to itself where there is another one for the rest: for what also answers late."""
    team: str = ""
    """Workers of the same team run one engine on one model and tell each other their lemmas."""

    def prepared(self, how: Preparation) -> Configuration:
        """With the reductions the user wants, besides those the configuration lives on."""
        return replace(self, preparation=self.preparation.wanted(how))


@dataclass(frozen=True)
class Row:
    configuration: Configuration
    when: Callable[[Features], bool]


def _row(
    name: str,
    engine_name: str,
    why: str,
    when: Callable[[Features], bool],
    share: float = 1.0,
    first: float = 1.0,
    stays: bool = False,
    **options: str,
) -> Row:
    made = Configuration(name, engine_name, options, why=why, share=share, first=first, stays=stays)
    return Row(made, when)


def _cells(engine_name: str, why: str, share: float = 1.0) -> Row:
    """An engine on the automaton that watches some cells of the arrays."""
    cells = Preparation(array_cells=True)
    made = Configuration(f"{engine_name}-cells", engine_name, {}, cells, why, share)
    return Row(made, lambda f: f.automaton and f.loops and f.arrays)


def _few(engine_name: str, why: str) -> Row:
    """An engine on the system whose quantifiers range over a few small numbers."""
    few = Preparation(few_numbers=True)
    made = Configuration(f"{engine_name}-few", engine_name, {}, few, why)
    return Row(made, lambda f: not f.automaton and f.quantifiers)


def _control(engine_name: str, why: str, share: float, first: float = 1.0, bits: bool = False) -> Row:
    """An engine on the automaton of a program that was written as one transition relation."""
    control = Preparation(control=True)
    made = Configuration(f"{engine_name}-control", engine_name, {}, control, why, share, first)
    return Row(made, lambda f: not f.automaton and f.control and f.bit_vectors == bits)


def _is_hardware(f: Features) -> bool:
    return not f.automaton and f.bit_vectors and f.made_of_bits


def _bits(
    name: str, engine_name: str, why: str, share: float, when: Callable[[Features], bool] = _is_hardware,
    first: float = 1.0, **options: str,
) -> Row:
    """An engine on the gates of a system of bit-vectors (word-level hardware)."""
    made = Configuration(name, engine_name, options, Preparation(bits=True), why, share, first)
    return Row(made, when)


def _is_program(f: Features) -> bool:
    """Bits, but with a program counter: a program that was written as one transition relation."""
    return _is_hardware(f) and f.control and not f.arrays


def _has_memories(f: Features) -> bool:
    return not f.automaton and f.bit_vectors and f.arrays and f.bits_and_arrays


def _suits_spacer(f: Features) -> bool:
    """Integers alone: what Spacer does not decide there, nobody else does, as a rule."""
    return f.integers and not (f.arrays or f.bit_vectors or f.reals)


def _has_control_bits(f: Features) -> bool:
    """Integers, and few enough Booleans to be a program counter. What has more is dataflow."""
    return 0 < f.booleans <= 16 and _suits_spacer(f)


def _has_few_control_bits(f: Features) -> bool:
    """Of protocols over reals also those with ten Booleans are dataflow."""
    return _has_control_bits(f) or (0 < f.booleans <= 8 and f.reals and not f.arrays)


_LARGE = 300
"""Edges of a program from which on its control flow is most of the problem: state machines, product
lines, schedulers. Explicit values and predicates along paths do best there."""


def _is_large(f: Features) -> bool:
    return f.automaton and f.loops and f.size > _LARGE


def _is_small(f: Features) -> bool:
    return f.automaton and f.loops and not f.arrays and f.size <= _LARGE


TABLE: list[Row] = [
    _row("explore", "explore", "runs the program, which has no inputs: its only run may decide",
         lambda f: f.executable and not f.inputs, share=2.0, first=3.0),
    _row("explore", "explore", "runs the program with text like its own words: most violations are found so",
         lambda f: f.executable and f.text, share=3.0, first=3.0),
    _row("summaries", "summaries", "proves recursive procedures by contracts", lambda f: f.recursive),
    _row("summaries-guesses", "summaries", "guesses contracts: bounds, and bounds in cases of the arguments",
         lambda f: f.recursive, guesses="true"),
    _row("boxes", "boxes", "cases of the inputs, by intervals: no solver for floats is as quick",
         lambda f: f.automaton and f.floats),
    # Programs: where arrays matter, their cells first; otherwise frames per location.
    _row("cegar", "cegar", "values and predicates along paths: state machines, product lines",
         _is_large, share=1.6, blocks="false"),
    _row("pdr-cfa", "pdr-cfa", "frames per location; fast where few facts are needed",
         lambda f: f.automaton and f.loops and not f.arrays),
    _row("shapes", "shapes", "guesses invariants about pointers, terminators and blocks of memory",
         lambda f: f.automaton and f.loops and f.arrays and f.memory, share=4.0, first=2.0),
    _row("shapes", "shapes", "guesses invariants about pointers, terminators and blocks of memory",
         lambda f: f.automaton and f.loops and f.arrays and not f.memory),
    _row("absint", "absint", "intervals and octagons: bounds of indices and sums, at once or never",
         lambda f: f.automaton and f.loops and f.integers and not f.bit_vectors, share=0.5),
    Row(Configuration("bmc-paths", "bmc", {"strategy": "depth-first"}, Preparation(large_blocks=False),
                      "run by run: what a run knows of its memory folds; proves programs of few paths"),
        lambda f: f.automaton and f.arrays),
    Row(Configuration("bmc-rounds", "bmc", {"strategy": "rounds"}, Preparation(large_blocks=False),
                      "loops round by round: programs whose loops end, and what goes wrong early", 2.0, 2.0),
        lambda f: f.automaton and f.loops),
    _row("bmc", "bmc", "finds violations; proves programs whose runs all end",
         lambda f: f.automaton, share=1.5, strategy="global"),
    _row("explore", "explore", "runs the program: violations behind many turns of a loop",
         lambda f: f.executable and f.inputs and not f.text, share=1.5),
    _cells("houdini", "guesses quantified invariants about arrays", share=1.5),
    _cells("pdr-ia", "finds quantified invariants about arrays"),
    _row("pdr-cfa", "pdr-cfa", "frames per location; fast where few facts are needed",
         lambda f: f.automaton and f.loops and f.arrays, share=0.5),
    # Whole programs as one system: what these solve and the above do not, they solve soon.
    _row("kind", "kind", "proves what is inductive within a few steps",
         lambda f: f.automaton and f.loops, share=0.5),
    _row("pdr-ia", "pdr-ia", "finds invariants over predicates",
         lambda f: f.automaton and f.loops, share=0.7),
    _row("spacer", "spacer", "a Horn solver's view", lambda f: f.automaton and f.loops, share=0.7),
    # Programs that were written as transition systems: with their control flow again. Where the places of a
    # loop are the states of a state machine, formulas for all of them are checked at once; between the heads
    # of large blocks there would be many steps to unwind.
    Row(Configuration("pdr-ia-states", "pdr-ia", {}, Preparation(control=True, large_blocks=False),
                      "the same with the states of state machines as control flow", 2.0, 4.0),
        lambda f: not f.automaton and f.control and f.machines),
    _control("pdr-ia", "finds invariants over predicates, with a program counter as control flow", 2.0, 3.0),
    _control("pdr-cfa", "frames for each value of a program counter", 1.0),
    _control("spacer", "a Horn solver's view, with a predicate for each value of a program counter", 1.0),
    _control("pdr-cfa", "frames for each value of a program counter", 0.7, 2.0, bits=True),
    Row(Configuration("bmc-control", "bmc", {}, Preparation(control=True),
                      "violations a few turns of a loop away, however many steps a turn takes", stays=True),
        _is_program),
    # Word-level hardware: its gates; where there are memories, first as if they held anything.
    Row(Configuration("bmc-twins", "bmc", {"twins": "true", "solver": "cadical195"},
                      Preparation(bits=True, quiet=True),
                      "a design and its copy: to where they differ, then on", 4.0, first=15.0),
        lambda f: _is_hardware(f) and f.twins),
    Row(Configuration("pdr-reads", "pdr", {}, Preparation(any_reads=True),
                      "PDR on the bits; what is read from memories may be anything", 2.0, stays=True),
        _has_memories),
    _row("pdr", "pdr", "PDR on the bits",
         lambda f: _is_hardware(f) and not (_has_memories(f) or _is_program(f)), share=2.0, stays=True),
    _row("pdr", "pdr", "PDR on the bits, memories and all",
         lambda f: _is_hardware(f) and (_has_memories(f) or _is_program(f)), share=2.0),
    Row(Configuration("bmc-narrow", "bmc", {"stride": "8", "solver": "cadical195"},
                      Preparation(bits=True, narrow=True),
                      "data that is only moved around, one bit wide: violations", 3.0, first=5.0),
        lambda f: _is_hardware(f) and f.data),
    _bits("bmc-bits", "bmc", "violations, by a SAT solver", 3.0, stride="8", solver="cadical195"),
    _bits("pdr-ctg", "pdr", "PDR on the bits, which also blocks what keeps lemmas from being short", 2.0,
          when=lambda f: _is_hardware(f) and not _has_memories(f), first=4.0, ctg="true"),
    Row(Configuration("pdr-ctg-reads", "pdr", {"ctg": "true"}, Preparation(any_reads=True),
                      "the same; what is read from memories may be anything", 2.0), _has_memories),
    # Dataflow and other systems: k-induction answers most, interpolants find what it lacks.
    _row("kind", "kind", "proves what is inductive within a few steps",
         lambda f: not f.automaton and f.loops and not _is_hardware(f)),
    _row("kind", "kind", "proves what is inductive within a few steps", lambda f: f.loops and _is_hardware(f),
         share=0.5),
    _few("bmc", "violations with arrays of few elements"),
    _row("pdr", "pdr", "PDR on the bits",
         lambda f: not f.automaton and f.made_of_bits and not f.bit_vectors),
    _row("pdr-ia", "pdr-ia", "finds invariants over predicates",
         lambda f: not f.automaton and f.loops and not _is_hardware(f), share=2.0),
    _row("pdr-ia", "pdr-ia", "finds invariants over predicates", lambda f: f.loops and _is_hardware(f),
         share=0.7),
    _row("bmc-deep", "bmc", "violations after many steps",
         lambda f: not f.automaton and (f.arrays or not _is_hardware(f)), strategy="global"),
    _row("spacer", "spacer", "a Horn solver's view",
         lambda f: not f.automaton and f.loops and not _is_hardware(f)),
    _row("cegar-values", "cegar", "values along paths: no solver", _is_small, share=0.3,
         domain="explicit", blocks="false"),
    _row("cegar-blocks", "cegar", "predicates at the ends of large blocks",
         lambda f: _is_small(f) or _is_large(f), share=0.5, domain="predicates", blocks="true"),
    _row("cegar", "cegar", "values and predicates along paths", _is_small, share=0.3, blocks="false"),
]

HORN: list[Row] = [
    # As they are, to Spacer, which answers most; as automata and systems to the others.
    _row("spacer", "spacer", "a Horn solver, with global guidance", _suits_spacer, share=4.0, first=3.0,
         stays=True, guidance="true", preprocess="true"),
    _row("spacer", "spacer", "a Horn solver, with global guidance", lambda f: not _suits_spacer(f), share=4.0,
         first=3.0, guidance="true", preprocess="true"),
    Row(Configuration("pdr-cfa-cases", "pdr-cfa", {}, Preparation(cases=True),
                      "frames per location, with control flow instead of Booleans", 2.0, 4.0),
        lambda f: f.automaton and f.loops and _has_few_control_bits(f)),
    _row("spacer-local", "spacer", "a Horn solver, without guidance", _suits_spacer, share=4.0, first=4.0,
         guidance="false", preprocess="true"),
    _row("spacer-cases", "spacer", "a Horn solver, with control flow instead of Booleans", _has_control_bits,
         share=3.0, first=2.0, guidance="true", preprocess="true", cases="true"),
    _row("pdr", "pdr", "PDR on the bits",
         lambda f: f.automaton and f.made_of_bits, share=1.5),
    _row("spacer-integers", "spacer", "a Horn solver, as if nothing overflowed", lambda f: f.bit_vectors,
         share=2.0, first=2.0, guidance="true", preprocess="true", integers="true"),
    # Systems over reals are mostly protocols of a few rounds: their runs end, and steps are hard to solve.
    _row("kind-plain", "kind", "runs that end after a few steps, or are inductive within them",
         lambda f: f.automaton and f.loops and f.reals and not f.arrays, share=4.0, first=6.0,
         invariants="false"),
    _row("kind", "kind", "proves what is inductive within a few steps",
         lambda f: f.automaton and f.loops, share=2.0),
    _row("pdr-cfa", "pdr-cfa", "frames per location; fast where few facts are needed",
         lambda f: f.automaton and f.loops),
    _row("spacer-local", "spacer", "a Horn solver, without guidance", lambda f: not _suits_spacer(f),
         guidance="false", preprocess="true"),
    _row("pdr-ia", "pdr-ia", "finds invariants over predicates", lambda f: f.automaton and f.loops),
    _cells("houdini", "guesses quantified invariants about arrays"),
    _cells("pdr-ia", "finds quantified invariants about arrays"),
    _row("bmc", "bmc", "finds violations; proves what has no loops", lambda f: f.automaton,
         strategy="global"),
    _row("cegar", "cegar", "values, then predicates along paths",
         lambda f: f.automaton and f.loops and not f.arrays),
]
"""On Horn clauses."""

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
        for row in (HORN if features.horn else TABLE)
        if row.configuration.engine in REGISTRY
        and row.when(features)
        and (features.horn or features.automaton or row.configuration.preparation.control
             or REGISTRY[row.configuration.engine].takes != "cfa")
    ]


def left_out(features: Features) -> list[str]:
    """The names of the table's configurations that do not take part, for ``--explain-choice``."""
    everybody = [*(row.configuration for row in (*TABLE, *HORN)), *CIRCUITS]
    taken = {configuration.name for configuration in choose(features)}
    return list(dict.fromkeys(one.name for one in everybody if one.name not in taken))


def key_value(text: str, how: str) -> tuple[str, str]:
    """``KEY=VALUE`` in two; ``how`` says in an error how it should have been written."""
    key, equals, value = text.partition("=")
    if not equals:
        raise UsageError(how)
    return key.strip(), value.strip()


def asked_for(
    engine_name: str | None, engines: str | None, options: Mapping[str, str], preparation: Preparation
) -> tuple[Configuration, ...] | None:
    """The configurations that the user named; None for the table's choice.

    Refuses what does not exist before any work is done."""
    if engines is not None:
        if engine_name is not None:
            raise UsageError("--engine and --engines exclude each other")
        if options:
            raise UsageError("options belong to one engine; after --engines write NAME:KEY=VALUE")
        return tuple(one.prepared(preparation) for one in parse_engines(engines))
    if engine_name is None or engine_name == "portfolio":
        if options:
            raise UsageError("options belong to one engine: name it (--engine NAME, engine=…)")
        return None
    return tuple(
        one.prepared(preparation) for one in _team(engine_name, engine_name, options)
    )


def _team(name: str, engine_name: str, options: Mapping[str, str]) -> list[Configuration]:
    """The configuration that was asked for; with ``workers=N``, N of them that differ in their seed."""
    parsed = parse_options(engine(engine_name), options)  # refuses what does not exist
    workers = getattr(parsed, "workers", 1)
    if workers == 1:
        return [Configuration(name, engine_name, dict(options), why="asked for")]
    return [
        Configuration(
            name if not number else f"{name}#{number + 1}", engine_name,
            {**options, "workers": "1", "seed": str(parsed.seed + number)}, why="asked for", team=name,
        )
        for number in range(workers)
    ]


def parse_engines(text: str) -> list[Configuration]:
    """``kind,pdr-ia,kind:abstraction=structural:invariants=no``: engines, each with its options.

    A configuration is named as it was written, which keeps two of the same engine apart.
    """
    found: dict[str, Configuration] = {}
    for part in text.split(","):
        name, *options = (piece.strip() for piece in part.split(":"))
        how = f"--engines {part.strip()}: write NAME:KEY=VALUE"
        texts = dict(key_value(option, how) for option in options)
        if name == "portfolio" or not name:
            raise UsageError(f"--engines needs names of engines; choose from: {', '.join(REGISTRY)}")
        for one in _team(":".join([name, *options]), name, texts):
            found[one.name] = one
    return list(found.values())
