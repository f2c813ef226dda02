"""Expressions as terms.

Functions with a body are definitions and expanded. A function without one is an unknown but fixed
map: a constant of the run, which has an array in the automaton, so that a counterexample says what it
is. The same holds for division by zero, which SMT-LIB leaves open: ``x div 0`` is an unknown function
of ``x``, and so are ``x mod 0`` and ``x / 0.0``; literal divisors other than zero need none of this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from revet.errors import Position
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.lower_builtins import CONST_ARRAY, builtin_of, term_of
from revet.frontends.boogie.lower_types import Names, numbered, sort_of
from revet.logic import build as b
from revet.logic.sorts import INT, REAL, Array, ArraySort, Sort
from revet.logic.terms import Term

Unknown = tuple[object, ...]
"""What an unknown map stands for: a function with its types, or ``(operator,)`` for division by zero."""


@dataclass(frozen=True, eq=False)
class Scope:
    """What the names mean at a place: ``old`` has the globals that differ from their value at entry."""

    variables: Mapping[s.Variable, Term]
    old: Mapping[s.Variable, Term]

    def inside_old(self) -> Scope:
        return Scope({**self.variables, **self.old}, self.old)

    def binding(self, more: Mapping[s.Variable, Term]) -> Scope:
        return Scope({**self.variables, **more}, self.old)


_COMPARISONS: dict[str, Callable[[Term, Term], Term]] = {
    "<": b.lt, "<=": b.le, ">": b.gt, ">=": b.ge,
}
_PLAIN: dict[str, Callable[[Term, Term], Term]] = {
    "<==>": b.eq, "==>": b.implies, "&&": b.and_, "||": b.or_, "==": b.eq,
    "!=": lambda x, y: b.not_(b.eq(x, y)), "++": b.concat, "+": b.add, "-": b.sub, "*": b.mul,
    **_COMPARISONS,
}
_DIVISIONS: dict[str, tuple[Callable[[Term, Term], Term], Sort]] = {
    "div": (b.div, INT), "mod": (b.mod, INT), "/": (b.rdiv, REAL),
}


class Expressions:
    """``shared`` are constants and globals; ``unknowns`` the maps that stand for functions."""

    def __init__(self, checked: s.Checked, names: Names) -> None:
        self.program = checked.program
        self.names = names
        self.numbers = numbered(checked.constants.values())
        self.shared: dict[s.Variable, Term] = {}
        self.unknowns: dict[Unknown, Term] = {}
        defined = _defined(checked)
        for variable in (*checked.constants.values(), *checked.globals.values()):
            if variable in self.numbers:
                self.shared[variable] = b.integer(self.numbers[variable])
            elif variable in defined:
                self.shared[variable] = self.term(defined[variable], Scope({}, {}))
            else:
                self.shared[variable] = names.variable(variable.name, self.sort(variable))
        self._expanded: dict[tuple[s.Function, tuple[Term, ...]], Term] = {}
        self._expanding: dict[s.Function, None] = {}

    def sort(self, variable: s.Variable) -> Sort:
        return sort_of(variable.type, self.program, variable.position)

    def term(self, expr: s.Expr, scope: Scope) -> Term:
        match expr:
            case s.Name(variable=variable):
                return self._variable(variable, scope)
            case s.BoolLiteral(value=truth):
                return b.boolean(truth)
            case s.IntLiteral(value=number):
                return b.integer(number)
            case s.RealLiteral(value=number):
                return b.real(number)
            case s.BitVectorLiteral(value=number, width=width) if width > 0:
                return b.bv(number, width)
            case s.Unary(operator=operator, argument=argument):
                value = self.term(argument, scope)
                return b.not_(value) if operator == "!" else b.neg(value)
            case s.Binary():
                return self._binary(expr, scope)
            case s.IfThenElse(condition=condition, then=then, otherwise=otherwise):
                return b.ite(*(self.term(part, scope) for part in (condition, then, otherwise)))
            case s.Application():
                return self._application(expr, scope)
            case s.Coercion(target=target, argument=argument):
                value = self.term(argument, scope)
                if (target == "real") == (value.sort is REAL):
                    return value
                return b.to_real(value) if target == "real" else b.to_int(value)
            case s.Select() | s.Store():
                return self._map(expr, scope)
            case s.Extract(argument=argument, high=high, low=low) if high > low:
                return b.extract(high - 1, low, self.term(argument, scope))
            case s.Old(argument=argument):
                return self.term(argument, scope.inside_old())
            case s.Quantifier(kind=kind):
                raise self.program.unsupported(f"{kind} in this place is not supported", expr.position)
        raise self.program.unsupported("bit-vectors without bits are not supported", expr.position)

    def _variable(self, variable: s.Variable, scope: Scope) -> Term:
        found = scope.variables.get(variable)
        return self.shared[variable] if found is None else found

    def _binary(self, expr: s.Binary, scope: Scope) -> Term:
        left = self.term(expr.left, scope)
        right = self.term(expr.right, scope)
        division = _DIVISIONS.get(expr.operator)
        if division is not None:
            return self._division(expr.operator, left, right, *division)
        plain = _PLAIN.get(expr.operator)
        if plain is None:
            raise self.program.unsupported(f"the operator {expr.operator} is not supported", expr.position)
        return plain(left, right)

    def _division(
        self, operator: str, left: Term, right: Term, divide: Callable[[Term, Term], Term], sort: Sort
    ) -> Term:
        if sort is REAL:  # between an integer and a real
            left, right = (x if x.sort is REAL else b.to_real(x) for x in (left, right))
        if right.is_const and right.value != 0:
            return divide(left, right)
        name = {"div": "div0", "mod": "mod0", "/": "divided_by_0"}[operator]
        undefined = self._unknown((operator,), name, Array(sort, sort))
        zero = b.const(0, sort)
        return b.ite(b.eq(right, zero), b.select(undefined, left), divide(left, right))

    def _unknown(self, key: Unknown, stem: str, sort: Sort) -> Term:
        found = self.unknowns.get(key)
        if found is None:
            found = self.unknowns[key] = self.names.variable(stem, sort)
        return found

    # ---- maps -------------------------------------------------------------------------------

    def _map(self, expr: s.Select | s.Store, scope: Scope) -> Term:
        base = self.term(expr.map, scope)
        indices = [self.term(index, scope) for index in expr.indices]
        if isinstance(expr, s.Select):
            for index in indices:
                base = b.select(base, index)
            return base
        return stored(base, indices, self.term(expr.value, scope))

    # ---- functions --------------------------------------------------------------------------

    def _application(self, expr: s.Application, scope: Scope) -> Term:
        arguments = [self.term(argument, scope) for argument in expr.arguments]
        function = expr.function
        if function.body is not None:
            return self._expansion(function, function.body, tuple(arguments), expr.position)
        builtin = builtin_of(function, self.program)
        if builtin is not None and builtin.operator == CONST_ARRAY:
            return self._everywhere(expr, arguments)
        if builtin is not None:
            return term_of(builtin, arguments)
        types = tuple(argument.type for argument in expr.arguments)
        domain = [sort_of(type, self.program, expr.position) for type in types]
        sort = sort_of(expr.type, self.program, expr.position)
        for index in reversed(domain):
            if isinstance(index, ArraySort):
                message = f"the function {function.name} of maps without a body"
                raise self.program.unsupported(message, expr.position)
            sort = Array(index, sort)
        made = self._unknown((function, types, expr.type), function.name, sort)
        for argument in arguments:
            made = b.select(made, argument)
        return made

    def _expansion(
        self, function: s.Function, body: s.Expr, arguments: tuple[Term, ...], at: Position
    ) -> Term:
        found = self._expanded.get((function, arguments))
        if found is None:
            if function in self._expanding:
                raise self.program.unsupported(f"{function.name} is recursive, which is not supported", at)
            self._expanding[function] = None
            bound = dict(zip(function.parameters, arguments, strict=True))
            found = self.term(body, Scope(bound, {}))
            del self._expanding[function]
            self._expanded[function, arguments] = found
        return found

    def _everywhere(self, expr: s.Application, arguments: list[Term]) -> Term:
        """``{:const_array}``: the map of the function's type that has its argument everywhere."""
        sort = sort_of(expr.type, self.program, expr.position)
        levels: list[ArraySort] = []
        while isinstance(sort, ArraySort) and sort is not arguments[0].sort:
            levels.append(sort)
            sort = sort.element
        if sort is not arguments[0].sort:
            raise self.program.unsupported(f"{expr.name} does not make a map of its argument", expr.position)
        made = arguments[0]
        for level in reversed(levels):
            made = b.const_array(level, made)
        return made


def _defined(checked: s.Checked) -> dict[s.Variable, s.Expr]:
    """Constants that an axiom equates with a literal: they are that literal."""
    found: dict[s.Variable, s.Expr] = {}
    parts = [axiom.formula for axiom in checked.axioms]
    for part in parts:
        match part:
            case s.Binary(operator="&&", left=left, right=right):
                parts += [left, right]
            case s.Binary(operator="==", left=s.Name(variable=constant), right=value) | s.Binary(
                operator="==", left=value, right=s.Name(variable=constant)
            ):
                if isinstance(value, s.BoolLiteral | s.IntLiteral | s.RealLiteral | s.BitVectorLiteral):
                    found.setdefault(constant, value)
    return found


def stored(base: Term, indices: list[Term], value: Term) -> Term:
    """``base[indices := value]`` for a map of maps."""
    inner = [base]
    for index in indices[:-1]:
        inner.append(b.select(inner[-1], index))
    for place, index in zip(reversed(inner), reversed(indices), strict=True):
        value = b.store(place, index, value)
    return value
