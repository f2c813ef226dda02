"""Realizability: against exhaustive search, and the two kinds of evidence."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from revet.analyses.game import solve
from revet.analyses.realizability import Realizability, check_realizability
from revet.budget import Budget
from revet.checker.game import check_game
from revet.frontends.lustre import read
from revet.frontends.lustre.contract_game import ContractLowering
from revet.logic import build as b
from revet.model.game import SafetyGame
from revet.result.game import Losing, Viable
from revet.smt.z3 import Z3
from tests.frontends.lustre.random_contracts import Contracts

COUNT = int(os.environ.get("REVET_RANDOM_CONTRACTS", "40"))


def answers(folder: Path, text: str) -> dict[str, Realizability]:
    path = folder / "test.lus"
    path.write_text(text)
    return {found.node: found for found in check_realizability(path, timeout=60)}


@pytest.mark.parametrize("seed", range(COUNT))
def test_random_contracts(seed: int, tmp_path: Path) -> None:
    contract = Contracts(seed).contract()
    found = answers(tmp_path, contract.text)
    words = {True: "realizable", False: "unrealizable"}
    assert found["n"].status == words[contract.realizable()], contract.text
    assert found["environment of n"].status == words[contract.has_environment()], contract.text


def test_refined_outputs_types_and_free_constants(tmp_path: Path) -> None:
    found = answers(tmp_path, """
        type Some = subtype { x: int | x > 0 };
        type None = subtype { x: int | x > 0 and x < 0 };
        const p: Some;
        const q: subtype { x: int | x > p and x < p + 2 };
        node imported open(x: int) returns (y: int | 0 <= y and y <= x);
        node imported closed(x: int | x >= 0) returns (y: int | 0 <= y and y <= x);
        """)
    assert {name: one.status for name, one in found.items()} == {
        "open": "unrealizable", "closed": "realizable", "environment of closed": "realizable",
        "constant p": "realizable",
        "constant q": "realizable", "type Some": "realizable", "type None": "unrealizable",
    }


def test_any_and_choose_and_callers(tmp_path: Path) -> None:
    found = answers(tmp_path, """
        node main(a: int; b: int | a <= b) returns (z: int);
        con assume true -> a > pre z; noc
        let
          z = any { x: int | a <= x and x <= b } + choose { x: int | x < a and x > a - 1 } + any@<int>;
        tel
        node stuck(x: int) returns (); con assume x > (0 -> pre x); assume x < 10; noc let tel
        """)
    statuses = {name.split(" at ")[0]: one.status for name, one in found.items()}
    assert statuses == {
        "main": "realizable", "environment of main": "realizable", "any": "realizable",
        "choose": "unrealizable", "stuck": "realizable", "environment of stuck": "unrealizable",
    }


LIFT = """
node imported lift(up, down: bool) returns (floor: int);
(*@contract
  assume not (up and down);
  guarantee "start" floor = 1 -> true;
  guarantee "range" 0 <= floor and floor <= 3;
  guarantee "up" true -> (up => floor = pre floor + 1);
  guarantee "down" true -> (down => floor = pre floor - 1);
*)
"""
CAREFUL = LIFT.replace(
    "assume not",
    "assume true -> (pre floor >= 3 => not up) and (pre floor <= 0 => not down); assume not",
)


def test_a_deadlocking_run(tmp_path: Path) -> None:
    found = answers(tmp_path, LIFT)["lift"]
    assert found.status == "unrealizable" and found.run is not None
    assert "range" in found.conflicting and {"up", "down"} & set(found.conflicting)
    floors = found.run.data()["outputs"]["floor"]
    assert floors[0] == "1" and floors[-1] == "" and len(floors) in (3, 4)


def test_an_assumption_about_the_past_makes_it_realizable(tmp_path: Path) -> None:
    assert answers(tmp_path, CAREFUL)["lift"].status == "realizable"


def test_outputs_cannot_know_the_future(tmp_path: Path) -> None:
    """Every sequence of inputs has fitting outputs; but the answer is due before the input is known."""
    found = answers(tmp_path, """
node imported oracle(x: bool) returns (y: bool);
(*@contract guarantee true -> (x = pre y); *)
""")["oracle"]
    assert found.status == "unrealizable" and found.conflicting == ("guarantee of line 3",)


def test_modes_ghosts_and_reals(tmp_path: Path) -> None:
    text = """
node count(x: bool) returns (n: int);
let n = (if x then 1 else 0) + (0 -> pre n); tel
contract c(x: bool; r: real) returns (y: real; k: int);
let
  var seen: int = count(x);
  guarantee k >= seen;
  mode on ( require x; ensure y > r; );
  mode off ( require not x; ensure y < r; ensure 2.0 * y > r; );
tel
node imported m(x: bool; r: real) returns (y: real; k: int);
(*@contract import c(x, r) returns (y, k); *)
node imported positive(x: bool; r: real) returns (y: real; k: int);
(*@contract assume r > 0.0; import c(x, r) returns (y, k); *)
"""
    found = answers(tmp_path, text)
    assert found["m"].status == "unrealizable"
    assert found["positive"].status == "realizable"


def test_bodies_play_no_part_and_machine_integers(tmp_path: Path) -> None:
    text = """
node bad(x: uint8) returns (y: uint8);
(*@contract guarantee y > x; *)
let y = x; tel
node good(x: uint8) returns (y: uint8);
(*@contract guarantee y >= x; *)
let y = uint8 0; tel
"""
    found = answers(tmp_path, text)
    assert found["bad"].status == "unrealizable"
    assert found["good"].status == "realizable"


@pytest.mark.parametrize("contract", [
    "guarantee y = any { z: int | z > x };",
    "var g: int = choose { z: int | z > x }; guarantee y = g;",
    "guarantee forall (k: int) y * k = 0;",
])
def test_what_is_not_understood_is_not_answered(contract: str, tmp_path: Path) -> None:
    found = answers(tmp_path, f"node imported n(x: int) returns (y: int);\n(*@contract {contract} *)\n")["n"]
    assert found.status == "unknown" and "test.lus:" in found.reason


def game_of(folder: Path, text: str) -> SafetyGame:
    path = folder / "test.lus"
    path.write_text(text)
    program = read(path)
    return ContractLowering(program, program.nodes[0]).game()


def test_forged_evidence_is_refused(tmp_path: Path) -> None:
    bad, good = game_of(tmp_path, LIFT), game_of(tmp_path, CAREFUL)
    lost, kept = solve(bad, Z3(), Budget(60)), solve(good, Z3(), Budget(60))
    assert isinstance(lost, Losing) and isinstance(kept, Viable)

    def accepted(game: SafetyGame, evidence: Losing | Viable) -> bool:
        return check_game(game, evidence, Z3()).accepted

    assert accepted(bad, lost) and accepted(good, kept)
    assert not accepted(good, lost) and not accepted(bad, kept)
    assert not accepted(good, Viable(b.TRUE)) and not accepted(good, Viable(b.FALSE))
    assert not accepted(bad, replace(lost, regions=lost.regions[-1:]))
    assert not accepted(bad, replace(lost, inputs=lost.inputs[:-1]))
    shorter = replace(lost, states=lost.states[:-1], inputs=lost.inputs[:-1], outputs=lost.outputs[:-1])
    assert not accepted(bad, shorter)
    everywhere = replace(lost, regions=(replace(lost.regions[0], states=b.TRUE), *lost.regions[1:]))
    assert not accepted(bad, everywhere)
