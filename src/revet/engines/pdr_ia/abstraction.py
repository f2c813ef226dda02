"""The predicate abstraction: predicates, their literals, and cubes of literals.

An abstract state is a truth value for every predicate. Each predicate p gets two Boolean
*proxies*: one that is equivalent to p in the current state, one for the next state. The
equivalences are asserted in the solver and stay there; from then on the engine speaks in proxies
only, and the abstraction is implicit: no abstract transition relation is ever computed.

Why one pair of proxies is enough. The abstract step of the paper is
``EQ(x, y) and T(y, y') and EQ(y', x')`` where EQ says that two states satisfy the same
predicates. Frames and cubes are built from predicates only, so they cannot tell x from y, and in a
query about a *single* step x may be taken to be y. The copies would matter only in a chain of
steps, which the engine never asks about abstractly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from revet.logic import build as b
from revet.logic.sorts import BOOL
from revet.logic.terms import Op, Term
from revet.logic.walk import free_vars
from revet.smt.interpolation.predicates import canonical


class Literal:
    """A predicate or its negation. Interned: compare with ``is``.

    ``now`` and ``next`` are the proxy literals in the current and in the next state.
    """

    __slots__ = ("formula", "negation", "next", "now", "number", "predicate")

    negation: Literal

    def __init__(self, predicate: Predicate, number: int, formula: Term, now: Term, next_: Term) -> None:
        self.predicate = predicate
        self.number = number
        self.formula = formula
        self.now = now
        self.next = next_

    def __repr__(self) -> str:
        return repr(self.formula)


class Predicate:
    """A formula over the state variables, with its proxies and its two literals.

    ``equated`` is x when the formula is ``x = constant``.
    """

    __slots__ = ("equated", "formula", "index", "negative", "positive", "proxy", "variables")

    def __init__(self, index: int, formula: Term) -> None:
        self.index = index
        self.formula = formula
        self.variables = free_vars(formula)
        compares = formula.op == Op.EQ and formula.args[0].is_var and formula.args[1].is_const
        self.equated = formula.args[0] if compares else None
        self.proxy = b.var(f"pred!{index}", BOOL)
        primed = b.var(f"pred!{index}'", BOOL)
        self.positive = Literal(self, 2 * index, formula, self.proxy, primed)
        self.negative = Literal(self, 2 * index + 1, b.not_(formula), b.not_(self.proxy), b.not_(primed))
        self.positive.negation, self.negative.negation = self.negative, self.positive

    def literal(self, truth: bool) -> Literal:
        return self.positive if truth else self.negative


class Cube:
    """A conjunction of literals, ordered by predicate."""

    __slots__ = ("literals", "members")

    def __init__(self, literals: Iterable[Literal]) -> None:
        self.literals = tuple(sorted(literals, key=lambda literal: literal.number))
        self.members = frozenset(self.literals)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cube) and self.literals == other.literals

    def __hash__(self) -> int:
        return hash(self.literals)

    def __len__(self) -> int:
        return len(self.literals)

    def without(self, literal: Literal) -> Cube:
        return Cube([other for other in self.literals if other is not literal])

    def formula(self) -> Term:
        return b.conjunction(literal.formula for literal in self.literals)

    def lemma(self) -> Term:
        """The clause that blocks the cube."""
        return b.disjunction(literal.negation.formula for literal in self.literals)

    def __repr__(self) -> str:
        return repr(self.formula())


class Abstraction:
    """The predicates found so far."""

    def __init__(self) -> None:
        self.predicates: list[Predicate] = []
        self._known: dict[Term, Predicate] = {}
        self._listeners: list[Callable[[Predicate], None]] = []

    def on_predicate(self, listener: Callable[[Predicate], None]) -> None:
        """Have ``listener`` called for every predicate, those present included."""
        self._listeners.append(listener)
        for predicate in self.predicates:
            listener(predicate)

    def cube_of(self, lemma: Term) -> Cube | None:
        """The cube that a lemma blocks, with its atoms as predicates; None if there is nothing to block."""
        literals = lemma.args if lemma.op == Op.OR else (lemma,)
        self.add(literals)
        found = []
        for literal in literals:
            atom, positive = canonical(literal)
            if atom.is_const:
                return None
            found.append(self._known[atom].literal(not positive))
        return Cube(found)

    def add(self, formulas: Iterable[Term]) -> list[Predicate]:
        """The predicates among ``formulas`` that are new."""
        new = []
        for formula in formulas:
            atom, _ = canonical(formula)
            if atom in self._known or atom.is_const:
                continue
            predicate = Predicate(len(self.predicates), atom)
            self._known[atom] = predicate
            self.predicates.append(predicate)
            new.append(predicate)
            for listener in self._listeners:
                listener(predicate)
        return new
