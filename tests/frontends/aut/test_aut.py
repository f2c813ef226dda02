"""SPA's automata: what is read, what is refused and how, and the interpreter against evaluation."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from revet.frontends import ReplayFailed, load
from revet.model.cfa import Cfa
from tests.frontends.walks import EXAMPLES, message_of, mutants, program_of, random_run

EVERYTHING = """\
# every construct
All
{
    var x, y;
    var z;
    initial q0;
    final bad, worse;
    from q0
    | skip --> q1;
    | x := -x + 2*(y - 1) % 3 --> q1;
    | havoc z --> q1;
    from q1
    | x < y && !(z == 0) || x >= 3 --> q0;
    | not x != y and y <= 4 or x > 2 --> bad;
    | x = y / z --> worse;
}
"""


def test_every_construct(tmp_path: Path) -> None:
    cfa = program_of(tmp_path, "all.aut", EVERYTHING).model
    assert isinstance(cfa, Cfa)
    assert cfa.name == "All"
    assert [v.name for v in cfa.variables] == ["x", "y", "z"]
    assert [e.name for e in cfa.errors] == ["bad", "worse"]
    shown = [f"{e.source} -> {e.target}: {e} / {'; '.join(map(str, e.statements))}" for e in cfa.edges]
    assert shown == [
        "q0 -> q1: skip / ",
        "q0 -> q1: x := -x + 2*(y - 1) % 3 / x := -1*x + (2*y - 2) mod 3",
        "q0 -> q1: havoc z / havoc z",
        "q1 -> q0: x < y && !(z == 0) || x >= 3 / [x < y and z != 0 or 3 <= x]",
        "q1 -> bad: not x != y and y <= 4 or x > 2 / [x = y and y <= 4 or 2 < x]",
        "q1 -> worse: x = y / z / [z != 0 and x = y div z]",
    ]
    assert [(e.position.line, e.position.column) for e in cfa.edges if e.position] == [
        (9, 7), (10, 7), (11, 7), (13, 7), (14, 7), (15, 7),
    ]  # fmt: skip


def test_side_conditions_are_those_of_the_seed(tmp_path: Path) -> None:
    text = "A { var x, y, z, r; initial a; final b; from a | r := x/(y + 3/z) + z/(3 - x) --> b; }"
    program = program_of(tmp_path, "side.aut", text)
    assert isinstance(program.model, Cfa)
    guard, _ = program.model.edges[0].statements
    assert str(guard) == "[(z != 0 and y + 3 div z != 0) and -1*x + 3 != 0]"
    assert program.assumptions == (
        "an edge on which a division by zero would be evaluated cannot be taken",
    )


ERRORS = {
    "": "bad.aut: an empty file, not an automaton",
    "# only a comment\n": "bad.aut: an empty file, not an automaton",
    b"\x7fELF\x00\x01": "bad.aut: a binary file, not a program text",
    "A { var x; final q; }": "bad.aut:1:1: automaton A has no initial location\n  A { var x; final q; }\n  ^",
    "A { var x, x; initial q; }": (
        "bad.aut:1:12: variable x is declared twice\n  A { var x, x; initial q; }\n             ^"
    ),
    "A { var x'; initial q; }": (
        "bad.aut:1:9: a variable must not have ' @ ! in its name: x'\n  A { var x'; initial q; }\n          ^"
    ),
    "A { initial q; initial r; }": (
        "bad.aut:1:24: a second initial location\n  A { initial q; initial r; }\n                         ^"
    ),
    "A {\n  initial q;\n  from q\n  | y := 1 --> q;\n}": (
        "bad.aut:4:5: unknown variable y\n    | y := 1 --> q;\n      ^"
    ),
    "A {\n  var x;\n  initial q;\n  from q\n  | x := z + 1 --> q;\n}": (
        "bad.aut:5:10: unknown variable z\n    | x := z + 1 --> q;\n           ^"
    ),
    "A {\n  var x;\n  initial q;\n  from q\n  | x := x < 1 --> q;\n}": (
        "bad.aut:5:12: expected int, but this is of type bool\n    | x := x < 1 --> q;\n             ^"
    ),
    "A {\n  var x;\n  initial q;\n  from q\n  | x + 1 --> q;\n}": (
        "bad.aut:5:7: expected a condition, but this is of type int\n    | x + 1 --> q;\n        ^"
    ),
    "A {\n  var x;\n  initial q;\n  from q\n  | x > 1 -> q;\n}": (
        "bad.aut:5:12: expected an expression, found '>'\n    | x > 1 -> q;\n             ^"
    ),
    "A {\n  initial q;\n  from q\n  | skip --> q\n}": (
        "bad.aut:5:1: expected ';', found '}'\n  }\n  ^"
    ),
    "A { var x;": (
        "bad.aut:1:11: expected 'var' or 'initial' or 'final' or 'from' or '}', found the end of the input"
        "\n  A { var x;\n            ^"
    ),
    "A { initial q; }\nB": (
        "bad.aut:2:1: expected the end after the automaton, found 'B'\n  B\n  ^"
    ),
    "A { var é; }": "bad.aut:1:9: unexpected character 'é'\n  A { var é; }\n          ^",
}  # fmt: skip


@pytest.mark.parametrize("text", ERRORS, ids=range(len(ERRORS)))
def test_errors_point_at_the_place(tmp_path: Path, text: str | bytes) -> None:
    assert message_of(tmp_path, "bad.aut", text) == ERRORS[text]


@pytest.mark.parametrize("name", ["product", "graph_A", "transition_system_W_flipped"])
def test_error_runs_are_replayed_and_mutants_refused(name: str) -> None:
    program = load([EXAMPLES / "seeds" / f"{name}.aut"])
    assert isinstance(program.model, Cfa)
    rng = random.Random(1)
    confirmed = refused = 0
    for _ in range(200):
        trace = random_run(program.model, rng, 40)
        if trace.locations[-1] in program.model.errors:
            assert program.replay(trace) == [f"replayed {len(trace)} steps on the automaton as written"]
            confirmed += 1
            for mutant in mutants(trace, rng):
                # A variable that is havocked or overwritten next may have any value before.
                if not _is_run(program.model, mutant):
                    with pytest.raises(ReplayFailed):
                        program.replay(mutant)
                    refused += 1
        else:
            with pytest.raises(ReplayFailed):
                program.replay(trace)
    assert confirmed >= 10 and refused >= 10


def _is_run(cfa: Cfa, trace: object) -> bool:
    from revet.result.trace import CfaTrace
    from tests.frontends.walks import successor

    assert isinstance(trace, CfaTrace)
    steps = zip(trace.states, trace.edges, trace.states[1:], strict=False)
    return trace.locations[-1] in cfa.errors and all(
        successor(edge, before, after) == after for before, edge, after in steps
    )


def test_a_division_by_zero_is_not_replayed(tmp_path: Path) -> None:
    text = "A { var x; initial a; final b; from a | x := 1 / x --> b; }"
    program = program_of(tmp_path, "zero.aut", text)
    cfa = program.model
    assert isinstance(cfa, Cfa)
    (x,) = cfa.variables
    from revet.result.trace import CfaTrace

    trace = CfaTrace((cfa.initial, cfa.errors[0]), ({x: 0}, {x: 0}), cfa.edges)
    with pytest.raises(ReplayFailed, match="division by zero"):
        program.replay(trace)
