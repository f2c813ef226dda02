"""Back edges and a topological order of what is left without them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

N = TypeVar("N")
E = TypeVar("E")


def depth_first(
    roots: Iterable[N], outgoing: Callable[[N], Iterable[tuple[E, N]]]
) -> tuple[set[E], dict[N, int]]:
    """The edges that close a cycle in a depth-first search, and nodes numbered in reverse postorder.

    ``outgoing``: the edges that leave a node, each with its target. Edges that are not back edges lead to
    larger numbers.
    """
    back: set[E] = set()
    open_: set[N] = set()
    done: dict[N, int] = {}
    for root in roots:
        if root in done:
            continue
        open_.add(root)
        stack = [(root, iter(outgoing(root)))]
        while stack:
            node, edges = stack[-1]
            for edge, target in edges:
                if target in open_:
                    back.add(edge)
                elif target not in done:
                    open_.add(target)
                    stack.append((target, iter(outgoing(target))))
                    break
            else:
                stack.pop()
                open_.discard(node)
                done[node] = -len(done)
    return back, done
