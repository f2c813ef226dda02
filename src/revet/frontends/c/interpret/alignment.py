"""Is what a pointer leads to aligned as its type asks? Looked at only where that is checked.

The interpreter's objects begin at pages, so an offset tells. An object is promised what its type or its
declaration asks for, a block what ``malloc`` promises: an offset that is no multiple of what both the object
and the access have in common is wrong wherever the object lies. Where the object is promised less than the
access needs, it depends on the place; then the run counts only if the compiled program shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.interpret.machine import Instruction, Machine
from revet.frontends.c.types import CType, align_of, block_alignment

if TYPE_CHECKING:
    from revet.errors import Position
    from revet.frontends.c.interpret.memory import MemoryObject
    from revet.frontends.c.interpret.pieces import Piece, Scope


def root_of_access(lvalue: ast.Expr) -> ast.Deref | None:
    """The ``*p`` that an lvalue is, or is a part of."""
    while isinstance(lvalue, ast.Member | ast.Index):
        lvalue = lvalue.record if isinstance(lvalue, ast.Member) else lvalue.array
    return lvalue if isinstance(lvalue, ast.Deref) else None


def noted_root(deref: ast.Deref, scope: Scope) -> list[Piece]:
    """(place): remember what a pointer leads to, for the access of it or of its part."""
    if not scope.aligned or align_of(deref.type, scope.pointer_bits // 8) == 1:
        return []

    def run(m: Machine) -> None:
        m.frame.kept[deref, "root"] = m.stack[-1]

    return [run]


def aligned(lvalue: ast.Expr, scope: Scope) -> list[Piece]:
    """The lvalue whose place was found last is read or written now."""
    deref = root_of_access(lvalue)
    if deref is None or not scope.aligned:
        return []
    needs = align_of(deref.type, scope.pointer_bits // 8)
    return [_check(deref, needs)] if needs > 1 else []


def _check(deref: ast.Deref, needs: int) -> Instruction:
    type, at = deref.type, deref.at

    def run(m: Machine) -> None:
        address = m.frame.kept[deref, "root"]
        target = m.memory.owner(address)
        if target is not None and target.kind != "function":
            _judge(m, target, address - target.address, type, needs, at)

    return run


def _judge(m: Machine, target: MemoryObject, offset: int, type: CType, needs: int, at: Position) -> None:
    promised = _promised(m, target)
    if offset % min(promised, needs) == 0:
        if promised >= needs:
            return
        where = f"offset {offset} of {target.name}, which may begin at any multiple of {promised}"
        m.unspecified(f"whether {where}, is a multiple of {needs}", at)
    else:
        where = f"offset {offset} of {target.name}, which begins at a multiple of {promised}"
    m.undefined("alignment", f"{type} needs an address that is a multiple of {needs}: {where}", at)


def _promised(m: Machine, target: MemoryObject) -> int:
    size = m.program.data_model.pointer_size
    if target.alignment is not None:
        return target.alignment
    if target.type is not None:
        return align_of(target.type, size)
    return 1 if m.memory.is_outside(target) else block_alignment(size)
