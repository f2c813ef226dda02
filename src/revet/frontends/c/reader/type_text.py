"""Types as clang prints them, taken apart: ``const char *(*)[3]`` as a tree.

Printed types follow C's grammar of type names (6.7.7), with the sizes of arrays of variable length
as expressions. What a name means is for the caller: names come back as :class:`Named`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from revet.frontends.c.clang.layouts import record_key

_TOKEN = re.compile(
    r"\s*(?:(?P<place>(?:(?:\w+|\((?:unnamed|anonymous)[^()]*\))::)*"
    r"\((?:unnamed|anonymous)[^()]* at .*?:\d+:\d+\))"
    r"|(?P<word>[A-Za-z_$][\w$]*)|(?P<number>\d+)|(?P<sign>\.\.\.|::|.))"
)
_QUALIFIERS = {"const", "volatile", "restrict", "__restrict", "__restrict__", "__unaligned"}
_BASIC = {
    "void", "char", "signed", "unsigned", "short", "int", "long", "float", "double", "_Bool", "bool",
    "__int128", "_Complex", "_Imaginary", "_Float16", "__float128", "__bf16", "_Float128",
}
_CONVENTIONS = {"noreturn", "cdecl", "stdcall", "fastcall", "regparm", "ms_abi", "sysv_abi", "pure", "const"}


class UnknownType(Exception):
    """The text (or a name in it) is not a type that we know."""


@dataclass(frozen=True, slots=True)
class Named:
    """``int``, ``unsigned long``, ``struct S`` (a key of a record), a typedef's name."""

    name: str
    tagged: bool = False


@dataclass(frozen=True, slots=True)
class TypeOf:
    """``typeof (expression)``, not outermost, so that clang has not resolved it."""

    text: str


@dataclass(frozen=True, slots=True)
class Pointing:
    target: TypeTree


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """``size``: a number, None (``[]``), or the text of an expression."""

    element: TypeTree
    size: int | str | None


@dataclass(frozen=True, slots=True)
class FunctionOf:
    result: TypeTree
    parameters: tuple[TypeTree, ...] | None
    variadic: bool


@dataclass(frozen=True, slots=True)
class Qualified:
    inner: TypeTree
    volatile: bool
    atomic: bool


TypeTree = Named | TypeOf | Pointing | ArrayOf | FunctionOf | Qualified


def parse_type(text: str) -> TypeTree:
    """The tree of a printed type; :class:`UnknownType` if it has a shape that we do not know."""
    parser = _Parser(text)
    found = parser.type_name()
    if parser.peek() is not None:
        raise UnknownType(f"the type {text} is not modelled")
    return found


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [
            (match.group(match.lastgroup or 0), match.lastgroup, match.start(match.lastgroup or 0))
            for match in _TOKEN.finditer(text)
        ]
        self._at = 0

    def _fail(self) -> UnknownType:
        return UnknownType(f"the type {self._text} is not modelled")

    def peek(self, ahead: int = 0) -> str | None:
        at = self._at + ahead
        return self._tokens[at][0] if at < len(self._tokens) else None

    def _next(self) -> str:
        if self._at >= len(self._tokens):
            raise self._fail()
        self._at += 1
        return self._tokens[self._at - 1][0]

    def _expect(self, sign: str) -> None:
        if self._next() != sign:
            raise self._fail()

    def type_name(self) -> TypeTree:
        return self._declarator(self._specifiers())

    def _specifiers(self) -> TypeTree:
        words: list[str] = []
        found: TypeTree | None = None
        volatile = atomic = False
        while (token := self.peek()) is not None and (token[0].isalpha() or token[0] == "_"):
            if token in _QUALIFIERS:
                volatile |= token == "volatile"
                self._next()
            elif token == "_Atomic":
                self._next()
                atomic = True
                if self.peek() == "(":
                    self._next()
                    found = self.type_name()
                    self._expect(")")
            elif found is not None or (words and token not in _BASIC):
                break
            elif token in _BASIC:
                words.append(self._next())
            elif token in ("struct", "union", "enum"):
                found = self._tag(self._next())
            elif token in ("typeof", "__typeof__", "__typeof", "typeof_unqual"):
                self._next()
                found = TypeOf(self._enclosed())
            elif token == "__attribute__":
                raise self._fail()
            else:
                found = Named(self._next())
        if words:
            found = Named(" ".join(words))
        if found is None:
            raise self._fail()
        return Qualified(found, volatile, atomic) if volatile or atomic else found

    def _tag(self, word: str) -> TypeTree:
        name = self._next()
        while self.peek() == "::":  # struct outer::(anonymous …): the place identifies it
            self._next()
            name = self._next()
        return Named(record_key(f"{word} {name}"), tagged=True)

    def _enclosed(self) -> str:
        """The text between a parenthesis and its partner."""
        self._expect("(")
        depth = 1
        start = self._tokens[self._at][2] if self._at < len(self._tokens) else 0
        while depth:
            token = self._next()
            depth += (token in "([{") - (token in ")]}")
        return self._text[start : self._tokens[self._at - 1][2]].strip()

    def _declarator(self, base: TypeTree) -> TypeTree:
        """``* const (*)[3]`` after the specifiers: pointers, then a nest, then what follows it."""
        while self.peek() in ("*", "&"):  # C has no references, but the builtin va_start takes one
            self._next()
            base = self._qualified(Pointing(base))
        nested: int | None = None
        if self.peek() == "(" and self.peek(1) in ("*", "^"):
            self._next()
            nested = self._at
            depth = 1
            while depth:
                token = self._next()
                depth += (token == "(") - (token == ")")
        base = self._suffixes(base)
        if nested is not None:
            end, self._at = self._at, nested
            base = self._declarator(base)
            self._expect(")")
            self._at = end
        return base

    def _qualified(self, type: TypeTree) -> TypeTree:
        volatile = atomic = False
        while (token := self.peek()) in _QUALIFIERS or token == "_Atomic":
            volatile |= token == "volatile"
            atomic |= token == "_Atomic"
            self._next()
        return Qualified(type, volatile, atomic) if volatile or atomic else type

    def _suffixes(self, base: TypeTree) -> TypeTree:
        if self.peek() == "[":
            size = self._size()
            return ArrayOf(self._suffixes(base), size)
        if self.peek() == "(":
            self._next()
            parameters, variadic = self._parameters()
            self._attributes()
            return FunctionOf(self._suffixes(base), parameters, variadic)
        self._attributes()
        return base

    def _attributes(self) -> None:
        while self.peek() == "__attribute__":
            self._next()
            text = self._enclosed().strip("()").split("(")[0].strip("_ ")
            if text not in _CONVENTIONS:
                raise self._fail()

    def _size(self) -> int | str | None:
        self._expect("[")
        while self.peek() in _QUALIFIERS or self.peek() == "static":
            self._next()
        start = self._tokens[self._at][2] if self._at < len(self._tokens) else 0
        depth = 1
        while depth:
            token = self._next()
            depth += (token == "[") - (token == "]")
        text = self._text[start : self._tokens[self._at - 1][2]].strip()
        if not text:
            return None
        return int(text) if text.isdigit() else text

    def _parameters(self) -> tuple[tuple[TypeTree, ...] | None, bool]:
        if self.peek() == ")":
            self._next()
            return None, False
        if self.peek() == "void" and self.peek(1) == ")":
            self._at += 2
            return (), False
        found: list[TypeTree] = []
        while True:
            if self.peek() == "...":
                self._next()
                self._expect(")")
                return tuple(found), True
            found.append(self.type_name())
            if self._next() == ")":
                return tuple(found), False
