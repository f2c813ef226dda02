"""An allocation that happens at most once, of one structure, is a variable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.analysis.block_operations import constant_size
from revet.frontends.c.analysis.once import calls_made_once
from revet.frontends.c.types import Pointer, Record

if TYPE_CHECKING:
    from revet.frontends.c.analysis.points_to import PointsTo

_FIRST = 1_000_000  # number of these variables


def name_blocks(points_to: PointsTo, program: ast.CProgram, entry: str, alike: bool = False) -> None:
    """Replace such blocks by variables, in their classes and in :attr:`PointsTo.static_blocks`. ``alike``:
    not in classes that have other blocks, so that a list's first node is a node like the others."""
    once = calls_made_once(program, entry)
    for node in points_to.objects():
        if alike and any(call not in once for call in node.blocks):
            continue
        for call in list(node.blocks):
            size = constant_size(call)
            types = [
                type for type in node.casts
                if isinstance(type, Record) and type.complete and size is not None and type.size == size
            ]
            taken_for = points_to.made.get(call)
            known = isinstance(taken_for, Pointer) and types == [taken_for.target]
            if call in once and len(types) == 1 and (known or node.retyped):
                number = _FIRST + len(points_to.static_blocks)
                variable = ast.Variable(f"block{call.at.line}", types[0], None, call.at, number)
                points_to.static_blocks[call] = variable
                points_to.add_variable(variable, node)
                del node.blocks[call]
