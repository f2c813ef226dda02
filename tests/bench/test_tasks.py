"""Task lists in all their notations."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.bench.tasks import chosen, read_tasks
from revet.errors import InputError

TASK = """format_version: "2.0"
input_files: {file}
properties:
  - property_file: unreach-call.prp
    expected_verdict: {reach}
  - property_file: no-overflow.prp
    expected_verdict: true
options: {{language: C, data_model: LP64}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "unreach-call.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    (tmp_path / "no-overflow.prp").write_text("CHECK( init(main()), LTL(G ! overflow) )\n")
    for name in ("a.c", "b.c", "spare.c"):
        (tmp_path / name).write_text("int main(void) { return 0; }\n")
    (tmp_path / "a.yml").write_text(TASK.format(file="a.c", reach="true"))
    (tmp_path / "b.yml").write_text(TASK.format(file="b.c", reach="false"))
    (tmp_path / "notes.yml").write_text("just: notes\n")
    (tmp_path / "both.set").write_text("# two tasks\n[ab].yml\n")
    return tmp_path


def test_a_definition_gives_a_task_for_each_property(folder: Path) -> None:
    tasks = read_tasks([str(folder / "b.yml")])
    assert [(task.expected, task.options) for task in tasks] == [
        ("unsafe", ("--property", "unreach-call", "--64")),
        ("safe", ("--property", "no-overflow", "--64")),
    ]
    assert tasks[0].sources == (folder / "b.c",)


def test_a_folder_gives_definitions_and_the_programs_they_do_not_name(folder: Path) -> None:
    tasks = read_tasks([str(folder)])
    assert [task.path.name for task in tasks] == ["a.yml", "a.yml", "b.yml", "b.yml", "spare.c"]
    assert tasks[-1].expected is None


def test_a_set_names_definitions_by_pattern(folder: Path) -> None:
    tasks = read_tasks([str(folder / "both.set")])
    assert {task.path.name for task in tasks} == {"a.yml", "b.yml"} and tasks[0].set == "both"
    (folder / "both.set").write_text("missing*.yml\n")
    with pytest.raises(InputError, match=r"both.set:1:1: no file matches missing\*.yml"):
        read_tasks([str(folder / "both.set")])


def test_a_table_has_expectations_sets_and_options(folder: Path) -> None:
    table = folder / "tasks.csv"
    table.write_text(
        "path,expected,set,options\na.c,safe,easy,\nb.c,false,easy,--property no-overflow\nspare.c,,other,\n"
    )
    tasks = read_tasks([str(table)])
    assert [task.expected for task in tasks] == ["safe", "unsafe", None]
    assert tasks[1].options == ("--property", "no-overflow")
    assert [task.path.name for task in chosen(tasks, ["easy"], 2)] == ["a.c"]
    assert chosen(tasks, ["eas"], 1) == []


def test_tasks_named_twice_are_taken_once(folder: Path) -> None:
    assert len(read_tasks([str(folder / "a.c"), str(folder / "a.c"), str(folder / "spare.c")])) == 2


def test_missing_files_are_named_in_one_message(folder: Path) -> None:
    table = folder / "tasks.csv"
    table.write_text("path,expected\na.c,safe\ngone.c,safe\nlost.c,unsafe\n")
    with pytest.raises(InputError) as caught:
        read_tasks([str(table), "nowhere.c"])
    message = str(caught.value)
    assert message.startswith("3 tasks do not exist: ") and "\n" not in message
    assert all(name in message for name in ("gone.c", "lost.c", "nowhere.c"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("file,expected\na.c,safe\n", "must name the columns"),
        ("path,expected\na.c,maybe\n", "tasks.csv:2:1: expected is 'maybe'"),
        ("path,expected\n,safe\n", "a row without a path"),
        ("path,expected\n", "no task in"),
    ],
)
def test_malformed_tables(folder: Path, text: str, message: str) -> None:
    table = folder / "tasks.csv"
    table.write_text(text)
    with pytest.raises(InputError, match=message):
        read_tasks([str(table)])


def test_other_files_are_no_tasks(folder: Path) -> None:
    with pytest.raises(InputError, match="neither a program"):
        read_tasks([str(folder / "unreach-call.prp")])
