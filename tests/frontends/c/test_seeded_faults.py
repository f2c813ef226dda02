"""A hundred programs with a seeded fault or none: the answers agree with what was seeded."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.frontends.c.seeded_faults import judged, seeded


@pytest.mark.parametrize("first", range(0, 100, 10))
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
