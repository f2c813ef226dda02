"""Statements on the edges of a control-flow automaton."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from revet.errors import SortError
from revet.logic.core import conjunction
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.walk import free_vars, substitute
from revet.model.names import Fresh
from revet.model.relation import IDENTITY, Relation


@dataclass(frozen=True, slots=True)
class Assign:
    """``variable := value``; an array element is assigned by storing into the whole array."""

    variable: Term
    value: Term

    def __post_init__(self) -> None:
        if not self.variable.is_var:
            raise SortError(f"cannot assign to {self.variable!r}: not a variable")
        if self.variable.sort is not self.value.sort:
            raise SortError(
                f"cannot assign {self.value!r} of sort {self.value.sort} "
                f"to {self.variable.name} of sort {self.variable.sort}"
            )

    def __str__(self) -> str:
        return f"{self.variable.name} := {self.value}"


@dataclass(frozen=True, slots=True)
class Assume:
    """Runs on which ``condition`` is false do not go on."""

    condition: Term

    def __post_init__(self) -> None:
        if self.condition.sort is not BOOL:
            raise SortError(f"cannot assume {self.condition!r}: its sort is {self.condition.sort}")

    def __str__(self) -> str:
        return f"[{self.condition}]"


@dataclass(frozen=True, slots=True)
class Havoc:
    """``variable`` gets any value."""

    variable: Term

    def __post_init__(self) -> None:
        if not self.variable.is_var:
            raise SortError(f"cannot havoc {self.variable!r}: not a variable")

    def __str__(self) -> str:
        return f"havoc {self.variable.name}"


@dataclass(frozen=True)
class Block:
    """A whole piece of program as one relation (made by large-block encoding).

    The relation's locals are this block's own: they occur in no other edge.
    """

    relation: Relation

    def __str__(self) -> str:
        return f"block of {len(self.relation.updates)} updates"


Statement = Assign | Assume | Havoc | Block


def relation_of(statements: Sequence[Statement], fresh: Fresh) -> Relation:
    """The meaning of a statement sequence, by substitution. Empty: skip.

    The locals come in the order in which :func:`revet.model.execute.draws` lists what is drawn.
    Each statement costs its own size, because terms share; but the result can be deep, so long
    sequences go through large-block encoding, which names intermediate values.
    """
    if len(statements) == 1 and isinstance(statements[0], Block):
        return statements[0].relation
    guards: list[Term] = []
    updates: dict[Term, Term] = {}
    locals_: list[Term] = []
    for statement in statements:
        match statement:
            case Assume(condition):
                guards.append(_after(condition, updates))
            case Assign(variable, value):
                updates[variable] = _after(value, updates)
            case Havoc(variable):
                locals_.append(fresh(variable.name, variable.sort))
                updates[variable] = locals_[-1]
            case Block(relation):
                locals_ += relation.locals
                guards.append(_after(relation.guard, updates))
                updates |= {x: _after(value, updates) for x, value in relation.updates.items()}
    updates = {x: value for x, value in updates.items() if value is not x}
    if not guards and not updates and not locals_:
        return IDENTITY
    return Relation(conjunction(guards), updates, tuple(locals_))


def _after(term: Term, updates: Mapping[Term, Term]) -> Term:
    """``term`` with the updates done; looks only at the variables that occur in it."""
    return substitute(term, {x: updates[x] for x in free_vars(term) if x in updates})


def text_of(statements: Sequence[Statement]) -> str:
    return "; ".join(str(statement) for statement in statements) or "skip"
