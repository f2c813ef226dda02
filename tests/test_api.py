"""``revet.check`` from Python: keywords that do not exist are refused, with what may have been meant."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.errors import UsageError
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import FunctionSymbol
from revet.model.horn import HornClause, HornSystem

PROGRAM = Path(__file__).parents[1] / "examples" / "spa" / "lock.spa"


@pytest.mark.parametrize(("name", "meant"), [("timeot", "timeout"), ("propertys", "property")])
def test_a_misspelt_keyword_is_refused_and_the_right_one_named(name: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"has no option {name}; did you mean {meant}"):
        revet.check(PROGRAM, **{name: 1})


def test_a_model_has_no_options_of_a_language() -> None:
    with pytest.raises(UsageError, match="no parameter entry"):
        revet.check(_derivable(), entry="main")


def test_horn_clauses_built_in_python_are_checked() -> None:
    """As every other kind of model."""
    assert revet.check(_derivable(), timeout=60).status == "unsafe"


def test_something_else_is_refused_by_its_name() -> None:
    with pytest.raises(UsageError, match="cannot check a int"):
        revet.check(3)  # type: ignore[arg-type]


def _derivable() -> HornSystem:
    p, x = FunctionSymbol("p", (INT,), BOOL), b.var("x", INT)
    at_x = b.apply(p, x)
    fact = HornClause((), x.eq(b.integer(1)), at_x)
    return HornSystem((p,), (fact, HornClause((at_x,), x > 0, None)))


@pytest.mark.parametrize(
    "keyword, value",
    [("engine", 3), ("engines", ["kind"]), ("property", 3), ("options", [1]), ("timeout", "soon"),
     ("timeout", -1), ("timeout", float("nan")), ("timeout", True),
     ("memory", "1 GB"), ("memory", 1.5), ("memory", -1)],
)  # fmt: skip
def test_keywords_of_the_wrong_kind_are_refused_at_once(keyword: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"^{keyword}=.*: expected "):
        revet.check(PROGRAM, **{keyword: value})  # type: ignore[arg-type]
