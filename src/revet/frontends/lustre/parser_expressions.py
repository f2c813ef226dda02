"""Expressions of Lustre: recursive descent, with one table of operator strengths."""

from __future__ import annotations

from revet.errors import InputError, Position, Unsupported
from revet.frontends.lustre import syntax
from revet.frontends.lustre.parser_types import MACHINE, REFUSED, TypeParser

# From loosest to tightest, with the side on which equal operators group; as in KIND 2's grammar, where
# ``not`` and ``pre`` are tighter than all of these and a minus sign is as strong as subtraction.
_LEVELS = (
    "|", "-> fby", "=> ==>", "or or_else xor", "and and_then", "in", "= <> < <= > >=", "+ -", "* / div mod",
    "++", "||", "&&", "lsh rsh",
)
_STRENGTH = {
    operator.replace("_", " "): (level, "right" if level in (1, 2) else "left")
    for level, operators in enumerate(_LEVELS)
    for operator in operators.split()
}
_FORMULA, _SUM, _MINUS, _UNARY = 2, 7, 8, 13


class ExpressionParser(TypeParser):
    """Expressions; declarations are in the parser proper."""

    # -- expressions, by operator strength

    def expression(self, strength: int = 0) -> syntax.Expr:
        left = self._prefix(strength)
        while True:
            token = self._token
            operator = self._operator()
            known = _STRENGTH.get(operator)
            if operator == "when" and strength == 0:
                self._at += 1
                left = syntax.When(self._position(token), left, self.expression(_UNARY))
                continue
            if known is None or known[0] < strength or (operator == "|" and self._arms):
                return left
            self._at += 2 if " " in operator else 1
            right = self.expression(known[0] + (1 if known[1] == "left" else 0))
            left = syntax.Binary(self._position(token), operator, left, right)

    def _operator(self) -> str:
        token = self._token
        if token.kind == "and" and self._next_is("then"):
            return "and then"
        if token.kind == "or" and self._next_is("else"):
            return "or else"
        if token.kind == "name":
            return token.text if token.text in ("in", "lsh", "rsh", "when") else ""
        return token.kind

    def _prefix(self, strength: int) -> syntax.Expr:
        position = self._position()
        if token := self._accept("not", "!", "pre"):
            return syntax.Unary(position, token.kind, self.expression(_UNARY))
        if self._accept("-"):
            return syntax.Unary(position, "-", self.expression(_MINUS))
        if self._accept("if"):
            return self._conditional(position, False)
        if self._token.kind == "name":
            if self._is_word("when") and not self._next_is(",", ":", ")"):
                self._at += 1
                return self._conditional(position, True)
            if self._is_word("forall", "exists") and self._next_is("("):
                return self._quantifier(position)
            if self._is_word("last") and self._next_is("name"):
                self._at += 1
                return self._postfix(syntax.Unary(position, "last", self._primary()))
        if (conversion := self._conversion()) is not None:
            own = _UNARY if self._token.kind == "(" else conversion[1]
            return syntax.Convert(position, conversion[0], self.expression(max(own, strength)), own == _SUM)
        return self._postfix(self._primary())

    def _conditional(self, position: Position, lazy: bool) -> syntax.Expr:
        condition = self.expression()
        self._expect("then")
        then = self.expression()
        self._expect("else")
        return syntax.IfThenElse(position, condition, then, self.expression(1), lazy)

    def _quantifier(self, position: Position) -> syntax.Expr:
        universal = self._expect("name").text == "forall"
        self._expect("(")
        variables = self._declarations(")")
        self._expect(")")
        return syntax.Quantifier(position, universal, variables, self.expression(_FORMULA))

    def _conversion(self) -> tuple[syntax.TypeExpr, int] | None:
        """The type before an argument, and how tight an argument without parentheses is: ``real x`` like
        ``pre x``, ``sint@<8> x`` and ``int8 x`` as a comparison's side."""
        token, position = self._token, self._position()
        if self._accept("real", "int"):
            return syntax.NamedType(position, token.text), _UNARY
        if token.kind != "name":
            return None
        if match := MACHINE.match(token.text):
            self._at += 1
            return syntax.MachineType(position, int(match[2]), not match[1]), _SUM
        if token.text in ("uint", "sint") and self._next_is("@", "<"):
            self._at += 1
            self._accept("@")
            self._expect("<")
            return self._width(position, token.text == "sint"), _SUM
        return None

    def _primary(self) -> syntax.Expr:
        token, position = self._token, self._position()
        if self._accept("("):
            return self._parenthesis(position)
        if self._accept("'("):
            return syntax.TupleValue(position, self._list(")"))
        if self._accept("["):
            return syntax.ArrayLiteral(position, self._list("]"))
        if self._accept("{"):
            items = self._list("}")
            return syntax.Braces(position, items, self._type_arguments())
        if self._accept("true", "false", "number"):
            return syntax.Literal(position, token.text)
        if self._accept("#"):
            return syntax.Call(position, "#", self._arguments())
        if self._token.kind == "::":
            path = []
            while self._accept("::"):
                path.append(self._expect("name", "a mode's name").text)
            return syntax.ModeReference(position, tuple(path))
        if self._token.kind == "name":
            return self._word_or_name()
        raise self._error(f"expected an expression, found {token.text or 'the end of the file'!r}")

    def _word_or_name(self) -> syntax.Expr:
        token = self._expect("name")
        position = self._position(token)
        if token.text in REFUSED and self._token.kind != "=":
            raise self._error("", token)
        if token.text == "merge":
            return self._merge(position)
        if token.text == "condact" and self._token.kind == "(":
            return self._condact(position)
        if token.text in ("any", "choose") and self._token.kind in ("{", "@"):
            return self._any(position, token.text == "choose")
        if token.text == "match":
            return self._match(position)
        if token.text == "map" and self._accept("["):
            entries = self._changes()
            return syntax.MapLiteral(position, entries, self._type_arguments())
        arguments = self._type_arguments()
        if self._accept("?"):
            self._expect("(")
            argument = self.expression()
            self._expect(")")
            return syntax.Tester(position, token.text, argument)
        if self._token.kind == "(":
            return syntax.Call(position, token.text, self._arguments(), arguments)
        if self._token.kind == "{" and self._starts_record():
            return self._record(syntax.NamedType(position, token.text, arguments))
        return syntax.Name(position, token.text, arguments)

    def _starts_record(self) -> bool:
        after = self._tokens[self._at + 1 : self._at + 3]
        return len(after) == 2 and after[0].kind == "name" and after[1].kind == "="

    def _any(self, position: Position, functional: bool) -> syntax.Expr:
        if self._accept("{"):
            type_ = self._refinement(position)
            self._expect("}")
            return syntax.Any(position, type_, functional)
        arguments = self._type_arguments()
        if len(arguments) != 1:
            raise InputError("any and choose take one type", position)
        return syntax.Any(position, arguments[0], functional)

    def _postfix(self, expr: syntax.Expr, powers: bool = True) -> syntax.Expr:
        """``.field``, ``[index]``, ``[i := v]``, ``[a..b]`` and ``^ size`` after an expression."""
        while True:
            position = self._position()
            if self._accept("."):
                self._accept("%")  # the spelling of tuples' parts in version 2
                token = self._accept("number") or self._expect("name", "a field's name")
                if token.kind == "number":
                    expr = syntax.Index(position, expr, syntax.Literal(position, token.text))
                else:
                    expr = syntax.Field(position, expr, token.text)
            elif self._token.kind == "[":
                expr = self._subscript(expr)
            elif powers and not self._flat and self._accept("^"):
                expr = syntax.Repeat(position, expr, self._size())
            else:
                return expr

    def _size(self) -> syntax.Expr:
        """After ``^``: what follows is another dimension."""
        return self._postfix(self._primary(), powers=False)

    def _type_size(self) -> syntax.Expr:
        """After ``^`` in a type, where arithmetic needs no parentheses."""
        flat, self._flat = self._flat, True
        found = self.expression(_SUM)
        self._flat = flat
        return found

    def _open(self) -> tuple[int, bool]:
        """In parentheses, bars and powers mean what they mean anywhere; returns what they meant outside."""
        outside = self._arms, self._flat
        self._arms, self._flat = 0, False
        return outside

    def _close(self, outside: tuple[int, bool]) -> None:
        self._arms, self._flat = outside

    def _subscript(self, expr: syntax.Expr) -> syntax.Expr:
        position = self._position()
        self._expect("[")
        outside = self._open()
        first = self.expression()
        if self._accept(":="):
            changes = [(first, self.expression())]
            while self._accept(";") and self._token.kind != "]":
                key = self.expression()
                self._expect(":=")
                changes.append((key, self.expression()))
            self._expect("]")
            self._close(outside)
            return syntax.Update(position, expr, tuple(changes))
        found = syntax.Index(position, expr, first)
        if token := self._accept(":", ".."):
            found = syntax.Index(position, expr, first, self.expression(), token.kind == ":")
        self._expect("]")
        self._close(outside)
        return found

    def _changes(self) -> tuple[tuple[syntax.Expr, syntax.Expr], ...]:
        found = []
        while not self._accept("]"):
            key = self.expression()
            self._expect(":=")
            found.append((key, self.expression()))
            if not self._accept(";", ","):
                self._expect("]")
                break
        return tuple(found)

    def _record(self, type_: syntax.NamedType) -> syntax.Expr:
        self._expect("{")
        fields: list[tuple[str, syntax.Expr]] = []
        while self._token.kind != "}":
            name = self._expect("name", "a field's name").text
            self._expect("=")
            fields.append((name, self.expression()))
            if not self._accept(";", ","):
                break
        self._expect("}")
        return syntax.RecordLiteral(type_.position, type_, tuple(fields))

    def _match(self, position: Position) -> syntax.Expr:
        self._arms += 1
        subject = self.expression()
        self._word("with")
        arms = []
        self._accept("|")
        while True:
            pattern = self._pattern()
            self._expect(":")
            arms.append((pattern, self.expression()))
            if not self._accept("|"):
                break
        self._word("end")
        self._arms -= 1
        return syntax.Match(position, subject, tuple(arms))

    def _pattern(self) -> syntax.Pattern:
        token = self._expect("name", "a pattern")
        position = self._position(token)
        if not self._accept("("):
            return syntax.Pattern(position, token.text, None)
        items = []
        while self._token.kind != ")":
            items.append(self._pattern())
            if not self._accept(","):
                break
        self._expect(")")
        return syntax.Pattern(position, token.text, tuple(items))

    def _parenthesis(self, position: Position) -> syntax.Expr:
        """After ``(``: several streams, an expression, an ascription, or a call on a clock."""
        if self._is_word("activate", "restart") and self._next_is("name", "("):
            call = self._clocked()
            self._expect(")")
            return syntax.Call(
                position, call.node, self._arguments(), call.type_arguments, call.clock, call.defaults,
                call.restart,
            )
        outside = self._open()
        items = [self.expression()]
        if self._accept(":"):
            items[0] = syntax.Ascribe(position, items[0], self.type_())
        while self._accept(","):
            items.append(self.expression())
        self._expect(")")
        self._close(outside)
        return items[0] if len(items) == 1 else syntax.Group(position, tuple(items))

    def _clocked(self) -> syntax.Call:
        """``activate n every c [initial default d] [restart every r]`` or ``restart n every r``, with n
        itself one of them in parentheses."""
        token = self._expect("name")
        position = self._position(token)
        if self._accept("("):
            inner = self._clocked()
            self._expect(")")
        else:
            name = self._expect("name", "a node's name").text
            inner = syntax.Call(position, name, (), self._type_arguments())
        self._word("every")
        condition = self.expression()
        clock, defaults, restart = inner.clock, inner.defaults, inner.restart
        if token.text == "restart":
            if clock is not None or restart is not None:
                raise Unsupported("restart of an activated or restarted call is not supported", position)
            return syntax.Call(position, inner.node, (), inner.type_arguments, None, None, condition)
        if clock is not None:
            raise Unsupported("activate of an activated call is not supported", position)
        if self._accept_word("initial"):
            self._word("default")
            value = self.expression()
            defaults = value.items if isinstance(value, syntax.Group) else (value,)
        if self._accept_word("restart"):
            self._word("every")
            restart = self.expression()
        return syntax.Call(position, inner.node, (), inner.type_arguments, condition, defaults, restart)

    def _condact(self, position: Position) -> syntax.Expr:
        arguments = self._arguments()
        if len(arguments) < 2 or not isinstance(arguments[1], syntax.Call):
            raise InputError("condact takes a clock, a node call and the defaults", position)
        call, restart = arguments[1], arguments[1].restart
        if call.clock is not None:
            raise Unsupported("condact of an activated call is not supported", position)
        defaults = arguments[2:]
        return syntax.Call(
            position, call.node, call.arguments, call.type_arguments, arguments[0], defaults or None, restart
        )

    def _merge(self, position: Position) -> syntax.Expr:
        if self._accept("("):
            clock = self.expression()
            self._expect(";")
            yes = self.expression()
            self._expect(";")
            no = self.expression()
            self._expect(")")
            return syntax.Merge(position, clock, ("true", "false"), (yes, no))
        clock_name = self._expect("name", "a clock")
        labels, branches = [], []
        while self._accept("("):
            label = self._accept("true", "false") or self._expect("name", "a value of the clock")
            self._expect("->")
            labels.append(label.text)
            branches.append(self.expression())
            self._expect(")")
        clock = syntax.Name(self._position(clock_name), clock_name.text)
        return syntax.Merge(position, clock, tuple(labels), tuple(branches))

    def _list(self, close: str) -> tuple[syntax.Expr, ...]:
        outside = self._open()
        items: list[syntax.Expr] = []
        while self._token.kind != close:
            items.append(self.expression())
            if not self._accept(","):
                break
        self._expect(close)
        self._close(outside)
        return tuple(items)

    def _arguments(self) -> tuple[syntax.Expr, ...]:
        self._expect("(")
        return self._list(")")
