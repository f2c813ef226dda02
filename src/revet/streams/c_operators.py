"""The operators as C99 helper functions, free of undefined behaviour.

Signed arithmetic is done in the unsigned type of at least 32 bits (no overflow, no promotion to
``int``) and converted back, which every compiler we know does modulo 2 to the width. Division, shifts
and casts from floats test for the cases that C leaves undefined. Helpers instead of expressions also
keep compilers from warning about comparisons that happen to be constant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from revet.streams.places import error
from revet.streams.types import Scalar, Value


def c_type(type_: Scalar) -> str:
    match type_.kind:
        case "bool":
            return "bool"
        case "int":
            return f"{'' if type_.signed else 'u'}int{type_.width}_t"
        case "float":
            return "float" if type_.width == 32 else "double"
    if type_.kind == "real":
        raise error("Real is exact and has no C type: use Double")
    raise error("Integer is unbounded and has no C type: use Int64")


def tag(type_: Scalar) -> str:
    kinds = {"bool": "b", "float": "f", "int": "i" if type_.signed else "u"}
    return kinds[type_.kind] + (str(type_.width) if type_.width else "")


def literal(value: Value, type_: Scalar) -> str:
    own = c_type(type_)
    if isinstance(value, bool):
        return "true" if value else "false"
    if type_.kind == "float":
        number = float(value)
        if math.isnan(number):
            return "(float)NAN" if type_.width == 32 else "(double)NAN"
        if math.isinf(number):
            sign = "-" if number < 0 else ""
            return f"{sign}({own})INFINITY"
        return number.hex() + ("f" if type_.width == 32 else "")
    if value == type_.low and type_.signed:
        return f"({own})(-INT{type_.width}_C({type_.high}) - 1)"
    macro = f"{'' if type_.signed else 'U'}INT{type_.width}_C"
    return f"{macro}({value})" if value >= 0 else f"(-{macro}({-value}))"


def helper_name(operator: str, type_: Scalar, types: Sequence[Scalar]) -> str:
    if operator == "cast":
        return f"cast_{tag(types[0])}_{tag(type_)}"
    if operator in ("shl", "shr"):
        return f"{operator}_{tag(type_)}_{tag(types[1])}"
    subject = types[1] if operator == "mux" else types[0]
    return f"{operator}_{tag(subject)}"


def helper(operator: str, type_: Scalar, types: Sequence[Scalar]) -> str:
    """The definition of the helper for an operator on arguments of these types."""
    name = helper_name(operator, type_, types)
    parameters = ", ".join(f"{c_type(t)} {x}" for t, x in zip(types, "xyz", strict=False))
    body = _body(operator, type_, types)
    return f"static inline {c_type(type_)} {name}({parameters}) {{ {body} }}"


def _body(operator: str, type_: Scalar, types: Sequence[Scalar]) -> str:
    subject = types[0]
    match operator:
        case "mux":
            return "return x ? y : z;"
        case "eq":
            return "return x == y;"
        case "lt":
            return "return x < y;"
        case "le":
            return "return x <= y;"
        case "cast":
            return _cast(subject, type_)
    if type_.kind == "bool":
        return {
            "not": "return !x;", "and": "return x && y;", "or": "return x || y;", "xor": "return x != y;",
        }[operator]
    if type_.kind == "float":
        return _float(operator, type_, len(types))
    if operator in ("shl", "shr"):
        return _shift(operator, type_)
    return _integer(operator, type_)


def _float(operator: str, type_: Scalar, count: int) -> str:
    symbols = {"add": "+", "sub": "-", "mul": "*", "fdiv": "/"}
    if operator in symbols:
        return f"return x {symbols[operator]} y;"
    if operator == "neg":
        return "return -x;"
    if operator in _EXACT:
        return f"return {_EXACT[operator]}{'f' if type_.width == 32 else ''}(x);"
    # Single precision goes through double, as in the interpreter.
    arguments = ", ".join(f"(double){x}" for x in "xy"[:count])
    return f"return ({c_type(type_)}){operator}({arguments});"


_EXACT = {"abs": "fabs", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil"}  # one right result


def _wide(type_: Scalar) -> str:
    """A cast: to the unsigned type of the same width, and then beyond the width of ``int``."""
    own = f"(uint{type_.width}_t)" if type_.width < 32 else ""
    return f"(uint{max(32, type_.width)}_t){own}"


def _integer(operator: str, type_: Scalar) -> str:
    own, wide = c_type(type_), _wide(type_)
    symbols = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
    if operator in symbols:
        return f"return ({own})({wide}x {symbols[operator]} {wide}y);"
    if operator == "not":
        return f"return ({own})~{wide}x;"
    if operator == "neg":
        return f"return ({own})(0u - {wide}x);"
    if operator == "abs":
        return f"return x < 0 ? ({own})(0u - {wide}x) : x;" if type_.signed else "return x;"
    return _division(operator, type_)


def _division(operator: str, type_: Scalar) -> str:
    own, wide = c_type(type_), _wide(type_)
    by_zero = "0" if operator in ("div", "quot") else "x"
    guard = f"if (y == 0) return {by_zero};"
    if not type_.signed:
        return f"{guard} return ({own})(x {'/' if operator in ('div', 'quot') else '%'} y);"
    # The most negative number by -1: wraps, remainder 0; C leaves it undefined.
    negated = f"({own})(0u - {wide}x)"
    by_minus_one = f"if (y == -1) return {negated if operator in ('div', 'quot') else '0'};"
    if operator == "quot":
        return f"{guard} {by_minus_one} return ({own})(x / y);"
    if operator == "rem":
        return f"{guard} {by_minus_one} return ({own})(x % y);"
    adjust = "(x % y != 0 && ((x % y < 0) != (y < 0)))"
    if operator == "div":
        return f"{guard} {by_minus_one} return ({own})(x / y - {adjust});"
    return f"{guard} {by_minus_one} return ({own})(x % y + ({adjust} ? y : 0));"


def _shift(operator: str, type_: Scalar) -> str:
    own, wide, width = c_type(type_), _wide(type_), type_.width
    if operator == "shl":
        return f"return y < {width}u ? ({own})({wide}x << y) : ({own})0;"
    if not type_.signed:
        return f"return y < {width}u ? ({own})(x >> y) : ({own})0;"
    # A right shift of a negative number is the compiler's choice: shift its complement instead.
    amount = f"(y < {width}u ? y : {width - 1}u)"
    return f"return x < 0 ? ({own})~(~x >> {amount}) : ({own})(x >> {amount});"


def _cast(source: Scalar, target: Scalar) -> str:
    own = c_type(target)
    if source.kind != "float" or target.kind == "float":
        if source.kind == "int" and target.kind == "int":
            return f"return ({own})(uint64_t)x;"
        return f"return ({own})x;"
    # Both bounds are powers of two (or one more), exact in either format.
    above = f"0x1p{target.width - target.signed}"
    below = f"x >= -0x1p{target.width - 1}" if target.width == 64 else f"x > -0x1p{target.width - 1} - 1.0"
    if not target.signed:
        below = "x > -1.0"
    return f"double d = (double)x; return {below.replace('x >', 'd >')} && d < {above} ? ({own})d : ({own})0;"
