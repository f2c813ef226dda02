"""A new language is one file and one row: a toy one is read, checked, replayed and reported."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import revet
from revet.errors import InputError, UsageError
from revet.frontends import registry
from revet.report.data import answer_data
from revet.report.text import render
from tests.frontends import counter_machine


@pytest.fixture(autouse=True)
def _row(monkeypatch: pytest.MonkeyPatch) -> None:
    row = registry.Language("counter", (".ctr",), counter_machine.__name__, "counter machines")
    monkeypatch.setattr(registry, "LANGUAGES", [*registry.LANGUAGES, row])


def machine(folder: Path, text: str) -> Path:
    path = folder / "machine.ctr"
    path.write_text(text)
    return path


@pytest.mark.parametrize("engine", ["pdr-cfa", "kind", "bmc", "spacer"])
def test_a_violation_is_found_and_replayed(tmp_path: Path, engine: str) -> None:
    answer = revet.check(machine(tmp_path, "add 3\navoid 10\navoid 12\n"), engine=engine, timeout=60)
    assert answer.status == "unsafe" and answer.checked is not None
    assert answer.checked.notes == ("run by the counter machine: the counter is 12 at instruction 3",)
    assert "verdict: unsafe (avoid@3)" in render(answer)
    assert answer_data(answer)["language"] == "counter"


def test_a_proof_is_checked(tmp_path: Path) -> None:
    answer = revet.check(machine(tmp_path, "add 2\navoid -1\n"), timeout=60)
    assert answer.status == "safe" and answer.checked is not None and answer.checked.accepted
    assert answer.program.property_names == ["avoid@2"]


def test_mistakes_have_a_place(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"machine\.ctr:2:1: neither"):
        revet.check(machine(tmp_path, "add 2\nsubtract 1\n"))
    with pytest.raises(UsageError, match="counter machines has no option entry"):
        revet.check(machine(tmp_path, "add 2\n"), entry="main")


def test_it_is_small() -> None:
    assert len(inspect.getsource(counter_machine).splitlines()) <= 150
