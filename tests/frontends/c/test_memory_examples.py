"""The modules in examples/c/memory: each is right, and with -DFAULT it has one fault that is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver import solve
from revet.driver.answer import Answer
from revet.engines.bmc import Options
from revet.engines.common.context import Context
from revet.frontends.c import load
from revet.result.verdict import Unsafe

FOLDER = Path(__file__).parents[3] / "examples/c/memory"
FAULTS = {
    "arena": "pointer@", "bit_reader": "shift@", "controller": "overflow@", "crc": "bounds@",
    "csv": "bounds@",
    "hash_table": "pointer@", "intrusive_list": "pointer@", "matrix": "division@", "ring_buffer": "bounds@",
    "state_machine": "bounds@", "string_builder": "pointer@", "utf8": "pointer@",
}


def answer(name: str, defines: tuple[str, ...], seconds: float) -> Answer:
    program = load([FOLDER / f"{name}.c"], {
        "property": "assertions,memory,leaks,arithmetic", "malloc": "may-fail", "defines": defines,
        "validate_translation": "off",
    })
    program.evidence.compile = False
    return solve(program, "bmc", Options(strategy="global"), context=Context(budget=Budget(seconds)))


def test_every_module_has_a_row() -> None:
    assert {path.stem for path in FOLDER.glob("*.c")} == set(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_the_fault_is_found(name: str) -> None:
    found = answer(name, ("FAULT",), 240)
    assert isinstance(found.verdict, Unsafe), found.verdict
    assert found.verdict.trace.violated.startswith(FAULTS[name])


@pytest.mark.parametrize("name", FAULTS)
def test_the_module_is_right(name: str) -> None:
    assert answer(name, (), 240).status == "safe"
