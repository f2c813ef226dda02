"""What an expression may change: effects, in clang's tree, and what nobody may write."""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node, walk

_EFFECTS = frozenset((
    "CallExpr", "CompoundAssignOperator", "StmtExpr", "AtomicExpr", "VAArgExpr", "CompoundLiteralExpr",
))


def may_have_effects(node: Node) -> bool:
    """May evaluating it change something? True where it is not known."""
    for part in walk(node):
        if part.kind in _EFFECTS or part.kind.endswith("Stmt"):
            return True
        if part.kind == "BinaryOperator" and part.opcode in ("=", ","):
            return True
        if part.kind == "UnaryOperator" and part.opcode in ("++", "--"):
            return True
    return False


def leads_to_constant(pointer: ast.Expr) -> bool:
    """Is this the address of (a part of) an object that nobody may write?"""
    place = pointer.operand if isinstance(pointer, ast.AddressOf) else pointer
    while isinstance(place, ast.Decay | ast.Index | ast.Member):
        place = place.record if isinstance(place, ast.Member) else place.array
    return isinstance(place, ast.VarRef) and place.variable.is_fixed
