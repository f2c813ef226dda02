"""``sprintf`` and its kin write text into a buffer: any text, of any length.

What is written depends on the format and on values; the buffer's end is known to the program only. So
all characters of the buffer's class of memory get any value: more than what the call may write, never
less. The interpreter writes the real text (``interpret/formatting.py``), so that a counterexample that
depends on it is confirmed only if that is what C writes.
"""

from __future__ import annotations

import re

from revet.frontends.c import ast
from revet.frontends.c.checks import Check
from revet.frontends.c.library.uses import plain_name
from revet.frontends.c.lower.context import Context
from revet.frontends.c.reader.argument_lists import PRINTERS
from revet.frontends.c.types import CType, Int, Pointer, Void
from revet.logic.terms import Term

_CONVERSION = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]*)?(?:hh|h|ll|l|j|z|t|L|w)?(.?)", re.DOTALL)
_HARMLESS = frozenset("diuxXocspfFeEgGaA%SCZ")
_CHAR = Int(8, True, name="char")


def print_into(context: Context, name: str, node: ast.Call) -> Term | None:
    """The result is the length of the text, as far as the model knows any number."""
    element = character(name, node)
    if element is None:
        raise context.unsupported(node.at, f"{name} into a buffer of an unknown type is not modelled")
    if may_store_counts(name, node):
        raise context.unsupported(node.at, f"{name} with %n, or with pointers and an unknown format")
    if not context.checks.isdisjoint((Check.POINTER, Check.LIBRARY)):
        raise context.unsupported(node.at, f"{name} with this format, where memory is checked")
    for argument in node.arguments:
        if context.effects(argument):
            context.expressions.effect(argument)
    if not is_null(node.arguments[0]):
        context.memory.whole.havoc_scalars(node.arguments[0], element)
    if isinstance(node.type, Void):
        return None
    value = context.temporary(node, name, node.type)
    context.flow.havoc(value)
    context.assume_range(node.type, value)
    return value


def character(name: str, node: ast.Call) -> CType | None:
    """What the buffer is made of."""
    type = node.arguments[0].type if node.arguments else Void()
    if name != "swprintf":
        return _CHAR if isinstance(type, Pointer) else None
    return type.target if isinstance(type, Pointer) and isinstance(type.target, Int) else None


def may_store_counts(name: str, node: ast.Call) -> bool:
    """``%n`` writes through an argument. A format that is not a literal may have one, if there are
    pointers to write through."""
    place = _format_place(name, node)
    if place >= len(node.arguments):
        return True
    text = node.arguments[place]
    while isinstance(text, ast.Cast | ast.Decay):
        text = text.operand if isinstance(text, ast.Cast) else text.array
    if isinstance(text, ast.StringConst):
        letters = "".join(chr(c) for c in text.data if c)  # zeros: wide characters written as bytes
        return any(found[1] not in _HARMLESS for found in _CONVERSION.finditer(letters))
    rest = node.arguments[place + 1 :]
    return not takes_list(name) and any(isinstance(a.type, Pointer) for a in rest)


def takes_list(name: str) -> bool:
    """Is this ``vprintf`` or its kin? What is in its list of arguments the model does not look at."""
    return plain_name(name) in PRINTERS



def _format_place(name: str, node: ast.Call) -> int:
    """Which argument is the format."""
    if name in ("sprintf", "snprintf", "swprintf"):
        return 1 if len(node.arguments) > 1 and isinstance(node.arguments[1].type, Pointer) else 2
    return 1 if "fprintf" in name else 0


def is_null(argument: ast.Expr) -> bool:
    while isinstance(argument, ast.Cast):
        argument = argument.operand
    return isinstance(argument, ast.IntConst) and argument.value == 0
