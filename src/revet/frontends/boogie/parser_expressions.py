"""Types and expressions of Boogie.

From loosest to tightest: ``<==>``; ``==>`` and ``<==``; ``&&`` and ``||``; the comparisons; ``++``;
``+ -``; ``* / div mod``; ``**``; ``- !``; indexing. As in the language's definition, ``==>`` does not mix
with ``<==``, nor ``&&`` with ``||``, and comparisons do not chain: what ``a && b || c`` means must be
written. Quantifiers and ``if then else`` reach as far to the right as they can.
"""

from __future__ import annotations

from typing import Literal, cast

from revet.errors import Position
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.lexer import BITS, DECIMAL, LEXER, NAME, NUMBER, STRING
from revet.frontends.kit.parsing import Source, Token, Tokens
from revet.frontends.kit.syntax import MOST_DIGITS, WIDEST
from revet.logic.values import rational

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

    def type(self) -> s.TypeSyntax:
        """``int``, ``[int, ref]bool``, ``Field int``"""
        token = self.tokens.next
        if token.kind != NAME:
            return self._type_argument()
        self.tokens.advance()
        arguments: list[s.TypeSyntax] = []
        while self.tokens.next.kind in (NAME, "int", "bool", "real", "(", "[", "<"):
            arguments.append(self._type_argument())
        return s.WrittenName(self._at(token), token.text, tuple(arguments))

    def _type_argument(self) -> s.TypeSyntax:
        token = self.tokens.next
        if token.kind in (NAME, "int", "bool", "real"):
            self.tokens.advance()
            return s.WrittenName(self._at(token), token.text)
        if token.kind == "(":
            self.tokens.advance()
            inner: s.TypeSyntax = self.type()
            self.tokens.expect(")")
            return inner
        if token.kind in ("[", "<"):
            parameters = self._type_parameters()
            self.tokens.expect("[")
            domain = [self.type()]
            while self.tokens.accept(","):
                domain.append(self.type())
            self.tokens.expect("]")
            return s.WrittenMap(self._at(token), parameters, tuple(domain), self.type())
        if token.kind == "{":
            return self._struct_type()
        raise self.tokens.unexpected("a type")

    def _struct_type(self) -> s.TypeSyntax:
        """ULTIMATE's ``{ x, y: int, z: bool }``"""
        open_ = self.tokens.advance()
        variables: list[s.Variable] = self._declarations("bound")
        self.tokens.expect("}")
        fields = tuple((variable.name, variable.written) for variable in variables)
        return s.WrittenStruct(self._at(open_), fields)

    def _type_parameters(self) -> tuple[str, ...]:
        """``<a, b>``, or nothing"""
        if not self.tokens.accept("<"):
            return ()
        names = self._names("as a type parameter")
        self.tokens.expect(">")
        return tuple(name.text for name in names)

    # -- expressions

    def expression(self, strength: int = _LOWEST) -> s.Expr:
        """An expression whose operators bind at least as tightly as ``strength``."""
        tokens = self.tokens
        result: s.Expr = self._operand()
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
                result = self._grouped_right(result, token.kind, bound)
                continue
            tokens.advance()
            right = self.expression(bound + 1)
            sides = (right, result) if token.kind == "<==" else (result, right)
            result = s.Binary(self._at(token), "==>" if token.kind == "<==" else token.kind, *sides)

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

    def _grouped_right(self, first: s.Expr, operator: str, bound: int) -> s.Expr:
        """``a ==> b ==> c`` is ``a ==> (b ==> c)``."""
        operands, places = [first], []
        while self.tokens.next.kind == operator:
            places.append(self._at(self.tokens.advance()))
            operands.append(self.expression(bound + 1))
        result = operands.pop()
        while operands:
            result = s.Binary(places.pop(), operator, operands.pop(), result)
        return result

    def _operand(self) -> s.Expr:
        """An atom with its prefix operators and indices."""
        prefixes: list[Token] = []
        while self.tokens.next.kind in ("-", "!"):
            prefixes.append(self.tokens.advance())
        result: s.Expr = self._atom()
        while True:
            token = self.tokens.next
            if token.kind == "[":
                result = self._indexed(result)
            elif token.kind == "!":
                self.tokens.advance()
                name = self.tokens.expect(NAME, "of a field")
                result = s.Field(self._at(token), result, name.text)
            else:
                break
        for prefix in reversed(prefixes):
            result = s.Unary(self._at(prefix), prefix.kind, result)
        return result

    def _atom(self) -> s.Expr:
        token = self.tokens.next
        if token.kind == NAME:
            self.tokens.advance()
            if self.tokens.next.kind != "(":
                return s.Name(self._at(token), token.text)
            return s.Application(self._at(token), token.text, self._arguments())
        if token.kind in (NUMBER, DECIMAL, BITS, "true", "false"):
            return self._literal(self.tokens.advance())
        if token.kind == "(":
            self.tokens.advance()
            inner: s.Expr = self.expression()
            self.tokens.expect(")")
            return inner
        if token.kind in ("forall", "exists", "lambda"):
            return self._quantifier()
        if token.kind == "if":
            return self._if_then_else()
        if token.kind in ("old", "int", "real"):
            self.tokens.advance()
            self.tokens.expect("(")
            argument: s.Expr = self.expression()
            self.tokens.expect(")")
            if token.kind == "old":
                return s.Old(self._at(token), argument)
            return s.Coercion(self._at(token), cast(Literal["int", "real"], token.kind), argument)
        if token.kind == "{":
            return self._struct()
        raise self.tokens.unexpected("an expression")

    def _struct(self) -> s.Expr:
        """ULTIMATE's ``{ x: 1, y: true }``"""
        open_ = self.tokens.advance()
        names: list[str] = []
        values: list[s.Expr] = []
        while not names or self.tokens.accept(","):
            names.append(self.tokens.expect(NAME, "of a field").text)
            self.tokens.expect(":", "and the value")
            values.append(self.expression())
        self.tokens.expect("}")
        return s.StructLiteral(self._at(open_), tuple(names), tuple(values))

    def _arguments(self) -> tuple[s.Expr, ...]:
        """``(a, b)``"""
        self.tokens.expect("(")
        found: list[s.Expr] = []
        while self.tokens.next.kind != ")":
            if found:
                self.tokens.expect(",")
            found.append(self.expression())
        self.tokens.advance()
        return tuple(found)

    def _literal(self, token: Token) -> s.Expr:
        position = self._at(token)
        if token.kind in ("true", "false"):
            return s.BoolLiteral(position, token.kind == "true")
        if token.kind == NUMBER:
            return s.IntLiteral(position, self._integer(token.text, token))
        if token.kind == BITS:
            digits, _, width = token.text.partition("bv")
            value, bits = self._integer(digits, token), self._width(width, token)
            if value >> bits:
                raise self.source.error(f"{digits} does not fit in {bits} bits", token.offset)
            return s.BitVectorLiteral(position, value, bits)
        self._digits(token.text, token)
        try:
            return s.RealLiteral(position, rational(token.text))
        except ValueError:
            raise self.source.unsupported("this number is too long", token.offset) from None

    def _integer(self, digits: str, token: Token) -> int:
        self._digits(digits, token)
        return int(digits)

    def _digits(self, digits: str, token: Token) -> None:
        if len(digits) > MOST_DIGITS:
            raise self.source.unsupported(f"a number of {len(digits)} digits is too long", token.offset)

    def _width(self, digits: str, token: Token) -> int:
        width = self._integer(digits, token)
        if not 0 < width <= WIDEST:
            raise self.source.unsupported(f"a bit vector of {width} bits is not supported", token.offset)
        return width

    def _indexed(self, argument: s.Expr) -> s.Expr:
        """``m[i, j]``, ``m[i := v]`` or ``v[8:0]``"""
        tokens = self.tokens
        open_ = tokens.advance()
        position = self._at(open_)
        if tokens.next.kind == NUMBER and tokens.peek(1).kind == ":":
            high = self._integer(tokens.next.text, tokens.advance())
            tokens.advance()
            low = self._integer(tokens.next.text, tokens.expect(NUMBER))
            tokens.expect("]")
            return s.Extract(position, argument, high, low)
        indices: list[s.Expr] = [self.expression()]
        while tokens.accept(","):
            indices.append(self.expression())
        if tokens.accept(":="):
            value = self.expression()
            tokens.expect("]")
            return s.Store(position, argument, tuple(indices), value)
        if tokens.next.kind != "]":
            raise tokens.unexpected("]", ":=", ",")
        tokens.advance()
        return s.Select(position, argument, tuple(indices))

    def _if_then_else(self) -> s.Expr:
        token = self.tokens.advance()
        condition = self.expression()
        self.tokens.expect("then")
        then = self.expression()
        self.tokens.expect("else")
        return s.IfThenElse(self._at(token), condition, then, self.expression())

    def _quantifier(self) -> s.Expr:
        """``forall<a> x: int, y: a :: {:attribute} {f(x)} body``"""
        tokens = self.tokens
        token = tokens.advance()
        type_parameters = self._type_parameters()
        variables: list[s.Variable] = []
        if tokens.next.kind != "::" or not type_parameters:
            variables = self._declarations("bound")
        tokens.expect("::")
        attributes: list[s.Attribute] = []
        triggers: list[tuple[s.Expr, ...]] = []
        while tokens.next.kind == "{" and (tokens.peek(1).kind != NAME or tokens.peek(2).kind != ":"):
            if tokens.peek(1).kind == ":":
                attributes.append(self._attribute())
                continue
            tokens.advance()
            trigger = [self.expression()]
            while tokens.accept(","):
                trigger.append(self.expression())
            tokens.expect("}")
            triggers.append(tuple(trigger))
        kind = cast(Literal["forall", "exists", "lambda"], token.kind)
        body = self.expression()
        return s.Quantifier(
            self._at(token), kind, type_parameters, tuple(variables), tuple(attributes), tuple(triggers), body
        )

    # -- what declarations and expressions share

    def _declarations(self, kind: s.VariableKind) -> list[s.Variable]:
        """``a, b: int where a < b, {:x} c: bool``"""
        found: list[s.Variable] = []
        while not found or self.tokens.accept(","):
            attributes = self._attributes()
            names = self._names(f"of a {_KINDS[kind]}")
            self.tokens.expect(":", "and the type")
            written = self.type()
            where = None
            if kind != "bound" and self.tokens.accept("where"):
                where = self.expression()
            for name in names:
                variable = s.Variable(self._at(name), name.text, written, kind, where, attributes=attributes)
                found.append(variable)
        return found

    def _attributes(self) -> tuple[s.Attribute, ...]:
        """``{:inline 1} {:text "of the tool"}``, or nothing"""
        found: list[s.Attribute] = []
        while self.tokens.next.kind == "{" and self.tokens.peek(1).kind == ":":
            found.append(self._attribute())
        return tuple(found)

    def _attribute(self) -> s.Attribute:
        tokens = self.tokens
        position = self._at(tokens.expect("{"))
        tokens.expect(":")
        if not tokens.next.text.replace(".", "_").isidentifier() and tokens.next.kind != NAME:
            raise tokens.unexpected("a name", where="of an attribute")
        name = tokens.advance().text
        arguments: list[s.Expr | str] = []
        while tokens.next.kind != "}":
            if arguments:
                tokens.expect(",")
            text = tokens.accept(STRING)
            arguments.append(text.text[1:-1] if text else self.expression())
        tokens.advance()
        return s.Attribute(position, name, tuple(arguments))


_KINDS: dict[s.VariableKind, str] = {
    "constant": "constant", "global": "global variable", "input": "parameter", "output": "result",
    "local": "local variable", "bound": "bound variable",
}  # fmt: skip
