"""SMT-LIB 2 terms, read straight from tokens: no syntax tree in between, no recursion.

The loop in :meth:`TermReader.read` keeps a stack of the applications it is inside of, each an
operator (a function from terms to a term) with the arguments read so far. Binders have operators
of their own kinds: :class:`_Binding` closes a ``(name term)`` of a ``let``, :class:`_Bound` gives names
their old meaning back at the end of a ``let`` or quantifier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from revet.errors import InputError, SortError
from revet.logic import build as b
from revet.logic.sexpr import Nested, Tokens, is_symbol, spelling, unquoted
from revet.logic.smtlib_ops import MODES, converted, indexed, indexed_constant
from revet.logic.sorts import ArraySort, Sort
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.walk import free_vars, fresh_variable, substitute, variable_names

Operator = Callable[..., Any]
Saved = list[tuple[str, Any, Any]]

_REMEMBERED = 100_000  # applications; with more of them looking one up takes longer than making it
CONSTANTS: Mapping[str, Any] = {"true": TRUE, "false": FALSE, **MODES}


class Scope:
    """What names mean: ``names`` those of terms (and rounding modes), ``heads`` those of functions."""

    def __init__(
        self, names: dict[str, Any], heads: dict[str, Operator], sort: Callable[[str], Sort]
    ) -> None:
        self.names = names
        self.heads = heads
        self.sort = sort

    def bind(self, values: Mapping[str, Term]) -> Saved:
        """Gives names a meaning; returns what :meth:`unbind` needs. A bound name is no function."""
        names, heads, saved = self.names, self.heads, []
        for name, value in values.items():
            saved.append((name, names.get(name), heads.pop(name, None)))
            names[name] = value
        return saved

    def unbind(self, saved: Saved) -> None:
        for name, term, head in saved:
            if term is None:
                del self.names[name]
            else:
                self.names[name] = term
            if head is not None:
                self.heads[name] = head


class _Binding:
    """The operator of ``(name term)`` in a ``let``: ``values`` collects the bindings."""

    def __init__(self, name: str, values: dict[str, Term]) -> None:
        self.name = name
        self.values = values


class _Bound:
    """The operator of a ``let`` or a quantifier, once its names are bound."""

    def __init__(self, saved: Saved, build: Operator) -> None:
        self.saved = saved
        self.build = build


def _same(term: Term) -> Term:
    return term


class TermReader:
    """Reads terms from tokens. ``annotated`` is told of ``(! term attributes)``."""

    def __init__(self, tokens: Tokens, scope: Scope) -> None:
        self.tokens = tokens
        self.scope = scope
        self.only_reals = False
        self._literals: dict[str, Term] = {}
        self._symbols: dict[str, str] = {}
        self._made: dict[tuple[Any, ...], Any] = {}
        self._variables: dict[tuple[str, str], Term] = {}  # by the tokens of their names and sorts
        self.annotated: Callable[[Term, list[tuple[str, Nested | None]]], Term] = lambda term, _: term

    def read(self, token: str) -> Term:
        """The term that begins with this token."""
        if len(self._made) > _REMEMBERED:
            self._made.clear()
        try:
            result = self._read(token)
        except InputError:
            raise
        except (SortError, ValueError, TypeError, AttributeError, IndexError) as error:
            message = str(error) if isinstance(error, (SortError, ValueError)) else "wrong arguments"
            offset = self.tokens.opening(self.tokens.mark())
            raise self.tokens.source.error(message, offset) from None
        if not isinstance(result, Term):
            raise self.tokens.error("a rounding mode is not a term")
        return result

    def _read(self, token: str) -> Any:
        names, heads, stream, made = self.scope.names, self.scope.heads, self.tokens.stream, self._made
        if token != "(":
            if token == ")":
                raise self.tokens.error("a closing parenthesis without its opening one")
            value = names.get(token)
            return self._literal(token) if value is None else value
        operator: Any = None
        args: list[Any] = []
        enclosing: list[tuple[Any, list[Any]]] = []
        while True:  # an opening parenthesis was read: up to the next one there are atoms and closing ones
            enclosing.append((operator, args))
            token = next(stream, "")
            operator = heads.get(token)
            args = []
            if operator is None:
                operator, args = self._special(token, enclosing)
                if not enclosing:
                    return args[0]
            for token in stream:
                if token == "(":
                    break
                if token != ")":
                    value = names.get(token)
                    if value is not None:
                        args.append(value)
                        continue
                    if token[0] != ":" or operator is not _same:
                        args.append(self._literal(token))
                        continue
                    value = self.annotated(args[0], self._attributes(token)) if args else None
                    operator, args = enclosing.pop()
                    args.append(value)
                elif (value := made.get(key := (operator, *args))) is not None:
                    operator, args = enclosing.pop()
                    args.append(value)
                elif type(operator) is _Binding or type(operator) is _Bound:
                    operator, args = self._closed(operator, args, enclosing)
                else:
                    value = made[key] = operator(*args)
                    operator, args = enclosing.pop()
                    args.append(value)
                if not enclosing:
                    return args[0]
            else:
                raise self.tokens.unclosed()

    # ------------------------------------------------------------------ binders

    def _special(self, head: str, enclosing: list[tuple[Any, list[Any]]]) -> tuple[Any, list[Any]]:
        """After ``(head``, which is not a function's name: the operator and arguments to go on with."""
        if head == "let":
            if self.tokens.next() != "(":
                raise self.tokens.error("expected the bindings of let in parentheses")
            return self._next_binding({}), []
        if head in ("forall", "exists"):
            return self._quantifier(b.forall if head == "forall" else b.exists), []
        if head == "!":
            return _same, []
        if head == "(":
            return self._qualified_function(), []
        if head in ("_", "as"):
            value = self._qualified_constant(head)
            operator, args = enclosing.pop()
            args.append(value)
            return operator, args
        if head == ")":
            raise self.tokens.error("an empty list is not a term")
        if not head:
            raise self.tokens.unclosed()
        if head in self.scope.names:
            raise self.tokens.error(f"{unquoted(head)} is not a function")
        raise self.tokens.error(f"unknown function {unquoted(head)}")

    def _next_binding(self, values: dict[str, Term]) -> Any:
        """At the next ``(name`` of a ``let``, or at the end of its bindings."""
        token = next(self.tokens.stream, "")
        if token == ")":
            return _Bound(self.scope.bind(values), _same)
        if token != "(":
            raise self.tokens.error("expected a name and a term") if token else self.tokens.unclosed()
        name = self._name()
        if name in values:
            raise self.tokens.error(f"{unquoted(name)} is bound twice")
        return _Binding(name, values)

    def _closed(
        self, operator: _Binding | _Bound, args: list[Any], enclosing: list[tuple[Any, list[Any]]]
    ) -> tuple[Any, list[Any]]:
        """After the closing parenthesis of a binding, a ``let`` or a quantifier: where we are then."""
        if len(args) != 1:
            what = "expected a name and a term" if type(operator) is _Binding else "expected one term"
            raise SortError(what)
        if isinstance(operator, _Binding):
            if not isinstance(args[0], Term):
                raise SortError("a rounding mode is not a term")
            operator.values[operator.name] = args[0]
            return self._next_binding(operator.values), []
        self.scope.unbind(operator.saved)
        value = operator.build(args[0])
        outer, arguments = enclosing.pop()
        arguments.append(value)
        return outer, arguments

    def _quantifier(self, make: Callable[[list[Term], Term], Term]) -> _Bound:
        if self.tokens.next() != "(":
            raise self.tokens.error("expected the bound variables in parentheses")
        return self.binder(self.bound_variables(), make)

    def binder(self, variables: list[Term], make: Callable[[list[Term], Term], Any]) -> _Bound:
        """Binds variables: ``make`` is called with them and the body.

        A name bound outside by ``let`` or ``define-fun`` may stand for a term with an outer variable
        of the same name. In the body that one goes by another name; if it is used there at all, it is
        the bound variable that is renamed in the end.
        """
        values = {spelling(variable.name): variable for variable in variables}
        bound = frozenset(variables)
        hidden = {} if not bound else {
            name: term for name, term in self.scope.names.items()
            if isinstance(term, Term) and name not in values and not bound.isdisjoint(free_vars(term))
        }
        if not hidden:
            return _Bound(self.scope.bind(values), lambda body: make(variables, body))
        # No name of the script has a bar in it.
        outer = {x: b.var(f"{x.name}|outer", x.sort) for x in variables}
        values |= {name: substitute(term, outer) for name, term in hidden.items()}

        def build(body: Term) -> Any:
            used = [x for x in variables if outer[x] in free_vars(body)]
            if not used:
                return make(variables, body)
            names = variable_names(body)
            fresh = {x: fresh_variable(x, names) for x in used}
            inner = substitute(substitute(body, fresh), {outer[x]: x for x in used})
            return make([fresh.get(x, x) for x in variables], inner)

        return _Bound(self.scope.bind(values), build)

    def _name(self) -> str:
        """The next token, which must be a symbol."""
        name = next(self.tokens.stream, "")
        if name not in self._symbols:
            if not name:
                raise self.tokens.unclosed()
            if not is_symbol(name):
                raise self.tokens.error("expected a name")
            self._symbols[name] = unquoted(name)
        return name

    def bound_variables(self) -> list[Term]:
        """``(x Int) …)``: the variables up to the closing parenthesis."""
        variables: dict[str, Term] = {}
        tokens, stream, known = self.tokens, self.tokens.stream, self._variables
        while (token := next(stream, "")) != ")":
            if token != "(":
                raise tokens.error("expected a variable with its sort") if token else tokens.unclosed()
            name = self._name()
            if name in variables:
                raise tokens.error(f"{unquoted(name)} is bound twice")
            sort = tokens.next()
            variable = known.get((name, sort))
            if variable is None:
                variable = b.var(self._symbols[name], self.scope.sort(sort))
                if sort != "(":
                    known[name, sort] = variable
            variables[name] = variable
            if next(stream, "") != ")":
                raise tokens.error("expected a closing parenthesis after the variable's sort")
        return list(variables.values())

    # ------------------------------------------------------------------ atoms and qualified names

    def _literal(self, token: str) -> Term:
        """A number; remembered, for most occur often."""
        value = self._literals.get(token)
        if value is not None:
            return value
        if token.isdecimal() and token.isascii():
            value = b.real(int(token)) if self.only_reals else b.integer(int(token))
        elif token[0] == "#" and len(token) > 2:
            digits = token[2:]
            if token[1] == "b" and not digits.strip("01"):
                value = b.bv(int(digits, 2), len(digits))
            elif token[1] == "x" and not digits.strip("0123456789abcdefABCDEF"):
                value = b.bv(int(digits, 16), 4 * len(digits))
        elif token.isascii() and token.replace(".", "", 1).isdecimal() and token[0] != "." != token[-1]:
            value = b.real(Fraction(token))
        if value is None:
            if is_symbol(token):
                known = token in self.scope.heads
                raise self.tokens.error(f"{'the function' if known else 'unknown name'} {unquoted(token)}"
                                        + (" needs arguments" if known else ""))
            if not token.isprintable():
                raise self.tokens.error(f"unexpected character {token[0]!r}")
            raise self.tokens.error(f"{token} is not a term")
        self._literals[token] = value
        return value

    def _attributes(self, keyword: str) -> list[tuple[str, Nested | None]]:
        """The attributes of an annotated term, up to its closing parenthesis."""
        found: list[tuple[str, Nested | None]] = []
        token = keyword
        while token != ")":
            if token[0] != ":":
                raise self.tokens.error("expected a keyword")
            following = self.tokens.next()
            if following == ")" or following[0] == ":":
                found.append((token, None))
                token = following
            else:
                found.append((token, self.tokens.nested(following)))
                token = self.tokens.next()
        return found

    def _qualified_constant(self, head: str) -> Term:
        """``(_ bv5 8)`` and ``(as @3 S)``: up to and with the closing parenthesis."""
        name = self.tokens.next()
        if head == "as":
            sort = self.scope.sort(self.tokens.next())
            made = None
            if name[0] == "@" and name[1:].lstrip("-").isdecimal():
                made = b.const(int(name[1:]), sort)
            closed = self.tokens.next() == ")"
        else:
            indices, closed = self._indices(), True
            made = indexed_constant(name, indices) if indices else None
        if made is None or not closed:
            raise SortError(f"unknown constant {name}")
        return made

    def _qualified_function(self) -> Operator:
        """``(_ extract 7 0)`` and ``(as const S)``: up to and with the closing parenthesis."""
        kind, name = self.tokens.next(), self.tokens.next()
        if kind == "as" and name == "const":
            sort = self.scope.sort(self.tokens.next())
            if self.tokens.next() != ")":
                raise self.tokens.error("expected a closing parenthesis")
            inside = sort.element if isinstance(sort, ArraySort) else sort
            return lambda value: b.const_array(sort, converted(value, inside))
        if kind != "_":
            raise self.tokens.error("unknown function")
        indices = self._indices()

        def build(*args: Any) -> Term:
            made = indexed(name, indices, args)
            if made is None:
                raise SortError(f"unknown function {name}")
            return made

        return build

    def _indices(self) -> list[int]:
        """Numerals up to and with a closing parenthesis."""
        found: list[int] = []
        while (token := self.tokens.next()) != ")":
            if not (token.isdecimal() and token.isascii()) or len(token) > 9:
                raise self.tokens.error("expected a numeral")
            found.append(int(token))
        return found
