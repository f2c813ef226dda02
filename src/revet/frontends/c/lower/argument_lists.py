"""``va_start`` and ``va_arg`` in the model (:mod:`revet.frontends.c.reader.argument_lists`).

Functions are copied at their calls, so what a call passes beyond the named parameters is known where
``va_arg`` is met: in the copies of variadic functions that it is inside of. Their arguments have numbers, and
``va_arg`` chooses by number. Where no argument has the number, or one of another type, the behaviour is
undefined and the model ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.analysis.calling import alike
from revet.frontends.c.lower.context import Context, Frame
from revet.frontends.c.lower.places import Place
from revet.frontends.c.reader.argument_lists import MOST, NUMBER
from revet.frontends.c.types import CType, Record
from revet.logic import build as b
from revet.logic.terms import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

Argument = Term | Place


class ArgumentLists:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._count = 0

    def passed(
        self, function: ast.FunctionDef, arguments: Sequence[tuple[Argument, CType]], node: ast.Call
    ) -> tuple[tuple[Argument, CType], ...]:
        """What a call passes beyond the named parameters, kept for as long as the function runs."""
        if not function.type.variadic:
            return ()
        context = self._context
        kept: list[tuple[Argument, CType]] = []
        for number, (value, type) in enumerate(arguments[len(function.parameters) :]):
            owner = (node, "variable argument", number)
            if isinstance(value, Term):
                kept.append((context.expressions.save(owner, value, type), type))
            else:
                place = context.places.of_variable(context.calls.spill_variable(owner, type))
                context.places.copy(place, value)
                kept.append((place, type))
        return tuple(kept)

    def enter(self, frame: Frame, arguments: tuple[tuple[Argument, CType], ...]) -> None:
        """An activation of a variadic function begins."""
        if frame.function.type.variadic:
            self._count += 1
            frame.first_argument, frame.arguments = self._count * MOST, arguments

    def start(self, node: ast.Call) -> Term:
        """``va_start``: the number of the first argument."""
        frame = self._context.frame
        if frame.first_argument is None:
            raise self._context.unsupported(node.at, "va_start is not modelled here")
        return self._context.arithmetic.constant(NUMBER, frame.first_argument)

    def value(self, node: ast.VaArg) -> Term:
        """``va_arg`` of a scalar."""
        context = self._context
        number, candidates = self._candidates(node)
        found: Term | None = None
        for wanted, value, type in candidates:
            assert isinstance(value, Term)
            converted = context.expressions.convert(value, type, node.type, node.at)
            found = converted if found is None else b.ite(b.eq(number, wanted), converted, found)
        if found is None:
            return context.expressions.zero(node.type)
        return context.expressions.save((node, "argument"), found, node.type)

    def record(self, node: ast.VaArg) -> Place:
        """``va_arg`` of a structure: where it stands."""
        context = self._context
        number, candidates = self._candidates(node)
        place = context.places.of_variable(context.calls.spill_variable(node, node.type))
        join = context.flow.split(context.function)
        for wanted, value, _ in candidates:
            assert not isinstance(value, Term)
            chosen, other = (context.flow.split(context.function) for _ in range(2))
            context.flow.branch(b.eq(number, wanted), chosen, other)
            context.flow.resume(chosen)
            context.places.copy(place, value)
            context.flow.jump(join)
            context.flow.resume(other)
        context.flow.jump(join)
        context.flow.resume(join)
        return place

    def _candidates(self, node: ast.VaArg) -> tuple[Term, list[tuple[Term, Argument, CType]]]:
        """The number that is wanted, and the arguments that may have it."""
        context = self._context
        number = context.expressions.saved(node.operand)
        found: list[tuple[Term, Argument, CType]] = []
        for frame in context.frames:
            for place, (value, type) in enumerate(frame.arguments):
                if alike(type, node.type) and isinstance(type, Record) == isinstance(node.type, Record):
                    wanted = context.arithmetic.constant(NUMBER, (frame.first_argument or 0) + place)
                    found.append((wanted, value, type))
        there = b.disjunction(b.eq(number, wanted) for wanted, _, _ in found)
        context.end_unless(there, "va_arg without an argument of its type", node.at)
        return number, found
