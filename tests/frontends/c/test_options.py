"""Options of the C front end, from property files and from the command line's names."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver import solve
from revet.driver.answer import Answer
from revet.engines.common.context import Context
from revet.errors import InputError, Unsupported, UsageError
from revet.frontends.c import load
from revet.frontends.c.options import Options
from revet.result.verdict import Safe

TWICE = """
extern void reach_error(void);
int twice(int x, unsigned char c) { if (x * 2 == 84 && c == 7) reach_error(); return 2 * x; }
int main(void) { return twice(3, 4); }
"""


def answer(folder: Path, text: str, engine: str = "bmc", **options: object) -> Answer:
    path = folder / "program.c"
    path.write_text(text)
    program = load([path], {"property": "assertions", **options})
    return solve(program, engine, context=Context(budget=Budget(20)))


def property_file(folder: Path, formula: str, entry: str = "main") -> str:
    path = folder / "wanted.prp"
    path.write_text(f"CHECK( init({entry}()), LTL({formula}) )\n")
    return str(path)


def test_a_run_may_start_in_any_function_with_any_arguments(tmp_path: Path) -> None:
    assert answer(tmp_path, TWICE).status == "safe"
    found = answer(tmp_path, TWICE, entry="twice", data_model="lp64")
    assert found.status == "unsafe"
    assert found.program.assumptions[0].startswith("the run starts in twice(), with any arguments and")
    notes = found.checked.notes if found.checked else ()
    assert notes[0] == "confirmed by the interpreter of C"
    assert "confirmed by execution" in notes[1]


def test_an_argument_that_cannot_be_drawn_is_refused_with_its_place(tmp_path: Path) -> None:
    text = "int f(int (*a)(int, ...)) { return a(0); }\nint main(void) { return 0; }"
    with pytest.raises(Unsupported, match=r"program\.c:1:5: .*a pointer to a function of type"):
        answer(tmp_path, text, entry="f")


def test_a_property_file_names_the_function_and_the_entry(tmp_path: Path) -> None:
    text = "void alarm(void) {}\nint go(void) { alarm(); return 0; }\nint main(void) { return 0; }"
    assert answer(tmp_path, text).status == "safe"
    assert answer(tmp_path, text, property=property_file(tmp_path, "G ! call(alarm())")).status == "safe"
    wanted = property_file(tmp_path, "G ! call(alarm())", "go")
    assert answer(tmp_path, text, property=wanted, data_model="lp64").status == "unsafe"


def test_a_property_that_is_not_checked_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"termination cannot be .* ends; there are: unreach-call"):
        Options.from_mapping({"property": property_file(tmp_path, "F end")})
    with pytest.raises(InputError, match="no such property file"):
        Options.from_mapping({"property": str(tmp_path / "missing.prp")})


def test_wrapping_overflow_is_an_option(tmp_path: Path) -> None:
    text = """extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0 && x + x < 0) reach_error(); return 0; }"""
    assumed = answer(tmp_path, text, arithmetic="int")
    assert assumed.status == "safe"
    assert any("arithmetic does not overflow (" in text for text in assumed.program.assumptions)
    wrapped = answer(tmp_path, text, arithmetic="int", overflow="wrap")
    assert wrapped.status == "unsafe"
    assert not any("overflow" in line for line in wrapped.program.assumptions)


def test_a_loop_made_by_goto_shows_its_invariant(tmp_path: Path) -> None:
    text = """extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    int main(void) { int x = 0; int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
    again:
      if (x < n) { x++; goto again; }
      if (x != n) reach_error();
      return 0; }"""
    found = answer(tmp_path, text, "pdr-cfa")
    assert isinstance(found.verdict, Safe) and found.program.render_certificate is not None
    assert "program.c:4:7 in main()" in found.program.render_certificate(found.verdict.certificate)


INDEXED = "int a[4]; int main(void) { int i = %s; a[i] = 1; return a[%s]; }"


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        (INDEXED % ("2", "3"), True),
        ("int a[4]; int main(void) { a[3] = 1; return a[2]; }", False),
        ("int a[4]; int main(void) { return a[4]; }", True),
    ],
)
def test_array_bounds_are_an_assumption_where_they_matter(tmp_path: Path, text: str, listed: bool) -> None:
    found = answer(tmp_path, text).program.assumptions
    assert any(line.startswith("array indices are within bounds (") for line in found) is listed


def test_casts_between_structures_are_an_assumption(tmp_path: Path) -> None:
    text = """struct base { int kind; }; struct more { struct base b; int value; };
    int get(struct base *p) { return ((struct more *)p)->value; }
    int main(void) { struct more m; m.value = 3; return get(&m.b); }"""
    found = answer(tmp_path, text)
    assert any("cast to a structure type" in line for line in found.program.assumptions)
