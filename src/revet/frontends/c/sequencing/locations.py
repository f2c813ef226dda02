"""What an lvalue may overlap: its variable or class of objects, and the fields on the way to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.types import CType, Field, Record

if TYPE_CHECKING:
    from revet.frontends.c.analysis.classes import Node
    from revet.frontends.c.analysis.points_to import PointsTo

Step = Field | int | None  # None: an element whose index is not known


@dataclass(frozen=True, slots=True)
class Location:
    """Of ``variable``, or (None) of any object in ``objects``; ``objects`` is None for variables that no
    pointer reaches. ``path`` leads to the part from the variable, or from an object of type ``base``."""

    variable: ast.Variable | None
    objects: Node | None
    base: CType | None
    path: tuple[Step, ...]

    def overlaps(self, other: Location) -> bool:
        """May the two be the same bytes? An element is told from another one by constants only."""
        if self.variable is not None and other.variable is not None:
            return self.variable is other.variable and not _apart(self.path, other.path)
        if self.objects is None or self.objects is not other.objects:
            return False
        if self.variable is None and other.variable is None and self.base is other.base:
            return not (isinstance(self.base, Record) and _apart(self.path, other.path))
        return True

    @property
    def private(self) -> bool:
        """A local variable that only its own function's activation can reach."""
        return self.variable is not None and not self.variable.lives_forever and self.objects is None


def location_of(lvalue: ast.Expr, points_to: PointsTo) -> Location | None:
    """None for what is no object (the record that a call returns)."""
    steps: list[Step] = []
    while True:
        match lvalue:
            case ast.VarRef(variable) | ast.CompoundLiteral(variable):
                reached = variable in points_to.address_taken
                objects = points_to.object_of(variable) if reached else None
                return Location(variable, objects, None, tuple(reversed(steps)))
            case ast.Member(record, field):
                if isinstance(record.type, Record) and record.type.union:
                    steps = []  # the members of a union overlap each other
                else:
                    steps.append(field)
                lvalue = record
            case ast.Index(array, index):
                steps.append(index.value if isinstance(index, ast.IntConst) else None)
                lvalue = array
            case ast.Cast(operand):
                lvalue = operand
            case ast.Deref(pointer, type):
                return Location(None, points_to.target(pointer), type, tuple(reversed(steps)))
            case ast.StringConst():
                return Location(None, points_to.object_of(lvalue), lvalue.type, tuple(reversed(steps)))
            case _:
                return None


def _apart(one: tuple[Step, ...], other: tuple[Step, ...]) -> bool:
    """Do the paths part at different fields of a structure or different constant indices?"""
    for first, second in zip(one, other, strict=False):
        if isinstance(first, Field) != isinstance(second, Field):
            return False
        if first is None or second is None:
            continue
        if first != second:
            return True
    return False
