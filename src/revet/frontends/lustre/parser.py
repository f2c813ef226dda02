"""A recursive-descent parser for Lustre, with one table of operator strengths.

Three times as fast as a generated one on the large files, and its messages can say what was
expected. Depth of nesting is bounded by Python's recursion limit, which the caller raises
(:func:`revet.frontends.lustre.load`).
"""

from __future__ import annotations

from pathlib import Path

from revet.errors import InputError, Position, Unsupported
from revet.frontends.lustre.lexer import Token, tokenize
from revet.frontends.lustre.syntax import (
    Binary,
    Call,
    Constant,
    Declaration,
    Equation,
    Expr,
    File,
    IfThenElse,
    Literal,
    Name,
    Node,
    Property,
    Tuple,
    TypeDefinition,
    TypeName,
    Unary,
)
from revet.frontends.registry import read_text

# From loosest to tightest, with the side on which equal operators group.
_STRENGTH = {
    "->": (1, "right"), "fby": (1, "right"), "=>": (2, "right"), "or": (3, "left"), "xor": (3, "left"),
    "and": (4, "left"), "=": (6, "left"), "<>": (6, "left"), "<": (6, "left"), "<=": (6, "left"),
    ">": (6, "left"), ">=": (6, "left"), "+": (7, "left"), "-": (7, "left"), "*": (8, "left"),
    "/": (8, "left"), "div": (8, "left"), "mod": (8, "left"),
}
_NOT, _UNARY = 5, 9
_UNSUPPORTED = {
    "when", "merge", "current", "activate", "restart", "every", "condact", "with", "automaton",
    "contract", "imported", "struct", "array", "forall", "exists", "match", "assume", "guarantee",
}
_CONVERSIONS = {
    "real", "int", *(f"{sign}int{width}" for sign in ("", "u") for width in (8, 16, 32, 64)),
}


def parse(path: Path) -> File:
    text = read_text(path)
    return Parser(tokenize(text, str(path)), str(path), text.splitlines()).file()


class Parser:
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

    # -- declarations

    def file(self) -> File:
        types: list[TypeDefinition] = []
        constants: list[Constant] = []
        nodes: list[Node] = []
        while not self._accept("end"):
            if self._accept("type"):
                types.append(self._type_definition())
            elif self._accept("const"):
                constants += self._constants(("node", "function", "type", "const", "end"))
            elif self._accept("node", "function"):
                nodes.append(self._node())
            elif self._accept("annotation", ";"):
                continue
            else:
                raise self._error(f"expected a node, type or const, found {self._token.text!r}")
        if not nodes:
            raise InputError("no node", Position(self._path, 1, 1))
        return File(self._path, tuple(types), tuple(constants), tuple(nodes), tuple(self._lines))

    def _type_definition(self) -> TypeDefinition:
        token = self._expect("name", "a type name")
        self._expect("=")
        if self._accept("enum"):
            self._expect("{")
            names = [self._expect("name", "a constructor").text]
            while self._accept(","):
                names.append(self._expect("name", "a constructor").text)
            self._expect("}")
            self._accept(";")
            return TypeDefinition(token.text, None, tuple(names), self._position(token))
        alias = self._type()
        self._accept(";")
        return TypeDefinition(token.text, alias, (), self._position(token))

    def _constants(self, stop: tuple[str, ...]) -> list[Constant]:
        found = []
        while self._token.kind == "name":
            token = self._expect("name")
            type_ = self._type() if self._accept(":") else None
            self._expect("=", "'=' and the constant's value")
            found.append(Constant(token.text, type_, self.expression(), self._position(token)))
            self._expect(";")
        if not found:
            raise self._error("expected a constant's name")
        return found

    def _type(self) -> TypeName:
        token = self._token
        if self._accept("subrange"):
            self._expect("[")
            low = self.expression()
            self._expect(",")
            high = self.expression()
            self._expect("]")
            self._expect("of")
            self._expect("int")
            return TypeName("int", self._position(token), low, high)
        if self._accept("bool", "int", "real", "name"):
            if self._token.kind in ("^", "["):
                raise Unsupported("arrays are not supported yet", self._position())
            return TypeName(token.text, self._position(token))
        raise self._error(f"expected a type, found {token.text!r}")

    def _declarations(self, stop: str) -> tuple[Declaration, ...]:
        """``a, b : int; c : bool`` up to (not including) ``stop``."""
        found: list[Declaration] = []
        while self._token.kind != stop:
            self._accept("const")
            names = [self._expect("name", "a variable's name")]
            while self._accept(","):
                names.append(self._expect("name", "a variable's name"))
            self._expect(":")
            type_ = self._type()
            found += [Declaration(token.text, type_, self._position(token)) for token in names]
            if not self._accept(";"):
                break
        return tuple(found)

    def _node(self) -> Node:
        token = self._expect("name", "the node's name")
        self._expect("(")
        inputs = self._declarations(")")
        self._expect(")")
        self._expect("returns")
        self._expect("(")
        outputs = self._declarations(")")
        self._expect(")")
        self._accept(";")
        locals_: list[Declaration] = []
        constants: list[Constant] = []
        while True:
            if self._accept("var"):
                while self._token.kind == "name":
                    locals_ += self._one_group()
            elif self._accept("const"):
                constants += self._constants(("let", "var"))
            else:
                break
        body = _Body()
        self._expect("let")
        while not self._accept("tel"):
            self._item(body)
        self._accept(";", ".")
        return Node(
            token.text, self._position(token), inputs, outputs, tuple(locals_), tuple(constants),
            tuple(body.equations), tuple(body.asserts), tuple(body.properties), body.main,
        )

    def _one_group(self) -> list[Declaration]:
        names = [self._expect("name")]
        while self._accept(","):
            names.append(self._expect("name", "a variable's name"))
        self._expect(":")
        type_ = self._type()
        self._expect(";")
        return [Declaration(token.text, type_, self._position(token)) for token in names]

    def _item(self, body: _Body) -> None:
        token = self._token
        position = self._position()
        if self._accept("annotation"):
            if token.text == "MAIN":
                self._accept(";")
                body.main = True
                return
            self._property(body, position)
        elif self._accept("check"):
            self._property(body, position)
        elif self._accept("assert"):
            body.asserts.append(self.expression())
            self._expect(";")
        else:
            names = self._left_side()
            self._expect("=")
            body.equations.append(Equation(names, self.expression(), position))
            self._expect(";")

    def _property(self, body: _Body, position: Position) -> None:
        label = self._accept("string")
        formula = self.expression()
        self._accept(";")
        name = label.text.strip('"') if label else self._text(formula, position)
        taken = {known.name for known in body.properties}
        if name in taken:
            name = f"{name}@{position.line}".replace("@", " at line ")
        body.properties.append(Property(name, formula, position))

    def _text(self, formula: Expr, position: Position) -> str:
        """A property without a name is called by its own text."""
        if isinstance(formula, Name):
            return formula.name
        return f"line {position.line}"

    def _left_side(self) -> tuple[Name, ...]:
        open_ = self._accept("(")
        names = [self._name()]
        while self._accept(","):
            names.append(self._name())
        if open_:
            self._expect(")")
        return tuple(names)

    def _name(self) -> Name:
        token = self._expect("name", "a variable to define")
        return Name(self._position(token), token.text)

    # -- expressions, by operator strength

    def expression(self, strength: int = 0) -> Expr:
        left = self._prefix()
        while True:
            token = self._token
            known = _STRENGTH.get(token.kind)
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
            items = [self.expression()]
            while self._accept(","):
                items.append(self.expression())
            self._expect(")")
            return items[0] if len(items) == 1 else Tuple(position, tuple(items))
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
        if self._token.kind == "(":
            if token.text in _CONVERSIONS:
                return self._conversion(token, position)
            return Call(position, token.text, self._arguments())
        if self._token.kind in ("[", "{", "."):
            raise Unsupported("arrays and records are not supported yet", self._position())
        return Name(position, token.text)

    def _conversion(self, token: Token, position: Position) -> Expr:
        arguments = self._arguments()
        if len(arguments) != 1:
            raise self._error(f"conversion to {token.text} takes one argument", token)
        return Unary(position, token.text, arguments[0])

    def _arguments(self) -> tuple[Expr, ...]:
        self._expect("(")
        items: list[Expr] = []
        while self._token.kind != ")":
            items.append(self.expression())
            if not self._accept(","):
                break
        self._expect(")")
        return tuple(items)


class _Body:
    """What stands between ``let`` and ``tel``."""

    def __init__(self) -> None:
        self.equations: list[Equation] = []
        self.asserts: list[Expr] = []
        self.properties: list[Property] = []
        self.main = False
