"""Structural abstraction on the equations: the slides' dependency graph; answers are those of the whole."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from revet.events import Event, Note
from revet.streams import Bool, Integer, Spec, constant, declare, exists, extern, forall, mux


def slides() -> Spec:
    """The eleven equations of the slides; c is always 0, and a fails where d is positive."""
    a = declare(Bool, "a")
    b, c, e, f, g, h, i, k = (declare(Integer, name) for name in "bcefghik")
    d, j = extern("d", Integer), extern("j", Integer)
    a.define((b == 0) | (c == 1))
    b.define(mux(d <= 0, 0, d))
    c.define(e + f + 1)
    e.define([0] @ g)
    f.define(mux(h == i, constant(-1, Integer), 1))
    g.define([0] @ e)
    h.define(k + 1)
    i.define(k + 1)
    k.define(-j)
    spec = Spec("slides")
    spec.prop("c is 0", forall(c == 0))
    spec.prop("a", forall(a))
    spec.prop("b is at least 0", forall(b >= 0))
    spec.prop("a can hold", exists(a))
    spec.prop("c can be 1", exists(c == 1))
    return spec


def test_what_the_property_does_not_need_stays_forgotten() -> None:
    seen: list[Event] = []
    found = slides().prove_by_equations("c is 0", engine="kind", observe=seen.append)
    assert found.status == "proved" and found.graph.forgotten == {"k"}
    assert len(found.steps) == 6 and "c is remembered" in found.steps[0]
    assert str(found).endswith("c is 0: proved, with k forgotten")
    assert [event.text for event in seen if isinstance(event, Note) and event.engine == "equations"] == list(
        found.steps
    )


@pytest.mark.parametrize(
    ("name", "status"),
    [("a", "refuted"), ("b is at least 0", "proved"), ("a can hold", "proved"), ("c can be 1", "refuted")],
)
def test_answers_are_those_of_the_whole(name: str, status: str) -> None:
    assert slides().prove_by_equations(name, engine="kind").status == status


def test_assumptions_count() -> None:
    spec = slides()
    x = declare(Integer, "x")
    x.define([0] @ (x + 1))
    spec.assume(x < 2)
    spec.prop("small", forall(x <= 1))
    spec.prop("zero", forall(x == 0))
    assert spec.prove_by_equations("small", engine="kind").status == "proved"
    assert spec.prove_by_equations("zero", engine="kind").status == "refuted"


def test_what_is_dropped_is_not_forgotten() -> None:
    fib = declare(Integer, "fib")
    fib.define([1, 1] @ (fib + fib.drop(1)))
    spec = Spec("drops")
    spec.prop("grows", forall(fib <= fib.drop(1)))
    found = spec.prove_by_equations("grows", engine="kind")
    assert found.status == "proved" and not found.graph.forgotten


def test_the_graph_is_a_picture() -> None:
    graph = slides().dependencies()
    assert graph.depth["c"] == 1 and graph.depth["k"] == 4 and ("f", "h") in graph.edges
    texts = ["".join(found.itertext()) for found in ET.fromstring(graph.svg()).iter()]
    assert any("property c is 0" in text for text in texts)
    assert '"f" -> "h"' in graph.dot()
