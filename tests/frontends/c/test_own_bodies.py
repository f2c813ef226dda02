"""Functions that verifiers know by name: a body in the program is what runs, unless its call is what is asked
about; one without a body, of which nobody asks whether it is called, ends the run."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.frontends.c.library.conventions import ASSERTIONS, ASSUMPTIONS, ENDS, ERRORS

OWN = [
    name for name in (*ERRORS, *ASSERTIONS, *ASSUMPTIONS, *ENDS)
    if not name.startswith("__builtin_")
]


def verdict(folder: Path, text: str, engine: str = "bmc") -> str:
    (folder / "p.c").write_text(text)
    return revet.check(folder / "p.c", property="memory", engine=engine, timeout=60).status


@pytest.mark.parametrize("name", OWN)
def test_what_goes_wrong_in_a_body_is_found(tmp_path: Path, name: str) -> None:
    body = f"int a[2], n = 1; void {name}(int c) {{ a[c + n] = 0; for (;;) ; }}"
    text = f"{body}\nint main(void) {{ {name}(1); return 0; }}\n"
    assert verdict(tmp_path, text) == "unsafe"


def test_bodies_that_are_right_are_proved(tmp_path: Path) -> None:
    bodies = "\n".join(f"void {name}(int c) {{ a[c + n] = 0; }}" for name in OWN if name not in ENDS)
    calls = "".join(f"{name}(1); " for name in OWN if name not in ENDS)
    text = f"int a[3], n = 1;\n{bodies}\nint main(void) {{ {calls} return 0; }}\n"
    assert verdict(tmp_path, text) == "safe"


@pytest.mark.parametrize("engine", ["bmc", "explore"])
@pytest.mark.parametrize("name", ["__VERIFIER_error", "reach_error", "__assert_fail"])
def test_without_a_body_it_ends_the_run(tmp_path: Path, name: str, engine: str) -> None:
    text = f"""extern int nondet_int(void); extern void {name}();
    int main(void) {{
      int a[4], i = nondet_int();
      if (i < 0) {name}();
      if (i > 3) {name}();
      a[i%s] = 1;
      return 0;
    }}"""
    if engine == "bmc":
        assert verdict(tmp_path, text % "", engine) == "safe"
    assert verdict(tmp_path, text % " + 1", engine) == "unsafe"
