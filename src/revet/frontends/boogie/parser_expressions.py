"""Types and expressions of Boogie.

From loosest to tightest: ``<==>``; ``==>`` and ``<==``; ``&&`` and ``||``; the comparisons; ``++``;
``+ -``; ``* / div mod``; ``**``; ``- !``; indexing. As in the language's definition, ``==>`` does not mix
with ``<==``, nor ``&&`` with ``||``, and comparisons do not chain: what ``a && b || c`` means must be
written. Quantifiers and ``if then else`` reach as far to the right as they can.

The methods are generators for :func:`revet.frontends.parsing.run`: nesting is not bounded by Python's
stack.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, cast

from revet.errors import Position
from revet.frontends.boogie.lexer import BITS, DECIMAL, LEXER, NAME, NUMBER, STRING
from revet.frontends.boogie.syntax import (
    Application,
    Attribute,
    Binary,
    BitVectorLiteral,
    BoolLiteral,
    Coercion,
    Expr,
    Extract,
    Field,
    IfThenElse,
    IntLiteral,
    Name,
    Old,
    Quantifier,
    RealLiteral,
    Select,
    Store,
    StructLiteral,
    TypeSyntax,
    Unary,
    Variable,
    VariableKind,
    WrittenMap,
    WrittenName,
    WrittenStruct,
)
from revet.frontends.parsing import Source, Steps, Token, Tokens
from revet.frontends.syntax import MOST_DIGITS

WIDEST = 1 << 16  # bits of a bit vector

_LOWEST, _IMPLIES, _JUNCTION, _COMPARISON = 0, 2, 3, 4
_STRENGTH = {
    "<==>": 1, "==>": 2, "<==": 2, "&&": 3, "||": 3, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "<:": 4, "++": 5, "+": 6, "-": 6, "*": 7, "/": 7, "div": 7, "mod": 7, "**": 8,
}  # fmt: skip


class ExpressionParser:
    """Tokens, types and expressions; statements and declarations are in its subclasses."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = Tokens(source, LEXER)

    # -- tokens

    def _at(self, token: Token) -> Position:
        return self.source.position(token.offset)

    def _word(self, text: str) -> bool:
        """Is the next token this name, which is a keyword only here?"""
        return self.tokens.next.kind == NAME and self.tokens.next.text == text

    def _names(self, what: str) -> list[Token]:
        """``a, b, c``"""
        found = [self.tokens.expect(NAME, what)]
        while self.tokens.accept(","):
            found.append(self.tokens.expect(NAME, what))
        return found

    # -- types

    def type(self) -> Steps[TypeSyntax]:
        """``int``, ``[int, ref]bool``, ``Field int``"""
        token = self.tokens.next
        if token.kind != NAME:
            argument: TypeSyntax = yield self._type_argument()
            return argument
        self.tokens.advance()
        arguments: list[TypeSyntax] = []
        while self.tokens.next.kind in (NAME, "int", "bool", "real", "(", "[", "<"):
            arguments.append((yield self._type_argument()))
        return WrittenName(self._at(token), token.text, tuple(arguments))

    def _type_argument(self) -> Steps[TypeSyntax]:
        token = self.tokens.next
        if token.kind in (NAME, "int", "bool", "real"):
            self.tokens.advance()
            return WrittenName(self._at(token), token.text)
        if token.kind == "(":
            self.tokens.advance()
            inner: TypeSyntax = yield self.type()
            self.tokens.expect(")")
            return inner
        if token.kind in ("[", "<"):
            parameters = self._type_parameters()
            self.tokens.expect("[")
            domain = [(yield self.type())]
            while self.tokens.accept(","):
                domain.append((yield self.type()))
            self.tokens.expect("]")
            return WrittenMap(self._at(token), parameters, tuple(domain), (yield self.type()))
        if token.kind == "{":
            struct: TypeSyntax = yield self._struct_type()
            return struct
        raise self.tokens.unexpected("a type")

    def _struct_type(self) -> Steps[TypeSyntax]:
        """ULTIMATE's ``{ x, y: int, z: bool }``"""
        open_ = self.tokens.advance()
        variables: list[Variable] = yield self._declarations("bound")
        self.tokens.expect("}")
        fields = tuple((variable.name, variable.written) for variable in variables)
        return WrittenStruct(self._at(open_), fields)

    def _type_parameters(self) -> tuple[str, ...]:
        """``<a, b>``, or nothing"""
        if not self.tokens.accept("<"):
            return ()
        names = self._names("as a type parameter")
        self.tokens.expect(">")
        return tuple(name.text for name in names)

    # -- expressions

    def expression(self, strength: int = _LOWEST) -> Steps[Expr]:
        """An expression whose operators bind at least as tightly as ``strength``."""
        tokens = self.tokens
        result: Expr = yield self._operand()
        before = ""  # the operator applied last
        while True:
            token = tokens.next
            bound = _STRENGTH.get(token.kind)
            if bound is None or bound < strength:
                if token.kind == "=":
                    raise self.source.error("'=' is not an operator; '==' compares", token.offset)
                return result
            if token.kind == "<:":
                raise self.source.unsupported("the order of constants, '<:', is not supported", token.offset)
            self._refuse_mixture(before, token)
            before = token.kind
            if token.kind in ("==>", "**"):
                result = yield self._grouped_right(result, token.kind, bound)
                continue
            tokens.advance()
            right = yield self.expression(bound + 1)
            sides = (right, result) if token.kind == "<==" else (result, right)
            result = Binary(self._at(token), "==>" if token.kind == "<==" else token.kind, *sides)

    def _refuse_mixture(self, before: str, token: Token) -> None:
        """Of operators equally strong, some mean nothing next to each other."""
        bound = _STRENGTH[token.kind]
        if _STRENGTH.get(before) != bound:
            return
        if bound == _COMPARISON:
            raise self.source.error(f"'{before}' and '{token.kind}' need parentheses around one of them: "
                                    "comparisons do not chain", token.offset)  # fmt: skip
        if bound in (_IMPLIES, _JUNCTION) and before != token.kind:
            raise self.source.error(
                f"'{before}' and '{token.kind}' need parentheses around one of them", token.offset
            )

    def _grouped_right(self, first: Expr, operator: str, bound: int) -> Steps[Expr]:
        """``a ==> b ==> c`` is ``a ==> (b ==> c)``."""
        operands, places = [first], []
        while self.tokens.next.kind == operator:
            places.append(self._at(self.tokens.advance()))
            operands.append((yield self.expression(bound + 1)))
        result = operands.pop()
        while operands:
            result = Binary(places.pop(), operator, operands.pop(), result)
        return result

    def _operand(self) -> Steps[Expr]:
        """An atom with its prefix operators and indices."""
        prefixes: list[Token] = []
        while self.tokens.next.kind in ("-", "!"):
            prefixes.append(self.tokens.advance())
        result: Expr = yield self._atom()
        while True:
            token = self.tokens.next
            if token.kind == "[":
                result = yield self._indexed(result)
            elif token.kind == "!":
                self.tokens.advance()
                name = self.tokens.expect(NAME, "of a field")
                result = Field(self._at(token), result, name.text)
            else:
                break
        for prefix in reversed(prefixes):
            result = Unary(self._at(prefix), prefix.kind, result)
        return result

    def _atom(self) -> Steps[Expr]:
        token = self.tokens.next
        if token.kind == NAME:
            self.tokens.advance()
            if self.tokens.next.kind != "(":
                return Name(self._at(token), token.text)
            return Application(self._at(token), token.text, (yield self._arguments()))
        if token.kind in (NUMBER, DECIMAL, BITS, "true", "false"):
            return self._literal(self.tokens.advance())
        if token.kind == "(":
            self.tokens.advance()
            inner: Expr = yield self.expression()
            self.tokens.expect(")")
            return inner
        if token.kind in ("forall", "exists", "lambda"):
            quantifier: Expr = yield self._quantifier()
            return quantifier
        if token.kind == "if":
            choice: Expr = yield self._if_then_else()
            return choice
        if token.kind in ("old", "int", "real"):
            self.tokens.advance()
            self.tokens.expect("(")
            argument: Expr = yield self.expression()
            self.tokens.expect(")")
            if token.kind == "old":
                return Old(self._at(token), argument)
            return Coercion(self._at(token), cast(Literal["int", "real"], token.kind), argument)
        if token.kind == "{":
            struct: Expr = yield self._struct()
            return struct
        raise self.tokens.unexpected("an expression")

    def _struct(self) -> Steps[Expr]:
        """ULTIMATE's ``{ x: 1, y: true }``"""
        open_ = self.tokens.advance()
        names: list[str] = []
        values: list[Expr] = []
        while not names or self.tokens.accept(","):
            names.append(self.tokens.expect(NAME, "of a field").text)
            self.tokens.expect(":", "and the value")
            values.append((yield self.expression()))
        self.tokens.expect("}")
        return StructLiteral(self._at(open_), tuple(names), tuple(values))

    def _arguments(self) -> Steps[tuple[Expr, ...]]:
        """``(a, b)``"""
        self.tokens.expect("(")
        found: list[Expr] = []
        while self.tokens.next.kind != ")":
            if found:
                self.tokens.expect(",")
            found.append((yield self.expression()))
        self.tokens.advance()
        return tuple(found)

    def _literal(self, token: Token) -> Expr:
        position = self._at(token)
        if token.kind in ("true", "false"):
            return BoolLiteral(position, token.kind == "true")
        if token.kind == NUMBER:
            return IntLiteral(position, self._integer(token.text, token))
        if token.kind == BITS:
            digits, _, width = token.text.partition("bv")
            value, bits = self._integer(digits, token), self._width(width, token)
            if value >> bits:
                raise self.source.error(f"{digits} does not fit in {bits} bits", token.offset)
            return BitVectorLiteral(position, value, bits)
        mantissa, _, exponent = token.text.partition("e")
        self._integer(mantissa.replace(".", ""), token)
        if exponent and abs(self._integer(exponent, token)) > MOST_DIGITS:
            raise self.source.unsupported("this number is too long", token.offset)
        return RealLiteral(position, Fraction(mantissa) * Fraction(10) ** int(exponent or "0"))

    def _integer(self, digits: str, token: Token) -> int:
        if len(digits) > MOST_DIGITS:
            raise self.source.unsupported(f"a number of {len(digits)} digits is too long", token.offset)
        return int(digits)

    def _width(self, digits: str, token: Token) -> int:
        width = self._integer(digits, token)
        if not 0 < width <= WIDEST:
            raise self.source.unsupported(f"a bit vector of {width} bits is not supported", token.offset)
        return width

    def _indexed(self, argument: Expr) -> Steps[Expr]:
        """``m[i, j]``, ``m[i := v]`` or ``v[8:0]``"""
        tokens = self.tokens
        open_ = tokens.advance()
        position = self._at(open_)
        if tokens.next.kind == NUMBER and tokens.peek(1).kind == ":":
            high = self._integer(tokens.next.text, tokens.advance())
            tokens.advance()
            low = self._integer(tokens.next.text, tokens.expect(NUMBER))
            tokens.expect("]")
            return Extract(position, argument, high, low)
        indices: list[Expr] = [(yield self.expression())]
        while tokens.accept(","):
            indices.append((yield self.expression()))
        if tokens.accept(":="):
            value = yield self.expression()
            tokens.expect("]")
            return Store(position, argument, tuple(indices), value)
        if tokens.next.kind != "]":
            raise tokens.unexpected("]", ":=", ",")
        tokens.advance()
        return Select(position, argument, tuple(indices))

    def _if_then_else(self) -> Steps[Expr]:
        token = self.tokens.advance()
        condition = yield self.expression()
        self.tokens.expect("then")
        then = yield self.expression()
        self.tokens.expect("else")
        return IfThenElse(self._at(token), condition, then, (yield self.expression()))

    def _quantifier(self) -> Steps[Expr]:
        """``forall<a> x: int, y: a :: {:attribute} {f(x)} body``"""
        tokens = self.tokens
        token = tokens.advance()
        type_parameters = self._type_parameters()
        variables: list[Variable] = []
        if tokens.next.kind != "::" or not type_parameters:
            variables = yield self._declarations("bound")
        tokens.expect("::")
        attributes: list[Attribute] = []
        triggers: list[tuple[Expr, ...]] = []
        while tokens.next.kind == "{" and (tokens.peek(1).kind != NAME or tokens.peek(2).kind != ":"):
            if tokens.peek(1).kind == ":":
                attributes.append((yield self._attribute()))
                continue
            tokens.advance()
            trigger = [(yield self.expression())]
            while tokens.accept(","):
                trigger.append((yield self.expression()))
            tokens.expect("}")
            triggers.append(tuple(trigger))
        kind = cast(Literal["forall", "exists", "lambda"], token.kind)
        body = yield self.expression()
        return Quantifier(
            self._at(token), kind, type_parameters, tuple(variables), tuple(attributes), tuple(triggers), body
        )

    # -- what declarations and expressions share

    def _declarations(self, kind: VariableKind) -> Steps[list[Variable]]:
        """``a, b: int where a < b, {:x} c: bool``"""
        found: list[Variable] = []
        while not found or self.tokens.accept(","):
            attributes = yield self._attributes()
            names = self._names(f"of a {_KINDS[kind]}")
            self.tokens.expect(":", "and the type")
            written = yield self.type()
            where = None
            if kind != "bound" and self.tokens.accept("where"):
                where = yield self.expression()
            for name in names:
                variable = Variable(self._at(name), name.text, written, kind, where, attributes=attributes)
                found.append(variable)
        return found

    def _attributes(self) -> Steps[tuple[Attribute, ...]]:
        """``{:inline 1} {:text "of the tool"}``, or nothing"""
        found: list[Attribute] = []
        while self.tokens.next.kind == "{" and self.tokens.peek(1).kind == ":":
            found.append((yield self._attribute()))
        return tuple(found)

    def _attribute(self) -> Steps[Attribute]:
        tokens = self.tokens
        position = self._at(tokens.expect("{"))
        tokens.expect(":")
        if not tokens.next.text.replace(".", "_").isidentifier() and tokens.next.kind != NAME:
            raise tokens.unexpected("a name", where="of an attribute")
        name = tokens.advance().text
        arguments: list[Expr | str] = []
        while tokens.next.kind != "}":
            if arguments:
                tokens.expect(",")
            text = tokens.accept(STRING)
            arguments.append(text.text[1:-1] if text else (yield self.expression()))
        tokens.advance()
        return Attribute(position, name, tuple(arguments))


_KINDS: dict[VariableKind, str] = {
    "constant": "constant", "global": "global variable", "input": "parameter", "output": "result",
    "local": "local variable", "bound": "bound variable",
}  # fmt: skip
