"""Code for expressions in which the order of evaluation makes a difference.

The atoms that interfere (:mod:`revet.frontends.c.sequencing`) are evaluated first, in the order that the run
draws, and kept in the frame; then the expression as usual, where an atom that has been evaluated is taken
from the frame. Two unsequenced atoms that meet in one object end the run as undefined. What the atoms touch
is compared at the end (:mod:`footprints`): a choice that made no difference is none, and where not every
order is considered only a run goes on to which they are all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.interpret.footprints import begin, conflict, finish
from revet.frontends.c.interpret.pieces import Later, Leave, Piece, Target, Value, jump
from revet.frontends.c.sequencing import ORDER
from revet.frontends.c.types import Int, size_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from revet.frontends.c.interpret.machine import Instruction, Machine
    from revet.frontends.c.sequencing import Unit

_INT = Int(32, True)


@dataclass(frozen=True, slots=True)
class Chosen:
    """An order that a run took where there was a choice."""

    unit: Unit
    number: int

    def __str__(self) -> str:
        if self.unit.open:
            return f"{self.unit.at}: the {ORDER}"
        atoms = ", then ".join(f"{atom.at.line}:{atom.at.column}" for atom in self.unit.orders[self.number])
        return f"{ORDER} at {self.unit.at}: {atoms}"


class Ordering:
    """What a function's code knows about the order of evaluation while it is laid out."""

    def __init__(self, units: Mapping[ast.Expr, Unit]) -> None:
        self._units = units
        self.lists = any(unit.pairs or unit.late for unit in units.values())  # are accesses listed?
        late = {atom for unit in units.values() for pair in unit.late for atom in pair}
        self._watched = {atom for unit in units.values() for atom in unit.watched} | late
        self._compared = {atom for unit in units.values() for pair in unit.pairs for atom in pair}
        self._evaluating: set[ast.Expr] = set()
        self._bracketed: set[ast.Expr] = set()
        self._known: set[ast.Expr] = set()

    def pending(self, e: ast.Expr) -> bool:
        return e in self._units and e not in self._evaluating

    def known(self, e: ast.Expr) -> bool:
        return e in self._known

    def watches(self, e: ast.Expr) -> bool:
        return e in self._watched

    def compares(self, e: ast.Expr) -> bool:
        """Is this an atom whose accesses are to be compared, and not yet about to be evaluated?"""
        return e in self._compared and e not in self._bracketed

    def bracketed(self, e: ast.Expr, wanted: Piece) -> list[Piece]:
        """Such an atom, with what it touches kept in the frame."""
        return [
            self._note(partial(self._bracketed.add, e)), begin(e), wanted, finish(e),
            self._note(partial(self._bracketed.remove, e)),
        ]

    def unit(self, e: ast.Expr, wanted: Piece) -> list[Piece]:
        """The atoms of a pending unit, and then what is wanted of it."""
        unit = self._units[e]
        if unit.open:
            return [
                self._note(partial(self._evaluating.add, e)), _watch(unit), wanted, _compare(unit),
                self._note(partial(self._evaluating.remove, e)),
            ] if unit.pairs or unit.late else [_ends(unit)]
        end = Target()
        starts = [Target() for _ in unit.orders]
        pieces: list[Piece] = [
            self._note(partial(self._evaluating.add, e)), _watch(unit), _choose(unit, starts)
        ]
        for start, order in zip(starts, unit.orders, strict=True):
            pieces += [start, self._forget(order)]
            for atom in order:
                pieces += [Value(atom), _keep(atom), self._note(partial(self._known.add, atom))]
            pieces.append(jump(end))
        return [
            *pieces, end, *(_apart(unit, one, other) for one, other in unit.unsequenced), wanted,
            _compare(unit), self._forget(unit.orders[0]), self._note(partial(self._evaluating.remove, e)),
        ]

    def _forget(self, atoms: tuple[ast.Expr, ...]) -> Piece:
        return self._note(partial(self._known.difference_update, atoms))

    def _note(self, change: Callable[[], object]) -> Piece:
        """Changes what is known from here on in the layout; no code."""

        def make() -> list[Piece]:
            change()
            return []

        return Later(make)


def kept(e: ast.Expr) -> Instruction:
    """The value of an atom that has been evaluated."""

    def run(m: Machine) -> None:
        m.stack.append(m.frame.kept[e])

    return run


def noted(e: ast.Expr) -> Instruction:
    """(place): remember it for the comparison at the end of the unit."""

    def run(m: Machine) -> None:
        m.frame.kept[e, "place"] = m.stack[-1]

    return run


def _keep(e: ast.Expr) -> Instruction:
    def run(m: Machine) -> None:
        m.frame.kept[e] = m.stack.pop()

    return run


def _choose(unit: Unit, starts: list[Target]) -> Piece:
    count = len(starts)

    def run(m: Machine) -> None:
        number = 0
        if count > 1:
            number = m.draws.call(ORDER, _INT, unit.at) % count
            chosen = m.frame.kept[unit] = Chosen(unit, number)
            m.orders[chosen] = m.orders.get(chosen, 0) + 1
        m.pc = starts[number].address

    return Leave(run)


def _watch(unit: Unit) -> Instruction:
    """From here on accesses are listed."""
    pairs = (*unit.pairs, *unit.late)
    stale = [(atom, what) for pair in pairs for atom in pair for what in ("touched", "place")]
    chosen = Chosen(unit, 0)

    def run(m: Machine) -> None:
        for key in stale:
            m.frame.kept.pop(key, None)
        m.watching += 1
        if unit.open:
            m.open_orders[chosen] = m.open_orders.get(chosen, 0) + 1

    return run


def _compare(unit: Unit) -> Instruction:
    """The unit has been evaluated: did the order matter?"""
    opened = Chosen(unit, 0)

    def run(m: Machine) -> None:
        m.watching -= 1
        matters = _matters(m, unit)
        if not m.watching:
            m.touched.clear()
        if matters and unit.open:
            raise m.stuck("unsequenced", f"the run depends on the {ORDER} at {unit.at}", unit.at)
        if unit.open:
            m.open_orders[opened] -= 1
        elif not matters and len(unit.orders) > 1:
            m.orders[m.frame.kept[unit]] -= 1

    return run


def _matters(m: Machine, unit: Unit) -> bool:
    """Do two atoms touch the same? A late assignment may be in a branch that was not taken."""
    kept = m.frame.kept
    for one, other in unit.pairs:
        first, second = kept.get((one, "touched")), kept.get((other, "touched"))
        if first is None or second is None or conflict(first, second):
            return True
    for one, other in unit.late:
        write, around = kept.get((one, "place")), kept.get((other, "place"))
        if write is None:
            continue
        if around is None or (write < around + _size(other) and around < write + _size(one)):
            return True
    return False


def _apart(unit: Unit, one: ast.Expr, other: ast.Expr) -> Instruction:
    first_size, second_size = _size(one), _size(other)

    def run(m: Machine) -> None:
        first, second = m.frame.kept[one, "place"], m.frame.kept[other, "place"]
        if first < second + second_size and second < first + first_size:
            raise m.stuck("unsequenced", f"unsequenced side effects on one object at {unit.at}", unit.at)

    return run


def _size(atom: ast.Expr) -> int:
    lvalue = atom.target if isinstance(atom, ast.Assign | ast.CompoundAssign | ast.Increment) else atom
    return size_of(lvalue.type)


def _ends(unit: Unit) -> Instruction:
    def run(m: Machine) -> None:
        raise m.stuck("unsequenced", f"the run depends on the {ORDER} at {unit.at}", unit.at)

    return run
