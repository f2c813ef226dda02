"""Property files, task definitions, and the BenchExec module."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from revet.errors import InputError, RevetError, Unsupported
from revet.frontends.c.property import ERROR_FUNCTIONS, named_property, parse_property
from revet.frontends.c.task import read_task
from revet.frontends.registry import load

UNREACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (UNREACH, "unreach-call"),
        ("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", "unreach-call"),
        ("CHECK( init(main()), LTL(G ! overflow) )", "no-overflow"),
        ("CHECK( init(main()), LTL(F end) )", "termination"),
        ("CHECK( init(main()), LTL(G valid-deref) )", "valid-deref"),
        ("CHECK( init(main()), LTL(G ! data-race) )", "no-data-race"),
    ],
)
def test_property_lines(line: str, name: str) -> None:
    (found,) = parse_property(line)
    assert (found.name, found.entry) == (name, "main")


def test_every_named_property_prints_a_line_that_parses_to_itself() -> None:
    for name in ("unreach-call", "no-overflow", "termination", "no-data-race", "valid-free"):
        (found,) = named_property(name)
        assert parse_property(found.text)[0].name == name


def test_own_error_functions_are_added_to_the_usual_ones() -> None:
    (found,) = parse_property("CHECK( init(main()), LTL(G ! call(alarm())) )")
    assert found.error_functions == ("alarm", *ERROR_FUNCTIONS)


def test_bad_property_files_are_reported_with_their_line() -> None:
    with pytest.raises(InputError, match=r"p\.prp:2:1"):
        parse_property("\nG ! overflow\n", "p.prp")
    with pytest.raises(InputError, match="unknown property formula"):
        parse_property("CHECK( init(main()), LTL(G F x) )")
    with pytest.raises(InputError, match="no CHECK"):
        parse_property("\n\n")
    with pytest.raises(RevetError, match="unknown property 'nonsense'"):
        named_property("nonsense")


def write_task(folder: Path, text: str) -> Path:
    (folder / "unreach-call.prp").write_text(UNREACH)
    (folder / "a.c").write_text("int main(void) { return 0; }\n")
    path = folder / "a.yml"
    path.write_text(text)
    return path


def test_task_definition(tmp_path: Path) -> None:
    path = write_task(tmp_path, """
format_version: "2.0"
input_files: a.c
properties:
  - property_file: unreach-call.prp
    expected_verdict: false
options: {language: C, data_model: LP64}
""")
    task = read_task(path)
    assert task.files == (tmp_path / "a.c",)
    assert task.data_model == "LP64"
    found = task.property("unreach-call")
    assert found is not None and found.expected is False and found.name == "unreach-call"
    assert task.property("no-overflow") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format_version: '2.0'\ninput_files: b.c", "b.c: no such file"),
        ("format_version: '2.0'", "no input_files"),
        ("format_version: '9.0'\ninput_files: a.c", "Revet reads 2.0"),
        ("format_version: '2.0'\ninput_files: a.c\noptions: {data_model: LP32}", "neither ILP32 nor LP64"),
        ("format_version: '2.0'\ninput_files: [a.c\n", "not YAML"),
    ],
)
def test_bad_task_definitions(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_task(write_task(tmp_path, text))


def test_a_task_definition_is_an_input_like_a_program(tmp_path: Path) -> None:
    path = write_task(tmp_path, """
format_version: "2.0"
input_files: [a.c]
properties:
  - property_file: unreach-call.prp
    expected_verdict: true
options: {language: C, data_model: LP64}
""")
    program = load([path])
    assert program.files == (tmp_path / "a.c",)
    assert program.expected is True
    assert program.tree.data_model.name == "lp64"
    overridden = load([path], {"data_model": "ilp32", "property": "no-overflow"})
    assert overridden.expected is None
    assert overridden.tree.data_model.name == "ilp32"


def test_tasks_with_properties_of_others(tmp_path: Path) -> None:
    (tmp_path / "termination.prp").write_text("CHECK( init(main()), LTL(F end) )\n")
    path = write_task(tmp_path, """
format_version: "2.0"
input_files: a.c
properties: [{property_file: termination.prp}]
""")
    with pytest.raises(Unsupported, match="termination cannot be checked"):
        load([path])


def test_java_tasks_are_not_ours(tmp_path: Path) -> None:
    path = write_task(tmp_path, "format_version: '2.0'\ninput_files: a.c\noptions: {language: Java}")
    with pytest.raises(Unsupported):
        read_task(path)


# ---- BenchExec --------------------------------------------------------------------------------


@pytest.fixture
def tool() -> object:
    pytest.importorskip("benchexec")
    from revet.benchexec import Tool

    return Tool()


def test_benchexec_command_line(tool) -> None:  # type: ignore[no-untyped-def]
    from benchexec.tools.template import BaseTool2

    task = BaseTool2.Task(["a.c"], None, "p/unreach-call.prp", {"language": "C", "data_model": "ILP32"})
    command = tool.cmdline("revet", ["--engine", "bmc"], task, BaseTool2.ResourceLimits(cputime=900))
    assert command == [
        "revet", "check", "--engine", "bmc", "--property", "p/unreach-call.prp", "--timeout", "900",
        "--32", "a.c",
    ]


@pytest.mark.parametrize(
    ("lines", "exit_code", "property_file", "expected"),
    [
        (["…", "verdict: safe"], 0, "unreach-call.prp", "true"),
        (["verdict: unsafe"], 1, "unreach-call.prp", "false(unreach-call)"),
        (["verdict: unsafe"], 1, "no-overflow.prp", "false(no-overflow)"),
        (["verdict: unknown (no engine decided it)"], 3, "unreach-call.prp", "unknown(no engine decided it)"),
        (["verdict: unknown (timeout)"], 3, "unreach-call.prp", "TIMEOUT"),
        (["a.c:1:1: expected ;"], 2, "unreach-call.prp", "ERROR(input)"),
        ([], 1, "unreach-call.prp", "ERROR"),
    ],
)
def test_benchexec_results(tool, lines, exit_code, property_file, expected) -> None:  # type: ignore[no-untyped-def]
    run = SimpleNamespace(
        output=lines, exit_code=SimpleNamespace(value=exit_code), was_timeout=False,
        cmdline=["revet", "check", "--property", property_file, "a.c"],
    )
    assert tool.determine_result(run) == expected
