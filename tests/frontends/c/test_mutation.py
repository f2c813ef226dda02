"""A few of the seeded faults of ``mutation.py``; ``scripts/mutate-lowering`` makes a hundred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from tests.frontends.c.equivalent_faults import EQUIVALENT
from tests.frontends.c.mutation import LOWER, Mutant, chosen, excused, judged, mutants

from revet.frontends.c.toolchain import works_for
from revet.frontends.c.types import LP64


def first(kind: str, module: str, where: Callable[[str], bool]) -> Mutant:
    """The first edit of a kind on a line that has this text."""
    lines = (LOWER / f"{module}.py").read_text().splitlines()
    return next(m for m in mutants() if (m.kind, m.module) == (kind, module) and where(lines[m.line - 1]))


@pytest.mark.skipif(not works_for(LP64), reason="no C compiler")
@pytest.mark.parametrize("kind, module, text", [
    ("ite() swapped", "expressions", "b.ite(condition, then, otherwise)"),
    ("lt() swapped", "arithmetic", "return b.lt(left, right)"),
    ("mod() swapped", "arithmetic", "return b.mod(term, size)"),
])  # fmt: skip
def test_the_validation_notices_a_wrong_translation(kind: str, module: str, text: str) -> None:
    mutant = first(kind, module, lambda line: text in line)
    assert judged(mutant, with_tests=False).startswith("validation "), mutant


def test_every_fault_that_is_said_to_be_equivalent_is_one_that_there_is() -> None:
    kinds = {(module, kind) for module, kind, _ in EQUIVALENT}
    rows = Counter(excused(mutant) for mutant in mutants() if (mutant.module, mutant.kind) in kinds)
    del rows[None]
    assert rows == Counter(EQUIVALENT.keys())


def test_a_seed_chooses_the_same_faults_each_time_one_kind_after_the_other() -> None:
    lines = {"statements": set(range(1, 400)), "arithmetic": set(range(1, 400))}
    found = chosen(lines, 40, 1)
    assert found == chosen(lines, 40, 1) != chosen(lines, 40, 2)
    assert len(set(found)) == 40
    assert len({mutant.kind for mutant in found[:10]}) == 10
