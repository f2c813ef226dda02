"""Operations that round: in the default mode, or in the one that a variable of our own holds.

In a program that may call ``fesetround`` an operation is a choice between its results in the modes; where
they are the same there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.library.rounding import FOLLOWED, MODES, NUMBERS, OTHER_NUMBERS, numbers_known
from revet.logic import build as b
from revet.logic.terms import Term

if TYPE_CHECKING:
    from revet.frontends.c.lower.context import Context


def rounded(context: Context, make: Callable[[str], Term]) -> Term:
    """What ``make`` gives for the mode that is in force."""
    result = make("RNE")
    if not context.rounds:
        return result
    for mode, number in NUMBERS.items():
        if mode != "RNE":
            result = b.ite(b.eq(_mode(context), _constant(context, number)), make(mode), result)
    return result


def start(context: Context) -> None:
    """A program starts in the default mode."""
    if context.rounds:
        main = context.program.functions[context.program.start]
        context.flow.enter(ast.Span(main.position, main.position, "arithmetic rounds to nearest"), "globals")
        context.flow.assign(_mode(context), _constant(context, NUMBERS["RNE"]))
        context.assumptions.setdefault(FOLLOWED)


def change(context: Context, node: ast.Call, wanted: Term) -> Term:
    """``fesetround``: zero, and the mode; another number, and no change, if there is no such mode."""
    if not numbers_known():
        raise context.unsupported(node.at, OTHER_NUMBERS)
    known = b.disjunction([b.eq(wanted, _constant(context, number)) for number in MODES])
    failed = context.temporary(node, "failed", context.model.int)
    context.flow.assign(failed, b.ite(known, _constant(context, 0), _constant(context, 1)))
    context.flow.assign(_mode(context), b.ite(known, wanted, _mode(context)))
    return failed


def current(context: Context, node: ast.Call) -> Term:
    """``fegetround``, as it is now."""
    if not context.rounds:
        return _constant(context, NUMBERS["RNE"])
    held = context.temporary(node, "rounding", context.model.int)
    context.flow.assign(held, _mode(context))
    return held


def _mode(context: Context) -> Term:
    return context.symbols.own("$rounding", context.model.int)


def _constant(context: Context, number: int) -> Term:
    return context.arithmetic.constant(context.model.int, number)
