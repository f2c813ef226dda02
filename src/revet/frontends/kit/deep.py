"""Deep nests: readers, lowerings and evaluators of source trees are plain recursion, run where it has room.

Machine-written programs nest thousands deep: more than Python's default limit and, since a recursion that
goes through C (a constructor, a generator) uses the C stack, more than the main thread's eight megabytes.
So what follows the nesting of a source runs in a thread with a large stack. One answer for all languages,
because the code reads like any other recursion and a thread starts in a tenth of a millisecond. The
registry reads every program so; what a language does later (replay, explore, lower again) is marked with
the decorator.

Two things need no such room. Terms are walked iteratively (:mod:`revet.logic.walk`), because passes and
unrolling make them far deeper than any source. And an interpreter keeps the activations of the program that
it runs as data.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_STACKS = (1 << 30, 64 << 20)
"""Bytes of address space, of which only what is used becomes memory; the second where memory is limited."""
_FRAME = 2600  # bytes of C stack that one call may take (measured: 700 for most, 2500 for a key of sorted)


class _Here(threading.local):
    roomy = False


_here = _Here()


def at_any_depth(work: Callable[P, T]) -> Callable[P, T]:
    """``work`` where recursion may go deep; its exceptions pass through.

    It must not fork: a child would have no thread to come back to."""

    @wraps(work)
    def roomy(*args: P.args, **kwargs: P.kwargs) -> T:
        if _here.roomy:
            return work(*args, **kwargs)
        result: list[T] = []
        failure: list[BaseException] = []

        def run() -> None:
            _here.roomy = True
            try:
                result.append(work(*args, **kwargs))
            except BaseException as problem:  # handed to the caller below
                failure.append(problem)

        _run_in_thread(run)
        if failure:
            raise failure[0]
        return result[0]

    return roomy


def _run_in_thread(run: Callable[[], None]) -> None:
    limit, stack = sys.getrecursionlimit(), threading.stack_size()
    try:
        _started(run, limit).join()
    finally:
        threading.stack_size(stack)
        sys.setrecursionlimit(limit)


def _started(run: Callable[[], None], limit: int) -> threading.Thread:
    for size in _STACKS:
        threading.stack_size(size)
        sys.setrecursionlimit(max(limit, size // _FRAME))
        thread = threading.Thread(target=run, name="deep nests", daemon=True)  # an interrupt waits for nobody
        try:
            thread.start()
        except RuntimeError:  # no room for such a stack
            continue
        return thread
    raise MemoryError("no room for a deep stack")
