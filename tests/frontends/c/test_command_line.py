"""``main(argc, argv)``: any number of strings, in the model, in the interpreter and in the compiled run."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver import solve
from revet.driver.answer import Answer
from revet.engines.common.context import Context
from revet.frontends.c import load
from revet.frontends.c.source import CSource
from revet.result.verdict import Unsafe

_INCLUDES = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n"
UNSAFE = {
    "two characters of one, the first of the other":
        "if (argc == 3 && argv[1][0] == '-' && argv[1][1] == 'x') assert(argv[2][0] != 'q');",
    "nothing but the name": "assert(argc > 1);",
    "more than are made one by one": "assert(argc < 6 || argv[5][0] != 'z');",
    "an argument that is not there": "return argv[1][0];",
    "the pointer behind the last": "assert(argv[argc] != 0);",
    "the number changed": "argc--; assert(argc != 2);",
}
SAFE = {
    "null behind the last": "assert(argv[argc] == 0);",
    "strings end": "if (argc > 1 && argv[1][0] && argv[1][1]) return argv[1][2];",
    "there is a name": "assert(argc >= 1 && argv[0]);",
    "distinct": "if (argc > 1) { argv[0][0] = 'a'; char c = argv[1][0]; argv[0][0] = 'b'; "
        "assert(argv[1][0] == c); }",
}


def check(
    tmp_path: Path, body: str, engine: str, head: str = "int main(int argc, char **argv)",
    most: int = 1 << 20,
) -> Answer:
    file = tmp_path / "line.c"
    file.write_text(f"{_INCLUDES}{head} {{ {body} return 0; }}")
    program = load([file], {"data_model": "lp64", "entry_length": most})
    return solve(program, engine, context=Context(budget=Budget(60)))


@pytest.mark.parametrize("body", UNSAFE.values(), ids=UNSAFE)
def test_some_command_line_breaks_it(tmp_path: Path, body: str) -> None:
    answer = check(tmp_path, body, "bmc")
    assert answer.status == "unsafe"
    assert any("arguments" in line for line in answer.program.assumptions)


@pytest.mark.parametrize("body", SAFE.values(), ids=SAFE)
def test_no_short_command_line_breaks_it(tmp_path: Path, body: str) -> None:
    answer = check(tmp_path, body, "kind", most=3)
    assert answer.status == "safe"
    assert any("1 to 3 arguments" in line for line in answer.program.assumptions)


def test_the_run_shows_the_command_line(tmp_path: Path) -> None:
    answer = check(tmp_path, "assert(argc != 2 || argv[1][0] != 'k' || argv[1][1]);", "bmc")
    assert isinstance(answer.program, CSource) and isinstance(answer.verdict, Unsafe)
    text = answer.program.render_trace(answer.verdict.trace)
    assert text.startswith("given: argc = 2, argv[0] = ")
    assert 'argv[1] = "k"\n' in text
    assert "revet_" not in text


def test_a_main_that_does_not_look_needs_no_driver(tmp_path: Path) -> None:
    answer = check(tmp_path, "assert(1 + 1 == 2);", "bmc")
    assert answer.status == "safe"
    assert not any("arguments" in line for line in answer.program.assumptions)


def test_the_environment_is_strings_too(tmp_path: Path) -> None:
    head = "int main(int argc, char **argv, char **envp)"
    assert check(tmp_path, "if (envp[0]) assert(envp[0][0] != 'P');", "bmc", head).status == "unsafe"


def test_long_arguments_are_tried(tmp_path: Path) -> None:
    body = "char b[12]; int i = 0; if (argc == 2) while (argv[1][i]) { b[i] = argv[1][i]; i++; } return b[0];"
    answer = check(tmp_path, body, "explore")
    assert isinstance(answer.verdict, Unsafe)
    assert isinstance(answer.program, CSource)
    shown = answer.program.render_trace(answer.verdict.trace)
    given = next(line for line in shown.splitlines() if line.startswith("given: "))
    assert len(given.partition('argv[1] = "')[2]) > 12


def test_text_of_one_kind_is_tried(tmp_path: Path) -> None:
    """A name that is too long is found only if a run begins with many letters."""
    body = "char b[16]; int i = 0; if (argc > 1) while (isalnum((unsigned char)argv[1][i])) b[i++] = 1;"
    answer = check(tmp_path, body, "explore", head="#include <ctype.h>\nint main(int argc, char **argv)")
    assert answer.status == "unsafe"
    assert answer.checked is not None
    assert any("values given to the arguments of main" in line for line in answer.checked.notes)
