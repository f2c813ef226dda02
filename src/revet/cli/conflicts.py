"""Options of ``revet check`` that do not go together: one message, before any work is done."""

from __future__ import annotations

from revet.cli.reports import refuse_unwritable
from revet.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

OUTPUTS = ("save", "harness", "witness", "html", "sarif", "explain")
_OF_ONE_ANSWER = ("save", "harness", "witness", "explain")


def refuse_conflicts(
    files: tuple[str, ...], each: bool, parse_only: bool, json_: bool, more: Mapping[str, object]
) -> None:
    """Raises :class:`UsageError` for the first thing that is wrong."""
    outputs = {name: str(more[name]) for name in OUTPUTS if more.get(name)}
    if parse_only:
        given = [f"--{name}" for name in outputs] + ["--each"] * each + ["--json"] * json_
        if given:
            raise UsageError(f"--parse-only gives no answer: it does not go with {given[0]}")
    for name in outputs:
        if each and name in _OF_ONE_ANSWER:
            raise UsageError(f"--{name} is about one answer: it does not go with --each")
    if not outputs:
        return
    from pathlib import Path

    sources = {Path(file).resolve() for file in files}
    written: dict[Path, str] = {}
    for name, path in outputs.items():
        if path == "-":
            continue
        target = Path(path).resolve()
        if target in sources:
            raise UsageError(f"--{name} {path} would overwrite the program")
        other = written.setdefault(target, name)
        if other != name:
            raise UsageError(f"--{other} and --{name} would both write {path}")
        refuse_unwritable(path)
