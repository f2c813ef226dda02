"""The sign and the further bits of a NaN are the processor's and the compiler's choice: no answer knows them.

A NaN is made in every way there is and looked at in every way; that its sign is set is claimed, and that it
is not. Each claim holds on some machine, so nothing may be proved, whether the translation is validated
or not.
"""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver import solve
from revet.engines.common.context import Context
from revet.frontends.c import load

MADE = {
    "division": "zero / zero", "difference": "big - big", "product": "big * zero", "root": "sqrt(zero - 1)",
    "negation": "-(zero / zero)", "literal": "zero + nan(\"\")", "narrowed": "(float)(zero / zero)",
    "fmax": "fmax(zero / zero, zero / zero)", "fmod": "fmod(big, zero)",
}
SEEN = {
    "copysign": "int negative = copysign(1.0, x) < 0;",
    "signbit": "int negative = signbit(x) != 0;",
    "union": "union { double value; long bits; } u; u.value = x; int negative = u.bits < 0;",
    "memcpy": "long bits; memcpy(&bits, &x, sizeof x); int negative = bits < 0;",
    "pointer": "int negative = ((char *)&x)[7] < 0;",
    "member": "struct { double d; int a; } s = {x, 1}, t = s; int negative = ((char *)&t)[7] < 0;",
    "memcmp": "double y = x; y = -y; int negative = memcmp(&x, &y, 8) > 0;",
    "float": "float f = x; int bits; memcpy(&bits, &f, sizeof f); int negative = bits < 0;",
}


SOME = list(zip(MADE, cycle(SEEN), strict=False))


def answer(folder: Path, made: str, seen: str, claim: str, engine: str) -> str:
    path = folder / "claims.c"
    path.write_text(
        "#include <math.h>\n#include <string.h>\nextern void reach_error(void);\n"
        f"double zero = 0, big = INFINITY;\nint main(void) {{\n  double x = {MADE[made]};\n  {seen}\n"
        f"  if ({claim}) reach_error();\n  return 0;\n}}\n"
    )
    options = {"property": "assertions", "data_model": "lp64", "validate_translation": "off"}
    return solve(load([path], options), engine, context=Context(budget=Budget(10))).status


@pytest.mark.parametrize("engine", ["explore", "bmc"])
@pytest.mark.parametrize("made, seen", [
    pytest.param(made, seen, marks=[] if (made, seen) in SOME else pytest.mark.long)
    for made in MADE for seen in SEEN
])
def test_nobody_knows_the_sign(tmp_path: Path, made: str, seen: str, engine: str) -> None:
    for claim in ("negative", "!negative"):
        assert answer(tmp_path, made, SEEN[seen], claim, engine) != "safe", claim


@pytest.mark.parametrize("engine", ["explore", "bmc"])
@pytest.mark.parametrize("made", MADE)
def test_that_it_is_none_is_known(tmp_path: Path, made: str, engine: str) -> None:
    assert answer(tmp_path, made, "double y = x;", "y == x || isinf(x)", engine) == "safe"
