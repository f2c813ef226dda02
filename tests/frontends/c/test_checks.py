"""Undefined behaviour as a property: each kind is found where it is and proved absent where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.errors import UsageError
from revet.frontends.c.checks import GROUPS, SPECIFICATIONS, Check, named_checks
from revet.frontends.registry import LANGUAGES
from revet.report.sarif import sarif_data
from revet.result.verdict import Unsafe

HEAD = """extern int nondet_int(void);
extern double nondet_double(void);
extern void reach_error(void);
"""
_TWO = "int x = nondet_int(), y = nondet_int();"
_SMALL = "x > -1000 && x < 1000 && y > -1000 && y < 1000"
_SIGNS = {"x > 0 && y > 0": "x + y", "x < 0 && y < 0": "x + y", "x < 0 && y > 0": "x - y"}
CASES = [  # group, body with a fault, body without
    ("division", "return 100 / nondet_int();", "int x = nondet_int(); return x ? 100 / x : 0;"),
    ("division", "int x = nondet_int(); x %= nondet_int(); return x;", "return nondet_int() % 7;"),
    ("overflow", "int x = nondet_int(); return x / -1;", "int x = nondet_int(); return x / 2;"),
    ("overflow", "return -nondet_int();", "int x = nondet_int(); return x < 0 ? 0 : -x;"),
    *(("overflow", f"{_TWO} return x {op} y;", f"{_TWO} return {_SMALL} ? x {op} y : 0;") for op in "+-*"),
    *(("overflow", f"{_TWO} return {signs} ? {sum} : 0;", f"{_TWO} return {signs} && {_SMALL} ? {sum} : 0;")
      for signs, sum in _SIGNS.items()),
    ("shift", "return 1 << nondet_int();", "return 1 << (nondet_int() & 7);"),
    ("shift", "return nondet_int() << 1;", "int x = nondet_int(); return x > 0 && x < 9 ? x << 1 : 0;"),
    ("shift", "int x = nondet_int(); if (x < -5) return 0; if (x > 5) return 0; return x << 1;",
     "unsigned x = nondet_int(); return (x << 31) != 0;"),
    ("conversion", "return (int)nondet_double();",
     "double x = nondet_double(); return x > -9.0 && x < 9.0 ? (int)x : 0;"),
    ("bounds", "int a[4] = {0}; return a[nondet_int() & 7];", "int a[4] = {0}; return a[nondet_int() & 3];"),
    ("bounds", "int a[3][5]; for (int i = 0; i < 3; i++) for (int j = 0; j <= 5; j++) a[i][j] = 0; return 0;",
     "int a[3][5]; for (int i = 0; i < 3; i++) for (int j = 0; j < 5; j++) a[i][j] = 0; return 0;"),
    ("bounds", "struct { int b[4], c; } s; s.b[nondet_int() & 7] = 1; return 0;",
     "struct { int b[4], c; } s; s.b[nondet_int() & 3] = 1; return 0;"),
    ("bounds", "int n = nondet_int(); int a[n]; return 0;",
     "int n = nondet_int(); if (n < 1) return 0; if (n > 9) return 0; int a[n]; return 0;"),
    ("bounds", "int n = nondet_int(); if (n < 1 || n > 9) return 0; int a[n]; a[n] = 1; return 0;",
     "int n = nondet_int(); if (n < 1) return 0; if (n > 9) return 0; int a[n]; a[n - 1] = 1; return 0;"),
    ("bounds", 'return "abc"[nondet_int() & 7];', 'return "abc"[nondet_int() & 3];'),
    ("assertions", "if (nondet_int() == 3) reach_error(); return 0;", "return 100 / nondet_int();"),
]


def answer(folder: Path, body: str, property: str, engine: str = "bmc") -> revet.Result:
    path = folder / "p.c"
    path.write_text(f"{HEAD}int main(void) {{\n{body}\n}}\n")
    return revet.check(path, engine=engine, timeout=60, property=property)


@pytest.mark.parametrize(("group", "faulty", "right"), CASES)
def test_each_kind_is_found_and_excluded(tmp_path: Path, group: str, faulty: str, right: str) -> None:
    found = answer(tmp_path, faulty, group)
    assert found.status == "unsafe", found
    assert found.program.model.errors[0].name.endswith("@p.c:5")
    assert answer(tmp_path, right, group).status == "safe"


@pytest.mark.parametrize("number", range(3))
def test_several_groups_at_once_name_what_is_broken(tmp_path: Path, number: int) -> None:
    body = "int x = nondet_int(), a[4] = {0};\n" + (
        "a[x & 3] = 1;\nreturn 7 / (x & 1);", "a[x & 7] = 1;\nreturn 7 / (x | 1);",
        "a[x & 3] = 1;\nif (x > 9) reach_error();\nreturn 7 / (x | 1);")[number]
    found = answer(tmp_path, body, "assertions,bounds,division")
    assert isinstance(found.verdict, Unsafe)
    broken = ("division@p.c:7", "bounds@p.c:6", "reach_error@p.c:7")[number]
    assert found.verdict.trace.violated == broken


def test_what_is_not_checked_is_assumed(tmp_path: Path) -> None:
    found = answer(tmp_path, "int a[4] = {0}; return a[nondet_int() & 7] / nondet_int();", "bounds")
    assert "no division by zero (p.c:5)" in found.program.assumptions
    found = answer(tmp_path, "int a[4] = {0}; return a[nondet_int() & 7] / nondet_int();", "division")
    assert "array indices are within bounds (p.c:5)" in found.program.assumptions


def test_names(tmp_path: Path) -> None:
    language = next(one for one in LANGUAGES if one.name == "c")
    assert set(language.specifications) == {*GROUPS, *SPECIFICATIONS}
    assert named_checks("assertions, division") == {Check.ASSERTION, Check.DIVISION}
    assert frozenset().union(*GROUPS.values()) <= frozenset(Check)
    with pytest.raises(UsageError, match="nonsense; there are: unreach-call, no-overflow, valid-deref"):
        answer(tmp_path, "return 0;", "nonsense")
    with pytest.raises(UsageError, match="did you mean division"):
        answer(tmp_path, "return 0;", "assertions,divsion")


def test_a_kind_of_fault_is_a_rule_with_its_weakness(tmp_path: Path) -> None:
    found = answer(tmp_path, "return 100 / nondet_int();", "arithmetic")
    run = sarif_data([found])["runs"][0]
    rule = run["tool"]["driver"]["rules"][run["results"][0]["ruleIndex"]]
    assert rule["id"] == run["results"][0]["ruleId"] == "revet/division"
    assert "external/cwe/cwe-369" in rule["properties"]["tags"]


def test_the_address_behind_an_array_is_no_access(tmp_path: Path) -> None:
    body = "int a[4], *p, *e = &a[4]; for (p = a; p != e; p++) *p = 1; return a[0];"
    assert answer(tmp_path, body, "bounds", "bmc").status == "safe"
