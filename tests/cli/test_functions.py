"""``revet check --functions``: a table of answers, and the same in the reports."""

from __future__ import annotations

import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

MODULE = """#include <assert.h>
int masked(int x) { int y = x & 7; assert(y < 8); return y; }
int pointed(int *p) { assert(*p != 5); return 0; }
static int odd(int (*f)(int, ...)) { return f(0); }
void nothing(void) { }
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "module.c"
    path.write_text(MODULE)
    return path


def run(*arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "revet", "check", *arguments, "--no-cache", "--no-progress"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, done.stdout, done.stderr


def test_the_table_as_text_page_and_sarif(module: Path, tmp_path: Path) -> None:
    """Every function has a line."""
    page, sarif = tmp_path / "table.html", tmp_path / "table.sarif"
    status, out, _ = run("--functions", "--html", str(page), "--sarif", str(sarif), str(module))
    lines = [line.split() for line in out.splitlines()]
    assert [line[:3] for line in lines[1:5]] == [
        ["masked", "1", "safe"], ["pointed", "2", "unsafe"], ["odd", "-", "refused"],
        ["nothing", "0", "safe"],
    ]
    assert "assertion `*p != 5` fails" in out
    assert out.splitlines()[-1] == "verdict: unsafe (2 safe, 1 unsafe, 1 refused)"
    assert status == 1
    text = page.read_text()
    HTMLParser().feed(text)
    assert text.count("<tr class=") == 4
    assert "assertion `*p != 5` fails" in text and "the run starts in pointed()" in text
    (result,) = json.loads(sarif.read_text())["runs"][0]["results"]
    assert result["kind"] == "fail"


def test_the_page_names_a_common_folder_once(tmp_path: Path) -> None:
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text(f"int f_{name[0]}(int x) {{ return x & 7; }}\n")
    page = tmp_path / "table.html"
    run("--functions", "--html", str(page), *(str(tmp_path / name) for name in ("a.c", "b.c")))
    assert f"<title>{tmp_path}: a.c, b.c: safe</title>" in page.read_text()


def test_the_table_as_json(module: Path) -> None:
    _, out, _ = run("--functions", "--json", str(module))
    data = json.loads(out)
    assert data["verdict"] == "unsafe"
    assert [one["verdict"] for one in data["functions"]] == ["safe", "unsafe", "refused", "safe"]
    assert data["functions"][1]["answer"]["trace"]["violated"].startswith("assert@module.c:3")
    assert "a pointer to a function" in data["functions"][2]["reason"]


def test_a_file_without_main_is_told_about_functions(module: Path) -> None:
    status, _, err = run(str(module))
    assert status == 2
    assert "there is no function main; --functions checks every function, --entry NAME one" in err
    assert "masked, pointed, odd, nothing" in err


def test_functions_go_with_no_entry_and_with_c_only(module: Path, tmp_path: Path) -> None:
    assert run("--functions", "--entry", "masked", str(module))[0] == 2
    other = tmp_path / "m.spa"
    other.write_text("int x;\nx = 1;\nassert(x == 1);\n")
    status, _, err = run("--functions", str(other))
    assert status == 2 and "every function of C files" in err


def test_each_property_on_one_page(tmp_path: Path) -> None:
    path, page = tmp_path / "two.c", tmp_path / "two.html"
    path.write_text("#include <assert.h>\nextern int nondet_int(void);\n"
                    "int main(void) { int x = nondet_int(); assert(x != 3);\n assert(x == x); return 0; }\n")
    status, _, _ = run("--each", "--html", str(page), str(path))
    assert status == 1
    text = page.read_text()
    assert text.count("<tr class=") == 2 and "assertion `x != 3` fails" in text
