"""What is granted to a node and what is owed: shared by the translation and the interpreter."""

from __future__ import annotations

from dataclasses import replace

from revet.frontends.lustre.syntax import Expr, Node, Property


def environment(node: Node, main: bool) -> list[Expr]:
    """What is taken for granted about a node: its assertions, of the main node the assumptions, and
    of an imported one the guarantees."""
    granted = node.assumes if main else ()
    given = node.guarantees if node.imported else ()
    return [*node.asserts, *(clause.formula for clause in (*granted, *given))]


def owed(node: Node) -> list[Property]:
    """What must be shown about a node that is called."""
    assumes = [
        replace(clause, name=f"assumption {clause.name}") for clause in node.assumes
    ]
    return assumes if node.imported else [*assumes, *node.guarantees]
