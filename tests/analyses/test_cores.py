"""Validity cores and cut sets: against exhaustive search, and on programs with calls and contracts."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from revet.analyses.cores import Explorer
from revet.analyses.validity import Sets as Found
from revet.analyses.validity import cut_sets, validity_cores
from revet.errors import InputError, UsageError
from revet.frontends.lustre.elements import Element
from tests.frontends.lustre.random_models import RandomModel, random_model

COUNT = int(os.environ.get("REVET_RANDOM_MODELS", "6"))
Sets = set[frozenset[tuple[str, str]]]


def minimal(sets: Iterable[frozenset[tuple[str, str]]]) -> Sets:
    found = set(sets)
    return {one for one in found if not any(other < one for other in found)}


def expected(model: RandomModel) -> tuple[Sets, Sets]:
    """All cores and all cut sets."""
    everything = frozenset((c.kind, c.name) for c in model.constraints)
    subsets = [
        frozenset(chosen)
        for size in range(len(everything) + 1)
        for chosen in itertools.combinations(sorted(everything), size)
    ]
    adequate = {chosen for chosen in subsets if model.holds(chosen)}
    return minimal(adequate), minimal(everything - chosen for chosen in subsets if chosen not in adequate)


def names(sets: Iterable[Iterable[Element]] | None) -> Sets:
    assert sets is not None
    return {frozenset((element.kind, element.name) for element in one) for one in sets}


def written(folder: Path, text: str) -> Path:
    path = folder / "test.lus"
    path.write_text(text)
    return path


@pytest.mark.parametrize("seed", range(COUNT))
def test_random_models(seed: int, tmp_path: Path) -> None:
    model = random_model(seed)
    path = written(tmp_path, model.text)
    cores, cuts = expected(model)
    found = validity_cores(path, every=True, must=True, timeout=120)
    assert names(found.cores) == cores and found.notes == (), model.text
    assert names([found.must or ()]) == {frozenset.intersection(*cores)}, model.text
    found = cut_sets(path, every=True, timeout=120)
    assert names(found.cuts) == cuts and found.notes == () and len(found.runs) == len(cuts), model.text


CALLS = """
node imported limit(x: int) returns (y: int);
(*@contract
  guarantee "low" y >= 0;
  guarantee "high" y <= 10;
  guarantee "odd" y <> 5;
*)
node sum(x: int) returns (s: int);
var l: int; unused: bool;
let
  l = limit(x);
  unused = x > 3;
  s = l + (0 -> pre s);
  check "grows" s >= (0 -> pre s);
tel
"""


@pytest.mark.parametrize("seed", range(200))
def test_one_core_and_one_cut_set(seed: int) -> None:
    """The search alone, with exhaustive search as its oracle."""
    model = random_model(seed)
    cores, cuts = expected(model)
    elements = [(c.kind, c.name) for c in model.constraints]
    found = Explorer(elements, model.holds).core()
    assert set(found.cores) <= cores and len(found.cores) == 1 and found.minimal
    found = Explorer(elements, model.holds).cut()
    assert set(found.cuts) <= cuts and len(found.cuts) == 1
    found = Explorer(elements, model.holds).all()
    assert set(found.cores) == cores and set(found.cuts) == cuts and found.complete


def test_guarantees_of_imported_nodes(tmp_path: Path) -> None:
    path = written(tmp_path, CALLS)
    found = validity_cores(path, every=True, must=True, timeout=120)
    core = {("guarantee", "low"), ("equation", "l"), ("equation", "s")}
    assert names(found.cores) == {frozenset(core)} and names([found.must or ()]) == {frozenset(core)}
    cuts = cut_sets(path, every=True, kinds=("guarantee",), timeout=120)
    assert names(cuts.cuts) == {frozenset([("guarantee", "low")])}
    assert "grows" in cuts.runs[0].ending


def test_weak_clauses_are_the_elements_that_one_asks_about(tmp_path: Path) -> None:
    text = """
node n(x, y: int) returns (z: int);
con weakly assume "opposite" x = -y; weakly assume "positive" x >= 0; noc
let z = x + y; check "zero" z = 0; tel
"""
    cuts = cut_sets(written(tmp_path, text), weak=True, every=True, timeout=120)
    assert names(cuts.cuts) == {frozenset([("assumption", "opposite")])} and len(cuts.elements) == 2


def test_two_ways_to_prove_it(tmp_path: Path) -> None:
    text = """
node n(a: bool) returns (x, y: bool);
let x = true; y = true; check "one" x or y; tel
"""
    path = written(tmp_path, text)
    found = validity_cores(path, every=True, must=True, timeout=120)
    assert names(found.cores) == {frozenset([("equation", "x")]), frozenset([("equation", "y")])}
    assert found.must == ()
    cuts = cut_sets(path, timeout=120)
    assert names(cuts.cuts) == {frozenset([("equation", "x"), ("equation", "y")])}


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    path = written(tmp_path, 'node n(a: bool) returns (x: bool);\nlet x = a; check "never" x; tel\n')
    with pytest.raises(InputError, match="no property of node n is known to hold"):
        validity_cores(path, timeout=60)
    with pytest.raises(UsageError, match="there is no property nevver"):
        validity_cores(path, property="nevver", timeout=60)


def test_an_oracle_that_does_not_know() -> None:
    """Doubt is reported, and nothing is claimed that rests on it."""
    explorer = Explorer("abc", lambda chosen: None if chosen == {"a"} else "a" in chosen and len(chosen) > 1)
    found = explorer.all()
    assert not found.complete and not found.minimal
    assert all("a" in core for core in found.cores) and frozenset("a") in found.cuts


def test_no_cut_set_is_claimed_where_nothing_is_known() -> None:
    explorer = Explorer("ab", lambda chosen: True if chosen else None)
    found = explorer.cut()
    assert found.cuts == [] and not found.minimal
    shown = Found("n", ("p",), (), (), cuts=(), notes=("some questions stayed open",)).blocks()
    assert not any("no cut set" in str(block) for block in shown)
    certain = Found("n", ("p",), (), (), cuts=()).blocks()
    assert any("no cut set" in str(block) for block in certain)
