"""``&&``, ``||`` and ``?:`` with side effects in their operands: control flow instead of a formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.types import CType
from revet.logic import build as b
from revet.logic.terms import Term
from revet.model.cfa import Location

if TYPE_CHECKING:
    from revet.frontends.c.lower.context import Context
    from revet.frontends.c.lower.expressions import Expressions


class Branching:
    def __init__(self, context: Context, expressions: Expressions) -> None:
        self.context = context
        self.expressions = expressions

    def value(self, node: ast.Logical | ast.Conditional, type: CType) -> Term:
        """The value in a temporary that both branches set."""
        context = self.context
        result = context.temporary(node, "value", type)
        then, otherwise, join = (context.flow.split(context.function) for _ in range(3))
        if isinstance(node, ast.Logical):
            self.branch(node, then, otherwise)
            truth = self.expressions.from_truth
            values: list[Callable[[], Term]] = [lambda: truth(type, b.TRUE), lambda: truth(type, b.FALSE)]
        else:
            self.branch(node.condition, then, otherwise)
            evaluate = self.expressions.value
            values = [lambda: evaluate(node.then), lambda: evaluate(node.otherwise)]
        for start, arm in ((then, values[0]), (otherwise, values[1])):
            context.flow.resume(start)
            context.flow.assign(result, arm())
            context.flow.jump(join)
        context.flow.resume(join)
        return result

    def effect(self, node: ast.Expr) -> None:
        context = self.context
        then, otherwise, join = (context.flow.split(context.function) for _ in range(3))
        if isinstance(node, ast.Conditional):
            self.branch(node.condition, then, otherwise)
            for start, arm in ((then, node.then), (otherwise, node.otherwise)):
                context.flow.resume(start)
                self.expressions.effect(arm)
                context.flow.jump(join)
        else:
            self.branch(node, then, otherwise)
            for start in (then, otherwise):
                context.flow.resume(start)
                context.flow.jump(join)
        context.flow.resume(join)

    def branch(self, condition: ast.Expr, then: Location, otherwise: Location) -> None:
        """Control flow on a condition; ``&&`` and ``||`` jump only where they must."""
        if self.context.evaluation.pending(condition):
            self.context.evaluation.of(condition, lambda: self.branch(condition, then, otherwise))
            return
        match condition:
            case ast.Unary("!", operand):
                self.branch(operand, otherwise, then)
                return
            case ast.Logical(op, left, right) if self.context.effects(right):
                middle = self.context.flow.split(self.context.function)
                if op == "&&":
                    self.branch(left, middle, otherwise)
                else:
                    self.branch(left, then, middle)
                self.context.flow.resume(middle)
                self.branch(right, then, otherwise)
                return
        self.context.flow.branch(self.expressions.truth(condition), then, otherwise)
