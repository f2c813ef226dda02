"""What every kind of model answers, and that a visitor meets each kind once."""

from __future__ import annotations

import pytest

from revet.errors import Position
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import TRUE, FunctionSymbol
from revet.model.cfa import Cfa, Edge, Location
from revet.model.circuit import Circuit
from revet.model.horn import QUERY, HornClause, HornSystem
from revet.model.kind import Model
from revet.model.relation import Relation
from revet.model.system import TransitionSystem

X = b.var("x", INT)
P, Q = FunctionSymbol("p", (INT,), BOOL), FunctionSymbol("q", (INT,), BOOL)
HERE = Position("f", 3, 1)
START, BAD, WORSE = Location("start"), Location("bad", HERE), Location("worse")
AUTOMATON = Cfa((X,), (START, BAD, WORSE), (Edge(START, BAD),), START, (BAD, WORSE))
STEP, GOALS = Relation(TRUE, {X: X + 1}), {"bad": X >= 0, "worse": X >= 1}
SYSTEM = TransitionSystem((X,), X.eq(b.integer(0)), STEP, GOALS, positions={"bad": HERE})
CIRCUIT = Circuit(0, (2,), (0,), (), (), {"bad": 2, "worse": 3})
LINEAR = HornSystem((P,), (HornClause((), TRUE, b.apply(P, X)), HornClause((b.apply(P, X),), X > 0, None)))
TWO = HornSystem((P, Q), (HornClause((b.apply(P, X), b.apply(Q, X)), TRUE, None),))
MODELS: dict[str, Model] = {
    "automaton": AUTOMATON, "system": SYSTEM, "circuit": CIRCUIT, "clauses": LINEAR,
}


class Name:
    """Which method was called, and with the model itself?"""

    def automaton(self, cfa: Cfa) -> tuple[str, Model]:
        return "automaton", cfa

    def system(self, system: TransitionSystem) -> tuple[str, Model]:
        return "system", system

    def circuit(self, circuit: Circuit) -> tuple[str, Model]:
        return "circuit", circuit

    def clauses(self, clauses: HornSystem) -> tuple[str, Model]:
        return "clauses", clauses


@pytest.mark.parametrize("kind", MODELS)
def test_a_visitor_is_called_for_the_kind(kind: str) -> None:
    assert MODELS[kind].accept(Name()) == (kind, MODELS[kind])


@pytest.mark.parametrize("kind", ["automaton", "system", "circuit"])
def test_properties_by_name(kind: str) -> None:
    model = MODELS[kind]
    assert list(model.property_names) == ["bad", "worse"]
    assert list(model.restricted_to("worse").property_names) == ["worse"]
    assert model.position_of("bad") == (None if kind == "circuit" else HERE)
    assert model.position_of("worse") is None


def test_clauses_have_one_property() -> None:
    assert LINEAR.property_names == [QUERY] and LINEAR.restricted_to(QUERY) is LINEAR


def test_views() -> None:
    """The model itself where it is of the kind, another form of it where it can be read so, else None."""
    assert AUTOMATON.as_automaton() is AUTOMATON and SYSTEM.as_system() is SYSTEM
    assert AUTOMATON.as_system() is None and SYSTEM.as_automaton() is None
    assert [x.name for x in CIRCUIT.as_system().variables] == ["l0"] and CIRCUIT.as_automaton() is None
    automaton = LINEAR.as_automaton()
    assert automaton is not None and len(automaton.edges) == 2 and LINEAR.as_system() is None
    assert TWO.as_automaton() is None


def test_only_circuits_have_no_terms() -> None:
    assert [kind for kind, model in MODELS.items() if not model.of_terms] == ["circuit"]
