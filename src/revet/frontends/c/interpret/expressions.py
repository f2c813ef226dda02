"""Expressions as code for the stack machine.

Every construct becomes a list of pieces (:mod:`interpret.pieces`), among them subexpressions that
are still to be expanded. The expansion is a loop over a stack of pieces (:func:`expand`), so no
expression is too deep.

Operands are evaluated from left to right, but for those of assignments (:mod:`interpret.assignments`).
Where another order would make a difference, see :mod:`ordering`.

Values of record and array type are ``bytes``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from revet.frontends.c import ast
from revet.frontends.c.analysis.lvalues import is_open_ended, is_whole
from revet.frontends.c.interpret import floating, operators, places
from revet.frontends.c.interpret.access import access, step_into
from revet.frontends.c.interpret.alignment import noted_root
from revet.frontends.c.interpret.assignments import accessed, assign, compound_assign, increment
from revet.frontends.c.interpret.effects import as_pointers, effect, named_array, unless
from revet.frontends.c.interpret.listing import touches_element, touches_place, touches_variable
from revet.frontends.c.interpret.machine import Block, Instruction, Machine
from revet.frontends.c.interpret.ordering import kept
from revet.frontends.c.interpret.outcome import Stop
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
from revet.frontends.c.types import Array, CType, Field, Floating, Function, Pointer, Void, size_of


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
            case Value(expression) | Effect(expression) if scope.ordering.pending(expression):
                work.extend(reversed(scope.ordering.unit(expression, piece)))
            case Value(expression) if scope.ordering.known(expression):
                block.append(kept(expression))
            case Value(expression) if scope.ordering.compares(expression):
                work.extend(reversed(scope.ordering.bracketed(expression, piece)))
            case Value(expression):
                work.extend(reversed(_VALUES[type(expression)](expression, scope)))
            case Effect(expression):
                if not scope.ordering.known(expression):
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
            return [Value(pointer), *noted_root(e, scope)]
        case ast.Index(array, index):
            assert isinstance(array.type, Array)
            return [Place(array), Value(index), _element(e)]
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


def _element(e: ast.Index) -> Instruction:
    """Find an element whose array's place and index are on the stack."""
    assert isinstance(e.array.type, Array)
    count, element = e.array.type.count, size_of(e.type)
    if isinstance(e.array, ast.VarRef) and e.array.variable.length is not None:
        return places.index_of_variable_length(element, e.at)
    if not isinstance(e.array, ast.Member):
        return places.index(element, count, e.at, "index" if is_whole(e) else "subscript")
    if count is None or is_open_ended(e.array):
        return places.index(element, None, e.at)
    return places.member_index(element, count, e.at)


def _field_offset(field: Field) -> list[Piece]:
    if field.width is not None or field.offset == 0:
        return []
    return [places.add_offset(field.offset // 8)]


def _spill(type: CType) -> Instruction:
    """Put a record value into a temporary object, and leave its address."""

    def run(m: Machine) -> None:
        target = m.memory.allocate("temporary", size_of(type), "variable", type)
        target.data[:] = m.stack[-1]
        places.mark(target, 0, access(type), m.stack[-1])
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
    return [operators.push(floating.rounded(e.exact, e.type.bits))]


def _variable(e: ast.VarRef, scope: Scope) -> list[Piece]:
    if scope.ordering.watches(e):
        return _loaded(e, scope)
    slot, how = scope.local_slot(e.variable), access(e.type)
    listed = touches_variable(e.variable, how, scope, writes=False)
    if slot is not None:
        return [*listed, places.load_local(slot, how, e.at)]
    return [*listed, places.load_variable(scope.find(e.variable), how, e.at)]


def _indexed(e: ast.Index, scope: Scope) -> list[Piece]:
    named = named_array(e, scope)
    if named is None or scope.ordering.watches(e):
        return _loaded(e, scope)
    how = access(e.type)
    listed = touches_element(named[0], how, scope, writes=False)
    return [Value(e.index), *listed, places.load_element(named[0], how, named[1], e.at)]


def _loaded(e: ast.Expr, scope: Scope) -> list[Piece]:
    if isinstance(e.type, Void | Function):  # *p on a function pointer, or as a void expression
        return [Place(e)]
    how = access(e.type)
    return [*accessed(e, e, scope), *touches_place(how, scope, writes=False), places.load(how, e.at)]


def _member(e: ast.Member, scope: Scope) -> list[Piece]:
    how = access(e.type, e.field)
    if is_place(e.record):
        return [*accessed(e, e, scope), *touches_place(how, scope, writes=False), places.load(how, e.at)]
    offset = 0 if e.field.width is not None else e.field.offset // 8
    return [Value(e.record), places.member_of_value(how, offset, e.at)]


def _address(e: ast.AddressOf, scope: Scope) -> list[Piece]:
    return _formed(e.operand)


def _formed(operand: ast.Expr) -> list[Piece]:
    """The address of what is not accessed: ``&a[n]`` is legal, though ``a[n]`` is not."""
    if isinstance(operand, ast.Index) and isinstance(operand.array.type, Array):
        count = operand.array.type.count
        bound = None if count is None or isinstance(operand.array, ast.Member) else count + 1
        size = size_of(operand.type)
        return [Place(operand.array), Value(operand.index), places.index(size, bound, operand.at, "address")]
    return [Place(operand)]


def _decay(e: ast.Decay, scope: Scope) -> list[Piece]:
    return _formed(e.array)


def _cast(e: ast.Cast, scope: Scope) -> list[Piece]:
    conversion = operators.conversion(e.operand.type, e.type, e.at)
    return [Value(e.operand)] if conversion is None else [Value(e.operand), conversion]


def _unary(e: ast.Unary, scope: Scope) -> list[Piece]:
    return [Value(e.operand), operators.unary(e.op, e.operand.type, e.at)]


def _binary(node: ast.Binary, scope: Scope) -> list[Piece]:
    e = as_pointers(node, scope)
    assert isinstance(e, ast.Binary)
    if isinstance(e.right, ast.IntConst) and not isinstance(e.left.type, Pointer):
        fixed = operators.binary_with(e.op, e.left.type, e.right.value, e.at)
        if fixed is not None:
            return [Value(e.left), fixed]
    check: list[Piece] = []
    if isinstance(e.left.type, Pointer) and e.op in operators.COMPARISONS:
        check = [operators.check_pointers(e.op, e.at)]
    return [Value(e.left), Value(e.right), *check, operators.binary(e.op, e.left.type, e.at)]


def _pointer_add(e: ast.PointerAdd, scope: Scope) -> list[Piece]:
    assert isinstance(e.type, Pointer)
    add = operators.pointer_add(size_of(e.type.target), scope.pointer_bits, e.negative, e.at)
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
        *unless(e.condition, otherwise, scope), Value(e.then), jump(end),
        otherwise, Value(e.otherwise), end,
    ]


def _comma(e: ast.Comma, scope: Scope) -> list[Piece]:
    return [Effect(e.first), Value(e.second)]


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
        return [*pieces, Value(last.expression), *scope.ends(e.body)]
    return [*pieces, *scope.ends(e.body), operators.push(0)]


def _compound_literal(e: ast.CompoundLiteral, scope: Scope) -> list[Piece]:
    load = places.load_variable(scope.find(e.variable), access(e.type), e.at)
    return [*scope.declaration(e.variable), load]


def _argument(e: ast.VaArg, scope: Scope) -> list[Piece]:
    from revet.frontends.c.interpret.library import next_argument

    return [Value(e.operand), next_argument(e.type, e.at)]


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
    ast.Comma: _comma, ast.Assign: assign, ast.CompoundAssign: compound_assign,
    ast.Increment: increment, ast.Call: _call, ast.StatementExpr: _statement_expression,
    ast.CompoundLiteral: _compound_literal, ast.VaArg: _argument,
    ast.Unmodelled: _unmodelled,
}

__all__ = ["Effect", "Later", "Leave", "Piece", "Place", "Scope", "Target", "Value", "expand", "initialise"]
