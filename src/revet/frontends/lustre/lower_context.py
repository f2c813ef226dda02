"""Where an expression is lowered: in which instance of a node, on which clock, under which bindings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from revet.frontends.lustre.core import Call, Expr, Node, Op
from revet.frontends.lustre.shapes import Value
from revet.logic import build as b
from revet.logic.terms import Term

if TYPE_CHECKING:
    from revet.errors import Position

Bindings = tuple[tuple[str, int], ...]
Path = tuple[tuple[Call, Bindings], ...]  # the calls that lead from a top node to an instance


@dataclass(eq=False)
class Instance:
    """A node at one place in the call tree; ``prefix`` begins the names of its streams."""

    node: Node
    prefix: str
    top: Instance | None
    call: Call | None = None
    caller: Context | None = None
    path: Path = ()
    context: Context = field(init=False)
    specials: dict[tuple[str, Bindings], Value] = field(default_factory=dict)  # values of any and choose
    counts: dict[str, int] = field(default_factory=dict)
    children: list[Instance] = field(default_factory=list)  # the calls that it makes
    unfolded: int = 0  # how many functions that are checked separately are around it

    def child_prefix(self, name: str) -> str:
        number = self.counts.get(name, 0)
        self.counts[name] = number + 1
        return f"{self.prefix}{name}{f'[{number}]' if number else ''}."


@dataclass(eq=False)
class Context:
    """``clock``: the instants that count here. ``first``: is this the first of them, or the first since
    a restart? ``reset``: is there a restart now? ``guarded``: ``first`` is known to be false.

    ``bindings`` are index variables with a number, ``environment`` all bound variables; ``bound`` are
    the variables of the quantifiers around, which hold for those that satisfy ``domain``.
    """

    instance: Instance
    clock: Term
    find_first: Callable[[], Term]
    reset: Term = b.FALSE
    guarded: bool = False
    bindings: Bindings = ()
    environment: dict[str, Value] = field(default_factory=dict)
    bound: tuple[Term, ...] = ()
    domain: Term = b.TRUE
    _derived: dict[object, Context] = field(default_factory=dict)
    _first: Term | None = None
    plain_context: Context | None = None  # the same, not guarded
    outside: Context | None = None  # the same, outside of the quantifiers

    @property
    def first(self) -> Term:
        if self._first is None:
            self._first = self.find_first()
        return self._first

    @property
    def root(self) -> Context:
        """The same context without the knowledge that this is not the first instant."""
        return self.plain_context or self

    def special(self, name: str) -> Value | None:
        """The value of ``any`` or ``choose`` that a variable in its own constraint stands for."""
        specials = self.instance.specials
        if specials:
            for count in range(len(self.bindings), -1, -1):
                if (name, self.bindings[:count]) in specials:
                    return specials[name, self.bindings[:count]]
        return None

    def _make(self, key: object, make: Callable[[], Context]) -> Context:
        found = self._derived.get(key)
        if found is None:
            found = self._derived[key] = make()
        return found

    def as_guarded(self) -> Context:
        if self.guarded:
            return self
        return self._make("guarded", lambda: Context(
            self.instance, self.clock, lambda: self.first, self.reset, True, self.bindings, self.environment,
            self.bound, self.domain, plain_context=self, outside=self.outside,
        ))

    def with_index(self, name: str, number: int) -> Context:
        """An index variable of an array's definition is a number."""
        return self._make((name, number), lambda: self._bound(name, number))

    def _bound(self, name: str, number: int) -> Context:
        made = Context(
            self.instance, self.clock, lambda: self.first, self.reset, False,
            (*self.bindings, (name, number)), {**self.environment, name: b.integer(number)},
            self.bound, self.domain,
        )
        return made if not self.guarded else made.as_guarded()

    def quantified(self, values: dict[str, Value], bound: tuple[Term, ...], domain: Term) -> Context:
        made = Context(
            self.instance, self.clock, lambda: self.first, self.reset, False, self.bindings,
            {**self.environment, **values}, (*self.bound, *bound), b.and_(self.domain, domain),
            outside=self.outside if self.bound else self,
        )
        return made if not self.guarded else made.as_guarded()

    def branch(self, key: object, condition: Term, first: Callable[[Context], Term]) -> Context:
        """Inside a branch that is evaluated only when the condition holds; it has instants of its own."""

        def make() -> Context:
            clock = b.and_(self.clock, condition)
            made: list[Context] = []
            made.append(Context(
                self.instance, clock, lambda: first(made[0]), self.reset, False, self.bindings,
                self.environment, self.bound, self.domain,
            ))
            return made[0]

        return self._make(("branch", key), make)


@dataclass(eq=False)
class Obligation:
    """What is to be shown about an instance; ``formula`` is what the interpreter looks at, None for
    obligations at a place in an expression (``site``)."""

    name: str
    top: Instance
    instance: Instance
    value: Term
    position: Position
    formula: Expr | None
    site: tuple[Path, Expr, Bindings] | None = None
    reach: bool = False

    @property
    def kind(self) -> str:
        """property, guarantee, ensure, assumption, type, coverage (of all cases by modes), reachability, or
        vacuity (is a mode or condition reachable?)"""
        node, formula = self.instance.node, self.formula
        modes = [requires for _, requires in node.modes]
        if self.reach:
            conditions = [condition for _, condition in node.conditions]
            return "vacuity" if formula in modes or formula in conditions else "reachability"
        clauses = {clause.formula: clause for clause in (*node.assumes, *node.guarantees, *node.duties)}
        clause = clauses.get(formula) if formula is not None else None
        if self.site is not None or (clause is not None and clause.typing):
            return "type"
        if clause is None:
            return "property"
        if clause in node.assumes:
            return "assumption"
        if clause in node.duties:
            return "coverage" if "one mode is active" in clause.name else "type"
        ensured = isinstance(formula, Op) and formula.operator == "=>" and formula.arguments[0] in modes
        return "ensure" if ensured else "guarantee"
