"""Does a call fit the function that it calls? If not, its behaviour is undefined (C17 6.5.2.2), and neither
the model nor the interpreter goes on: both ask here.

Types fit if their values are passed alike: signed and unsigned integers of one size do, and all pointers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.types import CType, Floating, Function, Int, Pointer, Record, Void

if TYPE_CHECKING:
    from collections.abc import Sequence

_INT = Int(32, True)


def fits(definition: ast.FunctionDef, arguments: Sequence[CType], result: CType) -> bool:
    """May a function be called with arguments of these types, as one that returns ``result``? One without
    a prototype takes any number: what is missing has any value."""
    if not alike(definition.type.result, result):
        return False
    wanted = [parameter.type for parameter in definition.parameters]
    if definition.type.parameters is None:
        return all(map(alike, map(_promoted, wanted), arguments))
    wanted = [_passed(own, said) for own, said in zip(wanted, definition.type.parameters, strict=True)]
    few = len(arguments) < len(wanted)
    many = len(arguments) > len(wanted) and not definition.type.variadic
    return not few and not many and all(map(alike, wanted, arguments))


def passed_types(call: ast.Call) -> list[CType]:
    """The types with which the arguments are passed. Without a prototype those after the default promotions,
    even where the definition is seen and one compiler converts to what it declares (the others do not)."""
    wanted = call.function.type
    wanted = wanted.target if isinstance(wanted, Pointer) else wanted
    plain = isinstance(wanted, Function) and wanted.parameters is None
    return [
        _promoted(argument.operand.type)
        if plain and isinstance(argument, ast.Cast) and argument.implicit else argument.type
        for argument in call.arguments
    ]


def _passed(own: CType, said: CType) -> CType:
    """How a parameter is passed whose function's type says ``said``: for a definition in the old style
    (``int f(c) char c; {…}``) clang says the promoted type, and the function converts it."""
    return said if not alike(own, said) and alike(_promoted(own), said) else own


def _promoted(type: CType) -> CType:
    """How a value of the type is passed without a prototype (C17 6.5.2.2 p6)."""
    if isinstance(type, Int) and (type.boolean or type.bits < _INT.bits):
        return _INT
    if isinstance(type, Floating) and type.bits == 32:
        return Floating(64, 8)
    return type


def alike(one: CType, other: CType) -> bool:
    """Are values of the types passed and returned alike?"""
    if isinstance(one, Void) or isinstance(other, Void):
        return isinstance(one, Void) and isinstance(other, Void)
    if isinstance(one, Record) and isinstance(other, Record):
        return one is other or (one.tag, one.union, one.size) == (other.tag, other.union, other.size)
    if isinstance(one, Int) and isinstance(other, Int) and one.boolean != other.boolean:
        return False
    return type(one) is type(other) and getattr(one, "size", 0) == getattr(other, "size", 0)
