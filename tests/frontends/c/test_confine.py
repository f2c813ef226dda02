"""A program under check is not trusted: what it cannot do while it is executed."""

from __future__ import annotations

import re
import socket
import sys
from pathlib import Path

import pytest

from revet.frontends.c import execute as execution
from revet.frontends.c.execute import Execution, execute
from revet.frontends.c.parse import parse_files
from revet.frontends.c.toolchain import works_for
from revet.frontends.c.types import LP64

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not works_for(LP64), reason="no C compiler, or another system than Linux"
)

DECLARED = """typedef unsigned long size_t;
int system(const char *); int unlink(const char *); int fork(void); int socket(int, int, int);
int kill(int, int); int puts(const char *); int open(const char *, int, ...); long syscall(long, ...);
void reach_error(void); int atoi(const char *); int toupper(int); double sin(double); int mine(int);
"""
REACHING = [
    'system("touch {}")', 'unlink("{}")', "fork()", "socket(2, 1, 0)", "kill(1, 9)", 'open("{}", 0)',
    "syscall(39)",
]


def executed(folder: Path, body: str, seconds: int = 5) -> Execution:
    file = folder / "program.c"
    file.write_text(DECLARED + f"int main(void) {{ {body} reach_error(); return 0; }}\n")
    return execute(parse_files([file], LP64), [], seconds=seconds)


@pytest.mark.parametrize("call", REACHING)
def test_a_program_that_reaches_out_is_not_executed(tmp_path: Path, call: str) -> None:
    found = executed(tmp_path, call.format(tmp_path / "victim") + ";")
    assert found.status == "not-run"
    assert f"{call.split('(')[0]}, which a confined run cannot have" in found.note


@pytest.mark.parametrize("call", REACHING[:-1])
def test_and_if_it_were_the_kernel_would_end_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("here")
    monkeypatch.setattr(execution, "computes", lambda name: True)
    found = executed(tmp_path, call.format(victim) + ";")
    assert found.status == "not-run" and "asks the system" in found.note, found
    assert victim.read_text() == "here"


def test_constructors_are_confined_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = tmp_path / "victim"
    victim.write_text("here")
    monkeypatch.setattr(execution, "computes", lambda name: True)
    file = tmp_path / "program.c"
    file.write_text(
        "int unlink(const char *);\n__attribute__((constructor(101))) static void first(void) "
        f'{{ unlink("{victim}"); }}\nint main(void) {{ return 0; }}\n'
    )
    found = execute(parse_files([file], LP64), [])
    assert found.status == "not-run", found
    assert victim.exists()


def test_a_fork_bomb_makes_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "computes", lambda name: True)
    found = executed(tmp_path, "for (;;) fork();")
    assert found.status == "not-run" and "asks the system" in found.note


def test_no_connection_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "computes", lambda name: True)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.settimeout(0.1)
        executed(tmp_path, "socket(2, 1, 0);")
        with pytest.raises(TimeoutError):
            server.accept()


def test_ten_gigabytes_of_output_go_nowhere(tmp_path: Path) -> None:
    body = 'for (long i = 0; i < 1000000000; i++) puts("0123456789");'
    found = executed(tmp_path, body, seconds=1)
    assert found.status == "missed" and not found.reached
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 10_000


def test_an_endless_loop_ends(tmp_path: Path) -> None:
    assert executed(tmp_path, "for (;;) ;", seconds=1).status == "missed"


def test_the_real_library_is_linked(tmp_path: Path) -> None:
    right = 'if (atoi("42") == 42 && toupper(97) == 65 && sin(0.0) == 0.0)'
    assert executed(tmp_path, right).reached
    wrong = 'if (atoi("42") == 41)'
    assert executed(tmp_path, wrong).status == "missed"


def test_functions_without_a_value_are_not_made_up(tmp_path: Path) -> None:
    found = executed(tmp_path, "if (mine(3) == 0)")
    assert found.status == "missed" and "more values" in found.note


def test_the_answer_says_what_was_given_and_by_what_it_was_run(tmp_path: Path) -> None:
    found = executed(tmp_path, "")
    assert found.reached and re.search(r"\((clang|gcc) \d+\.\d+, \S+, \S+\)$", found.note)
