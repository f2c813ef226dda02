"""Values of expressions: terms, with the side effects emitted in order on the way.

A term that :meth:`Expressions.value` returns speaks about the variables as they are *now*; if
something with side effects is evaluated before it is used, it must be saved in a temporary
(:meth:`Expressions.pair` does). Operands are evaluated from left to right unless they interfere
(``evaluation.py``). ``&&``, ``||`` and ``?:`` without side effects become formulas, with side effects
control flow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from revet.errors import Position, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.lower import floating
from revet.frontends.c.lower.arithmetic import NeedsBitVectors
from revet.frontends.c.lower.assignments import Assignments
from revet.frontends.c.lower.branching import Branching
from revet.frontends.c.lower.context import Context
from revet.frontends.c.lower.places import Place
from revet.frontends.c.lower.pointer_comparison import compare_pointers, difference
from revet.frontends.c.lower.wide_fields import are_values_of_one_field, refuse_wide_fields
from revet.frontends.c.types import Array, CType, Floating, Function, Int, Pointer, Record, Void, size_of
from revet.logic import build as b
from revet.logic.terms import Op, Term

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Expressions:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.arithmetic = context.arithmetic
        self.assignments = assignments = Assignments(context, self)
        self.branching = Branching(context, self)
        self.branch = self.branching.branch
        self._ordered = bool(context.orders.units)
        self._values: dict[type, Callable[[Any], Term | None]] = {
            ast.IntConst: self._int_constant, ast.FloatConst: self._float_constant,
            ast.VarRef: self.load, ast.Deref: self.load, ast.Index: self.load,
            ast.Member: self.load, ast.CompoundLiteral: self.load,
            ast.AddressOf: self._address_of, ast.Decay: self._decay, ast.FunctionRef: self._function_address,
            ast.Cast: self._cast, ast.Unary: self._unary, ast.Binary: self._binary,
            ast.PointerAdd: self._pointer_add, ast.PointerDiff: self._pointer_difference,
            ast.Logical: self._logical,
            ast.Conditional: self._conditional, ast.Comma: self._comma, ast.Assign: assignments.assign,
            ast.CompoundAssign: assignments.compound_assign, ast.Increment: assignments.increment,
            ast.Call: self._call, ast.StatementExpr: self._statement, ast.VaArg: self._va_arg,
        }

    # ---- entry points -----------------------------------------------------------------------

    def value(self, expression: ast.Expr) -> Term:
        """The value of a scalar expression."""
        if self._ordered:
            if self.context.evaluation.pending(expression):
                return self.context.evaluation.of(expression, lambda: self.value(expression))
            if expression in self.context.frame.known:
                known = self.context.frame.known[expression]
                assert isinstance(known, Term)
                return known
        handler = self._values.get(type(expression), self._unmodelled)
        try:
            value = handler(expression)
        except (Unsupported, NeedsBitVectors) as problem:
            return self._approximated(expression, problem)
        assert value is not None
        return value

    def _unmodelled(self, expression: ast.Expr) -> Term:
        message = "this expression is not modelled"
        if isinstance(expression, ast.Unmodelled):
            message = expression.message
        raise self.context.unsupported(expression.at, message)

    def _approximated(self, expression: ast.Expr, problem: Exception) -> Term:
        """Any value, if evaluating the expression changes nothing (so nothing was emitted but facts
        that its evaluation needs) and the objects that the value may point to are known."""
        automatic = isinstance(problem, NeedsBitVectors) and self.context.options.arithmetic != "int"
        if automatic or self.context.effects(expression):
            raise problem
        return self.context.any_value(expression, expression.type, expression.at, problem)

    def truth(self, expression: ast.Expr) -> Term:
        """Is the value different from zero? As a formula."""
        if self._ordered:
            if self.context.evaluation.pending(expression):
                return self.context.evaluation.of(expression, lambda: self.truth(expression))
            if expression in self.context.frame.known:
                return self._non_zero(expression.type, self.value(expression))
        try:
            return self._truth(expression)
        except (Unsupported, NeedsBitVectors) as problem:
            return self._non_zero(expression.type, self._approximated(expression, problem))

    def _truth(self, expression: ast.Expr) -> Term:
        match expression:
            case ast.Binary(op, left, right) if op in _COMPARISONS:
                first, second = self.pair(left, right, compared=True)
                holds = self.compare(op, left.type, first, second, expression.at)
                if isinstance(left.type, Pointer):
                    return compare_pointers(self.context, expression, first, second, holds)
                return holds
            case ast.Unary("!", operand):
                return b.not_(self.truth(operand))
            case ast.Logical(op, left, right) if not self.context.effects(right):
                first = self.truth(left)
                with self.context.under(first if op == "&&" else b.not_(first)):
                    second = self.truth(right)
                return b.and_(first, second) if op == "&&" else b.or_(first, second)
            case ast.Cast(operand, type) if _keeps_truth(operand.type, type):
                return self.truth(operand)
        return self._non_zero(expression.type, self.value(expression))

    def effect(self, expression: ast.Expr) -> None:
        """Evaluate for the side effects alone."""
        if self._ordered:
            if self.context.evaluation.pending(expression):
                self.context.evaluation.of(expression, lambda: self.effect(expression))
                return
            if expression in self.context.frame.known:
                return
        match expression:
            case ast.Cast(operand, Void()):
                self.effect(operand)
            case ast.Comma(first, second):
                self.effect(first)
                self.effect(second)
            case ast.Call():
                self.context.calls.call(expression, wanted=False)
            case ast.Conditional(_, _, _, Void()) | ast.Logical():
                self.branching.effect(expression)
            case ast.StatementExpr(body):
                self.context.statements.statement_expression(body, None)
            case ast.Assign(target) if isinstance(target.type, Record):
                self.assignments.assign_record(expression)
            case ast.Assign():
                self.assignments.assign(expression, wanted=False)
            case ast.CompoundAssign():
                self.assignments.compound_assign(expression, wanted=False)
            case ast.Increment():
                self.assignments.increment(expression, wanted=False)
            case _ if isinstance(expression.type, Record | Void | Array | Function):
                if self.context.effects(expression):
                    self.record(expression)
            case _:
                self.value(expression)

    def saved(self, expression: ast.Expr) -> Term:
        """The value in a temporary, so that later side effects do not change it."""
        value = self.value(expression)
        return self.save(expression, value, expression.type)

    def save(self, owner: object, value: Term, type: CType) -> Term:
        if value.op == Op.CONST:
            return value
        temporary = self.context.temporary(owner, "tmp", type)
        self.context.flow.assign(temporary, value)
        return temporary

    def pair(self, left: ast.Expr, right: ast.Expr, compared: bool = False) -> tuple[Term, Term]:
        """Two operands, the left one saved if evaluating the right one changes something."""
        if not (compared and are_values_of_one_field(left, right)):
            refuse_wide_fields(self.context, left, right)
        first = self.saved(left) if self.context.effects(right) else self.value(left)
        return first, self.value(right)

    def sequence(self, expressions: Sequence[ast.Expr]) -> list[Term]:
        """Several scalar operands in order (a call's arguments)."""
        last = max(
            (n for n, expression in enumerate(expressions) if self.context.effects(expression)), default=-1
        )
        return [
            self.saved(expression) if number < last else self.value(expression)
            for number, expression in enumerate(expressions)
        ]

    def zero(self, type: CType) -> Term:
        if isinstance(type, Floating):
            return floating.zero(type)
        return self.arithmetic.constant(self.context.symbols.integer_type(type), 0)

    def _non_zero(self, type: CType, value: Term) -> Term:
        if isinstance(type, Floating):
            return floating.non_zero(value)
        return self.arithmetic.truth(self.context.symbols.integer_type(type), value)

    # ---- leaves -----------------------------------------------------------------------------

    def _int_constant(self, node: ast.IntConst) -> Term:
        return self.arithmetic.constant(self.context.symbols.integer_type(node.type), node.value)

    def _float_constant(self, node: ast.FloatConst) -> Term:
        return floating.constant(node)

    def load(self, node: ast.Expr) -> Term:
        place = self.context.evaluation.watch(node, self.context.places.place(node))
        value = self.context.places.load(place)
        if self.context.written is not None:
            self.context.written.require(place, node.at)
        return value

    def _address_of(self, node: ast.AddressOf) -> Term:
        if isinstance(node.operand, ast.FunctionRef):
            return self._function_address(node.operand)
        return self.context.memory.address(node.operand)

    def _decay(self, node: ast.Decay) -> Term:
        return self.context.memory.address(node.array)

    def _function_address(self, node: ast.FunctionRef) -> Term:
        return self.context.memory.function(node.name)

    # ---- conversions ------------------------------------------------------------------------

    def _cast(self, node: ast.Cast) -> Term:
        if isinstance(node.type, Int) and node.type.boolean:
            return self.arithmetic.from_truth(node.type, self.truth(node.operand))
        value, numbers = self.value(node.operand), self.context.numbers
        if numbers is None:
            return self._converted(value, node.operand.type, node.type, node.at)
        target = self.context.storage.points_to.target(node.operand)
        match node.operand.type, node.type:
            case Pointer(), Int() as type:
                return self.arithmetic.convert(numbers.type, type, numbers.of(value, [target], node.at))
            case Int() as type, Pointer():
                number = self.arithmetic.convert(type, numbers.type, value)
                return numbers.pointer(number, [target])
        return self._converted(value, node.operand.type, node.type, node.at)

    def convert(self, value: Term, source: CType, target: CType, at: Position) -> Term:
        """A value that is passed, returned or assigned as one of another type, without a cast."""
        if isinstance(source, Pointer) and isinstance(target, Int) and not target.boolean:
            raise self.context.unsupported(at, "an address that is passed as a number")
        return self._converted(value, source, target, at)

    def _converted(self, value: Term, source: CType, target: CType, at: Position) -> Term:
        if source == target:
            return value
        if isinstance(source, Floating) or isinstance(target, Floating):
            return floating.convert(self.context, value, source, target, at)
        if isinstance(source, Record | Array | Void) or isinstance(target, Record | Array | Void):
            raise self.context.unsupported(at, f"a conversion from {source} to {target} is not modelled")
        if isinstance(source, Pointer) and isinstance(target, Int) and self.context.symbols.unbounded:
            fits = self.arithmetic.in_range(self.context.symbols.address_type, value)
            self.context.end_unless(fits, "an address beyond all integers", at)
        integer = self.context.symbols.integer_type
        return self.arithmetic.convert(integer(source), integer(target), value)

    # ---- operators --------------------------------------------------------------------------

    def _unary(self, node: ast.Unary) -> Term:
        if node.op == "!":
            return self.from_truth(node.type, b.not_(self.truth(node.operand)))
        refuse_wide_fields(self.context, node.operand)
        value = self.value(node.operand)
        if isinstance(node.type, Floating):
            return floating.negate(value)
        assert isinstance(node.type, Int)
        if node.op == "-":
            return self.arithmetic.negate(node.type, value, self.context.requires(node.at))
        return self.arithmetic.complement(node.type, value)

    def from_truth(self, type: CType, condition: Term) -> Term:
        assert isinstance(type, Int)
        return self.arithmetic.from_truth(type, condition)

    def _binary(self, node: ast.Binary) -> Term:
        if node.op in _COMPARISONS:
            return self.from_truth(node.type, self.truth(node))
        left, right = self.pair(node.left, node.right)
        return self.operate(node.op, node.type, left, right, node.right.type, node.at)

    def operate(
        self, op: str, type: CType, left: Term, right: Term, right_type: CType, at: Position
    ) -> Term:
        """An arithmetic operator on values of one type (for shifts, the right one has its own)."""
        if isinstance(type, Floating):
            return floating.binary(self.context, op, left, right)
        if not isinstance(type, Int) or not isinstance(right_type, Int):
            raise self.context.unsupported(at, f"{op} on {type} is not modelled")
        if op in ("<<", ">>"):
            return self.arithmetic.shift(op, type, left, right_type, right, self.context.requires(at))
        return self.arithmetic.binary(op, type, left, right, self.context.requires(at))

    def compare(self, op: str, type: CType, left: Term, right: Term, at: Position) -> Term:
        if isinstance(type, Floating):
            return floating.compare(op, left, right)
        return self.arithmetic.compare(op, self.context.symbols.integer_type(type), left, right)

    def _pointer_add(self, node: ast.PointerAdd) -> Term:
        pointer, index = self.pair(node.pointer, node.index)
        return self.moved(node, node.type, pointer, index, node.index.type, node.negative, node.at)

    def moved(
        self, node: ast.Expr, type: CType, pointer: Term, index: Term, index_type: CType, negative: bool,
        at: Position,
    ) -> Term:
        assert isinstance(type, Pointer) and isinstance(index_type, Int)
        size = -size_of(type.target) if negative else size_of(type.target)
        self.context.memory.require_near(node, pointer, index, index_type, size, at)
        return self.context.memory.moved(pointer, index, index_type, size)

    def _pointer_difference(self, node: ast.PointerDiff) -> Term:
        left, right = self.pair(node.left, node.right)
        assert isinstance(node.left.type, Pointer) and isinstance(node.type, Int)
        size = size_of(node.left.type.target)
        distance = self.context.memory.difference(left, right, size, node.type, node.at)
        return difference(self.context, node, left, right, distance)

    def _logical(self, node: ast.Logical) -> Term:
        if not self.context.effects(node.right):
            return self.from_truth(node.type, self.truth(node))
        return self.branching.value(node, node.type)

    def _conditional(self, node: ast.Conditional) -> Term:
        if self.context.effects(node.then) or self.context.effects(node.otherwise):
            return self.branching.value(node, node.type)
        condition = self.truth(node.condition)
        with self.context.under(condition):
            then = self.value(node.then)
        with self.context.under(b.not_(condition)):
            otherwise = self.value(node.otherwise)
        return b.ite(condition, then, otherwise)

    def _comma(self, node: ast.Comma) -> Term:
        self.effect(node.first)
        return self.value(node.second)

    # ---- calls, statements, records ---------------------------------------------------------

    def _call(self, node: ast.Call) -> Term:
        value = self.context.calls.call(node, wanted=True)
        if value is None:
            raise self.context.unsupported(node.at, "the value of a function without result is used")
        return value

    def _statement(self, node: ast.StatementExpr) -> Term:
        value = self.context.statements.statement_expression(node.body, node)
        if value is None:
            raise self.context.unsupported(node.at, "this statement expression has no value")
        return value

    def _va_arg(self, node: ast.VaArg) -> Term:
        return self.context.calls.lists.value(node)

    def record(self, node: ast.Expr) -> Place:
        """Where the value of a record expression stands (until the next side effect)."""
        context = self.context
        if self._ordered:
            if context.evaluation.pending(node):
                return context.evaluation.of(node, lambda: self.record(node))
            known = context.frame.known.get(node)
            if known is not None:
                assert not isinstance(known, Term)
                return known
        match node:
            case ast.Call():
                return context.calls.record(node)
            case ast.VaArg():
                return context.calls.lists.record(node)
            case ast.Assign():
                return self.assignments.assign_record(node)
            case ast.Comma(first, second):
                self.effect(first)
                return self.record(second)
            case ast.Conditional(condition, then, otherwise):
                variable = context.calls.spill_variable(node, node.type)
                place = context.places.of_variable(variable)
                starts = [context.flow.split(context.function) for _ in range(2)]
                join = context.flow.split(context.function)
                self.branch(condition, *starts)
                for start, arm in zip(starts, (then, otherwise), strict=True):
                    context.flow.resume(start)
                    context.places.copy(place, self.record(arm))
                    context.flow.jump(join)
                context.flow.resume(join)
                return place
            case ast.StatementExpr():
                place = context.places.of_variable(context.calls.spill_variable(node, node.type))
                context.statements.record_expression(node, place)
                return place
        return context.places.place(node)


def _keeps_truth(source: CType, target: CType) -> bool:
    """Is a converted value zero only if the value was?"""
    if not isinstance(source, Int | Pointer) or not isinstance(target, Int | Pointer):
        return False
    if isinstance(target, Int) and target.boolean:
        return True
    if isinstance(source, Pointer) or isinstance(target, Pointer):
        return isinstance(source, Pointer) and isinstance(target, Pointer)
    return target.bits >= source.bits
