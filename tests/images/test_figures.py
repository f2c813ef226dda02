"""Tegzes, *Applying incremental, inductive model checking to software* (2018): examples 7 to 13."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from revet.budget import Budget
from revet.cli.commands import revet
from revet.errors import UsageError
from revet.frontends.registry import load
from revet.images.abstraction import predicates_of
from revet.images.graph import abstract_graph, concrete_graph
from revet.images.paths import path_answer, read_path
from revet.images.space import Space
from revet.report.drawing import drawing_dot, drawing_svg

SEEDS = Path(__file__).parents[2] / "examples" / "seeds"


def space(name: str) -> Space:
    return Space(load([str(SEEDS / name)], {}).model, Budget(60))


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(revet, arguments, standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return int(done.return_value), done.output


def test_examples_7_to_10_states_as_locations() -> None:
    graph = concrete_graph(space("transition_system_W.aut"))
    assert sorted(graph.states) == ["a", "b", "c", "d"]
    assert set(graph.steps) == {("a", "b"), ("c", "a"), ("c", "d"), ("d", "b")}
    assert (graph.initial, graph.unsafe, graph.reachable, graph.run) == (["a"], ["d"], ["a", "b"], [])
    flipped = concrete_graph(space("transition_system_W_flipped.aut"))
    assert flipped.run == ["a", "c", "d"]
    assert drawing_dot(flipped.drawing()).count("color=red];") == 3  # two steps and the unsafe state
    assert drawing_svg(flipped.drawing()).count('class="arrow run"') == 2


def test_example_11_a_symbolic_system() -> None:
    graph = concrete_graph(space("symbolic_system.sts"))
    assert len(graph.states) == 4 and len(graph.steps) == 5
    assert graph.initial == ["x = false, y = false"] and graph.unsafe == ["x = true, y = true"]
    assert graph.reachable == ["x = false, y = false", "x = true, y = false"] and not graph.run


def test_infinite_systems_have_no_graph() -> None:
    with pytest.raises(UsageError, match="more than 64 states"):
        concrete_graph(space("rho.cfa"))


def test_example_12_feasible_and_infeasible_paths() -> None:
    place = space("product.cfa")
    feasible = path_answer(place.cfa, read_path(place, "e1 e2 e3 e4 e2 e3 e5"), Budget(60))
    assert feasible.feasible and feasible.states is not None and len(feasible.states) == 8
    for text in ("e1 e2 e3 e5", "a -> b -> c -> d -> f", "1, 2, 3, 5"):
        found = path_answer(place.cfa, read_path(place, text), Budget(60))
        assert not found.feasible
        assert (found.first, found.last, found.needed, found.start) == (1, 4, (1, 3, 4), False)
    with pytest.raises(UsageError, match="no edge a -> c"):
        read_path(place, "a c")
    with pytest.raises(UsageError, match="does not follow"):
        read_path(place, "e1 e3")


def test_a_shortest_contradiction_lies_anywhere() -> None:
    place = space("rho.cfa")
    found = path_answer(place.cfa, read_path(place, "l1 l2 l2 l3 l5"), Budget(60))
    assert not found.feasible and found.first == 1 and set(found.needed) <= {1, 4, 3}


def test_paths_on_the_command_line() -> None:
    status, text = run("path", str(SEEDS / "product.cfa"), "a b c d f")
    assert status == 1 and "infeasible: edges 1 to 4" in text and "* 3  c -> d" in text
    status, text = run("path", str(SEEDS / "product.cfa"), "e1 e2 e3 e4 e2 e3 e5", "--json")
    assert status == 0 and json.loads(text)["feasible"] is True


def test_section_3_3_the_relation_of_example_12() -> None:
    _, text = run("show", str(SEEDS / "product.cfa"), "--stage", "system", "--no-reduce")
    assert "one of a, b, c, d, f" in text
    assert "  location = b and x' = x and location' = c" in text  # y gets any value
    assert "  location = d and 20 < y and x' = x and y' = y and location' = f" in text


def test_example_13_the_abstract_system() -> None:
    place = space("product.cfa")
    graph = abstract_graph(place, predicates_of(place, "x < 10, y < x"))
    assert list(graph.states) == [
        "x < 10, x > y", "x < 10, not x > y", "not x < 10, x > y", "not x < 10, not x > y",
    ]
    assert len(graph.initial) == 4 and len(graph.unsafe) == 4  # the predicates say nothing of where it is
    named = abstract_graph(place, predicates_of(place, "at a, at f, y > 20"))
    assert named.initial == ["at a, not at f, y > 20", "at a, not at f, not y > 20"]
    assert named.unsafe == ["not at a, at f, y > 20", "not at a, at f, not y > 20"]
    assert ("at a, not at f, not y > 20", "not at a, at f, y > 20") not in named.steps
