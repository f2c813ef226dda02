"""Expressions: one method a kind of cursor.

clang shows implicit conversions as *unexposed* expressions with the same extent as their
operand; their type and the operand's say which conversion it is. Everything else that is
unexposed (``va_arg``, ``offsetof``, …) starts before its operand in the text and is recognised
by that, so a construct we do not know is never mistaken for a conversion.
"""

from __future__ import annotations

from collections.abc import Callable

from revet.errors import Position, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.clang import BINARY_OPERATORS, UNARY_OPERATORS, Cursor, CursorKind
from revet.frontends.c.reader import literals
from revet.frontends.c.reader.type_reader import UnknownType
from revet.frontends.c.reader.unit import UnitReader
from revet.frontends.c.types import Array, CType, Floating, Function, Int, Pointer, Record
from revet.frontends.c.walk import Effects

_EFFECTS = (CursorKind.CALL, CursorKind.COMPOUND_ASSIGN, CursorKind.STATEMENT_EXPR)


class ExpressionReader:
    def __init__(self, unit: UnitReader) -> None:
        self.unit = unit
        self.lib = unit.lib
        self._children = unit.lib.children
        self._type = unit.types.of
        self._position = unit.source.position
        self._readers: dict[int, Callable[[Cursor, Position], ast.Expr]] = {
            CursorKind.NAME: self._name,
            CursorKind.MEMBER: self._member, CursorKind.CALL: self._call,
            CursorKind.INTEGER: self._integer, CursorKind.FLOATING: self._floating,
            CursorKind.STRING: self._string, CursorKind.CHARACTER: self._constant,
            CursorKind.PAREN: self._paren, CursorKind.UNARY: self._unary,
            CursorKind.SUBSCRIPT: self._subscript, CursorKind.BINARY: self._binary,
            CursorKind.COMPOUND_ASSIGN: self._compound_assign,
            CursorKind.CONDITIONAL: self._conditional, CursorKind.CAST: self._cast,
            CursorKind.COMPOUND_LITERAL: self._compound_literal,
            CursorKind.STATEMENT_EXPR: self._statement_expression,
            CursorKind.SIZEOF: self._constant,
        }

    def _value_type(self, cursor: Cursor) -> CType:
        """The type of an expression that is no lvalue: never an array, whatever libclang shows
        for expressions over parameters that were declared as arrays."""
        return self.unit.types.adjusted(self._type(cursor))

    def read(self, cursor: Cursor) -> ast.Expr:
        if not self.unit.linkage.approximate:
            return self._read(cursor, self.unit.start(cursor))
        try:
            return self._read(cursor, self.unit.start(cursor))
        except (Unsupported, UnknownType) as problem:
            return self._approximated(cursor, problem)

    def _approximated(self, cursor: Cursor, problem: Unsupported | UnknownType) -> ast.Expr:
        """Any value will do for a number without side effects. Not for a pointer: which objects
        it may reach must be known."""
        try:
            type = self._value_type(cursor)
        except UnknownType:
            raise problem from None
        if not isinstance(type, Int | Floating) or self._may_have_effects(cursor):
            raise problem
        message = problem.message if isinstance(problem, Unsupported) else str(problem)
        return ast.Unmodelled(message, type, self.unit.position(cursor))

    def _may_have_effects(self, cursor: Cursor) -> bool:
        stack = [cursor]
        while stack:
            current = stack.pop()
            kind = current.kind
            if kind in _EFFECTS or not CursorKind.FIRST_EXPRESSION <= kind <= CursorKind.LAST_EXPRESSION:
                return True
            if kind == CursorKind.BINARY and self.lib.getCursorBinaryOperatorKind(current) >= 22:
                return True  # an assignment or a comma
            if kind == CursorKind.UNARY and self.lib.getCursorUnaryOperatorKind(current) <= 4:
                return True
            stack += self._children(current)
        return False

    def _read(self, cursor: Cursor, start: int) -> ast.Expr:
        kind = cursor.kind
        if kind == CursorKind.UNEXPOSED:
            return self._unexposed(cursor, start)
        reader = self._readers.get(kind)
        if reader is None:
            raise self._unsupported(cursor)
        return reader(cursor, self._position(start))

    def _unsupported(self, cursor: Cursor, what: str = "this expression") -> Unsupported:
        return self.unit.unsupported(cursor, f"{what} is not modelled")

    # ---- conversions ------------------------------------------------------------------------

    def convert(self, value: ast.Expr, type: CType) -> ast.Expr:
        """What clang would insert to make ``value`` one of ``type``."""
        if isinstance(value.type, Array) and isinstance(type, Pointer):
            value = ast.Decay(value, Pointer(value.type.element, type.size), value.at)
        elif isinstance(value.type, Function) and isinstance(type, Pointer):
            value = ast.AddressOf(value, Pointer(value.type, type.size), value.at)
        return value if value.type == type else ast.Cast(value, type, value.at)

    def _unexposed(self, cursor: Cursor, start: int) -> ast.Expr:
        children = self._children(cursor)
        at = self._position(start)
        if len(children) == 1:
            inner = children[0]
            if self.unit.start(inner) == start:
                operand, type = self._read(inner, start), self._type(cursor)
                if isinstance(type, Array) and isinstance(operand.type, Array | Pointer):
                    return operand  # a parameter's value: libclang shows the type as written
                return self.convert(operand, type)
            if self.unit.text_at(cursor).startswith(b"__builtin_va_arg"):
                return ast.VaArg(self.read(inner), self._type(cursor), at)
        if len(children) > 1 and self.unit.start(children[0]) == start:
            return self._elvis(cursor, children)
        return self._constant(cursor, at)

    def _elvis(self, cursor: Cursor, children: list[Cursor]) -> ast.Expr:
        """GNU ``a ?: b``, only where evaluating ``a`` twice makes no difference."""
        first = self.read(children[0])
        if Effects()(first):
            raise self._unsupported(cursor, "the operator ?: without a middle operand")
        type = self._type(cursor)
        last = self.convert(self.read(children[-1]), type)
        return ast.Conditional(first, self.convert(first, type), last, type, first.at)

    def _cast(self, cursor: Cursor, at: Position) -> ast.Expr:
        operand = self.read(self._children(cursor)[-1])
        type = self._value_type(cursor)
        if operand.type == type:
            return operand
        if isinstance(type, Record | Array):
            raise self._unsupported(cursor, f"a cast to {type}")
        return ast.Cast(operand, type, at, implicit=False)

    # ---- leaves -----------------------------------------------------------------------------

    def _constant(self, cursor: Cursor, at: Position) -> ast.Expr:
        """``sizeof``, ``offsetof``, characters and whatever else clang can evaluate."""
        type = self._type(cursor)
        value = self.lib.integer_value(cursor)
        if value is None or not isinstance(type, Int):
            raise self._unsupported(cursor)
        return ast.IntConst(type.wrap(value), type, at)

    def _integer(self, cursor: Cursor, at: Position) -> ast.Expr:
        value = literals.integer(self.unit.text_of(cursor).decode("ascii", "replace"))
        if value is None:
            return self._constant(cursor, at)
        return ast.IntConst(value, self._type(cursor), at)

    def _floating(self, cursor: Cursor, at: Position) -> ast.Expr:
        text = literals.floating(self.unit.text_of(cursor).decode("ascii", "replace"))
        if text is None:
            raise self._unsupported(cursor, "this floating-point literal")
        return ast.FloatConst(text, self._type(cursor), at)

    def _string(self, cursor: Cursor, at: Position) -> ast.Expr:
        type = self._type(cursor)
        text = self.unit.text_of(cursor)
        if text.startswith(b"__"):  # __func__ and its kin
            text = b'"' + (self.unit.current or "").encode() + b'"'
        elements = literals.string(text)
        if elements is None or not isinstance(type, Array) or not isinstance(type.element, Int):
            raise self._unsupported(cursor, "this string literal")
        padded = [*elements, *[0] * ((type.count or 0) - len(elements))][: type.count]
        return ast.StringConst(tuple(map(type.element.wrap, padded)), type, at)

    def _name(self, cursor: Cursor, at: Position) -> ast.Expr:
        target = self.lib.getCursorReferenced(cursor)
        match target.kind:
            case CursorKind.VAR | CursorKind.PARAMETER:
                variable = self.unit.variable(target)
                return ast.VarRef(variable, variable.type, at)
            case CursorKind.FUNCTION:
                return ast.FunctionRef(self.unit.function_name(target), self._type(target), at)
            case CursorKind.ENUM_CONSTANT:
                value = int(self.lib.getEnumConstantDeclValue(target))
                type = self._type(cursor)
                return ast.IntConst(type.wrap(value) if isinstance(type, Int) else value, type, at)
        raise self._unsupported(cursor)

    # ---- operators --------------------------------------------------------------------------

    def _paren(self, cursor: Cursor, at: Position) -> ast.Expr:
        return self.read(self._children(cursor)[0])

    def _member(self, cursor: Cursor, at: Position) -> ast.Expr:
        record = self.read(self._children(cursor)[0])
        field = self.unit.types.fields.get(self.lib.getCursorReferenced(cursor).data[0])
        if isinstance(record.type, Pointer):
            record = ast.Deref(record, record.type.target, at)
        if field is None:
            raise self._unsupported(cursor, "this member access")
        return ast.Member(record, field, field.type, at)

    def _subscript(self, cursor: Cursor, at: Position) -> ast.Expr:
        base, index = map(self.read, self._children(cursor))
        if isinstance(index.type, Pointer):
            base, index = index, base
        type = self._type(cursor)
        if isinstance(base, ast.Decay):
            return ast.Index(base.array, index, type, at)
        return ast.Deref(ast.PointerAdd(base, index, base.type, at), type, at)

    def _unary(self, cursor: Cursor, at: Position) -> ast.Expr:
        op = UNARY_OPERATORS.get(self.lib.getCursorUnaryOperatorKind(cursor))
        operand = self.read(self._children(cursor)[0])
        type = self._type(cursor) if op == "*" else self._value_type(cursor)
        match op:
            case "p++" | "p--" | "++p" | "--p":
                return ast.Increment(operand, 1 if "+" in op else -1, op[-1] == "p", type, at)
            case "&":
                return operand.pointer if isinstance(operand, ast.Deref) else ast.AddressOf(operand, type, at)
            case "*":
                return self._dereference(operand, type, at)
            case "-" | "~" | "!":
                return ast.Unary(op, operand, type, at)
            case "+" | "__extension__":
                return operand
        raise self._unsupported(cursor)

    def _dereference(self, operand: ast.Expr, type: CType, at: Position) -> ast.Expr:
        match operand:
            case ast.AddressOf(inner):
                return inner
            case ast.Decay(array):
                zero = ast.IntConst(0, self.unit.model.int, at)
                return ast.Index(array, zero, type, at)
        return ast.Deref(operand, type, at)

    def _binary(self, cursor: Cursor, at: Position) -> ast.Expr:
        op = BINARY_OPERATORS.get(self.lib.getCursorBinaryOperatorKind(cursor), "?")
        first, second = self._children(cursor)
        left = self.read(first)
        right = self.read(second)
        type = self._value_type(cursor)
        match op:
            case "=":
                return ast.Assign(left, right, type, at)
            case ",":
                return ast.Comma(left, right, type, at)
            case "&&" | "||":
                return ast.Logical(op, left, right, type, at)
            case "+" | "-" if isinstance(type, Pointer):
                if isinstance(right.type, Pointer):
                    left, right = right, left
                return ast.PointerAdd(left, right, type, at, op == "-")
            case "-" if isinstance(left.type, Pointer):
                return ast.PointerDiff(left, right, type, at)
            case "?":
                raise self._unsupported(cursor)
        return ast.Binary(op, left, right, type, at)

    def _compound_assign(self, cursor: Cursor, at: Position) -> ast.Expr:
        op = BINARY_OPERATORS[self.lib.getCursorBinaryOperatorKind(cursor)]
        target, value = map(self.read, self._children(cursor))
        type = self._value_type(cursor)
        computation = value.type
        if isinstance(target.type, Pointer):
            computation = target.type
        elif op in ("<<", ">>"):
            computation = promoted(target, self.unit.model.int)
        return ast.CompoundAssign(op, target, value, computation, type, at)

    def _conditional(self, cursor: Cursor, at: Position) -> ast.Expr:
        condition, then, otherwise = map(self.read, self._children(cursor))
        return ast.Conditional(condition, then, otherwise, self._value_type(cursor), at)

    # ---- the rest ---------------------------------------------------------------------------

    def _call(self, cursor: Cursor, at: Position) -> ast.Expr:
        callee, *arguments = self._children(cursor)
        function = self.read(callee)
        if isinstance(function, ast.AddressOf) and isinstance(function.operand, ast.FunctionRef):
            function = function.operand
        return ast.Call(function, tuple(map(self.read, arguments)), self._value_type(cursor), at)

    def _compound_literal(self, cursor: Cursor, at: Position) -> ast.Expr:
        type = self._type(cursor)
        variable = self.unit.new_variable("literal", type, at)
        variable.initialiser = self.unit.initialisers.read(self._children(cursor)[-1], type)
        return ast.CompoundLiteral(variable, type, at)

    def _statement_expression(self, cursor: Cursor, at: Position) -> ast.Expr:
        body = self.unit.statements.read(self._children(cursor)[0])
        if not isinstance(body, ast.Block):
            raise self._unsupported(cursor)
        return ast.StatementExpr(body, self._type(cursor), at)


def promoted(target: ast.Expr, int_type: Int) -> CType:
    """C's integer promotions (6.3.1.1): what fits into int becomes int."""
    type = target.type
    if not isinstance(type, Int):
        return type
    if isinstance(target, ast.Member) and target.field.width is not None:
        fits = target.field.width < int_type.bits + (0 if not type.signed else 1)
        return int_type if fits else type
    return int_type if type.bits < int_type.bits or type.boolean else type
