"""Counterexamples: confirmed by the interpreter, refused when tampered with, shown as a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.frontends import Program, ReplayFailed, load
from revet.frontends.kit.source_run import SourceRun
from revet.model.cfa import Edge
from revet.result import Unknown, Unsafe
from revet.result.trace import CfaTrace

TEXT = """\
type color;
const unique red, green: color;
var g: int;

procedure main(n: int)
  requires n > 2;
  modifies g;
{
  var c: color;
  g := n;
  if (*) { havoc c; }
  assume c == green;
  call bump(n);
  assert g <= n;
}

procedure bump(k: int)
  requires k > 0;
  modifies g;
{
  g := g + k;
}
"""


def found(folder: Path, text: str) -> tuple[Program, CfaTrace]:
    path = folder / "program.bpl"
    path.write_text(text)
    program = load([path])
    verdict = solve(program, "bmc", context=Context(budget=Budget(seconds=20))).verdict
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, CfaTrace)
    return program, verdict.trace


def test_a_run_is_shown(tmp_path: Path) -> None:
    program, trace = found(tmp_path, TEXT)
    assert trace.violated == "assert@14"
    (note,) = program.replay(trace)
    assert "interpreter" in note
    shown = program.render_trace(trace)
    assert "c = green" in shown
    assert "bump(k = " in shown
    assert shown.rstrip().endswith("program.bpl:14:3: the assertion does not hold")
    run = program.source_run(trace)
    assert isinstance(run, SourceRun)
    assert [step.position.line for step in run.steps if step.position][-1] == 14
    assert {step.function for step in run.steps} == {"main", "bump"}


def test_other_values_are_refused(tmp_path: Path) -> None:
    program, trace = found(tmp_path, TEXT)
    values = dict.fromkeys(trace.states[0], 0)
    with pytest.raises(ReplayFailed):
        program.replay(replace(trace, states=(values,) * len(trace.states), inputs=()))


def test_another_property_is_refused(tmp_path: Path) -> None:
    program, trace = found(tmp_path, TEXT.replace("assert g <= n;", "assert g <= n; assert g >= n;"))
    other = next(
        place for place in getattr(program.model, "errors", ()) if place.name != trace.violated
    )
    with pytest.raises(ReplayFailed, match="something else"):
        program.replay(replace(trace, locations=(*trace.locations[:-1], other)))


def test_missing_choices_are_refused(tmp_path: Path) -> None:
    program, trace = found(tmp_path, TEXT)
    with pytest.raises(ReplayFailed):
        short: tuple[Edge, ...] = trace.edges[2:]
        program.replay(replace(trace, edges=short, states=trace.states[2:], inputs=trace.inputs[2:]))


def test_requires_and_ensures_are_named(tmp_path: Path) -> None:
    program, trace = found(tmp_path, TEXT.replace("call bump(n)", "call bump(2 - n)"))
    assert trace.violated == "requires@13"
    assert "the requires of bump in line 18 does not hold" in program.replay(trace)[0]
    weak = TEXT.replace("requires k > 0;", "ensures g > old(g);").replace("assert g <= n;", "")
    program, trace = found(tmp_path, weak)
    assert trace.violated == "ensures@18"
    assert "the ensures of bump in line 18 does not hold" in program.replay(trace)[0]


def test_what_a_dropped_quantifier_would_exclude(tmp_path: Path) -> None:
    """The automaton does not know the axiom; the interpreter does not decide it: no answer."""
    path = tmp_path / "program.bpl"
    path.write_text("""
        const m: [int]int; axiom (forall i: int :: m[i] == 0);
        procedure main(k: int) { assert m[k] == 0; }""")
    program = load([path])
    assert any("forall" in note for note in program.assumptions)
    verdict = solve(program, "bmc", context=Context(budget=Budget(seconds=20))).verdict
    assert isinstance(verdict, Unknown) and "does not decide" in verdict.reason


def test_division_by_zero_is_in_the_run(tmp_path: Path) -> None:
    text = "procedure main(x: int, y: int) { assert x div y <= x || y < 0 || x < 0; }"
    program, trace = found(tmp_path, text)
    assert program.replay(trace)
    assert any("division by zero" in note for note in program.assumptions)


OVERAPPROXIMATED = """\
function {:overapproximation "shift"} shl(a: int, b: int) returns (r: int)BODY
procedure main(x: int) {
  var y: int;
  if (x > 3) { y := shl(x, 1); assert y >= 0; } else { FIRST }
}
"""


@pytest.mark.parametrize("body", [";", " { 0 - a }"])
@pytest.mark.parametrize(("first", "wanted"), [("y := 1;", "unknown"), ("y := 1; assert y > x;", "unsafe")])
@pytest.mark.parametrize("engine", ["bmc", "explore"])
def test_no_counterexample_rests_on_an_overapproximation(
    tmp_path: Path, engine: str, body: str, first: str, wanted: str
) -> None:
    """Only the branch that does not apply the function can be shown to fail."""
    file = tmp_path / "p.bpl"
    file.write_text(OVERAPPROXIMATED.replace("BODY", body).replace("FIRST", first))
    answer = solve(load([file]), engine, None, Context(Budget(3)))
    assert answer.status in ("unknown", wanted)
    if engine == "explore":
        assert answer.status == wanted
