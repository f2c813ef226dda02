"""Certificates as SMT-LIB queries: other solvers discharge them, and refuse those about another program."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from revet.api import check
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.report.obligations import smtlib_obligations
from revet.result.certificate import Exhausted, KInductive
from revet.result.verdict import Safe

SCRIPT = Path(__file__).parents[3] / "scripts" / "check-proof"

PROGRAMS = {
    "integers": """
node n(x: bool) returns (c: int);
let c = (if x then 1 else 0) + (0 -> pre c); check "up" c >= 0; tel
""",
    "words and records": """
type pair = struct { a: uint8; b: bool };
node n(x: bool) returns (p: pair);
let
  p = pair { a = (uint8 0) -> if x then pre p.a && (uint8 15) else pre p.a; b = x };
  check "small" p.a <= (uint8 15);
tel
""",
    "reals and enumerations": """
type color = enum { red, green };
node n(x: real) returns (y: real; c: color);
let
  y = 0.0 -> (if x > 1.0 then 0.5 * pre y else pre y);
  c = if y > 10.0 then red else green;
  check "cold" c = green;
tel
""",
}


def discharged(path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("engine", ["kind", "pdr-ia"])
def test_other_solvers_accept_the_queries(name: str, engine: str, tmp_path: Path) -> None:
    source, proof = tmp_path / "test.lus", tmp_path / "proof.smt2"
    source.write_text(PROGRAMS[name])
    answer = check(source, engine=engine, timeout=120)
    assert isinstance(answer.verdict, Safe), answer.reason
    assert isinstance(answer.program.model, TransitionSystem)
    text = smtlib_obligations(answer.program.model, answer.verdict.certificate)
    assert text is not None and text.count("(check-sat)") >= 3
    proof.write_text(text)
    done = discharged(proof)
    assert done.returncode == 0 and "all unsat" in done.stdout, done.stdout + done.stderr


def counter() -> TransitionSystem:
    x = b.var("x", INT)
    return TransitionSystem((x,), x.eq(b.integer(0)), Relation(x < 5, {x: x + 1}), {"low": x <= 5})


def test_wrong_certificates_are_not_discharged(tmp_path: Path) -> None:
    system = counter()
    (x,) = system.variables
    verdicts = {
        KInductive(x <= 5): 0,
        KInductive(b.and_(x <= 5, x >= 0), 2): 0,
        KInductive(x <= 4): 1,  # not inductive
        KInductive(b.TRUE): 1,  # does not imply the property
        KInductive(x >= 1): 1,  # not initial
        Exhausted(6): 0,
        Exhausted(5): 1,
        Exhausted(6, simple_path=True): 0,
        Exhausted(1, backward=True): 0,
    }
    for number, (certificate, status) in enumerate(verdicts.items()):
        proof = tmp_path / f"{number}.smt2"
        text = smtlib_obligations(system, certificate)
        assert text is not None
        proof.write_text(text)
        done = discharged(proof)
        assert done.returncode == status, (certificate, done.stdout, done.stderr)


def test_the_option_and_what_it_does_not_go_with(tmp_path: Path) -> None:
    source, proof = tmp_path / "test.lus", tmp_path / "proof.smt2"
    source.write_text(PROGRAMS["integers"].replace(
        "let", '(*@contract mode on (require x;); mode off (require not x;); *)\nlet'
    ))

    def revet(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "revet", "check", "-t", "100", *arguments, str(source)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    several = revet("--proof", str(proof))
    assert several.returncode == 2 and "name a property" in several.stderr
    one = revet("--proof", str(proof), "--property", "up", "-q")
    assert one.returncode == 0 and re.search(r"\(define-fun \|certificate\|", proof.read_text())
