"""Statements on the edges of a control-flow automaton."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from revet.errors import SortError
from revet.logic.core import and_
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, Term
from revet.logic.walk import substitute
from revet.model.names import Fresh
from revet.model.relation import IDENTITY, Relation, compose


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


@dataclass(frozen=True, slots=True)
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

    Meant for short sequences, as on one edge; long ones go through large-block encoding, which
    names intermediate values instead of substituting them.
    """
    guard = TRUE
    updates: dict[Term, Term] = {}
    locals_: list[Term] = []
    memo: dict[Term, Term] = {}
    for statement in statements:
        match statement:
            case Assume(condition):
                guard = and_(guard, substitute(condition, updates, memo))
            case Assign(variable, value):
                value = substitute(value, updates, memo)
                updates = {**updates, variable: value}
                memo = {}
            case Havoc(variable):
                local = fresh(variable.name, variable.sort)
                locals_.append(local)
                updates = {**updates, variable: local}
                memo = {}
            case Block(relation):
                before = Relation(guard, updates, tuple(locals_))
                after = compose(before, relation)
                guard, updates, locals_ = after.guard, dict(after.updates), list(after.locals)
                memo = {}
    updates = {x: value for x, value in updates.items() if value is not x}
    if guard is TRUE and not updates:
        return IDENTITY
    return Relation(guard, updates, tuple(locals_))


def assigned(statements: Iterable[Statement]) -> frozenset[Term]:
    """The variables that a statement sequence may change."""
    found: set[Term] = set()
    for statement in statements:
        match statement:
            case Assign(variable, _) | Havoc(variable):
                found.add(variable)
            case Block(relation):
                found.update(relation.updates)
            case Assume(_):
                pass
    return frozenset(found)


def text_of(statements: Sequence[Statement]) -> str:
    return "; ".join(str(statement) for statement in statements) or "skip"
