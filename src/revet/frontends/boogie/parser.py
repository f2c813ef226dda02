"""Programs of Boogie: declarations, and reading a file.

A hand-written recursive descent over :mod:`revet.frontends.kit.parsing`'s tokens, in three modules:
expressions and types, statements, and here declarations. Only syntax is looked at; names and types
are :mod:`revet.frontends.boogie.types`'s.
"""

from __future__ import annotations

from pathlib import Path

from revet.errors import InputError
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.lexer import NAME
from revet.frontends.boogie.parser_statements import StatementParser
from revet.frontends.kit.parsing import END, Source, Token
from revet.frontends.kit.text import read_text

_DECLARATIONS = ("type", "const", "function", "axiom", "var", "procedure", "implementation")


def parse(path: Path) -> s.Program:
    program = parse_text(read_text(path), str(path))
    if not (program.procedures or program.functions or program.types or program.constants or program.globals
            or program.axioms or program.implementations):  # fmt: skip
        raise InputError(f"{path}: an empty file, not a program")
    return program


def parse_text(text: str, file: str) -> s.Program:
    parser = Parser(Source(file, text))
    parser.declarations()
    return s.Program(
        file, tuple(text.split("\n")), tuple(parser.types), tuple(parser.constants), tuple(parser.functions),
        tuple(parser.axioms), tuple(parser.globals), tuple(parser.procedures), tuple(parser.implementations),
    )  # fmt: skip


class Parser(StatementParser):
    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.types: list[s.TypeDeclaration] = []
        self.constants: list[s.Variable] = []
        self.functions: list[s.Function] = []
        self.axioms: list[s.Axiom] = []
        self.globals: list[s.Variable] = []
        self.procedures: list[s.Procedure] = []
        self.implementations: list[s.Implementation] = []

    def declarations(self) -> None:
        tokens = self.tokens
        parsers = {
            "type": self._types, "const": self._constants, "function": self._function, "axiom": self._axiom,
            "var": self._globals, "procedure": self._procedure, "implementation": self._implementation,
        }  # fmt: skip
        while tokens.next.kind != END:
            parse_one = parsers.get(tokens.next.kind)
            if parse_one is None:
                raise self._not_a_declaration()
            parse_one(tokens.advance())

    def _not_a_declaration(self) -> Exception:
        token = self.tokens.next
        if token.text in ("yield", "action", "atomic", "invariant", "async", "left", "right", "both"):
            message = f"concurrency ('{token.text}') is not supported"
            return self.source.unsupported(message, token.offset)
        if token.text in ("datatype", "record"):
            return self.source.unsupported(f"'{token.text}' is not supported", token.offset)
        return self.tokens.unexpected("a declaration", where=f"({', '.join(_DECLARATIONS)})")

    # -- types, constants, functions, axioms, variables

    def _types(self, _: Token) -> None:
        """``type t a b;``, ``type t = int;``"""
        tokens = self.tokens
        self._attributes()
        finite = self._word("finite") and tokens.peek(1).kind == NAME
        if finite:
            tokens.advance()
        while True:
            name = tokens.expect(NAME, "of a type")
            parameters: list[str] = []
            while tokens.next.kind == NAME:
                parameters.append(tokens.advance().text)
            synonym = self.type() if tokens.accept("=") else None
            declaration = s.TypeDeclaration(self._at(name), name.text, tuple(parameters), synonym, finite)
            self.types.append(declaration)
            if not tokens.accept(","):
                break
        tokens.expect(";")

    def _constants(self, _: Token) -> None:
        """``const unique a, b: t;``"""
        tokens = self.tokens
        attributes = self._attributes()
        unique = tokens.accept("unique") is not None
        names = self._names("of a constant")
        tokens.expect(":", "and the type")
        written = self.type()
        if tokens.next.kind == "<:" or tokens.next.text in ("extends", "complete"):
            message = f"the order of constants ('{tokens.next.text}') is not supported"
            raise self.source.unsupported(message, tokens.next.offset)
        tokens.expect(";")
        for name in names:
            variable = s.Variable(self._at(name), name.text, written, "constant", None, unique, attributes)
            self.constants.append(variable)

    def _function(self, _: Token) -> None:
        """``function f<a>(x: a, int) returns (bool);`` or with ``{ body }``, or ``: bool``"""
        tokens = self.tokens
        attributes = self._attributes()
        name = tokens.expect(NAME, "of a function")
        type_parameters = self._type_parameters()
        tokens.expect("(")
        parameters = self._function_parameters()
        if tokens.accept("returns"):
            tokens.expect("(")
            result_place = tokens.next
            results: tuple[s.Variable, ...] = self._function_parameters()
            if len(results) != 1:
                message = f"a function has one result, not {len(results)}"
                raise self.source.error(message, result_place.offset)
            result: s.TypeSyntax = results[0].written
        elif tokens.accept(":"):
            result = self.type()
        else:
            raise tokens.unexpected("returns", ":", where="and the type of the result")
        body: s.Expr | None = None
        if tokens.accept("{"):
            body = self.expression()
            tokens.expect("}")
            tokens.accept(";")
        elif tokens.next.kind == ";":
            tokens.advance()
        else:
            raise tokens.unexpected(";", "{", where="after a function")
        self.functions.append(
            s.Function(self._at(name), name.text, type_parameters, parameters, result, body, attributes)
        )

    def _function_parameters(self) -> tuple[s.Variable, ...]:
        """``x: int, bool)``: names, with or without"""
        tokens = self.tokens
        found: list[s.Variable] = []
        while tokens.next.kind != ")":
            if found:
                tokens.expect(",")
            self._attributes()
            start, name = tokens.next, ""
            if start.kind == NAME and tokens.peek(1).kind == ":":
                name = tokens.advance().text
                tokens.advance()
            found.append(s.Variable(self._at(start), name, self.type(), "bound"))
        tokens.advance()
        return tuple(found)

    def _axiom(self, token: Token) -> None:
        attributes = self._attributes()
        formula = self.expression()
        self.tokens.expect(";")
        self.axioms.append(s.Axiom(self._at(token), formula, attributes))

    def _globals(self, _: Token) -> None:
        attributes = self._attributes()
        group: list[s.Variable] = self._declarations("global")
        self.tokens.expect(";")
        for variable in group:
            variable.attributes += attributes
        self.globals += group

    # -- procedures

    def _signature(self) -> tuple[Token, tuple[str, ...], tuple[s.Variable, ...], tuple[s.Variable, ...]]:
        """``p<a>(x: a) returns (y: int)``"""
        name = self.tokens.expect(NAME, "of a procedure")
        type_parameters = self._type_parameters()
        inputs: list[s.Variable] = self._formals("input")
        outputs: list[s.Variable] = []
        if self.tokens.accept("returns"):
            outputs = self._formals("output")
        return name, type_parameters, tuple(inputs), tuple(outputs)

    def _formals(self, kind: str) -> list[s.Variable]:
        self.tokens.expect("(")
        if self.tokens.accept(")"):
            return []
        found: list[s.Variable] = self._declarations("input" if kind == "input" else "output")
        self.tokens.expect(")")
        return found

    def _procedure(self, _: Token) -> None:
        tokens = self.tokens
        attributes = self._attributes()
        name, type_parameters, inputs, outputs = self._signature()
        declared_only = tokens.accept(";") is not None
        requires: list[s.Clause] = []
        ensures: list[s.Clause] = []
        modifies: list[s.Name] = []
        while tokens.next.kind in ("requires", "ensures", "modifies", "free"):
            kind = tokens.peek(1).kind if tokens.next.kind == "free" else tokens.next.kind
            if kind == "modifies":
                tokens.accept("free")
                tokens.advance()
                if tokens.next.kind != ";":
                    modifies += map(self._name, self._names("of a global variable"))
                tokens.expect(";")
                continue
            clause = self._clause("requires", "ensures")
            (requires if kind == "requires" else ensures).append(clause)
        body = None
        if not declared_only:
            if tokens.next.kind != "{":
                expected = (";", "{", "requires", "ensures", "modifies")
                raise tokens.unexpected(*expected, where="after a procedure")
            body = self.body()
        self.procedures.append(
            s.Procedure(
                self._at(name), name.text, type_parameters, inputs, outputs, tuple(requires), tuple(ensures),
                tuple(modifies), body, attributes,
            )
        )

    def _implementation(self, _: Token) -> None:
        attributes = self._attributes()
        name, type_parameters, inputs, outputs = self._signature()
        self.tokens.accept(";")
        body = self.body()
        self.implementations.append(
            s.Implementation(self._at(name), name.text, type_parameters, inputs, outputs, body, attributes)
        )
