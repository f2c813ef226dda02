"""Several workers of one engine (``-O workers=N``) tell each other lemmas, and show anew what they hear."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from revet.api import as_program
from revet.budget import Budget
from revet.driver.answer import Answer
from revet.driver.prepare import Preparation
from revet.driver.run import confirm, run_engine
from revet.engines import pdr, pdr_ia
from revet.engines.common.context import Context, SharedLemma
from revet.engines.pdr_ia.abstraction import Abstraction
from revet.errors import UsageError
from revet.events import Event, LemmaLearnt
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.terms import Term
from revet.portfolio import Configuration, Limits, run_portfolio
from revet.portfolio.boxes import Inbox, Outbox
from revet.portfolio.channel import pair
from revet.portfolio.configuration import asked_for, parse_engines
from tests.engines.systems import CASES, Case, X, Y, explicit, random_system, system
from tests.frontends.aiger.random_circuits import random_circuit, shortest_violation

SMALL = [case for case in CASES if case.name != "no-initial-state"]


def team(engine: str, **options: str) -> tuple[Configuration, ...]:
    found = asked_for(engine, None, {"workers": "2", **options}, Preparation())
    assert found is not None
    return found


def test_workers_differ_in_their_seeds() -> None:
    three = asked_for("pdr", None, {"workers": "3", "seed": "5", "ctg": "true"}, Preparation(reduce=False))
    assert three is not None
    assert [one.name for one in three] == ["pdr", "pdr#2", "pdr#3"]
    assert [one.options["seed"] for one in three] == ["5", "6", "7"]
    assert all(one.team == "pdr" and one.options["ctg"] == "true" for one in three)
    assert not any(one.preparation.reduce for one in three)


def test_teams_beside_others() -> None:
    found = parse_engines("kind,pdr-ia:workers=2")
    assert [(one.name, one.team) for one in found] == [
        ("kind", ""), ("pdr-ia:workers=2", "pdr-ia:workers=2"), ("pdr-ia:workers=2#2", "pdr-ia:workers=2"),
    ]


def test_one_worker_is_no_team_and_other_engines_have_none() -> None:
    alone = asked_for("pdr", None, {"workers": "1"}, Preparation())
    assert alone is not None
    assert [one.team for one in alone] == [""]
    with pytest.raises(UsageError, match="engine kind has no option workers"):
        asked_for("kind", None, {"workers": "2"}, Preparation())
    with pytest.raises(UsageError, match="workers"):
        asked_for("pdr", None, {"workers": "0"}, Preparation())


@pytest.mark.parametrize("lemmas", [
    [SharedLemma((1, -2), 3), SharedLemma((4,), None)],
    [SharedLemma(b.or_(X < 3, Y.eq(1)), 2), SharedLemma(X < 5, None)],
], ids=["cubes", "terms"])
def test_lemmas_travel_with_their_levels(lemmas: list[SharedLemma]) -> None:
    here, there = pair()
    outbox = Outbox(here, team="pdr")
    for lemma in lemmas:
        outbox.notice(LemmaLearnt("pdr", lemma.lemma, lemma.level))
    outbox.send(1.0)
    inbox = Inbox(there)
    assert inbox.lemmas() == lemmas
    assert inbox.lemmas() == []


def test_who_is_in_no_team_sends_no_lemmas() -> None:
    here, there = pair()
    outbox = Outbox(here)
    outbox.notice(LemmaLearnt("pdr", (1,), 3))
    outbox.send(1.0)
    assert there.receive() == []


def anything(latches: int, seed: int) -> list[SharedLemma]:
    """Cubes of all kinds, most of them reachable: none of them may be believed."""
    literals = [sign * n for n in range(1, latches + 1) for sign in (1, -1)]
    pairs = [(x, y) for x, y in combinations(literals, 2) if x != -y]
    cubes = [*((x,) for x in literals), *pairs]
    random = Random(seed)
    return [SharedLemma(cube, random.choice((1, 2, 3, None))) for cube in cubes]


@pytest.mark.parametrize("seed", range(60))
def test_false_lemmas_are_no_wrong_answers_on_circuits(seed: int) -> None:
    circuit = random_circuit(Random(seed), latches=4)
    told = anything(circuit.latches, seed)
    context = Context(Budget(20), lemmas=lambda: [told.pop() for _ in range(min(3, len(told)))])
    verdict = pdr.check(circuit, pdr.Options(seed=seed % 3), context)
    found = confirm(as_program(circuit), verdict, Budget(20))[0]
    assert type(found) is type(verdict)
    assert (shortest_violation(circuit) is None) == (type(found).__name__ == "Safe")


@pytest.mark.parametrize("seed", range(40))
def test_false_lemmas_are_no_wrong_answers_on_systems(seed: int) -> None:
    model = random_system(seed)
    expected = explicit(model)
    random = Random(seed)
    numbers = [x for x in model.variables if x.sort is X.sort]
    told = []
    for level in (1, 2, None, 1, 2, None) if numbers else ():
        x, y = random.choice(numbers), random.choice(numbers)
        told.append(SharedLemma(b.or_(x < random.randint(-2, 5), y.eq(1)), level))
    context = Context(Budget(20), lemmas=lambda: [told.pop() for _ in range(min(2, len(told)))])
    verdict = pdr_ia.check(model, pdr_ia.Options(seed=seed % 3), context)
    found = confirm(as_program(model), verdict, Budget(20))[0]
    assert type(found) is type(verdict)
    assert (expected is None) == (type(found).__name__ == "Safe")


@pytest.mark.parametrize("lemma", [
    X < 3, b.not_(X < 3), b.or_(X < 3, Y.eq(1)), b.or_(b.not_(Y.eq(1)), X + Y <= 4, X > 7),
], ids=str)
def test_a_lemma_is_the_negation_of_its_cube(lemma: Term) -> None:
    cube = Abstraction().cube_of(lemma)
    assert cube is not None
    for x, y in product(range(-2, 10), repeat=2):
        state = {X: x, Y: y}
        assert evaluate(cube.lemma(), state) == evaluate(lemma, state)
        assert evaluate(cube.formula(), state) != evaluate(lemma, state)


def test_a_lemma_of_another_is_taken() -> None:
    """x and y are equal for ever, which is told before the engine could find it out."""
    model = system(b.and_(X.eq(0), Y.eq(0)), {X: X + 1, Y: Y + 1}, b.implies(X.eq(3), Y.eq(3)))
    told = [SharedLemma(X <= Y, 1), SharedLemma(Y <= X, 1)]
    context = Context(Budget(20), lemmas=lambda: [told.pop()] if told else [])
    verdict = pdr_ia.check(model, pdr_ia.Options(), context)
    assert type(confirm(as_program(model), verdict, Budget(20))[0]).__name__ == "Safe"
    assert context.stats.counts["lemmas from others"] >= 1


def test_true_lemmas_save_work() -> None:
    """Told its own lemmas of an earlier run, PDR takes them and learns fewer."""
    circuit = next(
        one for one in (random_circuit(Random(seed), latches=7, inputs=3, gates=40) for seed in range(1000))
        if shortest_violation(one) is None and learnt(one, []) >= 6
    )
    said: list[SharedLemma] = []

    def hear(event: Event) -> None:
        if isinstance(event, LemmaLearnt):
            said.append(SharedLemma(event.lemma, None))

    pdr.check(circuit, pdr.Options(), Context(Budget(20), hear))
    assert learnt(circuit, said) < learnt(circuit, [])


def learnt(circuit: object, told: list[SharedLemma]) -> int:
    told = list(told)
    context = Context(Budget(20), lemmas=lambda: [told.pop(0)] if told else [])
    pdr.check(circuit, pdr.Options(), context)  # type: ignore[arg-type]
    return context.stats.counts["lemmas"]


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case.name)
def test_a_team_answers_as_one_does(case: Case) -> None:
    answer: Answer = run_portfolio(as_program(case.system), team("pdr-ia"), Limits(30, jobs=2))
    assert answer.status == ("safe" if case.safe else "unsafe")


def test_both_of_a_team_take_part() -> None:
    answer = run_portfolio(as_program(CASES[0].system), team("pdr-ia"), Limits(30, jobs=2))
    assert {one.name for one in answer.participants} == {"pdr-ia", "pdr-ia#2"}


def test_the_engine_alone_ignores_the_number_of_workers() -> None:
    found = run_engine(as_program(CASES[0].system), "pdr-ia", pdr_ia.Options(workers=2), Context(Budget(20)))
    assert type(found).__name__ == "Safe"
