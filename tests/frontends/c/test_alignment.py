"""Alignment as a property: found where it is wrong wherever objects lie, proved where it is right everywhere,
and listed as assumed where nobody asks."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

import revet
from revet.cli.commands import revet as revet_command
from revet.errors import Unsupported
from revet.frontends.c import execute, load
from revet.frontends.c.interpret import Outcome, Random, run
from revet.frontends.c.parse import parse_text
from revet.frontends.c.processes import NotRun
from revet.frontends.c.types import ILP32, LP64
from revet.result.verdict import Unsafe

HEAD = """extern void *malloc(unsigned long); extern int nd(void);
struct packed { char c; int i; } __attribute__((packed)); struct wide { char c; long l; };
"""
OBJECTS = {  # what makes p a pointer to at least 32 bytes, and what its beginning is a multiple of
    "char b[32]; char *p = b;": 1, "short b[16]; char *p = (char *)b;": 2,
    "int b[8]; char *p = (char *)b;": 4, "double b[4]; char *p = (char *)b;": 8,
    "_Alignas(16) char b[32]; char *p = b;": 16,
    "int b[8] __attribute__((aligned(1))); char *p = (char *)b;": 1,
    "char *p = malloc(32);": 16, "struct packed b[8]; char *p = (char *)b;": 1,
    "struct wide b[2]; char *p = (char *)b;": 8, 'char *p = (char *)L"much longer";': 4,
    "char *p = (char *)(int[8]){0};": 4,
}
TYPES = {"char": 1, "short": 2, "int": 4, "long": 8, "struct wide": 8, "struct packed": 1, "long double": 16}
OFFSETS = (0, 1, 2, 4, 6, 8, 16)
CASES = list(product(OBJECTS, TYPES, OFFSETS))


def expected(promised: int, needs: int, offset: int) -> str:
    """right, wrong, or open: it depends on where the object is."""
    if offset % min(promised, needs):
        return "wrong"
    return "right" if promised >= needs else "open"


def _program(cases: list[tuple[str, str, int]]) -> str:
    """A function for each access, one a line."""
    lines = [
        f"static void f{n}(void) {{ {make} "
        + (f"(({type} *)(p + {offset}))->c = 1;" if "struct" in type else f"*({type} *)(p + {offset}) = 1;")
        + " }" for n, (make, type, offset) in enumerate(cases)
    ]
    calls = " ".join(f"case {n}: f{n}(); break;" for n in range(len(cases)))
    return HEAD + "\n".join(lines) + f"\nint main(void) {{ switch (nd()) {{ {calls} }} return 0; }}\n"


def interpreted(body: str) -> Outcome:
    program = parse_text(f"{HEAD}int main(void) {{\n{body}\nreturn 0; }}\n", model=LP64)
    return run(program, Random(1), stop_at=("alignment",))


def test_the_interpreter_tells_right_from_wrong_and_open() -> None:
    program = parse_text(_program(CASES), model=LP64)
    for number, (make, type, offset) in enumerate(CASES):
        outcome = run(program, Random(1), entry=f"f{number}", stop_at=("alignment",))
        wanted = expected(OBJECTS[make], TYPES[type], offset)
        found = "right" if outcome.kind != "error" else "open" if outcome.unspecified else "wrong"
        assert found == wanted, (make, type, offset, outcome)


@pytest.mark.parametrize("start", [1])
def test_the_model_excludes_what_is_right_everywhere_and_nothing_else(tmp_path: Path, start: int) -> None:
    """A long double in memory that is read as characters, too, is not modelled, so not here."""
    cases = [case for case in CASES if 'L"' not in case[0] and case[1] != "long double"][start::16]
    path = tmp_path / "p.c"
    path.write_text(_program(cases))
    model = load([path], {"property": "alignment", "malloc": "never-fails"}).lowered.cfa
    names = {error.name for error in model.errors}
    wrong = {
        f"alignment@p.c:{line}" for line, (make, type, offset) in enumerate(cases, 3)
        if expected(OBJECTS[make], TYPES[type], offset) != "right"
    }
    assert wrong <= names
    right = model.restricted_to(*(names - wrong))
    assert revet.check(right, engine="bmc", timeout=120).status == "safe"
    for name in sorted(wrong):
        assert revet.check(model.restricted_to(name), engine="bmc", timeout=120).status == "unsafe", name


RIGHT = {
    "numbers": "int a[4]; int k = nd() & 3; for (int *p = a; p < a + k; p++) *p = 1;",
    "in steps": "int a[4]; char *c = (char *)a; for (int i = 0; i < 4; i++, c += 4) *(int *)c = 1;",
    "a member": "struct wide w; long *p = &w.l; *p = 1;",
    "packed": "struct packed s, *p = &s; p->i = 1; s.i = 2;",
    "asked for": "_Alignas(8) char b[8]; *(long *)b = 1;",
    "address only": "int a[2]; struct packed s; int *q = &s.i; int **r = &q; *r = a;",
    "never there": "int a[2]; char *c = (char *)a + 1; if (c == (char *)a) *(int *)c = 1;",
    "right side first": "int a[2]; int *p = (int *)((char *)a + 1); if (0) *p += 1;",
}
WRONG = {
    "off by one": "int a[4]; int k = nd() & 3; int *p = (int *)((char *)a + k); *p = 1;",
    "after a head": "char *p = malloc(16); if (!p) return 0; *(int *)(p + 1) = 7;",
    "a structure": "long a[4]; struct wide *p = (struct wide *)((char *)a + 4); p->c = 1;",
    "copied": "long a[4]; struct wide *p = (struct wide *)((char *)a + 4), w = *p;",
    "changed": "int a[4] = {0}; int *p = (int *)((char *)a + 2); *p += 1;",
    "through a function": "int a[4] = {0}; return get((int *)((char *)a + 2));",
    "a packed member": "struct { int n; struct packed p; } s; int *q = &s.p.i; *q = 1;",
}


def answer(folder: Path, body: str, data_model: str = "lp64", engine: str = "bmc") -> revet.Result:
    path = folder / "p.c"
    function = "static int get(int *p) { return *p; }"
    path.write_text(f"{HEAD}{function}\nint main(void) {{\n{body}\nreturn 0; }}\n")
    return revet.check(
        path, engine=engine, timeout=120, property="alignment", data_model=data_model,
        validate_translation="off",
    )


@pytest.mark.parametrize("name", RIGHT)
def test_right_programs_are_proved(tmp_path: Path, name: str) -> None:
    assert answer(tmp_path, RIGHT[name], engine="kind" if name == "numbers" else "bmc").status == "safe"


@pytest.mark.parametrize("name", WRONG)
def test_wrong_programs_are_found(tmp_path: Path, name: str) -> None:
    found = answer(tmp_path, WRONG[name], "ilp32" if name == "changed" else "lp64")
    assert isinstance(found.verdict, Unsafe), found.verdict
    assert found.verdict.trace.violated.startswith("alignment@p.c:")
    assert "needs an address that is a multiple of" in found.program.render_trace(found.verdict.trace)


def test_what_depends_on_the_place_is_never_proved_and_never_unsafe_without_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(_: object) -> None:
        raise NotRun("no compiler")

    monkeypatch.setattr(execute, "toolchain_for", none)
    path = tmp_path / "p.c"
    path.write_text("int main(void) { static char b[64]; *(int *)(b + 4) = 1; return 0; }")
    for engine in ("explore", "bmc"):
        found = revet.check(path, engine=engine, timeout=60, property="alignment")
        assert found.status == "unknown", found.verdict


def test_a_32_bit_long_long_may_begin_at_any_word() -> None:
    text = "int main(void) { int a[3]; *(long long *)(a + 1) = 1; *(double *)(a + 1) = 1; return 0; }"
    for model, kind in ((ILP32, "exit"), (LP64, "error")):
        assert run(parse_text(text, model=model), Random(1), stop_at=("alignment",)).kind == kind


def test_a_run_that_ends_before_the_access_is_right() -> None:
    body = "int a[2] = {0}; int *p = (int *)((char *)a + 1); *p += ({ if (a[0] == 0) return 3; 1; });"
    assert interpreted(body).kind == "exit"


@pytest.mark.parametrize(("body", "lines"), [
    ("char b[8];\nint *p = (int *)(b + 1);\n*p = 3;", ["p.c:5"]),
    ("struct packed s;\nint *p = &s.i;\n*p = 3;", ["p.c:5"]),
    ("unsigned long n = nd();\nint *p = (int *)n;\nif (p) *p = 3;", ["p.c:5"]),
    ("int a[2];\nvoid *v = (char *)a + 1;\nint *p = v; *p = 1;", ["p.c:6"]),
    ("int a[2];\nvoid *v = a;\nint *p = v; *p = 1;", []),
    ("int *p = malloc(8); if (!p) return 0;\nchar *c = (char *)p; *c = 1; *p = 2;", []),
    ("short s = 1; long l = s;\nlong *p = &l; *p = 3;", []),
])
def test_it_is_assumed_and_listed_unless_asked_for(tmp_path: Path, body: str, lines: list[str]) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"{HEAD}int main(void) {{\n{body}\nreturn 0; }}\n")
    source = load([path], {"property": "assertions"})
    said = [text for text in source.lowered.assumptions if "aligned" in text]
    assert said == [f"pointers are aligned as their types ask ({', '.join(lines)})"] * bool(lines)
    assert not any("alignment" in error.name for error in source.lowered.cfa.errors)
    asked = load([path], {"property": "alignment"}).lowered
    assert not any("aligned" in text for text in asked.assumptions)


def test_a_name_of_a_type_with_its_own_alignment_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("typedef int loose __attribute__((aligned(1)));\n"
                    "int main(void) { char b[8]; *(loose *)(b + 1) = 3; return 0; }\n")
    with pytest.raises(Unsupported, match="alignment of its own") as refused:
        load([path], {"property": "alignment"})
    assert refused.value.position is not None and refused.value.position.line == 1
    assert "p.c:1" in str(load([path], {"property": "assertions"}).lowered.assumptions)


def test_each_json_and_sarif_name_it(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int a[4], b[4], nd(void);\nint main(void) { int k = nd();\n"
                    "if (k == 4) *(int *)((char *)a + k) = 1;\n"
                    "*(int *)((char *)b + 2) = 1;\nreturn 0; }\n")
    options = ["check", "--property", "alignment", "--engine", "bmc", "--timeout", "120"]
    each = CliRunner().invoke(revet_command, [*options, "--each", "--json", str(path)])
    assert [one["verdict"] for one in json.loads(each.stdout)] == ["safe", "unsafe"]
    sarif = tmp_path / "r.sarif"
    CliRunner().invoke(revet_command, [*options, "--sarif", str(sarif), str(path)])
    rules = json.loads(sarif.read_text())["runs"][0]["tool"]["driver"]["rules"]
    (rule,) = [rule for rule in rules if "alignment" in rule["id"]]
    assert "external/cwe/cwe-704" in rule["properties"]["tags"]
