"""String functions as C of our own: exact, and only where the program does not define them itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver import solve
from revet.driver.answer import Answer
from revet.engines.common.context import Context
from revet.errors import Unsupported
from revet.frontends.c import load

HEAD = """extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
typedef __SIZE_TYPE__ size_t; size_t strlen(const char *); int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t); char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t); char *strcat(char *, const char *);
char *strchr(const char *, int);
int main(void) { char a[8] = "abc"; char b[8];
"""


def answer(folder: Path, body: str, **options: object) -> Answer:
    path = folder / "program.c"
    path.write_text(HEAD + body + "\nreturn 0; }\n")
    program = load([path], {"property": "assertions", "data_model": "lp64", **options})
    return solve(program, "bmc", context=Context(budget=Budget(40)))


@pytest.mark.parametrize("condition", [
    "strlen(a) != 3", "strcmp(a, \"abc\") != 0", "strcmp(a, \"abd\") >= 0", "strcmp(\"\\xff\", \"a\") <= 0",
    "strncmp(a, \"abx\", 2) != 0", "strncmp(a, \"abx\", 3) == 0",
    "strlen(strcpy(b, a)) != 3 || b[2] != 'c'", "strchr(a, 'c') != a + 2", "strchr(a, 'x') != 0",
    "strchr(a, 0) != a + 3",
])
def test_what_holds_is_proved(tmp_path: Path, condition: str) -> None:
    assert answer(tmp_path, f"if ({condition}) reach_error();").status == "safe"


def test_padding_and_appending(tmp_path: Path) -> None:
    body = 'strncpy(b, a, 6); strcat(b, "de");'
    body += " if (b[5] != 0 || strlen(b) != 5 || b[4] != 'e') reach_error();"
    assert answer(tmp_path, body).status == "safe"


@pytest.mark.parametrize("condition", ["strlen(a) == 3", "strcmp(a, \"b\") < 0"])
def test_what_fails_is_confirmed_by_running_it(tmp_path: Path, condition: str) -> None:
    found = answer(tmp_path, f"if ({condition}) reach_error();")
    assert found.status == "unsafe"
    assert found.checked is not None and "confirmed by execution" in found.checked.notes[-1]


def test_only_the_sign_of_a_comparison_is_known(tmp_path: Path) -> None:
    assert answer(tmp_path, 'if (strcmp(a, "b") == -1) reach_error();').status != "safe"


def test_a_function_of_the_same_name_is_the_programs_own(tmp_path: Path) -> None:
    path = tmp_path / "own.c"
    path.write_text("""extern void reach_error(void); int strlen(char *s) { return 7; }
    int main(void) { if (strlen("abc") != 7) reach_error(); return 0; }""")
    program = load([path], {"property": "assertions"})
    assert solve(program, "bmc", context=Context(budget=Budget(20))).status == "safe"


@pytest.mark.parametrize("call", ["strxfrm(a, b, 8)", "__builtin___strcat_chk(b, a, 8)", "strerror(3)"])
def test_functions_that_write_memory_are_not_skipped(tmp_path: Path, call: str) -> None:
    path = tmp_path / "writes.c"
    declared = "long strxfrm(char *, const char *, long); char *__builtin___strcat_chk(), *strerror(int);"
    path.write_text(f"{declared} int main(void) {{ char a[8], b[8]; {call}; return a[0]; }}")
    with pytest.raises(Unsupported, match=r"writes\.c:1:\d+: .*is not modelled"):
        load([path])


def test_a_null_argument_is_not_written_through(tmp_path: Path) -> None:
    path = tmp_path / "time.c"
    path.write_text("long time(long *); int main(void) { return (int)time((void *)0); }")
    program = load([path], {"property": "assertions"})
    assert solve(program, "bmc", context=Context(budget=Budget(20))).status == "safe"


def test_streams_are_open_and_different(tmp_path: Path) -> None:
    path = tmp_path / "streams.c"
    path.write_text(
        "#include <stdio.h>\n#include <assert.h>\n"
        "int main(void) { FILE *f = stdout; assert(stdin && f && f != stderr && f == stdout); }"
    )
    program = load([path], {"property": "assertions"})
    assert not program.assumptions
    # a compiled run in which they were null would make the answer unknown
    assert solve(program, "bmc", context=Context(budget=Budget(20))).status == "safe"
