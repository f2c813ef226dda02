"""Damaged files of the small languages: one clear error or a program, never anything else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from revet.errors import InputError
from revet.frontends import load
from revet.frontends.kit.expressions import parse_formula
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, Array, BitVec
from tests.frontends.walks import EXAMPLES, program_of

FILES = sorted(path for path in EXAMPLES.glob("s*/*") if path.suffix in (".aut", ".spa", ".cfa"))
PIECES = ["{", "}", "(", ")", "[", "]", ";", ":=", "=", "-->", "->", "|", "'", "@", "\\", "é", "\t", "9" * 20,
          "x", "not", "assume", "8'd255", "1'b2", "/", "%", "0", "init", "final", "error", "loc", "from",
          "/*", "//", "#", "nondet()", "*", "true", "fp[8:24]", "bv[4]", "if", "while", "\r\n"]  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_damaged_files(tmp_path: Path, path: Path) -> None:
    rng = random.Random(path.name)
    text = path.read_text()
    errors = 0
    for _ in range(150):
        damaged = text
        for _ in range(rng.randint(1, 3)):
            start = rng.randrange(len(damaged))
            end = min(len(damaged), start + rng.choice([0, 1, 1, 3, 10]))
            damaged = damaged[:start] + rng.choice(["", *PIECES]) + damaged[end:]
        try:
            program_of(tmp_path, path.name, damaged)
        except InputError as error:
            errors += 1
            assert error.message and "\n" not in error.message
            if error.position is not None:
                assert 1 <= error.position.line <= damaged.count("\n") + 1
    assert errors > 20


def test_damaged_formulas() -> None:
    variables = {"x": b.var("x", INT), "p": b.var("p", BOOL), "w": b.var("w", BitVec(4)),
                 "a": b.var("a", Array(INT, INT))}  # fmt: skip
    rng = random.Random(7)
    pieces = ["x", "p", "w", "a", "1", "1.5", "and", "or", "not", "!", "(", ")", "[", "]", "=", "<", "+", "-",
              "/", "%", "<s", "ite", ",", ":=", "?", ":", "if", "then", "else", "#b01", "bvadd", "max",
              "::", "&", "<<", "true", "div", "0"]  # fmt: skip
    good = 0
    for _ in range(5000):
        text = " ".join(rng.choice(pieces) for _ in range(rng.randint(1, 7)))
        try:
            parse_formula(text, variables)
            good += 1
        except InputError as error:
            assert error.position is not None
    assert good > 20


def test_files_that_are_no_text(tmp_path: Path) -> None:
    for suffix in (".aut", ".spa", ".cfa"):
        folder = tmp_path / f"folder{suffix}"
        folder.mkdir()
        with pytest.raises(InputError, match="is a directory"):
            load([folder])
        with pytest.raises(InputError, match="no such file"):
            load([tmp_path / f"missing{suffix}"])
        with pytest.raises(InputError, match="a binary file"):
            program_of(tmp_path, f"binary{suffix}", bytes(range(256)))
        with pytest.raises(InputError, match="an empty file"):
            program_of(tmp_path, f"empty{suffix}", "\ufeff  \r\n")
        with pytest.raises(InputError, match="unexpected character"):
            program_of(tmp_path, f"latin{suffix}", "# ä\nä".encode("latin-1"))
        two = [tmp_path / f"empty{suffix}"] * 2
        with pytest.raises(InputError, match="is one file"):
            load(two)


def test_windows_line_ends_and_tabs(tmp_path: Path) -> None:
    text = "int x;\r\n\tx = y;\r\n"
    with pytest.raises(InputError) as caught:
        program_of(tmp_path, "p.spa", text)
    assert str(caught.value).endswith("p.spa:2:6: unknown variable y\n   x = y;\n       ^")
