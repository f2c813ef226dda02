"""Options of ``revet check`` that do not go together: one message, before any work is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.cli.reports import refuse_unwritable
from revet.errors import UsageError

if TYPE_CHECKING:
    from revet.cli.given import Given

OUTPUTS = ("save", "harness", "witness", "model", "proof", "html", "sarif", "explain")
_OF_ONE_ANSWER = ("save", "harness", "witness", "model", "proof", "explain")


def refuse_conflicts(given: Given) -> None:
    """Raises :class:`UsageError` for the first thing that is wrong."""
    outputs: dict[str, str] = {name: path for name in OUTPUTS if (path := getattr(given, name))}
    if given.parse_only:
        others = [f"--{name}" for name in outputs] + ["--each"] * given.each + ["--json"] * given.json_
        if others:
            raise UsageError(f"--parse-only gives no answer: it does not go with {others[0]}")
    if given.kind2_json and given.json_:
        raise UsageError("--json and --kind2-json exclude each other")
    if given.each or given.kind2_json:
        refuse_one_answer(given)
    if not outputs:
        return
    from pathlib import Path

    sources = {Path(file).resolve() for file in given.files}
    targets: dict[Path, str] = {}
    for name, path in outputs.items():
        if path == "-":
            continue
        target = Path(path).resolve()
        if target in sources:
            raise UsageError(f"--{name} {path} would overwrite the program")
        other = targets.setdefault(target, name)
        if other != name:
            raise UsageError(f"--{other} and --{name} would both write {path}")
        refuse_unwritable(path)


def refuse_one_answer(given: Given) -> None:
    """There will be several answers: options that write evidence for one have no meaning."""
    for name in _OF_ONE_ANSWER:
        if getattr(given, name):
            hint = "it does not go with --each" if given.each else "name a property with --property"
            raise UsageError(f"--{name} is about one answer: {hint}")
