"""Expressions as syntax trees, and the operator-precedence parser that makes them.

The languages differ in spelling and binding strength, not in kind: each brings a
:class:`Grammar` (a table of operators) and maps its spellings to the canonical operator names
below; :mod:`revet.frontends.kit.lowering` gives the trees sorts and turns them into terms, and
:mod:`revet.frontends.kit.interpreter` runs them on values, independently of terms.

Canonical operators: ``name`` (payload: the name), ``number`` (an ``int``), ``decimal`` (a
``Fraction``), ``bool``, ``bits`` (payload ``(value, width)``), ``float`` (arguments exponent and
significand), ``nondet``, ``and or not implies iff xor ite``, ``= != < <= > >=``,
``+ - * / div mod rem neg pos``, C's ``tdiv trem``, ``select store array``, SMT-LIB's ``bv…`` names,
``concat extract zero_extend sign_extend rotate_left rotate_right`` and ``fp.…`` names close to
SMT-LIB's (:mod:`revet.frontends.kit.lowering_floats`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from revet.frontends.kit.parsing import Source, Token, Tokens

LOWEST = 0
DIVISIONS = frozenset({"/", "div", "mod", "rem", "tdiv", "trem"})
MOST_DIGITS = 4000  # of a number in a program: Python reads longer ones slowly
WIDEST = 1 << 16  # bits of a bit-vector


@dataclass(frozen=True, slots=True, eq=False)
class Expr:
    """A node: operator, arguments, and where it starts in the source (its operator, for infix).

    The payload of a prefix or infix operator is its spelling.
    """

    op: str
    args: tuple[Expr, ...] = ()
    offset: int = 0
    payload: Any = None

    @property
    def spelling(self) -> str:
        """The operator as the user wrote it."""
        return self.payload if isinstance(self.payload, str) else self.op


@dataclass(frozen=True, slots=True)
class Infix:
    """``left`` is the operator's strength; ``right`` the least strength allowed on its right.

    The usual left-associative operator has ``right = left + 1``.
    """

    op: str
    left: int
    right: int


@dataclass(frozen=True)
class Grammar:
    """The operators of a language, by token kind.

    ``special`` handles tokens that start anything else (calls, literals of their own, ``if``):
    a generator over the parser, whose next token is that one. ``postfix`` likewise for tokens
    that follow an operand (``[``, ``?``), with their strength.
    """

    infix: Mapping[str, Infix]
    prefix: Mapping[str, tuple[str, int]]
    special: Mapping[str, Callable[[ExpressionParser], Expr]] = field(default_factory=dict)
    postfix: Mapping[str, tuple[int, Callable[[ExpressionParser, Expr], Expr]]] = field(
        default_factory=dict
    )


def left(strength: int, *operators: str) -> dict[str, Infix]:
    """Left-associative operators that are their own canonical names."""
    return {operator: Infix(operator, strength, strength + 1) for operator in operators}


# The arithmetic and conditions of Penelle's lecture notes, and C's connectives: what SPA's languages share.
INTEGERS = Grammar(
    infix={
        **{spelling: Infix("or", 1, 2) for spelling in ("||", "or")},
        **{spelling: Infix("and", 2, 3) for spelling in ("&&", "and")},
        **{spelling: Infix("=", 4, 5) for spelling in ("==", "=")},
        **left(4, "!=", "<", "<=", ">", ">="),
        **left(5, "+", "-"),
        **left(6, "*", "/"),
        "%": Infix("mod", 6, 7),
    },
    prefix={"not": ("not", 3), "!": ("not", 7), "-": ("neg", 7), "+": ("pos", 7)},
)
OPERATORS = tuple(spelling for spelling in (*INTEGERS.infix, "!") if not spelling.isalpha())


def number(source: Source, token: Token) -> Expr:
    """A decimal integer."""
    if len(token.text) > MOST_DIGITS:
        raise source.unsupported(f"a number of {len(token.text)} digits is too long", token.offset)
    return Expr("number", (), token.offset, int(token.text))


class ExpressionParser:
    """Parses expressions from a token stream; see :meth:`expression`."""

    def __init__(self, tokens: Tokens, grammar: Grammar) -> None:
        self.tokens = tokens
        self.grammar = grammar
        self.source: Source = tokens.source

    def expression(self, strength: int = LOWEST) -> Expr:
        """An expression whose operators bind at least as tightly as ``strength``."""
        tokens, grammar = self.tokens, self.grammar
        token = tokens.next
        if token.kind == "a name":
            tokens.advance()
            result = Expr("name", (), token.offset, token.text)
        elif token.kind == "a number" and token.kind not in grammar.special:
            tokens.advance()
            result = number(self.source, token)
        elif token.kind in grammar.special:
            result = grammar.special[token.kind](self)
        elif token.kind in grammar.prefix:
            tokens.advance()
            op, inner = grammar.prefix[token.kind]
            operand = self.expression(inner)
            result = Expr(op, (operand,), token.offset, token.text)
        elif token.kind == "(":
            tokens.advance()
            result = self.expression()
            tokens.expect(")")
        else:
            raise tokens.unexpected("an expression")
        while True:
            token = tokens.next
            infix = grammar.infix.get(token.kind)
            if infix is not None and infix.left >= strength:
                tokens.advance()
                right = self.expression(infix.right)
                result = Expr(infix.op, (result, right), token.offset, token.text)
            else:
                postfix = grammar.postfix.get(token.kind)
                if postfix is None or postfix[0] < strength:
                    return result
                result = postfix[1](self, result)


def if_then_else(parser: ExpressionParser) -> Expr:
    """``if c then t else e``, for a grammar's ``special``."""
    offset = parser.tokens.advance().offset
    condition = parser.expression()
    parser.tokens.expect("then")
    then = parser.expression()
    parser.tokens.expect("else")
    otherwise = parser.expression(1)
    return Expr("ite", (condition, then, otherwise), offset)


def truth(parser: ExpressionParser) -> Expr:
    """``true`` or ``false``, for a grammar's ``special``."""
    token = parser.tokens.advance()
    return Expr("bool", (), token.offset, token.kind == "true")


def preorder(expr: Expr) -> Iterator[Expr]:
    """All nodes, each before its arguments."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.args))


def may_divide_by_zero(expr: Expr) -> bool:
    """Is there a division by anything but a number other than zero?"""
    return any(
        node.op in DIVISIONS and not (node.args[1].op == "number" and node.args[1].payload)
        for node in preorder(expr)
    )


def postorder(expr: Expr) -> list[Expr]:
    """All nodes, each after its arguments."""
    order: list[Expr] = []
    stack = [expr]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(node.args)
    order.reverse()
    return order
