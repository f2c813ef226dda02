"""Contracts for recursive procedures: found by the engine, checked by the checker, and not too easily."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.driver import solve
from revet.driver.answer import Answer
from revet.engines import summaries
from revet.engines.common.context import Context
from revet.errors import InputError, ModelError
from revet.frontends.c import load
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.logic.terms import TRUE
from revet.model.cfa import Cfa, Edge, Location
from revet.model.procedures import Call, Contract, Procedure, Procedures, at_entry
from revet.model.statements import Assign, Assume, Havoc
from revet.result.certificate import ProcedureContracts
from revet.result.files import read_evidence, write_evidence
from revet.result.serialize import dump_verdict, load_verdict
from revet.result.verdict import Safe

X, N, R, G = (b.var(name, INT) for name in ("x", "n", "r", "g"))
ENTRY, DONE, ASK, GOT = (Location(f"f:{name}") for name in ("entry", "exit", "ask", "got"))
START, CALL, BACK, END, BAD = (Location(f"main:{name}") for name in ("start", "call", "back", "end", "bad"))


def countdown(wrong: int = 0, counted: bool = True) -> Procedures:
    """``f(n) { g = g + 1; return n <= 0 ? 0 : f(n - 1) + 1; }``, called with n >= 0, returns n.

    ``counted``: the number of calls is asked for, too.
    """
    miscounted = b.not_(G.eq(N + 1)) if counted else b.FALSE
    f = Procedure(
        "f",
        Cfa((G, N, R, X), (ENTRY, DONE, ASK, GOT), (
            Edge(ENTRY, DONE, (Assume(N <= 0), Assign(G, G + 1), Assign(R, b.integer(0)))),
            Edge(ENTRY, ASK, (Assume(N > 0), Assign(G, G + 1))),
            Edge(GOT, DONE, (Assign(R, X + 1),)),
        ), ENTRY, name="f"),
        DONE, (N,), (R,), (Call(ASK, GOT, "f", (N - 1,), (X,)),),
    )
    main = Procedure(
        "main",
        Cfa((G, N, X), (START, CALL, BACK, END, BAD), (
            Edge(START, CALL, (Havoc(N), Assume(N >= 0), Assign(G, b.integer(0)))),
            Edge(BACK, BAD, (Assume(b.or_(b.not_(X.eq(N + wrong)), miscounted)),)),
            Edge(BACK, END, ()),
        ), START, (BAD,), name="main"),
        END, (), (), (Call(CALL, BACK, "f", (N,), (X,)),),
    )
    return Procedures((G,), {"main": main, "f": f}, "main")


def proof() -> ProcedureContracts:
    entry_n, entry_g = at_entry(N), at_entry(G)
    told = b.and_(N.eq(entry_n), entry_n > 0, G.eq(entry_g + 1))
    return ProcedureContracts(
        {"f": Contract(N >= 0, b.and_(R.eq(entry_n), G.eq(entry_g + entry_n + 1)))},
        {
            "f:ask": told,
            "f:got": b.and_(X.eq(entry_n - 1), G.eq(entry_g + entry_n + 1)),
            "main:back": b.and_(X.eq(N), G.eq(N + 1)),
        },
    )


def test_a_proof_by_hand_is_accepted() -> None:
    report = check_certificate(countdown(), proof(), Budget(20))
    assert report.accepted, report


def test_the_engine_finds_contracts_that_pass_the_checker() -> None:
    verdict = summaries.check(countdown(), summaries.Options(), Context(Budget(30)))
    assert isinstance(verdict, Safe)
    assert check_certificate(countdown(), verdict.certificate, Budget(20)).accepted


@pytest.mark.parametrize("wrong", [0, 1])
def test_contracts_are_guessed(wrong: int) -> None:
    program = countdown(wrong, counted=False)
    found = summaries.check(program, summaries.Options(guesses=True), Context(budget=Budget(60)))
    assert isinstance(found, Safe) is (wrong == 0)
    if isinstance(found, Safe):
        assert check_certificate(program, found.certificate).accepted


def test_a_wrong_program_is_not_proved() -> None:
    verdict = summaries.check(countdown(1), summaries.Options(), Context(Budget(30)))
    assert not isinstance(verdict, Safe)
    assert not check_certificate(countdown(1), proof(), Budget(20)).accepted


@pytest.mark.parametrize("contract", [
    Contract(TRUE, b.and_(R.eq(at_entry(N)), G.eq(at_entry(G) + at_entry(N) + 1))),  # f(-3) returns 0
    Contract(N >= 1, b.and_(R.eq(at_entry(N)), G.eq(at_entry(G) + at_entry(N) + 1))),  # called with 0
    Contract(N >= 0, R.eq(at_entry(N))),  # says nothing of g
    Contract(N >= 0, b.FALSE),  # f never returns
    Contract(b.FALSE, b.FALSE),  # f is never called
])
def test_contracts_that_do_not_hold_or_do_not_suffice_are_rejected(contract: Contract) -> None:
    changed = replace(proof(), contracts={"f": contract})
    assert check_certificate(countdown(), changed, Budget(20)).status == "rejected"


@pytest.mark.parametrize("contracts", [
    {"g": Contract()}, {"main": Contract(b.FALSE)}, {"f": Contract(X > 0)}, {"f": Contract(TRUE, N > 0)},
])
def test_malformed_contracts_are_rejected(contracts: dict[str, Contract]) -> None:
    report = check_certificate(countdown(), replace(proof(), contracts=contracts), Budget(20))
    assert (report.status, report.condition) == ("rejected", "form")


def test_contracts_travel_between_processes() -> None:
    model = countdown().procedures["main"].cfa
    verdict = load_verdict(dump_verdict(Safe(proof()), model), model)
    assert isinstance(verdict, Safe)
    assert check_certificate(countdown(), verdict.certificate, Budget(20)).accepted


def test_contracts_are_saved_and_read(tmp_path: Path) -> None:
    model = countdown().procedures["main"].cfa
    write_evidence(tmp_path / "contracts.json", Safe(proof()), model)
    with pytest.raises(InputError, match="recursive procedures"):
        read_evidence(tmp_path / "contracts.json", model)
    verdict = read_evidence(tmp_path / "contracts.json", model, countdown)
    assert isinstance(verdict, Safe)
    assert check_certificate(countdown(), verdict.certificate, Budget(20)).accepted


def test_calls_must_fit() -> None:
    program = countdown()
    f = program.procedures["f"]
    bad = replace(f, calls=(Call(ASK, GOT, "f", (), (X,)),))
    with pytest.raises(ModelError, match="does not fit"):
        Procedures((G,), {**program.procedures, "f": bad}, "main")


HEAD = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n"
SUM = """int sum(int n, int m) { if (n <= 0) return m + n; return sum(n - 1, m + 1); }
int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); if (a < 0) return 0;
  if (sum(a, b) != a + b%s) reach_error(); return 0; }"""
EVEN = """int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; int r = even(n);
  if (r < 0 || r > 1) reach_error(); return 0; }"""
GLOBAL = """int depth; void down(int n) { depth++; if (n > 0) { down(n - 1); } depth--; }
int main(void) { down(__VERIFIER_nondet_int()); if (depth != 0) reach_error(); return 0; }"""
INSIDE = """void down(int n) { if (n < 0) reach_error(); if (n > 0) down(n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); if (n %s 0) down(n); return 0; }"""
POINTER = """void down(int *n) { if (*n > 0) { *n = *n - 1; down(n); } }
int main(void) { int n = __VERIFIER_nondet_int(); down(&n); if (n > 0) reach_error(); return 0; }"""

ACTIVATIONS = """int f(int n, int *p) { int x; if (n == 0) return p == &x; return f(n - 1, &x); }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) return 0;
  if (f(n, 0) != 1) reach_error(); return 0; }"""


def answer(folder: Path, text: str, engine: str = "summaries") -> Answer:
    path = folder / "program.c"
    path.write_text(HEAD + text)
    program = load([path], {"data_model": "lp64", "property": "assertions"})
    return solve(program, engine, context=Context(budget=Budget(30)))


PROVED = {"sum": SUM % "", "even": EVEN, "global": GLOBAL, "inside": INSIDE % ">="}


@pytest.mark.parametrize("text", PROVED.values(), ids=PROVED)
def test_recursive_programs_are_proved(tmp_path: Path, text: str) -> None:
    found = answer(tmp_path, text)
    assert found.status == "safe", found.reason
    assert answer(tmp_path, text, "bmc").status == "unknown"  # a bounded unrolling cannot


@pytest.mark.parametrize("text", [SUM % " + 1", INSIDE % "<"], ids=["sum", "inside"])
def test_wrong_recursive_programs_are_not(tmp_path: Path, text: str) -> None:
    assert answer(tmp_path, text).status == "unknown"
    assert answer(tmp_path, text, "bmc").status == "unsafe"


def test_memory_is_left_to_others(tmp_path: Path) -> None:
    found = answer(tmp_path, POINTER)
    assert found.status == "unknown"
    assert found.reason is not None and "memory" in found.reason


def test_every_activation_has_its_own_variables(tmp_path: Path) -> None:
    found = answer(tmp_path, ACTIVATIONS)
    assert found.status == "unknown"
    assert found.reason is not None and "addresses of their variables" in found.reason
    assert answer(tmp_path, ACTIVATIONS, "bmc").status == "unsafe"
