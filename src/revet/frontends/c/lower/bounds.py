"""Indices of arrays: is the element there?

An array with a name is checked by its index alone, which needs no bookkeeping. An index outside of the whole
object is one kind of error (:attr:`Check.INDEX`), an index outside of an array that is a part of an object,
though perhaps not outside of the object, another one (:attr:`Check.PART`). Where only accesses outside of
objects count, the model of a variable in parts does not know what the neighbour of a part is: it ends there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.analysis.lvalues import is_open_ended, is_whole
from revet.frontends.c.checks import Check
from revet.frontends.c.types import Array, Int, size_of
from revet.logic import build as b
from revet.logic.terms import Term

if TYPE_CHECKING:
    from revet.frontends.c.lower.context import Context
    from revet.frontends.c.lower.places import Place


def check_index(context: Context, node: ast.Index, base: Place, index: Term) -> None:
    """What reading or writing the element ``node`` of the array at ``base`` needs."""
    if context.checks.isdisjoint((Check.INDEX, Check.PART, Check.POINTER)) and not context.looks_at_pointers:
        return
    count, direct = _count(context, node), getattr(base, "pointer", None) is None
    type = node.index.type
    assert isinstance(type, Int)
    if not direct and context.objects is not None:
        near = context.objects.is_near(index, type, size_of(node.type))
        context.require(near, Check.POINTER, node.at)
    if count is None:
        if direct:
            _check_open_end(context, node, index, type)
        return
    fits = _within(context, index, type, *count)
    if is_whole(node) and Check.INDEX in context.checks:
        context.require(fits, Check.INDEX, node.at)
    elif Check.PART in context.checks:
        context.require(fits, Check.PART, node.at)
    elif direct:
        context.end_unless(fits, "an index beyond a part of an object", node.at)


def _check_open_end(context: Context, node: ast.Index, index: Term, type: Int) -> None:
    """An element of a last member without a length, in a variable: those that the type does not have may be
    there by the variable's initialiser. The model does not know."""
    if not is_open_ended(node.array):
        raise context.unsupported(node.at, "an element of an array of unknown length")
    assert isinstance(node.array.type, Array)
    count, wide = node.array.type.count or 0, Int(32, True)
    fits = _within(context, index, type, context.arithmetic.constant(wide, count), wide)
    context.end_unless(fits, "an element behind the end of a structure", node.at)


def check_length(context: Context, variable: ast.Variable) -> None:
    """An array of variable length has at least one element."""
    if variable.length is not None and Check.PART in context.checks:
        type = variable.length.type
        assert isinstance(type, Int)
        length = context.expressions.value(variable.length)
        positive = context.arithmetic.compare("<", type, context.arithmetic.constant(type, 0), length)
        context.require(positive, Check.PART, variable.position)


def _count(context: Context, node: ast.Index) -> tuple[Term, Int] | None:
    """The number of elements and its type; None if it is open."""
    array = node.array
    whole = array.variable.type if isinstance(array, ast.VarRef) else array.type  # another file may know more
    assert isinstance(whole, Array)
    if whole.count is not None and not is_open_ended(array):
        type = Int(max(32, whole.count.bit_length() + 1), True)
        return context.arithmetic.constant(type, whole.count), type
    length = array.variable.length if isinstance(array, ast.VarRef) else None
    if length is None:
        return None
    assert isinstance(length.type, Int)
    return context.expressions.value(length), length.type


def _within(context: Context, index: Term, type: Int, count: Term, count_type: Int) -> Term:
    """0 <= index < count, in a type that has both."""
    arithmetic, wide = context.arithmetic, Int(max(type.bits, count_type.bits) + 1, True)
    position = arithmetic.convert(type, wide, index)
    least = arithmetic.compare("<=", wide, arithmetic.constant(wide, 0), position)
    end = arithmetic.convert(count_type, wide, count)
    return b.and_(least, arithmetic.compare("<", wide, position, end))
