"""Violations of memory safety are confirmed by AddressSanitizer, and allocations are made to fail."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import revet
from revet.frontends.c import confine
from revet.frontends.c.clang.run import system_compiler
from revet.frontends.c.toolchain import _system

HEAD = """void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
void *realloc(void *, unsigned long); extern int __VERIFIER_nondet_int(void); void reach_error(void);
"""
REPORTS = {
    "heap-buffer-overflow": "int main(void) { char *p = malloc(4); if (!p) return 0; return p[4]; }",
    "heap-use-after-free": "int main(void) { int *p = calloc(1, 4); if (!p) return 0; free(p); return *p; }",
    "stack-buffer-overflow": "int main(void) { int a[3] = {0}, *p = a; return p[3]; }",
    "global-buffer-overflow": "int a[3]; int main(void) { int *p = a; p += 3; return *p; }",
    "stack-use-after-scope": "int main(void) { int *p; { int x = 1; p = &x; } return *p; }",
    "SEGV": "int main(void) { int *p = 0; return *p; }",
    "attempting double-free": "int main(void) { char *p = malloc(1); free(p); if (p) free(p); return 0; }",
    "attempting free": "int main(void) { int x; free(&x); return 0; }",
}


def has_sanitizer(folder: Path) -> bool:
    """Does the system's compiler have it, so that it is what a counterexample is confirmed by?"""
    compiler = system_compiler()
    if compiler is None or _system(False) is None:
        return False
    (folder / "probe.c").write_text("int main(void) { return 0; }")
    command = [compiler, "-fsanitize=address", "probe.c", "-o", "probe"]
    built = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return built.returncode == 0 and subprocess.run([folder / "probe"], check=False).returncode == 0


@pytest.fixture(scope="module", autouse=True)
def _needs_sanitizer(tmp_path_factory: pytest.TempPathFactory) -> None:
    if not has_sanitizer(tmp_path_factory.mktemp("probe")):
        pytest.skip("no compiler of the system with AddressSanitizer")


def notes(folder: Path, text: str, **options: str) -> str:
    path = folder / "p.c"
    path.write_text(HEAD + text)
    found = revet.check(path, engine="bmc", timeout=100, data_model="lp64", **options)
    assert found.status == "unsafe" and found.checked is not None, found.verdict
    return "\n".join(found.checked.notes)


@pytest.mark.parametrize("report", REPORTS)
def test_the_report_is_said(tmp_path: Path, report: str) -> None:
    said = notes(tmp_path, REPORTS[report])
    assert f"confirmed by execution (AddressSanitizer: {report})" in said, said


@pytest.mark.parametrize("text", [
    "int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }",
    """int main(void) { char *p = malloc(4), *q = calloc(2, 2); if (!p) return 0;
       p = realloc(p, 8); p[0] = 1; free(q); return 0; }""",
])
def test_allocations_fail_where_the_run_says_so(tmp_path: Path, text: str) -> None:
    assert "confirmed by execution (AddressSanitizer: SEGV)" in notes(tmp_path, text)


def test_failing_allocations_of_a_plain_run(tmp_path: Path) -> None:
    text = "int main(void) { char *p = malloc(1), *q = malloc(1); if (p && !q) reach_error(); return 0; }"
    assert "confirmed by execution of the compiled program" in notes(tmp_path, text)


def test_allocations_inside_of_the_library_cannot_fail(tmp_path: Path) -> None:
    text = 'char *strdup(const char *); int main(void) { if (!strdup("a")) reach_error(); return 0; }'
    said = notes(tmp_path, text)
    assert "not confirmed by execution: an allocation fails inside of the C library" in said, said


def test_leaks_need_another_process(tmp_path: Path) -> None:
    text = "int main(void) { char *p = malloc(1); return 0; }"
    said = notes(tmp_path, text, property="leaks", malloc="never-fails")
    assert "not confirmed by execution: LeakSanitizer looks" in said, said


def test_the_program_stays_confined(tmp_path: Path) -> None:
    """With the sanitizer a file cannot be opened either, though asking for one does not end the run."""
    toolchain = _system(False)
    assert toolchain is not None
    from dataclasses import replace

    from revet.budget import Budget

    toolchain = replace(toolchain, link=(*toolchain.link, "-fsanitize=address"))
    (tmp_path / "p.c").write_text("""#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
int main(int argc, char **argv) {
  if (open("/etc/passwd", O_RDONLY) >= 0 || open("new", O_CREAT | O_WRONLY, 0600) >= 0) return 1;
  return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 2 : 3;
}
""")
    assert toolchain.object(tmp_path, ["-fsanitize=address"], "p.c", "p.o", Budget()).returncode == 0
    first = confine.prologue(tmp_path, toolchain, True, Budget(), address=True)
    assert toolchain.program(tmp_path, [*first, "p.o"], "program", Budget()).returncode == 0
    (tmp_path / "empty").mkdir()
    ending = confine.run_confined(tmp_path / "program", tmp_path / "empty", 5, 20.0, address=True)
    assert ending.code == confine.FORBIDDEN, "the socket ends it, the files did not"
    assert not list((tmp_path / "empty").iterdir())
