"""SMT-LIB 2 text to terms and problems.

A machine with two stacks reads a term: ``work`` holds what is still to do, ``done`` the terms
built so far, so nesting costs no Python stack. Names bound by ``let`` and quantifiers are in
``_bound`` while their body is read. Errors are :class:`InputError` with line and column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from revet.errors import InputError, SortError, Unsupported
from revet.logic import build as b
from revet.logic.sexpr import Atom, Expression, Group, Source
from revet.logic.smtlib_ops import MODES, OPERATORS, indexed, indexed_constant
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
)
from revet.logic.terms import FunctionSymbol, Term
from revet.logic.walk import substitute

_T = TypeVar("_T")


@dataclass
class Script:
    """What a script declares and asserts."""

    logic: str | None = None
    variables: dict[str, Term] = field(default_factory=dict)
    functions: dict[str, FunctionSymbol] = field(default_factory=dict)
    assertions: list[Term] = field(default_factory=list)


def read_term(
    text: str,
    variables: Iterable[Term] = (),
    functions: Iterable[FunctionSymbol] = (),
    file: str = "<text>",
) -> Term:
    """One term over the given variables and functions."""
    script = Script(
        variables={v.name: v for v in variables}, functions={f.name: f for f in functions}
    )
    reader = _Reader(Source(text, file), script)
    expressions = list(reader.source.expressions())
    if len(expressions) != 1:
        raise reader.source.error("expected one term", expressions[1] if expressions else 0)
    return reader.term(expressions[0])


def read_script(text: str, file: str = "<text>") -> Script:
    """The declarations and assertions of a script; ``check-sat`` and the like are skipped."""
    script = Script()
    reader = _Reader(Source(text, file), script)
    for expression in reader.source.expressions():
        if not reader.command(expression):
            break
    return script


_SORTS: Mapping[str, Sort] = {
    "Bool": BOOL, "Int": INT, "Real": REAL, "Float16": Float(5, 11), "Float32": FLOAT32,
    "Float64": FLOAT64, "Float128": Float(15, 113),
}
_SKIPPED = ("set-info", "set-option", "check-sat", "get-model", "get-value", "get-unsat-core", "echo")


class _Reader:
    def __init__(self, source: Source, script: Script) -> None:
        self.source = source
        self.script = script
        self._macros: dict[str, tuple[list[Term], Term]] = {}
        self._sorts: dict[str, Sort] = dict(_SORTS)
        self._bound: dict[str, list[Term]] = {}

    # ------------------------------------------------------------------ commands

    def command(self, expression: Expression) -> bool:
        """Carries out one command; False at ``exit``."""
        items = self._items(expression, "a command")
        name = self._symbol(items[0]) if items else ""
        match name, items[1:]:
            case "set-logic", [Atom() as logic]:
                self.script.logic = logic.text
            case "declare-const", [Atom() as symbol, sort]:
                self._declare(symbol, [], self.sort(sort))
            case "declare-fun", [Atom() as symbol, Group() as domain, range_]:
                self._declare(symbol, [self.sort(s) for s in domain.items], self.sort(range_))
            case "declare-sort", [Atom() as symbol, Atom(text="0")]:
                self._sorts[symbol.text] = self._guard(symbol, Uninterpreted, symbol.text)
            case "define-sort", [Atom() as symbol, Group(items=[]), sort]:
                self._sorts[symbol.text] = self.sort(sort)
            case "define-fun", [Atom() as symbol, Group() as parameters, sort, body]:
                self._define(symbol, parameters, self.sort(sort), body)
            case "define-const", [Atom() as symbol, sort, body]:
                self._define(symbol, Group(symbol.offset), self.sort(sort), body)
            case "assert", [formula]:
                self.script.assertions.append(self._of_sort(formula, BOOL))
            case "exit", []:
                return False
            case _ if name in _SKIPPED:
                pass
            case _:
                error = self.source.error(f"the command {name} is not supported here", expression)
                raise Unsupported(error.message, error.position, error.source_line)
        return True

    def _declare(self, symbol: Atom, domain: list[Sort], range_: Sort) -> None:
        self._require_new(symbol)
        if domain:
            self.script.functions[symbol.text] = FunctionSymbol(symbol.text, domain, range_)
        else:
            self.script.variables[symbol.text] = b.var(symbol.text, range_)

    def _define(self, symbol: Atom, parameters: Group, sort: Sort, body: Expression) -> None:
        self._require_new(symbol)
        formals = self._bind(parameters)
        value = self._of_sort(body, sort)
        self._unbind(formals)
        self._macros[symbol.text] = (formals, value)

    def _require_new(self, symbol: Atom) -> None:
        name = symbol.text
        if name in self.script.variables or name in self.script.functions or name in self._macros:
            raise self.source.error(f"{name} is declared twice", symbol)

    def _of_sort(self, expression: Expression, sort: Sort) -> Term:
        term = self.term(expression)
        if sort is REAL and term.sort is INT:
            term = b.to_real(term)
        if term.sort is not sort:
            raise self.source.error(f"expected sort {sort}, got {term.sort}", expression)
        return term

    # ------------------------------------------------------------------ sorts and names

    def sort(self, expression: Expression) -> Sort:
        if isinstance(expression, Atom):
            known = self._sorts.get(expression.text)
            if known is not None:
                return known
            raise self.source.error(f"unknown sort {expression.text}", expression)
        match [item.text if isinstance(item, Atom) else None for item in expression.items]:
            case ["_", "BitVec", str(width)] if width.isdigit():
                return self._guard(expression, BitVec, int(width))
            case ["_", "FloatingPoint", str(e), str(s)] if e.isdigit() and s.isdigit():
                return self._guard(expression, Float, int(e), int(s))
            case ["Array", _, _]:
                return Array(self.sort(expression.items[1]), self.sort(expression.items[2]))
        raise self.source.error("not a sort", expression)

    def _items(self, expression: Expression, what: str) -> list[Expression]:
        if isinstance(expression, Group):
            return expression.items
        raise self.source.error(f"expected {what} in parentheses", expression)

    def _symbol(self, expression: Expression) -> str:
        if isinstance(expression, Atom) and expression.kind == "symbol":
            return expression.text
        raise self.source.error("expected a name", expression)

    def _guard(self, where: Expression, build: Callable[..., _T], *args: Any) -> _T:
        """Runs a constructor; its complaint becomes an error at this place."""
        try:
            return build(*args)
        except InputError:
            raise
        except (SortError, ValueError, TypeError, AttributeError, IndexError) as error:
            message = str(error) if isinstance(error, (SortError, ValueError)) else "wrong arguments"
            raise self.source.error(message, where) from None

    def _bind(self, declarations: Expression) -> list[Term]:
        """``((x Int) …)``: the variables, bound from now on."""
        variables = []
        for declaration in self._items(declarations, "the bound variables"):
            parts = self._items(declaration, "a variable with its sort")
            if len(parts) != 2:
                raise self.source.error("expected a variable with its sort", declaration)
            variables.append(b.var(self._symbol(parts[0]), self.sort(parts[1])))
        for variable in variables:
            self._bound.setdefault(variable.name, []).append(variable)
        return variables

    def _unbind(self, variables: Iterable[Term]) -> None:
        for variable in variables:
            self._bound[variable.name].pop()

    # ------------------------------------------------------------------ terms

    def term(self, root: Expression) -> Term:
        done: list[Any] = []
        work: list[tuple[Any, ...]] = [("read", root)]
        while work:
            action, *rest = work.pop()
            if action == "read":
                self._read(rest[0], work, done)
            elif action == "apply":
                head, count, where = rest
                args = done[len(done) - count :]
                del done[len(done) - count :]
                done.append(self._guard(where, self._apply, head, args, where))
            elif action == "bind":  # the values of a let are on top of `done`
                names, body = rest
                values = done[len(done) - len(names) :]
                del done[len(done) - len(names) :]
                for name, value in zip(names, values, strict=True):
                    self._bound.setdefault(name, []).append(value)
                work += [("unbind", names), ("read", body)]
            elif action == "unbind":
                for name in rest[0]:
                    self._bound[name].pop()
            else:
                kind, variables, where = rest
                make = b.forall if kind == "forall" else b.exists
                done.append(self._guard(where, make, variables, done.pop()))
                self._unbind(variables)
        result: Term = done[0]
        if isinstance(result, str):
            raise self.source.error("a rounding mode is not a term", root)
        return result

    def _read(self, expression: Expression, work: list[tuple[Any, ...]], done: list[Any]) -> None:
        if isinstance(expression, Atom):
            done.append(self._atom(expression))
            return
        items = expression.items
        if not items:
            raise self.source.error("an empty list is not a term", expression)
        head = items[0].text if isinstance(items[0], Atom) else None
        if head == "let" and len(items) == 3:
            self._let(expression, work)
        elif head in ("forall", "exists") and len(items) == 3:
            variables = self._bind(items[1])
            work += [("quantify", head, variables, expression), ("read", items[2])]
        elif head == "!" and len(items) >= 2:
            work.append(("read", items[1]))
        elif head in ("_", "as"):
            done.append(self._guard(expression, self._qualified, items, expression))
        else:
            work.append(("apply", items[0], len(items) - 1, expression))
            work.extend(("read", item) for item in reversed(items[1:]))

    def _let(self, expression: Group, work: list[tuple[Any, ...]]) -> None:
        names, values = [], []
        for binding in self._items(expression.items[1], "the bindings of let"):
            pair = self._items(binding, "a binding")
            if len(pair) != 2:
                raise self.source.error("expected a name and a term", binding)
            names.append(self._symbol(pair[0]))
            values.append(pair[1])
        work.append(("bind", names, expression.items[2]))
        work.extend(("read", value) for value in reversed(values))

    def _atom(self, atom: Atom) -> Term | str:
        text = atom.text
        if atom.kind == "symbol":
            bound = self._bound.get(text)
            if bound:
                return bound[-1]
            found = self.script.variables.get(text)
            if found is not None:
                return found
            if text in self._macros:
                return self._macro(text, [])
            if text in ("true", "false"):
                return b.boolean(text == "true")
            if text in MODES:
                return MODES[text]
            raise self.source.error(f"unknown name {text}", atom)
        if atom.kind == "numeral":
            # In a logic of reals only, numerals are reals.
            logic = self.script.logic or ""
            only_reals = "RA" in logic and "I" not in logic.replace("QF_", "")
            return b.real(int(text)) if only_reals else b.integer(int(text))
        if atom.kind == "decimal":
            return b.real(Fraction(text))
        if atom.kind == "bits":
            return b.bv(int(text[2:], 2), len(text) - 2)
        if atom.kind == "hex":
            return b.bv(int(text[2:], 16), 4 * (len(text) - 2))
        raise self.source.error(f"{text} is not a term", atom)

    def _qualified(self, items: list[Expression], where: Expression) -> Term:
        """``(_ bv5 8)`` and ``(as @3 S)``: constants."""
        if isinstance(items[0], Atom) and items[0].text == "_" and len(items) > 2:
            made = indexed_constant(self._symbol(items[1]), self._indices(items[2:]))
            if made is not None:
                return made
        if isinstance(items[0], Atom) and items[0].text == "as" and len(items) == 3:
            name, sort = self._symbol(items[1]), self.sort(items[2])
            if name.startswith("@") and name[1:].lstrip("-").isdigit():
                return b.const(int(name[1:]), sort)
        raise self.source.error("unknown constant", where)

    def _indices(self, items: list[Expression]) -> list[int]:
        for item in items:
            if not isinstance(item, Atom) or item.kind != "numeral":
                raise self.source.error("expected a numeral", item)
        return [int(item.text) for item in items if isinstance(item, Atom)]

    def _apply(self, head: Expression, args: list[Any], where: Expression) -> Term:
        if isinstance(head, Group):
            return self._apply_qualified(head, args)
        function = self.script.functions.get(head.text)
        if function is not None:
            return b.apply(function, *args)
        if head.text in self._macros:
            return self._macro(head.text, args)
        operator = OPERATORS.get(head.text)
        if operator is None or head.kind != "symbol":
            raise self.source.error(f"unknown function {head.text}", head)
        return operator(*args)

    def _apply_qualified(self, head: Group, args: list[Any]) -> Term:
        items = head.items
        if len(items) == 3 and isinstance(items[0], Atom) and items[0].text == "as":
            if self._symbol(items[1]) == "const" and len(args) == 1:
                return b.const_array(self.sort(items[2]), args[0])
        elif len(items) > 2 and isinstance(items[0], Atom) and items[0].text == "_":
            made = indexed(self._symbol(items[1]), self._indices(items[2:]), args)
            if made is not None:
                return made
        raise self.source.error("unknown function", head)

    def _macro(self, name: str, args: list[Any]) -> Term:
        formals, body = self._macros[name]
        if len(formals) != len(args):
            raise SortError(f"{name} takes {len(formals)} arguments, not {len(args)}")
        for formal, arg in zip(formals, args, strict=True):
            if arg.sort is not formal.sort:
                raise SortError(f"{name} expects {formal.sort} for {formal.name}, got {arg.sort}")
        return substitute(body, dict(zip(formals, args, strict=True)))
