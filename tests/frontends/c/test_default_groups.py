"""What a plain file is asked about where nobody says, and how that is answered in portions."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.driver.answer import Answer
from revet.errors import Unsupported
from revet.frontends.c import load
from revet.frontends.c.property import groups_of, specification_text
from revet.frontends.c.source import CSource
from revet.portfolio import PortfolioRun
from revet.report.data import answer_data
from revet.report.sarif import sarif_text
from revet.report.text import render, verdict_line
from revet.result.verdict import Unknown

HEAD = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
"""
FAULTS = {
    "division": "int main(void) { return 10 / __VERIFIER_nondet_int(); }",
    "overflow": "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }",
    "shift": "int main(void) { return 1u << __VERIFIER_nondet_int(); }",
    "bounds": "int a[4]; int main(void) { return a[__VERIFIER_nondet_int() & 7]; }",
    "pointer": "int main(void) { int x = 0, *p = __VERIFIER_nondet_int() ? &x : (int *)0; return *p; }",
    "free": "void free(void *); int main(void) { int x; free(&x); return 0; }",
    "library": "int isalpha(int); int main(void) { return isalpha(__VERIFIER_nondet_int()) != 0; }",
    "reach_error": "int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }",
}
LEAK = "void *malloc(unsigned long); int main(void) { malloc(4); return 0; }"
UNCHECKED_MALLOC = """void *malloc(unsigned long); void free(void *);
int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }"""


def written(folder: Path, text: str) -> Path:
    path = folder / "p.c"
    path.write_text(HEAD + text + "\n")
    return path


@pytest.mark.parametrize("kind", FAULTS)
def test_all_of_it_is_checked(tmp_path: Path, kind: str) -> None:
    found = revet.check(written(tmp_path, FAULTS[kind]), engine="bmc", timeout=60)
    assert found.status == "unsafe" and verdict_line(found).startswith(f"verdict: unsafe ({kind}@p.c:")
    old = revet.check(written(tmp_path, FAULTS[kind]), engine="bmc", timeout=60, property="assertions")
    assert old.status == ("unsafe" if kind == "reach_error" else "safe")


def test_leaks_are_not(tmp_path: Path) -> None:
    assert revet.check(written(tmp_path, LEAK), engine="bmc", timeout=60).status == "safe"


def test_allocations_may_fail_but_not_by_the_rules_of_the_competition(tmp_path: Path) -> None:
    path = written(tmp_path, UNCHECKED_MALLOC)
    assert revet.check(path, engine="bmc", timeout=60).status == "unsafe"
    assert revet.check(path, engine="bmc", timeout=60, malloc="never-fails").status == "safe"
    assert revet.check(path, engine="bmc", timeout=60, property="valid-memsafety").status == "safe"


def test_arithmetic_that_is_to_wrap_may_overflow(tmp_path: Path) -> None:
    path = written(tmp_path, "int main(void) { return __VERIFIER_nondet_int() + 1; }")
    assert revet.check(path, engine="bmc", timeout=60, overflow="wrap").status == "safe"
    assert "overflow" in load([path], {}).model.errors[0].name


def test_what_cannot_be_checked_is_said_and_the_rest_checked(tmp_path: Path) -> None:
    text = """int sprintf(char *, const char *, ...);
    char b[20];
    int main(void) { int x = __VERIFIER_nondet_int(), y = 1 / (x | 1); sprintf(b, "%f", .5); return y; }"""
    found = revet.check(written(tmp_path, text), engine="bmc", timeout=60)
    assert verdict_line(found) == "verdict: safe (pointers, library, free not checked)"
    shown = render(found)
    assert "warning: pointers, library, free are not checked: " in shown and "sprintf" in shown
    assert answer_data(found)["not_checked"] == ["pointers", "library", "free"]
    assert "<dt>not checked</dt><dd>pointers, library, free</dd>" in found.html()
    assert "pointers, library, free: not checked" in sarif_text([found])
    broken = revet.check(written(tmp_path, text.replace("x | 1", "x")), engine="bmc", timeout=60)
    assert verdict_line(broken).startswith("verdict: unsafe (division@p.c:")


def test_what_no_group_can_be_asked_about_is_refused_with_its_place(tmp_path: Path) -> None:
    text = "char *strerror(int); int main(void) { char b[4]; return strerror(3)[0] + b[0]; }"
    with pytest.raises(Unsupported, match=r"p\.c:3:\d+: "):
        load([written(tmp_path, text)], {})


MASKED = """int a[4];
int main(void) { int i = __VERIFIER_nondet_int() & 3; if (i > 3) reach_error(); return a[i] / (i + 1); }"""


def giving_up(monkeypatch: pytest.MonkeyPatch, *undecided: str) -> None:
    """The engines decide neither the whole nor these groups."""
    real = PortfolioRun.answer

    def some(run: PortfolioRun, until: float | None = None) -> Answer | None:
        about = run.program
        assert isinstance(about, CSource)
        if about.portions or about.options.property in undecided:
            return Answer(about, Unknown("too hard"), "portfolio")
        return real(run, until)

    monkeypatch.setattr(PortfolioRun, "answer", some)


def test_an_undecided_group_does_not_hide_that_others_are_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    giving_up(monkeypatch, "memory")
    found = revet.check(written(tmp_path, MASKED), engine="bmc")
    assert {one.property_name: one.status for one in found.groups} == {
        "assertions": "safe", "arithmetic": "safe", "memory": "unknown",
    }
    assert verdict_line(found) == "verdict: unknown (memory not decided; proved: assertions, arithmetic)"
    assert "asked one by one\n  assertions  safe" in render(found)
    data = answer_data(found)["groups"]
    assert [one["verdict"] for one in data] == ["safe", "safe", "unknown"] and "certificate" in data[0]


def test_portions_that_are_all_safe_make_the_whole_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    giving_up(monkeypatch)
    found = revet.check(written(tmp_path, MASKED), engine="bmc", timeout=120)
    assert found.status == "safe" and [one.status for one in found.groups] == ["safe"] * 3
    assert not any("valid" in line or "bounds" in line for line in found.program.assumptions)
    assert verdict_line(found) == "verdict: safe"


def test_a_broken_portion_breaks_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    giving_up(monkeypatch, "assertions")
    found = revet.check(written(tmp_path, MASKED.replace("i + 1", "i")), engine="bmc", timeout=120)
    assert found.status == "unsafe" and [one.status for one in found.groups][:2] == ["unknown", "unsafe"]
    assert verdict_line(found).startswith("verdict: unsafe (division@p.c:")


def test_witnesses_say_what_they_are_about() -> None:
    for names in ("assertions,arithmetic,memory,library", "division,shift,conversion", "bounds"):
        assert groups_of(specification_text(names, "main", ())) == names
    for names in ("unreach-call", "no-overflow", "valid-deref,valid-free"):
        assert groups_of(specification_text(names, "main", ())) == names
    assert groups_of("CHECK( init(main()), LTL(F end) )") is None
    assert groups_of("nonsense") is None
