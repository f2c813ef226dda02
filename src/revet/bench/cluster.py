"""Runs on the workers of a dask.distributed cluster.

Every run is a future whose name is the run's key. The scheduler gives the runs of a worker that dies
to the others; the kernel kills what the dead worker had started (see :mod:`revet.cli.child`). A
result is counted where it arrives, once for each key, whatever the cluster did to get it.

Programs are not sent: workers read the same paths, so the cluster needs a common file system, and
the same version of Revet.
"""

from __future__ import annotations

import logging
import queue
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from revet.bench.runs import OtherVersion, Result, Run, run_one, version
from revet.errors import RevetError, UsageError

_CONNECT = 5.0
"""Seconds in which somebody must answer at an address."""
_HANDSHAKE = 20.0
"""Seconds in which a scheduler must greet us: a loaded machine takes its time, and somebody is there."""
_NOBODY = 30.0
"""Seconds without any worker after which a bench gives up."""


class ClusterLost(RevetError):
    """The cluster went away; the journal has what was done."""


def run_on_cluster(address: str, runs: Sequence[Run]) -> Iterator[Result]:
    """Results as they come; ``address`` is a scheduler's, or ``local:N`` for N workers here."""
    if not runs:
        return
    client, cluster = _connect(address)
    try:
        _await_workers(client, address, _CONNECT * 2)
        _require_version(client, address)
        yield from _collect(client, address, runs)
    finally:
        for what in (client, cluster):
            if what is not None:
                with suppress(Exception):
                    what.close()


def _connect(address: str) -> tuple[Any, Any]:
    try:
        import distributed
    except ImportError:
        raise UsageError("--cluster needs dask.distributed: pip install 'revet[cluster]'") from None
    logging.disable(logging.CRITICAL)  # its stories are not for our users; Revet itself logs nothing
    if address.startswith("local:"):
        count = address.removeprefix("local:")
        if not count.isdigit() or int(count) < 1:
            raise UsageError(f"--cluster {address}: write local:N with a number of workers")
        cluster = distributed.LocalCluster(
            n_workers=int(count), threads_per_worker=1, processes=True, dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
        return distributed.Client(cluster, timeout=_HANDSHAKE), cluster
    try:
        host_and_port = distributed.comm.get_address_host_port(address)
        socket.create_connection(host_and_port, timeout=_CONNECT).close()
        return distributed.Client(address, timeout=_HANDSHAKE), None
    except Exception as error:  # whatever answers at the address may send anything
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UsageError(f"--cluster {address}: no scheduler answers there ({reason})") from None


def _await_workers(client: Any, address: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not client.nthreads():
        if time.monotonic() > end:
            raise UsageError(f"--cluster {address}: the scheduler has no workers")
        time.sleep(0.1)


def _require_version(client: Any, address: str) -> None:
    """Workers that join later are asked with their first run."""
    try:
        versions: dict[str, str] = client.run(version)
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UsageError(f"--cluster {address}: the workers cannot load Revet ({reason})") from None
    for worker, found in versions.items():
        if found != version():
            raise UsageError(f"--cluster {address}: {worker} has Revet {found}, and this is {version()}")


def _collect(client: Any, address: str, runs: Sequence[Run]) -> Iterator[Result]:
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    pending: dict[str, tuple[Run, Any]] = {}
    for number, run in enumerate(runs):
        # Without "pure" names of its own choice, dask would run equal calls once; ours differ by key.
        future = client.submit(run_one, run, key=f"revet-{run.key}", priority=-number, retries=0)
        pending[run.key] = (run, future)
        future.add_done_callback(lambda _, key=run.key: done.put(key))
    seen = time.monotonic()
    while pending:
        try:
            key = done.get(timeout=1.0)
        except queue.Empty:
            seen = _require_workers(client, address, seen, len(pending))
            continue
        if key in pending:
            run, future = pending.pop(key)
            yield _result(run, future, address, len(pending) + 1)


def _require_workers(client: Any, address: str, seen: float, left: int) -> float:
    """When there was last a worker; raises when that is too long ago."""
    now = time.monotonic()
    with suppress(Exception):
        if client.status == "running" and client.nthreads():
            return now
    if now - seen > _NOBODY or client.status == "closed":
        raise ClusterLost(f"the cluster at {address} is gone with {left} runs undone")
    return seen


def _result(run: Run, future: Any, address: str, left: int) -> Result:
    from distributed import KilledWorker

    if future.status == "finished":
        result: Result = future.result()
        return result
    if future.status in ("cancelled", "lost"):
        raise ClusterLost(f"the cluster at {address} is gone with {left} runs undone")
    error = future.exception()
    if not isinstance(error, KilledWorker):  # the cluster's fault, not the task's: no result
        what = "" if isinstance(error, OtherVersion) else f"{type(error).__name__}: "
        raise ClusterLost(f"a worker at {address} failed with {left} runs undone: {what}{error}")
    return Result(
        run.key, run.task, run.set, run.expected, run.configuration, "error", 0.0, 0.0, 0,
        "its workers died again and again", run.version,
    )
