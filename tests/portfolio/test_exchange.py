"""Workers on the same model tell each other what they found, and nobody believes it unproved."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from revet.api import as_program
from revet.budget import Budget
from revet.driver.prepare import Preparation
from revet.driver.run import confirm, run_engine
from revet.engines.common.context import Context, Fact
from revet.engines.registry import engine
from revet.events import BoundReached, Event, InvariantFound, PredicateFound
from revet.frontends.registry import load
from revet.logic import build as b
from revet.portfolio import Configuration, Limits, run_portfolio
from revet.portfolio.exchange import model_key
from revet.result.certificate import KInductive
from revet.result.verdict import Safe, Unknown, Unsafe, Verdict
from tests.engines.systems import X, Y, system
from tests.portfolio import engines
from tests.portfolio.test_schedule import EXAMPLES

# The property follows from x = y only: no k is large enough without that.
TWINS = system(b.and_(X.eq(0), Y.eq(0)), {X: X + 1, Y: b.ite(X.eq(Y), Y + 1, Y)}, b.or_(X < 1000, Y >= 1000))
FOURTH = system(X.eq(0), {X: X + 1}, X.ne(4))
LOCKSTEP = """
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int main(void) {
  int x = 0, y = 0, n = __VERIFIER_nondet_int();
  while (x < n) { x++; if (x == y + 1) y++; }
  if (n >= 1000 && y < n) __VERIFIER_error();
}
"""
PLAIN = {"invariants": "false", "completeness": "false"}


def telling(*events: Event) -> Any:
    """An engine that only talks."""

    def check(model: Any, options: Any, context: Context) -> Verdict:
        while True:
            for event in events:
                context.observe(event)
            context.budget.poll()
            time.sleep(0.05)

    return check


def run(monkeypatch: pytest.MonkeyPatch, model: Any, *events: Event, exchange: bool = True) -> Any:
    engines.install(monkeypatch, "teller", telling(*events))
    two = [Configuration("teller", "teller"), Configuration("kind", "kind", PLAIN)]
    return run_portfolio(as_program(model), two, Limits(8, jobs=2, exchange=exchange))


def test_an_invariant_from_another_worker_is_proved_and_becomes_part_of_the_certificate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = run(monkeypatch, TWINS, InvariantFound("teller", X.eq(Y)))
    assert answer.status == "safe" and answer.engine == "kind"
    certificate = answer.verdict.certificate
    assert isinstance(certificate, KInductive) and certificate.k <= 3
    assert X.eq(Y) in (certificate.formula, *certificate.formula.args)


def test_a_false_fact_helps_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run(monkeypatch, FOURTH, InvariantFound("teller", X <= 2), BoundReached("teller", 50))
    assert answer.status == "unsafe"


def test_a_false_bound_is_no_wrong_answer() -> None:
    program = as_program(FOURTH)
    for name in ("kind", "bmc"):
        context = Context(budget=Budget(3), bound=lambda: 50)
        verdict, _ = confirm(program, run_engine(program, name, None, context), Budget(10))
        assert not isinstance(verdict, Safe)


def test_a_true_bound_saves_queries_and_finds_the_same_run() -> None:
    for name in ("kind", "bmc"):
        alone, helped = Context(), Context(bound=lambda: 3)
        for context in (alone, helped):
            verdict = run_engine(as_program(FOURTH), name, None, context)
            assert isinstance(verdict, Unsafe) and len(verdict.trace) == 4
        assert helped.stats.counts["queries"] < alone.stats.counts["queries"]


def test_pdr_ia_proves_before_it_believes() -> None:
    offered = [Fact(X.eq(Y)), Fact(Y <= 3), Fact(b.var("elsewhere", X.sort) > 0)]
    context = Context(budget=Budget(20), news=lambda: [offered.pop()] if offered else [])
    program = as_program(TWINS)
    verdict, checked = confirm(program, run_engine(program, "pdr-ia", None, context), Budget(20))
    assert isinstance(verdict, Safe) and checked is not None and checked.accepted


def test_predicates_go_from_one_refinement_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    def listening(model: Any, options: Any, context: Context) -> Verdict:
        while not context.predicates():
            context.budget.poll()
            time.sleep(0.05)
        return Unknown(f"heard of {context.predicates()}")

    engines.install(monkeypatch, "pdr-ia", telling(PredicateFound("pdr-ia", X <= Y)))
    engines.install(monkeypatch, "cegar", listening)
    engines.install(monkeypatch, "other", listening)
    three = [Configuration(name, name) for name in ("pdr-ia", "cegar", "other")]
    outcomes = {
        one.name: one.outcome
        for one in run_portfolio(as_program(TWINS), three, Limits(3, jobs=3)).participants
    }
    assert outcomes["cegar"] == f"heard of {[X <= Y]}" and outcomes["other"] == "time is up"


def test_a_predicate_of_another_ends_the_enumeration_of_values(tmp_path: Path) -> None:
    source = tmp_path / "lockstep.c"
    source.write_text(LOCKSTEP)
    program = load([source], {"property": "assertions"})
    x, y, *_ = program.model.variables
    context = Context(budget=Budget(30), predicates=lambda: [x.eq(y)])
    verdict, checked = confirm(program, run_engine(program, "cegar", None, context), Budget(20))
    assert isinstance(verdict, Safe) and checked is not None and checked.accepted
    assert context.stats.counts["refinements"] < 20  # 5; without it, as many as there is time for


def test_only_workers_on_the_same_model_exchange() -> None:
    def key(path: str, name: str, **how: bool) -> object:
        return model_key(load([EXAMPLES / path], {}).model, engine(name), Preparation(**how))

    spa, lustre = "spa/lock.spa", "lustre/speed.lus"
    assert key(spa, "kind") == key(spa, "pdr-ia") is not None
    assert key(spa, "pdr-cfa") is None and key(spa, "bmc") is None and key(spa, "pdr") is None
    assert key(spa, "kind") != key(spa, "kind", large_blocks=False)
    assert key(lustre, "kind") == key(lustre, "bmc") is not None
