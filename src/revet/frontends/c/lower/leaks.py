"""Where a run ends: is there a block that was not freed?

The model counts blocks and cannot tell what leads to one: a run that it finds is a leak if the interpreter
says so. The objects that a driver passes to an entry are its caller's, whether they are freed or not, and are
counted apart. Where ``free`` may get either, it counts as one of the caller's: then the other one seems to
live, which the interpreter refutes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c.analysis.block_operations import is_given, is_on_stack
from revet.frontends.c.checks import Check
from revet.logic import build as b

if TYPE_CHECKING:
    from revet.frontends.c import ast
    from revet.frontends.c.analysis.classes import Node
    from revet.frontends.c.lower.context import Context
    from revet.frontends.c.lower.objects import Objects
    from revet.logic.terms import Term
    from revet.position import Position

_LOOKED_FOR = "leaks are looked for where a run ends"
_CALLERS = "what a driver passes belongs to the caller: that it is not freed, or no longer found, is no leak"


def start(objects: Objects) -> None:
    """Nothing was allocated."""
    sites = objects.sites()
    if not all(map(is_on_stack, sites)):
        _assign(objects, _living(objects), objects.constant(0))
    if any(map(is_given, sites)):
        _assign(objects, _callers(objects), objects.constant(0))


def made(objects: Objects, call: ast.Call) -> None:
    """A block is there from now on."""
    for count in (_living(objects), *([_callers(objects)] if is_given(call) else [])):
        _assign(objects, count, b.plus(count, objects.constant(1)))


def freed(objects: Objects, node: Node, pointer: Term) -> None:
    """``pointer``, into this class, is null or a block that is no longer there."""
    zero = objects.constant(0)
    one = b.ite(b.eq(pointer, zero), zero, objects.constant(1))
    given = [call for call in node.find().blocks if is_given(call)]
    if given and all(map(objects.is_single, given)):
        hit = b.disjunction([b.eq(pointer, objects.place_of(call)) for call in given])
        _assign(objects, _callers(objects), b.minus(_callers(objects), b.ite(hit, one, zero)))
    elif given:
        _assign(objects, _callers(objects), b.minus(_callers(objects), one))
    _assign(objects, _living(objects), b.minus(_living(objects), one))


def check_leaks(context: Context, at: Position) -> None:
    """A property of its own at this place, if it is asked for and anything is allocated."""
    objects = context.objects
    if objects is None or not objects.counts or all(map(is_on_stack, objects.sites())):
        return
    context.assumptions.setdefault(_LOOKED_FOR)
    allowed = objects.constant(0)
    if any(map(is_given, objects.sites())):
        context.assumptions.setdefault(_CALLERS)
        allowed = _callers(objects)
    check = Check.LEAK if Check.LEAK in context.checks else Check.CLEANUP
    context.require(b.eq(_living(objects), allowed), check, at)


def _living(objects: Objects) -> Term:
    """How many blocks have been allocated and not freed."""
    return objects.context.symbols.own("$living", objects.context.symbols.address_type)


def _callers(objects: Objects) -> Term:
    """How many of them are the caller's, or fewer."""
    return objects.context.symbols.own("$callers", objects.context.symbols.address_type)


def _assign(objects: Objects, count: Term, value: Term) -> None:
    objects.context.flow.assign(count, value)
