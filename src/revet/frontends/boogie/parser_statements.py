"""Statements and bodies of Boogie."""

from __future__ import annotations

from collections.abc import Callable

from revet.frontends.boogie.lexer import NAME
from revet.frontends.boogie.parser_expressions import ExpressionParser
from revet.frontends.boogie.syntax import (
    Assert,
    Assign,
    Assume,
    Body,
    Break,
    Call,
    CallForall,
    Clause,
    Expr,
    Goto,
    Havoc,
    If,
    Label,
    Name,
    Return,
    Statement,
    StructTarget,
    Target,
    Variable,
    While,
)
from revet.frontends.parsing import END, Steps, Token

_CONCURRENT = ("fork", "join", "atomic", "async", "par", "yield")


class StatementParser(ExpressionParser):
    # -- blocks

    def body(self) -> Steps[Body]:
        """``{ var x: int; … statements … }``"""
        open_ = self.tokens.expect("{")
        variables: list[Variable] = []
        while self.tokens.accept("var"):
            attributes = yield self._attributes()
            group: list[Variable] = yield self._declarations("local")
            for variable in group:
                variable.attributes += attributes
            variables += group
            self.tokens.expect(";")
        statements = yield self._statements()
        end = self._at(self.tokens.last)
        return Body(self._at(open_), tuple(variables), statements, end)

    def _block(self) -> Steps[tuple[Statement, ...]]:
        self.tokens.expect("{")
        statements: tuple[Statement, ...] = yield self._statements()
        return statements

    def _statements(self) -> Steps[tuple[Statement, ...]]:
        """Statements up to and with the closing brace."""
        tokens = self.tokens
        found: list[Statement] = []
        while not tokens.accept("}"):
            token = tokens.next
            parse = _STATEMENTS.get(token.kind)
            if parse is not None:
                found.append((yield parse(self)))
            elif token.kind == NAME:
                found.append((yield self._named_statement()))
            elif token.kind == "var":
                raise self.source.error("variables are declared at the start of a body", token.offset)
            elif token.kind == END:
                raise tokens.unexpected("}")
            else:
                raise tokens.unexpected("a statement", "}")
        return tuple(found)

    # -- statements

    def _named_statement(self) -> Steps[Statement]:
        """A label, an assignment, or one of the words that are keywords only here."""
        tokens = self.tokens
        token, after = tokens.next, tokens.peek(1)
        if after.kind == ":":
            tokens.advance()
            tokens.advance()
            return Label(self._at(token), token.text)
        if token.text in _CONCURRENT and after.kind not in (":=", "[", ","):
            raise self.source.unsupported(f"concurrency ('{token.text}') is not supported", token.offset)
        targets: list[Target] = []
        while not targets or tokens.accept(","):
            targets.append((yield self._target()))
        where = "after what is assigned" if targets[0].indices or after.kind != "=" else "to assign"
        assign = tokens.expect(":=", where)
        values = [(yield self.expression())]
        while tokens.accept(","):
            values.append((yield self.expression()))
        tokens.expect(";")
        if len(values) != len(targets):
            message = f"{len(targets)} variables on the left, {len(values)} values on the right"
            raise self.source.error(message, assign.offset)
        return Assign(self._at(token), tuple(targets), tuple(values))

    def _target(self) -> Steps[Target]:
        """``x``, ``m[i][j, k]`` or ULTIMATE's ``m[i]!field``"""
        tokens = self.tokens
        name = self._name(tokens.expect(NAME, "to assign"))
        accessors: list[tuple[Expr, ...] | str] = []
        while tokens.next.kind in ("[", "!"):
            if tokens.advance().kind == "!":
                accessors.append(tokens.expect(NAME, "of a field").text)
                continue
            indices = [(yield self.expression())]
            while tokens.accept(","):
                indices.append((yield self.expression()))
            tokens.expect("]")
            accessors.append(tuple(indices))
        plain = tuple(group for group in accessors if not isinstance(group, str))
        if len(plain) == len(accessors):
            return Target(name, plain)
        return StructTarget(name, accessors=tuple(accessors))

    def _name(self, token: Token) -> Name:
        return Name(self._at(token), token.text)

    def _assertion(self) -> Steps[Statement]:
        token = self.tokens.advance()
        attributes = yield self._attributes()
        formula = yield self.expression()
        self.tokens.expect(";")
        kind = Assert if token.kind == "assert" else Assume
        return kind(self._at(token), formula, attributes)

    def _havoc(self) -> Steps[Statement]:
        token = self.tokens.advance()
        names = self._names("of a variable")
        self.tokens.expect(";")
        return Havoc(self._at(token), tuple(map(self._name, names)))
        yield  # a generator, as the table wants

    def _goto(self) -> Steps[Statement]:
        token = self.tokens.advance()
        names = self._names("of a label")
        self.tokens.expect(";")
        return Goto(self._at(token), tuple(name.text for name in names))
        yield

    def _break(self) -> Steps[Statement]:
        token = self.tokens.advance()
        label = self.tokens.accept(NAME)
        self.tokens.expect(";")
        return Break(self._at(token), label.text if label else None)
        yield

    def _return(self) -> Steps[Statement]:
        token = self.tokens.advance()
        self.tokens.expect(";")
        return Return(self._at(token))
        yield

    def _if(self) -> Steps[Statement]:
        token = self.tokens.advance()
        condition = yield self._condition()
        then = yield self._block()
        otherwise: tuple[Statement, ...] = ()
        if self.tokens.accept("else"):
            if self.tokens.next.kind == "if":
                otherwise = ((yield self._if()),)
            else:
                otherwise = yield self._block()
        return If(self._at(token), condition, then, otherwise)

    def _while(self) -> Steps[Statement]:
        token = self.tokens.advance()
        condition = yield self._condition()
        invariants: list[Clause] = []
        while self.tokens.next.kind in ("free", "invariant"):
            invariants.append((yield self._clause("invariant")))
        body = yield self._block()
        return While(self._at(token), condition, tuple(invariants), body)

    def _condition(self) -> Steps[Expr | None]:
        """``(e)`` or ``(*)``"""
        self.tokens.expect("(")
        condition = None if self.tokens.accept("*") else (yield self.expression())
        self.tokens.expect(")")
        return condition

    def _clause(self, *kinds: str) -> Steps[Clause]:
        """``free requires e;``"""
        start = self.tokens.next
        free = self.tokens.accept("free") is not None
        if self.tokens.next.kind not in kinds:
            raise self.tokens.unexpected(*kinds)
        self.tokens.advance()
        attributes = yield self._attributes()
        formula = yield self.expression()
        self.tokens.expect(";")
        return Clause(self._at(start), formula, free, attributes)

    # -- calls

    def _call(self) -> Steps[Statement]:
        """``call x, y := p(a, b);``, ``call p();``, ``call forall p(*);``"""
        tokens = self.tokens
        start = tokens.next
        free = tokens.accept("free") is not None
        tokens.expect("call")
        attributes = yield self._attributes()
        position = self._at(start)
        if tokens.accept("forall"):
            name = tokens.expect(NAME, "of a procedure")
            arguments = yield self._call_arguments()
            return CallForall(position, name.text, arguments)
        names = self._names("of a procedure or a variable")
        results: tuple[Name, ...] = ()
        if len(names) > 1 or tokens.next.kind == ":=":
            tokens.expect(":=")
            results = tuple(map(self._name, names))
            names = [tokens.expect(NAME, "of a procedure")]
        arguments = yield self._call_arguments()
        return Call(position, names[0].text, arguments, results, free, attributes)

    def _call_arguments(self) -> Steps[tuple[Expr | None, ...]]:
        """``(a, *);``"""
        tokens = self.tokens
        tokens.expect("(")
        found: list[Expr | None] = []
        while tokens.next.kind != ")":
            if found:
                tokens.expect(",")
            found.append(None if tokens.accept("*") else (yield self.expression()))
        tokens.advance()
        tokens.expect(";")
        return tuple(found)


_STATEMENTS: dict[str, Callable[[StatementParser], Steps[Statement]]] = {
    "assert": StatementParser._assertion,
    "assume": StatementParser._assertion,
    "havoc": StatementParser._havoc,
    "call": StatementParser._call,
    "free": StatementParser._call,
    "if": StatementParser._if,
    "while": StatementParser._while,
    "goto": StatementParser._goto,
    "break": StatementParser._break,
    "return": StatementParser._return,
}
