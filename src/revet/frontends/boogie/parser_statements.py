"""Statements and bodies of Boogie."""

from __future__ import annotations

from collections.abc import Callable

from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.lexer import NAME
from revet.frontends.boogie.parser_expressions import ExpressionParser
from revet.frontends.kit.parsing import END, Token

_CONCURRENT = ("fork", "join", "atomic", "async", "par", "yield")


class StatementParser(ExpressionParser):
    # -- blocks

    def body(self) -> s.Body:
        """``{ var x: int; … statements … }``"""
        open_ = self.tokens.expect("{")
        variables: list[s.Variable] = []
        while self.tokens.accept("var"):
            attributes = self._attributes()
            group: list[s.Variable] = self._declarations("local")
            for variable in group:
                variable.attributes += attributes
            variables += group
            self.tokens.expect(";")
        statements = self._statements()
        end = self._at(self.tokens.last)
        return s.Body(self._at(open_), tuple(variables), statements, end)

    def _block(self) -> tuple[s.Statement, ...]:
        self.tokens.expect("{")
        return self._statements()

    def _statements(self) -> tuple[s.Statement, ...]:
        """Statements up to and with the closing brace."""
        tokens = self.tokens
        found: list[s.Statement] = []
        while not tokens.accept("}"):
            token = tokens.next
            parse = _STATEMENTS.get(token.kind)
            if parse is not None:
                found.append(parse(self))
            elif token.kind == NAME:
                found.append(self._named_statement())
            elif token.kind == "var":
                raise self.source.error("variables are declared at the start of a body", token.offset)
            elif token.kind == END:
                raise tokens.unexpected("}")
            else:
                raise tokens.unexpected("a statement", "}")
        return tuple(found)

    # -- statements

    def _named_statement(self) -> s.Statement:
        """A label, an assignment, or one of the words that are keywords only here."""
        tokens = self.tokens
        token, after = tokens.next, tokens.peek(1)
        if after.kind == ":":
            tokens.advance()
            tokens.advance()
            return s.Label(self._at(token), token.text)
        if token.text in _CONCURRENT and after.kind not in (":=", "[", ","):
            raise self.source.unsupported(f"concurrency ('{token.text}') is not supported", token.offset)
        targets: list[s.Target] = []
        while not targets or tokens.accept(","):
            targets.append(self._target())
        where = "after what is assigned" if targets[0].indices or after.kind != "=" else "to assign"
        assign = tokens.expect(":=", where)
        values = [self.expression()]
        while tokens.accept(","):
            values.append(self.expression())
        tokens.expect(";")
        if len(values) != len(targets):
            message = f"{len(targets)} variables on the left, {len(values)} values on the right"
            raise self.source.error(message, assign.offset)
        return s.Assign(self._at(token), tuple(targets), tuple(values))

    def _target(self) -> s.Target:
        """``x``, ``m[i][j, k]`` or ULTIMATE's ``m[i]!field``"""
        tokens = self.tokens
        name = self._name(tokens.expect(NAME, "to assign"))
        accessors: list[tuple[s.Expr, ...] | str] = []
        while tokens.next.kind in ("[", "!"):
            if tokens.advance().kind == "!":
                accessors.append(tokens.expect(NAME, "of a field").text)
                continue
            indices = [self.expression()]
            while tokens.accept(","):
                indices.append(self.expression())
            tokens.expect("]")
            accessors.append(tuple(indices))
        plain = tuple(group for group in accessors if not isinstance(group, str))
        if len(plain) == len(accessors):
            return s.Target(name, plain)
        return s.StructTarget(name, accessors=tuple(accessors))

    def _name(self, token: Token) -> s.Name:
        return s.Name(self._at(token), token.text)

    def _assertion(self) -> s.Statement:
        token = self.tokens.advance()
        attributes = self._attributes()
        formula = self.expression()
        self.tokens.expect(";")
        kind = s.Assert if token.kind == "assert" else s.Assume
        return kind(self._at(token), formula, attributes)

    def _havoc(self) -> s.Statement:
        token = self.tokens.advance()
        names = self._names("of a variable")
        self.tokens.expect(";")
        return s.Havoc(self._at(token), tuple(map(self._name, names)))

    def _goto(self) -> s.Statement:
        token = self.tokens.advance()
        names = self._names("of a label")
        self.tokens.expect(";")
        return s.Goto(self._at(token), tuple(name.text for name in names))

    def _break(self) -> s.Statement:
        token = self.tokens.advance()
        label = self.tokens.accept(NAME)
        self.tokens.expect(";")
        return s.Break(self._at(token), label.text if label else None)

    def _return(self) -> s.Statement:
        token = self.tokens.advance()
        self.tokens.expect(";")
        return s.Return(self._at(token))

    def _if(self) -> s.Statement:
        token = self.tokens.advance()
        condition = self._condition()
        then = self._block()
        otherwise: tuple[s.Statement, ...] = ()
        if self.tokens.accept("else"):
            if self.tokens.next.kind == "if":
                otherwise = (self._if(),)
            else:
                otherwise = self._block()
        return s.If(self._at(token), condition, then, otherwise)

    def _while(self) -> s.Statement:
        token = self.tokens.advance()
        condition = self._condition()
        invariants: list[s.Clause] = []
        while self.tokens.next.kind in ("free", "invariant"):
            invariants.append(self._clause("invariant"))
        body = self._block()
        return s.While(self._at(token), condition, tuple(invariants), body)

    def _condition(self) -> s.Expr | None:
        """``(e)`` or ``(*)``"""
        self.tokens.expect("(")
        condition = None if self.tokens.accept("*") else self.expression()
        self.tokens.expect(")")
        return condition

    def _clause(self, *kinds: str) -> s.Clause:
        """``free requires e;``"""
        start = self.tokens.next
        free = self.tokens.accept("free") is not None
        if self.tokens.next.kind not in kinds:
            raise self.tokens.unexpected(*kinds)
        self.tokens.advance()
        attributes = self._attributes()
        formula = self.expression()
        self.tokens.expect(";")
        return s.Clause(self._at(start), formula, free, attributes)

    # -- calls

    def _call(self) -> s.Statement:
        """``call x, y := p(a, b);``, ``call p();``, ``call forall p(*);``"""
        tokens = self.tokens
        start = tokens.next
        free = tokens.accept("free") is not None
        tokens.expect("call")
        attributes = self._attributes()
        position = self._at(start)
        if tokens.accept("forall"):
            name = tokens.expect(NAME, "of a procedure")
            arguments = self._call_arguments()
            return s.CallForall(position, name.text, arguments)
        names = self._names("of a procedure or a variable")
        results: tuple[s.Name, ...] = ()
        if len(names) > 1 or tokens.next.kind == ":=":
            tokens.expect(":=")
            results = tuple(map(self._name, names))
            names = [tokens.expect(NAME, "of a procedure")]
        arguments = self._call_arguments()
        return s.Call(position, names[0].text, arguments, results, free, attributes)

    def _call_arguments(self) -> tuple[s.Expr | None, ...]:
        """``(a, *);``"""
        tokens = self.tokens
        tokens.expect("(")
        found: list[s.Expr | None] = []
        while tokens.next.kind != ")":
            if found:
                tokens.expect(",")
            found.append(None if tokens.accept("*") else self.expression())
        tokens.advance()
        tokens.expect(";")
        return tuple(found)


_STATEMENTS: dict[str, Callable[[StatementParser], s.Statement]] = {
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
