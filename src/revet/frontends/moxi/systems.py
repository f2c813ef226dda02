"""Systems and queries as they were defined, with subsystems composed.

A composite system is the conjunction of its own formulas with those of its subsystems, whose inputs and
outputs are variables of the whole and whose locals are new (``instance.local``). So a system is flat from
the moment of its definition, and composing needs no recursion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from revet.errors import Position
from revet.frontends.kit.relations import plain_name
from revet.logic.core import var
from revet.logic.sorts import Sort
from revet.logic.terms import Term
from revet.logic.walk import substitute
from revet.model.names import prime

MOST_VARIABLES = 100_000


@dataclass(frozen=True)
class System:
    """``hidden`` are the locals of subsystems. ``trans`` speaks of the variables and their primed copies,
    the other formulas of the variables."""

    name: str
    inputs: tuple[Term, ...] = ()
    outputs: tuple[Term, ...] = ()
    locals: tuple[Term, ...] = ()
    hidden: tuple[Term, ...] = ()
    init: tuple[Term, ...] = ()
    trans: tuple[Term, ...] = ()
    inv: tuple[Term, ...] = ()

    @property
    def variables(self) -> tuple[Term, ...]:
        return (*self.inputs, *self.outputs, *self.locals, *self.hidden)


@dataclass(frozen=True)
class Instance:
    """A subsystem under a name of its own; ``actuals`` stand for its inputs, then its outputs."""

    name: str
    system: System
    actuals: tuple[Term, ...]


@dataclass(frozen=True)
class Query:
    """Is there a run from ``init`` in which the ``assumptions`` always hold and every one of the
    ``targets``, by label, holds at some step? ``names`` are those that the query has for variables.

    ``check`` is the number of the command that it stands in."""

    name: str
    check: int
    system: System
    names: Mapping[Term, str]
    init: tuple[Term, ...]
    assumptions: tuple[Term, ...]
    targets: Mapping[str, Term]
    position: Position


@dataclass
class Script:
    """What a file says. ``enumerations`` have the names of their values; values are numbered from 0."""

    constants: list[Term] = field(default_factory=list)
    enumerations: dict[Sort, tuple[str, ...]] = field(default_factory=dict)
    queries: list[Query] = field(default_factory=list)
    assumptions: tuple[str, ...] = ()


def composed(system: System, instances: Sequence[Instance]) -> System:
    """The system with its subsystems. Raises :class:`OverflowError` if it becomes very large."""
    taken = {x.name for x in system.variables}
    hidden = list(system.hidden)
    init, trans, inv = list(system.init), list(system.trans), list(system.inv)
    for instance in instances:
        part = instance.system
        renamed = dict(zip((*part.inputs, *part.outputs), instance.actuals, strict=True))
        for x in (*part.locals, *part.hidden):
            renamed[x] = var(plain_name(f"{instance.name}.{x.name}", taken), x.sort)
            hidden.append(renamed[x])
        if len(taken) > MOST_VARIABLES:
            raise OverflowError(f"{system.name} has more than {MOST_VARIABLES} variables with its subsystems")
        both = renamed | {prime(x): prime(y) for x, y in renamed.items()}
        memo: dict[Term, Term] = {}
        init += [substitute(term, both, memo) for term in part.init]
        trans += [substitute(term, both, memo) for term in part.trans]
        inv += [substitute(term, both, memo) for term in part.inv]
    return System(
        system.name, system.inputs, system.outputs, system.locals, tuple(hidden),
        tuple(init), tuple(trans), tuple(inv),
    )
