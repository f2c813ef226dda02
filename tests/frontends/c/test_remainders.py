"""``fmod``, ``remainder``, ``fma`` and ``ldexp``: model and interpreter agree, bit by bit."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from typing import Any

import pytest

import revet
from revet.frontends.c import load
from revet.frontends.c.interpret import Random as Draws
from revet.frontends.c.interpret import Recorder, run
from revet.frontends.c.interpret.machine import Machine
from revet.frontends.c.interpret.memory import MemoryObject
from revet.frontends.c.parse import parse_text
from revet.frontends.c.types import CType

TINY = 5e-324
VALUES = (0.0, -0.0, 1.0, -1.5, 3.0, 0.1, -7.25, 1e300, -1e-300, TINY, -TINY, 2.0**-537, 2.0**-538, 1e16)
HEAD = """extern double fmod(double, double), remainder(double, double);
extern double fma(double, double, double), ldexp(double, int);
extern float fmodf(float, float), remainderf(float, float), fmaf(float, float, float), ldexpf(float, int);
extern void reach_error(void); static double given;
"""


def _argument(random: Random) -> str:
    special = ("__builtin_inf()", "-__builtin_inf()", '__builtin_nan("")')
    return random.choice([*map(float.hex, VALUES), random.uniform(-1e3, 1e3).hex(), *special])


def calls(count: int) -> list[str]:
    random = Random(7)
    found = [f"fma({(2.0**-537).hex()}, {(2.0**-538).hex()}, {TINY.hex()})"]  # a tie, which goes to even
    while len(found) < count:
        name, arity = random.choice((("fmod", 2), ("remainder", 2), ("fma", 3), ("ldexp", 1)))
        arguments = [_argument(random) for _ in range(arity)]
        if name == "ldexp":
            arguments.append(str(random.choice((-2000, -1074, -3, 0, 5, 1023, 9000))))
        found.append(f"{name}{random.choice(('', 'f'))}({', '.join(arguments)})")
    return found


class Stored(Recorder):
    """The floats that a run assigns."""

    def __init__(self) -> None:
        self.values: list[float] = []

    def store(
        self, machine: Machine, target: MemoryObject, offset: int, size: int, type: CType, value: Any
    ) -> None:
        self.values.append(float(value))


def interpreted(made: list[str]) -> list[float]:
    """The values that the interpreter of C computes."""
    assigned = "\n".join(f"given = {call};" for call in made)
    seen = Stored()
    program = parse_text(f"{HEAD}int main(void) {{\n{assigned}\nreturn 0; }}\n")
    assert run(program, Draws(1), recorder=seen).kind == "exit"
    return seen.values


def claim(call: str, value: float) -> str:
    if math.isnan(value):
        return f"given = {call}; if (given == given) reach_error();"
    number = value.hex() if math.isfinite(value) else f"{'-' if value < 0 else ''}__builtin_inf()"
    sign = "!" if math.copysign(1.0, value) < 0 else ""
    return f"if ({call} != {number} || {sign}__builtin_signbit({call})) reach_error();"


def test_model_and_interpreter_agree_on_constants(tmp_path: Path) -> None:
    made = calls(150)
    values = interpreted(made)
    assert len(values) == len(made) and values[0] == 2 * TINY
    path = tmp_path / "p.c"
    claims = "\n".join(map(claim, made, values))
    path.write_text(f"{HEAD}int main(void) {{\n{claims}\nreturn 0; }}\n")
    source = load([path], {"property": "assertions"})
    assert revet.check(source.lowered.cfa, engine="bmc", timeout=120).status == "safe"


def test_one_more_in_the_last_place_is_noticed(tmp_path: Path) -> None:
    for call in ("fmod(-7.25, 3.0)", "remainder(7.25, 3.0)", "fma(0.1, 10.0, -1.0)", "ldexp(0.1, 3)"):
        (value,) = interpreted([call])
        path = tmp_path / "p.c"
        path.write_text(f"{HEAD}int main(void) {{ {claim(call, math.nextafter(value, 9.0))} return 0; }}\n")
        source = load([path], {"property": "assertions"})
        assert revet.check(source.lowered.cfa, engine="bmc", timeout=120).status == "unsafe"


def _given(call: str) -> tuple[str, str]:
    """Declarations of drawn arguments that are then fixed, and the call with them."""
    name, _, inside = call.partition("(")
    single = name.endswith("f")
    type = "float" if single else "double"
    texts, names = inside[:-1].split(", "), []
    first = ""
    for number, text in enumerate(texts):
        if name.startswith("ldexp") and number == 1:
            names.append(text)
            continue
        names.append(f"a{number}")
        plain = f"({type}){text}"
        first += f" {type} a{number} = given_{type}(), c{number} = {plain};"
        first += (f" if (c{number} != c{number} ? a{number} == a{number} : a{number} != c{number} ||"
                  f" !__builtin_signbit(a{number}) != !__builtin_signbit(c{number})) return;")
    return first, f"{name}({', '.join(names)})"


@pytest.mark.parametrize("number", range(6))
def test_the_solver_computes_the_same(tmp_path: Path, number: int) -> None:
    """Arguments that no constant shows to lowering; of too large quotients there are only facts."""
    made = [call for call in calls(400) if not _is_far(call) and "__builtin" not in call][number * 7]
    (value,) = interpreted([made])
    first, again = _given(made)
    path = tmp_path / "p.c"
    drawn = "extern double given_double(void); extern float given_float(void);\n"
    body = f"static void call(void) {{{first} {claim(again, value)} }}"
    path.write_text(f"{HEAD}{drawn}{body}\nint main(void) {{ call(); return 0; }}\n")
    source = load([path], {"property": "assertions"})
    assert revet.check(source.lowered.cfa, engine="bmc", timeout=100).status == "safe"


def _is_far(call: str) -> bool:
    """Is the quotient beyond what is exact in a proof?"""
    name, _, inside = call.partition("(")
    if not name.startswith(("fmod", "remainder")) or "__builtin" in inside:
        return False
    x, y = (float.fromhex(text) for text in inside[:-1].split(", "))
    return bool(y) and abs(x) > (1.5 if name == "remainder" else 2.0**20) * abs(y)


ANGLES = """#include <math.h>
extern void reach_error(void); extern TYPE given(void);
int main(void) {
  TYPE x = given(), y = given();
  if (!isfinite(x)) return 0;
  TYPE a = CALL;
  if (WRONG) reach_error();
  return 0;
}
"""


FMOD, REMAINDER = "fmodSUFFIX(x, 360)", "remainderSUFFIX(x, 360)"


@pytest.mark.parametrize(("type", "call", "wrong", "status"), [
    ("float", FMOD, "!(a > -360 && a < 360)", "safe"),
    ("double", FMOD, "!(a > -360 && a < 360)", "safe"),
    ("float", REMAINDER, "!(a >= -180 && a <= 180)", "safe"),
    ("double", REMAINDER, "!(a >= -180 && a <= 180)", "safe"),
    ("float", FMOD, "x > 0 && signbit(a)", "safe"),
    ("double", FMOD, "x >= 0 && x < 360 && a != x", "safe"),
    ("double", FMOD, "fabs(a) > fabs(x)", "safe"),
    pytest.param("float", FMOD, "x >= 1000 && x < 1060 && a < 280", "safe", marks=pytest.mark.long),
    ("float", "fmodf(x, y)", "y > 0 && y < 1000 && !(a < y)", "safe"),
    ("float", FMOD, "x < 400 && a == 359", "unsafe"),
    pytest.param("double", REMAINDER, "x < 400 && a < -170 && x > 0", "unsafe", marks=pytest.mark.long),
    pytest.param("float", FMOD, "x > 1000 && x < 5000 && a == 12.5f", "unsafe", marks=pytest.mark.long),
])
def test_angles(tmp_path: Path, type: str, call: str, wrong: str, status: str) -> None:
    path = tmp_path / "p.c"
    text = ANGLES.replace("CALL", call).replace("WRONG", wrong)
    path.write_text(text.replace("TYPE", type).replace("SUFFIX", "f" if type == "float" else ""))
    answer = revet.check(path, engine="bmc", timeout=200, property="assertions", validate_translation="off")
    assert answer.status == status, answer.verdict
