"""Working with a project: its compilation database, revet.h, witnesses of both kinds over several files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import revet
from revet.report.data import answer_data
from revet.report.sarif import sarif_data


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "revet", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)


def test_the_compilation_database_in_build_is_found(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "include").mkdir()
    (tmp_path / "build").mkdir()
    (tmp_path / "include" / "limit.h").write_text("#define LIMIT 7\n")
    source = tmp_path / "src" / "main.c"
    text = '#include <assert.h>\n#include "limit.h"\nint main(void) { assert(LIMIT + EXTRA == 8); }\n'
    source.write_text(text)
    words = ["cc", "-Iinclude", "-DEXTRA=1", "-O2", "-Wall", "-c", "src/main.c", "-o", "build/main.o"]
    entry = {"directory": str(tmp_path), "file": "src/main.c", "arguments": words}
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps([entry]))
    program = revet.load(source)
    assert any("compile_commands.json says" in line for line in program.assumptions)
    assert revet.check(program, timeout=60).status == "safe"


def test_a_database_without_the_file_is_not_used(tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }\n")
    (tmp_path / "compile_commands.json").write_text("[]")
    assert not any("compile_commands" in line for line in revet.load(source).assumptions)


def test_the_header_comes_with_the_package(tmp_path: Path) -> None:
    source = tmp_path / "own.c"
    source.write_text("""#include <revet.h>
int main(void) {
  int x = revet_any_int();
  unsigned char *p = revet_any_object("buffer", 3);
  revet_assume(x > 3 && p[1] == 9);
  revet_assert(x + p[1] != 20);
  return 0;
}
""")
    found = revet.check(source, timeout=60)
    assert found.status == "unsafe"
    assert found.checked is not None and "confirmed by execution" in found.checked.notes[-1]


TWO = ("""extern int pick(int);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = pick(x);
  if (y == 42) reach_error();
  return 0;
}
""", "static int half(int x) { return x / 2; }\nint pick(int x) { return half(x) + 1; }\n")


@pytest.fixture
def two_files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "main.c", tmp_path / "pick.c"]
    for path, text in zip(paths, TWO, strict=True):
        path.write_text(text)
    return paths


def test_violation_witnesses_are_followed(two_files: list[Path], tmp_path: Path) -> None:
    witness = tmp_path / "w.yml"
    done = command("check", *two_files, "--no-cache", "--quiet", "--witness", witness)
    assert done.returncode == 1, done.stderr
    accepted = command("validate", *two_files, witness)
    assert accepted.returncode == 0 and accepted.stdout.splitlines()[-1] == "accepted", accepted.stdout
    text = witness.read_text()
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(text.replace("x == 8", "x == 1"))  # 82 or 83: half of it is 41
    assert wrong.read_text() != text
    rejected = command("validate", *two_files, wrong)
    assert rejected.returncode == 1 and "rejected" in rejected.stdout, rejected.stdout


def test_a_witness_whose_target_is_nothing_is_refused(two_files: list[Path], tmp_path: Path) -> None:
    witness = tmp_path / "w.yml"
    command("check", *two_files, "--no-cache", "--quiet", "--witness", witness)
    witness.write_text(witness.read_text().replace("line: 7", "line: 8"))
    done = command("validate", *two_files, witness)
    assert done.returncode == 2 and "nothing that is checked stands at the target" in done.stderr


def test_show_and_validate_take_entries_and_properties(two_files: list[Path], tmp_path: Path) -> None:
    shown = command("show", *two_files, "--entry", "pick", "--property", "no-overflow")
    assert shown.returncode == 0 and "overflow@pick.c:2" in shown.stdout, shown.stderr
    saved = tmp_path / "proof.json"
    options = ["--entry", "pick", "--property", "unreach-call"]
    assert command("check", *two_files, *options, "--no-cache", "--save", saved).returncode == 0
    done = command("validate", *two_files, saved, *options)
    assert done.returncode == 0, done.stdout + done.stderr


def test_json_says_what_was_asked(two_files: list[Path]) -> None:
    found = revet.check(two_files, timeout=60, property="assertions")
    data = answer_data(found)
    assert data["settings"]["entry"] == "main" and data["settings"]["data_model"] in ("lp64", "ilp32")
    (one,) = data["properties"]
    assert (one["kind"], one["cwe"], one["position"]["line"]) == ("assertion", 617, 7)
    assert "reach_error" in data["trace"]["ending"]
    steps = data["trace"].get("run", data["trace"]["steps"])
    assert any(step["statement"].startswith("int x") for step in steps)


def test_every_kind_of_violation_is_a_rule_and_fingerprints_outlive_other_lines(tmp_path: Path) -> None:
    source = tmp_path / "d.c"
    text = "extern int nondet_int(void);\nint main(void) {\n  int x = nondet_int();\n  return 10 / x;\n}\n"
    seen = []
    for prefix in ("", "/* a line more */\n\n"):
        source.write_text(prefix + text)
        found = revet.check(source, property="division", timeout=60)
        (result,) = (run := sarif_data([found])["runs"][0])["results"]
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        assert rule["id"] == "revet/division" and "external/cwe/cwe-369" in rule["properties"]["tags"]
        seen.append(result["partialFingerprints"])
    assert seen[0] == seen[1]
