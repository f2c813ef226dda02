"""Expressions whose value depends on the order of evaluation, and the orders to consider.

An *atom* is what happens at one moment: reading an object, an assignment (with the reading that ``op=``
and ``++`` do: C17 6.5.16.2 makes that one evaluation), a call. A *unit* is an expression between sequence
points: a full expression, or an operand of ``&&``, ``||``, ``?:`` and the comma. The whole of such an
operator is one atom of the unit around it.

Of a unit only the atoms matter that interfere with another one; two orders are the same if all interfering
pairs are in the same order. With a handful of atoms all orders are listed; with more, and where an atom
would have to be taken apart, the unit is *open*: the answer depends on an order that is not considered.
Where no atom writes what another one touches, few orders are enough (:mod:`.soonest`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.sequencing.locations import location_of
from revet.frontends.c.sequencing.soonest import soonest
from revet.frontends.c.sequencing.summaries import Effects, Summaries, may_fail, subexpressions
from revet.frontends.c.types import Function, Void
from revet.frontends.c.walk import Effects as HasEffects
from revet.frontends.c.walk import expressions_of, initial_values, parts, statements

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from revet.errors import Position
    from revet.frontends.c.analysis.points_to import PointsTo
    from revet.frontends.c.checks import Check

ORDER = "order of evaluation"  # what the choice is called among the inputs of a run
_MOST_ATOMS, _MOST_ORDERS = 6, 24
_BRANCHING = (ast.Logical, ast.Conditional, ast.Comma, ast.StatementExpr)
_LVALUES = (ast.VarRef, ast.Deref, ast.Index, ast.Member, ast.StringConst, ast.CompoundLiteral)
_WRITES = (ast.Assign, ast.CompoundAssign, ast.Increment)


@dataclass(frozen=True, eq=False, slots=True)
class Unit:
    """``orders`` are the orders to consider of the atoms that interfere; ``unsequenced`` the pairs whose
    behaviour is undefined if they meet in one object. ``open``: not every order is listed. ``same``: all
    orders that come to an end without a violation give the same.

    A run in which the atoms of none of the ``pairs`` touch the same depends on no order, if none of the
    ``late`` assignments (of each pair the first one) writes what the expression around it reads or writes."""

    root: ast.Expr
    orders: tuple[tuple[ast.Expr, ...], ...]
    unsequenced: tuple[tuple[ast.Expr, ast.Expr], ...]
    open: bool
    pairs: tuple[tuple[ast.Expr, ast.Expr], ...] = ()
    late: tuple[tuple[ast.Expr, ast.Expr], ...] = ()
    same: bool = False

    @property
    def at(self) -> Position:
        return self.root.at

    @property
    def watched(self) -> frozenset[ast.Expr]:
        """The atoms whose address must be known to say whether they meet."""
        return frozenset(atom for pair in self.unsequenced for atom in pair)


@dataclass(eq=False)
class _Atom:
    """``direct``: no call, so unsequenced with other such atoms. ``private``: no call can reach what it
    touches. ``below`` are the atoms that must come before. Of an operator with sequence points, ``inside``
    are the atoms and ``trailing`` those that no sequence point follows. ``hidden``: below a call, so
    sequenced before all that uses the call's value."""

    node: ast.Expr
    make: Callable[[], Effects]
    direct: bool
    private: bool = False
    below: list[_Atom] = field(default_factory=list)
    inside: list[_Atom] = field(default_factory=list)
    trailing: list[_Atom] = field(default_factory=list)
    hidden: bool = False

    @cached_property
    def effects(self) -> Effects:
        return self.make()

    @property
    def branching(self) -> bool:
        return isinstance(self.node, _BRANCHING)

    @property
    def is_call(self) -> bool:
        return isinstance(self.node, ast.Call)

    def interferes(self, other: _Atom) -> bool:
        if (self.private and other.is_call) or (self.is_call and other.private):
            return False
        return self.effects.interfere(other.effects)

    def leaves(self) -> list[_Atom]:
        """Itself, or what an operator with sequence points consists of."""
        return [leaf for inner in self.inside for leaf in inner.leaves()] if self.branching else [self]

    def late(self) -> list[_Atom]:
        """Assignments whose side effect is not sequenced before what uses this value."""
        if self.branching:
            return [atom for inner in self.trailing for atom in inner.late()]
        return [self] if isinstance(self.node, _WRITES) and not self.hidden else []


class Orders:
    """The units of a program that have more than one outcome, by their root.

    ``chosen`` is ``any``, ``left`` or ``right``: with the latter two, operands are evaluated from that
    side wherever it matters, and the answer says that it assumes so. ``has_effects`` tells which expressions
    change or call anything."""

    def __init__(
        self, program: ast.CProgram, points_to: PointsTo, errors: Collection[str] = (), *,
        checks: frozenset[Check] = frozenset(), chosen: str = "any",
    ) -> None:
        self.units: dict[ast.Expr, Unit] = {}
        self.chosen = chosen
        self._summaries = Summaries(program, points_to, errors, checks)
        self._points_to = points_to
        self._checks = checks
        self.has_effects = HasEffects()
        for function in program.functions.values():
            self._statement(function.body)

    def _statement(self, root: ast.Stmt) -> None:
        for statement in statements(root):
            if isinstance(statement, ast.Declare):
                self._initialiser(statement.variable)
                continue
            for expression in expressions_of(statement):
                if not self._plain(expression):
                    self._unit(expression)

    def _plain(self, e: ast.Expr) -> bool:
        """A statement with at most one effect, which comes last: most are, so they are told at once."""
        effects = self.has_effects
        match e:
            case ast.Assign(ast.VarRef(), ast.Call() as call):
                return not any(map(effects, call.arguments)) and not effects(call.function)
            case ast.Assign(target, value) | ast.CompoundAssign(_, target, value):
                return not effects(target) and not effects(value)
            case ast.Call(function, arguments):
                return not any(map(effects, arguments)) and not effects(function)
            case ast.Increment(target):
                return not effects(target)
        return not effects(e)

    def _initialiser(self, variable: ast.Variable) -> None:
        """The entries of a list are indeterminately sequenced (C17 6.7.9, 23)."""
        values = [] if variable.static else initial_values(variable)
        if not any(map(self.has_effects, values)):
            return
        for value in values:
            self._unit(value)
        if len(values) > 1 and self.chosen != "left":
            effects = [self._all(value) for value in values]
            for number, one in enumerate(effects):
                if any(one.interfere(other) for other in effects[:number]):
                    root = values[number]
                    self.units[root] = Unit(root, ((),), (), True)

    # ---- units --------------------------------------------------------------------------------

    def _unit(self, root: ast.Expr) -> list[_Atom]:
        """The atoms of an expression between sequence points; remembered if their order matters."""
        pairs: list[tuple[_Atom, _Atom]] = []
        atoms = self._gather(root, pairs)
        if pairs:
            within = [(one, other) for one, other in pairs if one in other.below]
            apart = tuple((one.node, other.node) for one, other in pairs if one not in other.below)
            late = tuple(
                (write.node, other.node)
                for one, other in within for write in one.late() if write.interferes(other)
            )
            self.units[root] = replace(self._ordered(root, atoms, pairs), pairs=apart, late=late)
        return atoms

    def _ordered(
        self, root: ast.Expr, atoms: Sequence[_Atom], pairs: Sequence[tuple[_Atom, _Atom]]
    ) -> Unit:
        involved = [atom for atom in atoms if any(atom in pair for pair in pairs)]
        if not any(one.effects.touch(other.effects) for one, other in pairs):
            return self._soonest(root, involved)
        unsequenced = [pair for pair in pairs if _meet(*pair)]
        loose = [pair for pair in pairs if pair not in unsequenced]
        undefined = tuple((one.node, other.node) for one, other in unsequenced)
        torn = any(_torn(one, other) for pair in loose for one, other in (pair, pair[::-1]))
        if torn or any(not isinstance(node, _WRITES + _LVALUES) for pair in undefined for node in pair):
            return Unit(root, ((),), (), True)
        if self.chosen != "any":
            return Unit(root, (tuple(atom.node for atom in involved),), undefined, False)
        if len(involved) > _MOST_ATOMS:
            return Unit(root, ((),), (), True)
        found: dict[tuple[bool, ...], tuple[ast.Expr, ...]] = {}
        for order in permutations(involved):
            place = {atom: number for number, atom in enumerate(order)}
            if all(place[a] < place[b] for b in order for a in b.below if a in place):
                key = tuple(place[one] < place[other] for one, other in loose)
                found.setdefault(key, tuple(atom.node for atom in order))
        if len(found) > _MOST_ORDERS:
            return Unit(root, ((),), (), True)
        return Unit(root, tuple(found.values()), undefined, False)

    def _soonest(self, root: ast.Expr, involved: list[_Atom]) -> Unit:
        """Nothing that the atoms touch is common to them. The first order is that of compilers."""
        orders = [involved] if self.chosen != "any" else soonest(
            involved, lambda one: one.effects.ends, lambda one: one.effects.checks, lambda one: one.below
        )
        if len(orders) > _MOST_ORDERS:
            return Unit(root, ((),), (), True)
        listed = tuple(tuple(atom.node for atom in order) for order in orders)
        return Unit(root, listed, (), False, same=True)

    # ---- atoms --------------------------------------------------------------------------------

    def _gather(self, e: ast.Expr, pairs: list[tuple[_Atom, _Atom]]) -> list[_Atom]:
        """All atoms of the value of an expression, each after those that it needs; interfering ones go
        into ``pairs``."""
        if isinstance(e, _BRANCHING):
            return self._branching(e)
        if isinstance(e, ast.CompoundLiteral):
            return self._gathered_parts(e, parts(e), pairs)
        if isinstance(e, _LVALUES):
            atoms = self._address(e, pairs)
            location = location_of(e, self._points_to)
            if location is None or isinstance(e, ast.StringConst) or isinstance(e.type, Void | Function):
                return atoms
            checked = may_fail(e, self._checks)
            effects = Effects(reads=frozenset([location]), checks=checked)
            private = location.private and not checked
            return self._with(_Atom(e, lambda: effects, True, private, atoms), pairs)
        if isinstance(e, _WRITES):
            return self._write(e, pairs)
        if isinstance(e, ast.AddressOf | ast.Decay):
            return self._address(e.operand if isinstance(e, ast.AddressOf) else e.array, pairs)
        if isinstance(e, ast.Call):
            inner = [e.function, *e.arguments]
            if isinstance(e.function, ast.FunctionRef):
                inner = inner[1:]
            atoms = self._gathered_parts(e, inner, pairs)
            for atom in atoms:
                atom.hidden = True
            return self._with(_Atom(e, lambda: self._summaries.call(e), False, below=atoms), pairs)
        atoms = self._gathered_parts(e, parts(e), pairs)
        if may_fail(e, self._checks):
            return self._with(_Atom(e, lambda: Effects(checks=True), True, below=atoms), pairs)
        return atoms

    def _gathered_parts(
        self, e: ast.Expr, inner: Sequence[ast.Expr], pairs: list[tuple[_Atom, _Atom]]
    ) -> list[_Atom]:
        """Of several operands: whatever is in two of them is not sequenced."""
        groups = [self._gather(part, pairs) for part in inner]
        return self._joined(groups, pairs)

    def _joined(self, groups: list[list[_Atom]], pairs: list[tuple[_Atom, _Atom]]) -> list[_Atom]:
        if self.chosen == "right":
            groups = groups[::-1]
        atoms: list[_Atom] = []
        for group in groups:
            for one in atoms:
                for other in group:
                    if one.interferes(other):
                        pairs.append((one, other))
            atoms += group
        return atoms

    def _address(self, lvalue: ast.Expr, pairs: list[tuple[_Atom, _Atom]]) -> list[_Atom]:
        """The atoms of what is needed to find an object, without reading it."""
        match lvalue:
            case ast.Deref(pointer):
                return self._gather(pointer, pairs)
            case ast.Index(array, index):
                return self._joined([self._address(array, pairs), self._gather(index, pairs)], pairs)
            case ast.Member(record):
                return self._address(record, pairs)
            case ast.Cast(operand) if operand.type == lvalue.type:
                return self._address(operand, pairs)
            case ast.VarRef() | ast.StringConst() | ast.FunctionRef():
                return []
        return self._gather(lvalue, pairs)

    def _write(
        self, e: ast.Assign | ast.CompoundAssign | ast.Increment, pairs: list[tuple[_Atom, _Atom]]
    ) -> list[_Atom]:
        groups = [self._address(e.target, pairs)]
        if not isinstance(e, ast.Increment):
            groups.append(self._gather(e.value, pairs))
        if self.chosen == "any":
            groups.reverse()  # the right side first is what compilers do
        atoms = self._joined(groups, pairs)
        location = location_of(e.target, self._points_to)
        touched = frozenset() if location is None else frozenset([location])
        checks = may_fail(e, self._checks) or may_fail(e.target, self._checks)
        effects = Effects(frozenset() if isinstance(e, ast.Assign) else touched, touched, checks=checks)
        private = location is not None and location.private and not checks
        return self._with(_Atom(e, lambda: effects, True, private, atoms), pairs)

    def _with(self, atom: _Atom, pairs: list[tuple[_Atom, _Atom]]) -> list[_Atom]:
        """One more atom, after those below it. The side effect of an assignment below it is not sequenced
        before it unless a call is in between."""
        if atom.direct:
            pairs += [
                (inner, atom) for inner in atom.below if any(late.interferes(atom) for late in inner.late())
            ]
        return [*atom.below, atom]

    def _branching(self, e: ast.Expr) -> list[_Atom]:
        """``&&``, ``||``, ``?:``, the comma and ``({ … })``: its operands are units."""
        if isinstance(e, ast.StatementExpr):
            self._statement(e.body)
            return [_Atom(e, lambda: self._all(e), False)]
        first, *others = [self._unit(part) for part in parts(e)]
        trailing = [atom for group in others for atom in group]
        return [_Atom(e, lambda: self._all(e), False, inside=[*first, *trailing], trailing=trailing)]

    def _all(self, e: ast.Expr) -> Effects:
        everything = subexpressions(e)
        found = self._summaries.below(everything)
        for inner in everything:
            if isinstance(inner, ast.Call):
                found |= self._summaries.call(inner)
        return found


def _meet(one: _Atom, other: _Atom) -> bool:
    """Is it undefined if the two are in one object? (Not if a call is one of them.)"""
    return any(
        first.direct and second.direct and first.interferes(second)
        for first in one.leaves() for second in other.leaves()
    )


def _torn(one: _Atom, other: _Atom) -> bool:
    """Could ``other`` come between two parts of ``one`` that both interfere with it?"""
    if not one.branching:
        return False
    return sum(leaf.interferes(other) for leaf in one.leaves()) != 1
