"""How procedures are put into one automaton: copied at every call, kept once, or cut off.

Copying is what checking engines like best, but a program of a few thousand lines whose
procedures call each other from many places can grow to millions of copied statements. Where the
whole would pass a limit, procedures that contribute most are kept as one piece of control flow that
remembers its caller (:func:`kept_once`). Only those that are never recursive are kept: they have one
activation at a time, so one set of variables and one remembered caller are exact.

Recursive procedures are copied down to a limit (:func:`recursion_limits`), where the model ends.

Languages describe their programs by a call graph: for each procedure how often it calls which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from graphlib import CycleError, TopologicalSorter

_LIMIT = 20_000  # statements after inlining
_WORTH = 400  # statements that keeping a procedure once must save

# Activations that are inlined by default, by the number of recursive calls in a body: the copies
# grow linearly with one call and exponentially with more. A function that calls itself once goes a little
# deeper than an int has bits: what doubles or halves a number ends by then.
_DEPTHS = {0: 28, 1: 28, 2: 6, 3: 4}
_ALONE = 40

Calls = Mapping[str, Counter[str]]


def recursion_limits(
    callees: Mapping[str, Collection[str]], branching: Callable[[str, frozenset[str]], int], wanted: int = 0
) -> dict[str, int]:
    """For every recursive procedure, how many activations at a time are modelled.

    ``branching(name, component)`` counts the calls in a body that lead back into its component.
    """
    try:
        TopologicalSorter(callees).prepare()
        return {}
    except CycleError:
        import rustworkx

    graph = rustworkx.PyDiGraph()
    index = {name: graph.add_node(name) for name in callees}
    for name, targets in callees.items():
        graph.add_edges_from_no_data([(index[name], index[target]) for target in targets])
    limits: dict[str, int] = {}
    for component in rustworkx.strongly_connected_components(graph):
        names = [graph[number] for number in component]
        if len(names) > 1 or names[0] in callees[names[0]]:
            most = max(branching(name, frozenset(names)) for name in names)
            limits.update(dict.fromkeys(names, wanted or _usual_limit(most, len(names))))
    return limits


def _usual_limit(branching: int, size: int) -> int:
    """Activations of each of ``size`` procedures that call each other: all together as deep as one alone."""
    if branching <= 1:
        return _ALONE if size == 1 else _DEPTHS[branching]
    return max(2, -(-_DEPTHS.get(branching, 3) // size))


def kept_once(
    sizes: Mapping[str, int], calls: Calls, recursive: Collection[str], entry: str
) -> frozenset[str]:
    """The procedures that are better not copied; ``sizes`` are those of the bodies alone."""
    order = _callers_first(calls, entry, recursive)
    kept: set[str] = set()
    for name in order:  # decided from the top: keeping a caller once reduces the copies below it
        copies = _copies(order, calls, entry, kept)
        if sum(copies[n] * sizes[n] for n in order) <= _LIMIT:
            break
        if name != entry and (copies[name] - 1) * _inlined(name, order, calls, sizes) > _WORTH:
            kept.add(name)
    return frozenset(kept)


def _callers_first(calls: Calls, entry: str, recursive: Collection[str]) -> list[str]:
    """Non-recursive procedures that ``entry`` reaches, every caller before its callees."""
    finished: list[str] = []
    seen: set[str] = set()
    stack: list[tuple[str, bool]] = [(entry, False)]
    while stack:
        name, done = stack.pop()
        if done:
            finished.append(name)
        elif name not in seen and name not in recursive:
            seen.add(name)
            stack.append((name, True))
            stack += [(callee, False) for callee in calls[name]]
    return finished[::-1]


def _copies(order: list[str], calls: Calls, entry: str, kept: set[str]) -> dict[str, int]:
    """How often each body is lowered."""
    copies = dict.fromkeys(order, 0)
    if entry in copies:
        copies[entry] = 1
    for name in order:
        if name in kept:
            copies[name] = min(copies[name], 1)
        for callee, count in calls[name].items():
            if callee in copies:
                copies[callee] += copies[name] * count
    return copies


def _inlined(name: str, order: list[str], calls: Calls, sizes: Mapping[str, int]) -> int:
    """The size of one copy with everything below it inlined."""
    total: dict[str, int] = {}
    for procedure in reversed(order):
        below = sum(count * total.get(callee, 0) for callee, count in calls[procedure].items())
        total[procedure] = min(sizes[procedure] + below, 10 * _LIMIT)
    return total[name]
