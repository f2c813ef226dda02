"""Expressions on values: what the interpreter knows of Boogie's operators, apart from the lowering.

Values are those of :mod:`revet.logic.values` (a map of several indices is a map of maps), and
:data:`UNDECIDED` for a quantifier that the witnesses at hand do not decide. It spreads to everything
that needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import Any, Final

from revet.errors import Position, Unsupported
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.interpret_bits import bits
from revet.frontends.boogie.lower_builtins import CONST_ARRAY, builtin_of
from revet.frontends.boogie.lower_types import sort_of
from revet.logic.values import ArrayValue, same


class Undecided:
    def __repr__(self) -> str:
        return "undecided"


class Huge(Exception):
    """A number that would take all memory: squares of squares of squares."""

    def __init__(self, at: Position) -> None:
        super().__init__(str(at))
        self.at = at


_MOST_BITS = 1 << 20


def _bits(number: int | Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


class Overapproximated(Exception):
    """A function that is declared ``{:overapproximation "…"}`` allows more than what it stands for does:
    a run in which it is applied shows nothing."""

    def __init__(self, expr: s.Application) -> None:
        super().__init__(f"{expr.name} is an overapproximation: this run may not exist")
        self.at = expr.position


UNDECIDED: Final = Undecided()
Witnesses = Mapping[s.Quantifier, Sequence[tuple[Any, ...]]]
Key = tuple[object, ...]


@dataclass(slots=True)
class Environment:
    """``local`` are those of the activation, ``old`` the globals at its entry (none: as they are)."""

    shared: Mapping[s.Variable, Any]
    local: dict[s.Variable, Any]
    old: Mapping[s.Variable, Any] = field(default_factory=dict)
    past: bool = False  # inside old(…)

    def __getitem__(self, variable: s.Variable) -> Any:
        if variable.kind not in ("global", "constant"):
            return self.local[variable]
        if self.past and variable in self.old:
            return self.old[variable]
        return self.shared[variable]


class Evaluator:
    """``unknown`` gives the map that stands for a function without a body, or for division by zero."""

    def __init__(self, program: s.Program, unknown: Callable[[Key, s.Expr], Any]) -> None:
        self.program = program
        self.unknown = unknown
        self.witnesses: Witnesses = {}
        self.on_read: Callable[[s.Variable, Any], None] | None = None

    def __call__(self, expr: s.Expr, environment: Environment) -> Any:
        return self._value(expr, environment)

    def _value(self, expr: s.Expr, env: Environment) -> Any:
        match expr:
            case s.Name(variable=variable):
                if self.on_read is not None and not env.past:
                    self.on_read(variable, env[variable])
                return env[variable]
            case (
                s.IntLiteral(value=literal) | s.BoolLiteral(value=literal)
                | s.RealLiteral(value=literal) | s.BitVectorLiteral(value=literal)
            ):
                return literal
            case s.Binary(operator=operator, left=left, right=right):
                return self._binary(expr, operator, self._value(left, env), self._value(right, env))
            case s.Unary(operator=operator, argument=argument):
                value = self._value(argument, env)
                if value is UNDECIDED:
                    return value
                return not value if operator == "!" else -value
            case s.IfThenElse(condition=condition, then=then, otherwise=otherwise):
                chosen = self._value(condition, env)
                if chosen is UNDECIDED:
                    return chosen
                return self._value(then if chosen else otherwise, env)
            case s.Old(argument=argument):
                return self._value(argument, Environment(env.shared, env.local, env.old, True))
            case s.Quantifier(kind="forall" | "exists"):
                return self._quantifier(expr, env)
            case s.Application():
                return self._application(expr, env)
        parts = [self._value(part, env) for part in s.children(expr)]
        return UNDECIDED if UNDECIDED in parts else self._strict(expr, parts)

    def _strict(self, expr: s.Expr, parts: list[Any]) -> Any:
        match expr:
            case s.Coercion(target=target):
                return Fraction(parts[0]) if target == "real" else floor(parts[0])
            case s.Select():
                value = parts[0]
                for index in parts[1:]:
                    value = value.select(index)
                return value
            case s.Store():
                return stored(parts[0], parts[1:-1], parts[-1])
            case s.Extract(high=high, low=low):
                return (parts[0] >> low) % (1 << (high - low))
        raise self._unsupported(expr)

    def _unsupported(self, expr: s.Expr) -> Unsupported:
        found = self.program.unsupported("the interpreter does not know this expression", expr.position)
        assert isinstance(found, Unsupported)
        return found

    # ---- operators --------------------------------------------------------------------------

    def _binary(self, expr: s.Binary, operator: str, one: Any, two: Any) -> Any:
        if one is UNDECIDED or two is UNDECIDED:
            return _kleene(operator, one, two)
        match operator:
            case "&&":
                return one and two
            case "||":
                return one or two
            case "==>":
                return not one or two
            case "==" | "<==>":
                return self._same(expr, one, two)
            case "!=":
                return not self._same(expr, one, two)
            case "<":
                return one < two
            case "<=":
                return one <= two
            case ">":
                return one > two
            case ">=":
                return one >= two
            case "+":
                return one + two
            case "-":
                return one - two
            case "*":
                if _bits(one) + _bits(two) > _MOST_BITS:
                    raise Huge(expr.position)
                return one * two
            case "div" | "mod" | "/":
                return self._division(expr, operator, one, two)
            case "++":
                width = expr.right.type
                assert isinstance(width, s.BitVectorType)
                return one << width.width | two
        raise self._unsupported(expr)

    def _same(self, expr: s.Binary, one: Any, two: Any) -> bool:
        if isinstance(one, ArrayValue):
            return same(one, two, sort_of(expr.left.type, self.program, expr.position))
        return bool(one == two)

    def _division(self, expr: s.Expr, operator: str, one: Any, two: Any) -> Any:
        if two == 0:
            return self.unknown((operator,), expr).select(Fraction(one) if operator == "/" else one)
        if operator == "/":
            return Fraction(one) / Fraction(two)
        quotient = one // two if two > 0 else -(one // -two)
        return quotient if operator == "div" else one - quotient * two

    # ---- functions and quantifiers ----------------------------------------------------------

    def _application(self, expr: s.Application, env: Environment) -> Any:
        arguments = [self._value(argument, env) for argument in expr.arguments]
        if UNDECIDED in arguments:
            return UNDECIDED
        function = expr.function
        if any(one.name == "overapproximation" for one in function.attributes):
            raise Overapproximated(expr)
        if function.body is not None:
            bound = dict(zip(function.parameters, arguments, strict=True))
            return self._value(function.body, Environment(env.shared, bound))
        builtin = builtin_of(function, self.program)
        if builtin is not None and builtin.operator == CONST_ARRAY:
            return _everywhere(expr, arguments[0])
        if builtin is not None:
            types = (one.type for one in expr.arguments)
            widths = [type.width if isinstance(type, s.BitVectorType) else 0 for type in types]
            return bits(builtin.operator, builtin.indices, arguments, widths)
        domain = tuple(argument.type for argument in expr.arguments)
        value = self.unknown((function, domain, expr.type), expr)
        for argument in arguments:
            value = value.select(argument)
        return value

    def _quantifier(self, expr: s.Quantifier, env: Environment) -> Any:
        """A witness shows an ``exists`` true or a ``forall`` false; nothing else is known of them."""
        deciding = expr.kind == "exists"
        for values in self.witnesses.get(expr, ()):
            bound = dict(zip(expr.variables, values, strict=True))
            inside = Environment(env.shared, {**env.local, **bound}, env.old, env.past)
            if self._value(expr.body, inside) is deciding:
                return deciding
        return UNDECIDED


def _kleene(operator: str, one: Any, two: Any) -> Any:
    """Connectives that know their value without knowing all their arguments."""
    if operator == "&&":
        return False if one is False or two is False else UNDECIDED
    if operator == "||":
        return True if one is True or two is True else UNDECIDED
    if operator == "==>":
        return True if one is False or two is True else UNDECIDED
    return UNDECIDED


def stored(value: Any, indices: Sequence[Any], new: Any) -> Any:
    """A map with one entry changed; the indices after the first belong to the maps inside."""
    below = [value]
    for index in indices[:-1]:
        below.append(below[-1].select(index))
    for place, index in zip(reversed(below), reversed(indices), strict=True):
        new = place.store(index, new)
    return new


def _everywhere(expr: s.Application, value: Any) -> Any:
    type = expr.type
    while isinstance(type, s.MapType) and type is not expr.arguments[0].type:
        for _ in type.domain:
            value = ArrayValue(value)
        type = type.range
    return value
