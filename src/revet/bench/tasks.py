"""Task lists.

A task is a program with the property to check and, if known, the verdict to expect. Lists come as

- a program file of any input language (nothing is expected of it);
- a folder: every task definition and every program below it that no definition names;
- an SV-COMP task definition (``.yml``): one task for each property that Revet checks;
- an SV-COMP set (``.set``): lines with patterns of task definitions, relative to the file;
- a CSV file with the columns ``path`` (relative to the file), ``expected`` (``safe``, ``unsafe``
  or nothing), ``set`` (a name under which tasks are counted together) and ``options`` (further
  options of ``revet check`` for this task); only ``path`` is required.
"""

from __future__ import annotations

import csv
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from revet.errors import InputError, Position, RevetError
from revet.frontends.c.property import CHECKED
from revet.frontends.c.task import read_task
from revet.frontends.kit.text import read_text
from revet.frontends.registry import LANGUAGES

Expectation = Literal["safe", "unsafe"] | None

_WORDS: dict[str, Expectation] = {
    "safe": "safe", "true": "safe", "unsafe": "unsafe", "false": "unsafe", "": None, "unknown": None,
}
_DEFINITIONS = (".yml", ".yaml")
_NOT_PROGRAMS = (".h", *_DEFINITIONS)


@dataclass(frozen=True, slots=True)
class Task:
    """``name`` is unique within a bench; ``options`` go to ``revet check``; ``sources`` are the
    programs that ``path`` names, if it is a task definition."""

    name: str
    path: Path
    expected: Expectation = None
    set: str = ""
    options: tuple[str, ...] = ()
    sources: tuple[Path, ...] = ()


def read_tasks(arguments: Sequence[str]) -> list[Task]:
    """The tasks of all arguments, each once. Files that do not exist are named in one error."""
    found: dict[tuple[Path, tuple[str, ...]], Task] = {}
    missing: list[str] = []
    for argument in arguments:
        path = Path(argument)
        if not path.exists():
            missing.append(argument)
            continue
        for task in _read(path):
            if not task.path.exists():
                missing.append(str(task.path))
            found.setdefault((task.path.resolve(), task.options), task)
    if missing:
        shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        one = len(missing) == 1
        raise InputError(f"{len(missing)} {'task does' if one else 'tasks do'} not exist: {shown}")
    if not found:
        raise InputError(f"no task in {', '.join(arguments)}")
    return list(found.values())


def chosen(tasks: Iterable[Task], sets: Sequence[str], every: int) -> list[Task]:
    """The tasks of the named sets (``svcomp`` includes ``svcomp/locks``), every n-th of each set."""
    counts: dict[str, int] = {}
    taken = []
    for task in tasks:
        if sets and not any(task.set == name or task.set.startswith(f"{name}/") for name in sets):
            continue
        number = counts.get(task.set, 0)
        counts[task.set] = number + 1
        if number % every == 0:
            taken.append(task)
    return taken


def _read(path: Path) -> Iterator[Task]:
    suffix = path.suffix.lower()
    if path.is_dir():
        yield from _folder(path)
    elif suffix in _DEFINITIONS:
        yield from _definition(path, path.parent.name)
    elif suffix == ".set":
        yield from _set(path)
    elif suffix == ".csv":
        yield from _table(path)
    elif _is_program(path):
        yield Task(str(path), path, set=path.parent.name)
    else:
        known = ", ".join(s for language in LANGUAGES for s in language.suffixes)
        raise InputError(f"{path}: neither a program ({known}) nor a task list (.yml, .set, .csv)")


def _is_program(path: Path) -> bool:
    suffix = path.suffix.lower()
    return suffix not in _NOT_PROGRAMS and any(suffix in language.suffixes for language in LANGUAGES)


def _folder(folder: Path) -> Iterator[Task]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    named: set[Path] = set()
    for path in files:
        if path.suffix.lower() not in _DEFINITIONS:
            continue
        try:
            named.update(file.resolve() for file in read_task(path).files)
        except RevetError:
            continue  # some other YAML file, or a task in another language
        yield from _definition(path, _set_name(path, folder))
    for path in files:
        if _is_program(path) and path.resolve() not in named:
            yield Task(str(path), path, set=_set_name(path, folder))


def _set_name(path: Path, folder: Path) -> str:
    inner = path.parent.relative_to(folder)
    return folder.resolve().name if inner == Path(".") else str(inner)


def _definition(path: Path, set_name: str) -> Iterator[Task]:
    task = read_task(path)
    model = {"ILP32": ("--32",), "LP64": ("--64",), None: ()}[task.data_model]
    for entry in task.properties:
        if entry.name not in CHECKED:
            continue
        expected: Expectation = None if entry.expected is None else "safe" if entry.expected else "unsafe"
        options = ("--property", entry.name, *model)
        yield Task(f"{path}:{entry.name}", path, expected, set_name, options, task.files)


def _set(path: Path) -> Iterator[Task]:
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        pattern = line.split("#")[0].strip()
        if not pattern:
            continue
        if Path(pattern).is_absolute():
            raise InputError("patterns are relative to the set", Position(str(path), number), line)
        definitions = sorted(path.parent.glob(pattern))
        if not definitions:
            raise InputError(f"no file matches {pattern}", Position(str(path), number), line)
        for definition in definitions:
            yield from _definition(definition, path.stem)


def _table(path: Path) -> Iterator[Task]:
    rows = csv.DictReader(read_text(path).splitlines())
    if rows.fieldnames is None or "path" not in rows.fieldnames:
        raise InputError("the first line must name the columns: path,expected,set", Position(str(path), 1))
    for row in rows:
        place = Position(str(path), rows.line_num)
        word = (row.get("expected") or "").strip().lower()
        if word not in _WORDS:
            raise InputError(f"expected is {word!r}, but must be safe, unsafe or empty", place)
        name = (row["path"] or "").strip()
        if not name:
            raise InputError("a row without a path", place)
        options = tuple(shlex.split(row.get("options") or ""))
        shown = " ".join((name, *options))
        yield Task(shown, path.parent / name, _WORDS[word], (row.get("set") or "").strip(), options)
