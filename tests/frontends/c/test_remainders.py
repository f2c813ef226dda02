"""``fmod``, ``remainder``, ``fma`` and ``ldexp`` of constants: model and interpreter agree, bit by bit."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from typing import Any

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
