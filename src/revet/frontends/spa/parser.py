"""Parser of the small language: from text to a :class:`Tree`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from revet.errors import InputError
from revet.frontends.kit.parsing import END, Lexer, Source, Token, Tokens
from revet.frontends.kit.syntax import INTEGERS, OPERATORS, Expr, ExpressionParser, Infix, truth


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """``kind``: skip, assign (target, expr), assume, assert, if (body, otherwise), while (body).

    ``offset`` to ``end`` is what the user wrote: for ``if`` and ``while`` up to the condition's
    closing bracket.
    """

    kind: str
    offset: int
    end: int
    expr: Expr | None = None
    target: str = ""
    body: tuple[Statement, ...] = ()
    otherwise: tuple[Statement, ...] = ()

    @property
    def value(self) -> Expr:
        assert self.expr is not None
        return self.expr


@dataclass
class Tree:
    """A program; ``declared`` is empty if it has no declarations."""

    source: Source
    body: tuple[Statement, ...] = ()
    declared: dict[str, int] = field(default_factory=dict)


_KEYWORDS = ("skip", "if", "else", "while", "assert", "assume", "int", "var", "nondet", "havoc",
             "true", "false", "and", "or", "not")  # fmt: skip
_LEXER = Lexer(
    classes=[("a number", r"\d+"), ("a name", r"[A-Za-z_][\w'@]*")],
    symbols=("{", "}", "(", ")", ",", ";", *OPERATORS),
    keywords=_KEYWORDS,
)


def _nondet(parser: ExpressionParser) -> Expr:
    """``nondet()``, or ``*`` where an operand should stand."""
    token = parser.tokens.advance()
    if token.kind == "nondet":
        parser.tokens.expect("(")
        parser.tokens.expect(")")
    return Expr("nondet", (), token.offset, token.kind)


_SPECIAL = {"nondet": _nondet, "*": _nondet, "true": truth, "false": truth}
_GRAMMAR = replace(INTEGERS, special=_SPECIAL)
_C_GRAMMAR = replace(
    _GRAMMAR, infix={**_GRAMMAR.infix, "/": Infix("tdiv", 6, 7), "%": Infix("trem", 6, 7)}
)


def parse(source: Source, *, c_division: bool = False) -> Tree:
    return _Parser(source, c_division).program()


class _Parser:
    def __init__(self, source: Source, c_division: bool) -> None:
        self.source = source
        self.tokens = Tokens(source, _LEXER)
        self.expressions = ExpressionParser(self.tokens, _C_GRAMMAR if c_division else _GRAMMAR)
        self.tree = Tree(source)

    def program(self) -> Tree:
        tokens = self.tokens
        if tokens.next.kind == END:
            raise InputError(f"{self.source.file}: an empty file, not a program")
        body: list[Statement] = []
        while tokens.next.kind != END:
            body += self._statement()
        self.tree.body = tuple(body)
        return self.tree

    def _statement(self) -> list[Statement]:
        """One statement; a list, because blocks and declarations have any number of them."""
        tokens = self.tokens
        start = tokens.next
        match start.kind:
            case ";":
                tokens.advance()
                return []
            case "{":
                return self._block()
            case "if" | "while":
                branching: Statement = self._branching(start)
                return [branching]
            case "int" | "var":
                return self._declaration()
            case "skip":
                tokens.advance()
                return [self._simple("skip", start)]
            case "havoc":
                tokens.advance()
                name = tokens.expect("a name")
                drawn = Expr("nondet", (), name.offset, "nondet")
                return [self._simple("assign", start, drawn, name.text)]
            case "assert" | "assume":
                tokens.advance()
                return [self._simple(start.kind, start, self._condition())]
            case "a name":
                return [self._assignment()]
        raise tokens.unexpected("a statement")

    def _simple(self, kind: str, start: Token, expr: Expr | None = None, target: str = "") -> Statement:
        end = self.tokens.last.end
        self.tokens.expect(";")
        return Statement(kind, start.offset, end, expr, target)

    def _block(self) -> list[Statement]:
        opening = self.tokens.advance()
        body: list[Statement] = []
        while not self.tokens.accept("}"):
            if self.tokens.next.kind == END:
                raise self.source.error("this '{' is never closed", opening.offset)
            body += self._statement()
        return body

    def _condition(self) -> Expr:
        self.tokens.expect("(")
        condition = self.expressions.expression()
        self.tokens.expect(")")
        return condition

    def _branching(self, start: Token) -> Statement:
        self.tokens.advance()
        condition = self._condition()
        end = self.tokens.last.end
        body = self._statement()
        otherwise: list[Statement] = []
        if start.kind == "if" and self.tokens.accept("else"):
            otherwise = self._statement()
        return Statement(start.kind, start.offset, end, condition, "", tuple(body), tuple(otherwise))

    def _assignment(self) -> Statement:
        name = self.tokens.advance()
        self.source.check_name(name.text, name.offset)
        self.tokens.expect("=", "after the variable")
        value = self.expressions.expression()
        return self._simple("assign", name, value, name.text)

    def _declaration(self) -> list[Statement]:
        tokens = self.tokens
        tokens.advance()
        found: list[Statement] = []
        while True:
            name = tokens.expect("a name")
            self.source.check_name(name.text, name.offset)
            if name.text in self.tree.declared:
                raise self.source.error(f"variable {name.text} is declared twice", name.offset)
            self.tree.declared[name.text] = name.offset
            if tokens.accept("="):
                value = self.expressions.expression()
                found.append(Statement("assign", name.offset, tokens.last.end, value, name.text))
            if not tokens.accept(","):
                break
        tokens.expect(";")
        return found
