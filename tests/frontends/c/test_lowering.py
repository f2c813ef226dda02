"""Lowering: random runs of the automaton and of the source's interpreter must agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver import solve
from revet.engines.common.context import Context
from revet.errors import InputError, Unsupported
from revet.frontends.c import load

PROGRAMS = Path(__file__).parent / "programs"


def verdict(path: Path, engine: str = "bmc", **options: object) -> str:
    program = load([path], {"property": "assertions", "malloc": "if-too-large", **options})
    answer = solve(program, engine, context=Context(budget=Budget(20)))
    return answer.status


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("unsafe/*.c")), ids=lambda path: path.stem)
def test_unsafe_programs(path: Path) -> None:
    assert verdict(path) == "unsafe"


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("safe/*.c")), ids=lambda path: path.stem)
def test_safe_programs(path: Path) -> None:
    assert verdict(path) == "safe"


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("unknown/*.c")), ids=lambda path: path.stem)
def test_beyond_the_recursion_limit_nobody_knows(path: Path) -> None:
    program = load([path], {"recursion": 3, "property": "assertions"})
    answer = solve(program, "bmc", context=Context(budget=Budget(20)))
    assert answer.status == "unknown"
    assert answer.reason is not None and "recursion-limit" in answer.reason


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*safe/*.c")), ids=lambda path: path.stem)
def test_both_encodings_never_contradict(path: Path) -> None:
    expected = path.parent.name
    found = verdict(path, "bmc", arithmetic="bv")
    assert found in (expected, "unknown")


def test_no_main(tmp_path: Path) -> None:
    path = tmp_path / "no_main.c"
    path.write_text("int x;\n")
    with pytest.raises(InputError, match="no function main"):
        load([path])


@pytest.mark.parametrize("call", ["strxfrm(a, a, 4)", "vsscanf(a, a, a)", "scanf(a, a)"])
def test_what_writes_memory_is_never_skipped(tmp_path: Path, call: str) -> None:
    """A library function that writes through its pointers is not one "without effect"."""
    path = tmp_path / "library.c"
    path.write_text(f"int main() {{ char a[4]; {call}; assert(a[0] == 0); }}\n")
    with pytest.raises(Unsupported) as caught:
        load([path])
    assert caught.value.position is not None


def test_strict_refuses_functions_without_body(tmp_path: Path) -> None:
    path = tmp_path / "external.c"
    path.write_text("int f(void);\nint main() { return f(); }\n")
    assert load([path]).assumptions == ("f() has no body: any value, no other effect",)
    with pytest.raises(Unsupported, match="no body"):
        load([path], {"strict": True})


def test_deep_copies_of_large_recursive_functions_are_few(tmp_path: Path) -> None:
    """40 activations at each of many calls would be too much: then there are three."""
    work = " ".join(f"x += {number};" for number in range(40))
    path = tmp_path / "recursive.c"
    text = f"int x, k; void f(int n) {{ {work} if (n) f(n - 1); }} int main(void) {{ CALLS return 0; }}"
    path.write_text(text.replace("CALLS", "f(k); " * 4))
    few = load([path], {"property": "assertions"})
    path.write_text(text.replace("CALLS", "f(k); " * 80))
    many = load([path], {"property": "assertions"})
    assert few.open_ends and many.open_ends
    assert len(many.model.edges) < 60_000 < 20 * len(few.model.edges)


def test_recursion_with_constants_makes_few_copies(tmp_path: Path) -> None:
    """Each activation knows its argument, so no copy is made that is not reached."""
    path = tmp_path / "recursive.c"
    path.write_text("int x; void f(int n) { x += n; if (n) f(n - 1); } int main(void) { f(30); return x; }")
    program = load([path], {"property": "assertions"})
    assert len(program.model.edges) < 300
