"""Shapes of memory (``shapes``): guess what pointers and blocks have in common, keep what is inductive.

Papers: Flanagan, Leino, *Houdini, an annotation assistant for ESC/Java* (FME 2001), for the filter. That
lists which are built block by block are arrays in disguise is due to the model of C's memory, in which blocks
are handed out in order; a program cannot see where a block lies, so the proofs are about any layout.

=========================================  =================================================
idea                                       where
=========================================  =================================================
sample states from random runs             :func:`_samples`
candidates about pointers and blocks       :mod:`revet.invariants.memory`
the largest inductive subset, for all      :class:`revet.invariants.houdini.ParametricHoudini`
blocks at once
=========================================  =================================================

Invariant kept: a formula with a parameter is assumed only for the parameter itself and for places that an
edge reads or writes, and proved for any value; so its quantified form is inductive.

Limits: arrays from integers to integers; blocks that are freed in another order than that of their addresses
are out of reach, unless nothing is read from them afterwards. It finds no violations.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

from revet.engines.common.context import Context
from revet.engines.common.options import check_options
from revet.events import Note
from revet.invariants.candidates import Candidates
from revet.invariants.houdini import ParametricHoudini
from revet.invariants.memory import Memory
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

_VISITS = 5  # of a location in one run that are kept
_TRIES = 6  # at inputs that lead on
_DRAWN = (0, 1, -1, 2, 3, 5, 8, 100)


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
    # What was refuted for want of something about blocks may hold with it: all of it again, together.
    rounds = (("scalars", memory.scalars), ("blocks", memory.about_blocks), ("all", memory.all))
    for name, candidates in rounds:
        with context.stats.phase(name):
            chosen = {x: candidates(x)[: options.limit] for x in houdini.kept if x is not cfa.initial}
            count = sum(map(len, chosen.values()))
            context.observe(Note("shapes", f"{count} candidates ({name})"))
            context.stats.counts["candidates"] += count
            houdini.filter_at(chosen)
            context.stats.counts["rounds"] = houdini.rounds
            if houdini.excludes_errors():
                with context.stats.phase("core"):
                    return Safe(LocationInvariants(_formulas(houdini)))
    total = sum(map(len, houdini.kept.values()))
    return Unknown(f"{total} invariants found; they do not exclude the errors")


def _formulas(houdini: ParametricHoudini) -> dict[Location, Term]:
    """What the proof needs, each formula for all values of its parameter."""
    return {
        location: conjunction(houdini.quantified(part) for part in conjuncts(formula))
        for location, formula in houdini.needed().items()
    }


def _samples(memory: Memory, options: Options, context: Context) -> dict[Location, list[State]]:
    """States that runs with random inputs visit, by location. Inputs are small numbers; where none of a few
    leads on, a run ends."""
    random, steps, cfa = Random(1), memory.found.steps, memory.found.cfa
    found: dict[Location, dict[tuple[Value, ...], State]] = {location: {} for location in cfa.locations}
    errors = frozenset(cfa.errors)
    for _ in range(options.runs):
        context.budget.poll()
        location, state = cfa.initial, {x: default_value(x.sort) for x in cfa.variables}
        visits: Counter[Location] = Counter()
        for _ in range(options.depth):
            visits[location] += 1
            if visits[location] <= _VISITS and len(found[location]) < options.states:
                found[location].setdefault(tuple(state.values()), state)
            edges = [edge for edge in cfa.outgoing[location] if edge.target not in errors]
            random.shuffle(edges)
            after = ((edge, _after(steps[edge], state, random)) for edge in edges)
            edge, new = next(((e, s) for e, s in after if s is not None), (None, None))
            if edge is None or new is None:
                break
            location, state = edge.target, new
    return {location: list(states.values()) for location, states in found.items()}


def _after(step: Relation, state: State, random: Random) -> State | None:
    """The state after a step with random inputs, if a few tries find one."""
    for _ in range(_TRIES if step.locals else 1):
        drawn: State = {
            x: random.choice(_DRAWN) if x.sort is INT else random.random() < 0.5 if x.sort is BOOL
            else default_value(x.sort)
            for x in step.locals
        }
        evaluate = Evaluator({**state, **drawn})
        if evaluate(step.guard) is True:
            return {x: evaluate(step.after(x)) for x in state}
    return None
