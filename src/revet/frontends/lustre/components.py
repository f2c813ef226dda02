"""Compositional checking: which nodes have a contract, in which order they are checked.

Seen from a caller, a node with a contract is an imported one: its outputs are any values within the
guarantees, as long as its assumptions have held. That is an over-approximation of the node if its body
keeps the contract, so a caller proved against the contract is proved. A counterexample of such a
caller may use outputs that the body never gives: it proves nothing.
"""

from __future__ import annotations

from pathlib import Path

from revet.frontends.kit.deep import at_any_depth
from revet.frontends.lustre import read
from revet.frontends.lustre.core import Node
from revet.frontends.lustre.walk import callees, has_obligations


@at_any_depth
def components(path: Path, every: bool = False) -> list[str]:
    """The nodes with a contract and a body that the top nodes call, callees first, and the top nodes; with
    ``every``, all nodes with a body of which something is to be shown."""
    program = read(path)
    order: list[Node] = []
    done: set[Node] = set()
    todo = [(top, False) for top in reversed(program.tops)]
    while todo:
        node, leaving = todo.pop()
        if leaving:
            order.append(node)
        elif node not in done:
            done.add(node)
            todo.append((node, True))
            todo += [(callee, False) for callee in callees(node)]
    wanted = has_obligations if every else (lambda node: node.contract)
    return [
        node.name for node in order if node in program.tops or (wanted(node) and not node.imported)
    ]


@at_any_depth
def replaceable(path: Path) -> set[str]:
    """The nodes whose contracts may stand for their bodies where they are called."""
    return {node.name for node in read(path).nodes if node.contract and not node.transparent}


@at_any_depth
def called_by(path: Path, name: str) -> set[str]:
    """The nodes that a node calls itself."""
    node = next(one for one in read(path).nodes if one.name == name)
    return {callee.name for callee in callees(node)}


@at_any_depth
def tops(path: Path) -> list[str]:
    return [node.name for node in read(path).tops]
