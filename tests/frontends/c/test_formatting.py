"""``sprintf`` and its kin: any text in the model, the real one in the interpreter."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pytest

from revet.budget import Budget
from revet.driver.answer import Answer
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.errors import Unsupported
from revet.frontends.c.interpret import Recorded, run
from revet.frontends.c.parse import parse_text
from revet.frontends.registry import load

HEAD = """\
typedef unsigned short wide;
extern int sprintf(char *, const char *, ...);
extern int snprintf(char *, unsigned long, const char *, ...);
extern int swprintf(wide *, const wide *, ...);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
"""

CONVERSIONS: list[tuple[str, tuple[Any, ...]]] = [
    ("plain", ()), ("%d", (-17,)), ("%5d|%-5d|%05d", (42, 42, -42)), ("%+d % d", (3, 4)), ("%u", (-1,)),
    ("%x %X %o", (255, 255, 8)), ("%.3d|%6.2d|%.0d", (7, 7, 0)), ("%hhd %hu", (300, 70000)),
    ("%#x %#X %#o %#.3o|%#x|%#08x", (255, 255, 8, 8, 0, 31)), ("%*d|%-*d|%.*d", (5, 42, 4, 7, 3, 9)),
    ("%*d", (-5, 42)), ("%zu %jd %td", (7, -7, 8)), ("%lld", (1 << 40,)),
    ("%f %F", (3.14159, -2.5)), ("%05.1f|%-9.2f|%+.0f|% .3f", (3.14159, 2.005, 2.5, 1.0)),
    ("%e %E %.0e", (12345.678, 1e-300, 0.5)), ("%g %g %G %.3g", (1e20, 0.0001, 1e-5, 123456.0)),
    ("%#g %#.0f|%010.3f|%+08.2e", (1.0, 3.0, -3.14159, 2.5)), ("%f", (-0.0,)),
    ("%c%%%3c", (65, 66)), ("100%%", ()),
]


@pytest.mark.parametrize(("layout", "values"), CONVERSIONS, ids=lambda part: str(part))
@pytest.mark.parametrize("room", [5, 40])
def test_the_interpreter_writes_what_c_writes(layout: str, values: tuple[Any, ...], room: int) -> None:
    buffer = ctypes.create_string_buffer(b"?" * 39)
    passed = [ctypes.c_double(one) if isinstance(one, float) else ctypes.c_longlong(one) for one in values]
    wanted = ctypes.CDLL(None).snprintf(buffer, room, layout.encode(), *passed)
    suffix = "LL" if any(size in layout for size in ("ll", "z", "j")) else ""
    arguments = "".join(f", {value}{'' if isinstance(value, float) else suffix}" for value in values)
    checks = " ".join(
        f"if (b[{place}] != {byte}) __VERIFIER_error();" for place, byte in enumerate(buffer.raw[:40])
    )
    text = HEAD + f"""int main(void) {{
      char b[40]; for (int i = 0; i < 39; i++) b[i] = '?'; b[39] = 0;
      if (snprintf(b, {room}, "{layout}"{arguments}) != {wanted}) __VERIFIER_error();
      {checks} return 0; }}"""
    outcome = run(parse_text(text), Recorded([]))
    assert (outcome.kind, outcome.undefined) == ("exit", ()), outcome


def test_strings_and_conversions_that_are_not_known() -> None:
    body = 'char b[20]; sprintf(b, "%s-%.2s|%4s", "one", "two", "x"); return b[3] + b[6] + b[10];'
    outcome = run(parse_text(HEAD + f"int main(void) {{ {body} }}"), Recorded([]))
    assert outcome.status == (ord("-") + ord("|") + ord("x")) % 256
    outcome = run(parse_text(HEAD + 'int main(void) { char b[20]; sprintf(b, "%Lf", 1.0L); }'), Recorded([]))
    assert outcome.kind == "unsupported"
    outcome = run(parse_text(HEAD + 'int main(void) { char b[3]; sprintf(b, "%d", 123); }'), Recorded([]))
    assert outcome.kind == "undefined"


OPTIONS = {"property": "assertions", "malloc": "if-too-large", "data_model": "lp64"}


def solved(folder: Path, body: str, engine: str = "bmc") -> Answer:
    path = folder / "program.c"
    path.write_text(HEAD + f"int main(void) {{ int n = __VERIFIER_nondet_int(); {body} return 0; }}")
    return solve(load([path], OPTIONS), engine, None, Context(budget=Budget(30)))


WRITTEN = {
    "an array": "char b[20]; sprintf(b, \"%d\", 7); if (b[0] == '7' && b[1] == 0) __VERIFIER_error();",
    "not what was there": "char b[9]; b[0] = 'a'; sprintf(b, \"xy\"); if (b[0] != 'a') __VERIFIER_error();",
    "a part of a structure": 'struct { int n; char b[16]; } s; s.n = 1; sprintf(s.b, "%d", 5);'
    "if (s.b[0] == '5' && s.n == 1) __VERIFIER_error();",
    "integers": 'int x = 0; void *p = &x; sprintf(p, "%d", 5); if (x) __VERIFIER_error();',
    "in the middle": 'char b[50]; char *p = b; b[8] = 1; p += 8; snprintf(p, 9, "%x", 255);'
    "if (b[8] == 'f') __VERIFIER_error();",
    "wide characters": 'wide b[20]; b[1] = 0; swprintf(b, (wide *)"x\\000%\\000d\\000", 4);'
    "if (b[1] == '4') __VERIFIER_error();",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_printed_is_seen(tmp_path: Path, name: str) -> None:
    answer = solved(tmp_path, WRITTEN[name])
    assert answer.status == "unsafe", answer.verdict


def test_what_is_elsewhere_stays(tmp_path: Path) -> None:
    body = 'char b[20]; int x = 3, *p = &x; *p = 4; snprintf(b, 9, "%d", n); if (x != 4) __VERIFIER_error();'
    assert solved(tmp_path, body, "pdr-cfa").status == "safe"


def test_a_text_that_cannot_be_is_no_counterexample(tmp_path: Path) -> None:
    body = 'char b[20]; sprintf(b, "%d", 5); if (b[0] == 6) __VERIFIER_error();'
    assert solved(tmp_path, body).status == "unknown"


@pytest.mark.parametrize("call", ['sprintf(b, "%n", &n)', "sprintf(b, b, &n)", 'sprintf(b, "%*q", 1)'])
def test_counts_are_not_forgotten(tmp_path: Path, call: str) -> None:
    """``%n`` writes through an argument, and a format that is not known may have it."""
    with pytest.raises(Unsupported):
        solved(tmp_path, f"char b[20]; {call};")
