"""Python's garbage collector, where looking for garbage would only take time."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def without_collector(freeze: bool = False) -> Iterator[None]:
    """Inside, nobody looks for garbage: for what makes many objects that stay, or frees what it drops itself.
    With ``freeze``, nobody looks through these objects afterwards, either."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if freeze:
                gc.freeze()
            gc.enable()
