"""The type checker on ``match``: patterns become tests and selections, and must cover all values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.lustre.check_types import conjunction
from revet.frontends.lustre.core import Const, Expr, If, Op, Select, Test
from revet.frontends.lustre.syntax import Match, Pattern
from revet.frontends.lustre.types import BOOL, Datatype, Enum, Type, compatible, plain

if TYPE_CHECKING:
    from revet.frontends.lustre.check_types import Types


class Matching:
    """One ``match``: what each arm tests and binds."""

    def __init__(self, types: Types, match: Match, subject: Expr) -> None:
        self.types = types
        self.match = match
        self.subject = subject
        if not isinstance(subject.type, (Datatype, Enum)):
            raise types.error(f"'match' takes a datatype, this is a {subject.type}", match.position)
        rows: list[tuple[Pattern, ...]] = [(pattern,) for pattern, _ in match.arms]
        if not self._covers(rows, (subject.type,)):
            raise types.error("the arms of this match do not cover every value", match.position)
        self.arms = self._arms()

    def _arms(self) -> list[tuple[list[Expr], dict[str, Expr]]]:
        """For each arm the tests and the variables."""
        found = []
        for pattern, _ in self.match.arms:
            tests: list[Expr] = []
            names: dict[str, Expr] = {}
            self._bind(pattern, self.subject, tests, names)
            found.append((tests, names))
        return found

    def _number(self, pattern: Pattern, type_: Type) -> int | None:
        """Which constructor the pattern asks for; None if it takes any value."""
        names: list[str] = []
        if isinstance(type_, Datatype):
            names = [constructor.name for constructor in type_.constructors]
        elif isinstance(type_, Enum):
            names = list(type_.values)
        if pattern.name in names:
            return names.index(pattern.name)
        if pattern.arguments is not None:
            raise self.types.error(f"{type_} has no constructor {pattern.name}", pattern.position)
        return None

    def _fields(self, pattern: Pattern, type_: Type, number: int) -> tuple[Type, ...]:
        fields = type_.constructors[number].fields if isinstance(type_, Datatype) else ()
        if len(pattern.arguments or ()) != len(fields):
            message = f"{pattern.name} has {len(fields)} fields"
            raise self.types.error(message, pattern.position)
        return tuple(plain(part) for _, part in fields)

    def _bind(self, pattern: Pattern, value: Expr, tests: list[Expr], names: dict[str, Expr]) -> None:
        at, number = pattern.position, self._number(pattern, value.type)
        if number is None:
            if pattern.name != "_":
                if pattern.name in names:
                    raise self.types.error(f"{pattern.name} occurs twice in the pattern", at)
                names[pattern.name] = value
            return
        fields = self._fields(pattern, value.type, number)
        if isinstance(value.type, Enum):
            tests.append(Op(at, BOOL, "=", (value, Const(at, value.type, number))))
        else:
            tests.append(Test(at, BOOL, value, number))
        for k, (inner, part) in enumerate(zip(pattern.arguments or (), fields, strict=True)):
            self._bind(inner, Select(at, part, value, number, k, True), tests, names)

    def _covers(self, rows: list[tuple[Pattern, ...]], types: tuple[Type, ...]) -> bool:
        """Does every tuple of values match one of the rows?"""
        if not types:
            return bool(rows)
        first, rest = types[0], types[1:]
        asked = [self._number(row[0], first) for row in rows]
        if all(number is None for number in asked):
            return self._covers([row[1:] for row in rows], rest)
        assert isinstance(first, (Datatype, Enum))
        count = len(first.constructors if isinstance(first, Datatype) else first.values)
        for number in range(count):
            parts = (
                tuple(plain(part) for _, part in first.constructors[number].fields)
                if isinstance(first, Datatype) else ()
            )
            chosen = []
            for row, wanted in zip(rows, asked, strict=True):
                if wanted == number:
                    self._fields(row[0], first, number)
                    chosen.append((*(row[0].arguments or ()), *row[1:]))
                elif wanted is None:
                    anything = Pattern(row[0].position, "_", None)
                    chosen.append((*([anything] * len(parts)), *row[1:]))
            if not self._covers(chosen, (*parts, *rest)):
                return False
        return True

    def result(self, values: list[Expr]) -> Expr:
        """The arms' values as one expression; of an arm, what is not taken is not evaluated."""
        for value in values[1:]:
            if not compatible(value.type, values[0].type):
                raise self.types.error(
                    f"this arm is a {value.type}, the first one a {values[0].type}", value.position
                )
        found = values[-1]
        for (tests, _), value in zip(reversed(self.arms[:-1]), reversed(values[:-1]), strict=True):
            condition = conjunction(tests, value.position)
            found = If(value.position, value.type, condition, value, found, True) if tests else value
        return found
