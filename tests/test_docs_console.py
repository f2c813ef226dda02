"""Every command shown in the documentation runs, and prints what the page shows.

In a ``console`` block, lines after ``$ `` are commands, the others their output; ``…`` stands for any
lines, or within a line for any text. Times may differ, and a busy machine may bring lines about progress.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    page.relative_to(ROOT).as_posix()
    for page in (ROOT / "docs").rglob("*.md")
    if "```console\n" in page.read_text(encoding="utf-8")
)
_TIME = re.compile(r"\d+\.\d+ s\b")
_PROGRESS = re.compile(r"^revet: \d+ s: .*\n", re.M)  # of a run that takes long


def commands(page: str) -> list[tuple[str, list[str]]]:
    """The commands of a page with the lines shown below each."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def pattern(shown: list[str]) -> str:
    parts = []
    for line in shown:
        if line.strip() in ("…", "..."):
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            escaped = re.escape(_TIME.sub("0.00 s", line)).replace("…", r"[^\n]*")
            parts.append(rf"{escaped}[ \t]*\n")
    return "".join(parts) + r"\s*"


def test_patterns() -> None:
    assert re.fullmatch(pattern(["a … c", "…", "d 1.25 s"]), "a b c\nx\ny\nd 0.00 s\n")
    assert not re.fullmatch(pattern(["a"]), "b\na\n")


@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_the_page_shows(page: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    revet = tmp_path / "bin" / "revet"
    revet.parent.mkdir()
    revet.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m revet "$@"\n')
    revet.chmod(0o755)
    environment = {**os.environ, "PATH": f"{revet.parent}:{os.environ['PATH']}"}
    for command, shown in commands(page):
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, text=True, timeout=180,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        output = _PROGRESS.sub("", _TIME.sub("0.00 s", done.stdout))
        assert "Traceback" not in output
        assert re.fullmatch(pattern(shown), output), f"{page}: {command}\n{done.stdout}"


def test_pages_of_engines_are_about_engines() -> None:
    from revet.engines.registry import REGISTRY

    for page in (ROOT / "docs" / "engines").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        if page.stem not in ("index", "portfolio"):
            assert page.stem in REGISTRY and f"<!-- options {page.stem} -->" in text
        for name in re.findall(r"--engine ([\w-]+)", text):
            assert name in REGISTRY, f"{page.name}: {name}"


def test_the_documentation_builds(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    command = [ROOT / "scripts" / "docs", "--site-dir", tmp_path / "site"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "engines" / "bmc.html").read_text()
    assert "<td><code>strategy</code></td>" in page and "../pictures/bmc.svg" in page
    for built in (tmp_path / "site").rglob("*.html"):
        # Links may lead outside; nothing may be *loaded* from there.
        assert not re.search(r'(?:src|<link[^>]*href)="(?:https?:)?//', built.read_text()), built
