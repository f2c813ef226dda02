"""Pointers that come from outside the program: what they may lead to.

A function without a body may return the address of an object of its own, the same one every time, or of
any object of the program that it may know: globals that other files can name, objects whose address the
program passed to such a function, and what can be reached from these. C allows an object to be accessed
only as (a part of) what it is, so classes of memory that are accessed as unrelated types stay apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c.analysis.classes import Node
from revet.frontends.c.analysis.views import CHARACTER, may_share

if TYPE_CHECKING:
    from revet.frontends.c.analysis.points_to import PointsTo
    from revet.frontends.c.types import CType

def join_outside(points_to: PointsTo) -> None:
    """Unify what pointers from outside lead to with all that they may lead to."""
    if not any(node.foreign for node in points_to.roots()):
        return
    for variable in points_to.program.globals:
        if not variable.static:
            points_to.object_of(variable).escaped = True
    while _spread(points_to.roots()) or _join(points_to):
        points_to.settle()


def _spread(nodes: list[Node]) -> bool:
    """What is stored outside leads outside; what is reachable from an escaped object has escaped."""
    changed = False
    pending = [node for node in nodes if node.foreign or node.escaped]
    while pending:
        node = pending.pop()
        for pointee in (node.find() for node in node.pointees.values()):
            if (node.foreign and not pointee.foreign) or (node.escaped and not pointee.escaped):
                pointee.foreign |= node.foreign
                pointee.unknown |= node.foreign
                pointee.escaped |= node.escaped
                pending.append(pointee)
                changed = True
    return changed


def _join(points_to: PointsTo) -> bool:
    nodes = [node for node in points_to.roots() if node.foreign or node.escaped]
    foreign = [node for node in nodes if node.foreign and node.dereferenced]
    objects = {node: _objects(node) for node in nodes}
    changed = False
    for one in foreign:
        accesses = _accesses(one)
        for other in nodes:
            first, second = one.find(), other.find()
            if first is not second and may_share(accesses, objects[other]):
                points_to.unify(first, second)
                changed = True
    if changed:
        for one in foreign:
            for variable in one.find().variables:
                points_to.address_taken.setdefault(variable)
    return changed


def _accesses(node: Node) -> list[CType]:
    """As what the objects of a class are read and written through pointers."""
    return list({**node.pointed_types, **(node.casts if node.copied else {})})


def _objects(node: Node) -> list[CType]:
    """As what they are read, written, allocated or declared."""
    found = dict.fromkeys([*_accesses(node), *(node.casts if node.heap else ())])
    found.update((variable.type, None) for variable in node.variables)
    if node.strings:
        found[CHARACTER] = None
    return list(found)
