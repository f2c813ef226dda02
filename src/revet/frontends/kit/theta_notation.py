"""THETA's tokens, types and expressions.

From loosest to tightest: ``if then else``, ``iff``, ``imply``, ``fpmax fpmin``, ``or``, ``xor``,
``and``, ``not``, ``= /=``, ``< <= > >=`` and the ``bv`` comparisons, ``bvor``, ``bvxor``,
``bvand``, shifts and rotations, sums, products, ``++`` (concatenation), ``bv_zero_extend`` and
``bv_sign_extend``, unary operators, element access.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from revet.frontends.kit.parsing import Lexer, Source, Token
from revet.frontends.kit.syntax import (
    MOST_DIGITS,
    WIDEST,
    Expr,
    ExpressionParser,
    Grammar,
    Infix,
    if_then_else,
    left,
    number,
    truth,
)
from revet.logic.sorts import BOOL, INT, REAL, Array, BitVec, Float, Sort

_FLOAT_INFIX = {"fpadd": ("fp.add", 15), "fpsub": ("fp.sub", 15), "fpmul": ("fp.mul", 16),
                "fpdiv": ("fp.div", 16), "fprem": ("fp.rem", 16), "fpmax": ("fp.max", 4),
                "fpmin": ("fp.min", 4)}  # fmt: skip
_FLOAT_PREFIX = {"fpabs": "fp.abs", "fpisnan": "fp.isNaN", "fproundtoint": "fp.roundToIntegral",
                 "fpsqrt": "fp.sqrt", "fpneg": "fp.neg", "fppos": "fp.pos"}  # fmt: skip
_RELATIONS = ("<", "<=", ">", ">=", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge")
_PRODUCTS = ("*", "/", "div", "mod", "rem", "bvmul", "bvudiv", "bvsdiv", "bvsmod", "bvurem", "bvsrem")
_MODE = r"(?:\[[A-Z]*\])?"
_FORMAT = r"\[\d+[:,]\d+\]"

KEYWORDS = ("var", "main", "process", "init", "final", "error", "loc", "assume", "havoc", "return",
            "bool", "int", "rat", "bv", "fp", "true", "false", "default", "if", "then", "else", "iff",
            "imply", "forall", "exists", "or", "and", "xor", "not", "div", "mod", "rem", "bvadd", "bvsub",
            "bvmul", "bvudiv", "bvsdiv", "bvsmod", "bvurem", "bvsrem", "bvor", "bvxor", "bvand", "bvnot",
            "bvneg", "bvpos", "bvshl", "bvashr", "bvlshr", "bvrol", "bvror", "bv_zero_extend",
            "bv_sign_extend", *_RELATIONS[4:])  # fmt: skip
def lexer(keywords: tuple[str, ...]) -> Lexer:
    """For THETA's notations, which have different words."""
    return Lexer(
        classes=[
            ("fptofp", rf"fptofp{_FORMAT}{_MODE}"),
            ("fpfrombv", rf"fpfrombv{_FORMAT}\[[us]\]{_MODE}"),
            ("fptobv", rf"fptobv\[\d+'[us]\]{_MODE}"),
            *((name, rf"{name}\b{_MODE}") for name in (*_FLOAT_INFIX, *_FLOAT_PREFIX)),
            ("bits", r"\d+'(?:b[us]?[01]+|d[us]?[+-]?\d+|x[us]?[0-9a-fA-F]+)"),
            ("a number", r"\d+"),
            ("a name", r"[A-Za-z_]\w*"),
        ],
        symbols=("{", "}", "(", ")", "[", "]", ",", ":", ";", ".", "'", ":=", "<-", "->", "=", "/=", "<",
                 "<=", ">", ">=", "+", "-", "*", "/", "%", "++"),
        keywords=keywords,
    )  # fmt: skip


LEXER = lexer(KEYWORDS)


def _width(source: Source, token: Token) -> int:
    """A number of bits."""
    if len(token.text) > 9 or not 0 < int(token.text) <= WIDEST:
        raise source.error(f"from 1 to {WIDEST} bits are possible, not {token.text}", token.offset)
    return int(token.text)


def bits(source: Source, token: Token) -> Expr:
    """``8'd5``, ``8'd-5``, ``8'b101``, ``8'xff``; u or s after the base changes nothing."""
    size, _, rest = token.text.partition("'")
    base, digits = rest[0], rest[1:].lstrip("us")
    width = _width(source, token._replace(text=size))
    if base == "d" and len(digits) > MOST_DIGITS:
        raise source.unsupported(f"a number of {len(digits)} digits is too long", token.offset)
    value = int(digits, {"b": 2, "d": 10, "x": 16}[base])
    if not -(1 << (width - 1)) <= value < 1 << width:
        raise source.error(f"{width} bits cannot hold {value}", token.offset)
    return Expr("bits", (), token.offset, (value, width))


def _bits(parser: ExpressionParser) -> Expr:
    exponent = bits(parser.source, parser.tokens.advance())
    if not parser.tokens.accept("."):
        return exponent
    significand = bits(parser.source, parser.tokens.expect("bits", "for the significand"))
    return Expr("float", (exponent, significand), exponent.offset)


def _number(parser: ExpressionParser) -> Expr:
    numerator = number(parser.source, parser.tokens.advance())
    if not parser.tokens.accept("%"):
        return numerator
    denominator = number(parser.source, parser.tokens.expect("a number", "as the denominator"))
    if denominator.payload == 0:
        raise parser.source.error("the denominator is zero", denominator.offset)
    return Expr("decimal", (), numerator.offset, Fraction(numerator.payload, denominator.payload))


def _array_literal(parser: ExpressionParser) -> Expr:
    """``[0 <- 1, 1 <- x, default <- 7]`` or ``[<int> default <- 7]``."""
    tokens = parser.tokens
    offset = tokens.advance().offset
    args: list[Expr] = []
    index: Sort | None = None
    while tokens.next.kind not in ("<", "default"):
        args.append(parser.expression())
        tokens.expect("<-")
        args.append(parser.expression())
        tokens.expect(",")
    if tokens.accept("<"):
        index = type_(parser)
        tokens.expect(">")
    if index is None and not args:
        raise tokens.unexpected("<", where="and the type of the index")
    tokens.expect("default")
    tokens.expect("<-")
    args.append(parser.expression())
    tokens.expect("]")
    return Expr("array", tuple(args), offset, index)


def _element(parser: ExpressionParser, array: Expr) -> Expr:
    """``a[i]``, ``a[i <- v]``, and bits ``x[until:from]`` (``until`` excluded)."""
    tokens = parser.tokens
    offset = tokens.advance().offset
    if tokens.next.kind == "a number" and tokens.peek(1).kind == ":":
        until = number(parser.source, tokens.advance())
        tokens.expect(":")
        start = number(parser.source, tokens.expect("a number"))
        tokens.expect("]")
        high, low = until.payload - 1, start.payload
        if high < low:
            raise parser.source.error("no bits are left: write x[until:from]", offset)
        return Expr("extract", (array,), offset, (high, low))
    index = parser.expression()
    if tokens.accept("<-"):
        value = parser.expression()
        tokens.expect("]")
        return Expr("store", (array, index, value), offset)
    tokens.expect("]")
    return Expr("select", (array, index), offset)


def _extension(parser: ExpressionParser, operand: Expr) -> Expr:
    token = parser.tokens.advance()
    parser.tokens.expect("bv")
    parser.tokens.expect("[")
    width = _width(parser.source, parser.tokens.expect("a number"))
    parser.tokens.expect("]")
    return Expr(token.kind.removeprefix("bv_"), (operand,), token.offset, width)


def _refused(what: str) -> Callable[..., Expr]:
    """A place in the grammar that THETA has and Revet does not."""

    def refuse(parser: ExpressionParser, *_: Expr) -> Expr:
        raise parser.source.unsupported(f"{what} are not supported", parser.tokens.next.offset)

    return refuse


def type_(parser: ExpressionParser) -> Sort:
    tokens = parser.tokens
    token = tokens.next
    simple = {"bool": BOOL, "int": INT, "rat": REAL}.get(token.kind)
    if simple is not None:
        tokens.advance()
        return simple
    if tokens.accept("["):
        index: Sort = type_(parser)
        tokens.expect("]")
        tokens.expect("->")
        element: Sort = type_(parser)
        return Array(index, element)
    if token.kind == "(":
        raise parser.source.unsupported("function types are not supported", token.offset)
    if token.kind not in ("bv", "fp"):
        raise tokens.unexpected("a type", where="(bool, int, rat, bv[n], fp[e:s] or [index] -> element)")
    tokens.advance()
    tokens.expect("[")
    sizes = [_width(parser.source, tokens.expect("a number"))]
    if token.kind == "fp":
        if not (tokens.accept(":") or tokens.accept(",")):
            raise tokens.unexpected(":")
        sizes.append(_width(parser.source, tokens.expect("a number")))
    tokens.expect("]")
    try:
        return BitVec(sizes[0]) if token.kind == "bv" else Float(sizes[0], sizes[1])
    except ValueError as error:
        raise parser.source.error(str(error), token.offset) from error


GRAMMAR = Grammar(
    infix={
        "iff": Infix("iff", 2, 2),
        "imply": Infix("implies", 3, 3),
        **left(5, "or"),
        "xor": Infix("xor", 6, 6),
        **left(7, "and"),
        "=": Infix("=", 9, 10),
        "/=": Infix("!=", 9, 10),
        **left(10, *_RELATIONS),
        **left(11, "bvor"),
        **left(12, "bvxor"),
        **left(13, "bvand"),
        **left(14, "bvshl", "bvashr", "bvlshr"),
        "bvrol": Infix("rotate_left", 14, 15),
        "bvror": Infix("rotate_right", 14, 15),
        **left(15, "+", "-", "bvadd", "bvsub"),
        **left(16, *_PRODUCTS),
        "++": Infix("concat", 17, 18),
        **{name: Infix(op, strength, strength + 1) for name, (op, strength) in _FLOAT_INFIX.items()},
    },
    prefix={
        "not": ("not", 8),
        "-": ("neg", 19),
        "+": ("pos", 19),
        **{name: (name, 19) for name in ("bvneg", "bvnot", "bvpos")},
        **{name: (op, 19) for name, op in _FLOAT_PREFIX.items()},
        "fptofp": ("fp.to_fp", 19),
        "fpfrombv": ("fp.from_bv", 19),
        "fptobv": ("fp.to_bv", 19),
    },
    special={
        "true": truth,
        "false": truth,
        "if": if_then_else,
        "bits": _bits,
        "a number": _number,
        "[": _array_literal,
        "forall": _refused("quantifiers"),
        "exists": _refused("quantifiers"),
    },
    postfix={
        "[": (20, _element),
        "(": (20, _refused("function calls")),
        "'": (20, _refused("primed variables")),
        "bv_zero_extend": (18, _extension),
        "bv_sign_extend": (18, _extension),
    },
)
