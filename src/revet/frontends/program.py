"""What a front end returns: the model and everything needed to talk about it in source terms."""

from __future__ import annotations

from revet.records import Record, field, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from revet.budget import Budget
    from revet.frontends.source_run import SourceInvariant, SourceRun, StreamTable
    from revet.model.cfa import Cfa, Location
    from revet.model.circuit import Circuit
    from revet.model.procedures import Procedures
    from revet.model.system import TransitionSystem
    from revet.result.certificate import Certificate
    from revet.result.trace import CfaTrace, InputTrace, Trace
    from revet.result.verdict import Verdict


class ReplayFailed(Exception):
    """The interpreter of the source language did not confirm a trace: a bug in Revet."""


def run_of_source(trace: Trace, open_ends: Collection[Location]) -> CfaTrace | InputTrace:
    """The trace, if it is one that an interpreter can follow to a violation."""
    from revet.result.trace import CfaTrace, InputTrace

    if isinstance(trace, InputTrace):
        return trace
    if not isinstance(trace, CfaTrace):
        raise ReplayFailed("not a run of an automaton")
    if trace.locations[-1] in open_ends:
        raise ReplayFailed(f"the model ends at {trace.violated}, the program goes on")
    return trace


class Program(Record, eq=False):
    """A program as the driver sees it.

    ``replay`` runs a trace of the model in the *source language's* interpreter (no solver) and
    returns notes about how it was confirmed; it raises :class:`ReplayFailed` otherwise.
    ``replay_within`` does the same within a budget, where replaying can take long.
    ``warm`` loads what an answer will need; it is called while the engines run.
    ``assumptions`` are listed with every answer ("nondet_int() has no body: any value").
    ``render_trace`` prints a trace in source terms; None uses the generic table.
    ``render_certificate`` likewise for invariants.
    ``precise`` is False where the model over-approximates the program (``--approximate``):
    then *unsafe* becomes *unknown* unless the replay confirms it.
    ``open_ends`` are locations at which the *model* ends though the program goes on (calls below
    a recursion limit): they are no errors, but *safe* holds only if none of them is reachable.
    ``procedures`` makes the program's other model, for proofs about recursion, if it has one: with
    its procedures as they are, complete, and with (at least) the errors of ``model``.
    ``explore`` tries runs of the source program until one breaks one of the properties
    named or the budget ends; the last argument allows it to compile and run the program;
    ``only_run`` confirms that the program draws nothing and that its run is harmless.
    ``source_run`` and ``source_invariants`` are evidence as data for reports, in source terms.
    """

    model: Cfa | TransitionSystem | Circuit
    language: str
    paths: tuple[Path | str, ...]
    replay: Callable[[Trace], list[str]]
    assumptions: tuple[str, ...] = ()
    render_trace: Callable[[Trace], str] | None = None
    render_certificate: Callable[[Certificate], str] | None = None
    precise: bool = True
    extras: dict[str, object] = field(default_factory=dict)
    open_ends: tuple[Location, ...] = ()
    procedures: Callable[[], Procedures] | None = None
    replay_within: Callable[[Trace, Budget], list[str]] | None = None
    warm: Callable[[], object] | None = None
    source_run: Callable[[Trace], SourceRun | StreamTable] | None = None
    source_invariants: Callable[[Certificate], list[SourceInvariant]] | None = None
    explore: Callable[[Collection[str], Budget, bool], Verdict] | None = None
    only_run: Callable[[Budget], str] | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        from pathlib import Path  # most answers do without, and it takes a while to load

        return tuple(map(Path, self.paths))

    def confirm(self, trace: Trace, budget: Budget) -> list[str]:
        """Replay the trace in the source language; raises ReplayFailed or OutOfBudget."""
        if self.replay_within is not None:
            return self.replay_within(trace, budget)
        return self.replay(trace)

    def closed(self) -> Program:
        """The same program with its open ends among the errors: if that is safe, this is."""
        import dataclasses

        from revet.model.cfa import Cfa

        assert isinstance(self.model, Cfa)
        model = dataclasses.replace(self.model, errors=(*self.model.errors, *self.open_ends))
        return replace(self, model=model, open_ends=())
