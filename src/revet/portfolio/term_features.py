"""Features of models made of terms: see :mod:`revet.portfolio.features`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from revet.logic.sorts import BOOL, INT, REAL, ArraySort, BitVecSort, FloatSort
from revet.logic.terms import Op
from revet.logic.walk import subterms
from revet.model.cfa import Cfa
from revet.model.horn_automaton import automaton_of
from revet.model.twins import twins
from revet.portfolio.features import Features
from revet.transform.bit_operations import is_made_of_bits
from revet.transform.control import has_program_counter
from revet.transform.narrow import is_mostly_data
from revet.transform.state_machines import state_machines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from revet.logic.terms import Term
    from revet.model.horn import HornSystem
    from revet.model.system import TransitionSystem


def features_of_automaton(cfa: Cfa) -> Features:
    return _features(cfa.formulas(), cfa.variables, len(cfa.edges), loops=_has_cycle(cfa))


def features_of_system(system: TransitionSystem) -> Features:
    found = _features(system.formulas(), system.variables, None, loops=True)
    pairs = len(twins(x.name for x in system.variables))
    twice = 0 < len(system.variables) <= 4 * pairs
    data = found.bit_vectors and found.made_of_bits and is_mostly_data(system)
    control = has_program_counter(system)
    machines = control and bool(state_machines(system))
    return replace(found, automaton=False, twins=twice, data=data, control=control, machines=machines)


def features_of_clauses(system: HornSystem) -> Features:
    """Of linear clauses those of the automaton that they are."""
    booleans = max((p.domain.count(BOOL) for p in system.predicates if set(p.domain) != {BOOL}), default=0)
    if system.linear:
        return replace(features_of_automaton(automaton_of(system).cfa), horn=True, booleans=booleans)
    terms = [term for one in system.clauses for atom in one.atoms for term in atom.args]
    terms += [clause.constraint for clause in system.clauses]
    loops = bool(system.recursive)
    found = _features(terms, system.variables, len(system.clauses), loops=loops)
    return replace(found, automaton=False, horn=True, booleans=booleans)


def _features(
    terms: Iterable[Term], variables: Iterable[Term], size: int | None, *, loops: bool
) -> Features:
    """``size`` None: that of the terms."""
    roots, names = list(terms), list(variables)
    nodes = subterms(*roots) if roots else []
    sorts = {node.sort for node in nodes} | {variable.sort for variable in names}
    functions = any(node.op == Op.APPLY for node in nodes)
    quantifiers = any(root.quantified for root in roots)
    flat = {sort for sort in sorts if not isinstance(sort, ArraySort)}
    return Features(
        automaton=True,
        size=len(nodes) if size is None else size,
        loops=loops,
        variables=len(names),
        integers=INT in sorts,
        reals=REAL in sorts,
        bit_vectors=any(isinstance(sort, BitVecSort) for sort in sorts),
        floats=any(isinstance(sort, FloatSort) for sort in sorts),
        arrays=any(isinstance(sort, ArraySort) for sort in sorts),
        nonlinear=any(_is_nonlinear(node) for node in nodes),
        functions=functions,
        quantifiers=quantifiers,
        made_of_bits=not functions and not quantifiers and all(map(is_made_of_bits, sorts)),
        bits_and_arrays=not functions and not quantifiers and all(map(is_made_of_bits, flat)),
    )


def _is_nonlinear(node: Term) -> bool:
    if node.op == Op.MUL:
        return sum(arg.op != Op.CONST for arg in node.args) > 1
    if node.op in (Op.DIV, Op.MOD, Op.RDIV):
        return node.args[1].op != Op.CONST
    return False


def _has_cycle(cfa: Cfa) -> bool:
    """Take away locations that nothing leads to, again and again: what is left is on a cycle."""
    entering = Counter(edge.target for edge in cfa.edges)
    free = [location for location in cfa.locations if not entering[location]]
    for location in free:
        for edge in cfa.outgoing[location]:
            entering[edge.target] -= 1
            if not entering[edge.target]:
                free.append(edge.target)
    return len(free) < len(cfa.locations)
