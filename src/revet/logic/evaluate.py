"""Evaluation of a term under a valuation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from revet.errors import ModelError
from revet.logic.semantics import apply_operator
from revet.logic.terms import FunctionSymbol, Op, Term
from revet.logic.values import Value
from revet.logic.walk import bottom_up, free_vars

Functions = Mapping[FunctionSymbol, Callable[..., Value]]


def evaluate(term: Term, valuation: Mapping[Term, Value], functions: Functions | None = None) -> Value:
    """The value of ``term``; every free variable needs a value in ``valuation``.

    Quantifiers over Booleans, bit-vectors and linear comparisons of numbers are decided
    (:mod:`revet.logic.quantified`), others raise :class:`revet.errors.ModelError`.
    """
    if not term.quantified:  # of the many variables of a state, most terms have few
        known = {x: valuation[x] for x in free_vars(term) if x in valuation}
    else:
        known = dict(valuation)
        from revet.logic.quantified import truth

        stack = [term]
        while stack:
            node = stack.pop()
            if node.op in (Op.FORALL, Op.EXISTS):
                known[node] = truth(node, valuation, functions or {})
            elif node.quantified and node not in known:
                stack.extend(node.args)
    return bottom_up(term, known, Evaluator(known, functions)._node)


class Evaluator:
    """Evaluates many terms under one valuation, remembering shared parts."""

    def __init__(self, valuation: Mapping[Term, Value], functions: Functions | None = None) -> None:
        self._values: dict[Term, Value] = dict(valuation)
        self._functions = functions or {}

    def __call__(self, term: Term) -> Value:
        values = self._values
        if term in values:
            return values[term]
        if term.quantified:
            return evaluate(term, values, self._functions)
        return bottom_up(term, values, self._node)

    def define(self, variable: Term, value: Value) -> None:
        """Give a value to a variable that had none so far."""
        self._values[variable] = value

    def _node(self, node: Term, arguments: list[Any]) -> Value:
        if node.op == Op.CONST:
            return node.value
        if node.op == Op.VAR:
            raise ModelError(f"no value for variable {node.name}")
        if node.op == Op.APPLY:
            function = self._functions.get(node.payload)
            if function is None:
                raise ModelError(f"no interpretation for function {node.payload.name}")
            return function(*arguments)
        if node.op in (Op.FORALL, Op.EXISTS):
            raise ModelError("a quantified formula cannot be evaluated")
        return apply_operator(
            node.op, node.payload, node.sort, [arg.sort for arg in node.args], arguments
        )


