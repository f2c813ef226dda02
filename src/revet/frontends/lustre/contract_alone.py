"""A contract without its node's body: do its modes cover all cases that it allows itself?

A mode may require something of earlier outputs. Then the question is not whether the body's outputs lead into
some mode, but whether all that keep the contract do.
"""

from __future__ import annotations

from collections.abc import Iterable

from revet.frontends.lustre.core import Expr, Node, Var
from revet.frontends.lustre.walk import subexpressions

COVERED = "one mode is active"


def contract_alone(node: Node, name: str) -> Node:
    """A node that answers whatever the contract allows."""
    clauses = [c.formula for c in (*node.assumes, *node.guarantees, *node.duties)]
    used = used_streams(node, [*clauses, *(test for _, test in node.modes)])
    ghosts = [stream for stream in node.ghosts if stream.name in used]
    return Node(
        name, node.position, False, False, inputs=node.inputs, outputs=node.outputs, ghosts=ghosts,
        definitions={g.name: node.definitions[g.name] for g in ghosts if g.name in node.definitions},
        asserts=[clause.formula for clause in node.guarantees], assumes=node.assumes,
        duties=[clause for clause in node.duties if clause.name.startswith(COVERED)],
        modes=node.modes, contract=True,
    )


def contracts_alone(tops: Iterable[Node]) -> list[Node]:
    """Those of the top nodes with modes that require something of outputs."""
    return [
        contract_alone(top, f"the contract of {top.name}") for top in tops
        if used_streams(top, [test for _, test in top.modes]) & {stream.name for stream in top.outputs}
    ]


def used_streams(node: Node, formulas: list[Expr]) -> set[str]:
    """The streams that formulas are about, also by way of ghost variables."""
    ghosts = {stream.name for stream in node.ghosts}
    found: set[str] = set()
    todo = list(formulas)
    while todo:
        for part in subexpressions(todo.pop()):
            if isinstance(part, Var) and part.name not in found:
                found.add(part.name)
                if part.name in ghosts and part.name in node.definitions:
                    todo.append(node.definitions[part.name])
    return found
