"""Variables that say in which state a state machine is.

A protocol that was written as one loop has such a variable: its states are constants that it is set to and
compared with, or it is copied from another variable that is (the state to come back to, say).
"""

from __future__ import annotations

from collections import defaultdict

from revet.logic.sorts import BOOL
from revet.logic.terms import Op, Term
from revet.logic.values import Value
from revet.logic.walk import atoms
from revet.model.system import TransitionSystem

_FEWEST, _MOST = 4, 40  # states of what is taken for a state machine

States = dict[Term, tuple[Value, ...]]


def state_machines(system: TransitionSystem) -> States:
    """The variables, with the states: those of all variables that are copied to each other. Variables that
    steps write and never read are left out."""
    step = system.step
    copies: dict[Term, set[Term]] = defaultdict(set)
    constants: dict[Term, dict[Value, None]] = defaultdict(dict)
    read: set[Term] = set()
    for x, after in step.updates.items():
        _note(x, after, copies, constants)
    for atom in atoms(step.guard, *system.properties.values()):
        if atom.op == Op.EQ and atom.args[0].sort is not BOOL:
            left, right = atom.args
            _note(left, right, copies, constants)
            read |= {x for x, y in ((left, right), (right, left)) if step.updates.get(x, x) is not y}
    found: States = {}
    for x in system.variables:
        if x in read and x not in found:
            same = _connected(x, copies)
            states = tuple(dict.fromkeys(value for y in same for value in constants.get(y, ())))
            if _FEWEST <= len(states) <= _MOST:
                found |= {y: states for y in same if y in system.variables and y in read}
    return found


def _note(
    left: Term, right: Term, copies: dict[Term, set[Term]], constants: dict[Term, dict[Value, None]]
) -> None:
    """What an equation says about its variables."""
    for x, y in ((left, right), (right, left)):
        if x.is_var and y.is_var:
            copies[x].add(y)
        elif x.is_var and y.op == Op.CONST:
            constants[x][y.payload] = None


def _connected(start: Term, copies: dict[Term, set[Term]]) -> dict[Term, None]:
    """All variables that values are copied to or from, in a fixed order."""
    found, todo = {start: None}, [start]
    while todo:
        for other in sorted(copies[todo.pop()], key=lambda x: x.id):
            if other not in found:
                found[other] = None
                todo.append(other)
    return found
