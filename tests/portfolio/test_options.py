"""Options of engines as text."""

from __future__ import annotations

import pytest

from revet.driver.options import parse_options
from revet.engines.registry import engine
from revet.errors import UsageError


@pytest.mark.parametrize("name", ["pdr", "pdr-ia"])
def test_the_names_of_thetas_switches(name: str) -> None:
    given = {"not-b-opt": "false", "un-sat-opt": "true", "propagate-opt": "false", "filter-opt": "false"}
    options = parse_options(engine(name), given)
    lifting = options.lift if name == "pdr" else options.lifting
    assert (options.relative, options.cores, options.propagation, lifting) == (False, True, False, "none")
    assert parse_options(engine(name), {"filter-opt": "true"}) == parse_options(engine(name), {})


def test_an_engine_without_the_switch_does_not_take_it() -> None:
    with pytest.raises(UsageError, match="kind has no option not-b-opt"):
        parse_options(engine("kind"), {"not-b-opt": "false"})


def test_a_switch_is_on_or_off() -> None:
    with pytest.raises(UsageError, match="filter-opt of engine pdr: 'core' is not one of true, false"):
        parse_options(engine("pdr"), {"filter-opt": "core"})
