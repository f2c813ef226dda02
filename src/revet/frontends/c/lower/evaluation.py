"""Expressions in which the order of evaluation makes a difference: every order becomes a branch.

The atoms that interfere (:mod:`revet.frontends.c.sequencing`) are evaluated first, in each of the
orders, into temporaries; then the expression as usual, where an atom that has been evaluated is its
temporary. Which order was taken is an input of the run, so that the interpreter takes the same.

Where two unsequenced atoms meet in one object the behaviour is undefined: the model ends there
(:meth:`Context.open_end`), as it does where the orders are too many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from revet.frontends.c import ast
from revet.frontends.c.lower.flow import Input
from revet.frontends.c.lower.places import Cell, Part, Place
from revet.frontends.c.sequencing import ORDER
from revet.frontends.c.types import Record, Void, size_of
from revet.logic import build as b
from revet.logic.terms import FALSE, TRUE, Term

if TYPE_CHECKING:
    from collections.abc import Callable

    from revet.frontends.c.lower.context import Context
    from revet.frontends.c.sequencing import Unit

T = TypeVar("T")


class Evaluation:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.units = context.orders.units
        self._watched = {atom for unit in self.units.values() for atom in unit.watched}

    def pending(self, root: ast.Expr) -> bool:
        """Is this a unit whose atoms have not been evaluated yet?"""
        return root in self.units and root not in self.context.frame.evaluating

    def of(self, root: ast.Expr, evaluate: Callable[[], T]) -> T:
        """Evaluate a pending unit with its atoms in any order."""
        frame = self.context.frame
        unit = self.units[root]
        frame.evaluating.add(root)
        self._atoms(unit)
        result = evaluate()
        for atom in unit.orders[0]:
            frame.known.pop(atom, None)
        frame.evaluating.remove(root)
        return result

    def watch(self, node: ast.Expr, place: Place) -> Place:
        """The place of an atom, fixed and remembered if it must be compared with another one's."""
        if node not in self._watched:
            return place
        place = self.context.expressions.assignments.stable(place, (node, "watched"))
        self.context.frame.watched[node] = place
        return place

    # ---- atoms ------------------------------------------------------------------------------

    def _atoms(self, unit: Unit) -> None:
        context = self.context
        what = f"order of evaluation at {unit.at}"
        if unit.open:
            context.flow.jump(context.open_end(what, unit.at))
            return
        if context.options.evaluation_order != "any":
            side = context.options.evaluation_order
            context.assumptions.setdefault(f"{what}: from the {side} (--evaluation-order {side})")
        if len(unit.orders) == 1:
            self._in_order(unit.orders[0])
        else:
            self._choice(unit)
        for one, other in unit.unsequenced:
            meet = self._overlap(context.frame.watched[one], context.frame.watched[other])
            if meet is not FALSE:
                going_on = context.flow.split(context.function)
                end = context.open_end(f"unsequenced side effects at {unit.at}", unit.at)
                context.flow.branch(meet, end, going_on)
                context.flow.resume(going_on)

    def _choice(self, unit: Unit) -> None:
        """One branch for every order, chosen freely."""
        context = self.context
        type = context.model.int
        chosen = context.temporary((unit.root, "order"), "order", type)
        context.flow.havoc(chosen)
        last = context.arithmetic.constant(type, len(unit.orders) - 1)
        zero = context.arithmetic.constant(type, 0)
        compare = context.arithmetic.compare
        context.flow.assume(b.and_(compare(">=", type, chosen, zero), compare("<=", type, chosen, last)))
        context.flow.draw(Input(ORDER, chosen, unit.at))
        context.flow.settle()
        join = context.flow.split(context.function)
        for number, order in enumerate(unit.orders):
            mine, others = (context.flow.split(context.function) for _ in range(2))
            test = TRUE if number == len(unit.orders) - 1 else (
                b.eq(chosen, context.arithmetic.constant(type, number))
            )
            context.flow.branch(test, mine, others)
            context.flow.resume(mine)
            for atom in order:
                context.frame.known.pop(atom, None)
            self._in_order(order)
            context.flow.jump(join)
            context.flow.resume(others)
        context.flow.resume(join)

    def _in_order(self, order: tuple[ast.Expr, ...]) -> None:
        for atom in order:
            self.context.frame.known[atom] = self._evaluated(atom)

    def _evaluated(self, atom: ast.Expr) -> Term | Place | None:
        """The value of an atom where nothing that follows can change it."""
        context = self.context
        if isinstance(atom.type, Void):
            context.expressions.effect(atom)
            return None
        if isinstance(atom.type, Record):
            place = context.places.of_variable(context.calls.spill_variable((atom, "atom"), atom.type))
            context.places.copy(place, context.expressions.record(atom))
            return place
        temporary = context.temporary((atom, "atom"), "atom", atom.type)
        context.flow.assign(temporary, context.expressions.value(atom))
        return temporary

    def _overlap(self, one: Place, other: Place) -> Term:
        """Do two places share a byte? Those of different kinds never do."""
        if isinstance(one, Part) and isinstance(other, Part):
            if one.variable is not other.variable or one.depth != other.depth:
                return FALSE
            if one.index is None or other.index is None:
                return TRUE
            return b.eq(one.index, other.index)
        if not isinstance(one, Cell) or not isinstance(other, Cell):
            return FALSE
        first, second = one.address, other.address
        offset, compare = self.context.memory.offset, self.context.arithmetic.compare
        type = self.context.symbols.address_type
        return b.and_(
            compare("<", type, first, offset(second, size_of(other.type))),
            compare("<", type, second, offset(first, size_of(one.type))),
        )
