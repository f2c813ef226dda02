"""*Model Checking*, lectures 3 and 4 (TU München): Examples 1, 2 and 4, with every intermediate result."""

from __future__ import annotations

import pytest

from revet.budget import Budget
from revet.engines.common.context import Context
from revet.engines.post import Options, check
from revet.engines.post.explain import Writer
from revet.engines.post.image import Images
from revet.engines.post.simplify import Simplifier
from revet.events import Event, Explained
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.logic.terms import Term
from revet.model.cfa import Cfa
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume
from revet.result import LocationInvariants, Safe, Unknown
from revet.smt.z3 import Z3
from tests.models import automaton

X, Y, Z = (b.var(name, INT) for name in "xyz")
RHO_2 = Relation(X + 1 <= Y, {X: X + 1})
WRITER = Writer((X, Y, Z))


def rho() -> Cfa:
    return automaton(
        (X, Y, Z),
        [
            ("l1", "l2", [Assume(Y >= Z)]),
            ("l2", "l2", [Assume(X + 1 <= Y), Assign(X, X + 1)]),
            ("l2", "l3", [Assume(X >= Y)]),
            ("l3", "l4", [Assume(X >= Z)]),
            ("l3", "l5", [Assume(X + 1 <= Z)]),
        ],
        "l1",
        ("l5",),
    )


def powers(states: Term, count: int) -> list[str]:
    """``post(states, rho_2)``, ``post^2``, … as they are printed."""
    backend, budget = Z3(), Budget(30)
    images, simplifier = Images(backend, budget), Simplifier(backend, budget, 32)
    found = []
    for _ in range(count):
        (states,) = simplifier.cubes(images.image(states, RHO_2))
        found.append(WRITER.formula(states))
    return found


def test_example_1_one_and_two_applications() -> None:
    assert powers(Y >= Z, 2) == ["y >= z and x <= y", "y >= z and x <= y"]


def test_example_4_never_ends() -> None:
    assert powers(X <= Z, 3) == [
        "x <= z + 1 and x <= y", "x <= z + 2 and x <= y", "x <= z + 3 and x <= y",
    ]
    loop = automaton(
        (X, Y, Z), [("l2", "l2", [Assume(X + 1 <= Y), Assign(X, X + 1)])], "l2", (), X <= Z
    )
    verdict = check(loop, Options(max_layers=5), Context())
    assert isinstance(verdict, Unknown) and verdict.bound == 5


# What the notes derive in Example 2, and the simplified disjunction that they end with.
LAYERS = [
    ["at l1"],
    ["at l2 and y >= z"],
    ["at l2 and y >= z and x <= y (known)", "at l3 and y >= z and x >= y"],
    [
        "at l2 and y >= z and x <= y (known)",
        "at l3 and y >= z and x = y (known)",
        "at l4 and y >= z and x >= y",
    ],
    [
        "at l2 and y >= z and x <= y (known)",
        "at l3 and y >= z and x = y (known)",
        "at l4 and y >= z and x = y (known)",
    ],
]
SO_FAR = [
    "at l1",
    "at l2 and y >= z",
    "at l3 and y >= z and x >= y",
    "at l4 and y >= z and x >= y",
]


def layers(options: Options) -> tuple[object, list[tuple[list[str], list[str]]]]:
    shown: list[tuple[list[str], list[str]]] = []

    def observe(event: Event) -> None:
        if isinstance(event, Explained):
            new, _, so_far = event.text.partition("so far\n")
            shown.append(([line.strip() for line in new.splitlines()],
                          [line.strip() for line in so_far.splitlines()]))

    return check(rho(), options, Context(observe=observe)), shown


def test_example_2_layer_by_layer() -> None:
    verdict, shown = layers(Options(subsumption="layer", explain=True))
    assert [new for new, _ in shown] == LAYERS
    assert [so_far for _, so_far in shown] == [SO_FAR[:1], SO_FAR[:2], SO_FAR[:3], SO_FAR, SO_FAR]
    assert isinstance(verdict, Safe) and isinstance(verdict.certificate, LocationInvariants)
    formulas = {place.name: WRITER.formula(f) for place, f in verdict.certificate.formulas.items()}
    assert formulas == {
        "l1": "true", "l2": "y >= z", "l3": "y >= z and x >= y", "l4": "y >= z and x >= y", "l5": "false",
    }


def test_example_2_without_going_on_from_what_is_known() -> None:
    verdict, shown = layers(Options(explain=True))
    assert [new for new, _ in shown] == [*LAYERS[:3], [LAYERS[3][2]], ["nothing"]]
    assert shown[-1][1] == SO_FAR
    assert isinstance(verdict, Safe)


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (b.and_(X.eq(Y), Y >= Z), "y >= z and x = y"),
        (X.ne(3), "x != 3"),
        (b.lt(2 * X - 3 * Y, Z - 4), "2*x + 4 < 3*y + z"),
        (b.or_(X >= 0, Y <= 1), "x >= 0 or y <= 1"),
    ],
)
def test_formulas_are_written_in_the_order_of_declaration(formula: Term, text: str) -> None:
    assert WRITER.formula(formula) == text
