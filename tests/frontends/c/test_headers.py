"""The C library's own headers are read, whatever they write for newer compilers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from revet.api import check
from revet.errors import InputError
from revet.frontends.c.clang.run import command, system_compiler
from revet.frontends.c.toolchain import works_for
from revet.frontends.c.types import ILP32, LP64
from revet.frontends.registry import load

pytestmark = pytest.mark.skipif(system_compiler() is None, reason="needs a C compiler")

HEADERS = (
    "assert", "ctype", "errno", "fcntl", "float", "inttypes", "limits", "locale", "math", "pthread",
    "setjmp", "signal", "stdarg", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string", "sys/stat",
    "time", "unistd", "wchar",
)
USES = """
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char name[8];
  strcpy(name, "revet");
  int *count = malloc(sizeof *count);
  if (!count) return EXIT_FAILURE;
  for (*count = 0; *count < (int)strlen(name); ++*count) printf("%c", name[*count]);
  assert(*count == 5 && INT_MAX > *count);
  free(count);
  return 0;
}
"""


NO_32_BITS = pytest.mark.skipif(not works_for(ILP32), reason="no 32-bit programs here")


@pytest.mark.parametrize("model", [pytest.param("ilp32", marks=NO_32_BITS), "lp64"])
def test_headers_are_read(model: str, tmp_path: Path) -> None:
    source = tmp_path / "headers.c"
    source.write_text("".join(f"#include <{name}.h>\n" for name in HEADERS) + "int main(void) {}\n")
    assert load([source], {"data_model": model}).model.locations


def test_a_program_with_headers_is_proved(tmp_path: Path) -> None:
    source = tmp_path / "uses.c"
    source.write_text(USES)
    answer = check(source, timeout=60, property="assertions", malloc="if-too-large")
    assert answer.status == "safe"
    assert not any("std" in line for line in answer.program.assumptions)  # stdin is only declared


def macros(text: str) -> dict[str, str]:
    lines = (line.split(None, 2) for line in text.splitlines())
    return {name: "".join(value) for _, name, *value in lines}


def test_a_program_cannot_tell_which_compiler_reads_it(tmp_path: Path) -> None:
    """#ifdef chooses the same program for Revet as for the system's compiler."""
    empty = tmp_path / "empty.c"
    empty.write_text("")
    compiler = system_compiler()
    assert compiler is not None
    reading = [part for part in command(LP64, [], str(tmp_path)) if part != "-fsyntax-only"]
    theirs, ours = (
        macros(subprocess.run(
            [*start, "-dM", "-E", str(empty)], capture_output=True, text=True, check=True, timeout=60
        ).stdout)
        for start in ([compiler, "-std=gnu17"], reading)
    )
    if "__clang__" not in theirs:
        assert not [name for name in ours if name.startswith(("__clang", "__llvm"))]
        assert ours["__VERSION__"] == theirs["__VERSION__"]
    for name in ("__GNUC__", "__GNUC_MINOR__", "__STDC_VERSION__", "__linux__", "__x86_64__", "__CHAR_BIT__"):
        assert ours.get(name) == theirs.get(name), name


def test_a_header_that_is_not_found_tells_of_the_options(tmp_path: Path) -> None:
    path = tmp_path / "main.c"
    path.write_text('#include "nowhere.h"\nint main(void) { return 0; }\n')
    with pytest.raises(InputError, match=r"(?s)nowhere.h.*-I.*--compile-commands"):
        check(path)
