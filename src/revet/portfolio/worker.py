"""A worker process that runs one configuration and reports to its parent.

Messages to the parent: ``("event", event)``, ``("statistics", Snapshot)`` twice a second,
``("candidates", bytes)``, ``("predicates", bytes)``, ``("lemmas", data)``, ``("verdict", data, Snapshot)``
and ``("failed", text, Snapshot)``. The parent sends what other workers found: candidates, predicates,
lemmas and ``("bound", depth)``; see :mod:`revet.portfolio.exchange`.
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
from revet.engines.common.context import Context, Statistics
from revet.engines.registry import engine
from revet.errors import RevetError
from revet.portfolio.boxes import Inbox, Outbox
from revet.portfolio.channel import Gone
from revet.portfolio.process import Child, is_memory_error
from revet.portfolio.sender import Sender
from revet.result.serialize import verdict_to_data
from revet.smt.meter import METER

if TYPE_CHECKING:
    from revet.frontends.program import Program
    from revet.portfolio.channel import Channel
    from revet.portfolio.configuration import Configuration
    from revet.result.verdict import Verdict

_EVERY = 0.5  # seconds between snapshots


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
    sender = Sender(channel.send, configuration.name, verbose, Outbox(channel, configuration.team))
    inbox = Inbox(channel)
    context = Context(
        Budget(seconds), sender, Statistics(), inbox.news, inbox.predicates, inbox.bound, inbox.lemmas
    )
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
