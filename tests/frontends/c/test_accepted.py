"""``// revet: accept[group] reason``: what it accepts, what it does not, and that the answer says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.errors import InputError
from revet.frontends.c import load
from revet.frontends.c.accepted import acceptances
from revet.frontends.c.source import CSource

HEAD = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "p.c"
    path.write_text(HEAD + text)
    return path


def checked(folder: Path, text: str, **options: str) -> revet.Result:
    return revet.check(written(folder, text), engine="bmc", timeout=60, **options)


DIVIDES = """int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 100 / x;COMMENT
  return 7 % (x + OFFSET);
}
"""
ACCEPTED = "  // revet: accept[division] x is never 0 in the field"


def test_a_finding_is_accepted_and_listed(tmp_path: Path) -> None:
    text = DIVIDES.replace("OFFSET", "0")
    bare = checked(tmp_path, text.replace("COMMENT", ""))
    assert bare.status == "unsafe"
    found = checked(tmp_path, text.replace("COMMENT", ACCEPTED))
    assert found.status == "safe", "after the division x is not 0"
    assert "accepted in the source, and not to happen: division at p.c:4 (x is never 0 in the field)" in (
        found.program.assumptions
    )


def test_other_lines_and_other_groups_are_not(tmp_path: Path) -> None:
    text = DIVIDES.replace("COMMENT", ACCEPTED)
    other_line = checked(tmp_path, text.replace("OFFSET", "(x < 9) - 4"), property="division")
    assert other_line.status == "unsafe" and other_line.verdict.trace.violated == "division@p.c:5"
    other_group = checked(tmp_path, text.replace("OFFSET", "0").replace("accept[division]", "accept[shift]"))
    assert other_group.status == "unsafe"
    assert isinstance(other_group.program, CSource)
    (warning,) = other_group.program.lowered.unmatched
    assert warning in other_group.program.remarks(other_group.verdict)
    assert warning.startswith("warning: ") and "p.c:4:21: nothing is accepted" in warning


def test_what_is_not_asked_about_is_no_warning(tmp_path: Path) -> None:
    program = load([written(tmp_path, DIVIDES.replace("COMMENT", ACCEPTED).replace("OFFSET", "1"))],
                   {"property": "assertions"})
    assert not program.lowered.unmatched and not program.lowered.accepted


@pytest.mark.parametrize("engine", ["bmc", "explore"])
def test_a_run_that_breaks_what_is_accepted_breaks_no_more(tmp_path: Path, engine: str) -> None:
    text = """int main(void) {
      int x = 0;
      /* revet: accept[division]
         in two lines */
      x = 1 / x;
      if (x != 5) reach_error();
    }"""
    found = revet.check(written(tmp_path, text), engine=engine, timeout=60 if engine == "bmc" else 4)
    assert found.status == ("safe" if engine == "bmc" else "unknown"), found.verdict


def test_assertions_can_be_accepted(tmp_path: Path) -> None:
    text = "int main(void) { reach_error(); } // revet: accept[assertions] known since 1999\n"
    assert checked(tmp_path, text).status == "safe"


def test_comments_only() -> None:
    text = 'char *s = "// revet: accept[shift] no"; // revet: accept[division, shift] yes\n/* x */\n'
    (one,) = acceptances(text, "f.c")
    assert (one.line, one.groups, one.reason) == (1, ("division", "shift"), "yes")
    (one,) = acceptances("x;\n  // revet: accept[memory] the next line\ny;", "f.c")
    assert one.line == 3
    silent = "// revetment: accept[division]\n// about revet: accept[division] x\n"
    assert not list(acceptances(silent, "f.c"))


@pytest.mark.parametrize(("comment", "message"), [
    ("accept[division]", r"p\.c:2:4: .*needs a reason"),
    ("accept[divisions] x", r"p\.c:2:4: .*no group of checks 'divisions'.*division"),
    ("ignore[division] x", r"p\.c:2:4: write revet: accept"),
])
def test_what_is_not_understood_is_refused(tmp_path: Path, comment: str, message: str) -> None:
    path = written(tmp_path, f"   // revet: {comment}\nint main(void) {{ return 0; }}\n")
    with pytest.raises(InputError, match=message):
        load([path], {})


def test_lines_that_have_other_numbers(tmp_path: Path) -> None:
    path = written(tmp_path, f'# 7 "other.c"\n{DIVIDES.replace("COMMENT", ACCEPTED).replace("OFFSET", "1")}')
    with pytest.raises(InputError, match="preprocessed"):
        load([path], {})
