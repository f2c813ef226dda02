"""Where the compiled program and the automaton are compared, and on what.

A checkpoint is the beginning of a statement that stands directly in a block. The compiled program is
the user's own text with a call written before that statement, on the same line; nothing else changes.
Places where such a call might change the meaning are left out: those in headers, those that a macro
shares between several statements, and those that do not follow a ``;``, ``{`` or ``}``. Variables whose
declaration a jump may pass by are not compared: nobody gives them a value there.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.extents import extents_of
from revet.frontends.c.scopes import Scopes
from revet.frontends.c.types import Array, CType, Floating, Int
from revet.frontends.c.walk import all_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from revet.errors import Position
    from revet.frontends.c.lower.program import Lowered
    from revet.logic.terms import Term

MOST_WATCHED = 40  # scalars at one checkpoint
_ELEMENTS = 4  # of an array
_NOT_BEFORE = (ast.Label, ast.Case, ast.Block)
_PATH = re.compile(r"\w+(\.(?!union\b)[A-Za-z_]\w*|\[\d+\])*")  # "union": see lower/places.py
_TOKEN = re.compile(
    rb"""(?P<space>\s+|/\*.*?\*/|//[^\n]*) | (?P<directive>(?<![^\n])[ \t]*\#(?:[^\n\\]|\\.)*)
    | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | \w+ | .""",
    re.S | re.X,
)
DECLARATIONS = (
    "extern void revet_at(int), revet_whole(long long), revet_real(double);\n"
)


@dataclass(frozen=True, slots=True)
class Watched:
    """A scalar that is compared: C text that is valid at the checkpoint, and which variable's part."""

    text: str
    type: CType
    variable: ast.Variable
    element: int | None = None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    number: int
    statement: ast.Stmt
    watched: tuple[Watched, ...]

    @property
    def call(self) -> str:
        """The C text that tells it."""
        told = [f"revet_at({self.number})"]
        for one in self.watched:
            how = "revet_real" if isinstance(one.type, Floating) else "revet_whole"
            told.append(f"{how}({one.text})")
        return f"{','.join(told)};"


class Terms:
    """Which variable of the automaton holds a part of a C variable, in an activation."""

    def __init__(self, lowered: Lowered) -> None:
        self._terms: dict[tuple[ast.Variable, str, int], Term] = {}
        self._parts: dict[ast.Variable, dict[str, Watched]] = defaultdict(dict)
        for term, meaning in lowered.meanings.items():
            variable, text = meaning.variable, meaning.expression
            if variable is None or text is None or not _PATH.fullmatch(text) or not comparable(meaning.type):
                continue
            self._terms[variable, text, meaning.depth] = term
            if not meaning.array:
                self._parts[variable][text] = Watched(text, meaning.type, variable)
            elif text == variable.name and isinstance(variable.type, Array):
                plain = comparable(variable.type.element)
                for number in range(min(_ELEMENTS, variable.type.count or 0) if plain else 0):
                    shown = f"{text}[{number}]"
                    self._parts[variable][shown] = Watched(shown, meaning.type, variable, number)

    def parts(self, variable: ast.Variable) -> list[Watched]:
        return list(self._parts.get(variable, {}).values())

    def term(self, watched: Watched, depth: int) -> Term | None:
        variable = watched.variable
        text = watched.text if watched.element is None else variable.name
        return self._terms.get((variable, text, 0 if variable.lives_forever else depth))


def comparable(type: CType) -> bool:
    """Scalars whose values mean the same on both sides: no addresses, nothing wider than 64 bits."""
    return (isinstance(type, Int) and type.bits <= 64) or (isinstance(type, Floating) and type.bits <= 64)


def checkpoints(program: ast.CProgram, terms: Terms) -> dict[ast.Stmt, Checkpoint]:
    """One for every statement before which a call can be written."""
    files = {str(file): _Text(Path(file).read_bytes()) for file in program.files}
    scopes = Scopes(program)
    starts = Counter(
        (s.span.start.file, s.span.start.line, s.span.start.column)
        for function in program.functions.values() for s in all_statements(function.body)
        if not isinstance(s, ast.Declare)
    )
    found: dict[ast.Stmt, Checkpoint] = {}
    taken: set[tuple[str, int, int]] = set()
    for function in program.functions.values():
        passed = {one for begun in extents_of(function).begun.values() for one in begun}
        for statement in _in_blocks(function):
            at = statement.span.start
            key, text = (at.file, at.line, at.column), files.get(at.file)
            alone = starts[key] == (0 if isinstance(statement, ast.Declare) else 1)
            if text is None or not alone or key in taken or not text.begins_statement(statement.span):
                continue
            taken.add(key)
            names = scopes.names(function.name, at).values()
            shown = [
                one for one in names
                if _visible(one, at) and one not in passed and not text.defines(one.name)
            ]
            watched = [part for variable in shown for part in terms.parts(variable)]
            found[statement] = Checkpoint(len(found), statement, tuple(watched[:MOST_WATCHED]))
    return found


def _visible(variable: ast.Variable, at: Position) -> bool:
    """Is it declared before the place, in the same file? (Others may be, but that is not known here.)"""
    return variable.position.file == at.file and variable.position < at


def _in_blocks(function: ast.FunctionDef) -> Iterator[ast.Stmt]:
    for statement in all_statements(function.body):
        if isinstance(statement, ast.Block):
            yield from (inner for inner in statement.body if not isinstance(inner, _NOT_BEFORE))


def instrumented(file: Path, found: dict[ast.Stmt, Checkpoint]) -> bytes:
    """The text of a file with the calls written into it; places and macros keep their meaning."""
    text = _Text(file.read_bytes())
    inserted = []
    for statement, checkpoint in found.items():
        start = statement.span.start
        if start.file == str(file):
            inserted.append((text.offset(start.line, start.column), checkpoint.call))
    data, end = bytearray(), 0
    for offset, call in sorted(inserted):
        data += text.data[end:offset] + call.encode()
        end = offset
    name = str(file.resolve()).replace("\\", "\\\\").replace('"', '\\"')
    return f'#line 1 "{name}"\n'.encode() + bytes(data + text.data[end:])


class _Text:
    """A source file as tokens, to see what stands before a place."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._lines = [0, *(match.end() for match in re.finditer(rb"\n", data))]
        self._before: dict[int, bytes] = {}
        before = b""
        for token in _TOKEN.finditer(data):
            if token["space"] is None and token["directive"] is None:
                self._before[token.start()] = before
                before = token[0]
        self._defined = set(re.findall(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", data, re.M))

    def offset(self, line: int, column: int) -> int:
        return self._lines[line - 1] + column - 1

    def defines(self, name: str) -> bool:
        """Is the name a macro somewhere in the file?"""
        return name.encode() in self._defined

    def begins_statement(self, span: ast.Span) -> bool:
        if span.start.line > len(self._lines):
            return False
        offset = self.offset(span.start.line, span.start.column)
        first = re.match(r"\w+|\S", span.text)
        if self._before.get(offset) not in (b";", b"{", b"}") or first is None:
            return False
        return self.data.startswith(first[0].encode(), offset)
