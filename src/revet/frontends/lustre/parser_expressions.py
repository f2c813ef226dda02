"""Expressions of Lustre: recursive descent, with one table of operator strengths."""

from __future__ import annotations

from revet.errors import InputError, Position, Unsupported
from revet.frontends.lustre.lexer import Token
from revet.frontends.lustre.syntax import (
    Activate,
    ArrayLiteral,
    Binary,
    Call,
    Expr,
    Field,
    IfThenElse,
    Index,
    Literal,
    Merge,
    Name,
    RecordLiteral,
    Repeat,
    Restart,
    Tuple,
    Unary,
    When,
)

# From loosest to tightest, with the side on which equal operators group.
_STRENGTH = {
    "->": (1, "right"), "fby": (1, "right"), "=>": (2, "right"), "or": (3, "left"), "xor": (3, "left"),
    "and": (4, "left"), "=": (6, "left"), "<>": (6, "left"), "<": (6, "left"), "<=": (6, "left"),
    ">": (6, "left"), ">=": (6, "left"), "+": (7, "left"), "-": (7, "left"), "*": (8, "left"),
    "/": (8, "left"), "div": (8, "left"), "mod": (8, "left"),
}
_NOT, _UNARY, _WHEN = 5, 9, 0
_UNSUPPORTED = {
    "current", "every", "with", "automaton", "contract", "array", "forall", "exists", "match", "assume",
    "guarantee", "frame",
}
_CONVERSIONS = {
    "real", "int", *(f"{sign}int{width}" for sign in ("", "u") for width in (8, 16, 32, 64)),
}


class ExpressionParser:
    """Tokens and expressions; declarations are in the parser proper."""

    def __init__(self, tokens: list[Token], path: str, lines: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._path = path
        self._lines = lines

    # -- tokens

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    def _position(self, token: Token | None = None) -> Position:
        token = token or self._token
        return Position(self._path, token.line, token.column)

    def _error(self, message: str, token: Token | None = None) -> InputError:
        position = self._position(token)
        line = self._lines[position.line - 1] if position.line <= len(self._lines) else None
        name = (token or self._token).text
        if name in _UNSUPPORTED:
            return Unsupported(f"'{name}' is not supported yet", position, line)
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

    # -- expressions, by operator strength

    def expression(self, strength: int = 0) -> Expr:
        left = self._prefix()
        while True:
            token = self._token
            known = _STRENGTH.get(token.kind)
            if token.kind == "name" and token.text == "when" and strength <= _WHEN:
                self._at += 1
                left = When(self._position(token), left, self.expression(_UNARY))
                continue
            if known is None or known[0] < strength:
                if token.kind == "name" and token.text in _UNSUPPORTED:
                    raise self._error("")
                return left
            self._at += 1
            right = self.expression(known[0] + (1 if known[1] == "left" else 0))
            left = Binary(self._position(token), token.kind, left, right)

    def _prefix(self) -> Expr:
        token = self._token
        position = self._position()
        if self._accept("not"):
            return Unary(position, "not", self.expression(_NOT))
        if self._accept("-"):
            return Unary(position, "-", self.expression(_UNARY))
        if self._accept("pre"):
            return Unary(position, "pre", self.expression(_UNARY))
        if self._accept("if"):
            condition = self.expression()
            self._expect("then")
            then = self.expression()
            self._expect("else")
            return IfThenElse(position, condition, then, self.expression())
        if self._accept("("):
            return self._postfix(self._parenthesis(position))
        if self._accept("["):
            items = self._list("]")
            return self._postfix(ArrayLiteral(position, items))
        if self._accept("true", "false", "number"):
            return Literal(position, token.text)
        if self._accept("#"):
            return Call(position, "#", self._arguments())
        if self._accept("real", "int"):
            return self._conversion(token, position)
        if self._token.kind == "name":
            return self._name_or_call()
        raise self._error(f"expected an expression, found {token.text or 'the end of the file'!r}")

    def _name_or_call(self) -> Expr:
        token = self._expect("name")
        position = self._position(token)
        if token.text in _UNSUPPORTED:
            raise self._error("", token)
        if token.text == "merge":
            return self._merge(position)
        if token.text == "condact" and self._token.kind == "(":
            return self._condact(position)
        if self._token.kind == "(":
            if token.text in _CONVERSIONS:
                return self._conversion(token, position)
            return self._postfix(Call(position, token.text, self._arguments()))
        if self._token.kind == "{":
            return self._postfix(self._record(position, token.text))
        return self._postfix(Name(position, token.text))

    def _postfix(self, expr: Expr) -> Expr:
        """``.field``, ``[index]`` and ``^ size`` after an expression."""
        while True:
            position = self._position()
            if self._accept("."):
                expr = Field(position, expr, self._expect("name", "a field's name").text)
            elif self._accept("["):
                expr = Index(position, expr, self.expression())
                if self._token.kind == "..":
                    raise Unsupported("slices of arrays are not supported", self._position())
                self._expect("]")
            elif self._accept("^"):
                expr = Repeat(position, expr, self._prefix())
            else:
                return expr

    def _record(self, position: Position, type_: str) -> Expr:
        self._expect("{")
        fields: list[tuple[str, Expr]] = []
        while self._token.kind != "}":
            name = self._expect("name", "a field's name").text
            self._expect("=")
            fields.append((name, self.expression()))
            if not self._accept(";", ","):
                break
        self._expect("}")
        return RecordLiteral(position, type_, tuple(fields))

    def _parenthesis(self, position: Position) -> Expr:
        """After ``(``: a tuple, an expression, or a call on a clock."""
        if self._token.kind == "name" and self._token.text in ("activate", "restart"):
            return self._clocked(position)
        items = [self.expression()]
        while self._accept(","):
            items.append(self.expression())
        self._expect(")")
        return items[0] if len(items) == 1 else Tuple(position, tuple(items))

    def _clocked(self, position: Position) -> Expr:
        word = self._expect("name").text
        node = self._expect("name", "a node's name").text
        self._word("every")
        condition = self.expression()
        defaults: tuple[Expr, ...] | None = None
        if word == "activate" and self._token.text == "initial":
            self._at += 1
            self._word("default")
            value = self.expression()
            defaults = value.items if isinstance(value, Tuple) else (value,)
        self._expect(")")
        arguments = self._arguments()
        if word == "restart":
            return Restart(position, node, condition, arguments)
        return Activate(position, node, condition, defaults, arguments)

    def _condact(self, position: Position) -> Expr:
        arguments = self._arguments()
        if len(arguments) < 2 or not isinstance(arguments[1], Call):
            raise InputError("condact takes a clock, a node call and the defaults", position)
        call = arguments[1]
        return Activate(position, call.node, arguments[0], arguments[2:] or None, call.arguments)

    def _merge(self, position: Position) -> Expr:
        if self._accept("("):
            clock = self.expression()
            self._expect(";")
            yes = self.expression()
            self._expect(";")
            no = self.expression()
            self._expect(")")
            return Merge(position, clock, ("true", "false"), (yes, no))
        clock_name = self._expect("name", "a clock")
        labels, branches = [], []
        while self._accept("("):
            label = self._accept("true", "false") or self._expect("name", "a value of the clock")
            self._expect("->")
            labels.append(label.text)
            branches.append(self.expression())
            self._expect(")")
        clock = Name(self._position(clock_name), clock_name.text)
        return Merge(position, clock, tuple(labels), tuple(branches))

    def _word(self, word: str) -> None:
        if self._token.text != word:
            raise InputError(f"expected {word!r}, found {self._token.text!r}", self._position())
        self._at += 1

    def _list(self, close: str) -> tuple[Expr, ...]:
        items: list[Expr] = []
        while self._token.kind != close:
            items.append(self.expression())
            if not self._accept(","):
                break
        self._expect(close)
        return tuple(items)

    def _conversion(self, token: Token, position: Position) -> Expr:
        arguments = self._arguments()
        if len(arguments) != 1:
            raise self._error(f"conversion to {token.text} takes one argument", token)
        return Unary(position, token.text, arguments[0])

    def _arguments(self) -> tuple[Expr, ...]:
        self._expect("(")
        return self._list(")")
