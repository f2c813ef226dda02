"""Validation of the translation: accepts what is right, finds what is wrong, refuses the rest."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from library_calls import HEAD as CALLS
from library_calls import arguments, body, declared
from tests.frontends.c.mutation import SLOW, all_programs, ones

import revet
from revet.errors import Unsupported
from revet.frontends.c import ast
from revet.frontends.c.library.table import Treatment, rows
from revet.frontends.c.load import load
from revet.frontends.c.lower.statements import Statements
from revet.frontends.c.property import ERROR_FUNCTIONS
from revet.frontends.c.toolchain import works_for
from revet.frontends.c.types import LP64
from revet.frontends.c.validation.checkpoints import Terms, checkpoints, instrumented
from revet.frontends.c.validation.validate import Validation, Validator
from revet.result import Safe

pytestmark = pytest.mark.skipif(not works_for(LP64), reason="no C compiler")

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples" / "c").glob("*.c"))
HEAD = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"


def validated(*files: Path, **options: object) -> Validation:
    plain = {"property": "assertions", "malloc": "if-too-large", "data_model": "lp64"}
    program = load(files, {**plain, **options})
    validator = Validator(program.tree, program.lowered, "main", ERROR_FUNCTIONS, ones)
    return validator.validate(None, 60.0, full=True)


def of_text(folder: Path, text: str, **options: object) -> Validation:
    file = folder / "program.c"
    file.write_text(HEAD + text)
    return validated(file, **options)


@pytest.mark.parametrize("arithmetic", ["auto", "bv"])
@pytest.mark.parametrize("file", all_programs(), ids=lambda file: file.stem)
def test_programs_are_translated_as_they_are_compiled(file: Path, arithmetic: str) -> None:
    if arithmetic == "bv" and file.stem in SLOW:
        pytest.skip("takes long")
    found = validated(file, arithmetic=arithmetic)
    assert found.status == "validated", found
    assert found.runs > 5 and (found.covered > 0 or not found.branches)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_the_examples_are_translated_as_they_are_compiled(file: Path) -> None:
    found = validated(file)
    assert found.status == "validated" and found.runs > 1, found


def test_several_files(tmp_path: Path) -> None:
    one, two = tmp_path / "one.c", tmp_path / "two.c"
    one.write_text(HEAD + "int shared; int twice(int x);\nint main(void) {\n"
                   "  int n = __VERIFIER_nondet_int() & 15;\n  shared = twice(n);\n  return shared;\n}\n")
    two.write_text('#include "value.h"\nint twice(int x) {\n  int y = FACTOR * x;\n  return y;\n}\n')
    (tmp_path / "value.h").write_text("#define FACTOR 2\n")
    found = validated(one, two)
    assert found.status == "validated", found


@pytest.mark.parametrize("other", [
    "int unread(int v) { return v + 1; }",
    "#include <time.h>\n#include <stdlib.h>\nlong unread(void) { return time(0) + (getenv(\"X\") != 0); }",
    "int elsewhere(int);\nextern int level;\nint unread(int v) { return elsewhere(v) + level; }",
], ids=["a body", "the library", "without a body"])  # fmt: skip
def test_what_no_run_reaches_does_not_matter(tmp_path: Path, other: str) -> None:
    clamp = "int clamp(int v) { if (v < 0) return 0; if (v > 9) reach_error(); return v; }\n"
    file = tmp_path / "program.c"
    file.write_text(f"{HEAD}{other}\n{clamp}")
    program = load([file], {"property": "assertions", "data_model": "lp64", "entry": "clamp"})
    validator = Validator(program.tree, program.lowered, program.tree.start, ERROR_FUNCTIONS, ones)
    found = validator.validate(None, 60.0, full=True)
    assert found.status == "validated" and found.runs > 1, found


def test_a_solver_finds_the_way_into_branches(tmp_path: Path) -> None:
    found = of_text(tmp_path, """int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x == 123456) {
    y = 1;
    if (__VERIFIER_nondet_int() == x - 77777) y = 2;
  }
  return y;
}
""")
    assert found.status == "validated" and found.covered == found.branches == 4


@pytest.mark.parametrize(
    "size", ["sizeof *a", "__VERIFIER_nondet_int()", "__VERIFIER_nondet_int() * (1ul << 40)"]
)
def test_where_allocations_may_fail_the_other_runs_are_compared(tmp_path: Path, size: str) -> None:
    found = of_text(tmp_path, f"""
        extern void *malloc(unsigned long); extern void free(void *);
        int main(void) {{
            int x = __VERIFIER_nondet_int(), *a = malloc({size});
            if (!a) {{ x = 1; return x; }}
            x = x > 3 ? 5 : 7;
            free(a);
            return x;
        }}""", malloc="may-fail")
    assert found.status == "validated" and found.runs > 1, found


def test_calls_stand_where_statements_begin(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text("#define SKIP(x) x = 1; y = 2\nint main(void) {\n  int x = 0, y = 0; /* ; */ x++;\n"
                    "  if (x) y = 1; else y = 2;\n  for (int i = 0; i < 2; i++) x += i;\n  if (y) SKIP(x);\n"
                    "  switch (x) { case 1: x = 4; y = 5; break; default: ; }\nend: return x;\n}\n")
    program = load([file], {"property": "assertions"})
    found = checkpoints(program.tree, Terms(program.lowered))
    text = instrumented(file, found).decode()
    assert text.count("\n") == file.read_text().count("\n") + 1, "a #line, and all else on its line"
    lines = text.splitlines()
    assert lines[4].count("revet_at") == 1 and "else y = 2" in lines[4]
    assert "else revet_at" not in text and ") revet_at" not in text and ": revet_at" not in text
    assert "revet_whole(i)" not in lines[5].split("for")[0]
    assert validated(file).status == "validated"


def test_functions_that_only_compute_are_linked(tmp_path: Path) -> None:
    """What they do to arguments that a run chooses, as the compiled program's library does it."""
    found = of_text(tmp_path, """#include <ctype.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char text[8] = "12a;45", *end;
  text[2] = (char)(__VERIFIER_nondet_int() & 127);
  long number = strtol(text, &end, 10);
  int rest = (int)(end - text), upper = toupper(text[2]), digit = isdigit(text[2]) != 0;
  unsigned long before = strcspn(text, ";b"), same = strspn(text, "123");
  int found = strrchr(text, '4') != 0, first = atoi(text), bit = ffs(first), part = div(first, 7).rem;
  strncat(text, "xyz", 1);
  int last = text[6];
  return rest + upper + digit + found + bit + part + last + (number > 5) + (before > same);
}
""")
    assert found.status == "validated" and found.runs > 5, found


@pytest.mark.parametrize("text, reason", [
    ("int main(void) { int x; long a = (long)&x; return a == 3; }", "addresses are numbers"),
    ("int getchar(void); int main(void) { int c = getchar(); return c; }", "getchar() is not linked"),
])  # fmt: skip
def test_what_cannot_be_compared_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    found = of_text(tmp_path, text)
    assert found.status == "not validated" and reason in found.reason


OPEN = (Treatment.INPUT, Treatment.MODEL, Treatment.TRUTH, Treatment.SIGN, Treatment.PRINT, Treatment.QUIET)
SCANS = ('scanf("%d", &n)', 'sscanf("12", "%d", &n)', 'fscanf(stdin, "%d", &n)')


@pytest.mark.parametrize("treatment", OPEN, ids=lambda one: one.value)
def test_what_the_library_chooses_is_no_difference(tmp_path: Path, treatment: Treatment) -> None:
    """Any function of the library, whatever its model draws: the real one goes its own way."""
    known = declared()
    calls = [f"{name}({arguments(known[name], Random(name))})"
             for name, row in rows().items() if row.treatment is treatment and name in known]
    for call in (*calls, *(SCANS if treatment is Treatment.INPUT else ())):
        used = call if known[call.partition("(")[0]].result == "void" else f"if ({call}) revet = 1"
        try:
            main = body(call, f"int revet = 0; {used}; return 0;")
            found = of_text(tmp_path, f"{CALLS}int main(void) {main}")
        except Unsupported:
            continue
        assert found.status != "different", f"{call}: {found}"


UNDEFINED = """int main(void) {
  int n = __VERIFIER_nondet_int();
  int next = n + 1;
  int shifted = 1 << (n & 63);
  int a[2] = {1, 2};
  int read = a[n & 3];
  return next + shifted + read;
}
"""


def test_undefined_runs_are_no_differences(tmp_path: Path) -> None:
    found = of_text(tmp_path, UNDEFINED)
    assert found.status == "validated", found


def test_values_that_only_a_solver_finds_end_the_comparison(tmp_path: Path) -> None:
    """A double among bytes: its bits are drawn and constrained, which evaluation cannot follow."""
    found = of_text(tmp_path, """struct s { int n; double w[2]; };
int main(void) {
  struct s h = {1, {3.0, 4.0}};
  struct s *b = (struct s *)((char *)h.w - __builtin_offsetof(struct s, w));
  double *w = h.w + 1;
  *w += 1;
  b->n = 7;
  return h.n;
}
""")
    assert found.status != "different", found


WRONG = """int main(void) {
  int n = __VERIFIER_nondet_int(), twice = 0;
  if (n < 0 || n > 1000) return 0;
  if (n > 500) twice = 2 * n;
  else twice = n + n;
  if (twice < 0) reach_error();
  return 0;
}
"""


def test_a_wrong_translation_makes_the_answer_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An assignment that is forgotten in one of two branches: the proof is accepted, but it is about
    another program."""
    monkeypatch.setenv("REVET_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "program.c"
    file.write_text(HEAD + WRONG)
    answer = revet.check(file, engine="bmc", timeout=60, property="assertions", validate_translation="full")
    assert isinstance(answer.verdict, Safe) and answer.checked is not None
    assert any(note.startswith("translation validated on ") for note in answer.checked.notes)
    right = Statements._evaluate

    def forgetful(self: Statements, statement: ast.Evaluate) -> None:
        if statement.span.start.line != 6:
            right(self, statement)

    monkeypatch.setattr(Statements, "_evaluate", forgetful)
    answer = revet.check(file, engine="bmc", timeout=60, property="assertions", validate_translation="full")
    assert answer.status == "unknown" and "differs from the compiled program" in str(answer.reason)
    (report,) = (tmp_path / "cache" / "reports").glob("*.json")
    bundle = json.loads(report.read_text())
    assert bundle["inputs"] and bundle["files"][str(file)] == file.read_text()
    answer = revet.check(file, engine="bmc", timeout=60, property="assertions", validate_translation="off")
    assert answer.status == "safe"
