"""What a run of the portfolio may use."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

HEAD_START = 0.2
"""Seconds that a circuit's first configuration has to itself: most need less, and starting a second
worker would cost as much as all of them."""


@dataclass(frozen=True)
class Limits:
    """For the whole family of processes; ``memory`` in bytes."""

    seconds: float | None = None
    memory: int | None = None
    jobs: int = field(default_factory=lambda: len(os.sched_getaffinity(0)))
    verbose: bool = False  # every event comes through, for --log
    exchange: bool = True  # workers on the same model tell each other what they find
