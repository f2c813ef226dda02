"""Of what realizability is asked: contracts, refined types, constants, assumptions, ``any`` and ``choose``.

Each is a node with a contract: that something can be kept means that some body keeps the contract.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from revet.frontends.lustre.contract_alone import used_streams
from revet.frontends.lustre.core import Bound, Choice, Clause, Free, Node, Program, Quantify, Stream
from revet.frontends.lustre.walk import subexpressions


def contracts(program: Program) -> list[tuple[Program, Node]]:
    """The nodes to be asked about, with the program that they are part of."""
    nodes = [node for node in program.nodes if node.contract or node.guarantees]
    others = [one for node in program.nodes for one in (*_environment(node), *_choices(node))]
    domains = [(replace(program, constraints=known), node) for node, known in program.domains]
    return [*((program, node) for node in (*nodes, *others)), *domains]


def _environment(node: Node) -> Iterator[Node]:
    """Can callers keep the assumptions, whatever the outputs are within their types? The node with its roles
    exchanged. Nothing is asked about nodes with constant inputs, which are chosen once."""
    used = used_streams(node, [clause.formula for clause in node.assumes])
    if not node.assumes or any(stream.constant for stream in node.inputs):
        return
    inputs = {stream.name for stream in node.inputs}
    typing = [c for c in node.guarantees if c.typing and not used_streams(node, [c.formula]) & inputs]
    ghosts = [stream for stream in node.ghosts if stream.name in used]
    yield Node(
        f"environment of {node.name}", node.position, False, True, inputs=node.outputs, outputs=node.inputs,
        ghosts=ghosts, guarantees=node.assumes, assumes=typing, contract=True,
        definitions={g.name: node.definitions[g.name] for g in ghosts if g.name in node.definitions},
    )


def _choices(node: Node) -> Iterator[Node]:
    """Is there always a value for an ``any`` or ``choose`` in a body? Of the streams in its condition only
    the types are known."""
    typing = [c for c in (*node.assumes, *node.guarantees, *node.duties) if c.typing]
    for expr in subexpressions(*node.expressions):
        if not isinstance(expr, (Free, Choice)) or not expr.constraints or _is_inside(expr):
            continue
        used = used_streams(node, expr.constraints) - {expr.name}
        known = [c for c in typing if used_streams(node, [c.formula]) <= used]
        at, word = expr.position, "any" if isinstance(expr, Free) else "choose"
        yield Node(
            f"{word} at {at.line}:{at.column} in {node.name}", at, False, True,
            inputs=[stream for stream in node.streams if stream.name in used],
            outputs=[Stream(expr.name, expr.type, at)], assumes=known, contract=True,
            guarantees=[Clause("its condition", formula, at) for formula in expr.constraints],
        )


def _is_inside(expr: Free | Choice) -> bool:
    """Does the condition depend on the variable of a quantifier or of an array's definition around it?"""
    parts = list(subexpressions(*expr.constraints))
    own = {v.name for part in parts if isinstance(part, Quantify) for v in part.variables}
    return any(isinstance(part, Bound) and part.name not in own for part in parts)
