"""A worker process that runs one configuration and reports to its parent.

Messages to the parent: ``("event", event)``, ``("statistics", Snapshot)`` twice a second,
``("candidates", bytes)``, ``("predicates", bytes)``, ``("verdict", data, Snapshot)`` and
``("failed", text, Snapshot)``. The parent sends what other workers found: candidates, predicates and
``("bound", depth)``; see :mod:`revet.portfolio.exchange`.
"""

from __future__ import annotations

import _thread
import resource
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from revet.budget import Budget
from revet.driver.answer import Participant
from revet.driver.options import parse_options
from revet.driver.run import run_engine
from revet.engines.common.context import Context, Fact, Statistics
from revet.engines.registry import engine
from revet.errors import RevetError
from revet.events import (
    CandidateFound,
    InvariantFound,
    LemmaLearnt,
    PredicateFound,
)
from revet.portfolio.channel import Gone
from revet.portfolio.process import Child, is_memory_error
from revet.portfolio.sender import Sender
from revet.result.serialize import verdict_to_data
from revet.smt.meter import METER

if TYPE_CHECKING:
    from revet.events import (
        Event,
    )
    from revet.frontends.program import Program
    from revet.logic.terms import Term
    from revet.portfolio.channel import Channel
    from revet.portfolio.configuration import Configuration
    from revet.result.verdict import Verdict

_EVERY = 0.5  # seconds between snapshots
_MOST_FACTS, _LARGEST_FACT = 300, 60  # formulas that a worker offers, and their size


@dataclass(frozen=True)
class Snapshot:
    """What a worker has done so far; ``memory`` is the most it has used, in bytes."""

    statistics: Statistics = field(default_factory=Statistics)
    cpu_seconds: float = 0.0
    memory: int = 0


class Worker(Child):
    """The parent's handle on a worker."""

    def __init__(
        self,
        program: Program,
        configuration: Configuration,
        seconds: float | None,
        memory: int | None,
        verbose: bool = False,
        *,
        here: bool = False,
    ) -> None:
        """``here``: the child begins where this is called, and not at the beginning."""
        self.configuration = configuration
        self.snapshot = Snapshot()
        self.turns = 0
        start = None if here else lambda channel: _main(program, configuration, seconds, verbose, channel)
        super().__init__(start, memory)

    @property
    def name(self) -> str:
        return self.configuration.name

    def participant(self, outcome: str) -> Participant:
        """What it did, for the answer; call it when the process has ended."""
        return Participant(
            self.name,
            self.configuration.engine,
            outcome,
            self.snapshot.statistics,
            self.cpu_seconds or self.snapshot.cpu_seconds,
            max(self.peak_memory, self.snapshot.memory),
        )


def _main(
    program: Program, configuration: Configuration, seconds: float | None, verbose: bool, channel: Channel
) -> None:
    sender = Sender(channel.send, configuration.name, verbose, Outbox(channel))
    inbox = _Inbox(channel)
    context = Context(Budget(seconds), sender, Statistics(), inbox.news, inbox.predicates, inbox.bound)
    try:
        report_regularly(channel, context.stats)
        options = parse_options(engine(configuration.engine), configuration.options)
        outcome: Verdict | Exception = run_engine(
            program, configuration.engine, options, context, configuration.preparation
        )
        sender.progress()
    except Gone:
        raise
    except Exception as error:
        outcome = error
    tell(channel, program, context.stats, outcome)


def tell(channel: Channel, program: Program, stats: Statistics, outcome: Verdict | Exception) -> None:
    """A worker's last message: its verdict, or why there is none."""
    if not isinstance(outcome, Exception):
        data = verdict_to_data(outcome, program.model)
        channel.send(("verdict", data, snapshot(stats, finished=True)))
        return
    text = str(outcome)
    if is_memory_error(outcome):
        text = "out of memory"
    elif not isinstance(outcome, RevetError):
        import traceback

        text = "internal error:\n" + "".join(traceback.format_exception(outcome))
    channel.send(("failed", text, snapshot(stats)))


def report_regularly(channel: Channel, statistics: Statistics) -> None:
    # Not threading.Thread: its start waits for ever for a thread that got no memory.
    _thread.start_new_thread(_report, (channel, statistics))


def _report(channel: Channel, statistics: Statistics) -> None:
    """A thread: solvers release Python's lock while they search, so this runs beside them."""
    while True:
        time.sleep(_EVERY)
        try:
            channel.send(("statistics", snapshot(statistics)))
        except RuntimeError:
            continue  # a counter was added while we looked
        except Gone:
            return


def snapshot(statistics: Statistics, *, finished: bool = False) -> Snapshot:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    copy = Statistics(statistics.counts.copy(), statistics.seconds.copy())
    if not finished:  # engines add their solvers' counts when they end
        copy.counts["queries"] = max(copy.counts["queries"], METER.queries)
    return Snapshot(copy, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


class Outbox:
    """Formulas for other workers, in batches: few, small, and not often."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._waiting: dict[str, dict[Term, None]] = {"candidates": {}, "predicates": {}}
        self._sent = 0
        self._due = 0.0

    def notice(self, event: Event) -> None:
        kind, formula = "candidates", None
        match event:
            case InvariantFound(_, found, None) | LemmaLearnt(_, found, None, None):
                formula = found
            case CandidateFound(_, found):
                formula = found
            case PredicateFound(_, found):
                kind, formula = "predicates", found
        # A cube of a circuit's latches is of no use to engines that know terms.
        if formula is not None and not isinstance(formula, tuple) and self._sent < _MOST_FACTS:
            self._waiting[kind][formula] = None
            self._sent += 1

    def send(self, now: float) -> None:
        if now < self._due or not any(self._waiting.values()):
            return
        self._due = now + _EVERY
        from revet.logic.serialize import dumps
        from revet.logic.walk import subterms

        for kind, waiting in self._waiting.items():
            small = [formula for formula in waiting if len(subterms(formula)) <= _LARGEST_FACT]
            waiting.clear()
            if small:
                self._channel.send((kind, dumps(small)))


class _Inbox:
    """What the parent passed on from other workers."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._facts: list[Fact] = []
        self._predicates: list[Term] = []
        self._bound = -1

    def _look(self) -> None:
        messages = self._channel.receive()
        if not messages:
            return
        from revet.logic.serialize import loads

        for kind, data in messages:
            match kind:
                case "bound":
                    self._bound = max(self._bound, data)
                case "predicates":
                    self._predicates += loads(data)
                case "candidates":
                    self._facts += [Fact(formula) for formula in loads(data)]

    def news(self) -> list[Fact]:
        self._look()
        facts, self._facts = self._facts, []
        return facts

    def predicates(self) -> list[Term]:
        self._look()
        return self._predicates

    def bound(self) -> int:
        self._look()
        return self._bound
