"""Evaluation where some variables may have any value: what is true or false whatever these are.

Kleene's strong three-valued logic: a term is :data:`OPEN` unless the values that are known decide it. So
"false" here is false under every choice, and open may be either.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from revet.logic.evaluate import Evaluator
from revet.logic.terms import Op, Term
from revet.logic.values import Value


class _Open:
    """Equal to nothing but itself."""

    def __repr__(self) -> str:
        return "open"


OPEN: Final[Any] = _Open()


class OpenEvaluator(Evaluator):
    """Variables without a value are open. For terms without quantifiers and functions."""

    def __init__(self, valuation: Mapping[Term, Value]) -> None:
        super().__init__(valuation)

    def _node(self, node: Term, arguments: list[Any]) -> Value:
        op = node.op
        if op == Op.VAR:
            return self._unknown()
        if not any(value is OPEN for value in arguments):
            return super()._node(node, arguments)
        if op in (Op.AND, Op.OR):
            decided = op == Op.OR
            return decided if decided in arguments else self._unknown()
        if op == Op.ITE:
            condition, then, otherwise = arguments
            if condition is not OPEN:
                chosen: Value = then if condition else otherwise
                return chosen
        return self._unknown()

    def _unknown(self) -> Value:
        value: Value = OPEN
        return value
