"""The options of ``pdr-ia``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from revet.engines.common.options import check_options

Refinement = Literal["this-path", "all-paths"]
Interpolation = Literal["auto", "wp", "horn", "sp"]
Seeds = Literal["property", "program", "diverging"]
Levels = Literal["back-edges", "edges"]
Lifting = Literal["components", "none"]


@dataclass(frozen=True)
class Options:
    """Every field is an option of the command line.

    ``refinement``     which runs a refinement must exclude: the abstract counterexample at hand
                       (Tegzes: "refute specific path") or all runs of its length.
    ``interpolation``  where new predicates come from: ``wp`` weakest preconditions over the unsat
                       core with quantifier elimination, ``horn`` one Horn query to Spacer, ``sp``
                       strongest postconditions; ``auto`` tries them in an order of its own.
                       A method that fails or diverges is followed by the others.
    ``seeds``          predicates given besides those of interpolants: those of the initial states
                       and the property only (``property``), also the conditions and constants of
                       the program (``program``), or these once interpolation has begun to
                       enumerate values (``diverging``).
    ``lifting``        generalise predecessors: ``components`` drops the literals that share no
                       variable, even through other predicates, with what the step depends on.
    ``dropping``       drop literals of a blocked cube one by one after the unsat core.
    ``attempts``       give up dropping after so many failures in a row (0: never).
    ``ctg``            block up to so many counterexamples to generalisation per literal (0: none).
    ``push``           try to block an obligation again one level higher at once.
    ``relative``       ask whether a cube can be reached from *outside* itself (the strengthened query).
    ``cores``          keep only the literals (and note the frames) that the solver needed.
    ``propagation``    move lemmas to the next frame when a frame is done.
    ``subsumption``    drop lemmas that a stronger one implies, and use such a one without a query.
    ``levels``         what a level counts in an automaton: ``back-edges``, those that close a cycle, or all
                       ``edges``. In other systems every step counts.
    ``split``          use inequalities as predicates instead of equations between numbers.
    ``seed``           another number, another order: of the solver's choices, of literals to be dropped.
    ``workers``        so many processes, with different seeds, that tell each other their lemmas.
    """

    refinement: Refinement = "this-path"
    interpolation: Interpolation = "auto"
    seeds: Seeds = "program"
    lifting: Lifting = "components"
    dropping: bool = True
    attempts: int = field(default=0, metadata={"least": 0})
    ctg: int = field(default=0, metadata={"least": 0})
    push: bool = True
    relative: bool = True
    cores: bool = True
    propagation: bool = True
    subsumption: bool = True
    levels: Levels = "back-edges"
    split: bool = True
    seed: int = field(default=0, metadata={"least": 0})
    workers: int = field(default=1, metadata={"least": 1})

    def __post_init__(self) -> None:
        check_options(self)
