"""Formulas that people type: predicates on the command line, hand-written invariants.

``x >= 0 and y = x + 1``, and C's spellings of the same: ``x >= 0 && y == x + 1``. Everything
that :func:`revet.logic.pretty.pretty` prints for quantifier-free formulas over integers, reals,
bit-vectors and arrays can be read back. From loosest to tightest::

    c ? t : e     if c then t else e
    <=>  iff
    =>  ==>  ->  imply  implies
    ||  or
    xor
    &&  and
    not
    =  ==  !=  /=  <  <=  >  >=   and with u or s for bit-vectors: x <u y, x >=s y
    +  -  ::
    *  /  div  %  mod  rem  &  |  ^  <<   and  /u  %u  /s  %s  >>u  >>s
    -  !
    a[i]   a[i := v]   f(…)

``/`` and ``%`` on integers are SMT-LIB's ``div`` and ``mod`` (the remainder is never negative;
by zero 0 and the dividend), on reals division. Without u or s, bit-vectors are unsigned.
Functions: ``abs min max ite select store`` and SMT-LIB's bit-vector operators by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from revet.frontends.kit.deep import at_any_depth
from revet.frontends.kit.lowering import Lowered, Lowering
from revet.frontends.kit.parsing import END, Lexer, Source, Tokens
from revet.frontends.kit.syntax import (
    Expr,
    ExpressionParser,
    Grammar,
    Infix,
    if_then_else,
    left,
    number,
    truth,
)
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, Sort
from revet.logic.terms import Term

_IDENTIFIER = r"[A-Za-z_$][\w$]*"
_SIGNED = {
    "<u": "bvult", "<=u": "bvule", ">u": "bvugt", ">=u": "bvuge",
    "<s": "bvslt", "<=s": "bvsle", ">s": "bvsgt", ">=s": "bvsge",
    "/u": "bvudiv", "%u": "bvurem", "/s": "bvsdiv", "%s": "bvsrem", ">>u": "bvlshr", ">>s": "bvashr",
}  # fmt: skip
_WORDS = ("and", "or", "not", "xor", "iff", "imply", "implies", "div", "mod", "rem", "if", "then",
          "else", "true", "false")  # fmt: skip
_SYMBOLS = ("<=>", "=>", "==>", "->", "||", "&&", "=", "==", "!=", "/=", "<", "<=", ">", ">=", "+",
            "-", "::", "*", "/", "%", "&", "|", "^", "<<", "!", "(", ")", "[", "]", ":=", "<-", "?",
            ":", ",", ";")  # fmt: skip
_BINARY = ("bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvand", "bvor",
           "bvxor", "bvshl", "bvlshr", "bvashr", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle",
           "bvsgt", "bvsge", "concat", "select")  # fmt: skip
_ARITY = dict.fromkeys((*_BINARY, "min", "max"), 2) | {
    "abs": 1, "bvneg": 1, "bvnot": 1, "ite": 3, "store": 3,
}  # fmt: skip


def parse_formula(text: str, variables: Mapping[str, Term], where: str = "formula") -> Term:
    """The formula that ``text`` spells over ``variables`` (by name).

    ``where`` names the place the text comes from, for error messages: ``--predicates``.
    """
    return parse_term(text, variables, BOOL, where)


@at_any_depth
def parse_term(
    text: str, variables: Mapping[str, Term], sort: Sort | None = None, where: str = "expression"
) -> Term:
    """Like :func:`parse_formula` for a term of any sort, or of the one given."""
    parser, lowering = _prepared(text, variables, where)
    expr = parser.expression()
    if parser.tokens.next.kind != END:
        raise parser.tokens.unexpected("an operator", "the end")
    return lowering.lower(expr, sort)[0]


@at_any_depth
def parse_formulas(text: str, variables: Mapping[str, Term], where: str = "formulas") -> list[Term]:
    """Formulas separated by ``;`` or ``,``."""
    parser, lowering = _prepared(text, variables, where)
    found: list[Term] = []
    while parser.tokens.next.kind != END:
        found.append(lowering.condition(parser.expression())[0])
        if not (parser.tokens.accept(";") or parser.tokens.accept(",")):
            break
    if parser.tokens.next.kind != END or not found:
        raise parser.tokens.unexpected("an operator" if found else "a formula", ";", "the end")
    return found


def _prepared(
    text: str, variables: Mapping[str, Term], where: str
) -> tuple[ExpressionParser, Lowering]:
    unusual = sorted(
        (name for name in variables if not re.fullmatch(_IDENTIFIER, name)), key=len, reverse=True
    )
    source = Source(where, text)
    tokens = Tokens(source, _lexer(tuple(unusual)))
    return ExpressionParser(tokens, _GRAMMAR), _FormulaLowering(source, variables)


@cache
def _lexer(unusual: tuple[str, ...]) -> Lexer:
    """Names that are no identifiers (``main::x``, ``x'``) are tokens of their own."""
    signed = "|".join(re.escape(symbol) for symbol in sorted(_SIGNED, key=len, reverse=True))
    classes = [
        ("a signed operator", rf"(?<=\s)(?:{signed})(?=\s)"),
        ("bits", r"#b[01]+|#x[0-9a-fA-F]+"),
        ("a decimal", r"\d+\.\d+"),
        ("a number", r"\d+"),
    ]
    if unusual:
        classes.append(("a name", "|".join(re.escape(name) for name in unusual)))
    classes.append(("a name", _IDENTIFIER))
    return Lexer(classes, _SYMBOLS, (*_WORDS, *_SIGNED))


def _conditional(parser: ExpressionParser, condition: Expr) -> Expr:
    offset = parser.tokens.advance().offset
    then = parser.expression()
    parser.tokens.expect(":")
    otherwise = parser.expression(1)
    return Expr("ite", (condition, then, otherwise), offset)


def _element(parser: ExpressionParser, array: Expr) -> Expr:
    tokens = parser.tokens
    offset = tokens.advance().offset
    index = parser.expression()
    if tokens.accept(":=") or tokens.accept("<-"):
        value = parser.expression()
        tokens.expect("]")
        return Expr("store", (array, index, value), offset)
    tokens.expect("]")
    return Expr("select", (array, index), offset)


def _call(parser: ExpressionParser, function: Expr) -> Expr:
    tokens = parser.tokens
    name, offset = function.payload, function.offset
    if function.op != "name" or name not in _ARITY:
        what = f"unknown function {name}" if function.op == "name" else "this is not a function"
        raise parser.source.error(what, offset)
    tokens.expect("(")
    args: list[Expr] = []
    while not args or tokens.accept(","):
        argument = parser.expression()
        args.append(argument)
    tokens.expect(")")
    if len(args) != _ARITY[name]:
        raise parser.source.error(f"{name} takes {_ARITY[name]} arguments, not {len(args)}", offset)
    if name in ("min", "max"):
        test = Expr("<=" if name == "min" else ">=", (args[0], args[1]), offset)
        return Expr("ite", (test, args[0], args[1]), offset)
    if name == "abs":
        test = Expr(">=", (args[0], Expr("number", (), offset, 0)), offset)
        return Expr("ite", (test, args[0], Expr("neg", (args[0],), offset)), offset)
    return Expr(name, tuple(args), offset)


def _literal(parser: ExpressionParser) -> Expr:
    token = parser.tokens.advance()
    match token.kind:
        case "a decimal":
            return Expr("decimal", (), token.offset, Fraction(token.text))
        case "bits":
            digits, binary = token.text[2:], token.text[1] == "b"
            width = len(digits) if binary else 4 * len(digits)
            return Expr("bits", (), token.offset, (int(digits, 2 if binary else 16), width))
    return number(parser.source, token)


class _FormulaLowering(Lowering):
    """``1/2`` is a rational constant."""

    def _division(self, node: Expr, x: Term, y: Term) -> Lowered:
        if node.op == "/" and x.is_const and y.is_const and x.sort is INT and y.sort is INT:
            dividend, divisor = int(x.payload), int(y.payload)
            if divisor and dividend % divisor:
                return b.real(Fraction(dividend, divisor)), b.TRUE
        return super()._division(node, x, y)


_GRAMMAR = Grammar(
    infix={
        **{spelling: Infix("iff", 2, 3) for spelling in ("<=>", "iff")},
        **{spelling: Infix("implies", 3, 3) for spelling in ("=>", "==>", "->", "imply", "implies")},
        **{spelling: Infix("or", 4, 5) for spelling in ("||", "or")},
        "xor": Infix("xor", 5, 6),
        **{spelling: Infix("and", 6, 7) for spelling in ("&&", "and")},
        **{spelling: Infix("=", 8, 9) for spelling in ("=", "==")},
        **{spelling: Infix("!=", 8, 9) for spelling in ("!=", "/=")},
        **left(8, "<", "<=", ">", ">="),
        **left(9, "+", "-"),
        "::": Infix("concat", 9, 10),
        **left(10, "*", "/", "div", "mod", "rem"),
        "%": Infix("mod", 10, 11),
        "&": Infix("bvand", 10, 11),
        "|": Infix("bvor", 10, 11),
        "^": Infix("bvxor", 10, 11),
        "<<": Infix("bvshl", 10, 11),
        **{
            spelling: Infix(op, *((8, 9) if spelling[0] in "<>" and spelling[:2] != ">>" else (10, 11)))
            for spelling, op in _SIGNED.items()
        },
    },
    prefix={"not": ("not", 7), "!": ("not", 11), "-": ("neg", 11), "+": ("pos", 11)},
    special={
        "if": if_then_else,
        **dict.fromkeys(("bits", "a decimal", "a number"), _literal),
        **dict.fromkeys(("true", "false"), truth),
    },
    postfix={"?": (1, _conditional), "[": (12, _element), "(": (12, _call)},
)
