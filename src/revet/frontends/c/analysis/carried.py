"""Which variables may hold the address of a local variable? An analysis by inclusion, for addresses only.

:mod:`points_to` unifies: after ``p = &head; p = &(*p)->next;`` it has ``head`` in one class with the nodes of
a list, and whatever points to a node seems to point to ``head``. Here an address is followed from where it
is taken, through assignments to local variables and parameters whose own address nobody has. Anything else
that may keep it (memory, a result, a number, a function without a body) counts as *somewhere*, and then the
other analysis answers. L. O. Andersen, "Program Analysis and Specialization for the C Programming Language",
1994, chapter 4, without its treatment of memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.library.conventions import ABOUT_MEMORY
from revet.frontends.c.types import Int, Pointer, Void
from revet.frontends.c.walk import before_and_value, expressions_of, initial_values, parts, statements

if TYPE_CHECKING:
    from collections.abc import Container


@dataclass(frozen=True)
class _AddressOf:
    variable: ast.Variable


Holder = ast.Variable | ast.StatementExpr
"""What may hold an address for a while. A statement expression does when its own variables are gone."""
_Origin = _AddressOf | ast.Variable  # an address that is taken, or what a variable holds
_Origins = frozenset[_Origin]
_NONE: _Origins = frozenset()
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class CarriedAddresses:
    """Run once over a program; :meth:`holders` answers."""

    def __init__(self, program: ast.CProgram, address_taken: Container[ast.Variable]) -> None:
        self.program = program
        self._taken = address_taken
        self._flows: dict[_Origin, set[Holder]] = {}
        self._lost: set[_Origin] = set()  # held by something else, too
        for variable in program.globals:
            self._lose(*(self._value(value) for value in initial_values(variable)))
        for function in program.functions.values():
            for statement in statements(function.body):
                self._statement(statement)

    def holders(self, variable: ast.Variable) -> set[Holder] | None:
        """What may hold its address; None: perhaps something else does, too."""
        found: set[Holder] = set()
        pending: list[_Origin] = [_AddressOf(variable)]
        while pending:
            origin = pending.pop()
            if origin in self._lost:
                return None
            new = self._flows.get(origin, set()) - found
            found |= new
            pending += [holder for holder in new if isinstance(holder, ast.Variable)]
        return found

    # ---- where values go --------------------------------------------------------------------

    def _lose(self, *values: _Origins) -> None:
        self._lost.update(*values)

    def _flow(self, variable: ast.Variable, value: _Origins) -> None:
        if variable.lives_forever or variable in self._taken:
            self._lose(value)
            return
        self._hold(variable, value)

    def _hold(self, holder: Holder, value: _Origins) -> None:
        for origin in value:
            self._flows.setdefault(origin, set()).add(holder)

    def _statement(self, statement: ast.Stmt) -> None:
        match statement:
            case ast.Declare(variable):
                self._initial(variable)
            case ast.Evaluate() | ast.If() | ast.While() | ast.DoWhile() | ast.For() | ast.Switch():
                for expression in expressions_of(statement):
                    self._value(expression)  # which is dropped, or tested
            case _:
                self._lose(*map(self._value, expressions_of(statement)))

    def _initial(self, variable: ast.Variable) -> None:
        for entry in variable.initialiser.entries if variable.initialiser is not None else ():
            if entry.path:
                self._lose(self._value(entry.value))
            else:
                self._flow(variable, self._value(entry.value))

    # ---- values -----------------------------------------------------------------------------

    def _value(self, expression: ast.Expr) -> _Origins:
        """The addresses that the value may be; what the expression assigns on the way is noted."""
        match expression:
            case ast.VarRef(variable):
                return frozenset([variable])
            case ast.Deref(inner) | ast.Member(inner):
                self._value(inner)  # what memory holds was noted where it was stored
                return _NONE
            case ast.Index(array, index):
                self._value(array)
                self._value(index)
                return _NONE
            case ast.AddressOf(operand) | ast.Decay(operand):
                return self._address(operand)
            case ast.Cast(operand, Pointer() | Void()) | ast.Cast(operand, Int(boolean=True)):
                return self._value(operand)
            case ast.PointerAdd(pointer, index):
                self._value(index)
                return self._value(pointer)
            case ast.Binary(op, left, right) if op in _COMPARISONS:
                return self._tested(left, right)
            case ast.Logical(_, left, right) | ast.PointerDiff(left, right):
                return self._tested(left, right)
            case ast.Unary("!", operand):
                return self._tested(operand)
            case ast.Conditional(condition, then, otherwise):
                self._value(condition)
                return self._value(then) | self._value(otherwise)
            case ast.Comma(first, second):
                self._value(first)
                return self._value(second)
            case ast.Assign(target, value):
                return self._assigned(target, self._value(value))
            case ast.Increment(target):
                return self._value(target)
            case ast.CompoundAssign(_, target, value) if isinstance(target.type, Pointer):
                self._value(value)
                return self._value(target)
            case ast.Call(ast.FunctionRef(name), arguments):
                return self._called(name, arguments)
            case ast.StatementExpr(body):
                result = self._block(body)
                self._hold(expression, result)
                return result
        self._lose(*map(self._value, parts(expression)))
        return _NONE

    def _tested(self, *operands: ast.Expr) -> _Origins:
        for operand in operands:
            self._value(operand)
        return _NONE

    def _address(self, lvalue: ast.Expr) -> _Origins:
        match lvalue:
            case ast.VarRef(variable):
                return frozenset([_AddressOf(variable)])
            case ast.CompoundLiteral(variable):
                self._initial(variable)
                return frozenset([_AddressOf(variable)])
            case ast.Deref(pointer):
                return self._value(pointer)
            case ast.Member(record):
                return self._address(record)
            case ast.Index(array, index):
                self._value(index)
                return self._address(array)
        return self._value(lvalue)

    def _assigned(self, target: ast.Expr, value: _Origins) -> _Origins:
        if isinstance(target, ast.VarRef):
            self._flow(target.variable, value)
        else:
            self._lose(value)
            self._value(target)
        return value

    def _called(self, name: str, arguments: Iterable[ast.Expr]) -> _Origins:
        """What is returned was lost where it was returned."""
        values = list(map(self._value, arguments))
        function = self.program.functions.get(name)
        if function is not None:
            for parameter, value in zip(function.parameters, values, strict=False):
                self._flow(parameter, value)
            self._lose(*values[len(function.parameters) :])
        elif name not in ("free", *ABOUT_MEMORY):
            self._lose(*values)
        return _NONE

    def _block(self, body: ast.Block) -> _Origins:
        before, value = before_and_value(body)
        for statement in before:
            self._statement(statement)
        return _NONE if value is None else self._value(value)
