"""One step of a system: the common shape of CFA edges, large blocks and transition relations.

A :class:`Relation` is a guarded simultaneous assignment with local variables::

    exists locals .  guard(x, locals)  and  x' = updates[x](x, locals)   for every variable x

A variable without an update keeps its value. Locals are the havocked values, the inputs and
the intermediate SSA values of a block. Everything fits: an assignment has an update and no
guard; an assumption a guard and no update; ``havoc x`` updates x with a fresh local; a relation
over primed variables has one local per primed variable. The shape makes pre-images a
substitution and keeps large blocks linear in the size of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from revet.errors import ModelError, SortError
from revet.logic.core import and_, eq
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, Term
from revet.logic.walk import free_vars, free_vars_of, substitute
from revet.model.names import prime


@dataclass(frozen=True, eq=False)
class Relation:
    """See the module's text. ``updates`` never maps a variable to itself."""

    guard: Term = TRUE
    updates: Mapping[Term, Term] = field(default_factory=dict)
    locals: tuple[Term, ...] = ()

    def __post_init__(self) -> None:
        if self.guard.sort is not BOOL:
            raise SortError(f"a guard must be Bool, not {self.guard.sort}: {self.guard!r}")
        for variable, value in self.updates.items():
            if variable.sort is not value.sort:
                raise SortError(
                    f"{variable.name}: {variable.sort} is updated with {value!r} of sort {value.sort}"
                )

    def after(self, variable: Term) -> Term:
        """The value of a variable after the step, over variables before it and locals."""
        return self.updates.get(variable, variable)

    def formula(self, variables: Iterable[Term]) -> Term:
        """The relation over ``x`` and ``x'`` (and the locals), for the given state variables."""
        return and_(self.guard, *(eq(prime(x), self.after(x)) for x in variables))

    def pre(self, target: Term) -> Term:
        """The states and locals from which the step leads into ``target``: exact, locals free."""
        return and_(self.guard, substitute(target, self.updates))

    def check_scope(self, variables: Iterable[Term], where: str = "relation") -> None:
        """Raise :class:`ModelError` if it mentions anything but ``variables`` and locals."""
        known = frozenset(variables) | frozenset(self.locals)
        terms = (self.guard, *self.updates.values())
        suspects = () if free_vars_of(terms) <= known else terms
        for term in suspects:
            strangers = free_vars(term) - known
            if strangers:
                names = ", ".join(sorted(v.name for v in strangers))
                raise ModelError(f"{where}: undeclared variable {names} in {term!r}")
        for variable in self.updates:
            if variable not in known:
                raise ModelError(f"{where}: assignment to undeclared variable {variable.name}")


IDENTITY = Relation()


def compose(first: Relation, second: Relation) -> Relation:
    """``first`` then ``second``. Their locals must not overlap."""
    memo: dict[Term, Term] = {}
    guard = and_(first.guard, substitute(second.guard, first.updates, memo))
    updates = dict(first.updates)
    for variable, value in second.updates.items():
        updates[variable] = substitute(value, first.updates, memo)
    return Relation(
        guard,
        {x: value for x, value in updates.items() if value is not x},
        (*first.locals, *second.locals),
    )
