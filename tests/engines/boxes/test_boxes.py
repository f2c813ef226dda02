"""Boxes: programs with floats that a solver would turn into a million gates."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from revet.api import check
from revet.engines.boxes.intervals import apply, bits_of, middle, next_up, number_of
from revet.frontends.registry import load
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.sorts import FLOAT32, FLOAT64, Sort
from revet.result import Cases, Safe
from revet.result.files import read_evidence, write_evidence
from revet.result.serialize import dump_verdict, load_verdict

SINE = """
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);
float cube(float x) { return x * x * x; }
int main(void) {
  float x = __VERIFIER_nondet_float();
  __VERIFIER_assume(x > -1.5f && x < 1.5f);
  float sine = x - cube(x) / 6.0f + cube(x) * x * x / 120.0f;
  if (!(sine <= LIMIT && sine >= -LIMIT)) __VERIFIER_error();
  return 0;
}
"""
LOOP = """
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_error(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x >= 1.0 && x <= 2.0)) return 0;
  for (int i = 0; i < 4; i++) x = (x + 2.0 / x) / 2.0;
  if (BAD) __VERIFIER_error();
  return 0;
}
"""
ENDLESS = """
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int main(void) {
  float x = 1.0f;
  while (__VERIFIER_nondet_int()) x = x + __VERIFIER_nondet_float();
  if (x == 0.5f) __VERIFIER_error();
  return 0;
}
"""


def answer(text: str, tmp_path: Path) -> object:
    path = tmp_path / "program.c"
    path.write_text(text)
    return check(path, engine="boxes", timeout=60)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (SINE.replace("LIMIT", "1.1f"), "safe"),
        (SINE.replace("LIMIT", "0.9f"), "unsafe"),
        (LOOP.replace("BAD", "x < 1.3 || x > 1.6"), "safe"),
        (LOOP.replace("BAD", "x > 1.41421356"), "unsafe"),  # the root of 2 is
        (LOOP.replace("BAD", "x != x"), "safe"),
        (ENDLESS, "unknown"),
    ],
    ids=["sine", "sine is larger", "loop", "the loop is more exact", "no NaN", "loop on an input"],
)
def test_answers(text: str, status: str, tmp_path: Path) -> None:
    assert answer(text, tmp_path).status == status  # type: ignore[attr-defined]


def test_nan_is_a_case(tmp_path: Path) -> None:
    text = """
    extern double __VERIFIER_nondet_double(void);
    extern void __VERIFIER_error(void);
    int main(void) { double x = __VERIFIER_nondet_double(); if (x != x) __VERIFIER_error(); return 0; }
    """
    assert answer(text, tmp_path).status == "unsafe"  # type: ignore[attr-defined]


def test_the_tree_can_be_sent_and_saved(tmp_path: Path) -> None:
    found = answer(SINE.replace("LIMIT", "1.1f"), tmp_path)
    model, verdict = found.program.model, found.verdict  # type: ignore[attr-defined]
    assert isinstance(verdict, Safe) and isinstance(verdict.certificate, Cases)
    sent = load_verdict(dump_verdict(verdict, model), model)
    assert isinstance(sent, Safe) and isinstance(sent.certificate, Cases)
    assert sent.certificate.tree == verdict.certificate.tree
    write_evidence(tmp_path / "proof.json", verdict, model)
    read = read_evidence(tmp_path / "proof.json", load([tmp_path / "program.c"], {}).model)
    assert isinstance(read, Safe) and isinstance(read.certificate, Cases)
    assert read.certificate.tree == verdict.certificate.tree


@pytest.mark.parametrize("sort", [FLOAT32, FLOAT64], ids=["float", "double"])
def test_intervals_contain_what_is_computed(sort: Sort) -> None:
    choose = random.Random(7)
    x, y = b.var("x", sort), b.var("y", sort)
    operations = (b.fp_add, b.fp_sub, b.fp_mul, b.fp_div)
    for _ in range(3000):
        boxes = [interval(choose, sort) for _ in range(2)]
        points = [choose.choice([box[0], box[1], middle(box[0], box[1], sort)]) for box in boxes]
        node = choose.choice(operations)(x, y)
        low, high, nan = apply(node, [(*box, False) for box in boxes])
        bits = evaluate(node, {x: bits_of(points[0], sort), y: bits_of(points[1], sort)})
        assert isinstance(bits, int)
        value = number_of(bits, sort)
        assert nan if math.isnan(value) else low <= value <= high, (node, boxes, points)


def interval(choose: random.Random, sort: Sort) -> tuple[float, float]:
    scale = 10.0 ** choose.choice([-40, -3, 0, 0, 0, 3, 20])
    ends = [number_of(bits_of(choose.uniform(-scale, scale), sort), sort) for _ in range(2)]
    if choose.random() < 0.1:
        ends[choose.randrange(2)] = choose.choice([0.0, math.inf, -math.inf])
    return min(ends), max(ends)


@pytest.mark.parametrize("sort", [FLOAT32, FLOAT64], ids=["float", "double"])
def test_the_next_float(sort: Sort) -> None:
    for number in (-1.5, -1e-40 if sort is FLOAT64 else number_of(0x80000001, FLOAT32), 0.0, -0.0, 1.0):
        above = next_up(number, sort)
        assert number < above
        assert middle(number, above, sort) == number
