"""The code in the documentation runs as it stands."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "page",
    [
        "README.md", "docs/python.md", "docs/founding/reachability.md", "docs/founding/theta.md",
        "docs/founding/copilot.md", "docs/founding/spa.md",
    ],
)
def test_python_on_the_page_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks
    scope: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), scope)


def test_doctests_of_the_api(monkeypatch: pytest.MonkeyPatch) -> None:
    import doctest

    import revet

    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(ROOT / "docs/python.md"), False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 5 and found.failed == 0
    assert doctest.testmod(revet).failed == 0


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([\w./-]+\.md)\)", page.read_text()):
            assert os.path.exists(page.parent / target), f"{page}: {target}"


def test_every_engine_has_its_page() -> None:
    from revet.engines.registry import REGISTRY

    menu = (ROOT / "mkdocs.yml").read_text()
    for name in REGISTRY:
        page = ROOT / f"docs/engines/{name}.md"
        text = page.read_text()
        assert "**Idea.**" in text and "**When" in text, name
        assert f"engines/{name}.md" in menu and f"({name}.md)" in (page.parent / "index.md").read_text()
        pictures = re.findall(r"!\[[^\]]+\]\((\.\./pictures/[\w-]+\.svg)\)", text)
        assert pictures and all((page.parent / picture).exists() for picture in pictures), name


def test_the_architecture_page_has_every_folder() -> None:
    table = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", (ROOT / "docs/architecture.md").read_text(), re.M)
    said = [name for row in table for name in re.findall(r"\w+", row)]
    source = ROOT / "src" / "revet"
    there = {path.parent.name for path in source.glob("*/__init__.py")}
    there |= {path.stem for path in source.glob("*.py") if not path.stem.startswith("__")}
    assert sorted(said) == sorted(there)
