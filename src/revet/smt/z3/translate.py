"""Terms to z3 ASTs, each term once per context, iteratively.

Operators that SMT-LIB leaves partly open are closed as :mod:`revet.logic.totality` says.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from revet.logic.sorts import (
    BOOL,
    INT,
    REAL,
    ArraySort,
    BitVec,
    BitVecSort,
    FloatSort,
    Sort,
    UninterpretedSort,
)
from revet.logic.terms import FunctionSymbol, Op, Term
from revet.logic.totality import expanded, guarded
from revet.logic.values import ArrayValue, Value
from revet.smt.protocol import SolverError
from revet.smt.z3.native import Api, array

_UNARY = {
    Op.NOT: "mk_not", Op.TO_REAL: "mk_int2real", Op.TO_INT: "mk_real2int", Op.BVNEG: "mk_bvneg",
    Op.BVNOT: "mk_bvnot", Op.FP_NEG: "mk_fpa_neg", Op.FP_ABS: "mk_fpa_abs",
    Op.FP_IS_NAN: "mk_fpa_is_nan", Op.FP_IS_INF: "mk_fpa_is_infinite", Op.FP_IS_ZERO: "mk_fpa_is_zero",
    Op.FP_IS_NEGATIVE: "mk_fpa_is_negative", Op.FP_IS_NORMAL: "mk_fpa_is_normal",
    Op.FP_IS_SUBNORMAL: "mk_fpa_is_subnormal",
}
_BINARY = {
    Op.EQ: "mk_eq", Op.LE: "mk_le", Op.LT: "mk_lt", Op.SELECT: "mk_select", Op.CONCAT: "mk_concat",
    Op.FP_LE: "mk_fpa_leq", Op.FP_LT: "mk_fpa_lt", Op.FP_EQ: "mk_fpa_eq", Op.FP_REM: "mk_fpa_rem",
    **{op: "mk_" + op for op in (
        Op.BVADD, Op.BVSUB, Op.BVMUL, Op.BVUDIV, Op.BVUREM, Op.BVSDIV, Op.BVSREM, Op.BVSMOD,
        Op.BVAND, Op.BVOR, Op.BVXOR, Op.BVSHL, Op.BVLSHR, Op.BVASHR, Op.BVULT, Op.BVULE,
        Op.BVSLT, Op.BVSLE,
    )},
}
_NARY = {Op.AND: "mk_and", Op.OR: "mk_or", Op.ADD: "mk_add", Op.MUL: "mk_mul"}
_ROUNDED = {
    Op.FP_ADD: "mk_fpa_add", Op.FP_SUB: "mk_fpa_sub", Op.FP_MUL: "mk_fpa_mul", Op.FP_DIV: "mk_fpa_div",
    Op.FP_SQRT: "mk_fpa_sqrt", Op.FP_FMA: "mk_fpa_fma",
}
_TO_FLOAT = {
    Op.FP_FROM_FP: "mk_fpa_to_fp_float", Op.FP_FROM_REAL: "mk_fpa_to_fp_real",
    Op.FP_FROM_SBV: "mk_fpa_to_fp_signed", Op.FP_FROM_UBV: "mk_fpa_to_fp_unsigned",
}
_MODES = {
    "RNE": "mk_fpa_round_nearest_ties_to_even", "RTZ": "mk_fpa_round_toward_zero",
    "RTP": "mk_fpa_round_toward_positive", "RTN": "mk_fpa_round_toward_negative",
    "RNA": "mk_fpa_round_nearest_ties_to_away",
}


class Translator:
    """Keeps a reference to every AST it made, for as long as its context lives."""

    def __init__(self, api: Api, context: int) -> None:
        self.api = api
        self.context = context
        self.asts: dict[Term, int] = {}
        self.decls: dict[Term, int] = {}  # of variables
        self.functions: dict[FunctionSymbol, int] = {}
        self.variables: dict[int, Term] = {}  # a variable's declaration → the variable
        self.symbols: dict[int, FunctionSymbol] = {}
        self._sorts: dict[Sort, int] = {}
        self._modes: dict[str, int] = {}

    def ast(self, term: Term) -> int:
        asts = self.asts
        found = asts.get(term)
        if found is not None:
            return found
        stack = [term]
        while stack:
            node = stack[-1]
            if node in asts:
                stack.pop()
                continue
            missing = [arg for arg in node.args if arg not in asts]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            asts[node] = self._keep(self._node(node))
        return asts[term]

    def release(self) -> None:
        """Lets go of all terms: the end of the context."""
        for ast in reversed(self.asts.values()):
            self.api.dec_ref(self.context, ast)
        self.asts.clear()

    def _keep(self, ast: int) -> int:
        if not ast:
            self.api.check_error(self.context)
            raise SolverError("z3 refused to build a term")
        self.api.inc_ref(self.context, ast)
        return ast

    def sort(self, sort: Sort) -> int:
        found = self._sorts.get(sort)
        if found is None:
            found = self._sorts[sort] = self._keep(self._make_sort(sort))
        return found

    def _make_sort(self, sort: Sort) -> int:
        api, c = self.api, self.context
        made: int
        match sort:
            case BitVecSort(width=width):
                made = api.mk_bv_sort(c, width)
            case FloatSort(exponent=exponent, significand=significand):
                made = api.mk_fpa_sort(c, exponent, significand)
            case ArraySort(index=index, element=element):
                made = api.mk_array_sort(c, self.sort(index), self.sort(element))
            case UninterpretedSort(name=name):
                made = api.mk_uninterpreted_sort(c, api.mk_string_symbol(c, name.encode()))
            case _:
                makers = {BOOL: api.mk_bool_sort, INT: api.mk_int_sort, REAL: api.mk_real_sort}
                made = makers[sort](c)
        return made

    def _node(self, term: Term) -> int:
        api, c = self.api, self.context
        op, args = term.op, [self.asts[arg] for arg in term.args]
        result: int
        if op in _NARY:
            result = getattr(api, _NARY[op])(c, len(args), array(args))
        elif op in _BINARY:
            result = getattr(api, _BINARY[op])(c, *args)
        elif op in _UNARY:
            result = getattr(api, _UNARY[op])(c, args[0])
        elif op == Op.VAR:
            result = self._variable(term)
        elif op == Op.CONST:
            result = self.value(term.value, term.sort)
        elif op == Op.ITE:
            result = api.mk_ite(c, *args)
        elif op == Op.STORE:
            result = api.mk_store(c, *args)
        elif op in _ROUNDED:
            result = getattr(api, _ROUNDED[op])(c, self._mode(term.payload), *args)
        elif op in _TO_FLOAT:
            result = getattr(api, _TO_FLOAT[op])(c, self._mode(term.payload), args[0], self.sort(term.sort))
        else:
            result = _SPECIAL[op](self, term, args)
        return result

    def _variable(self, term: Term) -> int:
        ast: int = self._constant(term.name, term.sort)
        decl: int = self.api.get_app_decl(self.context, ast)
        self.decls[term] = decl
        self.variables[decl] = term
        return ast

    def _constant(self, name: str, sort: Sort) -> int:
        symbol = self.api.mk_string_symbol(self.context, name.encode())
        made: int = self.api.mk_const(self.context, symbol, self.sort(sort))
        return made

    def function(self, symbol: FunctionSymbol) -> int:
        found = self.functions.get(symbol)
        if found is None:
            name = self.api.mk_string_symbol(self.context, symbol.name.encode())
            domain = [self.sort(sort) for sort in symbol.domain]
            found = self._keep(
                self.api.mk_func_decl(self.context, name, len(domain), array(domain), self.sort(symbol.range))
            )
            self.functions[symbol] = found
            self.symbols[found] = symbol
        return found

    def _mode(self, mode: str) -> int:
        found = self._modes.get(mode)
        if found is None:
            found = self._modes[mode] = self._keep(getattr(self.api, _MODES[mode])(self.context))
        return found

    def value(self, value: Value, sort: Sort) -> int:
        """The AST of a constant; the caller keeps a reference or uses it at once."""
        api, c = self.api, self.context
        made: int
        if sort is BOOL:
            made = api.mk_true(c) if value else api.mk_false(c)
        elif isinstance(sort, FloatSort):
            assert isinstance(value, int)
            bits = self._keep(api.mk_numeral(c, str(value).encode(), self.sort(BitVec(sort.width))))
            made = api.mk_fpa_to_fp_bv(c, bits, self.sort(sort))
        elif isinstance(value, ArrayValue):
            assert isinstance(sort, ArraySort)
            made = self._array_value(value, sort)
        elif isinstance(sort, UninterpretedSort):
            # As free constants they would not be different from each other.
            raise SolverError(f"z3 has no constants of the uninterpreted sort {sort}")
        elif isinstance(value, int) and -(1 << 62) < value < 1 << 62:
            made = api.mk_int64(c, value, self.sort(sort))
        else:
            text = str(value) if not isinstance(value, Fraction) else f"{value.numerator}/{value.denominator}"
            made = api.mk_numeral(c, text.encode(), self.sort(sort))
        return made

    def _array_value(self, value: ArrayValue, sort: ArraySort) -> int:
        default = self._keep(self.value(value.default, sort.element))
        made = self._keep(self.api.mk_const_array(self.context, self.sort(sort.index), default))
        for index, entry in value.entries.items():
            at = self._keep(self.value(index, sort.index))
            what = self._keep(self.value(entry, sort.element))
            made = self._keep(self.api.mk_store(self.context, made, at, what))
        return made


def _closed(partial: Callable[[Translator, Term, list[int]], int]) -> Callable[..., int]:
    """A partial operator, with the value that revet.logic gives it outside its domain."""

    def build(t: Translator, term: Term, args: list[int]) -> int:
        guard = guarded(term)
        if guard is None:
            return partial(t, term, args)
        inner = t._keep(partial(t, guard.partial, [t.ast(arg) for arg in guard.partial.args]))
        made: int = t.api.mk_ite(t.context, t.ast(guard.condition), inner, t.ast(guard.otherwise))
        return made

    return build


def _round_to_integral(t: Translator, term: Term, args: list[int]) -> int:
    wide = expanded(term)
    if wide is not term:
        return t.ast(wide)
    made: int = t.api.mk_fpa_round_to_integral(t.context, t._mode(term.payload), args[0])
    return made


def _to_bitvector(t: Translator, term: Term, args: list[int]) -> int:
    convert = t.api.mk_fpa_to_sbv if term.op == Op.FP_TO_SBV else t.api.mk_fpa_to_ubv
    made: int = convert(t.context, t._mode(term.payload[0]), args[0], term.payload[1])
    return made


def _quantifier(t: Translator, term: Term, args: list[int]) -> int:
    bound = array([t.ast(variable) for variable in term.payload])
    make = t.api.mk_forall_const if term.op == Op.FORALL else t.api.mk_exists_const
    made: int = make(t.context, 0, len(term.payload), bound, 0, array([]), args[0])
    return made


def _const_array(t: Translator, term: Term, args: list[int]) -> int:
    assert isinstance(term.sort, ArraySort)
    made: int = t.api.mk_const_array(t.context, t.sort(term.sort.index), args[0])
    return made


_SPECIAL: dict[str, Callable[[Translator, Term, list[int]], Any]] = {
    Op.DIV: _closed(lambda t, term, args: t.api.mk_div(t.context, *args)),
    Op.RDIV: _closed(lambda t, term, args: t.api.mk_div(t.context, *args)),
    Op.MOD: _closed(lambda t, term, args: t.api.mk_mod(t.context, *args)),
    Op.EXTRACT: lambda t, term, args: t.api.mk_extract(t.context, *term.payload, args[0]),
    Op.ZERO_EXTEND: lambda t, term, args: t.api.mk_zero_ext(t.context, term.payload, args[0]),
    Op.SIGN_EXTEND: lambda t, term, args: t.api.mk_sign_ext(t.context, term.payload, args[0]),
    Op.BV2NAT: lambda t, term, args: t.api.mk_bv2int(t.context, args[0], False),
    Op.INT2BV: lambda t, term, args: t.api.mk_int2bv(t.context, term.payload, args[0]),
    Op.CONST_ARRAY: _const_array,
    Op.FORALL: _quantifier,
    Op.EXISTS: _quantifier,
    Op.APPLY: lambda t, term, args: t.api.mk_app(
        t.context, t.function(term.payload), len(args), array(args)
    ),
    Op.FP_FROM_BITS: lambda t, term, args: t.api.mk_fpa_to_fp_bv(t.context, args[0], t.sort(term.sort)),
    Op.FP_ROUND: _round_to_integral,
    Op.FP_TO_SBV: _closed(_to_bitvector),
    Op.FP_TO_UBV: _closed(_to_bitvector),
    Op.FP_TO_REAL: _closed(lambda t, term, args: t.api.mk_fpa_to_real(t.context, args[0])),
}
