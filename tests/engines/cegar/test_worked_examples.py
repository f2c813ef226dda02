"""*Model Checking*, lectures 3 and 4 (TU München), Examples 5 and 6, intermediate states included."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from revet.engines.cegar import Options, check
from revet.engines.cegar.art import Art
from revet.engines.cegar.graph import Graph
from revet.engines.cegar.predicates import PredicateAbstraction
from revet.engines.common.context import Context
from revet.events import Event, TreeBuilt
from revet.logic import build as b
from revet.logic.smtlib import print_script
from revet.logic.walk import conjuncts
from revet.model.cfa import Cfa
from revet.result import LocationInvariants, Safe, Unknown, Verdict
from revet.smt.z3 import Z3
from tests.models import AUTOMATA, X, Y, Z

RHO = Path(__file__).parents[3] / "examples" / "seeds" / "rho.cfa"
PROGRAM = next(tiny.model for tiny in AUTOMATA if tiny.name == "notes, program")
PREDICATES = [Y >= Z, X >= Y]
NOTES = Options(abstraction="cartesian", negations=False, explain=True, refine=False)


def alpha(formula: b.Term, predicates: list[b.Term], **options: object) -> tuple[b.Term, ...] | None:
    assert isinstance(PROGRAM, Cfa)
    chosen = Options(abstraction="cartesian", **options)  # type: ignore[arg-type]
    return PredicateAbstraction(Graph(PROGRAM), chosen, Z3(), Context()).abstract([formula], predicates)


def run(predicates: list[b.Term], **changed: object) -> tuple[Verdict, Art]:
    trees: list[Art] = []

    def observe(event: Event) -> None:
        if isinstance(event, TreeBuilt):
            trees.append(event.tree)

    options = replace(NOTES, predicates=print_script(predicates), **changed)  # type: ignore[arg-type]
    assert isinstance(PROGRAM, Cfa)
    return check(PROGRAM, options, Context(observe=observe)), trees[-1]


def test_example_5_the_entailed_predicates() -> None:
    """Where the notes conjoin at_l2 and y >= z, the location is the node's own."""
    assert alpha(b.and_(Y >= Z, X + 1 <= Y), PREDICATES, negations=False) == (Y >= Z,)


def test_example_5_without_predicates_or_entailment() -> None:
    assert alpha(b.and_(Y >= Z, X + 1 <= Y), [], negations=False) == ()
    assert alpha(b.TRUE, PREDICATES, negations=False) == ()


def test_example_5_with_negations_says_more() -> None:
    found = alpha(b.and_(Y >= Z, X + 1 <= Y), PREDICATES)
    assert found is not None and set(found) == {Y >= Z, b.not_(X >= Y)}


def test_false_is_the_abstraction_of_nothing() -> None:
    assert alpha(b.and_(X >= Y, X + 1 <= Y), PREDICATES) is None


def test_example_6_every_abstract_state() -> None:
    """phi_1 … phi_4 in the order of the notes; rho_2 leads back into phi_2, rho_5 to false."""
    verdict, tree = run(PREDICATES)
    assert isinstance(verdict, Safe)
    shown = [(node.location, set(node.state), node.parent, node.covered_by) for node in tree.nodes]
    assert shown == [
        ("l1", set(), None, None),
        ("l2", {Y >= Z}, 0, None),
        ("l2", {Y >= Z}, 1, 1),
        ("l3", {Y >= Z, X >= Y}, 1, None),
        ("l4", {Y >= Z, X >= Y}, 3, None),
    ]
    assert isinstance(verdict.certificate, LocationInvariants)
    found = {location.name: formula for location, formula in verdict.certificate.formulas.items()}
    assert found["l2"] is (Y >= Z) and found["l5"] is b.FALSE
    assert set(conjuncts(found["l3"])) == {Y >= Z, X >= Y}


@pytest.mark.parametrize("abstraction", ["cartesian", "boolean"])
def test_one_predicate_is_not_enough(abstraction: str) -> None:
    verdict, tree = run([Y >= Z], abstraction=abstraction, negations=True)
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "the predicates do not exclude the path l1 -> l2 -> l3 -> l5"
    assert [node.location for node in tree.nodes if node.error] == ["l5"]


def test_refinement_finds_what_is_missing() -> None:
    verdict, _ = run([Y >= Z], refine=True)
    assert isinstance(verdict, Safe)


# ---------------------------------------------------------------------- the command line


def revet(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "revet", "check", "--timeout", "60", *arguments, str(RHO)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_predicates_on_the_command_line() -> None:
    arguments = ("--engine", "cegar", "-O", "refine=false", "--explain", "-")
    done = revet("--predicates", "y >= z, x >= y", *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "verdict: safe"
    assert "3 l3: z <= y and y <= x" in done.stdout


def test_without_refinement_the_path_is_named() -> None:
    done = revet("--predicates", "y >= z", "--engine", "cegar", "-O", "refine=false")
    assert done.returncode == 3
    assert "do not exclude the path l1 -> l2 -> l3 -> l5" in done.stdout


@pytest.mark.parametrize(
    ("text", "column", "word"),
    [
        ("y >= ", 5, "expected"),
        ("y >= z, q >= 1", 9, "q"),
        ("y >= z, x + 1", 9, ""),
        ("y and z", 1, ""),
        ("y >= true", 1, ""),
        ("", 1, ""),
    ],
)
def test_bad_predicates_are_refused_with_the_place(text: str, column: int, word: str) -> None:
    done = revet("--predicates", text)
    assert done.returncode == 2, done.stdout + done.stderr
    first, line, caret = done.stderr.splitlines()
    assert first.startswith("revet: --predicates:1:") and word in first
    assert line == f"  {text}".rstrip() or line.strip() == text.strip()
    assert caret.strip() == "^" and caret.index("^") >= column + 1


def test_predicates_belong_to_cegar() -> None:
    done = revet("--predicates", "y >= z", "--engine", "bmc")
    assert done.returncode == 2 and "--predicates is for engine cegar" in done.stderr
