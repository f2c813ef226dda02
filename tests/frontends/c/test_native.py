"""The search with the compiled program: what it finds, what it must not touch, what it leaves behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import revet
import revet.api
from revet.budget import Budget
from revet.driver.run import confirm
from revet.frontends.c import toolchain
from revet.frontends.c.execute import execute
from revet.frontends.c.harness import NotExpressible
from revet.frontends.c.interpret import run
from revet.frontends.c.native import search
from revet.frontends.c.native.search import CRASHED, ENDED, LIMIT, REACHED, STOPPED, NativeSearch, Report
from revet.frontends.c.options import Options
from revet.frontends.c.parse import parse_units, read_unit
from revet.frontends.c.processes import NotRun
from revet.frontends.c.run_inputs import Constants, Listed
from revet.frontends.c.toolchain import works_for
from revet.frontends.c.types import LP64
from revet.result import InputTrace, OnlyRun, Safe, Unknown, Unsafe

needs_compiler = pytest.mark.skipif(
    sys.platform != "linux" or not works_for(LP64), reason="no C compiler for this"
)
pytestmark = needs_compiler

HEAD = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
"""
LIBRARY = """typedef unsigned long size_t; typedef struct file FILE;
void *malloc(size_t); void *realloc(void *, size_t); void exit(int); void abort(void);
int strcmp(const char *, const char *); FILE *fopen(const char *, const char *); int system(const char *);
int fork(void); int unlink(const char *); int printf(const char *, ...); void perror(const char *);
"""
LP64 = {"data_model": "lp64"}


def start(tmp_path: Path, text: str, entry: str = "main", overflow: bool = False):
    file = tmp_path / "program.c"
    file.write_text(text)
    options = Options(data_model="lp64", entry=entry)
    tree = parse_units([read_unit(file)], options.model(), entry=options.wanted())
    constants = Constants.of(tree)
    numbers = (constants.integers, constants.floats)
    errors = () if overflow else Options().errors
    return tree, search.native_search(tree, numbers, tree.start, errors, overflow, Budget(60))


def find(searching: NativeSearch, limit: int = 20_000) -> Report:
    for _ in range(100):
        report = searching.runs(limit, 0.05)
        if report.how == REACHED:
            return report
    raise AssertionError("nothing found")


STAIRCASE = HEAD + """
int main(void) {
  int state = 0;
  while (1) {
    int key = __VERIFIER_nondet_int();
    if (key < 0 || key > 9) return 1;
    if (state == 0 && key == 3) state = 1;
    else if (state == 1 && key == 7) state = 2;
    else if (state == 2 && key == 1) state = 3;
    else if (state == 3 && key == 9) state = 4;
    else if (state == 4 && key == 4) state = 5;
    else if (state == 5 && key == 6) state = 6;
    else state = 0;
    if (state == 6) reach_error();
  }
}
"""


def test_inputs_that_reach_something_new_are_built_upon(tmp_path: Path) -> None:
    tree, started = start(tmp_path, STAIRCASE)
    with started as searching:
        report = find(searching)
    assert [value for _, value in report.calls][-6:] == ["3", "7", "1", "9", "4", "6"]
    assert run(tree, Listed(InputTrace(report.calls, (), "", 0))).kind == "error"


@pytest.mark.parametrize(("body", "how", "drawn"), [
    ("return __VERIFIER_nondet_int();", ENDED, 1),
    ("exit(3);", ENDED, 0),
    ("__VERIFIER_assume(__VERIFIER_nondet_int());", STOPPED, 1),
    ("abort();", STOPPED, 0),
    ("while (1);", LIMIT, 0),
    ("while (1) __VERIFIER_nondet_int();", LIMIT, None),
    ("int *p = 0; *p = 1;", CRASHED, 0),
    ("int i = 2147483647; i += 1 + __VERIFIER_nondet_int(); if (i) reach_error();", CRASHED, 1),
    ("int a[3], i = 3 + __VERIFIER_nondet_int(); a[i] = 1;", CRASHED, 1),
    ("return 5 / __VERIFIER_nondet_int();", CRASHED, 1),
    ("volatile int a[99]; a[0] = 1; main(); a[1] = 1;", CRASHED, 0),
    ("for (;;) malloc(100000000);", LIMIT, 0),
    ("int i; if (i == 0) reach_error();", REACHED, 0),
    ("int *p = malloc(40); p[9]++; if (p[9] == 1) reach_error();", REACHED, 0),
    ("int *p = malloc(4); *p = 7; p = realloc(p, 8); if (p[0] == 7 && !p[1]) reach_error();", REACHED, 0),
    ("if (!strcmp(\"abc\", \"abc\") && strcmp(\"ab\", \"abc\") < 0) reach_error();", REACHED, 0),
    ("if (unknown(1, 2) == 0 && !pointer()) reach_error();", REACHED, 2),
    ("open_ended = 5; if (open_ended == 5) reach_error();", REACHED, 0),
])  # fmt: skip
def test_how_a_run_with_zeros_ends(tmp_path: Path, body: str, how: int, drawn: int | None) -> None:
    head = HEAD + LIBRARY + "int unknown(int, int); char *pointer(void);\n"
    tree, started = start(tmp_path, f"{head}extern int open_ended;\nint main(void) {{ {body} return 0; }}")
    with started as searching:
        report = searching.zeros(10_000_000)
        again = searching.zeros(10_000_000)
    assert report.how == how and (drawn is None or report.drawn == drawn), report
    assert (again.how, again.drawn, again.calls) == (report.how, report.drawn, report.calls)
    if how == REACHED:
        assert run(tree, Listed(InputTrace(report.calls, (), "", 0))).kind == "error"


def test_variables_have_their_first_values_in_every_run(tmp_path: Path) -> None:
    text = HEAD + "static int count = 1; int zero;\n"
    text += "int main(void) { count++; zero++; if (count + zero > 3) reach_error(); }"
    _, started = start(tmp_path, text)
    with started as searching:
        assert all(searching.runs(1000, 0.01).how == ENDED for _ in range(5))


def test_values_have_their_types(tmp_path: Path) -> None:
    text = HEAD + """int main(void) {
      unsigned char c = __VERIFIER_nondet_uchar(); float f = __VERIFIER_nondet_float();
      if (c == 250 && f > 1.25f && f < 7.5f) reach_error();
    }"""
    tree, started = start(tmp_path, text)
    with started as searching:
        report = find(searching)
    assert report.calls[0] == ("__VERIFIER_nondet_uchar", "250")
    assert 1.25 < float.fromhex(report.calls[1][1]) < 7.5
    assert run(tree, Listed(InputTrace(report.calls, (), "", 0))).kind == "error"


def test_another_entry_draws_its_arguments(tmp_path: Path) -> None:
    text = HEAD + "int main(void) { return 0; }\n"
    text += "void f(int a, char b) { if (a == 77 && b == 5) reach_error(); }"
    tree, started = start(tmp_path, text, entry="f")
    with started as searching:
        report = find(searching)
    assert report.calls == (("revet_any_int", "77"), ("revet_any_schar", "5"))
    assert run(tree, Listed(InputTrace(report.calls, (), "", 0)), entry=tree.start).kind == "error"


def test_an_error_function_with_a_body(tmp_path: Path) -> None:
    text = "void reach_error(void) { } int main(void) { reach_error(); return 0; }"
    _, started = start(tmp_path, text)
    with started as searching:
        assert searching.zeros(1000).how == REACHED


EFFECTS = HEAD + LIBRARY + """
int main(void) {
  int mkdir(const char *, unsigned), truncate(const char *, long), made = mkdir("MARK", 511);
  int (*through)(const char *) = system;
  through("touch MARK");
  if (fork()) truncate("program.c", 0);
  printf("this is not for our standard output\\n");
  perror("nor this");
  if (__VERIFIER_nondet_int() == 0) reach_error();
  return 0;
}
"""


def test_effects_stay_inside(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The search links no function that reaches beyond the process."""
    mark = tmp_path / "mark"
    tree, started = start(tmp_path, EFFECTS.replace("MARK", str(mark)))
    with started as searching:
        report = searching.zeros(100_000)
        assert report.how == REACHED
    outcome = run(tree, Listed(InputTrace(report.calls, (), "", 0)))
    assert outcome.kind == "unsupported" and "mkdir" in outcome.message
    assert execute(tree, []).status == "not-run"
    assert not mark.exists() and (tmp_path / "program.c").stat().st_size > 0
    written = capfd.readouterr()
    assert "standard output" not in written.out and "nor this" not in written.err


@pytest.mark.parametrize("text", [
    'int main(void) { __asm__("nop"); return 0; }',
])  # fmt: skip
def test_what_cannot_be_told_is_not_run(tmp_path: Path, text: str) -> None:
    _, started = start(tmp_path, text)
    with pytest.raises((NotRun, NotExpressible)), started:
        pass


def test_what_is_not_allowed_ends_the_process(tmp_path: Path) -> None:
    """Data that is run as code gets no further than the kernel's gate: no file, and a dead process."""
    text = HEAD + """int main(void) {
      long (*call)(long, ...) = (long (*)(long, ...))__VERIFIER_nondet_int; (void)call; return 0; }"""
    _, started = start(tmp_path, text)
    with started as searching:
        assert searching.zeros(1000).how == ENDED
        status = Path(f"/proc/{searching.process_id}/status").read_text()
    mode = [line for line in status.splitlines() if line.startswith("Seccomp:")]
    if not mode:
        pytest.skip("no seccomp here")
    assert mode[0].split()[1] == "1", mode


def test_a_killed_search_leaves_nothing(tmp_path: Path) -> None:
    script = f"""
import os, sys
sys.path.insert(0, {str(Path.cwd())!r})
from tests.frontends.c.test_native import STAIRCASE, start
from pathlib import Path
_, started = start(Path({str(tmp_path)!r}), STAIRCASE.replace("reach_error();", ";"))
with started as searching:
    print(searching.process_id, flush=True)
    while True:
        searching.runs(1000, 0.1)
"""
    folder = tmp_path / "temporary"
    folder.mkdir()
    worker = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(folder)}
    )
    assert worker.stdout is not None
    native = int(worker.stdout.readline())
    assert any(folder.iterdir())
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    worker.stdout.close()
    ends = time.monotonic() + 20
    while time.monotonic() < ends and (any(folder.iterdir()) or Path(f"/proc/{native}").exists()):
        time.sleep(0.05)
    assert not any(folder.iterdir()) and not Path(f"/proc/{native}").exists()


# ---- the engine -------------------------------------------------------------------------------


def check(tmp_path: Path, text: str, **options: object) -> revet.api.Result:
    file = tmp_path / "program.c"
    file.write_text(text)
    program = revet.api.as_program(file, {"property": "assertions", **LP64, **options})
    return revet.check(program, engine="explore", timeout=60)


LONG = HEAD + """
int main(void) {
  int a[60000], i;
  for (i = 0; i < 60000; i++) a[i] = i;
  for (i = 0; i < 60000; i++) if (a[i] == 59999) reach_error();
}
"""


def test_long_runs_are_confirmed_once(tmp_path: Path) -> None:
    answer = check(tmp_path, LONG)
    assert answer.status == "unsafe", answer.verdict
    assert answer.checked is not None and "confirmed by the interpreter of C" in answer.checked.notes


GARBAGE_FIRST = HEAD + """
int values[4] = {1, 2, 3, 4}, other[4] = {9, 9, 9, 9};
int main(void) {
  int i = __VERIFIER_nondet_int();
  int *p = values + 2;
  if (i > 5 && i < 9) { p += i; if (*p == 12345) return 1; if (*p != 12345) reach_error(); }
  if (i == 4711) reach_error();
}
"""


def test_refuted_hints_do_not_end_the_search(tmp_path: Path) -> None:
    """The compiled program reads beyond an array and reaches the error; only 4711 is a violation."""
    answer = check(tmp_path, GARBAGE_FIRST)
    assert isinstance(answer.verdict, Unsafe) and isinstance(answer.verdict.trace, InputTrace)
    assert answer.verdict.trace.calls == (("__VERIFIER_nondet_int", "4711"),)


def test_uninitialised_variables_on_ways_that_compiled_runs_found(tmp_path: Path) -> None:
    text = STAIRCASE.replace("int state = 0;", "int state = 0, never_written;")
    answer = check(tmp_path, text.replace("if (state == 6)", "if (state == 6 && never_written == 5)"))
    assert isinstance(answer.verdict, Unsafe) and isinstance(answer.verdict.trace, InputTrace), answer.verdict
    assert answer.verdict.trace.memory


def test_undefined_behaviour_is_refused_by_the_confirmation(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(HEAD + "int main(void) { int i = 2147483647; i = i + 1; reach_error(); }")
    program = revet.api.as_program(file, {"property": "assertions"})
    name = program.property_names[0]
    verdict, checked = confirm(program, Unsafe(InputTrace((), (), name, 1)), Budget(60))
    assert isinstance(verdict, Unknown) and checked is not None and "undefined behaviour" in checked.notes[0]


def test_overflows_are_found(tmp_path: Path) -> None:
    text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\nint n = __VERIFIER_nondet_int();\n"
    text += "if (n > 7)\nn = n + 2147483000;\nreturn n;\n}\n"
    answer = check(tmp_path, text, property="no-overflow")
    assert answer.status == "unsafe", answer.verdict


def nothing_here(*arguments: object) -> None:
    raise NotRun("no C compiler was found")


def test_without_a_compiler_the_interpreter_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = HEAD + "int main(void) { if (__VERIFIER_nondet_int() == 77) reach_error(); }"
    monkeypatch.setattr(toolchain, "_toolchain", nothing_here)
    answer = check(tmp_path, text)
    assert answer.status == "unsafe" and answer.checked is not None
    assert any("no C compiler" in note for note in answer.checked.notes)


def test_the_option_turns_it_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "program.c"
    file.write_text(HEAD + "int main(void) { if (__VERIFIER_nondet_int() == 77) reach_error(); }")

    def refuse(*arguments: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr(search, "build", refuse)
    found = revet.check(file, engine="explore", property="assertions", options={"native": False}, timeout=60)
    assert found.status == "unsafe"


def test_the_only_run_is_still_a_proof(tmp_path: Path) -> None:
    text = HEAD + "int main(void) {\nint i, s = 0; for (i = 0; i < 30000; i++) s += i % 3;\n"
    answer = check(tmp_path, text + "if (s != 29999 + 1) reach_error(); return 0; }")
    assert isinstance(answer.verdict, Safe) and isinstance(answer.verdict.certificate, OnlyRun)
