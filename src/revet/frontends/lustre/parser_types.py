"""Tokens, types and declarations of variables of Lustre."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping

from revet.errors import InputError, Position, Unsupported
from revet.frontends.kit.syntax import WIDEST
from revet.frontends.kit.text import line_at
from revet.frontends.lustre import syntax
from revet.frontends.lustre.lexer import Token

MACHINE = re.compile(r"(u?)int(8|16|32|64)\Z")
REFUSED = {"current", "with", "automaton"}


class TypeParser(ABC):
    """Tokens and types; expressions are in :mod:`.parser_expressions`."""

    def __init__(self, tokens: list[Token], texts: Mapping[str, tuple[str, ...]]) -> None:
        self._tokens = tokens
        self._at = 0
        self._texts = texts
        self._arms = 0  # match expressions we are in: there, a bar ends an arm
        self._flat = False  # in the size of an array's type: there, a power is another dimension

    # -- tokens

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    def _position(self, token: Token | None = None) -> Position:
        token = token or self._token
        return Position(token.path, token.line, token.column)

    def _error(self, message: str, token: Token | None = None) -> InputError:
        position = self._position(token)
        line = line_at(self._texts, position)
        name = (token or self._token).text
        if name in REFUSED:
            return Unsupported(f"'{name}' is not supported", position, line)
        return InputError(message, position, line)

    def _accept(self, *kinds: str) -> Token | None:
        token = self._token
        if token.kind in kinds:
            self._at += 1
            return token
        return None

    def _expect(self, kind: str, what: str | None = None) -> Token:
        token = self._accept(kind)
        if token is None:
            found = self._token.text or "the end of the file"
            raise self._error(f"expected {what or repr(kind)}, found {found!r}")
        return token

    def _is_word(self, *words: str) -> bool:
        return self._token.kind == "name" and self._token.text in words

    def _accept_word(self, *words: str) -> Token | None:
        if self._is_word(*words):
            self._at += 1
            return self._tokens[self._at - 1]
        return None

    def _word(self, word: str) -> None:
        if not self._accept_word(word):
            raise self._error(f"expected {word!r}, found {self._token.text!r}")

    def _next_is(self, *kinds: str) -> bool:
        return self._tokens[self._at + 1].kind in kinds if self._at + 1 < len(self._tokens) else False

    @abstractmethod
    def expression(self, strength: int = 0) -> syntax.Expr: ...

    @abstractmethod
    def _type_size(self) -> syntax.Expr: ...

    # -- types

    def type_(self) -> syntax.TypeExpr:
        found = self._basic_type()
        while token := self._accept("^"):
            found = syntax.ArrayType(self._position(token), found, self._type_size())
        return found

    def _basic_type(self) -> syntax.TypeExpr:
        token, position = self._token, self._position()
        if self._accept("subrange"):
            return self._subrange(position)
        if self._accept("bool", "int", "real"):
            return syntax.NamedType(position, token.text)
        if self._accept("["):
            items = [self.type_()]
            while self._accept(","):
                items.append(self.type_())
            self._expect("]")
            return syntax.TupleType(position, tuple(items))
        if self._accept("enum"):
            self._expect("{")
            names = [self._expect("name", "a value's name").text]
            while self._accept(","):
                names.append(self._expect("name", "a value's name").text)
            self._expect("}")
            return syntax.EnumType(position, tuple(names))
        if self._accept_word("struct") or token.kind == "{":
            self._expect("{")
            fields = self._declarations("}")
            self._expect("}")
            return syntax.RecordType(position, fields)
        if token.kind == "name":
            return self._named_type()
        raise self._error(f"expected a type, found {token.text!r}")

    def _named_type(self) -> syntax.TypeExpr:
        token, position = self._expect("name"), self._position(self._tokens[self._at - 1])
        if token.text == "subtype" and self._accept("{"):
            found = self._refinement(position)
            self._expect("}")
            return found
        if token.text == "history" and self._accept("("):
            stream = self._expect("name", "a stream").text
            self._expect(")")
            return syntax.HistoryType(position, stream)
        if match := MACHINE.match(token.text):
            return syntax.MachineType(position, int(match[2]), not match[1])
        if token.text in ("uint", "sint") and self._accept("<"):
            return self._width(position, token.text == "sint")
        return syntax.NamedType(position, token.text, self._type_arguments("<"))

    def _width(self, position: Position, signed: bool) -> syntax.MachineType:
        token = self._expect("number", "a width")
        if not token.text.isdigit() or int(token.text) < 1:
            raise self._error("a width is a positive number", token)
        if int(token.text) > WIDEST:
            message = f"a machine integer of {token.text} bits is not supported"
            raise Unsupported(message, position, line_at(self._texts, position))
        self._expect(">")
        return syntax.MachineType(position, int(token.text), signed)

    def _refinement(self, position: Position) -> syntax.TypeExpr:
        """After the brace: ``x: T | P``, or just a type's declaration without a predicate."""
        name = self._expect("name", "a variable's name").text
        self._expect(":")
        base = self.type_()
        self._expect("|")
        return syntax.RefinementType(position, name, base, self.expression())

    def _subrange(self, position: Position) -> syntax.TypeExpr:
        self._expect("[")
        low = None if self._accept("*") else self.expression()
        self._expect(",")
        high = None if self._accept("*") else self.expression()
        self._expect("]")
        self._expect("of")
        self._expect("int")
        if low is None and high is None:
            raise InputError("a subrange has at least one bound", position)
        return syntax.SubrangeType(position, low, high)

    def _type_arguments(self, opening: str = "@") -> tuple[syntax.TypeExpr, ...]:
        """``@<T; U>`` after an expression, ``<T, U>`` after a type's name."""
        if self._token.kind != opening:
            return ()
        self._at += 1
        if opening == "@":
            self._expect("<")
        found = [self.type_()]
        while self._accept(";", ","):
            found.append(self.type_())
        self._expect(">")
        return tuple(found)

    def _declarations(
        self, stop: str, separators: tuple[str, ...] = (";",)
    ) -> tuple[syntax.Declaration, ...]:
        """``a, b : int; c : bool | not c`` up to (not including) ``stop``."""
        found: list[syntax.Declaration] = []
        while self._token.kind != stop:
            found += self._declaration_group()
            if not self._accept(*separators):
                break
        return tuple(found)

    def _declaration_group(self) -> list[syntax.Declaration]:
        constant = self._accept("const") is not None
        names = [self._expect("name", "a variable's name")]
        while self._accept(","):
            names.append(self._expect("name", "a variable's name"))
        self._expect(":")
        base = self.type_()
        predicate = self.expression() if self._accept("|") else None
        found = []
        for token in names:
            at = self._position(token)
            type_ = base if predicate is None else syntax.RefinementType(at, token.text, base, predicate)
            found.append(syntax.Declaration(token.text, type_, at, constant))
        return found
