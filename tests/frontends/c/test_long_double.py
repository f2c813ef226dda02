"""``long double``: what the compiled program computes is what model, solver and interpreter compute."""

from __future__ import annotations

import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import revet
from revet.errors import Unsupported
from revet.frontends.c import load
from revet.frontends.c.interpret.floating import from_pattern, pack, pattern, unpack
from revet.frontends.c.types import Floating

CC = shutil.which("gcc") or shutil.which("cc")
TYPE = Floating(80, 16, "long double")
HEAD = """#include <math.h>
#include <float.h>
extern void reach_error(void);
extern long double given(void);
"""
NUMBERS = (
    "0.1L", "1.0L", "3.0L", "-2.5L", "0x1p-63L", "1e4000L", "1e-4940L", "LDBL_MAX", "LDBL_MIN", "0.0L",
    "-0.0L",
    "(long double)0.1", "(long double)0.1f", "18446744073709551615.0L", "(1.0L / 0.0L)", "123456789.125L",
)
FUNCTIONS = ("floorl", "ceill", "truncl", "roundl", "rintl", "fabsl", "sqrtl", "-", "(float)", "(double)")


def expressions(seed: int, count: int) -> list[str]:
    random = Random(seed)
    found = []
    for _ in range(count):
        left, right = random.choice(NUMBERS), random.choice(NUMBERS)
        match random.randint(0, 3):
            case 0:
                found.append(f"{random.choice(FUNCTIONS)}({left})")
            case 1:
                found.append(f"{random.choice(('fminl', 'fmaxl', 'copysignl'))}({left}, {right})")
            case _:
                found.append(f"({left}) {random.choice('+-*/')} ({right})")
    return found


def observed(folder: Path, texts: list[str]) -> list[str]:
    """What the compiled program computes, as C constants; "" for what is not a number."""
    if CC is None:
        pytest.skip("needs a C compiler")
    shown = "\n".join(f"  {{ volatile long double v = {text}; print(v); }}" for text in texts)
    (folder / "ask.c").write_text(
        f"{HEAD}#include <stdio.h>\nstatic void print(long double v) {{ printf(\"%La\\n\", v); }}\n"
        f"int main(void) {{\n{shown}\n  return 0; }}\n"
    )
    command = [CC, "-w", "-O0", "-fno-builtin", "ask.c", "-o", "ask", "-lm"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    done = subprocess.run(["./ask"], cwd=folder, check=True, capture_output=True, text=True)
    special = {"inf": "(1.0L / 0.0L)", "-inf": "(-1.0L / 0.0L)", "nan": "", "-nan": ""}
    return [special.get(line, f"{line}L") for line in done.stdout.split()]


def claims(texts: list[str], values: list[str]) -> str:
    lines = []
    for text, value in zip(texts, values, strict=True):
        wrong = f"v != {value} || !signbit(v) != !signbit({value})" if value else "v == v"
        lines.append(f"  {{ long double v = {text}; if ({wrong}) reach_error(); }}")
    return "\n".join(lines)


def checked(folder: Path, body: str, engine: str, **options: str) -> revet.Result:
    path = folder / "p.c"
    path.write_text(f"{HEAD}int main(void) {{\n{body}\n  return 0; }}\n")
    plain = {"property": "assertions", "validate_translation": "off"}  # the compiled program is asked here
    return revet.check(path, engine=engine, timeout=100, **{**plain, **options})


@pytest.mark.parametrize("engine", ["explore", "bmc"])
def test_constants_are_what_the_machine_computes(tmp_path: Path, engine: str) -> None:
    texts = expressions(1, 120)
    assert checked(tmp_path, claims(texts, observed(tmp_path, texts)), engine).status == "safe"


def test_the_solver_computes_the_same(tmp_path: Path) -> None:
    texts = ["x + 0.1L", "x - 1e-10L", "(double)x", "floorl(x)", "x * 4"]
    values = observed(tmp_path, [text.replace("x", "(123456.7L)", 1) for text in texts])
    body = f"  long double x = given(); if (x != 123456.7L) return 0;\n{claims(texts, values)}"
    assert checked(tmp_path, body, "bmc").status == "safe"


def test_a_violation_is_replayed_and_repeated_by_the_compiled_program(tmp_path: Path) -> None:
    """Only a number between two doubles violates the assertion."""
    body = "  long double x = given(); if (x > 0.1L && x < (long double)0.1) reach_error();"
    answer = checked(tmp_path, body, "bmc")
    assert answer.status == "unsafe"
    assert any("confirmed by the interpreter" in note for note in answer.checked.notes)


def test_structures_arrays_and_pointers(tmp_path: Path) -> None:
    body = """  struct s { int a; long double x; char c; } v[2] = {{1, 2.5L, 'c'}, {2, 3.5L, 'd'}}, w = v[1];
  long double *p = &v[0].x; *p += 1;
  if (w.x != *p || sizeof w != 48 || v[0].a + w.a != 3) reach_error();
  long double sum = 0; for (int i = 0; i < 2; i++) sum += v[i].x;
  if (sum != 7) reach_error();
  if (fpclassify(LDBL_MIN / 2) != FP_SUBNORMAL || !isnormal(w.x) || isinf(w.x)) reach_error();"""
    assert checked(tmp_path, body, "bmc").status == "safe"
    assert checked(tmp_path, body, "explore").status == "safe"


def test_bytes_of_a_long_double_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bytes.c"
    path.write_text("extern void reach_error(void);\n"
                    "int main(void) { union { long double x; unsigned char b[16]; } u = {1.0L};\n"
                    "if (u.b[9] != 0x3f) reach_error(); return 0; }\n")
    with pytest.raises(Unsupported, match="long double in memory that is read as several types"):
        load([path], {"property": "assertions"})


def test_an_entry_with_a_parameter(tmp_path: Path) -> None:
    path = tmp_path / "half.c"
    body = "{ assert(x != 1e4000L); return x / 2; }"
    path.write_text(f"#include <assert.h>\nlong double half(long double x) {body}\n")
    assert revet.check(path, engine="bmc", timeout=100, entry="half").status == "unsafe"


@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, Fraction(1, 3) * 0, Fraction(3, 2), -Fraction(2) ** -16445,
                                   Fraction(2) ** 16383, float("inf"), float("-inf")])
def test_patterns_are_read_back(value: float | Fraction) -> None:
    assert from_pattern(pattern(value, TYPE), 79) == value == unpack(pack(value, TYPE), 0, TYPE)


def test_a_pattern_that_is_no_number(tmp_path: Path) -> None:
    value = unpack((0x3FFF << 64 | 1 << 62).to_bytes(16, "little"), 0, TYPE)
    assert value != value
