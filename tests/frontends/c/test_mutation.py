"""A few of the seeded faults of ``mutation.py``; ``scripts/mutate-lowering`` makes a hundred."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.frontends.c.mutation import LOWER, Mutant, judged, mutants

from revet.frontends.c.toolchain import works_for
from revet.frontends.c.types import LP64

pytestmark = pytest.mark.skipif(not works_for(LP64), reason="no C compiler")


def first(kind: str, module: str, where: Callable[[str], bool]) -> Mutant:
    """The first edit of a kind on a line that has this text."""
    lines = (LOWER / f"{module}.py").read_text().splitlines()
    return next(m for m in mutants() if (m.kind, m.module) == (kind, module) and where(lines[m.line - 1]))


@pytest.mark.parametrize("kind, module, text", [
    ("ite() swapped", "expressions", "b.ite(condition, then, otherwise)"),
    ("lt() swapped", "arithmetic", "return b.lt(left, right)"),
    ("mod() swapped", "arithmetic", "return b.mod(term, size)"),
])  # fmt: skip
def test_the_validation_notices_a_wrong_translation(kind: str, module: str, text: str) -> None:
    mutant = first(kind, module, lambda line: text in line)
    assert judged(mutant, with_tests=False).startswith("validation "), mutant
