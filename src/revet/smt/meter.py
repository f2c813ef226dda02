"""How many queries this process has asked, of any solver: what a live view shows.

Engines count their own solvers' queries when they end; a worker process runs one engine, so
this counter is the same figure while the engine still runs.
"""

from __future__ import annotations


class Meter:
    __slots__ = ("queries",)

    def __init__(self) -> None:
        self.queries = 0


METER = Meter()
