"""*Model Checking*, lectures 3 and 4 (TU München): examples 1 to 6, from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.errors import RevetError, UsageError
from revet.images import abstract_reachability

RHO = Path(__file__).parents[2] / "examples" / "seeds" / "rho.cfa"
PLACES = "at l1, at l2, at l3, at l4, at l5"


def test_example_1_one_and_two_steps() -> None:
    for times in (1, 2):
        image = revet.post("at l2 and y >= z", RHO, edge="l2 -> l2", times=times)
        assert str(image) == "at l2 and y >= z and x <= y"


def test_example_2_layers() -> None:
    layers = [str(revet.post("at l1", RHO, times=n)).split(" or\n") for n in (1, 2, 3)]
    assert layers == [
        ["at l2 and y >= z"],
        ["at l2 and y >= z and x <= y", "at l3 and y >= z and x >= y"],
        ["at l2 and y >= z and x <= y", "at l3 and y >= z and x = y", "at l4 and y >= z and x >= y"],
    ]


def test_example_4_never_ends() -> None:
    found = [str(revet.post("at_l2 and x <= z", RHO, edge="2", times=n)) for n in (1, 2, 3)]
    assert found == [f"at l2 and x <= z + {n} and x <= y" for n in (1, 2, 3)]


def test_example_5_entailments() -> None:
    formula = "at l2 and y >= z and x + 1 <= y"
    found = revet.abstract(formula, RHO, predicates=f"{PLACES}, y >= z, x >= y")
    assert found.entailed == (False, True, False, False, False, True, False)
    assert found.formula == "at l2 and y >= z"
    assert revet.abstract(formula, RHO, predicates="").formula == "true"
    assert revet.abstract("at l5", RHO, predicates="at l1, at l2, at l3").formula == "true"


@pytest.mark.parametrize("false", ["false, ", ""])
def test_example_6_reachability(false: str) -> None:
    """With and without the predicate *false*: an image without states has no abstraction."""
    found = abstract_reachability(RHO, predicates=f"{false}{PLACES}, y >= z, x >= y")
    assert [state.formula for state in found.found] == [
        "at l1", "at l2 and y >= z", "at l3 and y >= z and x >= y", "at l4 and y >= z and x >= y",
    ]
    assert not found.errors() and found.accepted()


def test_too_few_predicates_say_nothing() -> None:
    found = abstract_reachability(RHO, predicates=f"{PLACES}, y >= z")
    assert list(found.errors()) == ["l5"] and not found.accepted()


def test_preimages_and_preconditions() -> None:
    assert str(revet.pre("at l5", RHO)) == "at l3 and x + 1 <= z"
    assert str(revet.wp("not at l5", RHO)).split(" or\n") == [
        "at l1", "at l2", "at l3 and x >= z", "at l4", "at l5",
    ]
    assert str(revet.wp("x <= 3", statement="x := x + 1")) == "x <= 2"
    assert str(revet.pre("x <= y", statement="havoc y")) == "true"
    assert str(revet.wp("x <= y", statement="havoc y")) == "false"
    assert str(revet.wp("x <= y", statement="[y = 3]; y := y + x")) == "y != 3 or\ny >= 0"
    assert str(revet.post("b and x = 1", statement="b := not b; x := x + x", variables="b: bool")) == (
        "x = 2 and not b"
    )
    assert str(revet.post("r > 0", statement="r := r / 2", variables="r: real")) == "r > 0"


def test_a_false_guard_has_no_successor() -> None:
    assert revet.post("true", statement="assume false").empty
    assert revet.post("x > 0", statement="[x < 0]; havoc x").empty


def test_mistakes_are_named() -> None:
    with pytest.raises(UsageError, match=r"there is no edge l2->l9.*l2 -> l2"):
        revet.post("true", RHO, edge="l2->l9")
    with pytest.raises(RevetError, match="w"):
        revet.post("w > 0", RHO)
    with pytest.raises(UsageError, match="none of"):
        revet.post("x > 0", statement="x = 3")
    with pytest.raises(UsageError, match="a model or a statement"):
        revet.post("x > 0")
