"""The interpreter by itself: operators on values, and runs that are steered by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.interpret import Machine, Outcome
from revet.frontends.boogie.interpret_bits import bits
from revet.frontends.boogie.interpret_values import Key
from revet.frontends.boogie.parser import parse
from revet.frontends.boogie.types import check
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.values import ArrayValue


class Given:
    """Answers with what is in a list; constants and globals by name; unknown maps are zero."""

    def __init__(self, answers: Sequence[Any], start: dict[str, Any] | None = None) -> None:
        self.answers = list(answers)
        self.start = start or {}

    def initial(self, variable: s.Variable) -> Any:
        return self.start[variable.name]

    def unknown(self, key: Key, at: s.Expr) -> Any:
        return ArrayValue(7)

    def entry(self, among: Sequence[s.Procedure]) -> s.Procedure:
        return among[0]

    def value(self, variable: s.Variable) -> Any:
        return self.answers.pop(0)

    def way(self, statement: s.Statement, count: int) -> int:
        way: int = self.answers.pop(0)
        return way

    def witnesses(self) -> list[tuple[s.Quantifier, tuple[Any, ...]]]:
        return []

    def amend(self, read: Mapping[s.Variable, Any]) -> None:
        return None


def run(folder: Path, text: str, answers: Sequence[Any] = (), start: dict[str, Any] | None = None) -> Outcome:
    path = folder / "program.bpl"
    path.write_text(text)
    return Machine(check(parse(path)), Given(answers, start), limit=1000).run()


@pytest.mark.parametrize(
    ("expression", "type", "value"),
    [
        ("7 div -2", "int", -3), ("-7 div 2", "int", -4), ("-7 mod -2", "int", 1), ("5 div 0", "int", 7),
        ("1.0 / 3.0 + 0.5", "real", Fraction(5, 6)), ("int(0.0 - 1.5)", "int", -2), ("real(3)", "real", 3),
        ("(if 1 < 2 then 3 else 4)", "int", 3), ("true ==> 1 == 2", "bool", False),
        ("3bv4 ++ 1bv4", "bv8", 49), ("49bv8[6:4]", "bv2", 3), ("false <==> 1 > 2", "bool", True),
    ],
)
def test_values(tmp_path: Path, expression: str, type: str, value: Any) -> None:
    text = f"procedure main() returns (r: {type}) {{ r := {expression}; assert r != r; }}"
    path = tmp_path / "program.bpl"
    path.write_text(text)
    machine = Machine(check(parse(path)), Given([0]), limit=100)
    assert machine.run().kind == "violated"
    (found,) = {v for x, v in machine.frames[0].values.items() if x.name == "r"}
    assert found == value


OPERATORS = ["add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "smod", "and", "or", "xor"]
COMPARISONS = ["ult", "ule", "slt", "sle"]


@pytest.mark.parametrize("name", [*OPERATORS, "shl", "lshr", "ashr", *COMPARISONS])
def test_bits_as_the_logic_has_them(name: str) -> None:
    """Two implementations that know nothing of each other, on all pairs of three bits."""
    for one in range(8):
        for two in range(8):
            term = getattr(b, f"bv{name}")(b.var("x", b.bv(0, 3).sort), b.var("y", b.bv(0, 3).sort))
            state = {b.var("x", b.bv(0, 3).sort): one, b.var("y", b.bv(0, 3).sort): two}
            assert bits(f"bv{name}", (), [one, two], [3, 3]) == evaluate(term, state), (one, two)


def test_a_blocked_run(tmp_path: Path) -> None:
    outcome = run(tmp_path, "procedure main(x: int) { assume x > 0; assert false; }", [0])
    assert (outcome.kind, outcome.at.line) == ("blocked", 1)


def test_where_is_checked(tmp_path: Path) -> None:
    text = "procedure main() { var x: int where x > 0; havoc x; assert false; }"
    assert run(tmp_path, text, [0]).kind == "blocked"
    assert run(tmp_path, text, [1, 0]).kind == "blocked"
    assert run(tmp_path, text, [1, 1]).kind == "violated"


def test_unique_is_checked(tmp_path: Path) -> None:
    text = "const unique a: int; const unique b: int; procedure main() { assert false; }"
    assert run(tmp_path, text, start={"a": 1, "b": 1}).kind == "blocked"
    assert run(tmp_path, text, start={"a": 1, "b": 2}).kind == "violated"


def test_ways(tmp_path: Path) -> None:
    text = """procedure main() returns (r: int) ensures r == 5; {
        r := 0; while (*) { r := r + 2; } if (*) { goto a, b; } return; a: r := r + 1; b: }"""
    assert run(tmp_path, text, [9, 0, 0, 1, 0, 0]).kind == "ended"  # twice round, then a
    assert run(tmp_path, text, [9, 0, 0, 1, 0, 1]).kind == "violated"  # then b
    assert run(tmp_path, text, [9, 0, 1, 1]).kind == "violated"


def test_a_contract_is_obeyed(tmp_path: Path) -> None:
    text = """var g: int; procedure main() modifies g; { var y: int; call y := p(*); assert y == 1; }
        procedure p(x: int) returns (r: int); requires x > 0; modifies g; ensures g == old(g) + x;"""
    assert run(tmp_path, text, [5, 0], {"g": 1}).failure  # y, x: requires
    assert run(tmp_path, text, [5, 2, 9, 1], {"g": 1}).kind == "blocked"  # g is 9, not 3
    assert run(tmp_path, text, [5, 2, 3, 1], {"g": 1}).kind == "ended"
    assert run(tmp_path, text, [5, 2, 3, 2], {"g": 1}).kind == "violated"


def test_a_run_without_end(tmp_path: Path) -> None:
    assert run(tmp_path, "procedure main() { while (true) { } }").kind == "limit"


def test_runs_that_would_take_all_memory(tmp_path: Path) -> None:
    squares = "procedure main() { var x: int; x := 3; while (true) { x := x * x; } }"
    assert "grows" in run(tmp_path, squares, [0]).message
    path = tmp_path / "deep.bpl"
    path.write_text("procedure p() { call p(); }")
    outcome = Machine(check(parse(path)), Given([]), limit=10**6).run()
    assert (outcome.kind, outcome.message) == ("limit", "calls are nested too deep")
