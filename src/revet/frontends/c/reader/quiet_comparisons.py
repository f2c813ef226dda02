"""``isless`` and its kin (C17 7.12.14), which headers make builtins of: comparisons that raise no exception.

Nothing models floating-point exceptions, so they are the plain comparisons. Two of them look at an operand
twice and are read only if that makes no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.types import Floating
from revet.frontends.c.walk import Effects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.errors import Position
    from revet.frontends.c.types import CType

_OPERATORS = {
    "__builtin_isgreater": ">", "__builtin_isgreaterequal": ">=", "__builtin_isless": "<",
    "__builtin_islessequal": "<=",
}
_TWICE = ("__builtin_islessgreater", "__builtin_isunordered")
_CONSTANTS = frozenset(("__builtin_nan", "__builtin_nanf", "__builtin_inf", "__builtin_inff"))
NAMES = frozenset((*_OPERATORS, *_TWICE))


def read(name: str, arguments: Sequence[ast.Expr], type: CType, at: Position) -> ast.Expr | None:
    """The comparison; None if it is not one that can be written down."""
    if len(arguments) != 2 or not all(isinstance(one.type, Floating) for one in arguments):
        return None
    left, right = arguments
    assert isinstance(left.type, Floating) and isinstance(right.type, Floating)
    wide = left.type if left.type.bits >= right.type.bits else right.type  # no value is lost
    left, right = (one if one.type == wide else ast.Cast(one, wide, at) for one in (left, right))
    operator = _OPERATORS.get(name)
    if operator is not None:
        return ast.Binary(operator, left, right, type, at)
    if any(map(Effects(_CONSTANTS), arguments)):
        return None
    if name.endswith("unordered"):  # only a NaN differs from itself
        first, second = ast.Binary("!=", left, left, type, at), ast.Binary("!=", right, right, type, at)
    else:
        first, second = ast.Binary("<", left, right, type, at), ast.Binary(">", left, right, type, at)
    return ast.Logical("||", first, second, type, at)
