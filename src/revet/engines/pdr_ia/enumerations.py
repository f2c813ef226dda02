"""Variables that only ever say *which one of several*: a program location, a state of a protocol.

Such a variable is compared with constants for equality, never ordered and never computed with.
For it, ``location = 5`` is the right predicate and ``location <= 5`` is noise; the predicates for
all its values are few, are needed sooner or later, and exclude each other.
"""

from __future__ import annotations

from revet.logic.core import eq
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import Op, Term
from revet.logic.walk import subterms
from revet.model.system import TransitionSystem


def enumerations(system: TransitionSystem) -> dict[Term, list[Term]]:
    """Enumeration variables, each with the constants it is compared with.

    The invariants of the system are not looked at: they bound the range of a location variable.
    """
    constants: dict[Term, dict[Term, None]] = {
        x: {} for x in system.variables if x.sort is INT and not _computed(system.step.after(x))
    }
    for node in subterms(system.init, system.step.guard, *system.step.updates.values(), system.property):
        if node.op == Op.EQ and node.args[0] in constants and node.args[1].op == Op.CONST:
            constants[node.args[0]][node.args[1]] = None
        elif node.op not in (Op.NOT, Op.AND, Op.OR) and not (node.op == Op.ITE and node.sort is BOOL):
            for arg in node.args:
                constants.pop(arg, None)
    return {x: list(found) for x, found in constants.items() if len(found) > 1}


def _computed(update: Term) -> bool:
    """Is the next value anything but a constant, a choice between such, or an input?"""
    stack = [update]
    while stack:
        node = stack.pop()
        if node.op == Op.ITE:
            stack.extend(node.args[1:])
        elif node.op not in (Op.CONST, Op.VAR):
            return True
    return False


def value_predicates(found: dict[Term, list[Term]]) -> list[Term]:
    """``x = c`` for all of them."""
    return [eq(x, constant) for x, constants in found.items() for constant in constants]
