"""Pieces that list an access (:mod:`footprints`), in programs where the order of evaluation may matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c.interpret import footprints

if TYPE_CHECKING:
    from revet.frontends.c.ast import Variable
    from revet.frontends.c.interpret.access import Access
    from revet.frontends.c.interpret.pieces import Piece, Scope
    from revet.frontends.c.interpret.places import Find


def touches_variable(variable: Variable, access: Access, scope: Scope, *, writes: bool) -> list[Piece]:
    """A named variable is accessed by what comes next."""
    return [footprints.variable(scope.find(variable), access, writes=writes)] if scope.ordering.lists else []


def touches_element(find: Find, access: Access, scope: Scope, *, writes: bool) -> list[Piece]:
    """The element of a named array whose index is on the stack."""
    return [footprints.element(find, access, writes=writes)] if scope.ordering.lists else []


def touches_place(access: Access, scope: Scope, *, writes: bool) -> list[Piece]:
    """What is at the place on the stack."""
    return [footprints.place(access, writes=writes)] if scope.ordering.lists else []
