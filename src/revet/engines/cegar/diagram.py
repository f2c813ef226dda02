"""Many states that give values to the same variables, as one small formula.

The states of a location are often nearly a product: any of these values here, any of those there. As a
disjunction of conjunctions they cost whoever checks them dearly. Here they become a decision diagram (a
multi-valued BDD: T. Kam et al., *Multi-valued decision diagrams: theory and applications*, 1998): a tree
that branches by one variable after the other, in which equal subtrees are one node. The formula follows
the diagram, and shares what the diagram shares. What has one value in all states stands outside as a
conjunct: it is the same in the next location, and whoever compares the two sees that at once.

The order of the variables decides how much is shared (:func:`order`): on rings of tasks the first order at
hand gave ten times the nodes, and the check of the certificate took six times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from revet.logic.core import and_, const, disjunction, eq, not_
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.values import Value

_SAMPLE = 300  # rows that :func:`order` looks at
_Trie = dict[int, Any]  # number of a value → the rest, one level a variable
_Branches = tuple[tuple[int, int], ...]  # number of a value → number of a node below


def says(variable: Term, value: Value) -> Term:
    """The variable has this value."""
    if variable.sort is BOOL:
        return variable if value is True else not_(variable)
    return eq(variable, const(value, variable.sort))


def order(variables: Sequence[Term], rows: Sequence[Sequence[Value]]) -> list[Term]:
    """An order in which a variable comes soon after those that determine it: the next one is always
    the one that tells the fewest of the rows apart that were alike so far."""
    columns = dict(zip(variables, zip(*rows[:_SAMPLE], strict=True), strict=True))
    classes = [0] * len(rows[:_SAMPLE])
    found = []
    while columns:
        best = min(columns, key=lambda x: len(set(zip(classes, columns[x], strict=True))))
        numbers: dict[tuple[int, Value], int] = {}
        pairs = zip(classes, columns.pop(best), strict=True)
        classes = [numbers.setdefault(pair, len(numbers)) for pair in pairs]
        found.append(best)
    return found


def any_of(variables: Sequence[Term], rows: Sequence[Sequence[Value]]) -> Term:
    """In some row, every variable has its value."""
    numbers: list[dict[Value, int]] = [{} for _ in variables]
    coded = [[seen.setdefault(v, len(seen)) for seen, v in zip(numbers, row, strict=True)] for row in rows]
    columns = list(zip(variables, numbers, strict=True))
    literals = [[says(x, value) for value in seen] for x, seen in columns]
    common = [found[0] for found in literals if len(found) == 1]
    varying = [n for n, found in enumerate(literals) if len(found) > 1]
    if not varying:
        return and_(*common)
    levels = _diagram([[row[n] for n in varying] for row in coded])
    return and_(*common, _formula([literals[n] for n in varying], levels))


def _diagram(rows: Sequence[Sequence[int]]) -> list[list[_Branches]]:
    """The nodes of each level; the number of a node is its place, the last level's children are 0."""
    levels: list[list[_Trie]] = [[{}], *([] for _ in rows[0][1:])]
    for row in rows:
        node = levels[0][0]
        for level, value in enumerate(row[:-1], 1):
            below = node.get(value)
            if below is None:
                below = node[value] = {}
                levels[level].append(below)
            node = below
        node[row[-1]] = None
    nodes: list[list[_Branches]] = []
    numbers: dict[int, int] = {id(None): 0}
    for tries in reversed(levels):
        unique: dict[_Branches, int] = {}
        found: dict[int, int] = {}
        for trie in tries:
            branches = tuple(sorted([(value, numbers[id(below)]) for value, below in trie.items()]))
            found[id(trie)] = unique.setdefault(branches, len(unique))
        nodes.append(list(unique))
        numbers = found
    return nodes[::-1]


def _formula(literals: Sequence[Sequence[Term]], levels: list[list[_Branches]]) -> Term:
    """From the last variable up. A chain of nodes with one child each is one conjunction."""
    below: list[tuple[Term, ...]] = [()]
    for says_here, nodes in zip(reversed(literals), reversed(levels), strict=True):
        here: list[tuple[Term, ...]] = []
        for branches in nodes:
            by_child: dict[int, list[Term]] = {}
            for value, number in branches:
                by_child.setdefault(number, []).append(says_here[value])
            ways = [(disjunction(values), *below[number]) for number, values in by_child.items()]
            here.append(ways[0] if len(ways) == 1 else (disjunction(and_(*way) for way in ways),))
        below = here
    return and_(*below[0])
