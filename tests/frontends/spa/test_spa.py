"""The small language: what is read, what is refused and how, interpreter against automaton."""

from __future__ import annotations

import random
import time
from collections import defaultdict, deque
from pathlib import Path
from typing import Any

import pytest

from revet.errors import UsageError
from revet.frontends import ReplayFailed, load
from revet.frontends.kit.parsing import Source
from revet.frontends.spa.interpret import Machine, SpaProgram
from revet.frontends.spa.lower import lower
from revet.frontends.spa.parser import parse
from revet.model.cfa import Cfa
from revet.result.trace import CfaTrace
from tests.frontends.spa.programs import random_program
from tests.frontends.walks import EXAMPLES, message_of, mutants, program_of, random_run, successor

EVERYTHING = """\
/* every
   construct */
int x, y = 2;
x = -y + 3 * (x - 1); // comment
skip;
havoc x;
if (x < y && !(x == 0) || nondet()) { x = 1; ; } else y = nondet() % 3;
while (*) x = x / y;
if (x != 2) { }
assume(true and not x > 5);
assert(x <= 3); assert(x >= -3);
"""


def test_every_construct(tmp_path: Path) -> None:
    cfa = program_of(tmp_path, "all.spa", EVERYTHING).model
    assert isinstance(cfa, Cfa)
    shown = [f"{e.source} -> {e.target}: {e} / {'; '.join(map(str, e.statements))}" for e in cfa.edges]
    assert shown == [
        "L3 -> L4: y = 2 / y := 2",
        "L4 -> L5: x = -y + 3 * (x - 1) / x := -1*y + 3*x - 3",
        "L5 -> L6: skip / ",
        "L6 -> L7: havoc x / havoc x",
        "L7 -> L7.2: [x < y && !(x == 0) || nondet()] / havoc nondet_1; [x < y and x != 0 or nondet_1]",
        ("L7 -> L7.3: [!(x < y && !(x == 0) || nondet())] / "
        "havoc nondet_1; [not (x < y and x != 0 or nondet_1)]"),
        "L7.2 -> L8: x = 1 / x := 1",
        "L7.3 -> L8: y = nondet() % 3 / havoc nondet_2; y := nondet_2 mod 3",
        "L8 -> L8.2: [*] / havoc nondet_3; [nondet_3]",
        "L8 -> L9: [!(*)] / havoc nondet_3; [not nondet_3]",
        "L8.2 -> L8: x = x / y / [y != 0]; x := x div y",
        "L9 -> L10: [x != 2] / [x != 2]",
        "L9 -> L10: [!(x != 2)] / [x = 2]",
        "L10 -> L11: assume(true and not x > 5) / [x <= 5]",
        "L11 -> L11.2: [x <= 3] / [x <= 3]",
        "L11 -> assert@11:1: [!(x <= 3)] / [3 < x]",
        "L11.2 -> end: [x >= -3] / [-3 <= x]",
        "L11.2 -> assert@11:17: [!(x >= -3)] / [x < -3]",
    ]
    assert [e.name for e in cfa.errors] == ["assert@11:1", "assert@11:17"]


def test_side_conditions_follow_the_order_of_evaluation(tmp_path: Path) -> None:
    program = program_of(tmp_path, "p.spa", "assert(x == 0 || 10 / x > 2 && y % x < 1 / y);")
    assert isinstance(program.model, Cfa)
    holds, fails = (e.statements[0] for e in program.model.edges)
    side = "(x = 0 or x != 0 and (10 div x <= 2 or x != 0 and y != 0))"
    assert str(holds).startswith(f"[{side} and ") and str(fails).startswith(f"[{side} and ")
    assert program.assumptions == ("a run that divides by zero stops there, without error",)


def test_division_as_in_c(tmp_path: Path) -> None:
    path = tmp_path / "c.spa"
    path.write_text("x = -7; q = x / 2; r = x % 2; assert(q == -3 && r == -1);")
    for division, violated in (("c", False), ("euclidean", True)):
        program = load([path], {"division": division})
        assert isinstance(program.model, Cfa)
        trace = random_run(program.model, random.Random(0), 10)
        assert (trace.locations[-1] in program.model.errors) is violated
    with pytest.raises(UsageError, match="division is euclidean or c, not floor"):
        load([path], {"division": "floor"})


ERRORS = {
    "": "bad.spa: an empty file, not a program",
    b"x\x00y": "bad.spa: a binary file, not a program text",
    "int x;\ny = 1;": "bad.spa:2:1: unknown variable y\n  y = 1;\n  ^",
    "int x;\nx = x + yy;": "bad.spa:2:9: unknown variable yy\n  x = x + yy;\n          ^",
    "int x, x;": "bad.spa:1:8: variable x is declared twice\n  int x, x;\n         ^",
    "x' = 1;": "bad.spa:1:1: a variable must not have ' @ ! in its name: x'\n  x' = 1;\n  ^",
    "x = y@2;": "bad.spa:1:5: a variable must not have ' @ ! in its name: y@2\n  x = y@2;\n      ^",
    "x = (y < 3);": "bad.spa:1:8: expected int, but this is of type bool\n  x = (y < 3);\n         ^",
    "if (x) skip;": "bad.spa:1:5: expected a condition, but this is of type int\n  if (x) skip;\n      ^",
    "assert(x && y > 1);": (
        "bad.spa:1:8: '&&' expects conditions, but this is of type int\n  assert(x && y > 1);\n         ^"
    ),
    "x = 1": "bad.spa:1:6: expected ';', found the end of the input\n  x = 1\n       ^",
    "x := 1;": "bad.spa:1:3: unexpected character ':'\n  x := 1;\n    ^",
    "while (x < 3) {\n  x = x + 1;\n": (
        "bad.spa:1:15: this '{' is never closed\n  while (x < 3) {\n                ^"
    ),
    "x = 1; }": "bad.spa:1:8: expected a statement, found '}'\n  x = 1; }\n         ^",
    "x = (1 + ;": "bad.spa:1:10: expected an expression, found ';'\n  x = (1 + ;\n           ^",
    "x = 1;\n/* open": "bad.spa:2:1: this comment is never closed\n  /* open\n  ^",
    "x = true + 1;": "bad.spa:1:10: '+' cannot combine bool and int\n  x = true + 1;\n           ^",
    " " * 5000 + "x = )" + " " * 100: (
        "bad.spa:1:5005: expected an expression, found ')'\n  " + " " * 76 + "x = )" + " " * 79 + "\n  "
        + " " * 80 + "^"
    ),
    "else x = 1;": "bad.spa:1:1: expected a statement, found 'else'\n  else x = 1;\n  ^",
    "x = " + "9" * 5000 + ";": (
        "bad.spa:1:5: a number of 5000 digits is too long\n  x = " + "9" * 156 + "\n      ^"
    ),
}


@pytest.mark.parametrize("text", ERRORS, ids=range(len(ERRORS)))
def test_errors_point_at_the_place(tmp_path: Path, text: str | bytes) -> None:
    assert message_of(tmp_path, "bad.spa", text) == ERRORS[text]


@pytest.mark.parametrize("seed", range(40))
def test_interpreter_agrees_with_the_automaton(seed: int) -> None:
    """On random programs: the same end of the run, the same values, error runs confirmed."""
    rng = random.Random(seed)
    for _ in range(10):
        text = random_program(rng)
        tree = parse(Source("random.spa", text))
        lowered = lower(tree, "random")
        for _ in range(5):
            trace = random_run(lowered.cfa, rng, 60, deterministic=True)
            _compare(tree, lowered, trace, text)


def _compare(tree: Any, lowered: Any, trace: CfaTrace, text: str) -> None:
    error = trace.locations[-1] in lowered.cfa.errors
    if error:
        assert SpaProgram(tree, lowered, Path("random.spa")).replay(trace)
        return
    draws: dict[Any, deque[Any]] = defaultdict(deque)
    for edge, after in zip(trace.edges, trace.states[1:], strict=True):
        for node, variable in lowered.draws.get(edge, ()):
            draws[node].append(after[variable])
    for node in lowered.sorts:  # a run that stops inside a statement has drawn for it already
        if node.op == "nondet":
            draws[node].append(0 if lowered.sorts[node].name == "Int" else False)
    if trace.locations[-1].name != "end" and len(trace) == 60:
        return
    state = {name: trace.states[0][v] for name, v in lowered.variables.items()}
    outcome = Machine(tree, lowered.sorts, state, draws, limit=1000).run()
    if trace.locations[-1].name == "end":
        assert outcome.stopped == "the program ends", text
        assert outcome.state == {name: trace.states[-1][v] for name, v in lowered.variables.items()}, text


@pytest.mark.parametrize("name", ["spa/countdown", "spa/lock", "seeds/rho"])
def test_error_runs_are_replayed_and_mutants_refused(name: str) -> None:
    program = load([EXAMPLES / f"{name}.spa"])
    cfa = program.model
    assert isinstance(cfa, Cfa)
    rng = random.Random(1)
    confirmed = 0
    for _ in range(300):
        trace = random_run(cfa, rng, 60)
        if trace.locations[-1] not in cfa.errors:
            with pytest.raises(ReplayFailed):
                program.replay(trace)
            continue
        notes = program.replay(trace)
        assert notes[0].startswith("the program was run: the assertion at ")
        confirmed += 1
        for mutant in mutants(trace, rng):
            shorter = len(mutant) < len(trace)
            first = successor(mutant.edges[0], mutant.states[0], mutant.states[1]) if mutant.edges else None
            if shorter or first is None:
                with pytest.raises(ReplayFailed):
                    program.replay(mutant)
    assert (confirmed >= 10) is (name == "spa/countdown")


def test_long_and_deep_programs(tmp_path: Path) -> None:
    long = "x = 0;\n" + "".join(f"x = x + {n % 7};\n" for n in range(20_000)) + "assert(x >= 0);\n"
    deep = (
        f"x = {'(' * 5000}y{')' * 5000};\n"
        + "if (x > 0) {" * 5000 + "x = 1;" + "}" * 5000
        + "while (x > 0) " * 5000 + "x = 1;"
        + f"assert(x >= {'-(' * 5000}1{')' * 5000});\n"
    )  # fmt: skip
    started = time.perf_counter()
    cfa = program_of(tmp_path, "long.spa", long).model
    assert isinstance(cfa, Cfa) and len(cfa.edges) == 20_003
    cfa = program_of(tmp_path, "deep.spa", deep).model
    assert isinstance(cfa, Cfa) and len(cfa.edges) == 20_005
    assert time.perf_counter() - started < 60
