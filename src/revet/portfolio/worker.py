"""A worker process that runs one configuration and reports through a pipe.

The worker is forked, so it has the program without copying it; it never outlives its parent
(``PR_SET_PDEATHSIG`` on Linux), ignores Ctrl-C (the parent decides) and keeps its own memory
limit. Messages to the parent: ``("event", event)``, ``("verdict", bytes, statistics)``,
``("failed", text)``. The parent sends facts that other workers proved.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import resource
import signal
import sys
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

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
from revet.portfolio.configuration import Configuration
from revet.result.serialize import dump_verdict
from revet.smt.meter import METER

_OFTENEST, _RAREST = 0.01, 0.5  # seconds between two reports of progress

# Events that go through the pipe even when nobody reads a log.
_ALWAYS = (BoundReached, FrameOpened, InvariantFound, Note, Explained)


class Worker:
    """The parent's handle on a worker process."""

    def __init__(
        self,
        program: Program,
        configuration: Configuration,
        seconds: float | None,
        memory: int | None,
        verbose: bool = False,
    ) -> None:
        self.configuration = configuration
        fork = multiprocessing.get_context("fork")
        self.connection, theirs = fork.Pipe()
        self._process = fork.Process(
            target=_main,
            args=(program, configuration, seconds, memory, verbose, theirs, os.getpid()),
            daemon=True,
        )
        self._process.start()
        theirs.close()
        self.stopped = False
        self.statistics = Statistics()
        self.last_event: Event | None = None

    @property
    def name(self) -> str:
        return self.configuration.name

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def _signal(self, number: int) -> None:
        if self._process.pid is not None and self._process.is_alive():
            os.kill(self._process.pid, number)

    def suspend(self) -> None:
        if not self.stopped:
            self._signal(signal.SIGSTOP)
            self.stopped = True

    def resume(self) -> None:
        if self.stopped:
            self._signal(signal.SIGCONT)
            self.stopped = False

    def kill(self) -> None:
        """End the process at once and reap it."""
        self._signal(signal.SIGKILL)
        self._process.join()
        self.connection.close()

    @property
    def exit_code(self) -> int | None:
        return self._process.exitcode


def _main(
    program: Program,
    configuration: Configuration,
    seconds: float | None,
    memory: int | None,
    verbose: bool,
    connection: Connection,
    parent: int,
) -> None:
    _die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sys.stdout = sys.stderr  # nothing but the result belongs on standard output
    sender = _Sender(connection, configuration.name, verbose)
    context = Context(
        budget=Budget(seconds),
        observe=sender,
        news=lambda: _facts(connection),
    )
    try:
        options = parse_options(engine(configuration.engine), configuration.options)
        verdict = run_engine(program, configuration.engine, options, context, configuration.preparation)
        context.stats.counts["peak memory, MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        sender.progress()
        _send(connection, ("verdict", dump_verdict(verdict, program.model), context.stats))
    except RevetError as error:
        _send(connection, ("failed", str(error)))
    except Exception:
        _send(connection, ("failed", "internal error:\n" + traceback.format_exc()))
    connection.close()
    os._exit(0)  # skip interpreter shutdown: z3 takes its time to free a large context


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the call
            os._exit(1)


def _send(connection: Connection, message: tuple[Any, ...]) -> None:
    try:
        connection.send(message)
    except (BrokenPipeError, OSError):
        os._exit(1)  # nobody listens any more


class _Sender:
    """The worker's observer. Unless someone reads a log, only what steers the portfolio goes
    through the pipe: lemmas by the thousand would cost more than finding them. For whoever
    watches they are counted, and the counts sent at growing intervals."""

    def __init__(self, connection: Connection, name: str, verbose: bool) -> None:
        self._connection = connection
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
            _send(self._connection, ("event", event))
        now = time.monotonic()
        if now >= self._due:
            self._due = now + min(_RAREST, max(_OFTENEST, 0.03 * (now - self._start)))
            self.progress()

    def progress(self) -> None:
        queries = METER.queries - self._asked_before
        event = Progress(self._name, self._level, self._lemmas, self._predicates, queries)
        _send(self._connection, ("event", event))


def _facts(connection: Connection) -> list[Fact]:
    found: list[Fact] = []
    while connection.poll():
        found.append(connection.recv())
    return found
