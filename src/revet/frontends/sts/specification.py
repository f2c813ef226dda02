"""The notation ``specification { system … property … models G(…) }``."""

from __future__ import annotations

from dataclasses import replace

from revet.frontends.kit.lowering import Lowering
from revet.frontends.kit.parsing import END, Source, Token, Tokens
from revet.frontends.kit.relations import Formulas
from revet.frontends.kit.syntax import Expr, ExpressionParser, may_divide_by_zero, preorder
from revet.frontends.kit.theta_notation import GRAMMAR, KEYWORDS, lexer, type_
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, REAL, Sort
from revet.logic.terms import Term
from revet.model.names import prime

_DIVISION = "division by zero gives 0, and the remainder of a division by zero is the dividend"


_OLDER_TYPES = {"boolean": BOOL, "integer": INT, "rational": REAL}
_OF_AUTOMATA = ("main", "process", "init", "final", "error", "loc", "assume", "havoc", "return")
_LEXER = lexer(tuple(word for word in KEYWORDS if word not in _OF_AUTOMATA))


def read_specification(text: str, file: str, name: str) -> Formulas:
    return _Parser(Source(file, text)).specification(name)


def _primed(parser: ExpressionParser, operand: Expr) -> Expr:
    token = parser.tokens.advance()
    if operand.op != "name" or operand.payload.endswith("'"):
        raise parser.source.error("only variables can be primed", token.offset)
    return Expr("name", (), operand.offset, operand.payload + "'")


def _quantified(parser: ExpressionParser) -> Expr:
    """``forall (i : int, j : int) : body``."""
    token = parser.tokens.advance()
    parser.tokens.expect("(")
    bound = []
    while True:
        name = parser.tokens.expect("a name")
        parser.tokens.expect(":")
        bound.append((name.text, type_(parser)))
        if not parser.tokens.accept(","):
            break
    parser.tokens.expect(")")
    parser.tokens.expect(":")
    body = parser.expression(1)
    return Expr(token.kind, (body,), token.offset, tuple(bound))


_STS_GRAMMAR = replace(
    GRAMMAR,
    special={**GRAMMAR.special, "forall": _quantified, "exists": _quantified},
    postfix={**GRAMMAR.postfix, "'": (20, _primed)},
)


class _Parser:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = Tokens(source, _LEXER)
        self.expressions = ExpressionParser(self.tokens, _STS_GRAMMAR)
        self.divides = False

    def _word(self, word: str) -> Token:
        """The words of this notation are names to the lexer, which it shares with the automata's."""
        token = self.tokens.next
        if token.text != word:
            raise self.source.error(f"expected '{word}'", token.offset)
        return self.tokens.advance()

    def specification(self, name: str) -> Formulas:
        tokens = self.tokens
        self._word("specification")
        tokens.expect("a name", "of the specification")
        tokens.expect("{")
        systems: dict[str, _System] = {}
        asked: list[tuple[_System, Token, Expr]] = []
        while not tokens.accept("}"):
            if tokens.next.text == "system":
                tokens.advance()
                given = tokens.expect("a name", "of the system")
                if given.text in systems:
                    raise self.source.error(f"two systems are called {given.text}", given.offset)
                tokens.expect(":=")
                systems[given.text] = self._system()
            else:
                asked.append(self._property(systems))
        if tokens.next.kind != END:
            raise tokens.unexpected(END)
        if not asked:
            raise self.source.error("there is no property", 0)
        for system, token, _ in asked:
            if system is not asked[0][0]:
                raise self.source.unsupported("properties of different systems", token.offset)
        formulas = asked[0][0].formulas(name)
        for system, token, expr in asked:
            if token.text in formulas.properties:
                raise self.source.error(f"two properties are called {token.text}", token.offset)
            formulas.properties[token.text] = system.lowered(expr, primes=False)
            formulas.positions[token.text] = self.source.position(token.offset)
        formulas.assumptions = (_DIVISION,) if self.divides else ()
        return formulas

    def _property(self, systems: dict[str, _System]) -> tuple[_System, Token, Expr]:
        tokens = self.tokens
        self._word("property")
        name = tokens.expect("a name", "of the property")
        tokens.expect(":")
        if tokens.next.kind == "{":
            system = self._system()
        else:
            given = tokens.expect("a name", "of a system")
            if given.text not in systems:
                raise self.source.error(f"there is no system {given.text}", given.offset)
            system = systems[given.text]
        self._word("models")
        if tokens.next.text != "G":
            raise self.source.unsupported("only properties G(…) are supported", tokens.next.offset)
        tokens.advance()
        tokens.expect("(")
        expr = self._expression()
        tokens.expect(")")
        return system, name, expr

    def _expression(self) -> Expr:
        expr = self.expressions.expression()
        self.divides = self.divides or may_divide_by_zero(expr)
        return expr

    def _type(self) -> Sort:
        older = _OLDER_TYPES.get(self.tokens.next.text)
        if older is None:
            return type_(self.expressions)
        self.tokens.advance()
        return older

    def _system(self) -> _System:
        tokens = self.tokens
        tokens.expect("{")
        system = _System(self.source)
        while not tokens.accept("}"):
            if tokens.accept("var"):
                name = tokens.expect("a name", "of the variable")
                tokens.expect(":")
                sort = self._type()
                self.source.check_name(name.text, name.offset)
                if name.text in system.variables:
                    raise self.source.error(f"{name.text} is declared twice", name.offset)
                system.variables[name.text] = b.var(name.text, sort)
            elif tokens.next.text in ("initial", "invariant", "transition"):
                system.parts.append((tokens.advance().text, self._expression()))
            else:
                raise self.source.error(
                    "expected var, initial, invariant or transition", tokens.next.offset
                )
        return system


class _System:
    """A system under construction: its formulas are lowered when all variables are known."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.variables: dict[str, Term] = {}
        self.parts: list[tuple[str, Expr]] = []

    def lowered(self, expr: Expr, *, primes: bool) -> Term:
        names = dict(self.variables)
        if primes:
            names |= {f"{x.name}'": prime(x) for x in self.variables.values()}
        else:
            for node in preorder(expr):
                if node.op == "name" and node.payload.endswith("'"):
                    raise self.source.error("only transitions speak of next values", node.offset)
        return _Quantifying(self.source, names).formula(expr)

    def formulas(self, name: str) -> Formulas:
        found = Formulas(name, list(self.variables.values()))
        for kind, expr in self.parts:
            term = self.lowered(expr, primes=kind == "transition")
            where = {"initial": found.init, "invariant": found.invariants, "transition": found.trans}
            where[kind].append(term)
        return found


class _Quantifying(Lowering):
    """Lowers quantifiers, too: their bodies first, with the bound variables in scope."""

    def formula(self, expr: Expr) -> Term:
        quantifiers = [node for node in preorder(expr) if node.op in ("forall", "exists")]
        if not quantifiers:
            return self.lower(expr, BOOL)[0]
        if len(quantifiers) > 100:
            raise self.source.unsupported("very many quantifiers in one formula", expr.offset)
        return self.lower(self._replaced(expr), BOOL)[0]

    def _replaced(self, expr: Expr) -> Expr:
        """Every outermost quantified formula as the name of a term."""
        if expr.op in ("forall", "exists"):
            bound = [b.var(f"{name}!{expr.offset}", sort) for name, sort in expr.payload]
            named = dict(zip((name for name, _ in expr.payload), bound, strict=True))
            body = _Quantifying(self.source, {**self.variables, **named}).formula(expr.args[0])
            term = (b.forall if expr.op == "forall" else b.exists)(bound, body)
            name = f"quantified!{expr.offset}"
            self.variables = {**self.variables, name: term}
            return Expr("name", (), expr.offset, name)
        return replace(expr, args=tuple(map(self._replaced, expr.args))) if expr.args else expr

