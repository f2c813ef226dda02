"""Shapes of memory (``shapes``): guess what pointers and blocks have in common, keep what is inductive.

Papers: Flanagan, Leino, *Houdini, an annotation assistant for ESC/Java* (FME 2001), for the filter. That
lists which are built block by block are arrays in disguise is due to the model of C's memory, in which blocks
are handed out in order; a program cannot see where a block lies, so the proofs are about any layout.

=========================================  =================================================
idea                                       where
=========================================  =================================================
sample states from random runs             :func:`_samples`
candidates about numbers and pointers      :mod:`revet.invariants.numbers`
about blocks in the order of addresses     :mod:`revet.invariants.blocks`
about blocks that have not been freed      :mod:`revet.invariants.living`
the largest inductive subset, for all      :class:`revet.invariants.houdini.ParametricHoudini`
blocks at once
=========================================  =================================================

Invariant kept: a formula with a parameter is assumed only for the parameter itself and for places that an
edge reads or writes, and proved for any value; so its quantified form is inductive.

Limits: arrays from integers to integers; how many blocks live is known only while they are freed in the
order of their addresses. It finds no violations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from revet.engines.common.context import Context
from revet.engines.common.options import check_options
from revet.events import Note
from revet.invariants.blocks import about_blocks
from revet.invariants.candidates import Candidates
from revet.invariants.houdini import ParametricHoudini
from revet.invariants.living import about_living
from revet.invariants.memory import Memory
from revet.invariants.numbers import about_numbers
from revet.invariants.samples import State
from revet.logic.core import conjunction
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import Term
from revet.logic.values import Value, default_value
from revet.logic.walk import conjuncts
from revet.model.cfa import Cfa, Location
from revet.model.relation import Relation
from revet.result import LocationInvariants, Safe, Unknown, Verdict
from revet.smt.z3 import Z3

_VISITS = (1, 2, 3, 4, 5, 8, 13, 21, 34, 55, 89)  # of a location in one run that are kept
_TRIES = 6  # at inputs that lead on
_FRUITLESS = 8  # runs in a row that show nothing new, then no more
_LIKED = 0.6
_LONG_RUNS = 6
_ENOUGH = 8  # states of a location
_FARTHER = 10  # times as long as the others
_DRAWN = (0, 1, -1, 2, 3, 5, 8, 100)
_MOSTLY_NULL = (0, 0, *_DRAWN)


@dataclass(frozen=True)
class Options:
    """What is guessed."""

    runs: int = 60
    """random runs that candidates are learnt from"""
    depth: int = 40
    """steps of such a run"""
    states: int = 40
    """of a location, at most"""
    limit: int = 600
    """candidates at most, for each location and round"""

    def __post_init__(self) -> None:
        check_options(self)


def check(cfa: Cfa, options: Options, context: Context) -> Verdict:
    """Sample, guess, filter, and see whether the rest excludes the errors."""
    backend = Z3()
    with context.stats.solving(backend):
        return _prove(cfa, options, context, backend)


def _prove(cfa: Cfa, options: Options, context: Context, backend: Z3) -> Verdict:
    memory = Memory(Candidates(cfa))
    if not memory.arrays:
        return Unknown("no arrays of integers: shapes are about memory")
    with context.stats.phase("samples"):
        memory.states = _samples(memory, options, context)
    houdini = ParametricHoudini(cfa, backend, context.budget, memory.places)
    filters = _Filters(houdini, options, context)
    # What was refuted for want of something about blocks may hold with it: all of it again, together.

    def numbers(x: Location) -> list[Term]:
        return about_numbers(memory, x)

    if filters.suffice("numbers", numbers):
        return filters.proof()
    kept = {location: list(formulas) for location, formulas in houdini.kept.items()}
    if filters.suffice("blocks", lambda x: about_blocks(memory, x)):
        return filters.proof()
    if filters.suffice("all", lambda x: [*numbers(x), *about_blocks(memory, x)]):
        return filters.proof()
    houdini.kept = kept  # formulas of both kinds are more than the checker's solver copes with
    if filters.suffice("living", lambda x: _joined(about_living(memory, x), numbers(x))):
        return filters.proof()
    if filters.suffice("living but one", lambda x: _joined(about_living(memory, x, True), numbers(x))):
        return filters.proof()
    total = sum(map(len, houdini.kept.values()))
    return Unknown(f"{total} invariants found; they do not exclude the errors")


def _joined(blocks: list[Term], numbers: list[Term]) -> list[Term]:
    """Both, if there is anything about blocks."""
    return [*blocks, *numbers] if blocks else []


@dataclass
class _Filters:
    """One filter after the other, and the proof when they have left enough."""

    houdini: ParametricHoudini
    options: Options
    context: Context

    def suffice(self, name: str, candidates: Callable[[Location], list[Term]]) -> bool:
        """Filter some more candidates; does what is kept exclude the errors?"""
        houdini, context = self.houdini, self.context
        with context.stats.phase(name):
            guessed = (x for x in houdini.kept if x is not houdini.cfa.initial)
            chosen = {x: candidates(x)[: self.options.limit] for x in guessed}
            count = sum(map(len, chosen.values()))
            if not count:
                return False
            context.observe(Note("shapes", f"{count} candidates ({name})"))
            context.stats.counts["candidates"] += count
            houdini.filter_at(chosen)
            context.stats.counts["rounds"] = houdini.rounds
            return houdini.excludes_errors()

    def proof(self) -> Safe:
        """What the proof needs, each formula for all values of its parameters."""
        with self.context.stats.phase("core"):
            needed = self.houdini.needed()
            return Safe(LocationInvariants({
                location: conjunction(self.houdini.quantified(part) for part in conjuncts(formula))
                for location, formula in needed.items()
            }))


def _samples(memory: Memory, options: Options, context: Context) -> dict[Location, list[State]]:
    """States that runs with random inputs visit, by location: first of any inputs, because linear equations
    are learnt from what varies; then of inputs that like a value. Where short runs do not lead to
    a location (behind a loop of a hundred rounds), a few long ones may."""
    walk = _Walk(memory, options.states, Random(1))
    fruitless = 0
    for number in range(2 * options.runs):
        context.budget.poll()
        if number == options.runs:
            walk.most, walk.liking, fruitless = 2 * options.states, _LIKED, 0
        fruitless = 0 if walk.run(options.depth) else fruitless + 1
        if walk.liking and fruitless == _FRUITLESS:
            break
    for _ in range(_LONG_RUNS):
        context.budget.poll()
        if all(len(states) >= _ENOUGH for x, states in walk.found.items() if x is not walk.cfa.initial):
            break
        walk.run(_FARTHER * options.depth)
    return {location: list(states.values()) for location, states in walk.found.items()}


class _Walk:
    """Random runs. Inputs are small numbers; where none of a few leads on, a run ends."""

    def __init__(self, memory: Memory, most: int, random: Random) -> None:
        self.steps, self.cfa = memory.found.steps, memory.found.cfa
        self.most = most  # states of a location
        self.liking = 0.0  # how often an input is the value that it likes in a run
        self.random = random
        self.errors = frozenset(self.cfa.errors)
        self.found: dict[Location, dict[tuple[Value, ...], State]] = {
            x: {} for x in self.cfa.locations if x not in self.errors
        }

    def run(self, depth: int) -> bool:
        """One run of so many steps; has it been to a state of which nobody knew?"""
        location, state = self.cfa.initial, {x: default_value(x.sort) for x in self.cfa.variables}
        visits: Counter[Location] = Counter()
        liked: dict[Term, Value] = {}
        is_new = False
        for _ in range(depth):
            visits[location] += 1
            if visits[location] in _VISITS:
                is_new = self._keep(location, state) or is_new
            edges = [edge for edge in self.cfa.outgoing[location] if edge.target not in self.errors]
            self.random.shuffle(edges)
            after = ((edge, self._after(self.steps[edge], state, liked)) for edge in edges)
            edge, new = next(((e, s) for e, s in after if s is not None), (None, None))
            if edge is None or new is None:
                break
            location, state = edge.target, new
        return is_new

    def _keep(self, location: Location, state: State) -> bool:
        """Remember a state, if it is a new one and there is room."""
        known, key = self.found[location], tuple(state.values())
        if len(known) >= self.most or key in known:
            return False
        known[key] = state
        return True

    def _after(self, step: Relation, state: State, liked: dict[Term, Value]) -> State | None:
        """The state after a step with random inputs, if a few tries find one."""
        for _ in range(_TRIES if step.locals else 1):
            drawn: State = {x: self._drawn(x, liked) for x in step.locals}
            evaluate = Evaluator({**state, **drawn})
            if evaluate(step.guard) is True:
                return {x: evaluate(step.after(x)) for x in state}
        return None

    def _drawn(self, variable: Term, liked: dict[Term, Value]) -> Value:
        """In each run each input likes a value: so in some runs nothing fails and lists grow."""
        if variable.sort not in (INT, BOOL):
            return default_value(variable.sort)
        if not self.liking:
            return self._any(variable, _DRAWN)
        if variable not in liked:
            liked[variable] = self._any(variable, _MOSTLY_NULL)
        if self.random.random() < self.liking:
            return liked[variable]
        return self._any(variable, _MOSTLY_NULL)

    def _any(self, variable: Term, numbers: tuple[int, ...]) -> Value:
        return self.random.choice(numbers) if variable.sort is INT else self.random.random() < 0.5
