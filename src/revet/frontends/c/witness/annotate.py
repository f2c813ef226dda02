"""Putting a witness's invariants into the program's text, so that they are parsed in their scope.

An invariant becomes a call ``__revet_invariant_N(expression)`` at the place where it holds: as the
first operand of a comma before a loop's condition (after the initialisation of a ``for``, whose
variables it may use), or before a statement. The lowering knows these calls: they do nothing, and
name the location and formula of an invariant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from revet.frontends.c.lower.library import CLAIM
from revet.frontends.c.parse import Unit
from revet.frontends.c.reader.source import Source
from revet.frontends.c.witness.writing import Invariant

_TOKEN = re.compile(
    rb'\s+|//[^\n]*|/\*.*?\*/|#[^\n]*|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[A-Za-z_]\w*|.', re.S
)
_UNSAFE_STARTS = (b"else", b"goto", b"break", b"continue", b"case", b"default", b"{", b"}", b";")


@dataclass(frozen=True, slots=True)
class Annotated:
    """The texts with calls, and what could not be placed. Call N is about ``used[N]``."""

    units: tuple[Unit, ...]
    used: tuple[Invariant, ...]
    notes: tuple[str, ...]


def annotate(units: Sequence[Unit], invariants: Sequence[Invariant]) -> Annotated:
    """Insert every invariant that can be placed."""
    return insert(units, invariants, CLAIM)


def insert(units: Sequence[Unit], invariants: Sequence[Invariant], claim: str) -> Annotated:
    """Insert expressions: calls of ``claim`` with a number, or without a claim the expressions themselves."""
    insertions: list[dict[int, list[bytes]]] = [{} for _ in units]
    used: list[Invariant] = []
    notes: list[str] = []
    sources = [Source(unit.text, str(unit.path)) for unit in units]
    for invariant in invariants:
        found = _place(sources, units, invariant, not claim)
        if isinstance(found, str):
            notes.append(f"line {invariant.at.line}: {found}; the invariant is not used")
            continue
        number, offset, after = found
        name = f"{claim}{len(used)}" if claim else ""
        call = f" {name}({invariant.value}){after} ".encode()
        insertions[number].setdefault(offset, []).append(call)
        used.append(invariant)
    texts = [_inserted(unit.text, where) for unit, where in zip(units, insertions, strict=True)]
    changed = tuple(
        replace(unit, text=text, changed=True) for unit, text in zip(units, texts, strict=True)
    )
    return Annotated(changed, tuple(used), tuple(notes))


def _inserted(text: bytes, where: dict[int, list[bytes]]) -> bytes:
    for offset in sorted(where, reverse=True):
        text = text[:offset] + b"".join(where[offset]) + text[offset:]
    return text


def _place(
    sources: Sequence[Source], units: Sequence[Unit], invariant: Invariant, statements: bool
) -> tuple[int, int, str] | str:
    """Unit, offset and what follows the call there; or why there is none. ``statements``: it may be a
    statement of its own, before a declaration."""
    if not _balanced(invariant.value):
        return "its parentheses do not match"
    wanted = Path(invariant.at.file).name
    for number, (source, unit) in enumerate(zip(sources, units, strict=True)):
        if len(units) > 1 and wanted != unit.path.name:
            continue
        offset = source.offset(invariant.at.line, max(invariant.at.column, 1))
        if offset is not None:
            found = _insertion_point(unit.text, offset, invariant)
            if isinstance(found, str) and statements and _before_declaration(unit.text, offset):
                found = (offset, ";")
            return found if isinstance(found, str) else (number, *found)
    return "there is no such place in the program"


def _balanced(expression: str) -> bool:
    depth = 0
    for _, token in _tokens(expression.encode(), 0):
        depth += (token == b"(") - (token == b")")
        if depth < 0 or token in (b";", b"{", b"}") or token.startswith((b"//", b"#", b"/*")):
            return False
    return depth == 0


def _tokens(text: bytes, start: int) -> Iterator[tuple[int, bytes]]:
    """Offsets and texts of the tokens from ``start`` on, without space (comments are kept out)."""
    for match in _TOKEN.finditer(text, start):
        token = match.group()
        if not token.isspace() and not token.startswith((b"//", b"/*")):
            yield match.start(), token


def _insertion_point(text: bytes, offset: int, invariant: Invariant) -> tuple[int, str] | str:
    first = next(_tokens(text, offset), None)
    if first is None:
        return "there is no statement"
    at, word = first
    if word in (b"for", b"while", b"do"):
        return _loop_condition(text, at, word)
    if invariant.kind == "loop_invariant":
        line = next((t for t in _tokens(text, offset) if t[1] in (b"for", b"while", b"do")), None)
        if line is None or b"\n" in text[offset : line[0]]:
            return "there is no loop"
        return _loop_condition(text, line[0], line[1])
    if word in (b"if", b"switch"):
        return _after_parenthesis(text, at)
    if word == b"return":
        following = next(_tokens(text, at + len(word)), None)
        return (at + len(word), ",") if following and following[1] != b";" else "return without value"
    if word in _UNSAFE_STARTS or _is_declaration(text, at):
        return "the statement there cannot carry an invariant"
    return at, ","


def _before_declaration(text: bytes, offset: int) -> bool:
    """May a statement stand here? After another one, before a declaration in a block."""
    before = b""
    for at, token in _tokens(text, 0):
        if at >= offset:
            following = [word for _, word in zip(range(2), (t for _, t in _tokens(text, at)), strict=False)]
            return at == offset and _is_declaration(text, at) and before in (b";", b"{", b"}") and (
                following[-1] != b":"
            )
        before = before if token.startswith(b"#") else token
    return False


def _is_declaration(text: bytes, at: int) -> bool:
    """Two names in a row begin a declaration (or a label with a colon begins a statement)."""
    tokens = _tokens(text, at)
    first, second = next(tokens, (0, b"")), next(tokens, (0, b""))
    return second[1] == b":" or (first[1][:1].isalpha() and (second[1][:1].isalpha() or second[1] == b"*"))


def _after_parenthesis(text: bytes, at: int) -> tuple[int, str] | str:
    for where, token in _tokens(text, at):
        if token == b"(":
            return where + 1, ","
    return "there is no condition"


def _loop_condition(text: bytes, at: int, word: bytes) -> tuple[int, str] | str:
    if word == b"while":
        return _after_parenthesis(text, at)
    if word == b"do":
        return "it belongs to a do loop, whose invariants are not supported"
    depth = 0
    tokens = _tokens(text, at)
    for where, token in tokens:
        depth += (token == b"(") - (token == b")")
        if token == b";" and depth == 1:
            following = next(tokens, (0, b""))
            return where + 1, ", 1" if following[1] == b";" else ","
    return "the loop has no condition"
