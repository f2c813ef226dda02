"""The monitors after Copilot's examples: their C code is compiled without a warning, runs under sanitizers as
the interpreter does, and is proved equal to the specification. And the table that compares the languages."""

from __future__ import annotations

import builtins
import pkgutil
import re
import runpy
from pathlib import Path

import pytest

import revet.streams.library
from revet.frontends.c.clang.run import system_compiler
from revet.streams import Spec, Stream, Table

from .sanitized import assert_same, sanitized

FOLDER = Path(__file__).parents[2] / "examples" / "streams" / "copilot"
FILES = sorted(FOLDER.glob("*.py"))
QUICK = {"structs"}  # a proof of two seconds; the others are long tests
NEEDS_COMPILER = pytest.mark.skipif(system_compiler() is None, reason="no C compiler")


def monitor(file: Path) -> Spec:
    names = runpy.run_path(str(file))
    (spec,) = [
        value() for value in names.values() if getattr(value, "__annotations__", {}).get("return") is Spec
    ]
    assert isinstance(spec, Spec)
    return spec


def test_the_table_names_what_there_is() -> None:
    """Every name in the second column of *Side by side with Copilot 4*."""
    text = (Path(__file__).parents[2] / "docs" / "streams-copilot.md").read_text()
    rows = [line.replace("\\|", "").split("|") for line in text.splitlines() if line.startswith("| ")]
    codes = [code for row in rows[1:] for code in re.findall(r"`([^`]+)`", row[2])]
    plain = re.compile(r"(?:spec\.|table\.)?([a-zA-Z]\w+)(?:\(.*)?")
    names = [found[1] for found in map(plain.fullmatch, codes) if found]
    known = {module.name for module in pkgutil.iter_modules(revet.streams.library.__path__)}
    known |= {*dir(revet.streams), *dir(Spec), *dir(Table), *dir(Stream), *dir(builtins)}
    assert len(rows) > 50 and len(names) > 45
    assert set(names) - known == set()


def test_there_are_twenty() -> None:
    assert len(FILES) >= 20 and {file.stem for file in FILES} >= QUICK


@NEEDS_COMPILER
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_c_code_runs_as_the_interpreter_says(file: Path, tmp_path: Path) -> None:
    spec = monitor(file)
    expected = spec.interpret(25)
    assert any(call is not None for calls in expected.triggers.values() for call in calls)
    assert_same(expected, sanitized(spec, 25, None, tmp_path))


def proves(file: Path) -> None:
    proof = monitor(file).verify_c(timeout=400)
    assert proof, str(proof)
    assert proof.answer is not None and not proof.answer.program.assumptions


@pytest.mark.parametrize("file", [f for f in FILES if f.stem in QUICK], ids=lambda file: file.stem)
def test_the_c_code_is_proved_equal(file: Path) -> None:
    proves(file)


@pytest.mark.long
@pytest.mark.parametrize("file", [f for f in FILES if f.stem not in QUICK], ids=lambda file: file.stem)
def test_all_c_code_is_proved_equal(file: Path) -> None:
    proves(file)


@pytest.mark.long
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_properties_are_proved(file: Path) -> None:
    for proof in monitor(file).prove(timeout=120).values():
        assert proof, str(proof)
