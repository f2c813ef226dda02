"""The scripts of the project still start: what they import exists, and --help says what they are for."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"


def _in_python() -> list[Path]:
    files = sorted(path for path in SCRIPTS.iterdir() if path.is_file() and os.access(path, os.X_OK))
    return [path for path in files if "python" in path.read_text().partition("\n")[0]]


@pytest.mark.parametrize("script", _in_python(), ids=lambda path: path.name)
def test_help_says_what_a_script_is_for(script: Path) -> None:
    command = [sys.executable, str(script), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    purpose = ast.get_docstring(ast.parse(script.read_text()))
    assert purpose is not None
    assert purpose.splitlines()[0] in done.stdout


def test_there_are_scripts() -> None:
    assert len(_in_python()) > 10
