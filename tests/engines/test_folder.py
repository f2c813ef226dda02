"""Every module in engines/ is an engine with a row in the table, or lies in ``common``."""

import tomllib
from pathlib import Path

import revet.engines
from revet.engines import REGISTRY

FOLDER = Path(revet.engines.__file__).parent
PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_every_module_is_an_engine_or_common():
    modules = {x.stem for x in FOLDER.iterdir() if x.suffix == ".py" or (x / "__init__.py").exists()}
    engines = {info.module.removeprefix("revet.engines.") for info in REGISTRY.values()}
    assert modules - {"__init__", "registry", "common"} == engines


def test_the_contract_of_independence_names_every_engine():
    contracts = tomllib.loads(PROJECT.read_text())["tool"]["importlinter"]["contracts"]
    named = next(c["modules"] for c in contracts if c["name"] == "Engines do not import each other")
    assert set(named) == {info.module for info in REGISTRY.values()}
