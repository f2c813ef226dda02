"""Which variables are related to which: an octagon for every *pack* of variables (Miné's packing).

Variables of one sort that occur together in a linear comparison or assignment belong together, and so do
those that are connected through others. Relations between packs are not looked for: octagons stay small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from revet.engines.absint.states import is_number
from revet.engines.common.components import Components
from revet.logic.linear import linear_form
from revet.logic.terms import Op, Term
from revet.logic.walk import subterms
from revet.model.cfa import Cfa
from revet.model.statements import Assign, Assume, Block

MOST = 16  # variables of a pack; of more those that occur together with others most often
LONG = 6  # a comparison of more variables says little about two of them


def packs(cfa: Cfa) -> tuple[tuple[Term, ...], ...]:
    """Disjoint sets of two or more variables of one sort of numbers, in the order of the automaton's."""
    numbers = dict.fromkeys(filter(is_number, cfa.variables))
    components = Components()
    count: Counter[Term] = Counter()
    for group in _groups(cfa):
        together = [variable for variable in group if variable in numbers]
        if 2 <= len(together) <= LONG:
            count.update(together)
            components.join(together)
    found: dict[Term, list[Term]] = {}
    for variable in numbers:
        found.setdefault(components.find(variable), []).append(variable)
    return tuple(_most(pack, count) for pack in found.values() if len(pack) > 1)


def _most(pack: list[Term], count: Counter[Term]) -> tuple[Term, ...]:
    if len(pack) > MOST:
        kept = {variable for variable, _ in Counter({v: count[v] for v in pack}).most_common(MOST)}
        pack = [variable for variable in pack if variable in kept]
    return tuple(pack)


def _groups(cfa: Cfa) -> Iterable[list[Term]]:
    """The variables of each linear comparison and assignment of numbers."""
    conditions = [cfa.precondition]
    for edge in cfa.edges:
        for statement in edge.statements:
            match statement:
                case Assign(variable, value):
                    conditions.append(value)
                    yield from ([variable, *_variables(leaf)] for leaf in _leaves(value))
                case Assume(condition):
                    conditions.append(condition)
                case Block(relation):
                    conditions += [relation.guard, *relation.updates.values()]
                    for variable, value in relation.updates.items():
                        yield from ([variable, *_variables(leaf)] for leaf in _leaves(value))
    for node in subterms(*conditions):
        if node.op in (Op.LE, Op.LT, Op.EQ) and is_number(node.args[0]):
            sides = [leaf for side in node.args for leaf in _leaves(side)]
            yield list(dict.fromkeys(variable for leaf in sides for variable in _variables(leaf)))


def _leaves(term: Term) -> list[Term]:
    """The values of nested choices."""
    if not is_number(term):
        return []
    found, stack = [], [term]
    while stack:
        node = stack.pop()
        if node.op == Op.ITE:
            stack += node.args[1:]
        else:
            found.append(node)
    return found


def _variables(term: Term) -> list[Term]:
    return [base for base in linear_form(term)[0] if base.op == Op.VAR]
