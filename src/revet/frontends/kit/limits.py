"""How much memory a process that helps to read a program (a compiler, say) may have: ``--memory``."""

from __future__ import annotations

_limit: int | None = None


class memory_for_reading:
    """While this lasts, such processes have ``limit`` bytes at most; None: as many as they like."""

    def __init__(self, limit: int | None) -> None:
        self._limit = limit

    def __enter__(self) -> None:
        global _limit
        self._limit, _limit = _limit, self._limit

    def __exit__(self, *_: object) -> None:
        global _limit
        _limit = self._limit


def memory_limit() -> int | None:
    """The limit in force."""
    return _limit
