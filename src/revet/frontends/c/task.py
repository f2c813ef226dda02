"""SV-COMP task definitions (``.yml``, format 2.0): a program, its properties and their verdicts.

A definition names the input files and property files relative to itself::

    format_version: "2.0"
    input_files: sum.c
    properties:
      - property_file: ../properties/unreach-call.prp
        expected_verdict: true
    options: {language: C, data_model: ILP32}
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from revet.errors import InputError, Position, Unsupported, no_such_property
from revet.frontends.c.property import CHECKED, Property, read_property
from revet.frontends.kit.text import read_text

DATA_MODELS = ("ILP32", "LP64")


@dataclass(frozen=True, slots=True)
class TaskProperty:
    """One property of a task. ``expected`` is None where the task does not say.

    ``subproperty`` names the violated one of several ``checks`` (memory safety)."""

    file: Path
    checks: tuple[Property, ...]
    expected: bool | None = None
    subproperty: str | None = None

    @property
    def name(self) -> str:
        return self.checks[0].name if len(self.checks) == 1 else self.file.stem


@dataclass(frozen=True, slots=True)
class Task:
    """A task definition; ``data_model`` is None where it does not say (SV-COMP's default: ILP32)."""

    path: Path
    files: tuple[Path, ...]
    properties: tuple[TaskProperty, ...]
    data_model: str | None = None

    def property(self, name: str) -> TaskProperty | None:
        """The task's property of this SV-COMP name, if it has one."""
        return next((p for p in self.properties if any(c.name == name for c in p.checks)), None)


def read_task(path: Path) -> Task:
    """Read a task definition; every file it names must exist."""
    content = read_yaml(path)
    if not isinstance(content, dict) or "input_files" not in content:
        raise InputError(f"{path}: not a task definition: no input_files")
    version = str(content.get("format_version", ""))
    if version.split(".")[0] not in ("1", "2"):
        raise InputError(f"{path}: format_version {version or 'is missing'}; Revet reads 2.0")
    options = content.get("options") or {}
    language = options.get("language", "C")
    if language != "C":
        raise Unsupported(f"{path}: the task's language is {language}, not C")
    data_model = options.get("data_model")
    if data_model is not None and data_model not in DATA_MODELS:
        raise InputError(f"{path}: data_model {data_model!r} is neither ILP32 nor LP64")
    names = content["input_files"]
    files = [_relative(path, name) for name in ([names] if isinstance(names, str) else names)]
    if not files:
        raise InputError(f"{path}: input_files is empty")
    properties = tuple(_task_property(path, entry) for entry in content.get("properties") or [])
    return Task(path, tuple(files), properties, data_model)


def settings(task: Task, wanted: str | None = None) -> dict[str, Any]:
    """The front end's options that a task fixes. Without a wanted property, the first one of the
    task that Revet checks."""
    chosen: dict[str, Any] = {"data_model": (task.data_model or "ILP32").lower()}
    if wanted is None and task.properties:
        checks = [(check.name, entry.file) for entry in task.properties for check in entry.checks]
        found = next((file for name, file in checks if name in CHECKED), None)
        if found is None:
            names = ", ".join(name for name, _ in checks)
            raise Unsupported(f"{task.path}: {no_such_property(names, CHECKED)}")
        chosen["property"] = str(found)
    return chosen


def _task_property(path: Path, entry: Any) -> TaskProperty:
    if not isinstance(entry, dict) or not isinstance(entry.get("property_file"), str):
        raise InputError(f"{path}: a property without a property_file")
    expected = entry.get("expected_verdict")
    if expected is not None and not isinstance(expected, bool):
        raise InputError(f"{path}: expected_verdict must be true or false, not {expected!r}")
    file = _relative(path, entry["property_file"])
    return TaskProperty(file, read_property(file), expected, entry.get("subproperty"))


def _relative(path: Path, name: Any) -> Path:
    if not isinstance(name, str):
        raise InputError(f"{path}: {name!r} is not a file name")
    found = path.parent / name
    if not found.exists():
        raise InputError(f"{path}: {name}: no such file")
    return found


def read_yaml(path: Path) -> Any:
    """A YAML file's content; an error in it is an :class:`InputError` with its place."""
    import yaml  # here: only these files need it

    try:
        return yaml.load(read_text(path), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        position = None if mark is None else Position(str(path), mark.line + 1, mark.column + 1)
        problem = getattr(error, "problem", None) or str(error)
        raise InputError(f"not YAML: {problem}", position or Position(str(path), 1)) from error
