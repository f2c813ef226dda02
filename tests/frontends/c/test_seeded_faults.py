"""Programs with a seeded fault or none: the answers agree with what was seeded. A hundred, or a thousand."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.frontends.c.seeded_faults import judged, seeded

LONG = [pytest.param(first, marks=pytest.mark.long) for first in range(100, 1000, 10)]


@pytest.mark.parametrize("first", [*range(0, 100, 10), *LONG])
def test_answers_agree_with_what_was_seeded(tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 10):
        program = seeded(seed)
        problem = judged(tmp_path, program, 32 if seed % 2 else 64)
        assert not problem, f"seed {seed}: {problem}\n{program.text}"


def test_every_kind_is_seeded() -> None:
    labels = {seeded(seed).label for seed in range(100)}
    assert labels == {
        "", "bounds", "pointer", "free", "leak", "division", "shift", "overflow", "conversion", "library",
        "uninitialised",
    }
