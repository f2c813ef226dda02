"""Declarations of Lustre: files, nodes, types; contracts are in :mod:`.parser_contracts`.

Written by hand: three times as fast as a generated parser on the large files, and its messages can
say what was expected. Depth of nesting is bounded by Python's recursion limit, which the caller raises
(:func:`revet.frontends.lustre.load`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from revet.errors import Position, Unsupported
from revet.frontends.kit.text import line_at
from revet.frontends.lustre.declarations import (
    Conditional,
    Constant,
    Constructor,
    ContractNode,
    Equation,
    File,
    Frame,
    LeftSide,
    LemmaCall,
    Node,
    Property,
    Statement,
    TypeDefinition,
)
from revet.frontends.lustre.include import included
from revet.frontends.lustre.parser_contracts import ContractParser
from revet.frontends.lustre.syntax import Call, Declaration, Expr, Name


def parse(path: Path) -> File:
    """A file with those that it includes."""
    texts: dict[str, tuple[str, ...]] = {}
    return Parser(included(path, texts), texts).file()


class Parser(ContractParser):
    # -- declarations

    def file(self) -> File:
        types: list[TypeDefinition] = []
        constants: list[Constant] = []
        nodes: list[Node] = []
        contracts: list[ContractNode] = []
        while not self._accept("end"):
            if self._accept("type"):
                types += self._type_definitions()
            elif self._accept_word("datatype"):
                types.append(self._datatype())
            elif self._accept("const") or self._accept_word("param"):
                constants += self._constants()
            elif self._is_word("transparent", "opaque") and self._next_is("node", "function"):
                opaque = self._expect("name").text == "opaque"
                made = self._node(self._accept("node") is None and self._accept("function") is not None)
                nodes.append(replace(made, opaque=opaque, transparent=not opaque))
            elif token := self._accept("node", "function"):
                nodes.append(self._node(token.kind == "function"))
            elif self._is_word("lemma") and self._next_is("name"):
                self._at += 1
                nodes.append(self._node(True, lemma=True))
            elif self._accept_word("contract"):
                contracts.append(self._contract_node())
            elif self._token.kind == "boxed annotation":
                self._skip_box()
            elif self._accept("annotation", ";", "."):
                continue
            else:
                raise self._error(f"expected a node, type or const, found {self._token.text!r}")
        return File(
            self._tokens[-1].path, tuple(types), tuple(constants), tuple(nodes), self._texts, tuple(contracts)
        )

    def _unsupported(self, message: str) -> Unsupported:
        position = self._position()
        return Unsupported(message, position, line_at(self._texts, position))

    def _skip_box(self) -> None:
        while not self._accept("*)"):
            if self._accept("end"):
                raise self._error("comment without an end")
            self._at += 1

    def _type_definitions(self) -> list[TypeDefinition]:
        """``type t, u = v;``, or abstract types ``type t, u;``"""
        names = [self._expect("name", "a type name")]
        while self._accept(","):
            names.append(self._expect("name", "a type name"))
        parameters = self._type_parameters()
        type_ = self.type_() if self._accept("=") else None
        self._accept(";")
        return [TypeDefinition(name.text, parameters, type_, self._position(name)) for name in names]

    def _type_parameters(self) -> tuple[str, ...]:
        if not self._accept("<"):
            return ()
        names = [self._expect("name", "a type parameter").text]
        while self._accept(";", ","):
            names.append(self._expect("name", "a type parameter").text)
        self._expect(">")
        return tuple(names)

    def _datatype(self) -> TypeDefinition:
        token = self._expect("name", "a type name")
        parameters = self._type_parameters()
        self._expect("=")
        self._accept("|")
        constructors = [self._constructor()]
        while self._accept("|"):
            constructors.append(self._constructor())
        self._accept(";")
        return TypeDefinition(token.text, parameters, None, self._position(token), tuple(constructors))

    def _constructor(self) -> Constructor:
        token = self._expect("name", "a constructor")
        fields: tuple[Declaration, ...] = ()
        if self._accept("("):
            found: list[Declaration] = []
            while self._token.kind != ")":
                position, name = self._position(), f"{token.text}.{len(found)}"  # a field may have no name
                if self._token.kind == "name" and self._next_is(":"):
                    name = self._expect("name").text
                    self._expect(":")
                found.append(Declaration(name, self.type_(), position))
                if not self._accept(",", ";"):
                    break
            self._expect(")")
            fields = tuple(found)
        return Constructor(token.text, fields, self._position(token))

    def _constants(self) -> list[Constant]:
        found = []
        while self._token.kind == "name" and self._next_is("=", ":", ","):
            names = [self._expect("name")]
            while self._accept(","):
                names.append(self._expect("name", "a constant's name"))
            type_ = self.type_() if self._accept(":") else None
            value = self.expression() if self._accept("=") else None
            if value is None and type_ is None:
                raise self._error("a constant has a type or a value")
            if value is not None and len(names) > 1:
                raise self._error("one constant a definition", names[1])
            found += [Constant(token.text, type_, value, self._position(token)) for token in names]
            self._expect(";")
        if not found:
            raise self._error("expected a constant's name")
        return found

    # -- nodes

    def _node(self, function: bool, lemma: bool = False) -> Node:
        imported = self._accept_word("imported") is not None
        recursive = lemma
        if self._is_word("rec") and self._next_is("name"):
            if not function or imported or lemma:
                raise self._unsupported("'rec' is for functions with a body")
            self._at += 1
            recursive = True
        token = self._expect("name", "the node's name")
        parameters = self._type_parameters()
        inputs, outputs = self._lemma_signature() if lemma else self._signature()
        contract = self._node_contract()
        at = self._position(token)
        if imported:
            return Node(
                token.text, at, parameters, inputs, outputs, contract=contract, imported=True,
                function=function,
            )
        locals_: list[Declaration] = []
        constants: list[Constant] = []
        while True:
            if self._accept("var"):
                locals_ += self._locals()
            elif self._accept("const") or self._accept_word("param"):
                constants += self._constants()
            else:
                break
        body = _Body()
        self._expect("let")
        while not self._accept("tel"):
            self._item(body)
        self._accept(";", ".")
        return Node(
            token.text, at, parameters, inputs, outputs, tuple(locals_), tuple(constants),
            tuple(body.statements), tuple(body.asserts), tuple(body.properties), body.main, contract,
            False, function, recursive, lemma,
        )

    def _locals(self) -> list[Declaration]:
        found: list[Declaration] = []
        while self._token.kind == "name":
            found += self._declaration_group()
            self._expect(";")
        return found

    def _item(self, body: _Body) -> None:
        token, position = self._token, self._position()
        if self._accept("annotation", "boxed annotation"):
            if token.text == "MAIN":
                unmarked = self._accept("true", "false")
                self._accept(";")
                body.main = body.main or unmarked is None or unmarked.kind == "true"
            else:
                self._property(body, position)
            if token.kind == "boxed annotation":
                self._expect("*)")
        elif self._accept("check"):
            self._property(body, position)
        elif self._accept("assert"):
            body.asserts.append(self.expression())
            self._expect(";")
        elif self._is_word("auto") and self._next_is(";"):
            self._at += 2
        elif not self._accept(";"):
            body.statements.append(self._statement())

    def _statement(self) -> Statement:
        position = self._position()
        if self._accept("if"):
            return self._if_block(position)
        if self._is_word("when") and not self._next_is("=", ",", "["):
            self._at += 1
            return self._when_block(position)
        if self._is_word("cond") and self._next_is("|"):
            return self._cond_block(position)
        if self._is_word("frame") and self._next_is("("):
            return self._frame(position)
        if self._token.kind == "name" and self._next_is("(", "@"):
            return self._lemma_call(position)
        return self._equation()

    def _lemma_call(self, position: Position) -> Statement:
        call = self.expression()
        if not isinstance(call, Call):
            raise self._error("expected an equation or the call of a lemma")
        self._expect(";")
        return LemmaCall(call, position)

    def _statements(self, *stop: str) -> tuple[Statement, ...]:
        found = []
        while self._token.kind not in stop and not (self._token.kind == "name" and self._token.text in stop):
            if self._is_word("auto") and self._next_is(";"):  # a branch of a proof with nothing to say
                self._at += 2
            else:
                found.append(self._statement())
        return tuple(found)

    def _if_block(self, position: Position) -> Statement:
        branches: list[tuple[Expr | None, tuple[Statement, ...]]] = []
        while True:
            condition = self.expression()
            self._expect("then")
            branches.append((condition, self._statements("else", "elsif", "fi")))
            if not self._accept_word("elsif"):
                break
        if self._accept("else"):
            branches.append((None, self._statements("fi")))
        self._word("fi")
        return Conditional(tuple(branches), False, position)

    def _when_block(self, position: Position) -> Statement:
        condition = self.expression()
        self._expect("then")
        branches: list[tuple[Expr | None, tuple[Statement, ...]]] = [
            (condition, self._statements("else", "end"))
        ]
        if self._accept("else"):
            branches.append((None, self._statements("end")))
        self._word("end")
        return Conditional(tuple(branches), True, position)

    def _cond_block(self, position: Position) -> Statement:
        self._word("cond")
        branches: list[tuple[Expr | None, tuple[Statement, ...]]] = []
        while self._accept("|"):
            self._arms += 1
            condition = self.expression()
            self._arms -= 1
            self._expect(":")
            branches.append((condition, self._statements("|", "otherwise", "end")))
        if self._accept_word("otherwise"):
            self._expect(":")
            branches.append((None, self._statements("end")))
        self._word("end")
        return Conditional(tuple(branches), True, position)

    def _frame(self, position: Position) -> Statement:
        self._word("frame")
        self._expect("(")
        names = [self._left()]
        while self._accept(","):
            names.append(self._left())
        self._expect(")")
        initial = []
        while self._token.kind != "let":
            initial.append(self._equation())
        self._expect("let")
        body = self._statements("tel")
        self._expect("tel")
        self._accept(";")
        return Frame(tuple(names), tuple(initial), body, position)

    def _equation(self) -> Equation:
        position = self._position()
        open_ = self._accept("(")
        names = [self._left()]
        while self._accept(","):
            names.append(self._left())
        if open_:
            self._expect(")")
        self._expect("=")
        value = self.expression()
        self._expect(";")
        return Equation(tuple(names), value, position)

    def _left(self) -> LeftSide:
        token = self._expect("name", "a variable to define")
        indices = []
        while self._accept("["):
            indices.append(self._expect("name", "an index variable").text)
            self._expect("]")
        return LeftSide(token.text, tuple(indices), self._position(token))

    # -- properties

    def _property(self, body: _Body, position: Position) -> None:
        if self._is_word("invariant") and not self._next_is(";"):
            self._at += 1
        reachable = self._is_word("reachable") and not self._next_is(";", "=", "and", "or", "=>")
        self._at += reachable
        label = self._accept("string")
        formula = self.expression()
        provided = self.expression() if self._accept_word("provided") else None
        reach = self._bounds() if reachable else None
        self._accept(";")
        name = label.text.strip('"') if label else self._text(formula, position)
        taken = {known.name for known in body.properties}
        if name in taken:
            name = f"{name} at line {position.line}"
            while name in taken:
                name += "'"
        body.properties.append(Property(name, formula, position, reach, provided))

    def _bounds(self) -> tuple[int, int | None]:
        low, high = 0, None
        while token := self._accept_word("from", "within", "at"):
            number = self._expect("number", "a number of steps")
            if not number.text.isdigit():
                raise self._error("expected a number of steps", number)
            if token.text != "within":
                low = int(number.text)
            if token.text != "from":
                high = int(number.text)
        return low, high

    def _text(self, formula: Expr, position: Position) -> str:
        """A property without a name is called by its own text."""
        if isinstance(formula, Name):
            return formula.name
        return f"line {position.line}"


class _Body:
    """What stands between ``let`` and ``tel``."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []
        self.asserts: list[Expr] = []
        self.properties: list[Property] = []
        self.main = False
