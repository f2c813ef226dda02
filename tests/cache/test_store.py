"""The proof cache: what it recalls, what it refuses, and what it does about damage."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from revet.cache import Cache
from revet.cache.apart import Failed, apart
from revet.cache.entry import Entry, read_entry, write_entry
from revet.cache.store import entry_name
from revet.driver.answer import Answer
from revet.driver.run import solve
from revet.frontends.program import Program
from revet.frontends.registry import load
from revet.logic.terms import TRUE
from revet.model.cfa import Cfa
from revet.portfolio import Limits
from revet.portfolio.interrupt import Interrupt
from revet.question import Question
from revet.result.certificate import LocationInvariants
from revet.result.serialize import dump_verdict
from revet.result.verdict import Safe

SPA = """int x, y, n;
x = 0;
y = 0;
while (x < 10) {
  x = x + 1;
  y = y + 2;
}
assert(y == 2 * x);
"""
LUSTRE = """node count(reset: bool) returns (ok: bool);
var n: int;
let
  n = 0 -> if reset then 0 else if pre n < {top} then pre n + 1 else pre n;
  ok = n <= 5;
  --%PROPERTY ok;
tel
"""


class Folder:
    """A program file, a cache and the notes it gave."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.file = path / name
        self.notes: list[str] = []
        self.cache = Cache(path / "cache", self.notes.append)
        self.question = Question((str(self.file),), {})

    def program(self, text: str) -> Program:
        self.file.write_text(text)
        return load([self.file])

    def solve(self, text: str, engine: str) -> Answer:
        answer = solve(self.program(text), engine)
        assert answer.status != "unknown", answer.reason
        self.cache.keep(self.question, answer)
        return answer

    def recall(self, text: str) -> Answer | None:
        return self.cache.recall(replace(self.question, limits=Limits(20.0)), self.program(text))

    def entries(self) -> list[Path]:
        return sorted(path for path in (self.path / "cache").iterdir() if path.name != ".gitignore")


@pytest.fixture
def spa(tmp_path: Path) -> Folder:
    return Folder(tmp_path, "p.spa")


@pytest.fixture
def lustre(tmp_path: Path) -> Folder:
    return Folder(tmp_path, "p.lus")


def test_an_unchanged_program_is_answered_by_the_check(spa: Folder) -> None:
    first = spa.solve(SPA, "pdr-cfa")
    again = spa.recall(SPA)
    assert again is not None and again.status == first.status == "safe"
    assert again.engine == "cache" and again.checked is not None and again.checked.accepted
    assert again.checked.notes[-1].startswith("evidence from the cache, found by pdr-cfa in")
    (path,) = spa.entries()
    before = path.stat().st_mtime_ns
    spa.cache.keep(spa.question, again)
    assert path.stat().st_mtime_ns == before and not spa.notes
    assert (spa.path / "cache/.gitignore").read_text() == "*\n"


EDITS: dict[str, Callable[[str], str]] = {
    "lines above": lambda text: "\n\n" + text,
    "another variable": lambda text: text.replace("x, y", "z, x, y").replace("y = 0;", "y = 0;\nz = y;"),
    "a branch in the loop": lambda text: text.replace("y = y + 2;", "y = y + 2;\n  if (n > 3) { n = 0; }"),
    "another bound": lambda text: text.replace("10", "20"),
    "a variable gone": lambda text: text.replace(", n;", ";"),
    "a weaker claim": lambda text: text.replace("y == 2 * x", "y >= 2 * x"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_certificate_follows_small_edits(spa: Folder, edit: str) -> None:
    spa.solve(SPA, "pdr-cfa")
    answer = spa.recall(EDITS[edit](SPA))
    assert answer is not None and answer.status == "safe"
    assert answer.checked is not None and "earlier version" in answer.checked.notes[-1]
    spa.cache.keep(spa.question, answer)
    (path,) = spa.entries()
    entry = read_entry(path)
    assert entry is not None and entry.engine == "pdr-cfa"  # who found it, not who recalled it


def test_a_run_is_made_again_in_an_edited_program(spa: Folder) -> None:
    broken = SPA.replace("y + 2", "y + 3")
    assert spa.solve(broken, "bmc").status == "unsafe"
    again = spa.recall(broken)
    assert again is not None and again.status == "unsafe"
    edited = spa.recall("\nint z;\nz = 1;\n" + broken.replace("10", "12"))
    assert edited is not None and edited.status == "unsafe"
    assert spa.recall(SPA) is None


def test_drawn_values_and_choices_are_made_again(spa: Folder) -> None:
    text = (
        "int x, n;\nn = 0;\nx = 0;\nwhile (n < 3) {\n  havoc x;\n  assume(x > 41);\n"
        "  if (nondet()) { n = n + 1; }\n}\nassert(x != 77);\n"
    )
    assert spa.solve(text, "bmc").status == "unsafe"
    edited = spa.recall(text.replace("n = 0;", "n = 0;\nint k;\nk = 5;", 1))
    assert edited is not None and edited.status == "unsafe"


def test_systems_are_recalled_and_rerun(lustre: Folder) -> None:
    assert lustre.solve(LUSTRE.format(top=5), "kind").status == "safe"
    again = lustre.recall(LUSTRE.format(top=5))
    assert again is not None and again.status == "safe" and "earlier" not in str(again.checked)
    stronger = lustre.recall(LUSTRE.format(top=4))
    assert stronger is not None and stronger.status == "safe"
    assert lustre.recall(LUSTRE.format(top=6)) is None
    assert lustre.solve(LUSTRE.format(top=6), "kind").status == "unsafe"
    other = lustre.recall(LUSTRE.format(top=9))
    assert other is not None and other.status == "unsafe"
    assert len(lustre.entries()) == 2  # the certificate is still there
    back = lustre.recall(LUSTRE.format(top=5))
    assert back is not None and back.status == "safe"


VARIANTS = {
    SPA: "safe",
    SPA.replace("y + 2", "y + 3"): "unsafe",
    SPA.replace("x = x + 1;", "if (n > 0) { x = x + 1; } else { x = x + 1; }"): "safe",
    SPA.replace("x = x + 1;", "if (n > 0) { x = x + 1; } else { x = x + 2; }"): "unsafe",
    SPA.replace("y = 0;", "y = 1;"): "unsafe",
    SPA.replace("y = 0;", "y = 0; havoc n; assume(n > 2);"): "safe",
    SPA.replace("y == 2 * x", "y == 20"): "safe",
    SPA.replace("y == 2 * x", "y == 22"): "unsafe",
    SPA.replace("x < 10", "x < n"): "safe",
    "assert(1 == 1);": "safe",
    "int y; y = 3; assert(y == 4);": "unsafe",
}


@pytest.mark.parametrize("source", range(len(VARIANTS)))
def test_evidence_of_one_program_never_gives_a_wrong_answer_for_another(tmp_path: Path, source: int) -> None:
    spa = Folder(tmp_path, "p.spa")
    text, expected = list(VARIANTS.items())[source]
    assert spa.solve(text, "pdr-cfa" if expected == "safe" else "bmc").status == expected
    for other, truth in VARIANTS.items():
        answer = spa.recall(other)
        assert answer is None or answer.status == truth
        assert answer is not None or other != text
    assert not spa.notes


def test_forged_evidence_is_not_believed(spa: Folder) -> None:
    broken = SPA.replace("y + 2", "y + 3")
    spa.solve(SPA, "pdr-cfa")
    (path,) = spa.entries()
    entry = read_entry(path)
    assert entry is not None
    program = spa.program(broken)
    assert isinstance(program.model, Cfa)
    from revet.cache.store import _Shape

    lie = Safe(LocationInvariants(dict.fromkeys(program.model.locations, TRUE)))
    forged = Entry(dump_verdict(lie, program.model), program.model.accept(_Shape()), [], "kind", 9.0, 1.0)
    write_entry(path, forged)
    assert spa.cache.recall(replace(spa.question, limits=Limits(20.0)), program) is None


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut short": lambda data: data[:-7],
    "one bit": lambda data: data[:60] + bytes([data[60] ^ 4]) + data[61:],
    "something else": lambda data: b"\x00\xff" * 100,
    "digest of nonsense": lambda data: b"REVET2" + hashlib.sha256(b"\xc1").digest() + b"\xc1",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_entry_is_ignored_with_a_note_and_replaced(spa: Folder, damage: str) -> None:
    spa.solve(SPA, "pdr-cfa")
    (path,) = spa.entries()
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert spa.recall(SPA) is None
    assert len(spa.notes) == 1 and "damaged and is ignored" in spa.notes[0]
    spa.solve(SPA, "pdr-cfa")
    assert spa.recall(SPA) is not None and len(spa.notes) == 1
    assert spa.entries() == [path]  # nothing half-written is left


@pytest.mark.parametrize("shape", [{}, {"marks": []}, {"marks": ["a"], "names": ["a"], "edges": [[0, 9]]}])
def test_a_well_formed_entry_that_makes_no_sense_is_ignored(spa: Folder, shape: dict[str, object]) -> None:
    spa.solve(SPA, "pdr-cfa")
    (path,) = spa.entries()
    entry = read_entry(path)
    assert entry is not None
    write_entry(path, Entry(entry.verdict, shape, [], "kind", 9.0, 1.0))
    assert spa.recall(SPA) is None
    write_entry(path, Entry(b"\xc1", entry.shape, [], "kind", 9.0, 1.0))
    assert spa.recall(SPA) is None and "cannot be used and is ignored" in spa.notes[-1]


def test_an_unwritable_folder_is_one_note(tmp_path: Path) -> None:
    spa = Folder(tmp_path, "p.spa")
    spa.cache = Cache(Path("/proc/nowhere/cache"), spa.notes.append)
    assert spa.recall(SPA) is None
    spa.solve(SPA, "pdr-cfa")
    assert len(spa.notes) == 1 and "/proc/nowhere/cache cannot be written" in spa.notes[0]


def test_questions_differ_by_file_options_and_property_but_not_by_place(tmp_path: Path) -> None:
    names = {
        entry_name(Question(("a/x.c",), {"ilp32": True}), tmp_path),
        entry_name(Question(("a/x.c",), {"ilp32": False}), tmp_path),
        entry_name(Question(("a/x.c",), {"ilp32": True}, "p"), tmp_path),
        entry_name(Question(("b/x.c",), {"ilp32": True}), tmp_path),
    }
    assert len(names) == 4
    here, there = tmp_path / "here", tmp_path / "there"
    one, other = Question((str(here / "x.c"),)), Question((os.path.relpath(there / "x.c"),))
    assert entry_name(one, here / "cache") == entry_name(other, there / "cache")


def test_undecided_runs_leave_nothing(spa: Folder) -> None:
    from revet.driver.options import parse_options
    from revet.engines.registry import engine

    options = parse_options(engine("bmc"), {"bound": "1"})
    answer = solve(spa.program(SPA), "bmc", options)
    assert answer.status == "unknown"
    spa.cache.keep(spa.question, answer)
    assert not (spa.path / "cache").exists()


def test_a_trial_that_takes_too_long_or_dies_is_given_up() -> None:
    start = time.monotonic()
    assert apart(lambda: time.sleep(60), 0.3) is None
    assert time.monotonic() - start < 20
    assert apart(lambda: [1, 2], 20.0) == [1, 2]
    with pytest.raises(Failed, match="by zero"):
        apart(lambda: 1 // 0, 20.0)
    with pytest.raises(Failed, match="died"):
        apart(lambda: os._exit(3), 20.0)
    with Interrupt() as interrupt:
        os.kill(os.getpid(), signal.SIGINT)
        assert apart(lambda: time.sleep(60), 30.0, interrupt=interrupt) is None
