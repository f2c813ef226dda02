"""``include "file"``: the tokens of a file and of those that it includes, each file once."""

from __future__ import annotations

from os.path import normpath
from pathlib import Path

from revet.errors import InputError, Position
from revet.frontends.kit.text import read_text
from revet.frontends.lustre.lexer import Token, tokenize


def included(path: Path, texts: dict[str, tuple[str, ...]]) -> list[Token]:
    """The tokens, in the order of the text; ``texts`` gets the lines of every file. Paths are relative to the
    file that names them."""
    text = read_text(path)
    if not text.strip() and not texts:
        raise InputError("there is nothing in this file", Position(str(path), 1, 1))
    texts[str(path)] = tuple(text.splitlines())
    tokens = tokenize(text, str(path))
    if "include" not in text:
        return tokens
    found: list[Token] = []
    skip = False
    for token, after in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        if skip:
            skip = False
        elif token.kind == "name" and token.text == "include" and after.kind == "string":
            skip = True
            found += _other(path, after, texts)
        else:
            found.append(token)
    return found


def _other(path: Path, name: Token, texts: dict[str, tuple[str, ...]]) -> list[Token]:
    other = Path(normpath(path.parent / name.text.strip('"')))
    if str(other) in texts:
        return []
    if not other.is_file():
        position = Position(name.path, name.line, name.column)
        raise InputError(f"there is no file {other} to include", position, texts[name.path][name.line - 1])
    return included(other, texts)[:-1]
