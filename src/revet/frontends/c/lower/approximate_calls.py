"""``--approximate``: library functions that are known and not modelled.

Such a function may return any value and leave any values in the memory that its arguments lead to. That is
all that those of the white list (:func:`revet.frontends.c.symbols.computes`) can do, if they are given no
function to call back, no pointer to store or return, and change no state that other functions look at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c.analysis.storage import Mode
from revet.frontends.c.analysis.views import scalars
from revet.frontends.c.symbols import computes
from revet.frontends.c.types import Function, Pointer, Record, Void

if TYPE_CHECKING:
    from revet.errors import Unsupported
    from revet.frontends.c import ast
    from revet.frontends.c.analysis.classes import Node
    from revet.frontends.c.library.table import Row
    from revet.frontends.c.lower.context import Context
    from revet.logic.terms import Term

_STATE = ("<setjmp.h>", "<fenv.h>", "<signal.h>", "<locale.h>", "<threads.h>")
_OTHERS = ("atexit", "on_exit", "at_quick_exit", "lgamma", "lgammaf")  # they act later, or set a variable


def approximated(context: Context, node: ast.Call, row: Row, problem: Unsupported) -> Term | None:
    """The value of a refused call, if any value will do; raises ``problem`` otherwise."""
    if not context.options.approximate or context.undefined_checked or not _only_computes(node, row):
        raise problem
    if "__errno_location" in context.program.functions:  # which the function may set
        raise problem
    pointers = [argument for argument in node.arguments if isinstance(argument.type, Pointer)]
    targets = [context.storage.points_to.target(pointer).find() for pointer in pointers]
    if not all(_has_numbers_only(context, target) for target in targets):
        raise problem
    context.expressions.sequence(node.arguments)
    for pointer, target in zip(pointers, targets, strict=True):
        _havoc(context, pointer, target)
    if not isinstance(node.type, Void):
        return context.any_value(node, node.type, node.at, problem)
    context.precise = False
    context.approximated.setdefault(f"any effect at {node.at}: {problem.message}")
    return None


def _only_computes(node: ast.Call, row: Row) -> bool:
    if not computes(row.name) or row.header in _STATE or row.name in _OTHERS:
        return False
    if isinstance(node.type, Pointer):
        return False
    return not any(
        isinstance(argument.type, Record)
        or (isinstance(argument.type, Pointer) and isinstance(argument.type.target, Function | Pointer))
        for argument in node.arguments
    )


def _has_numbers_only(context: Context, target: Node) -> bool:
    """Is there no pointer and no bit-field in the memory that an argument leads to?"""
    types = [variable.type for variable in context.storage.addressed(target)]
    types += [*target.casts, *target.pointed_types]
    inside = [scalar for type in types if not isinstance(type, Void) for _, scalar in scalars(type)]
    pointers = any(name == "pointer" for name, _ in target.kinds) or any(
        isinstance(scalar, Pointer) for scalar in inside
    )
    return not pointers and not target.bit_fields and not target.foreign


def _havoc(context: Context, pointer: ast.Expr, target: Node) -> None:
    if context.storage.mode(target) is Mode.SPLIT:
        for variable in context.storage.addressed(target):
            for depth in range(context.storage.activations(variable)):
                context.places.havoc(context.places.of_variable(variable, depth))
        return
    region = context.memory.region_of_pointer(pointer)
    for type in context.memory.whole.block_layout(region)[0]:
        context.memory.whole.havoc_scalars(pointer, type)
