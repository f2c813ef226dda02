"""Builtins of compilers: each is refused, or no answer contradicts what the compiled program saw."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver import solve
from revet.engines.common.context import Context
from revet.errors import InputError
from revet.frontends.c import load
from revet.frontends.c.library.conventions import LEFT_OPEN

CC = shutil.which("gcc") or shutil.which("cc")
LOCALS = """  unsigned u = 40; int i = -3, r = 0, n = 5; long l = 1L << 40; double d = 2.5; float f = -0.5f;
  char t[8] = "abc", s[8] = "xy"; (void)u; (void)i; (void)r; (void)n; (void)l; (void)d; (void)f; (void)t;
  (void)s;
"""
INTEGERS = """
popcount(u); popcountl(l); popcountll(-1LL); clz(u); clzl(l); clzll(1ULL); ctz(u); ctzl(l); ctzll(8ULL)
parity(u); parityl(l); ffs(i); ffsl(l); ffsll(0LL); clrsb(i); clrsbl(l); bswap16(0x1234)
bswap32(0x12345678u); bswap64(0x123456789abcdefULL); expect(i, 0); expect_with_probability(i, 0, 0.5)
constant_p(3); abs(i); labs(-l); llabs(-7LL); add_overflow(i, n, &r) ? -1 : r
sub_overflow(u, 50u, &u) ? u : 0; mul_overflow(n, l, &l) ? -1 : l; sadd_overflow(i, n, &r) ? -1 : r
umul_overflow(u, 7u, &u) ? -1 : u; add_overflow_p(i, n, (char)0); types_compatible_p(int, signed)
object_size(t, 0); strlen(t); strcmp(t, s) > 0; memcmp(t, s, 2) < 0; isnan(d); isinf(-d); isinf_sign(f)
isfinite(d); isnormal(d); signbit(f); signbit(-d); isgreater(d, f); isless(d, f); islessequal(d, d)
isgreaterequal(f, d); islessgreater(d, f); isunordered(d, f); fpclassify(0, 1, 2, 3, 4, d)
signbit(-0.0); signbit(-(long double)d); signbitf(f); isinf(-d / 0); isinf(d / 0)
isinf(-f / 0); isinf_sign(-d / 0); toupper('a'); isalpha('1') != 0; offsetof(struct { char c; int x; }, x)
strchr(t, 'c') - t; memcpy(t, s, 2) == t; memset(t, 7, 3) != 0; strspn(t, "ab"); choose_expr(1, i, d)
lround(d); lrint(d); ilogb(d); classify_type(i); assume_aligned(t, 1) == t; prefetch(t), 0
nearbyint(d) == 2; unpredictable(i); rotateleft32(u, 3); bitreverse8(5)
addcb(1, 2, 0, (unsigned char *)t); elementwise_abs(i); is_aligned(u, 8); alloca(8) != 0
readcyclecounter() != 0; stack_address() != 0; sync_synchronize(), 0
"""
FLOATS = """
fabs(-d); fabsf(f); floor(f); ceil(f); trunc(f); round(d); rint(d); nearbyint(d); sqrt(d); fmin(d, f)
fmax(d, f); copysign(d, f); inf(); inff(); huge_val(); fmod(d, f); fma(d, d, f); ldexp(d, 3)
scalbn(d, -2); nextafter(d, f); logb(d); frexp(d, &r); modf(d, &d); fdim(d, f); remainder(d, f)
powi(d, 3); sin(0.0); cos(0.0); exp(0.0); log(1.0)
"""


def calls() -> list[tuple[str, bool]]:
    found = []
    for text, floating in ((INTEGERS, False), (FLOATS, True)):
        for part in (one for line in text.strip().splitlines() for one in line.split("; ")):
            name = part if part.startswith("sync_") else f"builtin_{part}"
            found.append((f"__{name.strip()}", floating))
    return found


def observed(folder: Path, call: str, floating: bool) -> str | None:
    """What the compiled program gives; None if the compiler does not know the function."""
    assert CC is not None
    form, cast = ("%a", "double") if floating else ("%lld", "long long")
    (folder / "asks.c").write_text(
        f"int printf(const char *, ...);\nint main(void) {{\n{LOCALS}"
        f'  {cast} x = ({call}); printf("{form}\\n", x); return 0;\n}}\n'
    )
    built = subprocess.run([CC, "-w", "-O0", "asks.c", "-o", "asks", "-lm"], cwd=folder, capture_output=True,
                           check=False)
    if built.returncode:
        return None
    return subprocess.run(["./asks"], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.skipif(CC is None, reason="needs a C compiler")
@pytest.mark.parametrize("call, floating", calls(), ids=lambda value: str(value))
def test_a_builtin_is_refused_or_right(tmp_path: Path, call: str, floating: bool) -> None:
    value = observed(tmp_path, call, floating)
    if value is None:
        pytest.skip("the compiler does not have it")
    value = {"inf": "__builtin_inf()", "-nan": "__builtin_inf()", "nan": "__builtin_inf()"}.get(value, value)
    cast = "double" if floating else "long long"
    path = tmp_path / "claims.c"
    path.write_text(
        f"extern void reach_error(void);\nint main(void) {{\n{LOCALS}  {cast} x = ({call});\n"
        f"  if (x != {value}) reach_error();\n  return 0;\n}}\n"
    )
    try:
        program = load([path], {
            "property": "assertions", "data_model": "lp64", "validate_translation": "off",
        })
    except InputError:
        return  # refused
    found = solve(program, "explore", context=Context(budget=Budget(6)))
    if found.status == "unsafe":  # on the word of a value that is the compiler's choice: it will be asked
        assert any(name in LEFT_OPEN for name, _ in found.verdict.trace.calls), found.verdict
