"""The contracts of import-linter and the table of docs/architecture.md leave nothing out.

A contract says nothing about a module that it does not name, so a new folder could go unnoticed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "revet"
CONTRACTS = {
    contract["name"]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
}


def parts(folder: Path) -> set[str]:
    """The modules and packages directly in a folder."""
    found = {one.stem for one in folder.iterdir() if one.suffix == ".py"}
    found |= {one.name for one in folder.iterdir() if (one / "__init__.py").exists()}
    return found - {"__init__", "__main__"}


def named(contract: str, key: str) -> set[str]:
    """The last names of the modules that a contract lists."""
    entries = " ".join(CONTRACTS[contract][key])
    return {name.split(".")[-1] for name in re.findall(r"[\w.]+", entries)}


def test_every_module_has_a_layer() -> None:
    outside = {"benchexec", "quickstart"}  # entry points: nothing imports them, which the next test holds
    assert named("Layers import only downwards", "layers") == parts(SOURCE) - outside


@pytest.mark.parametrize(("contract", "but"), [
    ("Only smt imports a solver", {"smt"}),
    ("Only the command imports what makes it start quickly", {"quickstart"}),
])
def test_what_is_forbidden_is_forbidden_to_all(contract: str, but: set[str]) -> None:
    assert named(contract, "source_modules") == parts(SOURCE) - but


def test_languages_and_engines_are_all_kept_apart() -> None:
    languages = parts(SOURCE / "frontends") - {"kit", "program", "registry"}
    assert named("Languages do not import each other", "modules") == languages
    assert languages < named("The kit for languages knows no language", "layers")
    engines = parts(SOURCE / "engines") - {"common", "registry"}
    assert named("Engines do not import each other", "modules") == engines
    assert engines < named("What engines share knows no engine", "layers")


def test_the_page_has_a_row_for_every_module() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.split("## Layers")[1].split("##")[0]
    rows = {name for row in re.findall(r"^\| (`.*?) \|", table, re.M) for name in re.findall(r"`(\w+)`", row)}
    assert rows == parts(SOURCE)
