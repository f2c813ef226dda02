"""Recursive functions, lemmas, ``decreases``: proofs by induction over measures, runs by recursion."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from revet.api import check
from revet.errors import InputError
from revet.frontends.kit.deep import at_any_depth
from revet.frontends.lustre import read
from revet.frontends.lustre.interpret import run

FACTORIAL = """
function rec Fact(n: int) returns (f: int);
con assume n >= 0; guarantee "positive" f >= 1; decreases n; noc
let f = when n = 0 then 1 else n * Fact(n - 1); tel
"""
SUM = """
function rec Sum(n: int) returns (s: int);
con assume n >= 0; decreases n; noc
let s = when n = 0 then 0 else n + Sum(n - 1); tel
"""
EVEN = """
type Nat = subrange [0, *] of int;
function rec Even(n: Nat) returns (e: bool);
con decreases n; noc
let e = when n = 0 then true else Odd(n - 1); tel
function rec Odd(n: Nat) returns (o: bool);
con decreases n; noc
let o = when n = 0 then false else Even(n - 1); tel
"""
LISTS = """
datatype L = Nil | Cons(head: int, tail: L);
function rec Len(l: L) returns (n: int);
con guarantee n >= 0; decreases l; noc
let n = match l with | Nil: 0 | Cons(a, b): 1 + Len(b) end; tel
"""
SAFE = {
    "a contract by induction": FACTORIAL,
    "constant arguments": FACTORIAL + "node m() returns (); let check Fact(5) = 120; tel",
    "a stream that computes the same": SUM + """
node m() returns (k, t: int);
let k = 0 -> pre k + 1; t = 0 -> pre t + k; check k >= 0; check t = Sum(k); tel""",
    "a family, and a lemma about it": EVEN + """
lemma Parity(a, b: Nat)
con
  guarantee Odd(a) and Odd(b) ==> Even(a + b);
  guarantee Even(a) and Odd(b) ==> Odd(a + b);
  decreases a;
noc
let when a > 0 then Parity(a - 1, b); else auto; end tel
node m(x, y: Nat) returns (); let Parity(x, y); check Odd(x) and Odd(y) => Even(x + y); tel""",
    "lists": LISTS + """
function rec Append(l, m: L) returns (r: L);
con guarantee Len(r) = Len(l) + Len(m); decreases l; noc
let r = match l with | Nil: m | Cons(a, b): Cons(a, Append(b, m)) end; tel
node m(l: L) returns (); let check Len(Cons(1, l)) = 1 + Len(l); check Len(Append(l, l)) = 2 * Len(l); tel""",
    "two measures": """
type Nat = subrange [0, *] of int;
function rec Ack(m, n: Nat) returns (r: Nat);
con decreases m, n; noc
let r = when m = 0 then n + 1 else when n = 0 then Ack(m - 1, 1) else Ack(m - 1, Ack(m, n - 1)); tel
node main() returns (); let check Ack(1, 1) = 3; tel""",
}
UNSAFE = {
    "a wrong value": FACTORIAL + 'node m() returns (); let check "p" Fact(5) = 119; tel',
    "an assumption at a call": SUM + 'node m(x: int) returns (); let check "p" Sum(x) = Sum(x); tel',
    "a guarantee": FACTORIAL.replace("f >= 1", "f <= 5"),
    "no end below zero": FACTORIAL.replace("assume n >= 0;", ""),
    "no decrease": SUM.replace("Sum(n - 1)", "Sum(n)"),
    "no decrease of a list": LISTS.replace("Len(b)", "Len(l)"),
    "no decrease in a family": EVEN.replace("Even(n - 1)", "Even(n)"),
    "a lemma whose hypothesis is itself": """
lemma Bad(a: int)
con guarantee 1 = 0; decreases a; noc
let Bad(a); tel""",
    "a function that contradicts itself": """
function rec Loop(n: int) returns (r: int);
con guarantee r > n and r < n; decreases n; noc
let r = 1 + Loop(n); tel
node m(k: int) returns (); let check k = 0; check Loop(k) = 0; tel""",
    "a lemma that is used where it does not hold": """
lemma Positive(n: int)
con assume n > 0; guarantee n * n > 0; noc
let tel
node m(x: int) returns (); let Positive(x); check x > 0 => x * x > 0; tel""",
}
REFUSED = {
    "function f(n: int) returns (y: int); let y = f(n); tel": "node f calls itself",
    "function rec f(n: int) returns (y: int); let y = f(n); tel": "what 'decreases'",
    "function rec f(n: real) returns (y: int); con decreases n; noc let y = f(n); tel": "this is a real",
    "function f(n: int) returns (y: int); con decreases n; noc let y = n; tel": "'decreases' is for",
    "function rec f(n: int) returns (y: int); con guarantee f(n) = y; decreases n; noc let y = f(n); tel":
        "the contract of f calls f",
    "node rec f(n: int) returns (y: int); let y = n; tel": "'rec' is for functions",
    "node n(x: int) returns (); let n(x); tel": "there is no lemma n",
}


def written(folder: Path, text: str) -> Path:
    path = folder / "test.lus"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", SAFE)
def test_proofs(name: str, tmp_path: Path) -> None:
    answer = check(written(tmp_path, SAFE[name]), timeout=120)
    assert answer.status == "safe", answer.reason


@pytest.mark.parametrize("name", UNSAFE)
def test_violations_are_confirmed(name: str, tmp_path: Path) -> None:
    answer = check(written(tmp_path, UNSAFE[name]), timeout=120)
    assert answer.status == "unsafe", answer.reason


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"test\.lus:\d+:\d+: ") as caught:
        read(written(tmp_path, text))
    assert REFUSED[text] in str(caught.value)


BOGUS = """
lemma Bogus(n: int)
con guarantee "wrong" n > 100; noc
let tel
node m(x: int) returns (); let Bogus(x); check "p" x > 100; check reachable "r" x = 7; tel
"""


def test_no_property_is_safe_by_a_lemma_that_is_not(tmp_path: Path) -> None:
    """Also if it is asked about alone; what is to be reached does without the lemma."""
    path = written(tmp_path, BOGUS)
    assert check(path, property="p", timeout=60).status == "unsafe"
    assert check(path, property="r", timeout=60).status == "safe"


def test_the_interpreter_computes(tmp_path: Path) -> None:
    text = SUM + "node m(x: int) returns (y: int); let y = Sum(x) + Sum(3); tel"
    rows = at_any_depth(run)(read(written(tmp_path, text)), [{"x": n} for n in (0, 1, 10, 300)])
    assert [row["y"] for row in rows] == [n * (n + 1) // 2 + 6 for n in (0, 1, 10, 300)]


class Recurrence:
    """f(n) = a f(n - 1) + b f(n - 2) + c n, and its first two values."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.a, self.b, self.c, self.zero, self.one = (rng.randint(-2, 2) for _ in range(5))
        self.n = rng.randint(0, 6)

    def value(self, n: int) -> int:
        if n < 2:
            return self.one if n == 1 else self.zero
        return self.a * self.value(n - 1) + self.b * self.value(n - 2) + self.c * n

    def text(self, claimed: int) -> str:
        return f"""
function rec F(n: int) returns (f: int);
con assume n >= 0; decreases n; noc
let
  cond
  | n = 0: f = {self.zero};
  | n = 1: f = {self.one};
    otherwise: f = {self.a} * F(n - 1) + {self.b} * F(n - 2) + {self.c} * n;
  end
tel
node m(x: int) returns (y: int);
let y = when x = {self.n} then F(x) else {claimed}; check "claim" y = {claimed}; tel
"""


def agree(seed: int, folder: Path) -> None:
    one = Recurrence(seed)
    right = one.value(one.n)
    rows = run(read(written(folder, one.text(right))), [{"x": one.n}])
    assert rows[0]["y"] == right
    for claimed, status in ((right, "safe"), (right + 1, "unsafe")):
        answer = check(written(folder, one.text(claimed)), timeout=120)
        assert answer.status == status, (seed, answer.reason)


@pytest.mark.parametrize("seed", range(3))
def test_recurrences(seed: int, tmp_path: Path) -> None:
    agree(seed, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 100))
def test_many_recurrences(seed: int, tmp_path: Path) -> None:
    agree(seed, tmp_path)
