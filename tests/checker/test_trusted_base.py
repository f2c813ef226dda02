"""docs/trust.md says how long the trusted base is: the checker and everything that it imports."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "trust.md"


def test_the_figures_of_the_page_are_those_of_the_code():
    grimp = pytest.importorskip("grimp", reason="comes with import-linter")
    graph = grimp.build_graph("revet", exclude_type_checking_imports=True, cache_dir=None)
    used = graph.find_upstream_modules("revet.checker", as_package=True)
    used |= {"revet.checker", *graph.find_descendants("revet.checker")}
    counted: Counter[str] = Counter()
    for module in used:
        file = ROOT / "src" / module.replace(".", "/")
        file = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
        counted[module.split(".")[1]] += len(file.read_text(encoding="utf-8").splitlines())
    said: dict[str, int] = {}
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.M)
    for parts, lines in rows:
        names = re.findall(r"\w+", parts)
        said |= dict.fromkeys(names, 0)
        assert abs(int(lines) - sum(counted[name] for name in names)) <= 0.05 * int(lines), parts
    assert set(said) == set(counted)
