"""SMT-LIB 2 text to problems: the commands. Terms are read by :mod:`revet.logic.smtlib_terms`.

A front end for a notation with more commands, or that wants to hear of annotations, makes a
subclass of :class:`Reader` (VMT-LIB does). Errors are :class:`InputError` with line and column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from revet.collector import without_collector
from revet.errors import InputError, SortError
from revet.logic import build as b
from revet.logic.sexpr import Mark, Nested, Source, Tokens, is_symbol, spelling, unquoted
from revet.logic.smtlib_ops import LATER_OPERATORS, OPERATORS, converted
from revet.logic.smtlib_terms import CONSTANTS, Scope, TermReader
from revet.logic.sorts import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT,
    REAL,
    Array,
    BitVec,
    Float,
    Sort,
    Uninterpreted,
    UninterpretedSort,
)
from revet.logic.terms import FunctionSymbol, Op, Term
from revet.logic.walk import free_vars, substitute

_T = TypeVar("_T")


@dataclass
class Script:
    """What a script declares and asserts; ``places`` says where each assertion begins."""

    logic: str | None = None
    variables: dict[str, Term] = field(default_factory=dict)
    functions: dict[str, FunctionSymbol] = field(default_factory=dict)
    assertions: list[Term] = field(default_factory=list)
    places: list[Mark] = field(default_factory=list)


def read_term(
    text: str,
    variables: Iterable[Term] = (),
    functions: Iterable[FunctionSymbol] = (),
    file: str = "<text>",
) -> Term:
    """One term over the given variables and functions."""
    reader = Reader(Source(text, file))
    for variable in variables:
        reader.add_variable(variable)
    for function in functions:
        reader.add_function(function)
    tokens = reader.tokens
    token = next(tokens.stream, None)
    if token is None:
        raise tokens.source.error("expected one term", 0)
    term = reader.terms.read(token)
    if next(tokens.stream, None) is not None:
        raise tokens.error("expected one term")
    return term


def read_script(text: str, file: str = "<text>") -> Script:
    """The declarations and assertions of a script; ``check-sat`` and the like are skipped."""
    reader = Reader(Source(text, file))
    reader.run()
    return reader.script


_SORTS: Mapping[str, Sort] = {
    "Bool": BOOL, "Int": INT, "Real": REAL, "Float16": Float(5, 11), "Float32": FLOAT32,
    "Float64": FLOAT64, "Float128": Float(15, 113),
}
_LONGEST_SORT = 10_000  # characters: with definitions, a sort can double at every line
_SKIPPED = frozenset((
    "set-info", "set-option", "check-sat", "get-model", "get-value", "get-unsat-core", "get-proof",
    "get-assertions", "get-info", "get-option", "echo",
))
_REFUSED = {
    "declare-datatypes": "algebraic datatypes are not supported",
    "declare-datatype": "algebraic datatypes are not supported",
    "define-fun-rec": "recursive functions are not supported",
    "define-funs-rec": "recursive functions are not supported",
    **dict.fromkeys(
        ("declare-rel", "declare-var", "rule", "query"),
        "z3's fixedpoint commands are not supported: declare functions to Bool and assert clauses",
    ),
}


class Reader:
    """Reads commands; :attr:`script` collects what they say. ``tokens`` are those of the source, unless it
    is in another notation."""

    def __init__(self, source: Source, tokens: Tokens | None = None) -> None:
        self.tokens = tokens or Tokens(source)
        self.script = Script()
        self.scope = Scope(dict(CONSTANTS), OPERATORS | LATER_OPERATORS, self.sort)
        self.terms = TermReader(self.tokens, self.scope)
        self.terms.annotated = self.annotated
        self._sorts: dict[str, Sort] = dict(_SORTS)
        self._sort_macros: dict[str, tuple[list[str], Nested]] = {}
        self._declared: set[str] = set()
        self._divides_by_zero = False
        for name in ("div", "mod", "/", "rem"):
            self.scope.heads[name] = self._division(self.scope.heads[name])

    @property
    def divides_by_zero(self) -> bool:
        """May a divisor that was read be zero?"""
        return self._divides_by_zero

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What reading the script has settled that SMT-LIB leaves open."""
        if not self._divides_by_zero:
            return ()
        return ("(div x 0) and (/ x 0) are 0 and (mod x 0) is x: SMT-LIB leaves them open",)

    def _division(self, operator: Callable[..., Term]) -> Callable[..., Term]:
        def build(*args: Term) -> Term:
            if any(divisor.op != Op.CONST or divisor.payload == 0 for divisor in args[1:]):
                self._divides_by_zero = True
            return operator(*args)

        return build

    def run(self) -> None:
        """Carries out all commands, until the end of the text or ``exit``."""
        with without_collector():  # terms are kept for good
            self._run()

    def _run(self) -> None:
        tokens = self.tokens
        for token in tokens.stream:
            tokens.since = mark = tokens.mark()
            if token != "(":
                what = "a closing parenthesis without its opening one" if token == ")" else (
                    "expected a command in parentheses")
                raise tokens.error(what, mark)
            name = tokens.next()
            if not is_symbol(name):
                raise tokens.error("expected the name of a command")
            if not self.command(name, mark):
                break

    def command(self, name: str, mark: Mark) -> bool:
        """Carries out one command, whose name has been read; False at ``exit``."""
        match name:
            case "assert":
                self.script.assertions.append(self._formula_to_end())
                self.script.places.append(mark)
            case "define-fun" | "define-const":
                self._define(name)
            case "declare-fun" | "declare-const":
                self._declare(name)
            case "declare-sort" | "define-sort":
                self._new_sort(name)
            case "set-logic":
                self._set_logic()
            case "exit":
                self._end("exit")
                return False
            case _ if name in _SKIPPED:
                self.tokens.rest()
            case _:
                why = _REFUSED.get(name, f"the command {name} is not supported here")
                raise self.tokens.unsupported(why, mark)
        return True

    def annotated(self, term: Term, attributes: list[tuple[str, Nested | None]]) -> Term:
        """Called for ``(! term attributes)``; what it returns takes the place of the annotated term."""
        for keyword, name in attributes:
            if keyword != ":named" or not isinstance(name, str) or not is_symbol(name) or free_vars(term):
                continue
            if name not in self.scope.names and name not in self.scope.heads:
                self.scope.names[name] = term
        return term

    def _formula_to_end(self) -> Term:
        start = self.tokens.next()
        where = self.tokens.mark()
        term = self.terms.read(start)
        if term.sort is not BOOL:
            raise self.tokens.error(f"expected sort Bool, got {term.sort}", where)
        self._end("assert")
        return term

    def _end(self, name: str) -> None:
        if self.tokens.next() != ")":
            raise self.tokens.error(f"the command {name} ends here: expected a closing parenthesis")

    def _set_logic(self) -> None:
        self.script.logic = logic = self._symbol()
        # In a logic of reals only, numerals are reals.
        self.terms.only_reals = "RA" in logic and "I" not in logic.replace("QF_", "")
        self._end("set-logic")

    # ------------------------------------------------------------------ declarations

    def add_variable(self, variable: Term) -> None:
        """A name for terms; also under its quoted spelling."""
        self.script.variables[variable.name] = variable
        self.scope.names[spelling(variable.name)] = variable

    def add_function(self, function: FunctionSymbol) -> None:
        self.script.functions[function.name] = function
        self.scope.heads[spelling(function.name)] = _application(function)
        if not function.domain:
            self.scope.names[spelling(function.name)] = b.apply(function)

    def _symbol(self, token: str | None = None) -> str:
        token = self.tokens.next() if token is None else token
        if not is_symbol(token):
            raise self.tokens.error("expected a name")
        return token

    def _new_name(self, token: str | None = None) -> str:
        """The next token (or this one), which must be a name that is not used yet."""
        token = self._symbol(token)
        if token in self._declared:
            raise self.tokens.error(f"{unquoted(token)} is declared twice")
        if token in CONSTANTS or token in OPERATORS:
            raise self.tokens.error(f"{token} is a name of SMT-LIB's and cannot be declared")
        self._declared.add(token)
        if token in LATER_OPERATORS:
            self.scope.heads.pop(token, None)
        return token

    def _declare(self, command: str) -> None:
        name = unquoted(self._new_name())
        domain: list[Sort] = []
        if command == "declare-fun":
            if self.tokens.next() != "(":
                raise self.tokens.error("expected the sorts of the arguments, in parentheses")
            while (token := self.tokens.next()) != ")":
                domain.append(self.sort(token))
        self.declared(name, domain, self.sort(self.tokens.next()))
        self._end(command)

    def declared(self, name: str, domain: list[Sort], range_: Sort) -> None:
        """A name was declared: a variable, or a function if there are arguments."""
        if domain:
            self.add_function(FunctionSymbol(name, domain, range_))
        else:
            self.add_variable(b.var(name, range_))

    def _define(self, command: str) -> None:
        token = self._new_name()
        parameters = self._parameters() if command == "define-fun" else []
        sort = self.sort(self.tokens.next())
        binder = self.terms.binder(parameters, lambda formals, body: (formals, body))
        start = self.tokens.next()
        where = self.tokens.mark()
        body = converted(self.terms.read(start), sort)
        if body.sort is not sort:
            raise self.tokens.error(f"expected sort {sort}, got {body.sort}", where)
        self.scope.unbind(binder.saved)
        self._end(command)
        self.defined(token, *binder.build(body))

    def defined(self, token: str, parameters: list[Term], body: Term) -> None:
        """A name was defined; from now on it stands for the body."""
        if parameters:
            self.scope.heads[token] = _macro(unquoted(token), parameters, body)
        else:
            self.scope.names[token] = body

    def _parameters(self) -> list[Term]:
        if self.tokens.next() != "(":
            raise self.tokens.error("expected the parameters, in parentheses")
        return self.terms.bound_variables()

    # ------------------------------------------------------------------ sorts

    def _new_sort(self, command: str) -> None:
        name = self._symbol()
        mark = self.tokens.mark()
        if name in self._sorts or name in self._sort_macros:
            raise self.tokens.error(f"the sort {unquoted(name)} is declared twice", mark)
        arity = self.tokens.nested()
        if command == "declare-sort" and arity == "0":
            self._sorts[name] = self._made(mark, Uninterpreted, unquoted(name))
        elif command == "define-sort" and arity == []:
            self._sorts[name] = self.sort(self.tokens.next())
        elif command == "define-sort" and isinstance(arity, list):
            names = [one for one in arity if isinstance(one, str) and is_symbol(one)]
            if len(set(names)) != len(arity):
                raise self.tokens.error("expected different names of parameters", mark)
            self._sort_macros[name] = names, self.tokens.nested()
            self._sort_of([name, *["Int"] * len(names)], mark)  # so that errors in it are found here
        else:
            raise self.tokens.unsupported("sorts with parameters are not supported", mark)
        self._end(command)

    @property
    def declared_sorts(self) -> list[Sort]:
        """The sorts of which nothing is known."""
        return [sort for sort in self._sorts.values() if isinstance(sort, UninterpretedSort)]

    def sort(self, token: str) -> Sort:
        """The sort that begins with this token."""
        known = self._sorts.get(token)
        if known is not None:
            return known
        mark = self.tokens.mark()
        if token != "(":
            raise self.tokens.error(f"unknown sort {token}", mark)
        return self._sort_of(self.tokens.nested(token), mark)

    def _sort_of(
        self, nested: Nested, mark: Mark, depth: int = 0, parameters: Mapping[str, Sort] | None = None
    ) -> Sort:
        if isinstance(nested, str):
            found = (parameters or {}).get(nested) or self._sorts.get(nested)
            if found is None:
                raise self.tokens.error(f"unknown sort {nested}", mark)
            return found
        if depth > 50:
            raise self.tokens.error("a sort that is nested too deeply", mark)
        match nested:
            case ["_", "BitVec", str(width)] if width.isdecimal():
                return self._made(mark, BitVec, int(width))
            case ["_", "FloatingPoint", str(e), str(s)] if e.isdecimal() and s.isdecimal():
                return self._made(mark, Float, int(e), int(s))
            case ["Array", index, element]:
                parts = [self._sort_of(one, mark, depth + 1, parameters) for one in (index, element)]
                if sum(len(part.name) for part in parts) > _LONGEST_SORT:
                    raise self.tokens.error("a sort that is nested too deeply", mark)
                return self._made(mark, Array, *parts)
            case [str(name), *given] if name in self._sort_macros:
                names, body = self._sort_macros[name]
                if len(names) != len(given):
                    raise self.tokens.error(f"{unquoted(name)} takes {len(names)} sorts", mark)
                sorts = [self._sort_of(one, mark, depth + 1, parameters) for one in given]
                return self._sort_of(body, mark, depth + 1, dict(zip(names, sorts, strict=True)))
        raise self.tokens.error("not a sort", mark)

    def _made(self, mark: Mark, build: Callable[..., _T], *args: Any) -> _T:
        """Runs a constructor; its complaint becomes an error at this place."""
        try:
            return build(*args)
        except InputError:
            raise
        except (SortError, ValueError) as error:
            raise self.tokens.error(str(error), mark) from None


def _application(function: FunctionSymbol) -> Callable[..., Term]:
    domain = function.domain

    def build(*args: Term) -> Term:
        if len(args) == len(domain):
            args = tuple(converted(arg, sort) for arg, sort in zip(args, domain, strict=True))
        return b.apply(function, *args)

    return build


def _macro(name: str, formals: list[Term], body: Term) -> Callable[..., Term]:
    def build(*args: Term) -> Term:
        if len(formals) != len(args):
            raise SortError(f"{name} takes {len(formals)} arguments, not {len(args)}")
        given = {}
        for formal, arg in zip(formals, args, strict=True):
            given[formal] = actual = converted(arg, formal.sort)
            if actual.sort is not formal.sort:
                raise SortError(f"{name} expects {formal.sort} for {formal.name}, got {arg.sort}")
        return substitute(body, given)

    return build
