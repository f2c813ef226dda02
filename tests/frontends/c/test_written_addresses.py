"""Addresses that are written as numbers: an object may be there, so no answer rests on where objects are."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet

NUMBER = "(int *)0x55a8a2e6b008"
HEAD = "#include <assert.h>\nstatic int x;\nstatic int *at(void) { return (int *)(long)0x7f0000001000; }\n"
OPEN = {
    "written in the comparison": f"assert(&x != {NUMBER});",
    "in a variable": f"int *p = {NUMBER}, *q = &x; assert(p != q);",
    "through a function": "int *p = at(); assert(&x != p);",
    "negative": "int *p = (int *)-8192; assert(p != &x);",
}
KNOWN = {
    "itself": f"int *p = {NUMBER}; assert(p == {NUMBER});",
    "not in the last page": "int *p = (int *)-1; assert(p != &x);",
    "not in the first page": "int *p = (int *)8; assert(p != &x);",
    "null": f"int *p = {NUMBER}, *q = 0; assert(q != &x); if (p != &x) assert(q != &x);",
}


def answer(tmp_path: Path, body: str) -> revet.Result:
    path = tmp_path / "p.c"
    path.write_text(f"{HEAD}int main(void) {{ {body} }}\n")
    return revet.check(path, property="assertions", timeout=60)


@pytest.mark.parametrize("how", OPEN)
def test_an_object_may_be_there(tmp_path: Path, how: str) -> None:
    assert answer(tmp_path, OPEN[how]).status == "unknown"


@pytest.mark.parametrize("how", KNOWN)
def test_what_is_known_of_numbers(tmp_path: Path, how: str) -> None:
    assert answer(tmp_path, KNOWN[how]).status == "safe"


def test_errno_by_hand_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("extern int errno; int main(void) { return errno; }")
    with pytest.raises(revet.RevetError, match=r"p\.c:1:12: .*include <errno.h>"):
        revet.check(path, timeout=60)
