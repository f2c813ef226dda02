"""The page ``docs/streams.md`` runs, and prints what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from revet.frontends.c.clang.run import system_compiler

PAGE = Path(__file__).parents[2] / "docs" / "streams.md"


def stable(output: str) -> list[str]:
    """The first table and the answers; which run a solver finds is its own choice."""
    lines = output.splitlines()
    return [*lines[:5], *(line for line in lines if line.endswith((": proved", ": refuted")))]


@pytest.mark.skipif(system_compiler() is None, reason="no C compiler")
def test_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown = re.findall(r"```(?:python|text)\n(.*?)```", PAGE.read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "tutorial.py"
    script.write_text(code)
    exec(compile(code, str(script), "exec"), {})
    assert stable(capsys.readouterr().out) == stable(shown)
    assert (tmp_path / "build" / "engine.c").exists()
    assert len([line for line in code.splitlines() if line.strip()]) <= 20
