"""Effects of an expression, in clang's tree."""

from __future__ import annotations

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
