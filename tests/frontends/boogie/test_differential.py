"""Random programs: what engines say of the automaton against all runs of the interpreter.

The two share the parser and the checker only, so a mistake in either shows as a disagreement. An
``x mod 0`` has any value in the automaton; the enumeration refuses it, so such programs are skipped.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.frontends.boogie import load
from revet.frontends.boogie.lower_types import numbered
from revet.frontends.boogie.parser import parse
from revet.frontends.boogie.types import check
from tests.frontends.boogie.enumerate_runs import TooMany, violation
from tests.frontends.boogie.random_programs import Generator


def agree(folder: Path, seed: int, engine: str, most: int = 800) -> str:
    """Compares one program; the answer, or why there is none."""
    path = folder / f"random{seed}.bpl"
    path.write_text(Generator(seed).program())
    checked = check(parse(path))
    try:
        found = violation(checked, numbered(checked.constants.values()), most)
    except (NotImplementedError, TooMany) as reason:
        return type(reason).__name__
    answer = solve(load([path], {}), engine, context=Context(budget=Budget(seconds=5)))
    if answer.status == "unknown":
        assert "counterexample" not in str(answer.verdict), f"{path}: {answer.verdict}"
        return "unknown"
    assert answer.status == ("safe" if found is None else "unsafe"), f"{path}: {answer.status}, but {found}"
    return answer.status


@pytest.mark.parametrize("block", range(3))
def test_engines_and_enumeration_agree(tmp_path: Path, block: int) -> None:
    answers = [agree(tmp_path, seed, "bmc") for seed in range(block * 6, block * 6 + 6)]
    assert {"safe", "unsafe"} & set(answers)


@pytest.mark.long
def test_engines_and_enumeration_agree_at_length(tmp_path: Path) -> None:
    answers = [
        agree(tmp_path, seed, engine, 4000) for seed in range(1000, 1060) for engine in ("bmc", "pdr-cfa")
    ]
    assert {"safe", "unsafe"} <= set(answers)
