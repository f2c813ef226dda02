"""Calls that are read as something else: questions about an expression, objects that get any contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node
from revet.frontends.c.library.conventions import ANYTHING, ASKED, FILLS, MODEL_DRAWS, OBJECT_SIZE
from revet.frontends.c.reader import argument_lists, jumps, quiet_comparisons
from revet.frontends.c.reader.atomics import SYNC
from revet.frontends.c.reader.constants import constant
from revet.frontends.c.types import (
    VOID,
    Array,
    CType,
    Floating,
    Function,
    Int,
    Pointer,
    Record,
    has_known_size,
    size_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from revet.frontends.c.reader.unit import UnitReader

    _Reader = Callable[[UnitReader, Node, Sequence[ast.Expr], Position], ast.Expr]

_SUFFIXES = {32: "f", 64: "", 80: "l"}
_MOST_SCALARS = 256
_GIVEN = f"{MODEL_DRAWS}input_contents"
_LEAST_NORMAL = {32: "0x1p-126", 64: "0x1p-1022", 80: "0x1p-16382"}
_GREATEST = {32: "0x1.fffffep127", 64: "0x1.fffffffffffffp1023", 80: "0x1.fffffffffffffffep16383"}


def special_call(
    unit: UnitReader, node: Node, name: str, given: Sequence[ast.Expr], at: Position
) -> ast.Expr | None:
    """What a call of this function stands for; None for any other function."""
    if name in argument_lists.CALLS:
        return argument_lists.call(unit, node, name, given, at)
    if name in jumps.NAMES:
        return jumps.call(unit, node, name, given, at)
    if SYNC.match(name):
        return unit.expressions.atomics.sync(node, name, given, at)
    if name in quiet_comparisons.NAMES:
        compared = quiet_comparisons.read(name, given, unit.expressions.type_of(node), at)
        if compared is None:
            raise unit.unsupported(node, f"this call of {name} is not modelled")
        return compared
    reader = _READERS.get(name)
    return reader(unit, node, given, at) if reader is not None else None


def _constant(unit: UnitReader, node: Node, given: Sequence[ast.Expr], at: Position) -> ast.Expr:
    """``__builtin_constant_p``: literals are; of other expressions optimisers know more or less."""
    integer = unit.model.int
    literal = len(given) == 1 and isinstance(given[0], ast.FloatConst)
    if literal or (len(given) == 1 and constant(given[0]) is not None):
        return ast.IntConst(1, integer, at)
    return ast.Binary("!=", _drawn(ANYTHING, integer, at), ast.IntConst(0, integer, at), integer, at)


def _class(unit: UnitReader, node: Node, given: Sequence[ast.Expr], at: Position) -> ast.Expr:
    """``__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)``."""
    type = given[-1].type if given else unit.model.int
    known = isinstance(type, Floating) and type.bits in _GREATEST
    if len(given) != 6 or not isinstance(type, Floating) or not known or unit.current is None:
        raise unit.unsupported(node, "this __builtin_fpclassify is not modelled")
    value = ast.VarRef(unit.variables.temporary(type, at), type, at)
    nan, infinite, normal, subnormal, zero, x = given

    def outside(bound: str, operator: str) -> ast.Expr:
        most = ast.FloatConst(bound, type, at)
        above = ast.Binary(operator, value, most, unit.model.int, at)
        below = ast.Binary(operator, ast.Unary("-", value, type, at), most, unit.model.int, at)
        return ast.Logical("||" if operator == ">" else "&&", above, below, unit.model.int, at)

    small = outside(_LEAST_NORMAL[type.bits], "<")
    none = ast.Binary("==", value, ast.FloatConst("0.0", type, at), unit.model.int, at)
    chosen = ast.Conditional(small, subnormal, normal, normal.type, at)
    for condition, result in (
        (none, zero), (outside(_GREATEST[type.bits], ">"), infinite),
        (ast.Binary("!=", value, value, unit.model.int, at), nan),
    ):
        chosen = ast.Conditional(condition, result, chosen, normal.type, at)
    return ast.Comma(ast.Assign(value, x, type, at), chosen, normal.type, at)


def _normal(unit: UnitReader, node: Node, given: Sequence[ast.Expr], at: Position) -> ast.Expr:
    """``__builtin_isnormal``: one of the kinds that ``__builtin_fpclassify`` tells apart."""
    kinds = [ast.IntConst(number, unit.model.int, at) for number in (0, 0, 1, 0, 0)]
    return _class(unit, node, [*kinds, *given], at)


def _of_its_type(stem: str) -> _Reader:
    """``__builtin_signbit``, ``__builtin_isinf``: the function for the argument's type. *Which* number says
    yes is the compiler's choice (gcc: 1, 512 or INT_MIN), as it is the library's."""

    def read(unit: UnitReader, node: Node, given: Sequence[ast.Expr], at: Position) -> ast.Expr:
        type = given[0].type if len(given) == 1 else VOID
        if not isinstance(type, Floating) or type.bits not in _SUFFIXES:
            raise unit.unsupported(node, f"this call of {stem} is not modelled")
        name, function = stem + _SUFFIXES[type.bits], Function(unit.model.int, (type,))
        unit.linkage.declared[name] = function
        return ast.Call(ast.FunctionRef(name, function, at), tuple(given), function.result, at)

    return read


def _contents(unit: UnitReader, node: Node, given: Sequence[ast.Expr], at: Position) -> ast.Expr:
    """``__ESBMC_init_object``, ``klee_make_symbolic``: every scalar of a named object gets any value."""
    place = _object(given[0]) if given and unit.current is not None else None
    if place is None or not has_known_size(place.type):
        raise unit.unsupported(node, "any contents for an object without a name is not modelled")
    if len(given) > 1 and constant(given[1]) != size_of(place.type):
        raise unit.unsupported(node, "any contents for a part of an object is not modelled")
    places = list(_scalars(place, at))
    if len(places) > _MOST_SCALARS or any(not isinstance(one.type, Int | Floating) for one in places):
        raise unit.unsupported(node, f"any contents for an object of type {place.type} is not modelled")
    result: ast.Expr = ast.Cast(ast.IntConst(0, unit.model.int, at), VOID, at)
    for one in reversed(places):
        step = ast.Assign(one, _drawn(_GIVEN, one.type, at), one.type, at)
        result = ast.Comma(step, result, VOID, at)
    return result


def _object(pointer: ast.Expr) -> ast.Expr | None:
    """The object with a name whose address this is."""
    if isinstance(pointer, ast.Cast) and pointer.implicit:
        pointer = pointer.operand
    match pointer:
        case ast.AddressOf(operand):
            return operand
        case ast.Decay(array):
            return array
    return None


def _asked(name: str) -> _Reader:
    """What a program asks about its memory. Without a number of bytes: those of what the pointer leads to."""

    def read(unit: UnitReader, node: Node, given: Sequence[ast.Expr], at: Position) -> ast.Expr:
        wanted = 1 if name == OBJECT_SIZE else 2
        if not given or len(given) > wanted or not isinstance(given[0].type, Pointer):
            raise unit.unsupported(node, "this question about memory is not modelled")
        size, pointer = unit.model.size_type, Pointer(VOID, unit.model.pointer_size)
        arguments = [ast.Cast(given[0], pointer, at)]
        if wanted == 2 and len(given) == 2:
            arguments.append(ast.Cast(given[1], size, at))
        elif wanted == 2:
            element = given[0].type.target
            if not has_known_size(element):
                raise unit.unsupported(node, "how many bytes are asked about is not known")
            arguments.append(ast.Cast(ast.IntConst(size_of(element), size, at), size, at))
        function = Function(size, tuple(argument.type for argument in arguments))
        return ast.Cast(
            ast.Call(ast.FunctionRef(name, function, at), tuple(arguments), size, at),
            unit.expressions.type_of(node), at,
        )

    return read


def _scalars(place: ast.Expr, at: Position) -> Iterator[ast.Expr]:
    match place.type:
        case Array(element, int() as count):
            for number in range(min(count, _MOST_SCALARS + 1)):
                index = ast.IntConst(number, Int(32, True), at)
                yield from _scalars(ast.Index(place, index, element, at), at)
        case Record(union=False, fields=fields):
            for field in fields:
                yield from _scalars(ast.Member(place, field, field.type, at), at)
        case _:
            yield place


def _drawn(name: str, type: CType, at: Position) -> ast.Expr:
    return ast.Call(ast.FunctionRef(name, Function(type, ()), at), (), type, at)


_READERS: dict[str, _Reader] = {
    "__builtin_constant_p": _constant, "__builtin_fpclassify": _class, "__builtin_isnormal": _normal,
    **{stem + suffix: _of_its_type(stem) for stem in ("__builtin_signbit", "__builtin_isinf")
       for suffix in _SUFFIXES.values()},
    **dict.fromkeys(FILLS, _contents), **{name: _asked(meaning) for name, meaning in ASKED.items()},
}
