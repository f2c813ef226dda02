"""Two confirmed answers that cannot both be right: a bug, and one file with all that a report needs."""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from revet.errors import Contradiction, RevetError
from revet.result.files import write_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from revet.frontends.program import Program
    from revet.portfolio.confirmation import Claim

_CACHE = ".revet-cache"  # the project's own, if it has one


def contradiction(one: Claim, other: Claim) -> Contradiction:
    """The error, which says where the bundle is: the program, both pieces of evidence, and the command."""
    lines = [f"two configurations contradict each other about {_name(one.program)}, and both answers passed",
             "their checks: this is a bug in Revet; please report it with the file"]
    lines += [f"  {claim.worker.name}: {claim.status}" for claim in (one, other)]
    try:
        lines.insert(2, f"  {_bundle(one, other)}")
    except OSError as error:
        lines.insert(2, f"  (which could not be written: {error})")
    return Contradiction("\n".join(lines))


def _bundle(one: Claim, other: Claim) -> Path:
    path = _folder() / f"contradiction-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.zip"
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as bundle:
        for file in one.program.files:
            if Path(file).is_file():
                bundle.write(file, f"program/{Path(file).name}")
        for claim in (one, other):
            for name, text in _evidence(claim):
                bundle.writestr(name, text)
        bundle.writestr("about.json", json.dumps(_about(one, other), indent=1) + "\n")
    return path


def _evidence(claim: Claim) -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evidence.json"
        try:
            write_evidence(path, claim.verdict, claim.program.model)
            yield f"{claim.status}.json", path.read_text(encoding="utf-8")
        except RevetError as error:
            yield f"{claim.status}.txt", f"no evidence file: {error}\n{claim.verdict!r}\n"


def _about(one: Claim, other: Claim) -> dict[str, object]:
    import revet

    return {
        "revet": revet.__version__, "python": sys.version, "platform": platform.platform(),
        "command": sys.argv, "answers": {claim.worker.name: claim.status for claim in (one, other)},
    }


def _folder() -> Path:
    """The project's cache folder if there is one, else the user's; a temporary one if neither is writable."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    for folder in (Path(_CACHE).resolve(), Path(base) / "revet"):
        try:
            if folder.name == "revet":
                folder.mkdir(parents=True, exist_ok=True)
            if folder.is_dir() and os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="revet-"))


def _name(program: Program) -> str:
    return ", ".join(str(path) for path in program.files) or program.model.name
