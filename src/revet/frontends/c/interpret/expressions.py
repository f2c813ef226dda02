"""Expressions as code for the stack machine.

Every construct becomes a list of pieces (:mod:`interpret.pieces`), among them subexpressions that
are still to be expanded. The expansion is a loop over a stack of pieces (:func:`expand`), so no
expression is too deep.

Operands are evaluated from left to right, but the right side of ``=`` before the left one; a compound
assignment reads its target last (C leaves all this open; the lowering does the same).

Values of record and array type are ``bytes``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.interpret import floating, operators, places
from revet.frontends.c.interpret.access import Access, access, step_into
from revet.frontends.c.interpret.effects import effect, named_array, unless
from revet.frontends.c.interpret.machine import Block, Instruction, Machine, Stop
from revet.frontends.c.interpret.pieces import (
    Effect,
    Later,
    Leave,
    Piece,
    Place,
    Scope,
    Target,
    Value,
    jump,
    jump_if_zero,
    jump_unless_zero,
)
from revet.frontends.c.types import Array, CType, Field, Floating, Function, Pointer, Record, Void, size_of


def expand(pieces: Sequence[Piece], scope: Scope) -> list[Block]:
    """Lay out code as basic blocks: expand every subexpression, give every target its block."""
    code: list[Block] = []
    block: list[Instruction] = []
    work: list[Piece] = list(reversed(pieces))
    while work:
        piece = work.pop()
        match piece:
            case Target():
                if block:
                    code.append(tuple(block))
                    block = []
                piece.address = len(code)
            case Leave(instruction):
                code.append((*block, instruction))
                block = []
            case Value(expression):
                work.extend(reversed(_VALUES[type(expression)](expression, scope)))
            case Effect(expression):
                work.extend(reversed(effect(expression, scope)))
            case Place(expression):
                work.extend(reversed(place_of(expression, scope)))
            case Later(make):
                work.extend(reversed(make()))
            case _:
                block.append(piece)
    return [*code, tuple(block)] if block else code


def is_place(expression: ast.Expr) -> bool:
    """Does the expression stand for an object?"""
    while isinstance(expression, ast.Member):
        expression = expression.record
    return isinstance(
        expression, ast.VarRef | ast.Deref | ast.Index | ast.StringConst | ast.CompoundLiteral
    )


# ---- places -----------------------------------------------------------------------------------


def place_of(e: ast.Expr, scope: Scope) -> list[Piece]:
    """Code that leaves an lvalue's address (of the record around it, for a bit-field)."""
    match e:
        case ast.VarRef(variable):
            return [places.address_of_variable(scope.find(variable))]
        case ast.Deref(pointer):
            return [Value(pointer)]
        case ast.Index(array, index):
            assert isinstance(array.type, Array)
            count = None if isinstance(array, ast.Member) else array.type.count
            return [Place(array), Value(index), places.index(size_of(e.type), count, e.at)]
        case ast.Member(record, field):
            if not is_place(record):
                return [Value(record), _spill(record.type), *_field_offset(field)]
            return [Place(record), *_field_offset(field)]
        case ast.StringConst():
            return [_string(e)]
        case ast.CompoundLiteral(variable):
            return [
                *scope.declaration(variable), places.address_of_variable(scope.find(variable))
            ]
        case ast.FunctionRef(name):
            return [_function_address(name)]
        case _:  # a record value (a call, a conditional) whose address is needed for a member
            return [Value(e), _spill(e.type)]


def _field_offset(field: Field) -> list[Piece]:
    if field.width is not None or field.offset == 0:
        return []
    return [places.add_offset(field.offset // 8)]


def _spill(type: CType) -> Instruction:
    """Put a record value into a temporary object, and leave its address."""

    def run(m: Machine) -> None:
        target = m.memory.allocate("temporary", size_of(type), "variable", type)
        target.data[:] = m.stack[-1]
        m.frame.objects.append(target)
        m.stack[-1] = m.memory.address_of(target)

    return run


def _string(e: ast.StringConst) -> Instruction:
    assert isinstance(e.type, Array)
    width = size_of(e.type.element)
    data = b"".join((unit & ((1 << 8 * width) - 1)).to_bytes(width, "little") for unit in e.data)

    def run(m: Machine) -> None:
        target = m.strings.get(id(e))
        if target is None:
            target = m.memory.allocate("string literal", len(data), "string", e.type)
            target.data[:] = data
            target.constant = True
            m.strings[id(e)] = target
        m.stack.append(m.memory.address_of(target))

    return run


def _function_address(name: str) -> Instruction:
    def run(m: Machine) -> None:
        m.stack.append(m.function_address(name))

    return run


# ---- values -----------------------------------------------------------------------------------


def _constant(e: ast.IntConst, scope: Scope) -> list[Piece]:
    return [operators.push(e.value)]


def _float_constant(e: ast.FloatConst, scope: Scope) -> list[Piece]:
    assert isinstance(e.type, Floating)
    return [operators.push(floating.from_text(e.text, e.type.bits))]


def _variable(e: ast.VarRef, scope: Scope) -> list[Piece]:
    slot = scope.local_slot(e.variable)
    if slot is not None:
        return [places.load_local(slot, access(e.type), e.at)]
    return [places.load_variable(scope.find(e.variable), access(e.type), e.at)]


def _indexed(e: ast.Index, scope: Scope) -> list[Piece]:
    named = named_array(e, scope)
    if named is None:
        return _loaded(e, scope)
    return [Value(e.index), places.load_element(named[0], access(e.type), named[1], e.at)]


def _loaded(e: ast.Expr, scope: Scope) -> list[Piece]:
    if isinstance(e.type, Void | Function):  # *p on a function pointer, or as a void expression
        return [Place(e)]
    return [Place(e), places.load(access(e.type), e.at)]


def _member(e: ast.Member, scope: Scope) -> list[Piece]:
    how = access(e.type, e.field)
    if is_place(e.record):
        return [Place(e), places.load(how, e.at)]
    offset = 0 if e.field.width is not None else e.field.offset // 8
    return [Value(e.record), places.member_of_value(how, offset)]


def _address(e: ast.AddressOf, scope: Scope) -> list[Piece]:
    operand = e.operand
    if isinstance(operand, ast.Index) and isinstance(operand.array.type, Array):  # &a[n] is legal
        count = operand.array.type.count
        bound = None if count is None or isinstance(operand.array, ast.Member) else count + 1
        size = size_of(operand.type)
        return [Place(operand.array), Value(operand.index), places.index(size, bound, operand.at)]
    return [Place(operand)]


def _decay(e: ast.Decay, scope: Scope) -> list[Piece]:
    return [Place(e.array)]


def _cast(e: ast.Cast, scope: Scope) -> list[Piece]:
    conversion = operators.conversion(e.operand.type, e.type, e.at)
    return [Value(e.operand)] if conversion is None else [Value(e.operand), conversion]


def _unary(e: ast.Unary, scope: Scope) -> list[Piece]:
    return [Value(e.operand), operators.unary(e.op, e.operand.type, e.at)]


def _binary(e: ast.Binary, scope: Scope) -> list[Piece]:
    if isinstance(e.right, ast.IntConst):
        fixed = operators.binary_with(e.op, e.left.type, e.right.value, e.at)
        if fixed is not None:
            return [Value(e.left), fixed]
    return [Value(e.left), Value(e.right), operators.binary(e.op, e.left.type, e.at)]


def _pointer_add(e: ast.PointerAdd, scope: Scope) -> list[Piece]:
    assert isinstance(e.type, Pointer)
    add = operators.pointer_add(size_of(e.type.target), scope.pointer_bits, e.negative)
    return [Value(e.pointer), Value(e.index), add]


def _pointer_diff(e: ast.PointerDiff, scope: Scope) -> list[Piece]:
    assert isinstance(e.left.type, Pointer)
    size = size_of(e.left.type.target)
    return [Value(e.left), Value(e.right), operators.pointer_difference(size, e.at)]


def _logical(e: ast.Logical, scope: Scope) -> list[Piece]:
    short, end = Target(), Target()
    decided = 0 if e.op == "&&" else 1
    leave = jump_if_zero(short) if e.op == "&&" else jump_unless_zero(short)
    return [
        Value(e.left), leave, Value(e.right), leave,
        operators.push(1 - decided), jump(end), short, operators.push(decided), end,
    ]


def _conditional(e: ast.Conditional, scope: Scope) -> list[Piece]:
    otherwise, end = Target(), Target()
    return [
        *unless(e.condition, otherwise), Value(e.then), jump(end),
        otherwise, Value(e.otherwise), end,
    ]


def _comma(e: ast.Comma, scope: Scope) -> list[Piece]:
    return [Effect(e.first), Value(e.second)]


def access_of(target: ast.Expr) -> Access:
    """How an lvalue is read and written."""
    return access(target.type, target.field if isinstance(target, ast.Member) else None)


def _assign(e: ast.Assign, scope: Scope) -> list[Piece]:
    if isinstance(e.target, ast.VarRef):
        store = places.store_variable(scope.find(e.target.variable), access(e.target.type))
        return [Value(e.value), store]
    return [Value(e.value), Place(e.target), places.store(access_of(e.target), e.at)]


def _compound_assign(e: ast.CompoundAssign, scope: Scope) -> list[Piece]:
    target, how = e.target, access_of(e.target)
    if isinstance(target.type, Pointer):
        size = size_of(target.type.target)
        pieces: list[Piece] = [
            places.swap, operators.pointer_add(size, scope.pointer_bits, e.op == "-")
        ]
    else:
        pieces = [
            *_converted(target.type, e.computation, e.at), places.swap,
            operators.binary(e.op, e.computation, e.at),
            *_converted(e.computation, target.type, e.at),
        ]
    if isinstance(target, ast.VarRef):
        find = scope.find(target.variable)
        load = places.load_variable(find, how, e.at)
        return [Value(e.value), load, *pieces, places.store_variable(find, how)]
    read: list[Piece] = [Place(target), Value(e.value), places.again, places.load(how, e.at)]
    return [*read, *pieces, places.swap, places.store(how, e.at)]


def _converted(source: CType, target: CType, at: Position) -> list[Piece]:
    conversion = operators.conversion(source, target, at)
    return [] if conversion is None else [conversion]


def _increment(e: ast.Increment, scope: Scope) -> list[Piece]:
    how = access_of(e.target)
    if isinstance(e.target, ast.VarRef):
        find = scope.find(e.target.variable)
        return [places.increment_variable(find, how, e.delta, e.at, prefix=e.prefix)]
    return [Place(e.target), places.increment_at(how, e.delta, e.prefix, e.at)]


def _call(e: ast.Call, scope: Scope) -> list[Piece]:
    return scope.call(e)


def _statement_expression(e: ast.StatementExpr, scope: Scope) -> list[Piece]:
    body = list(e.body.body)
    last = body[-1] if body else None
    pieces: list[Piece] = []
    valued = isinstance(last, ast.Evaluate) and not isinstance(e.type, Void)
    for statement in body[:-1] if valued else body:
        pieces += scope.statement(statement)
    if valued:
        assert isinstance(last, ast.Evaluate)
        return [*pieces, Value(last.expression)]
    return [*pieces, operators.push(0)]


def _compound_literal(e: ast.CompoundLiteral, scope: Scope) -> list[Piece]:
    load = places.load_variable(scope.find(e.variable), access(e.type), e.at)
    return [*scope.declaration(e.variable), load]


def _argument(e: ast.VaArg, scope: Scope) -> list[Piece]:
    from revet.frontends.c.interpret.library import next_argument

    inner = e.operand
    by_pointer = isinstance(inner.type, Pointer) and isinstance(inner.type.target, Record)
    return [Value(inner) if by_pointer else Place(inner), next_argument(e.type, e.at)]


def _function(e: ast.FunctionRef, scope: Scope) -> list[Piece]:
    return [_function_address(e.name)]


def initialise(variable: ast.Variable, find: places.Find, scope: Scope) -> list[Piece]:
    """Evaluate a variable's initialiser into its (already zeroed) object."""
    pieces: list[Piece] = []
    initialiser = variable.initialiser
    for entry in initialiser.entries if initialiser is not None else ():
        offset, type, field = step_into(variable.type, entry.path)
        how = access(type, field)
        pieces += [Value(entry.value), places.put_variable(find, how, offset)]
    return pieces


def _unmodelled(e: ast.Unmodelled, scope: Scope) -> list[Piece]:
    """Only a run that comes here is stuck."""

    def run(m: Machine) -> None:
        raise Stop("unsupported", e.message, e.at)

    return [run]


_VALUES: dict[type, Callable[[Any, Scope], list[Piece]]] = {
    ast.IntConst: _constant, ast.FloatConst: _float_constant, ast.StringConst: _loaded,
    ast.VarRef: _variable, ast.FunctionRef: _function, ast.Deref: _loaded, ast.Index: _indexed,
    ast.Member: _member, ast.AddressOf: _address, ast.Decay: _decay, ast.Cast: _cast,
    ast.Unary: _unary, ast.Binary: _binary, ast.PointerAdd: _pointer_add,
    ast.PointerDiff: _pointer_diff, ast.Logical: _logical, ast.Conditional: _conditional,
    ast.Comma: _comma, ast.Assign: _assign, ast.CompoundAssign: _compound_assign,
    ast.Increment: _increment, ast.Call: _call, ast.StatementExpr: _statement_expression,
    ast.CompoundLiteral: _compound_literal, ast.VaArg: _argument,
    ast.Unmodelled: _unmodelled,
}

__all__ = ["Effect", "Later", "Leave", "Piece", "Place", "Scope", "Target", "Value", "expand", "initialise"]
