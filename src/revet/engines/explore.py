"""Exploration (``explore``): run the program, with random inputs, and see.

Random testing (Hamlet, *Random testing*, 1994; in verifiers as *concrete execution first*): the
interpreter of the source language runs the program, longer from round to round, and where it can
be compiled it searches at the machine's speed, guided by coverage (Böhme et al., *Coverage-based
greybox fuzzing as Markov chain*, CCS 2016). It finds violations behind loops of many thousand
turns, where unrolling cannot go, and it settles programs that read nothing: their only run is a
proof (:class:`revet.result.OnlyRun`).

What is tried, and how, belongs to the front end (the capability ``Explores``). What comes out is
evidence like any other: the driver runs it once more and listens to the interpreter, not to us.

Limits: only languages whose interpreter can run on its own (C, Boogie); it proves nothing else.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from revet.budget import Budget
from revet.engines.common.context import Context
from revet.engines.common.options import check_options
from revet.model.cfa import Cfa
from revet.model.circuit import Circuit
from revet.model.system import TransitionSystem
from revet.result import Verdict


class Explorable(Protocol):
    """The part of a front end's program that is used here."""

    @property
    def model(self) -> Cfa | TransitionSystem | Circuit: ...
    def explore(self, wanted: Collection[str], budget: Budget, native: bool) -> Verdict: ...


@dataclass(frozen=True)
class Options:
    native: bool = True
    """Search with the compiled program where there is a C compiler, not only with the interpreter."""

    def __post_init__(self) -> None:
        check_options(self)


def check(program: Explorable, options: Options, context: Context) -> Verdict:
    """Try runs until one breaks a property or time is up."""
    assert isinstance(program.model, Cfa), "programs that can be run have automata"
    return program.explore({error.name for error in program.model.errors}, context.budget, options.native)
