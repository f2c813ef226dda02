"""Findings that a comment in the source accepts: ``a / b;  // revet: accept[division] b comes from a table``.

The comment names groups of checks (``--property``) and gives a reason, and is about the operations in its
line; alone in a line it is about the next one. Runs in which such an operation goes wrong end there, as they
do where nobody asks for the check: the answer lists each acceptance among what it assumes. One that accepts
nothing that is checked is a warning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from revet.errors import InputError, Position, did_you_mean
from revet.frontends.c.checks import GROUPS, Check, named_checks
from revet.frontends.kit.text import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from revet.frontends.c.lower.program import Lowered

_TOKEN = re.compile(
    r"""//(?P<line>(?:[^\n\\]|\\.)*) | /\*(?P<block>.*?)\*/ | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'""",
    re.VERBOSE | re.DOTALL,
)
_ACCEPT = re.compile(r"\s*revet:\s*accept\s*\[([^\]]*)\]\s*(.*?)\s*$", re.DOTALL)
_ADDRESSED = re.compile(r"\s*revet:")
_MARKER = re.compile(r"^\s*#\s*(?:line\s+)?\d", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Acceptance:
    """``at`` is the comment, ``line`` what it is about."""

    at: Position
    line: int
    groups: tuple[str, ...]
    reason: str

    @property
    def checks(self) -> frozenset[Check]:
        return named_checks(",".join(self.groups))

    def __str__(self) -> str:
        where = f"{self.at.file.rsplit('/', 1)[-1]}:{self.line}"
        return f"{', '.join(self.groups)} at {where} ({self.reason})"


def acceptances(text: str, file: str) -> Iterator[Acceptance]:
    """Those in the comments of a file; raises :class:`InputError` for one without a reason, or with a group
    that does not exist."""
    for token in _TOKEN.finditer(text):
        comment = token["line"] if token["line"] is not None else token["block"]
        if comment is None or not _ADDRESSED.match(comment):
            continue
        start = text.rfind("\n", 0, token.start()) + 1
        number = text.count("\n", 0, token.start()) + 1
        at = Position(file, number, token.start() - start + 1)
        source = text[start:].partition("\n")[0]
        found = _ACCEPT.match(comment)
        if found is None:
            raise InputError("write revet: accept[group] and a reason", at, source)
        groups = tuple(name.strip() for name in found[1].split(","))
        for name in groups:
            if name not in GROUPS:
                hint = did_you_mean(name, GROUPS)
                raise InputError(f"there is no group of checks {name!r} to accept; {hint}", at, source)
        if not found[2]:
            raise InputError(f"accept[{found[1]}] needs a reason behind it", at, source)
        end = text.find("\n", token.end())
        around = text[start : token.start()] + text[token.end() : len(text) if end < 0 else end]
        line = number if around.strip() else text.count("\n", 0, token.end()) + 2
        yield Acceptance(at, line, groups, " ".join(found[2].split()))


def accept(lowered: Lowered, files: Iterable[Path], asked: frozenset[Check]) -> Lowered:
    """Without the errors that comments in the program's files, or in those in which errors stand, accept."""
    places = {error.position.file for error in lowered.cfa.errors if error.position is not None}
    names = dict.fromkeys([*map(str, files), *sorted(places)])
    found = [one for name in names for one in _in_file(name)]
    if not found:
        return lowered
    gone, listed, warnings = {}, [], []
    for one in found:
        here = [
            error for error in lowered.cfa.errors
            if error.position is not None and lowered.broken[error] in one.checks
            and (error.position.file, error.position.line) == (one.at.file, one.line)
        ]
        gone.update(dict.fromkeys(here))
        if here:
            listed.append(f"accepted in the source, and not to happen: {one}")
        elif not asked.isdisjoint(one.checks):
            warnings.append(f"warning: {one.at}: nothing is accepted: no check of {', '.join(one.groups)} "
                            f"that can fail stands in line {one.line}")
    left = (error for error in lowered.cfa.errors if error not in gone)
    return replace(
        lowered, cfa=lowered.cfa.with_errors(left), assumptions=(*lowered.assumptions, *listed),
        accepted=tuple(gone), unmatched=tuple(warnings),
    )


def _in_file(name: str) -> list[Acceptance]:
    """None where lines are numbered by somebody else (preprocessed files): a comment is not where it says."""
    path = Path(name)
    text = read_text(path) if path.is_file() else ""
    if "revet:" not in text:
        return []
    found = list(acceptances(text, name))
    if found and _MARKER.search(text):
        raise InputError("accept in a preprocessed file, whose lines have other numbers", found[0].at)
    return found
