"""Atomic operations as reads and writes: functions that make threads are refused, so nobody comes between.

``__c11_atomic_*`` (what ``<stdatomic.h>`` uses), ``__atomic_*`` and ``__sync_*`` become assignments to
temporaries, one after the other. The orders of memory change nothing then, a weak exchange succeeds like a
strong one (as it does on x86), and the answer says that there is one thread. Arithmetic wraps around, also
where the type is signed. A name that is not in the tables is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node
from revet.frontends.c.types import VOID, Int, Pointer, is_scalar

if TYPE_CHECKING:
    from revet.frontends.c.reader.expressions import ExpressionReader
    from revet.frontends.c.reader.unit import UnitReader

ONE_THREAD = "atomic operations are those of a program with one thread"
SYNC = re.compile(r"(?:__sync|__c11_atomic|__atomic)_(\w+?)(?:_(?:1|2|4|8|16))?$")
"""Builtins that are called like functions."""
_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "nand": "&"}
_CHANGE = re.compile(r"(?:fetch_(add|sub|and|or|xor|nand)|(add|sub|and|or|xor|nand)_fetch)$")
_SYNC_CHANGE = re.compile(r"(?:fetch_and_(add|sub|and|or|xor|nand)|(add|sub|and|or|xor|nand)_and_fetch)$")
_GENERIC = ("load", "store", "exchange", "compare_exchange")
"""Those of ``__atomic_*`` that take and give values behind pointers."""
# Where clang has the parts that have a meaning here: the object, then what the operation is given.
_PARTS = {
    "init": (0, 1), "load": (0,), "store": (0, 2), "exchange": (0, 2), "compare_exchange": (0, 2, 4),
    "load_n": (0,), "store_n": (0, 2), "exchange_n": (0, 2), "compare_exchange_n": (0, 2, 4),
    "compare_exchange_strong": (0, 2, 4), "compare_exchange_weak": (0, 2, 4), "test_and_set": (0,),
    "clear": (0,),
}


class AtomicReader:
    def __init__(self, unit: UnitReader, expressions: ExpressionReader) -> None:
        self.unit = unit
        self._all = expressions

    def operation(self, node: Node, at: Position) -> ast.Expr:
        """clang's node for the operations that it checks itself."""
        generic = node.name.startswith("__atomic_")
        name = node.name.removeprefix("__c11_atomic_").removeprefix("__atomic_")
        change = _CHANGE.match(name)
        if (change is None and name not in _PARTS) or not (generic or node.name.startswith("__c11_atomic_")):
            raise self._all.unsupported(node, node.name)
        numbers: tuple[int, ...] = (0, 2) if change is not None else _PARTS[name]
        if generic and name == "load":
            numbers = (0, 2)
        elif generic and name == "exchange":
            numbers = (0, 2, 3)
        given = [self._all.read(node.inner[number]) for number in numbers]
        if change is not None:
            return self._changed(node, given, change[1] or change[2], change[1] is not None, at)
        if generic and name in _GENERIC:
            return self._through_pointers(node, name, given, at)
        return self._plain(node, name.removesuffix("_n"), given, at)

    def sync(self, node: Node, name: str, given: Sequence[ast.Expr], at: Position) -> ast.Expr:
        """The older builtins, and fences."""
        found = SYNC.match(name)
        plain = found[1] if found is not None else ""
        change = _SYNC_CHANGE.match(plain)
        if change is not None and len(given) == 2:
            return self._changed(node, given, change[1] or change[2], change[1] is not None, at)
        match plain, len(given):
            case ("synchronize", 0) | (("thread_fence" | "signal_fence"), 1):
                return ast.Cast(ast.IntConst(0, self.unit.model.int, at), VOID, at)
            case ("lock_test_and_set" | "swap"), 2:
                return self._plain(node, "exchange", given, at)
            case "lock_release", 1:
                return self._plain(node, "clear", given, at)
            case ("bool_compare_and_swap" | "val_compare_and_swap"), 3:
                steps = _Steps(self, node, given[0], at)
                old = steps.saved(steps.object)
                expected, desired = (steps.saved(steps.fitting(each)) for each in given[1:])
                same = steps.equal(old, expected)
                steps.store(ast.Conditional(same, desired, old, old.type, at))
                truth = steps.truth(same, self._all.type_of(node))
                return steps.end(old if plain.startswith("val") else truth)
        raise self._all.unsupported(node, name)

    def _plain(self, node: Node, name: str, given: Sequence[ast.Expr], at: Position) -> ast.Expr:
        steps = _Steps(self, node, given[0], at)
        match name:
            case "load":
                return steps.end(steps.object)
            case "init" | "store":
                steps.store(steps.fitting(given[1]))
                return steps.end(None)
            case "clear":
                steps.store(steps.number(0))
                return steps.end(None)
            case "exchange":
                value = steps.saved(steps.fitting(given[1]))
                old = steps.saved(steps.object)
                steps.store(value)
                return steps.end(old)
            case "test_and_set":
                old = steps.saved(steps.object)
                steps.store(steps.number(1))
                clear = steps.equal(old, steps.number(0))
                return steps.end(steps.truth(clear, self._all.type_of(node), False))
        return self._exchanged(node, steps, given[1], given[2], at)

    def _through_pointers(self, node: Node, name: str, given: Sequence[ast.Expr], at: Position) -> ast.Expr:
        """``__atomic_load(p, result, order)``: values stand where pointers lead."""
        steps = _Steps(self, node, given[0], at)
        places = [steps.pointed(each) for each in given[1:]]
        match name:
            case "load":
                steps.assign(places[0], steps.object)
                return steps.end(None)
            case "store":
                steps.store(places[0])
                return steps.end(None)
            case "exchange":
                value = steps.saved(places[0])
                steps.assign(places[1], steps.object)
                steps.store(value)
                return steps.end(None)
        return self._exchanged(node, steps, given[1], places[1], at)

    def _exchanged(
        self, node: Node, steps: _Steps, expected: ast.Expr, desired: ast.Expr, at: Position
    ) -> ast.Expr:
        """The object gets ``desired`` if it holds what ``expected`` leads to; else that gets its value."""
        place = steps.pointed(expected)
        value = steps.saved(steps.fitting(desired))
        old = steps.saved(steps.object)
        wanted = steps.saved(place)
        same = steps.equal(old, wanted)
        steps.store(ast.Conditional(same, value, old, old.type, at))
        steps.assign(place, ast.Conditional(same, wanted, old, old.type, at))
        return steps.end(steps.truth(same, self._all.type_of(node)))

    def _changed(
        self, node: Node, given: Sequence[ast.Expr], operator: str, before: bool, at: Position
    ) -> ast.Expr:
        """``fetch_add`` and its kin: the value before or after."""
        steps = _Steps(self, node, given[0], at)
        type = steps.object.type
        if not isinstance(type, Int) or type.boolean or not isinstance(given[1].type, Int):
            raise self._all.unsupported(node, f"this {operator} on an atomic object")
        wide = Int(max(type.bits, 32), False, name="unsigned")
        value = steps.saved(ast.Cast(steps.fitting(given[1]), wide, at))
        old = steps.saved(steps.object)
        result: ast.Expr = ast.Binary(_OPERATORS[operator], ast.Cast(old, wide, at), value, wide, at)
        if operator == "nand":
            result = ast.Unary("~", result, wide, at)
        new = steps.saved(ast.Cast(result, type, at))
        steps.store(new)
        return steps.end(old if before else new)


class _Steps:
    """One operation: assignments in order, and the value at their end."""

    def __init__(self, reader: AtomicReader, node: Node, pointer: ast.Expr, at: Position) -> None:
        self._reader = reader
        self._node = node
        self._at = at
        self._steps: list[ast.Expr] = []
        if reader.unit.current is None:
            raise reader.unit.unsupported(node, "an atomic operation outside of functions")
        reader.unit.linkage.note(ONE_THREAD, at)
        self.object = self.pointed(pointer)

    def pointed(self, pointer: ast.Expr) -> ast.Expr:
        """What a pointer leads to; the pointer is evaluated once."""
        pointer = self._seen_through(pointer)
        if not isinstance(pointer.type, Pointer) or not is_scalar(pointer.type.target):
            raise self._reader.unit.unsupported(self._node, "an atomic operation on this object")
        if isinstance(pointer, ast.AddressOf) and isinstance(pointer.operand, ast.VarRef):
            return pointer.operand
        return ast.Deref(self.saved(pointer), pointer.type.target, self._at)

    def _seen_through(self, pointer: ast.Expr) -> ast.Expr:
        """Conversions that clang makes for the sake of a prototype (``volatile void *``)."""
        while isinstance(pointer, ast.Cast) and pointer.implicit:
            if not isinstance(pointer.operand.type, Pointer):
                break
            pointer = pointer.operand
        return pointer

    def saved(self, value: ast.Expr) -> ast.Expr:
        variable = self._reader.unit.variables.temporary(value.type, self._at)
        place = ast.VarRef(variable, value.type, self._at)
        self.assign(place, value)
        return place

    def assign(self, place: ast.Expr, value: ast.Expr) -> None:
        self._steps.append(ast.Assign(place, self._cast(value, place.type), place.type, self._at))

    def store(self, value: ast.Expr) -> None:
        self.assign(self.object, value)

    def fitting(self, value: ast.Expr) -> ast.Expr:
        """A value in the object's type."""
        return self._cast(value, self.object.type)

    def _cast(self, value: ast.Expr, type: object) -> ast.Expr:
        if value.type == type:
            return value
        if not isinstance(type, Int | Pointer) or not isinstance(value.type, Int | Pointer):
            raise self._reader.unit.unsupported(self._node, "an atomic operation on this object")
        return ast.Cast(value, type, self._at)

    def number(self, value: int) -> ast.Expr:
        return self.fitting(ast.IntConst(value, self._reader.unit.model.int, self._at))

    def equal(self, left: ast.Expr, right: ast.Expr) -> ast.Expr:
        if not isinstance(left.type, Int | Pointer):
            raise self._reader.unit.unsupported(self._node, "an atomic comparison of this type")
        integer = self._reader.unit.model.int
        if isinstance(left.type, Int) and left.type.bits < integer.bits:
            left, right = (ast.Cast(each, integer, self._at) for each in (left, right))
        return ast.Binary("==", left, right, integer, self._at)

    def truth(self, condition: ast.Expr, type: object, positive: bool = True) -> ast.Expr:
        """Whether a condition holds, in the operation's type."""
        integer = self._reader.unit.model.int
        yes, no = (ast.IntConst(int(each == positive), integer, self._at) for each in (True, False))
        return self._cast(ast.Conditional(condition, yes, no, integer, self._at), type)

    def end(self, value: ast.Expr | None) -> ast.Expr:
        """All steps, then the value (none: the operation has none)."""
        if value is None:
            value = ast.Cast(ast.IntConst(0, self._reader.unit.model.int, self._at), VOID, self._at)
        for step in reversed(self._steps):
            value = ast.Comma(step, value, value.type, self._at)
        return value
