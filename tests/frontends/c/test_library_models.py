"""Models that depend on the types of a call, results within bounds, what happens inside of the library."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.errors import Unsupported
from revet.frontends.c import load

HEAD = """typedef __SIZE_TYPE__ size_t; typedef struct { int quot, rem; } div_t;
extern void reach_error(void);
int scanf(const char *, ...), sscanf(const char *, const char *, ...); int abs(int); div_t div(int, int);
double sin(double), exp(double), atof(const char *), strtod(const char *, char **); long lround(double);
int isdigit(int), nd(void);
"""


def checked(folder: Path, body: str, **options: str) -> revet.Result:
    path = folder / "p.c"
    path.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}")
    return revet.check(
        path, engine="bmc", timeout=60, data_model="lp64", **{"property": "assertions", **options}
    )


@pytest.mark.parametrize("body", [
    "unsigned char u = 200; int o = __builtin_add_overflow(u, 100, &u); if (!o || u != 44) reach_error();",
    "long r; if (__builtin_sub_overflow(-5, 7u, &r) || r != -12) reach_error();",
    "unsigned long r; if (!__builtin_mul_overflow(~0ul, ~0ul, &r) || r != 1) reach_error();",
    "int r; if (!__builtin_sadd_overflow(2147483647, 1, &r) || r != -2147483647 - 1) reach_error();",
    "int x = 3; if (__sync_fetch_and_add(&x, 4) != 3 || __sync_sub_and_fetch(&x, 1) != 6) reach_error();",
    "long x = 7; if (!__sync_bool_compare_and_swap(&x, 7, 9) || x != 9) reach_error();",
    "unsigned x = 6; if (__sync_val_compare_and_swap(&x, 5, 9) != 6 || x != 6) reach_error();",
    "div_t d = div(-7, 2); if (d.quot != -3 || d.rem != -1) reach_error();",
    "double s = sin(nd()); if (s < -1 || s > 1) reach_error();",
    "if (exp(nd()) < 0) reach_error();",
    "int n = 5; if (scanf(\"%d\", &n) != 1 && n != 5) reach_error();",
    "if (lround(2.5) != 3 || lround(-2.5) != -3) reach_error();",
    "int n = nd(); if (n >= 0 && n < 4 && !isdigit(\"0123\"[n])) reach_error();",
    "int n = nd(); (void)({ if (n > '0' && n < '9' && !isdigit(n)) reach_error(); });",
    "unsigned n = nd(); if (__builtin_popcount(n & 7) > 3 || __builtin_popcountl(~0ul) != 64) reach_error();",
    "unsigned n = nd(); if (n && (n >> __builtin_ctz(n) & 1) != 1) reach_error();",
    "unsigned n = nd(); if (n && n >> (31 - __builtin_clz(n)) != 1) reach_error();",
    "unsigned n = nd(); if (__builtin_bswap32(__builtin_bswap32(n)) != n) reach_error();",
    "long n = nd(); if (__builtin_parityl(n) != __builtin_popcountl(n) % 2) reach_error();",
    "if (__builtin_clrsb(-1) != 31 || __builtin_clrsbll(1LL << 40) != 22) reach_error();",
])
def test_what_holds_is_proved(tmp_path: Path, body: str) -> None:
    assert checked(tmp_path, body).status == "safe"


def test_input_of_numbers_is_any_number(tmp_path: Path) -> None:
    body = 'int a; char c; if (scanf("%d %c", &a, &c) == 2 && a == 12345 && c == 7) reach_error();'
    assert checked(tmp_path, body).status == "unsafe"


@pytest.mark.parametrize("call", ['scanf("%s", t)', 'scanf("%d", t)', "scanf(t, &n)", 'scanf("%d")',
                                  '__builtin_add_overflow(n, 1, (_Bool *)t)'])
def test_other_formats_and_types_are_refused(tmp_path: Path, call: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"{HEAD}int main(void) {{ char t[9]; int n; {call}; return 0; }}")
    with pytest.raises(Unsupported):
        load([path])


@pytest.mark.parametrize("condition, status", [
    ("sin(1.0) > 2", "safe"), ("sin(1.0) > 0.9", "unknown"), ("sin(1.0) > 0.8", "unsafe"),
    ('atof("2.5") < 0', "safe"), ('atof("2.5") > 3', "unknown"), ('atof("2.5") == 2.5', "unsafe"),
    ('sscanf("42", "%d", &n) == 1 && n == 41', "unknown"),
    ('sscanf("42", "%d", &n) == 1 && n == 42', "unsafe"),
])
def test_what_only_the_library_knows_it_tells(tmp_path: Path, condition: str, status: str) -> None:
    answer = checked(tmp_path, f"int n = 0; if ({condition}) reach_error();")
    if status == "unsafe" and answer.status == "unknown" and "not confirmed" in str(answer.verdict):
        pytest.skip("no compiled program to ask")
    assert answer.status == status


def test_an_overflow_inside_of_the_library_is_one(tmp_path: Path) -> None:
    assert checked(tmp_path, "int x = nd(); return abs(x);", property="no-overflow").status == "unsafe"
    text = "int x = nd(); if (x > -5) return abs(x);"
    assert checked(tmp_path, text, property="no-overflow").status == "safe"


def test_two_assertions_in_a_line_are_two_properties(tmp_path: Path) -> None:
    body = "int x = nd(); if (x > 5 && x < 3) reach_error(); if (x == 77) reach_error();"
    answer = checked(tmp_path, body)
    assert answer.status == "unsafe" and len(answer.program.model.errors) == 2
    first, second = sorted(error.name for error in answer.program.model.errors)
    assert answer.verdict.trace.violated == second and second.startswith(first)


@pytest.mark.parametrize(("body", "status"), [
    ("time_t t = time(0); struct tm *d = localtime(&t); if (d && (d->tm_mon > 11)) reach_error();",
     "safe"),
    ("time_t t = 1000; struct tm d, *r = gmtime_r(&t, &d); if (r != &d) reach_error();", "safe"),
    ("time_t t = 1000; struct tm d, *r = gmtime_r(&t, &d); if (d.tm_year == 1234) reach_error();", "unknown"),
    ("struct tm d = {.tm_mon = 13}; if (mktime(&d) != -1 && d.tm_mon == 13) reach_error();", "safe"),
    ('struct tm d = {0}; char s[6]; if (strftime(s, 6, "%H:%M", &d) > 5) reach_error();', "safe"),
    ("struct timespec t; if (!clock_gettime(0, &t) && t.tv_nsec == 1000000000) reach_error();", "safe"),
    ("struct timespec t; if (!clock_gettime(0, &t) && t.tv_nsec == 999) reach_error();", "unsafe"),
    ("struct timeval t; gettimeofday(&t, 0); if (t.tv_usec > 999999) reach_error();", "safe"),
])
def test_times_are_within_their_ranges(tmp_path: Path, body: str, status: str) -> None:
    """What a calendar makes of a time is not modelled: a run that depends on it counts only if the compiled
    program shows it."""
    path = tmp_path / "p.c"
    head = "#include <time.h>\n#include <sys/time.h>\nextern void reach_error(void);\n"
    path.write_text(f"{head}int main(void) {{ {body} return 0; }}")
    answer = revet.check(path, engine="bmc", timeout=60, data_model="lp64", property="assertions")
    assert answer.status == status, answer.verdict


LOG = """#include <stdarg.h>
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
static char line[SIZE];
static int log_line(const char *format, ...) {
  va_list list; va_start(list, format);
  int n = vsnprintf(line, ROOM, format, list);
  va_end(list); va_start(list, format); vfprintf(stderr, format, list); va_end(list);
  return n;
}
int main(void) { int n = log_line("%d: %s", 17, "x"); if (WRONG) reach_error(); return 0; }
"""


@pytest.mark.parametrize(("room", "wrong", "status"), [
    ("4", "n < 4 && strlen(line) > 3", "safe"),
    ("4", "n == 5", "unsafe"),  # which the compiled program shows
    ("4", "n == 4", "unknown"),
    ("5", "0", "unsafe"),
])
def test_text_made_from_lists_of_arguments(tmp_path: Path, room: str, wrong: str, status: str) -> None:
    """Any text that fits; the answer says that the arguments are taken to fit the format."""
    path = tmp_path / "p.c"
    path.write_text(LOG.replace("SIZE", "4").replace("ROOM", room).replace("WRONG", wrong))
    asked = "assertions,memory,library"
    answer = revet.check(path, engine="bmc", timeout=60, data_model="lp64", property=asked)
    assert answer.status == status, answer.verdict
    assert any("fit the formats" in text and "p.c:8" in text for text in answer.program.assumptions)
