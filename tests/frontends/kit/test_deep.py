"""Room for deep nests: as deep as promised also through C, exceptions pass, limits come back."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from revet.frontends import load
from revet.frontends.kit import deep
from revet.frontends.kit.deep import at_any_depth


@at_any_depth
def depth(nest: int) -> int:
    """Python calls C (``sum``), which calls Python (the generator), and so on."""
    return sum(depth(nest - 1) for _ in range(1)) + 1 if nest else 0


def test_recursion_through_c_is_deep() -> None:
    assert depth(50_000) == 50_000


def test_without_an_end_it_is_an_error_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deep, "_STACKS", (64 << 20,))
    with pytest.raises(RecursionError):
        depth(10**9)


def test_limits_come_back_and_a_thread_serves_its_callees() -> None:
    before = sys.getrecursionlimit(), threading.stack_size()

    @at_any_depth
    def outer() -> tuple[int, int]:
        return threading.get_ident(), at_any_depth(threading.get_ident)()

    one, two = outer()
    assert one == two != threading.get_ident()
    with pytest.raises(KeyError):
        at_any_depth({}.__getitem__)("missing")
    assert (sys.getrecursionlimit(), threading.stack_size()) == before


def test_where_memory_is_limited_the_stack_is_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing(threading.Thread):
        def start(self) -> None:
            if threading.stack_size() > 64 << 20:
                raise RuntimeError("can't start new thread")
            super().start()

    stub = SimpleNamespace(Thread=Refusing, stack_size=threading.stack_size)
    monkeypatch.setattr(deep, "threading", stub)
    assert depth(3_000) == 3_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.spa", "int x; x = " + "(" * 20_000 + "x" + ")" * 20_000 + "; assert(x > 1);"),
        ("a.lus", "node n(p: bool) returns (q: bool); let --%PROPERTY q;\nq = " + "not " * 5000 + "p; tel"),
        ("a.bpl", "procedure main(x: int) { assert " + "(" * 20_000 + "x" + ")" * 20_000 + " != 1; }"),
        ("a.c", "int main(void) { return " + "(" * 900 + "1" + ")" * 900 + "; }"),
    ],
    ids=lambda value: value if len(value) < 9 else "",
)
def test_every_language_reads_deep_programs(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert load([tmp_path / name]).model is not None
