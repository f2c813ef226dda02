"""The table of the C library: complete, as documented, and in agreement with the machine's own library."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from revet.errors import Unsupported
from revet.frontends.c import libc, load
from revet.frontends.c.interpret import run
from revet.frontends.c.interpret.draws import Random
from revet.frontends.c.library import Treatment, classify, conventions, rows
from revet.frontends.c.library.page import page
from revet.frontends.c.library.prototypes import DIVISIONS
from revet.frontends.c.library.typed import SCANNERS
from revet.frontends.c.library.uses import plain_name
from revet.frontends.c.lower import floating_library
from revet.frontends.c.parse import parse_files
from revet.frontends.c.reader import jumps
from revet.frontends.c.types import LP64, Function, Int, Pointer

ROOT = Path(__file__).parents[3]
NATIVE = (
    *libc.FORMATTED, *conventions.ERRORS, *conventions.ASSERTIONS, *conventions.ASSUMPTIONS,
    *conventions.ENDS, *conventions.NOTHING, *floating_library.NAMES, "free", "malloc", "calloc", "realloc",
    "alloca", "valloc", "memcpy", "memmove", "memset", conventions.OBJECT, *conventions.NOT_LINKED,
    *jumps.NAMES,
    *(name + s for name in floating_library.COMPUTED for s in ("", "f")), *DIVISIONS,
    "fesetround", "fegetround",
    *(prefix + name for prefix in ("", "__isoc99_", "__isoc23_") for name in SCANNERS),
)
HEADERS = "".join(f"#include <{name}.h>\n" for name in (
    "ctype", "stdlib", "string", "strings", "math", "stdio", "wchar", "inttypes", "stdint", "errno", "time",
))
INTEGERS = """
isdigit('7') != 0; isalpha('7') != 0; isxdigit('f') != 0; ispunct('.') != 0; isspace(11) != 0
iscntrl(127) != 0; isgraph(' ') != 0; isprint(' ') != 0; isblank(9) != 0; isupper('z') != 0; islower('z') != 0
isalnum('_') != 0; toupper('a'); tolower('Z'); tolower('['); toupper(200); isascii(200) != 0; toascii(200)
atoi(" -42x"); atol("+7"); atoll("9223372036854775807"); abs(-3); labs(-4L); llabs(5LL); imaxabs(-9)
strtol("0x1fz", 0, 0); strtol("077", 0, 0); strtol("zz", 0, 36); strtol("99999999999999999999", 0, 10)
strtol("-99999999999999999999", 0, 10); strtoul("-5", 0, 10) == -5UL; strtoull("0x", 0, 16)
strtoll("12", 0, 3); strtoumax("18446744073709551616", 0, 10) == UINT64_MAX; strtoimax("-0", 0, 0)
strlen("abc"); strnlen("abcdef", 4); strcmp("ab", "abc") < 0; strncmp("abx", "aby", 2)
memcmp("a\\377", "a\\1", 2) > 0
strcasecmp("AbC", "aBc") == 0; strncasecmp("AbX", "aBy", 3) < 0; strspn("aabbc", "ab"); strcspn("hello", "lo")
strchr("abc", 'c') != 0; strrchr("abca", 'a')[0]; strstr("hello", "ll")[2]; strpbrk("hello", "xol")[0]
strstr("hello", "") != 0; strstr("aab", "ab")[0]; ((char *)memchr("abc", 'b', 3))[1]
memchr("abc", 'z', 3) == 0; wcslen(L"wide"); wcscmp(L"a", L"b") < 0; ffs(40); ffs(0); ffsl(1L << 40)
lround(2.5); lround(-2.5); llround(0.49999999999999994); lrint(2.5); lrintf(-3.5f); llrintf(1e10f)
ilogb(1e-310); ilogb(9.0); ilogbf(-0.3f); div(-7, 2).quot; div(-7, 2).rem; ldiv(7L, -2L).rem
lldiv(1LL << 40, 3).quot
imaxdiv(-9, 4).rem; wcsspn(L"aab", L"a"); wcscspn(L"aab", L"b"); wcsstr(L"hello", L"ll")[2]
wcsnlen(L"abc", 2); wmemchr(L"abc", L'c', 3)[0]; wcsrchr(L"abab", L'b')[1]; isnan(sin(INFINITY)) != 0
isnan(log(-1.0)) != 0; isnan(asin(2.0)) != 0
ffsll(-2); putchar('a'); printf("%5d|%-4s|%x", 42, "ab", 255)
"""
FLOATS = """
fabs(-2.5); floor(-2.5); ceil(-2.5); trunc(-2.7); round(2.5); round(0.49999999999999994); rint(2.5); rint(3.5)
nearbyint(-0.5); sqrt(2.0); fmin(1.0, 2.0); fmax(1.0, NAN); fdim(3.0, 5.0); fdim(5.0, 3.5)
copysign(3.0, -0.0); fmod(7.5, -2.0); fmod(-7.5, 2.0); remainder(7.5, 2.0); fma(1e308, 1.5, -1e308)
fma(0.1, 10.0, -1.0); ldexp(0.75, 5); scalbn(1.0, -1074); roundf(0.49999997f); sqrtf(2.0f)
fabsf(-1.5f); fmodf(5.5f, 2.0f); logb(9.5); logb(-0.3); logbf(1e-40f); nextafter(1.0, 2.0)
nextafter(0.0, -1.0); nextafter(-1.0, 3.0); nextafterf(1.0f, 0.0f); nextafter(2.0, 2.0); strtod("-0.0x", 0)
difftime(9223372036854775807, 1); difftime(9007199254740993, 0); difftime(-9007199254740993, 2)
difftime(5, 7); strtod("  .", 0); sin(0.0); cos(0.0); exp(-0.0); pow(3.5, 0.0); log(1.0); acos(1.0)
"""


def expressions(text: str) -> list[str]:
    return [part.strip() for line in text.strip().splitlines() for part in line.split("; ") if part.strip()]


@pytest.mark.parametrize("row", [r for r in rows().values() if r.treatment is not Treatment.REFUSED],
                         ids=lambda row: row.name)
def test_what_is_not_refused_has_a_model(row) -> None:
    assert row.prototype
    modelled = {plain_name(name) for name in libc.models()}
    assert row.treatment is Treatment.PRINT or row.name in modelled or row.name in NATIVE


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / "docs/c-library.md").read_text("utf-8") == page(), (
        "python -m revet.frontends.c.library.page > docs/c-library.md"
    )


def test_how_functions_are_classified() -> None:
    integer, text = Int(32, True), Pointer(Int(8, True), 8)
    assert classify("atoi", Function(integer, (text,)), LP64).treatment is Treatment.EXACT
    assert classify("atoi", Function(integer, (integer,)), LP64).refused
    assert classify("system", Function(integer, (text,)), LP64).refused
    assert classify("__builtin_frobnicate", Function(integer, ()), LP64).refused
    assert classify("of_some_header", Function(integer, ()), LP64, {"of_some_header"}).refused
    assert classify("of_the_user", Function(integer, ()), LP64).own
    assert not classify("nondet_int", Function(integer, ()), LP64).own


@pytest.mark.parametrize("call", [
    'strxfrm(a, a, 4)', 'lgamma(1.0)', 'fetestexcept(0)', 'setjmp(a)', 'localtime(0)', 'printf("%n", a)',
    '__builtin_ia32_rdtsc()', 'strcpy(a)',
])
def test_what_is_known_and_not_modelled_is_refused(tmp_path: Path, call: str) -> None:
    path = tmp_path / "refused.c"
    path.write_text(f"int printf(const char *, ...); int strcpy(char *);"
                    f"int main(void) {{ char a[800]; return {call} != 0; }}")
    with pytest.raises(Unsupported) as caught:
        load([path])
    assert caught.value.position is not None


def compiled(folder: Path, formats: list[tuple[str, str]]) -> list[str]:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler with its library")
    lines = "\n".join(f'  printf("\\n={form}\\n", {expression});' for expression, form in formats)
    source = folder / "asks.c"
    source.write_text(f"#define _GNU_SOURCE\n{HEADERS}int main(void) {{\n{lines}\n  return 0;\n}}\n")
    done = subprocess.run([compiler, "-w", "-fno-builtin", source, "-o", folder / "asks", "-lm"], check=False,
                          capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"the compiler does not know one of the functions: {done.stderr[:200]}")
    said = subprocess.run([folder / "asks"], check=True, capture_output=True, text=True).stdout
    return [line[1:] for line in said.splitlines() if line.startswith("=")]


@pytest.mark.parametrize("text, form", [(INTEGERS, "%lld"), (FLOATS, "%a")], ids=["integers", "floats"])
def test_the_interpreter_agrees_with_the_machines_library(tmp_path: Path, text: str, form: str) -> None:
    """Every expression is what the compiled program printed: the run ends, and reaches no error."""
    wanted = expressions(text)
    cast = "(long long)" if form == "%lld" else "(double)"
    values = compiled(tmp_path, [(f"{cast}({expression})", form) for expression in wanted])
    tests = "\n".join(
        f"  if ({cast}({expression}) != {value}) reach_error();"
        for expression, value in zip(wanted, values, strict=True)
    )
    path = tmp_path / "agrees.c"
    head = f"#define _GNU_SOURCE\n{HEADERS}void reach_error(void);\n"
    path.write_text(f"{head}int main(void) {{\n{tests}\n}}\n")
    outcome = run(parse_files([path], LP64), Random(1))
    assert outcome.kind == "exit", (outcome, path.read_text().splitlines()[outcome.at.line - 1])
