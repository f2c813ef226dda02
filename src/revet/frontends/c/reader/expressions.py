"""Expressions: one method a kind of node. A kind that is not in the table is refused.

Types are found from the parts where that is possible (a variable's, a field's, what a pointer points
to), and read from clang's text elsewhere: a text says ``struct S``, a declaration says which one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from revet.errors import Position, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node, TypeText
from revet.frontends.c.reader import argument_lists, literals
from revet.frontends.c.reader.atomics import AtomicReader
from revet.frontends.c.reader.effects import leads_to_constant, may_have_effects
from revet.frontends.c.reader.endings import EXITS, before_exit
from revet.frontends.c.reader.known_calls import special_call
from revet.frontends.c.reader.labels import has_label, labels_apart
from revet.frontends.c.reader.rows import ROW_KINDS, RowReader
from revet.frontends.c.reader.specials import SpecialReader
from revet.frontends.c.reader.volatile import VolatileReader
from revet.frontends.c.types import (
    VOID,
    Array,
    CType,
    Floating,
    Function,
    Int,
    Pointer,
    Record,
)
from revet.frontends.c.walk import Effects

if TYPE_CHECKING:
    from revet.frontends.c.reader.unit import UnitReader

Reader = Callable[[Node, Position], ast.Expr]

_SAME = frozenset(("NoOp", "AtomicToNonAtomic", "NonAtomicToAtomic"))
_CONVERSIONS = frozenset((
    "BitCast", "NullToPointer", "IntegralToPointer", "PointerToIntegral", "IntegralCast",
    "IntegralToBoolean", "IntegralToFloating", "FloatingToIntegral", "FloatingToBoolean", "FloatingCast",
    "PointerToBoolean", "ToVoid",
))
_BINARY = frozenset(("*", "/", "%", "+", "-", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|"))


class ExpressionReader:
    def __init__(self, unit: UnitReader) -> None:
        self.unit = unit
        self._position = unit.sources.start
        self._approximate = unit.linkage.approximate
        special = SpecialReader(unit, self)
        self.atomics = AtomicReader(unit, self)
        self.rows = RowReader(unit, self)
        self._volatile = VolatileReader(unit)
        self._readers: dict[str, Reader] = {
            "ParenExpr": self._inner, "ConstantExpr": self._inner, "ExprWithCleanups": self._inner,
            "MaterializeTemporaryExpr": self._inner, "ImplicitCastExpr": self._conversion,
            "CStyleCastExpr": self._conversion, "DeclRefExpr": self._name, "MemberExpr": self._member,
            "CallExpr": self._call, "IntegerLiteral": self._integer, "FloatingLiteral": self._floating,
            "CharacterLiteral": self._integer, "CXXBoolLiteralExpr": self._integer,
            "CXXNullPtrLiteralExpr": special.null,
            "StringLiteral": self._string,
            "PredefinedExpr": self._inner, "UnaryOperator": self._unary, "BinaryOperator": self._binary,
            "ArraySubscriptExpr": self._subscript, "CompoundAssignOperator": self._compound_assign,
            "ConditionalOperator": self._conditional, "BinaryConditionalOperator": self._elvis,
            "CompoundLiteralExpr": self._compound_literal, "StmtExpr": self._statement_expression,
            "UnaryExprOrTypeTraitExpr": special.size, "OffsetOfExpr": special.offset,
            "VAArgExpr": special.argument, "GenericSelectionExpr": special.selection,
            "ChooseExpr": special.choice, "TypeTraitExpr": special.compatible,
            "ImplicitValueInitExpr": self._zero, "AtomicExpr": self.atomics.operation,
            "AddrLabelExpr": lambda node, at: unit.labels.address(node, at),
        }

    def read(self, node: Node) -> ast.Expr:
        kind = node.kind
        if kind in ROW_KINDS and (row := self.rows.read(node)) is not None:
            return row
        reader = self._readers.get(kind)
        if reader is not None and not self._approximate:
            return reader(node, self._position(node))
        try:
            if reader is None:
                raise self.unsupported(node, kind or "this expression")
            return reader(node, self._position(node))
        except Unsupported as problem:
            if not self._approximate:
                raise
            return self._approximated(node, problem)

    def _approximated(self, node: Node, problem: Unsupported) -> ast.Expr:
        """Any value will do for a number without side effects. Not for a pointer: which objects
        it may reach must be known."""
        type = self.type_of(node)
        if not isinstance(type, Int | Floating) or may_have_effects(node):
            raise problem
        return ast.Unmodelled(problem.message, type, self.unit.position(node))

    def unsupported(self, node: Node, what: str) -> Unsupported:
        return self.unit.unsupported(node, f"{what} is not modelled")

    def type_of(self, node: Node, text: TypeText | None = None) -> CType:
        return self.unit.resolved(node, text).type

    # ---- conversions ------------------------------------------------------------------------

    def convert(self, value: ast.Expr, type: CType) -> ast.Expr:
        """A value as the object that it is for has it. clang has converted it, to a type of the
        same description; the object's own type says which record is meant."""
        if value.type == type or not isinstance(type, Pointer) or not isinstance(value.type, Pointer):
            return value
        if isinstance(value, ast.Cast) and value.implicit and isinstance(value.operand.type, Pointer):
            value = value.operand
        return value if value.type == type else ast.Cast(value, type, value.at)

    def _inner(self, node: Node, at: Position) -> ast.Expr:
        return self.read(node.inner[0])

    def _conversion(self, node: Node, at: Position) -> ast.Expr:
        operand = self.read(node.inner[-1])
        kind = node.cast_kind
        size = self.unit.model.pointer_size
        match kind:
            case "LValueToRValue":
                is_open = self._volatile.is_open(node.inner[-1], operand, at)
                return self._volatile.value(operand, at) if is_open else operand
            case "ArrayToPointerDecay":
                if not isinstance(operand.type, Array):
                    raise self.unsupported(node, "this array")
                return ast.Decay(operand, Pointer(operand.type.element, size), at)
            case "FunctionToPointerDecay" | "BuiltinFnToFnPtr":
                if isinstance(operand, ast.Deref):
                    return operand.pointer
                return ast.AddressOf(operand, Pointer(operand.type, size), at)
        if kind in _SAME:
            if node.kind == "CStyleCastExpr" and leads_to_constant(operand):
                return ast.Cast(operand, operand.type, at, implicit=False)  # a way to write it
            return self._widened(node, operand, at)
        if kind == "ToUnion":
            return self._to_union(node, operand, at)
        if kind not in _CONVERSIONS:
            raise self.unsupported(node, f"the conversion {kind}")
        type = self.type_of(node)
        if operand.type == type:
            return self._widened(node, operand, at)
        if isinstance(type, Record | Array):
            raise self.unsupported(node, f"a cast to {type}")
        implicit = node.kind == "ImplicitCastExpr" and not node.is_part_of_explicit_cast
        return ast.Cast(operand, type, at, implicit)

    def _widened(self, node: Node, operand: ast.Expr, at: Position) -> ast.Expr:
        """A cast to the type that the operand has: a bit-field's value is one of its type only then."""
        is_field = isinstance(operand, ast.Member) and operand.field.width is not None
        written = is_field and node.kind == "CStyleCastExpr"
        return ast.Cast(operand, operand.type, at, implicit=False) if written else operand

    def _to_union(self, node: Node, operand: ast.Expr, at: Position) -> ast.Expr:
        """GNU ``(union u)value``: the first member of the value's type holds it."""
        type = self.type_of(node)
        fields = [] if not isinstance(type, Record) else [f for f in type.fields if f.type == operand.type]
        if not fields or fields[0].width is not None:
            raise self.unsupported(node, "this cast to a union")
        variable = self.unit.variables.new("literal", type, at)
        entry = ast.InitEntry((fields[0],), operand)
        variable.initialiser = ast.Initialiser((entry,), False, at)
        return ast.CompoundLiteral(variable, type, at)

    # ---- leaves -----------------------------------------------------------------------------

    def _integer(self, node: Node, at: Position) -> ast.Expr:
        type = self.type_of(node)
        if not isinstance(type, Int) or node.value is None:
            raise self.unsupported(node, "this literal")
        return ast.IntConst(type.wrap(int(node.value)), type, at)

    def _floating(self, node: Node, at: Position) -> ast.Expr:
        type = self.type_of(node)
        text = literals.floating(str(node.value))
        if text is None or not isinstance(type, Floating):
            raise self.unsupported(node, "this floating-point literal")
        return ast.FloatConst(text, type, at)

    def _string(self, node: Node, at: Position) -> ast.Expr:
        type = self.type_of(node)
        if not isinstance(type, Array) or not isinstance(type.element, Int):
            raise self.unsupported(node, "this string literal")
        elements = literals.string(str(node.value), type.element.bits)
        if elements is None:
            raise self.unsupported(node, "this string literal")
        padded = [*elements, *[0] * ((type.count or 0) - len(elements))][: type.count]
        return ast.StringConst(tuple(map(type.element.wrap, padded)), type, at)

    def _zero(self, node: Node, at: Position) -> ast.Expr:
        type = self.type_of(node)
        if not isinstance(type, Int):
            raise self.unsupported(node, "this initialiser")
        return ast.IntConst(0, type, at)

    def _name(self, node: Node, at: Position) -> ast.Expr:
        target = node.referenced_decl
        assert target is not None
        match target.kind:
            case "VarDecl" | "ParmVarDecl":
                variable = self.unit.variables.mentioned(target, node)
                return ast.VarRef(variable, variable.type, at)
            case "FunctionDecl":
                name, type = self.unit.function(target, node)
                return ast.FunctionRef(name, type, at)
            case "EnumConstantDecl":
                value, of = self.unit.types.enumerators.get(target.id), self.type_of(node)
                if value is not None and isinstance(of, Int):
                    literals.note_enumerator(self.unit, value, of, at)
                    return ast.IntConst(of.wrap(value), of, at)
        raise self.unsupported(node, f"{target.kind} {target.name}")

    # ---- operators --------------------------------------------------------------------------

    def _member(self, node: Node, at: Position) -> ast.Expr:
        record = self.read(node.inner[0])
        if isinstance(record.type, Pointer) and node.is_arrow:
            record = self._dereference(record, record.type.target, at)
        field = self.unit.types.fields.get(node.referenced_member_decl or "")
        if field is None:
            raise self.unsupported(node, f"the member {node.name}")
        return ast.Member(record, field, field.type, at)

    def _subscript(self, node: Node, at: Position) -> ast.Expr:
        base, index = map(self.read, node.inner)
        if isinstance(index.type, Pointer):
            base, index = index, base
        if isinstance(base, ast.Decay) and isinstance(base.array.type, Array):
            return ast.Index(base.array, index, base.array.type.element, at)
        if not isinstance(base.type, Pointer):
            raise self.unsupported(node, "this subscript")
        return ast.Deref(ast.PointerAdd(base, index, base.type, at), base.type.target, at)

    def _unary(self, node: Node, at: Position) -> ast.Expr:
        operand = self.read(node.inner[0])
        match node.opcode:
            case "++" | "--":
                delta = 1 if node.opcode == "++" else -1
                if self._volatile.is_open(node.inner[0], operand, at):
                    return self._volatile.stepped(node, operand, delta, not node.is_postfix, at)
                return ast.Increment(operand, delta, not node.is_postfix, operand.type, at)
            case "&":
                if isinstance(operand, ast.Deref):
                    return operand.pointer
                return ast.AddressOf(operand, Pointer(operand.type, self.unit.model.pointer_size), at)
            case "*":
                if not isinstance(operand.type, Pointer):
                    raise self.unsupported(node, "this dereference")
                return self._dereference(operand, operand.type.target, at)
            case "-" | "~" | "!":
                return ast.Unary(node.opcode, operand, self.type_of(node), at)
            case "+" | "__extension__":
                return operand
        raise self.unsupported(node, f"the operator {node.opcode}")

    def _dereference(self, operand: ast.Expr, type: CType, at: Position) -> ast.Expr:
        match operand:
            case ast.AddressOf(inner):
                return inner
            case ast.Decay(array):
                return ast.Index(array, ast.IntConst(0, self.unit.model.int, at), type, at)
        return ast.Deref(operand, type, at)

    def _binary(self, node: Node, at: Position) -> ast.Expr:
        op = node.opcode
        left, right = map(self.read, node.inner)
        match op:
            case "=":
                return ast.Assign(left, self.convert(right, left.type), left.type, at)
            case ",":
                return ast.Comma(left, right, right.type, at)
            case "&&" | "||":
                return ast.Logical(op, left, right, self.type_of(node), at)
            case "+" | "-" if isinstance(left.type, Pointer) != isinstance(right.type, Pointer):
                if isinstance(right.type, Pointer):
                    left, right = right, left
                return ast.PointerAdd(left, right, left.type, at, op == "-")
            case "-" if isinstance(left.type, Pointer):
                if has_label(node):
                    raise self.unsupported(node, "the distance of labels")
                return ast.PointerDiff(left, right, self.type_of(node), at)
        if op not in _BINARY:
            raise self.unsupported(node, f"the operator {op}")
        return ast.Binary(op, left, right, self.type_of(node), at)

    def _compound_assign(self, node: Node, at: Position) -> ast.Expr:
        """clang says in which type the operator works; the result is converted back."""
        op = node.opcode.removesuffix("=")
        target, value = map(self.read, node.inner)
        if op not in _BINARY:
            raise self.unsupported(node, f"the operator {node.opcode}")
        if isinstance(target.type, Pointer):
            return ast.CompoundAssign(op, target, value, target.type, target.type, at)
        computation = self.type_of(node, node.compute_l_h_s_type)
        if computation != self.type_of(node, node.compute_result_type):
            raise self.unsupported(node, f"the operator {node.opcode} between these types")
        if self._volatile.is_open(node.inner[0], target, at):
            return self._volatile.changed(op, target, value, computation, at)
        return ast.CompoundAssign(op, target, value, computation, target.type, at)

    def _conditional(self, node: Node, at: Position) -> ast.Expr:
        condition, then, otherwise = map(self.read, node.inner)
        return self._choose(node, condition, then, otherwise, at)

    def _choose(
        self, node: Node, condition: ast.Expr, then: ast.Expr, otherwise: ast.Expr, at: Position
    ) -> ast.Expr:
        type: CType = then.type
        if type != otherwise.type:
            type = self.type_of(node)
            then, otherwise = (self._branch(value, type) for value in (then, otherwise))
        return ast.Conditional(condition, then, otherwise, type, at)

    def _branch(self, value: ast.Expr, type: CType) -> ast.Expr:
        if value.type == type:
            return value
        if type == VOID:
            return ast.Cast(value, VOID, value.at)
        return self.convert(value, type)

    def _elvis(self, node: Node, at: Position) -> ast.Expr:
        """GNU ``a ?: b``: ``a`` is evaluated once. clang shows it three times: as itself, and as the
        value of the condition and of the result (with conversions around)."""
        common, _, middle, last = node.inner
        first = self.read(common)
        otherwise = self.read(last)
        again = first
        condition: ast.Expr = first
        if Effects()(first):
            if self.unit.current is None:
                raise self.unsupported(node, "the operator ?: without a middle operand")
            variable = self.unit.variables.temporary(first.type, at)
            again = ast.VarRef(variable, first.type, at)
            condition = ast.Assign(again, first, first.type, at)
        return self._choose(node, condition, self._around(middle, again), otherwise, at)

    def _around(self, node: Node, value: ast.Expr) -> ast.Expr:
        """The conversions around clang's placeholder for a value, around ``value``."""
        if node.kind == "OpaqueValueExpr":
            return value
        if node.kind not in ("ImplicitCastExpr", "ParenExpr"):
            raise self.unsupported(node, "the operator ?: without a middle operand")
        inner = self._around(node.inner[0], value)
        if node.kind == "ParenExpr" or node.cast_kind in (*_SAME, "LValueToRValue"):
            return inner
        if node.cast_kind not in _CONVERSIONS:
            raise self.unsupported(node, f"the conversion {node.cast_kind}")
        type = self.type_of(node)
        return inner if inner.type == type else ast.Cast(inner, type, value.at)

    # ---- the rest ---------------------------------------------------------------------------

    def _call(self, node: Node, at: Position) -> ast.Expr:
        callee, *rest = node.inner
        function = self.read(callee)
        if isinstance(function, ast.AddressOf) and isinstance(function.operand, ast.FunctionRef):
            function = function.operand
        type = function.type.target if isinstance(function.type, Pointer) else function.type
        if not isinstance(type, Function):
            raise self.unsupported(node, "this call")
        arguments = [self.read(argument) for argument in rest]
        if isinstance(function, ast.FunctionRef):
            special = special_call(self.unit, node, function.name, arguments, at)
            if special is not None:
                return special
        for number, expected in enumerate(type.parameters or ()):
            if number < len(arguments):
                arguments[number] = self.convert(arguments[number], expected)
        result = type.result
        shown = self.type_of(node) if not isinstance(result, Record | Pointer) else result
        call = ast.Call(function, tuple(arguments), shown, at)
        if isinstance(function, ast.FunctionRef) and function.name in argument_lists.PRINTERS:
            return argument_lists.spent(call, at)
        exits = isinstance(function, ast.FunctionRef) and function.name in EXITS
        return before_exit(self.unit, call) if exits and self.unit.linkage.ends else call

    def _compound_literal(self, node: Node, at: Position) -> ast.Expr:
        type = self.type_of(node)
        variable = self.unit.variables.new("literal", type, at)
        variable.initialiser = self.unit.initialisers.read(node.inner[0], type)
        return ast.CompoundLiteral(variable, type, at)

    def _statement_expression(self, node: Node, at: Position) -> ast.Expr:
        body = self.unit.statements.read(node.inner[0])
        if not isinstance(body, ast.Block):
            raise self.unsupported(node, "this statement expression")
        body = labels_apart(body)
        type = last.expression.type if isinstance(last := body.body[-1], ast.Evaluate) else VOID
        valued = node.type is not None and node.type.qual_type != "void"
        if isinstance(type, Array | Function) or (type == VOID and valued):
            raise self.unsupported(node, "a statement expression of this type")
        return ast.StatementExpr(body, type, at)
