"""Deep programs: a thread with room for tens of thousands of nested expressions.

Reading and lowering a syntax tree follow its nesting by recursion (long lists and else-if chains
do not nest here). Machine-written programs nest a few thousand deep, more than Python's default
limit and more than the main thread's stack can be trusted with.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_STACK = 512 << 20  # address space; only what is used becomes memory
_LIMIT = 400_000


def with_deep_stack(work: Callable[[], T]) -> T:
    """Run ``work`` where recursion may go deep; its exceptions pass through."""
    result: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as problem:  # handed to the caller below
            failure.append(problem)

    limit = sys.getrecursionlimit()
    collecting = gc.isenabled()
    previous = threading.stack_size(_STACK)
    try:
        sys.setrecursionlimit(max(limit, _LIMIT))
        gc.disable()  # trees and terms stay alive: looking for garbage among them is wasted time
        thread = threading.Thread(target=run, name="deep-recursion")
        thread.start()
        thread.join()
    finally:
        if collecting:
            gc.freeze()  # nor is it worth looking through them later
            gc.enable()
        threading.stack_size(previous)
        sys.setrecursionlimit(limit)
    if failure:
        raise failure[0]
    return result[0]
