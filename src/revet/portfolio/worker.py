"""A worker process that runs one configuration and reports to its parent.

Messages to the parent: ``("event", event)``, ``("statistics", Snapshot)`` twice a second,
``("verdict", bytes, Snapshot)`` and ``("failed", text, Snapshot)``. The parent sends facts that
other workers proved.
"""

from __future__ import annotations

import resource
import threading
import time
import traceback
from dataclasses import dataclass, field

from revet.budget import Budget
from revet.driver.options import parse_options
from revet.driver.run import run_engine
from revet.engines.context import Context, Fact, Statistics
from revet.engines.registry import engine
from revet.errors import RevetError
from revet.events import (
    BoundReached,
    Event,
    Explained,
    FrameOpened,
    InvariantFound,
    LemmaLearnt,
    Note,
    PredicateFound,
    Progress,
)
from revet.frontends.program import Program
from revet.portfolio.channel import Channel, Gone
from revet.portfolio.configuration import Configuration
from revet.portfolio.process import Child, is_memory_error
from revet.result.serialize import dump_verdict
from revet.smt.meter import METER

_EVERY = 0.5  # seconds between snapshots
_OFTENEST, _RAREST = 0.01, 0.5  # seconds between two reports of progress

# Events that go through the pipe even when nobody reads a log.
_ALWAYS = (BoundReached, FrameOpened, InvariantFound, Note, Explained)


@dataclass(frozen=True, slots=True)
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
    ) -> None:
        self.configuration = configuration
        self.snapshot = Snapshot()
        super().__init__(lambda channel: _main(program, configuration, seconds, verbose, channel), memory)

    @property
    def name(self) -> str:
        return self.configuration.name


def _main(
    program: Program, configuration: Configuration, seconds: float | None, verbose: bool, channel: Channel
) -> None:
    sender = _Sender(channel, configuration.name, verbose)
    context = Context(budget=Budget(seconds), observe=sender, news=lambda: _facts(channel))
    try:
        threading.Thread(target=_report, args=(channel, context.stats), daemon=True).start()
        options = parse_options(engine(configuration.engine), configuration.options)
        verdict = run_engine(program, configuration.engine, options, context, configuration.preparation)
        sender.progress()
        data = dump_verdict(verdict, program.model)
        channel.send(("verdict", data, _snapshot(context.stats, finished=True)))
    except RevetError as error:
        channel.send(("failed", str(error), _snapshot(context.stats)))
    except Gone:
        raise
    except Exception as error:
        text = "out of memory" if is_memory_error(error) else "internal error:\n" + traceback.format_exc()
        channel.send(("failed", text, _snapshot(context.stats)))


def _report(channel: Channel, statistics: Statistics) -> None:
    """A thread: solvers release Python's lock while they search, so this runs beside them."""
    rest = threading.Event()
    while not rest.wait(_EVERY):
        try:
            channel.send(("statistics", _snapshot(statistics)))
        except RuntimeError:
            continue  # a counter was added while we looked
        except Gone:
            return


def _snapshot(statistics: Statistics, *, finished: bool = False) -> Snapshot:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    copy = Statistics(statistics.counts.copy(), statistics.seconds.copy())
    if not finished:  # engines add their solvers' counts when they end
        copy.counts["queries"] = max(copy.counts["queries"], METER.queries)
    return Snapshot(copy, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


class _Sender:
    """The worker's observer. Unless someone reads a log, only what steers the portfolio goes
    through the pipe: lemmas by the thousand would cost more than finding them. For whoever
    watches they are counted, and the counts sent at growing intervals."""

    def __init__(self, channel: Channel, name: str, verbose: bool) -> None:
        self._channel = channel
        self._name = name
        self._verbose = verbose
        self._level: int | None = None
        self._lemmas = self._predicates = 0
        self._asked_before = METER.queries
        self._start = self._due = time.monotonic()

    def __call__(self, event: Event) -> None:
        match event:
            case LemmaLearnt():
                self._lemmas += 1
            case PredicateFound():
                self._predicates += 1
            case FrameOpened():
                self._level = event.level
        if self._verbose or isinstance(event, _ALWAYS):
            self._channel.send(("event", event))
        now = time.monotonic()
        if now >= self._due:
            self._due = now + min(_RAREST, max(_OFTENEST, 0.03 * (now - self._start)))
            self.progress()

    def progress(self) -> None:
        queries = METER.queries - self._asked_before
        event = Progress(self._name, self._level, self._lemmas, self._predicates, queries)
        self._channel.send(("event", event))


def _facts(channel: Channel) -> list[Fact]:
    return channel.receive()
