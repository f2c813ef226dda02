"""Exploration: runs of the program itself, found, confirmed again, and never believed too much."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import revet
import revet.api
from revet.budget import Budget
from revet.driver.run import confirm
from revet.frontends.c.toolchain import works_for
from revet.frontends.c.types import LP64
from revet.portfolio.configuration import choose
from revet.portfolio.features import features_of_program
from revet.report.text import render
from revet.result import InputTrace, OnlyRun, Safe, Unknown, Unsafe
from revet.result.files import read_evidence, write_evidence
from revet.result.serialize import dump_verdict, load_verdict

HEAD = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
"""

LONG_LOOP = HEAD + """
int main(void) {
  int a[4000], i;
  for (i = 0; i < 4000; i++) a[i] = i;
  for (i = 0; i < 4000; i++) if (a[i] == 3999) reach_error();
}
"""

GUESS = HEAD + """
int main(void) {
  int n = __VERIFIER_nondet_int();
  double d = __VERIFIER_nondet_double();
  if (n == 4711 && d > 2.5 && d < 7.25) reach_error();
}
"""

UNINITIALISED = HEAD + """
int main(void) {
  int a[300], i;
  for (i = 0; i < 300; i++) if (a[i] == 6) reach_error();
}
"""

# Only a long run shows it, and only with something else than zeros in the arrays.
LONG_AND_UNINITIALISED = HEAD + """
int main(void) {
  int a[30000], b[30000], c[30000], i;
  for (i = 0; i < 30000; i++) c[i] = a[i];
  for (i = 0; i < 30000; i++) c[i] = b[i];
  for (i = 0; i < 30000; i++) if (c[i] != a[i]) reach_error();
}
"""

FIBONACCI = HEAD + """
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { if (fib(11) != 89) reach_error(); return 0; }
"""

OVERFLOWS_FIRST = HEAD + """
int main(void) {
  int big = 2147483647;
  big = big + 1;
  if (big < 0) reach_error();
}
"""

POINTERS = HEAD + """
int main(void) { int a, b; if (&a < &b) return 1; return 0; }
"""


OLD = {"property": "assertions", "malloc": "if-too-large"}


def check(tmp_path: Path, text: str, engine: str | None = "explore") -> revet.api.Result:
    file = tmp_path / "program.c"
    file.write_text(text)
    return revet.check(file, engine=engine, timeout=60, **OLD)


@pytest.mark.parametrize("text", [LONG_LOOP, GUESS, UNINITIALISED, LONG_AND_UNINITIALISED])
def test_a_violation_is_found_and_confirmed(tmp_path: Path, text: str) -> None:
    answer = check(tmp_path, text)
    assert answer.status == "unsafe", answer.verdict
    assert isinstance(answer.verdict, Unsafe) and isinstance(answer.verdict.trace, InputTrace)
    assert answer.checked is not None and "confirmed by the interpreter of C" in answer.checked.notes
    assert "reach_error" in answer.program.render_trace(answer.verdict.trace)


def test_evidence_survives_writing(tmp_path: Path) -> None:
    answer = check(tmp_path, GUESS)
    program = answer.program
    assert isinstance(answer.verdict, Unsafe)
    again = load_verdict(dump_verdict(answer.verdict, program.model), program.model)
    assert isinstance(again, Unsafe) and isinstance(again.trace, InputTrace)
    assert again.trace.calls == answer.verdict.trace.calls
    file = tmp_path / "evidence.json"
    write_evidence(file, answer.verdict, program.model)
    assert json.loads(file.read_text())["calls"]
    assert isinstance(confirm(program, read_evidence(file, program.model), Budget(60))[0], Unsafe)


def test_wrong_inputs_are_refused(tmp_path: Path) -> None:
    answer = check(tmp_path, GUESS)
    assert isinstance(answer.verdict, Unsafe) and isinstance(answer.verdict.trace, InputTrace)
    trace = answer.verdict.trace
    for calls in [(), trace.calls[:1], (("__VERIFIER_nondet_int", "4712"), trace.calls[1]),
                  (("__VERIFIER_nondet_int", "nonsense"), trace.calls[1])]:
        wrong = InputTrace(calls, trace.memory, trace.violated, trace.steps)
        assert isinstance(confirm(answer.program, Unsafe(wrong), Budget(60))[0], Unknown), calls
    other = InputTrace(trace.calls, trace.memory, "another property", trace.steps)
    assert isinstance(confirm(answer.program, Unsafe(other), Budget(60))[0], Unknown)


def test_the_only_run_is_a_proof(tmp_path: Path) -> None:
    answer = check(tmp_path, FIBONACCI)
    assert answer.status == "safe", answer.verdict
    assert isinstance(answer.verdict, Safe) and isinstance(answer.verdict.certificate, OnlyRun)
    assert answer.checked is not None and "reads nothing" in answer.checked.notes[0]


def test_the_only_run_finds_the_error_in_recursion(tmp_path: Path) -> None:
    assert check(tmp_path, FIBONACCI.replace("89", "90"), engine=None).status == "unsafe"


@pytest.mark.parametrize("text", [GUESS, UNINITIALISED, POINTERS, LONG_LOOP])
def test_only_run_is_refused_where_it_is_not_the_only_one(tmp_path: Path, text: str) -> None:
    file = tmp_path / "program.c"
    file.write_text(text)
    program = revet.api.as_program(file, OLD)
    verdict, checked = confirm(program, Safe(OnlyRun(5)), Budget(60))
    assert isinstance(verdict, Unknown)
    assert checked is not None and not checked.accepted


def test_a_run_with_undefined_behaviour_is_no_violation(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(OVERFLOWS_FIRST)
    assert revet.check(file, engine="explore", timeout=3, **OLD).status == "unknown"


def test_only_the_property_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    body = "  if (__VERIFIER_nondet_int())\n    reach_error();\n  reach_error();\n"
    file.write_text(HEAD + "int main(void) {\n" + body + "}\n")
    names = revet.api.as_program(file).property_names
    for name in names:
        answer = revet.check(file, engine="explore", property=name, timeout=20)
        assert answer.status == "unsafe" and answer.verdict.trace.violated == name  # type: ignore[union-attr]


def test_an_overflow_is_never_blamed_on_another_place(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    lines = ["int main(void) {", "int a = 5;", "a = a + 1;", "int b = 2147483600;", "b = b + a * 10;", "}"]
    file.write_text("\n".join(lines) + "\n")
    program = revet.api.as_program(file, {"property": "no-overflow"})
    for name in program.property_names:
        answer = revet.check(program, engine="explore", property=name, timeout=2)
        assert answer.status == "unknown" or ":5" in name, (name, answer.verdict)


def test_of_a_very_long_run_the_beginning_is_shown(tmp_path: Path) -> None:
    source = tmp_path / "long.c"
    source.write_text(
        "extern void __VERIFIER_error(void);\n"
        "int main(void) { int i = 0; while (i < 200000) i++; __VERIFIER_error(); }\n"
    )
    answer = revet.check(source, engine="explore", timeout=60, **OLD)
    assert isinstance(answer.verdict, Unsafe)
    text = answer.program.render_trace(answer.verdict.trace)
    assert "i = 0" in text and "steps in all; then it breaks __VERIFIER_error@long.c:2" in text
    assert len(text.splitlines()) < 100


FROM_OUTSIDE = HEAD + """
struct pair { int first, second; };
extern struct pair *find(void);
int main(void) {
  struct pair *p = find(), *q = find();
  if (!p || !q || p == q) return 0;
  p->second = 3; q->second = 4;
  if (p->second == 3) reach_error();
}
"""


@pytest.mark.parametrize("engine", ["explore", "bmc"])
def test_pointers_from_outside_lead_to_objects_of_their_own(tmp_path: Path, engine: str) -> None:
    answer = check(tmp_path, FROM_OUTSIDE, engine)
    assert answer.status == "unsafe", answer.verdict
    assert answer.checked is not None
    assert any("confirmed by execution of the compiled program (" in note for note in answer.checked.notes)


@pytest.mark.parametrize("engine", ["explore", "bmc"])
def test_addresses_that_the_program_makes_lead_nowhere(tmp_path: Path, engine: str) -> None:
    text = FROM_OUTSIDE.replace("*q = find()", "*q = (struct pair *)8")
    file = tmp_path / "program.c"
    file.write_text(text)
    assert revet.check(file, engine=engine, timeout=3, **OLD).status == "unknown"


def test_text_with_the_words_and_lengths_of_the_program(tmp_path: Path) -> None:
    """A settings reader whose buffer is too short for one of its own keys; without ``explore`` asked for."""
    file = tmp_path / "settings.c"
    file.write_text("""#include <stdio.h>
#include <string.h>
int main(void) {
  char host[32] = "", line[128];
  while (fgets(line, sizeof line, stdin)) {
    char *is = strchr(line, '=');
    if (!is) return 1;
    *is = 0;
    if (strcmp(line, "host") == 0) strcpy(host, is + 1);
  }
  return 0;
}
""")
    assert choose(features_of_program(revet.load(file)))[0].name == "explore"
    answer = revet.check(file, engine="explore", timeout=300)
    assert answer.status == "unsafe", answer.verdict
    shown = render(answer)
    given = shown.splitlines()[0]
    assert "strcpy() needs" in shown and "host=" in given and len(given) < 80, "shortened to what it takes"


def test_text_is_given_to_the_compiled_program(tmp_path: Path) -> None:
    file = tmp_path / "fields.c"
    file.write_text("""#include <stdio.h>
int main(void) { int c, n = 0; char *f[3];
  while ((c = getchar()) != EOF) if (c == ',') f[n++] = 0; return 0; }
""")
    answer = revet.check(file, engine="explore", timeout=300)
    assert answer.status == "unsafe", answer.verdict
    assert 'given: standard input = ",,,,"' in render(answer)
    if works_for(LP64):
        assert "values given to standard input" in "".join(answer.checked.notes)
