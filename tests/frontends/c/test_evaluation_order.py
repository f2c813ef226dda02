"""Order of evaluation: every order that C allows counts, and nothing is said about undefined ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest

import revet
from revet.frontends.c.sequencing.soonest import soonest

HEAD = """
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int x = 1, y = 1;
static int f(void) { x = 10; y = 10; return 1; }
static int add(int a, int b, int c) { return a + c; }
"""

SAFE = {
    "either order": "int z = x + f(); check(z == 2 || z == 11);",
    "compound assignment reads last": "x += f(); check(x == 11);",
    "arguments": "int z = add(x, f(), y); check(z == 2 || z == 11 || z == 20);",
    "locals are not touched by calls": "int z = 3; z = z + f(); check(z == 4);",
    "other fields": "struct { int a, b; } s = {1, 2}; int z = s.a++ + s.b++; check(z == 3 && s.a == 2);",
    "other elements": "int a[2] = {1, 2}; int z = a[0]++ + a[1]++; check(z == 3 && a[0] == 2 && a[1] == 3);",
    "sequence points": "int i = 1; int z = (i++, i) + 1; check(z == 3 && (i++ && i == 3));",
    "assignment after its operands": "int i = 1; i = i + 1; check(i == 2);",
    "different objects": "int a = 1, b = 2, *p = &a, *q = x ? &b : &a; *p = (*q)++; check(a == 2 && b == 3);",
    "copy loop": "char s[3] = {1, 2, 0}, t[3], *p = s, *q = t; while ((*q++ = *p++)) {} check(t[1] == 2);",
    "an index read before the call": "int a[2] = {0, 0}; y = 0; a[y ? 1 : 0] = 5; check(a[0] == 5);",
}
UNSAFE = {
    "the left one first": "int z = x + f(); check(z == 11);",
    "the right one first": "int z = x + f(); check(z == 2);",
    "arguments": "int z = add(x, f(), y); check(z == 2 || z == 20);",
    "index and value": "int a[11] = {0}; x = 0; a[x] = f(); check(a[0] == 1);",
    "two calls": "int z = add(f(), 0, 0) + (x = 4, 0); check(x == 4);",
    "a run that ends": "int stop(void); z: ; int u = stop() + (check(0), 1); check(u == 0);",
}
UNKNOWN = {
    "twice": "int i = 1; i = i++ + i; check(i > 0);",
    "index": "int i = 0, a[2] = {0, 0}; a[i] = i++; check(a[1] == 0);",
    "arguments": "int i = 0; i = add(i++, 0, i++); check(i >= 0);",
    "after the comma": "int i = 0; i = (1, i++); check(i >= 0);",
    "one object": "int a = 1, *p = &a, *q = &a; *p = (*q)++; check(a >= 1);",
    "between two operands": "int z = ((f() && f()) + x); check(z >= 0);",
    "initialisers": "int a[2] = {f(), x}; check(a[0] == 1);",
}
STOP = "extern void abort(void); int stop(void) { if (x) abort(); return 0; }\n"


def checked(folder: Path, body: str, engine: str = "bmc", **options: str) -> revet.Result:
    path = folder / "p.c"
    path.write_text(f"{HEAD}{STOP}int main(void) {{ {body} return 0; }}\n")
    return revet.check(path, engine=engine, timeout=60, **{"property": "assertions", **options})


@pytest.mark.parametrize("body", SAFE.values(), ids=SAFE)
def test_what_holds_in_every_order(tmp_path: Path, body: str) -> None:
    answer = checked(tmp_path, body)
    assert answer.status == "safe", answer.verdict


@pytest.mark.parametrize("engine", ["bmc", "explore"])
@pytest.mark.parametrize("body", UNSAFE.values(), ids=UNSAFE)
def test_what_fails_in_one_order(tmp_path: Path, body: str, engine: str) -> None:
    answer = checked(tmp_path, body, engine)
    assert answer.status == "unsafe", answer.verdict
    assert answer.checked is not None
    assert any(note.startswith("order of evaluation at") for note in answer.checked.notes)


@pytest.mark.parametrize("body", UNKNOWN.values(), ids=UNKNOWN)
def test_what_has_no_defined_order_is_unknown_with_its_place(tmp_path: Path, body: str) -> None:
    answer = checked(tmp_path, body)
    assert answer.status == "unknown", answer.verdict
    assert "p.c:8:" in str(answer.verdict)


@pytest.mark.parametrize(("side", "value"), [("left", 2), ("right", 11)])
def test_one_side_by_option(tmp_path: Path, side: str, value: int) -> None:
    answer = checked(tmp_path, f"int z = x + f(); check(z == {value});", evaluation_order=side)
    assert answer.status == "safe", answer.verdict
    assert any(f"--evaluation-order {side}" in text for text in answer.program.assumptions)


def test_recursive_programs_keep_the_orders_of_each_activation_apart(tmp_path: Path) -> None:
    text = """
extern void reach_error(void);
int n = 0;
static int count(int k) { int r = k; if (k > 0) r = n + count(k - 1) * 0; n++; return r; }
int main(void) { int r = count(2); if (r < 0 || r > 2 || n != 3) reach_error(); return 0; }
"""
    path = tmp_path / "p.c"
    path.write_text(text)
    assert revet.check(path, engine="bmc", timeout=60, property="assertions").status == "safe"
    path.write_text(text.replace("r > 2", "r > 1"))
    assert revet.check(path, engine="bmc", timeout=60, property="assertions").status == "unsafe"


CALLS = """
extern void exit(int); extern int nondet_int(void);
static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
static int stop(int x) { if (x > 2) exit(0); return x; }
static int over(int x) { return 10 / (x - 3); }
"""


def test_functions_that_touch_nothing_need_no_order(tmp_path: Path) -> None:
    """Each may run for ever or overflow, for all that the analysis knows."""
    path = tmp_path / "p.c"
    many = " + ".join(f"sum({n}) * {n}" for n in range(2, 8))
    path.write_text(f"{CALLS}int main(void) {{ int a = {many}; return a + sum(sum(2) + 1); }}\n")
    answer = revet.check(path, engine="bmc", timeout=60)
    assert answer.status == "safe", answer.verdict


@pytest.mark.parametrize(("sum_", "status"), [
    ("stop(x) + over(x)", "unsafe"), ("over(x) + stop(x)", "unsafe"), ("over(stop(x)) + stop(x)", "safe"),
    ("over(stop(x)) + stop(x - 1) + sum(x)", "safe"), ("sum(x) + stop(x) * over(x)", "unsafe"),
])
def test_a_run_that_may_end_before_a_check(tmp_path: Path, sum_: str, status: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"{CALLS}int main(void) {{ int x = nondet_int() & 3; return {sum_}; }}\n")
    assert revet.check(path, engine="bmc", timeout=60).status == status


def orders_of(needs: dict[int, set[int]]) -> Iterator[tuple[int, ...]]:
    for order in permutations(needs):
        if all(needs[atom] <= set(order[:place]) for place, atom in enumerate(order)):
            yield order


def fails(order: Sequence[int], ending: set[int], failing: set[int]) -> bool:
    """Does a run come to an atom that fails before one that ends it?"""
    first = next((atom for atom in order if atom in ending or atom in failing), None)
    return first in failing


@pytest.mark.parametrize("seed", range(60))
def test_the_listed_orders_stand_for_all(seed: int) -> None:
    choose = Random(seed)
    needs: dict[int, set[int]] = {}
    for atom in range(choose.randint(2, 5)):
        direct = {one for one in needs if choose.random() < 0.3}
        needs[atom] = direct.union(*(needs[one] for one in direct))
    ends = {atom for atom in needs if choose.random() < 0.6}
    checks = {atom for atom in needs if choose.random() < 0.6}
    listed = soonest(list(needs), ends.__contains__, checks.__contains__, needs.__getitem__)
    assert {tuple(order) for order in listed} <= set(orders_of(needs))
    for ending in subsets(ends):
        for failing in subsets(checks - ending):
            everywhere = any(fails(order, ending, failing) for order in orders_of(needs))
            assert everywhere == any(fails(order, ending, failing) for order in listed)


def subsets(whole: set[int]) -> list[set[int]]:
    return [set(some) for size in range(len(whole) + 1) for some in combinations(sorted(whole), size)]
