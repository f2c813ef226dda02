"""Floating point in the small languages (only THETA's automata have it).

Operators take parameters in brackets, kept as written in the node's payload:
``fpadd[RTP]``, ``fptofp[11:53][RNE]``, ``fpfrombv[5:11][u][RNE]``. Without a rounding mode, and
for ``+ - * /``, it is RNE. ``=`` on floats is IEEE's: NaN differs from itself.

Refused: ``fpmin`` and ``fpmax`` (SMT-LIB leaves their value for zeros of different sign open)
and ``fptobv`` (open for numbers out of range): Revet's operators are total, and choosing a value
could turn into a wrong answer.

The interpreter shares the software arithmetic of :mod:`revet.logic.softfloat`, which is tested
against the solvers and against the machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from revet.frontends.kit.syntax import Expr
from revet.logic import build as b
from revet.logic import floats, softfloat
from revet.logic.sorts import BitVecSort, Float, FloatSort, Sort
from revet.logic.terms import Op, Term

if TYPE_CHECKING:
    from revet.frontends.kit.lowering import Lowering

MODES = ("RNE", "RNA", "RTP", "RTN", "RTZ")

_ROUNDED: dict[str, Callable[[Term, Term, str], Term]] = {
    "fp.add": floats.fp_add, "fp.sub": floats.fp_sub, "fp.mul": floats.fp_mul, "fp.div": floats.fp_div,
    "+": floats.fp_add, "-": floats.fp_sub, "*": floats.fp_mul, "/": floats.fp_div,
}  # fmt: skip
_PLAIN: dict[str, Callable[[Term, Term], Term]] = {
    "<": floats.fp_lt, "<=": floats.fp_le, ">": floats.fp_gt, ">=": floats.fp_ge, "=": floats.fp_eq,
    "!=": lambda x, y: b.not_(floats.fp_eq(x, y)), "fp.rem": floats.fp_rem,
}  # fmt: skip
_UNARY: dict[str, Callable[[Term], Term]] = {
    "fp.neg": floats.fp_neg, "neg": floats.fp_neg, "fp.pos": lambda x: x, "pos": lambda x: x,
    "fp.abs": floats.fp_abs, "fp.isNaN": floats.fp_is_nan,
}  # fmt: skip
_UNARY_ROUNDED = {"fp.sqrt": floats.fp_sqrt, "fp.roundToIntegral": floats.fp_round}


def parameters(node: Expr) -> list[str]:
    return re.findall(r"\[([^\]]*)\]", node.payload) if isinstance(node.payload, str) else []


def _mode(lowering: Lowering, node: Expr) -> str:
    """The rounding mode is the last parameter, if it is made of capitals."""
    given = parameters(node)
    if not given or not given[-1].isalpha() or not given[-1].isupper():
        return "RNE"
    if given[-1] not in MODES:
        raise lowering.error(node, f"unknown rounding mode {given[-1]}; there are {', '.join(MODES)}")
    return given[-1]


def _format(lowering: Lowering, node: Expr) -> FloatSort:
    exponent, significand = (int(part) for part in re.split("[:,]", parameters(node)[0]))
    return float_sort(lowering, node, exponent, significand)


def float_sort(lowering: Lowering, node: Expr, exponent: int, significand: int) -> FloatSort:
    try:
        return Float(exponent, significand)
    except ValueError as error:
        raise lowering.error(node, str(error)) from error


def lower_float(lowering: Lowering, node: Expr, terms: Sequence[Term]) -> Term:
    """The term of a node that takes or makes floats."""
    op, mode = node.op, _mode(lowering, node)
    if op == "float":
        exponent, significand = (b.width_of(term) for term in terms)
        sort = float_sort(lowering, node, exponent, significand + 1)
        return floats.fp_bits(int(terms[0].payload) << significand | int(terms[1].payload), sort)
    if op in _ROUNDED or op in _PLAIN:
        x, y = lowering.unified(node, terms[0], terms[1])
        return _ROUNDED[op](x, y, mode) if op in _ROUNDED else _PLAIN[op](x, y)
    if op in _UNARY:
        return _UNARY[op](terms[0])
    if op in _UNARY_ROUNDED:
        return _UNARY_ROUNDED[op](terms[0], mode)
    if op == "fp.to_fp":
        return floats.fp_to_fp(_format(lowering, node), terms[0], mode)
    if op == "fp.from_bv":
        convert = floats.fp_from_ubv if parameters(node)[1] == "u" else floats.fp_from_sbv
        return convert(_format(lowering, node), terms[0], mode)
    raise lowering.source.unsupported(f"'{node.spelling}' is not supported on floats", node.offset)


_MEANING = {
    "+": Op.FP_ADD, "-": Op.FP_SUB, "*": Op.FP_MUL, "/": Op.FP_DIV, "neg": Op.FP_NEG,
    "<": Op.FP_LT, "<=": Op.FP_LE, "=": Op.FP_EQ, "fp.to_fp": Op.FP_FROM_FP,
}  # fmt: skip


def evaluate_float(node: Expr, sort: Sort, sorts: Sequence[Sort], args: Sequence[Any]) -> Any:
    """The value of such a node; floats are bit patterns."""
    given = parameters(node)
    mode = given[-1] if given and given[-1] in MODES else "RNE"
    match node.op:
        case "float":
            fraction = sorts[1]
            assert isinstance(fraction, BitVecSort) and isinstance(sort, FloatSort)
            return softfloat.canonical(args[0] * 2**fraction.width + args[1], sort)
        case "pos" | "fp.pos":
            return args[0]
        case "!=":
            return not softfloat.apply_operator(Op.FP_EQ, None, sort, sorts, args)
        case ">" | ">=":
            flipped = Op.FP_LT if node.op == ">" else Op.FP_LE
            return softfloat.apply_operator(flipped, None, sort, sorts[::-1], args[::-1])
        case "fp.from_bv":
            op = Op.FP_FROM_UBV if given[1] == "u" else Op.FP_FROM_SBV
            return softfloat.apply_operator(op, mode, sort, sorts, args)
        case op:
            return softfloat.apply_operator(_MEANING.get(op, op), mode, sort, sorts, args)
