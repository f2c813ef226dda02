"""What a design leaves open, as zero: registers without an initial value, and values that nobody defines.

Two copies of a design start with different values in such registers, and have different undefined values.
That they do not matter is hard to prove, and in the search for a violation nobody needs the proof. Every
run of the new system is one of the old system; that the new one is safe says nothing.

An undefined value is a variable that takes any value in every step and that no property and no invariant
mentions: front ends make variables of inputs only where properties depend on them. What other initial
conditions or invariants mention stays as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from revet.logic import build as b
from revet.logic.sorts import BOOL, ArraySort, BitVecSort
from revet.logic.terms import TRUE
from revet.logic.values import default_value
from revet.logic.walk import conjuncts, free_vars_of, substitute
from revet.model.relation import Relation
from revet.result.trace import SystemTrace
from revet.transform.bitblast import assignment, drawn
from revet.transform.reduction import Reduction, Spurious

if TYPE_CHECKING:
    from revet.logic.sorts import Sort
    from revet.logic.terms import Term
    from revet.model.system import TransitionSystem
    from revet.result.certificate import Certificate


def quiet(system: TransitionSystem) -> Reduction:
    """The system with zeros; runs get them back."""
    open_values = drawn(system)
    seen = free_vars_of([*system.invariants, *system.properties.values()])
    undefined = {x: zero for x in open_values if x not in seen and (zero := _zero(x.sort)) is not None}
    hidden = {open_values[x] for x in undefined}
    step = system.step
    made = replace(
        system,
        variables=tuple(x for x in system.variables if x not in undefined),
        init=b.and_(substitute(system.init, undefined), *_starts(system, open_values)),
        step=Relation(
            substitute(step.guard, undefined),
            {x: substitute(after, undefined) for x, after in step.updates.items() if x not in undefined},
            tuple(x for x in step.locals if x not in hidden),
        ),
    )
    zeros = {x: default_value(x.sort) for x in undefined}
    drawn_zeros = {open_values[x]: value for x, value in zeros.items()}

    def trace_back(trace: SystemTrace) -> SystemTrace:
        return SystemTrace(
            tuple({**state, **zeros} for state in trace.states),
            tuple({**row, **drawn_zeros} for row in trace.inputs),
            trace.violated,
        )

    return Reduction(made, trace_back, _refused)


def _refused(certificate: Certificate) -> Certificate:
    raise Spurious("only runs were looked at in which what is left open is zero")


def _starts(system: TransitionSystem, open_values: dict[Term, Term]) -> list[Term]:
    """That a variable starts with zero, for each that may start with any value."""
    parts = [part for part in conjuncts(system.init) if part is not TRUE]
    said = {assignment(part)[0] for part in parts}
    said |= free_vars_of([*parts, *system.invariants])
    found = []
    for x in system.variables:
        zero = None if x in said or x in open_values else _zero(x.sort)
        if zero is not None:
            found.append(b.eq(x, zero))
    return found


def _zero(sort: Sort) -> Term | None:
    """None for what is not made of bits."""
    if sort is BOOL:
        return b.FALSE
    if isinstance(sort, BitVecSort):
        return b.bv(0, sort.width)
    if isinstance(sort, ArraySort):
        element = _zero(sort.element)
        return None if element is None else b.const_array(sort, element)
    return None
