"""Reads of arrays as arbitrary values: memories whose contents do not matter, of any size.

Whatever is read from an array, or compared with another one, becomes a variable that takes any value
in every step; the arrays are gone. Every run of the old system is one of the new system, so a proof
counts: a read stands again for its variable in the invariant. A run into a violation says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from revet.logic.core import conjunction, var
from revet.logic.sorts import ArraySort
from revet.logic.terms import Term
from revet.logic.walk import Memo, bottom_up, conjuncts, free_vars, rebuild, substitute, subterms
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result.certificate import Certificate, Exhausted, KInductive
from revet.result.trace import Trace
from revet.transform.reduction import Reduction, Spurious, unchanged


def arbitrary_reads(system: TransitionSystem) -> Reduction:
    """The system without its arrays. Systems with quantifiers stay as they are."""
    formulas = [system.init, system.step.guard, *system.invariants, *system.properties.values()]
    if any(formula.quantified for formula in (*formulas, *system.step.updates.values())):
        return unchanged(system)
    if not any(_is_array(x) for x in (*system.variables, *system.inputs)):
        return unchanged(system)
    reads = _Reads(system)
    return Reduction(reads.model, _spurious, reads.certificate_back)


def _spurious(trace: Trace) -> Trace:
    raise Spurious("reads of arrays were taken as arbitrary values")


class _Reads:
    def __init__(self, system: TransitionSystem) -> None:
        self._known = frozenset(system.variables)
        self._memo: Memo = {}
        self._reads: dict[Term, Term] = {}  # the new variable, and what is read
        updates = {x: self._without(f) for x, f in system.step.updates.items() if not _is_array(x)}
        guard = self._without(system.step.guard)
        properties = {name: self._without(f) for name, f in system.properties.items()}
        invariants = tuple(map(self._without, system.invariants))
        init = conjunction(part for part in conjuncts(system.init) if not any(map(_is_array, subterms(part))))
        lasting = [x for x, read in self._reads.items() if free_vars(read) <= self._known]
        draws = {x: var(f"{x.name}.next", x.sort) for x in lasting}
        passing = [x for x in self._reads if x not in draws]
        self.model = TransitionSystem(
            (*_plain(system.variables), *lasting),
            init,
            Relation(guard, {**updates, **draws}, (*_plain(system.inputs), *passing, *draws.values())),
            properties,
            invariants,
            system.name,
            system.positions,
        )

    def _without(self, formula: Term) -> Term:
        return bottom_up(formula, self._memo, self._replaced)

    def _replaced(self, node: Term, arguments: list[Term]) -> Term:
        if _is_array(node):
            return node
        if any(map(_is_array, node.args)):
            fresh = var(f"read!{len(self._reads)}", node.sort)
            self._reads[fresh] = node
            return fresh
        return rebuild(node, tuple(arguments))

    def certificate_back(self, certificate: Certificate) -> Certificate:
        match certificate:
            case KInductive(formula, k, False):
                return KInductive(substitute(formula, self._reads), k)
            case KInductive():
                raise Spurious("a state that is repeated may differ in its arrays")
            case Exhausted():
                return certificate
        raise AssertionError(f"no engine for systems says {type(certificate).__name__}")


def _is_array(term: Term) -> bool:
    return isinstance(term.sort, ArraySort)


def _plain(variables: Iterable[Term]) -> list[Term]:
    return [x for x in variables if not _is_array(x)]
