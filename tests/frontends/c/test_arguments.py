"""What the compiler is told (``-I``, ``-D``, ``compile_commands.json``), and the limits of reading."""

import json
import os
import time
from pathlib import Path

import pytest

from revet import api
from revet.cli.commands import revet
from revet.errors import InputError, UsageError
from revet.frontends.c.clang import child
from revet.frontends.c.clang.run import dialect, gnu_version
from revet.frontends.c.options import Options
from revet.frontends.c.parse import parse_files, parse_text, read_unit
from revet.result.verdict import Safe, Unsafe

PROGRAM = """#include "size.h"
extern void reach_error(void);
int main(void) { if (SIZE != WANTED) reach_error(); return 0; }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "size.h").write_text("#define SIZE 3\n")
    (tmp_path / "program.c").write_text(PROGRAM)
    return tmp_path


def test_python(project: Path) -> None:
    file = project / "program.c"
    paths = (str(project / "include"),)
    assert isinstance(api.check(file, include_paths=paths, defines=("WANTED=3",)).verdict, Safe)
    assert isinstance(api.check(file, system_paths=paths, defines=("WANTED=4",)).verdict, Unsafe)
    header = str(project / "include" / "size.h")
    answer = api.check(file, include_paths=paths, includes=(header,), defines="WANTED=3")
    assert isinstance(answer.verdict, Safe)
    with pytest.raises(InputError, match=r"size\.h"):
        api.check(file)


def test_command_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def status(*arguments: str) -> int:
        return int(revet.main(["check", "-q", *arguments, str(project / "program.c")], standalone_mode=False))

    include = str(project / "include")
    assert status("-I", include, "-D", "WANTED=3", "-std=gnu11") == 0
    assert status(f"-I{include}", "-DWANTED=4") == 1
    assert status("-isystem", include, "-DWANTED=3") == 0
    assert status("-I", include, "-DWANTED=3", "-USIZE") == 0  # the header defines it again
    assert "unsafe" in capsys.readouterr().out


def test_compile_commands(project: Path) -> None:
    database = project / "compile_commands.json"
    entry = {"directory": str(project), "file": "program.c"}
    command = "cc -Iinclude -DWANTED=3 -O2 -g -c program.c -o p.o"
    database.write_text(json.dumps([{**entry, "command": command}]))
    chosen = Options.from_mapping({"compile_commands": str(database)})
    assert chosen.arguments(project / "program.c") == ("-I", str(project / "include"), "-D", "WANTED=3")
    database.write_text(json.dumps([{**entry, "arguments": ["cc", "-funsigned-char", "program.c"]}]))
    with pytest.raises(UsageError, match="-funsigned-char"):
        chosen.arguments(project / "program.c")
    database.write_text("[]")
    with pytest.raises(UsageError, match="no command"):
        chosen.arguments(project / "program.c")


def test_targets() -> None:
    assert Options.from_mapping({"target": "i386-linux-gnu"}).data_model == "ilp32"
    with pytest.raises(UsageError, match="arm"):
        Options.from_mapping({"target": "arm-none-eabi"})
    with pytest.raises(UsageError):
        Options.from_mapping({"target": "i386-linux-gnu", "data_model": "lp64"})


def test_the_dialect_is_the_compilers() -> None:
    tree = parse_text("int version = __STDC_VERSION__ / 100; int gnu = __GNUC__;")
    values = [v.initialiser.entries[0].value for v in tree.globals if v.initialiser is not None]
    version = gnu_version()
    if version is not None:
        assert f"-fgnuc-version={version}" in dialect(True)
        assert getattr(values[1], "value", None) == int(version.split(".")[0])
    assert "-std=gnu17" in dialect(False)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_reading_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A header that is a pipe never comes to an end; clang does, when its time is up."""
    os.mkfifo(tmp_path / "pipe.h")
    (tmp_path / "program.c").write_text('#include "pipe.h"\nint main(void) { return 0; }\n')
    monkeypatch.setattr(child, "SECONDS", 1.0)
    before = time.monotonic()
    with pytest.raises(InputError, match="takes longer than 1 s"):
        parse_files([tmp_path / "program.c"])
    assert time.monotonic() - before < 50
    with pytest.raises(InputError, match="not a file"):
        read_unit(tmp_path / "pipe.h")


def test_large_numbers_and_large_arrays_cost_nothing() -> None:
    tree = parse_text("double d = 1e400000000; int a[300000000] = {1};")
    assert [len(v.initialiser.entries) for v in tree.globals if v.initialiser is not None] == [1, 1]
