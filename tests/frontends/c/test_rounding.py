"""``fesetround``: in every mode model, solver, interpreter and compiled program compute the same."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path
from random import Random

import pytest

import revet
from revet.errors import Unsupported
from revet.frontends.c import load

CC = shutil.which("gcc") or shutil.which("cc")
MODES = ("FE_TONEAREST", "FE_DOWNWARD", "FE_UPWARD", "FE_TOWARDZERO")
HEAD = """#include <fenv.h>
#include <math.h>
extern void reach_error(void);
extern double given_double(void); extern float given_float(void); extern long given_long(void);
"""
SUFFIX = {"float": "f", "double": "", "long double": "l"}
PLAIN = {
    "float": (0.0, -0.0, 1.0, -3.0, 2.5, -0.5, 2.0**-149, -(2.0**-149), 2.0**128 - 2.0**104, 2.0**-126,
              16777216.0),
    "double": (0.0, -0.0, 1.0, -3.0, 2.5, -0.5, 5e-324, -5e-324, 1.7976931348623157e308, 2.0**-1022),
}


def number(random: Random, type: str) -> str:
    """A literal of the type: special, of any exponent, or of a usual size."""
    kind = "float" if type == "float" else "double"
    value = random.choice(PLAIN[kind])
    match random.randint(0, 2):
        case 0:
            size, code = (4, "<f") if kind == "float" else (8, "<d")
            value = struct.unpack(code, random.randbytes(size))[0]
            value = value if abs(value) < float("inf") else 7.0
        case 1:
            value = random.uniform(-50, 50)
    return float(value).hex() + {"float": "f", "double": "", "long double": "L"}[type]


def expression(random: Random, extended: bool = True) -> tuple[str, str, list[str]]:
    """A type, an expression of that type over a, b and c, and their values."""
    type = random.choice(("float", "double", "long double") if extended else ("float", "double"))
    values = [number(random, type) for _ in range(3)]
    suffix = SUFFIX[type]
    forms = ["a + b", "a - b", "a * b", "a / b", "a + b", "a * b", f"sqrt{suffix}(a)", f"rint{suffix}(a)",
             f"nearbyint{suffix}(a)", f"floor{suffix}(a)", f"round{suffix}(a)", f"trunc{suffix}(a)",
             f"ceil{suffix}(a)", f"({type})(float)a", f"({type})(double)a", f"-a * b + ({type})0.1L"]
    if type != "long double":
        small = "0x1p66f" if type == "float" else "0x1p962L"  # so that a long holds the quotient
        forms += [f"fma{suffix}(a, b, c)"] * 3 + [f"fdim{suffix}(a, b)", f"ldexp{suffix}(a, -1060)",
                  f"ldexp{suffix}(a, 1000)", f"lrint{suffix}(a / {small})",
                  f"({type})16777217",
                  f"({type})123456789012345677L", f"({type})18446744073709550591UL", "a++ + b"]
    return type, random.choice(forms), values


def statements(seed: int, count: int) -> list[tuple[str, str]]:
    """Declarations and an expression each; the mode is set before the expression is computed."""
    random = Random(seed)
    found = []
    for _ in range(count):
        type, text, values = expression(random)
        declared = ", ".join(f"{name} = {value}" for name, value in zip("abc", values, strict=True))
        found.append((f"{type} {declared}; (void)b; (void)c; fesetround({random.choice(MODES)});",
                      f"{type} v = {text};"))
    return found


def observed(folder: Path, made: list[tuple[str, str]]) -> list[str]:
    """What the compiled program computes, as C constants; "" for what is not a number."""
    if CC is None:
        pytest.skip("needs a C compiler")
    shown = "\n".join(
        f'static void call{n}(void) {{ {first} {second} fesetround(FE_TONEAREST); printf("%La\\n", '
        "(long double)v); }" for n, (first, second) in enumerate(made)
    )
    calls = " ".join(f"call{n}();" for n in range(len(made)))
    (folder / "ask.c").write_text(f"{HEAD}#include <stdio.h>\n{shown}\nint main(void) {{ {calls} }}\n")
    command = [CC, "-w", "-O0", "-fno-builtin", "-ffp-contract=off", "-frounding-math", "ask.c", "-o", "ask",
               "-lm"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    done = subprocess.run(["./ask"], cwd=folder, check=True, capture_output=True, text=True)
    special = {"inf": "__builtin_infl()", "-inf": "-__builtin_infl()", "nan": "", "-nan": ""}
    return [special.get(line, f"{line}L") for line in done.stdout.split()]


def claims(made: list[tuple[str, str]], values: list[str]) -> str:
    lines = []
    for number, ((first, second), value) in enumerate(zip(made, values, strict=True)):
        wrong = f"(long double)v != {value} || !signbit(v) != !signbit({value})" if value else "v == v"
        lines.append(f"static void call{number}(void) {{ {first} {second} fesetround(FE_TONEAREST); "
                     f"if ({wrong}) reach_error(); }}")
    calls = " ".join(f"call{number}();" for number in range(len(made)))
    return "\n".join([*lines, f"int main(void) {{ {calls} return 0; }}\n"])


def checked(folder: Path, text: str, engine: str, **options: str) -> revet.Result:
    path = folder / "p.c"
    path.write_text(HEAD + text)
    plain = {"property": "assertions", "validate_translation": "off", "data_model": "lp64"}
    return revet.check(path, engine=engine, timeout=120, **{**plain, **options})


@pytest.mark.parametrize("engine", ["explore", "bmc"])
def test_constants_are_what_the_machine_computes(tmp_path: Path, engine: str) -> None:
    made = statements(1, 250)
    answer = checked(tmp_path, claims(made, observed(tmp_path, made)), engine)
    assert answer.status == "safe", answer.verdict


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize("engine", ["explore", "bmc"])
def test_many_constants(tmp_path: Path, engine: str, seed: int) -> None:
    made = statements(seed, 1000)
    answer = checked(tmp_path, claims(made, observed(tmp_path, made)), engine)
    assert answer.status == "safe", answer.verdict


@pytest.mark.parametrize("mode", MODES)
def test_the_solver_computes_the_same(tmp_path: Path, mode: str) -> None:
    """Operands that are drawn, and then fixed."""
    a, b, text = "0x1.8cp+5f", "-0x1.99999ap-4f", "float v = fmaf(a, b, 0.1f) + b;"
    values = observed(tmp_path, [(f"float a = {a}, b = {b}; fesetround({mode});", text)])
    drawn = f"float a = given_float(), b = given_float(); if (a != {a} || b != {b}) return;"
    answer = checked(tmp_path, claims([(f"{drawn} fesetround({mode});", text)], values), "bmc")
    assert answer.status == "safe", answer.verdict


def test_numbers_of_modes(tmp_path: Path) -> None:
    text = """int main(void) {
  int mode = given_long(), old = fegetround(), failed;
  if (old != FE_TONEAREST) reach_error();
  failed = fesetround(mode);
  if (mode == FE_UPWARD && failed) reach_error();
  if (failed ? fegetround() != old : fegetround() != mode) reach_error();
  if (mode == 77 && !failed) reach_error();
  return 0;
}"""
    assert checked(tmp_path, text, "bmc").status == "safe"


def test_constant_expressions_are_computed_when_they_are_reached(tmp_path: Path) -> None:
    """Those of static variables are computed before the program starts; the compiled program confirms."""
    text = """static double global = 1.0 / 3.0;
int main(void) {
  fesetround(FE_UPWARD);
  static double fixed = 1.0 / 3.0;
  double up = 1.0 / 3.0, list[2] = { 1.0 / 3.0, 1 }; const double k = 1.0 / 3.0;
  fesetround(FE_DOWNWARD);
  double down = 1.0 / 3.0;
  if (down < up && list[0] == up && k == up && fixed == global && fixed == down) reach_error();
  return 0;
}"""
    answer = checked(tmp_path, text, "bmc")
    assert answer.status == "unsafe"
    assert any("follows fesetround" in text for text in answer.program.assumptions)


def test_the_mode_survives_calls_loops_and_branches(tmp_path: Path) -> None:
    text = """static float third(void) { return 1.0f / 3.0f; }
static void set(int up) { fesetround(up ? FE_UPWARD : FE_DOWNWARD); }
int main(void) {
  set(given_long() > 5);
  float x = third(); int n = given_long();
  for (int i = 0; i < 3; i++) if (i == n) set(1);
  float y = third();
  if (y < x) reach_error();
  if (fegetround() == FE_UPWARD && y != 0x1.555556p-2f) reach_error();
  if (fegetround() == FE_DOWNWARD && y != 0x1.555554p-2f) reach_error();
  return 0;
}"""
    assert checked(tmp_path, text, "bmc").status == "safe"


def test_bounds_of_a_sum(tmp_path: Path) -> None:
    text = """int main(void) {
  float x = given_float(), y = given_float();
  if (!(x >= 1 && x <= 8 && y >= 0 && y <= 1)) return 0;
  fesetround(FE_DOWNWARD); float low = x + y;
  fesetround(FE_UPWARD); float high = x + y;
  if (low > high) reach_error();
  return 0;
}"""
    assert checked(tmp_path, text, "bmc").status == "safe"
    assert checked(tmp_path, text.replace("low > high", "low < high"), "bmc").status == "unsafe"


@pytest.mark.parametrize("text", ["sin(1.0) > 2", 'feclearexcept(FE_ALL_EXCEPT)', "exp(0.5) < 0"])
def test_what_is_known_of_the_default_mode_only_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"{HEAD}int main(void) {{ fesetround(FE_UPWARD); if ({text}) reach_error(); return 0; }}")
    with pytest.raises(Unsupported) as caught:
        load([path], {"property": "assertions"})
    assert caught.value.position is not None and caught.value.position.line == 5


def test_other_programs_have_no_mode(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"{HEAD}int main(void) {{ double x = given_double(); if (x + fegetround() != x + 0) "
                    "reach_error(); return 0; }")
    cfa = load([path], {"property": "assertions"}).lowered.cfa
    assert not any("rounding" in variable.name for variable in cfa.variables)
