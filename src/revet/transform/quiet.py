"""What a design leaves open, as zero: registers without an initial value, and values that nobody defines.

Two copies of a design start with different values in such registers, and have different undefined values.
That they do not matter is hard to prove, and in the search for a violation nobody needs the proof. Every
run of the new system is one of the old system; that the new one is safe says nothing.

An undefined value is a variable that takes any value in every step, and from a local whose name says so
(``model.names.UNDEFINED``): an input is a value that somebody gives. What other initial conditions mention,
and invariants that zeros contradict, stays as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from revet.logic import build as b
from revet.logic.sorts import BOOL, ArraySort, BitVecSort
from revet.logic.terms import FALSE, TRUE
from revet.logic.values import default_value
from revet.logic.walk import conjuncts, free_vars_of, substitute
from revet.model.names import UNDEFINED
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
    undefined = {
        x: zero for x, drawn_from in open_values.items()
        if drawn_from.name.endswith(UNDEFINED) and (zero := _zero(x.sort)) is not None
    }
    hidden = {open_values[x] for x in undefined}
    step = system.step
    made = replace(
        system,
        variables=tuple(x for x in system.variables if x not in undefined),
        init=b.and_(substitute(system.init, undefined), *_starts(system, open_values, undefined)),
        properties={name: substitute(f, undefined) for name, f in system.properties.items()},
        invariants=tuple(substitute(f, undefined) for f in system.invariants),
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


def _starts(
    system: TransitionSystem, open_values: dict[Term, Term], undefined: dict[Term, Term]
) -> list[Term]:
    """That a variable starts with zero, for each that may start with any value."""
    parts = [part for part in conjuncts(system.init) if part is not TRUE]
    said = {assignment(part)[0] for part in parts} | free_vars_of(parts)
    zeros = {
        x: zero for x in system.variables
        if x not in said and x not in open_values and (zero := _zero(x.sort)) is not None
    }
    refused = [formula for formula in system.invariants if substitute(formula, zeros | undefined) is FALSE]
    for x in free_vars_of(refused):
        zeros.pop(x, None)
    return [b.eq(x, zero) for x, zero in zeros.items()]


def _zero(sort: Sort) -> Term | None:
    """None for what is not made of bits."""
    if sort is BOOL:
        return FALSE
    if isinstance(sort, BitVecSort):
        return b.bv(0, sort.width)
    if isinstance(sort, ArraySort):
        element = _zero(sort.element)
        return None if element is None else b.const_array(sort, element)
    return None
