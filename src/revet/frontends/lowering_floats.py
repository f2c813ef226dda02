"""Floating point in the small languages (only THETA's automata have it)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from revet.frontends.syntax import Expr
from revet.logic.sorts import Sort
from revet.logic.terms import Term

if TYPE_CHECKING:
    from revet.frontends.lowering import Lowering


def lower_float(lowering: Lowering, node: Expr, terms: Sequence[Term]) -> Term:
    raise lowering.source.unsupported("floating point is not supported", node.offset)


def evaluate_float(node: Expr, sort: Sort, sorts: Sequence[Sort], args: Sequence[Any]) -> Any:
    raise AssertionError(f"no meaning for {node.op} on floats")
