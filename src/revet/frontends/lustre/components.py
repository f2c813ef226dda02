"""Compositional checking: which nodes have a contract, and what a node looks like from outside.

Seen from a caller, a node with a contract is an imported one: its outputs are any values within the
guarantees, as long as its assumptions have held. That is an over-approximation of the node if its body
keeps the contract, so a caller proved against the contract is proved. A counterexample of such a
caller may use outputs that the body never gives: it proves nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from revet.errors import InputError
from revet.frontends.lustre.parser import parse
from revet.frontends.lustre.rewrite import parts
from revet.frontends.lustre.syntax import Activate, Call, Expr, File, Node, Restart


def components(path: Path) -> list[str]:
    """The nodes with a contract and a body that the main node calls, callees first; then the main node."""
    file = parse(path)
    nodes = {node.name: node for node in file.nodes}
    order: list[str] = []
    done: set[str] = set()
    todo = [(file.main.name, False)]
    while todo:
        name, leaving = todo.pop()
        if leaving:
            order.append(name)
        elif name in nodes and name not in done:
            done.add(name)
            todo.append((name, True))
            todo += [(callee, False) for callee in _callees(nodes[name])]
    return [
        name for name in order
        if name == file.main.name or (nodes[name].contract is not None and not nodes[name].imported)
    ]


def component(file: File, name: str | None, abstract: Collection[str]) -> File:
    """The file with ``name`` as its main node, and only the contracts of the nodes in ``abstract``."""
    main = file.main.name if name is None else name
    if all(node.name != main for node in file.nodes):
        raise InputError(f"{file.path}: there is no node {main}")
    return replace(
        file,
        nodes=tuple(
            replace(_outside(node) if node.name in abstract and node.name != main else node,
                    main=node.name == main)
            for node in file.nodes
        ),
    )


def _outside(node: Node) -> Node:
    if node.contract is None:
        raise InputError(f"node {node.name} has no contract to stand for it", node.position)
    return replace(node, imported=True, locals=(), equations=(), asserts=(), properties=())


def _callees(node: Node) -> list[str]:
    """The nodes that occur in a node's body; a contract may call nodes as well."""
    stack: list[Expr] = [e.value for e in node.equations]
    stack += [*node.asserts, *(p.formula for p in node.properties)]
    if node.contract is not None:
        contract = node.contract
        clauses = [*contract.assumes, *contract.guarantees]
        clauses += [clause for mode in contract.modes for clause in (*mode.requires, *mode.ensures)]
        stack += [e.value for e in contract.equations]
        stack += [clause.formula for clause in clauses]
    found: dict[str, None] = {}
    while stack:
        expr = stack.pop()
        if isinstance(expr, (Call, Activate, Restart)):
            found[expr.node] = None
        stack += parts(expr)
    return list(found)
