"""What makes a *safe* believable: formulas that a checker can test without the engine."""

from __future__ import annotations

from revet.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from revet.logic.terms import Term
    from revet.model.cfa import Location
    from revet.model.procedures import Contract


class KInductive(Record, eq=False):
    """For a transition system: ``formula`` implies the properties and is k-inductive.

    That is: it holds in the first k states of every run, and k consecutive states in which it
    holds are never followed by one in which it does not. With ``simple_path``, the k + 1 states
    may be taken to be pairwise different, and none but the first to be initial (a shortest
    counterexample has no other shape).
    """

    formula: Term
    k: int = 1
    simple_path: bool = False


class LocationInvariants(Record, eq=False):
    """For an automaton: a formula for (at least) enough locations to cut every cycle.

    The initial location's formula defaults to true, an error location's to false. Other
    locations without a formula are crossed by the checker, path by path. ``k`` and
    ``simple_path`` as in :class:`KInductive`; a step leads from one location that has a formula
    (given or by default) to the next, a state is such a location with the variables' values.
    """

    formulas: Mapping[Location, Term]
    k: int = 1
    simple_path: bool = False


class Exhausted(Record, eq=False):
    """Every run has ended before ``depth`` steps, and none of them violates a property.

    ``backward``: no *violating* run has ``depth`` steps or more, wherever it starts, and none
    of the shorter ones starts in an initial state.
    ``simple_path`` (not with ``backward``): only runs that repeat no state and visit no initial
    state but the first have ended before ``depth`` steps; the other runs reach nothing new.

    For an automaton, runs are followed only through the part of the graph that lies between the
    initial and an error location; elsewhere they may go on for ever. A step leads from one
    location of ``cuts`` to the next, and locations in between are crossed path by path (None: a
    step is an edge). The initial and the error locations always belong to the cuts, and every
    cycle that matters must meet one. (Large-block encoding counts its own steps; the locations it
    kept are the cuts when its answer is carried back.)
    """

    depth: int
    backward: bool = False
    simple_path: bool = False
    cuts: frozenset[Location] | None = None


class CircuitInvariant(Record, eq=False):
    """For a circuit: "every clause holds, and no bad literal is true" is k-inductive.

    That is: it holds in the first k steps of every run, and k consecutive steps in which it holds
    are never followed by one in which it does not. ``clauses`` are disjunctions of literals of
    latches, numbered as in the circuit. With ``simple_path``, the latches of the k + 1 steps may
    be taken to be pairwise different.
    """

    clauses: tuple[tuple[int, ...], ...]
    k: int = 1
    simple_path: bool = False


class ProcedureContracts(Record, eq=False):
    """For a program of procedures: each keeps its contract, so none reaches an error.

    ``contracts`` by the name of the procedure; ``invariants`` by the name of the location: for every
    procedure enough to cut the cycles of its automaton (see :mod:`revet.model.procedures`), over
    its variables and their values at entry.
    """

    contracts: Mapping[str, Contract]
    invariants: Mapping[str, Term]


class OnlyRun(Record, eq=False):
    """For a program that draws nothing: it has only one run, and that ends without a violation.

    Checked by running the program in the interpreter of its language, which must not ask for any
    value on the way. ``steps`` is how long the run was.
    """

    steps: int


class Cases(Record, eq=False):
    """For an automaton: cases of what a run draws, in each of which intervals exclude every error.

    ``tree`` is a decision tree, written from its root on, the *yes* before the *no*: ``(n, bound)``
    asks whether the n-th value that the run draws (havoc, locals of a block) has the sort of
    ``bound``, a float, and is at most ``bound``; ``None`` is a leaf. NaN is never at most anything.
    """

    tree: tuple[tuple[int, Term] | None, ...]

    @property
    def leaves(self) -> int:
        return self.tree.count(None)


Certificate = (
    KInductive | LocationInvariants | Exhausted | CircuitInvariant | ProcedureContracts | OnlyRun | Cases
)
