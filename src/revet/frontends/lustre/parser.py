"""Declarations of Lustre: files, nodes, types, contracts.

Written by hand: three times as fast as a generated parser on the large files, and its messages can
say what was expected. Depth of nesting is bounded by Python's recursion limit, which the caller raises
(:func:`revet.frontends.lustre.load`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from revet.errors import InputError, Position, Unsupported
from revet.frontends.lustre.lexer import tokenize
from revet.frontends.lustre.parser_expressions import ExpressionParser
from revet.frontends.lustre.syntax import (
    Constant,
    Contract,
    ContractNode,
    Declaration,
    Equation,
    Expr,
    File,
    Import,
    Mode,
    Name,
    Node,
    Property,
    TypeDefinition,
    TypeName,
)
from revet.frontends.registry import read_text


def parse(path: Path) -> File:
    text = read_text(path)
    return Parser(tokenize(text, str(path)), str(path), text.splitlines()).file()


class Parser(ExpressionParser):
    # -- declarations

    def file(self) -> File:
        types: list[TypeDefinition] = []
        constants: list[Constant] = []
        nodes: list[Node] = []
        contracts: list[ContractNode] = []
        while not self._accept("end"):
            if self._accept("type"):
                types.append(self._type_definition())
            elif self._accept("const"):
                constants += self._constants(("node", "function", "type", "const", "end"))
            elif self._accept("node", "function"):
                nodes.append(self._node())
            elif self._token.kind == "name" and self._token.text == "contract":
                self._at += 1
                contracts.append(self._contract_node())
            elif self._accept("annotation", ";"):
                continue
            else:
                raise self._error(f"expected a node, type or const, found {self._token.text!r}")
        if not nodes:
            raise InputError("no node", Position(self._path, 1, 1))
        return File(
            self._path, tuple(types), tuple(constants), tuple(nodes), tuple(self._lines), tuple(contracts)
        )

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
        if self._token.text == "struct" or self._token.kind == "{":
            self._at += self._token.text == "struct"
            self._expect("{")
            fields = self._declarations("}")
            self._expect("}")
            self._accept(";")
            return TypeDefinition(token.text, None, (), self._position(token), fields)
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
            return TypeName("int", self._position(token), low, high, self._sizes())
        if self._accept("bool", "int", "real", "name"):
            return TypeName(token.text, self._position(token), sizes=self._sizes())
        raise self._error(f"expected a type, found {token.text!r}")

    def _sizes(self) -> tuple[Expr, ...]:
        """``int ^ 2 ^ 3`` is an array of 3 arrays of 2."""
        sizes: list[Expr] = []
        while self._accept("^"):
            sizes.insert(0, self._prefix())
        return tuple(sizes)

    def _signature(self) -> tuple[tuple[Declaration, ...], tuple[Declaration, ...]]:
        """``(inputs) returns (outputs);``"""
        self._expect("(")
        inputs = self._declarations(")")
        self._expect(")")
        self._expect("returns")
        self._expect("(")
        outputs = self._declarations(")")
        self._expect(")")
        self._accept(";")
        return inputs, outputs

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
        imported = self._token.text == "imported"
        self._at += imported
        token = self._expect("name", "the node's name")
        inputs, outputs = self._signature()
        contract = self._contract("*)") if self._accept("(*@contract") else None
        if imported:
            return Node(
                token.text, self._position(token), inputs, outputs, (), (), (), (), (), False, contract, True
            )
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
            tuple(body.equations), tuple(body.asserts), tuple(body.properties), body.main, contract,
        )

    # -- contracts

    def _contract_node(self) -> ContractNode:
        token = self._expect("name", "the contract's name")
        inputs, outputs = self._signature()
        self._expect("let")
        body = self._contract("tel")
        self._accept(";")
        return ContractNode(token.text, inputs, outputs, body, self._position(token))

    def _contract(self, stop: str) -> Contract:
        parts = _ContractParts()
        while not self._accept(stop):
            self._contract_item(parts)
        return Contract(
            tuple(parts.assumes), tuple(parts.guarantees), tuple(parts.modes), tuple(parts.constants),
            tuple(parts.variables), tuple(parts.equations), tuple(parts.imports),
        )

    def _contract_item(self, parts: _ContractParts) -> None:
        token, position = self._token, self._position()
        if self._accept("var", "const"):
            self._ghost(parts, token.kind == "const")
            return
        word = self._expect("name", "assume, guarantee, mode, var, const or import").text
        if word == "weakly":
            raise Unsupported("weak assumptions are not supported", position)
        if word in ("assume", "guarantee"):
            into = parts.assumes if word == "assume" else parts.guarantees
            into.append(self._clause(word, position))
        elif word == "mode":
            parts.modes.append(self._mode(position))
        elif word == "import":
            name = self._expect("name", "a contract's name").text
            arguments = self._arguments()
            self._expect("returns")
            parts.imports.append(Import(name, arguments, self._arguments(), position))
            self._expect(";")
        else:
            raise Unsupported(f"'{word}' is not supported in a contract", position)

    def _ghost(self, parts: _ContractParts, constant: bool) -> None:
        token = self._expect("name", "a variable's name")
        type_ = self._type() if self._accept(":") else None
        self._expect("=")
        value, position = self.expression(), self._position(token)
        self._expect(";")
        if constant:
            parts.constants.append(Constant(token.text, type_, value, position))
            return
        if type_ is None:
            raise InputError(f"ghost variable {token.text} needs a type", position)
        parts.variables.append(Declaration(token.text, type_, position))
        parts.equations.append(Equation((Name(position, token.text),), value, position))

    def _clause(self, word: str, position: Position) -> Property:
        label = self._accept("string")
        formula = self.expression()
        self._expect(";")
        name = label.text.strip('"') if label else f"{word} of line {position.line}"
        return Property(name, formula, position)

    def _mode(self, position: Position) -> Mode:
        name = self._expect("name", "the mode's name").text
        self._expect("(")
        requires: list[Property] = []
        ensures: list[Property] = []
        while not self._accept(")"):
            place = self._position()
            word = self._expect("name", "require or ensure").text
            if word not in ("require", "ensure"):
                raise InputError(f"expected require or ensure, found {word!r}", place)
            (requires if word == "require" else ensures).append(self._clause(word, place))
        self._accept(";")
        return Mode(name, tuple(requires), tuple(ensures), position)

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


class _Body:
    """What stands between ``let`` and ``tel``."""

    def __init__(self) -> None:
        self.equations: list[Equation] = []
        self.asserts: list[Expr] = []
        self.properties: list[Property] = []
        self.main = False


@dataclass
class _ContractParts:
    """What stands in a contract."""

    assumes: list[Property] = field(default_factory=list)
    guarantees: list[Property] = field(default_factory=list)
    modes: list[Mode] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    variables: list[Declaration] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
