"""z3 ASTs to terms and values: models, projections, interpolants, Horn answers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from fractions import Fraction

from revet.logic import build as b
from revet.logic import softfloat
from revet.logic.sorts import (
    BOOL,
    INT,
    REAL,
    Array,
    ArraySort,
    BitVec,
    BitVecSort,
    Float,
    FloatSort,
    Sort,
    Uninterpreted,
    UninterpretedSort,
)
from revet.logic.terms import FunctionSymbol, Op, Term
from revet.logic.values import ArrayValue, Value, default_value
from revet.logic.walk import build_node
from revet.smt.protocol import SolverError
from revet.smt.z3.native import array, constants
from revet.smt.z3.probes import probes
from revet.smt.z3.translate import Translator

# Z3_ast_kind
_NUMERAL, _APP, _VAR, _QUANTIFIER = 0, 1, 2, 3


class Reader:
    """Reads ASTs of one context back. ``bound`` variables of quantifiers get fresh names."""

    def __init__(self, translator: Translator) -> None:
        self.t = translator
        self._fresh = 0
        self._elements: dict[str, int] = {}

    # ------------------------------------------------------------------ sorts

    def sort(self, handle: int) -> Sort:
        api, c = self.t.api, self.t.context
        kind = api.get_sort_kind(c, handle)
        if kind in (1, 2, 3):
            return (BOOL, INT, REAL)[kind - 1]
        if kind == 4:
            return BitVec(api.get_bv_sort_size(c, handle))
        if kind == 5:
            return Array(
                self.sort(api.get_array_sort_domain(c, handle)),
                self.sort(api.get_array_sort_range(c, handle)),
            )
        if kind == 9:
            return Float(api.fpa_get_ebits(c, handle), api.fpa_get_sbits(c, handle))
        if kind == 0:
            return Uninterpreted(self._symbol(api.get_sort_name(c, handle)))
        raise SolverError(f"z3 sort of kind {kind} has no counterpart")

    def _symbol(self, symbol: int) -> str:
        api, c = self.t.api, self.t.context
        if api.get_symbol_kind(c, symbol) == 0:
            return f"k!{api.get_symbol_int(c, symbol)}"
        return str(api.get_symbol_string(c, symbol).decode())

    # ------------------------------------------------------------------ values

    def value(self, ast: int, sort: Sort, model: int) -> Value:
        """The value that a model's AST stands for."""
        api, c = self.t.api, self.t.context
        if sort is BOOL:
            truth = api.get_bool_value(c, ast)
            if truth == 0:
                raise SolverError("z3 left a Boolean open")
            return bool(truth == 1)
        if isinstance(sort, ArraySort):
            return self._array(ast, sort, model)
        if isinstance(sort, FloatSort):
            return self._float(ast, sort, model)
        if isinstance(sort, UninterpretedSort):
            return self._element(ast)
        number = self._number(ast)
        if sort is REAL:
            return Fraction(number)
        if isinstance(number, Fraction):
            raise SolverError("z3 gave a fraction for an integer")
        return number

    def _number(self, ast: int) -> int | Fraction:
        api, c = self.t.api, self.t.context
        small = ctypes.c_int64()
        if api.get_ast_kind(c, ast) == _NUMERAL:
            if api.get_numeral_int64(c, ast, ctypes.byref(small)):
                return small.value
            text = api.get_numeral_string(c, ast).decode()
            return Fraction(text) if "/" in text else int(text)
        raise SolverError("z3's model has a value that is not a numeral (an irrational number?)")

    def _float(self, ast: int, sort: FloatSort, model: int) -> int:
        api, c = self.t.api, self.t.context
        if self._decl_kind(ast) == _OP_FPA_NAN:
            return softfloat.nan(sort)
        bits = api.mk_fpa_to_ieee_bv(c, ast)
        api.inc_ref(c, bits)
        simple = api.simplify(c, bits)
        api.inc_ref(c, simple)
        try:
            number = self._number(simple)
        finally:
            api.dec_ref(c, simple)
            api.dec_ref(c, bits)
        assert isinstance(number, int)
        return softfloat.canonical(number, sort)

    def _element(self, ast: int) -> int:
        """Elements of an uninterpreted sort print as ``sort!val!n``."""
        text = self.t.api.ast_to_string(self.t.context, ast).decode().strip("|")
        tail = text.rpartition("!")[2]
        if tail.isdigit():
            return int(tail)
        # Never seen, but whatever z3 calls it: different names, different elements.
        return self._elements.setdefault(text, -1 - len(self._elements))

    def _array(self, ast: int, sort: ArraySort, model: int) -> ArrayValue:
        api, c = self.t.api, self.t.context
        entries: dict[Value, Value] = {}
        while True:
            kind = self._decl_kind(ast)
            if kind == _OP_STORE:
                index = self.value(api.get_app_arg(c, ast, 1), sort.index, model)
                if index not in entries:
                    entries[index] = self.value(api.get_app_arg(c, ast, 2), sort.element, model)
                ast = api.get_app_arg(c, ast, 0)
            elif kind == _OP_CONST_ARRAY:
                default = self.value(api.get_app_arg(c, ast, 0), sort.element, model)
                return ArrayValue(default, entries)
            elif api.is_as_array(c, ast):
                base = self._function(api.get_as_array_func_decl(c, ast), (sort.index,), sort.element, model)
                table = {key[0]: value for key, value in base[0].items()}
                return ArrayValue(base[1], {**table, **entries})
            elif api.get_ast_kind(c, ast) == _QUANTIFIER and api.is_lambda(c, ast):
                base = self._by_cases(api.get_quantifier_body(c, ast), sort.index, sort.element, model)
                return ArrayValue(base[1], {**{key[0]: value for key, value in base[0].items()}, **entries})
            else:
                raise SolverError("z3's model has an array that cannot be read back")

    def _by_cases(
        self, body: int, domain: Sort, range_: Sort, model: int
    ) -> tuple[dict[tuple[Value, ...], Value], Value]:
        """A function of one argument whose body only compares it with numbers for equality: its table and its
        value elsewhere."""
        api, c = self.t.api, self.t.context

        def at(point: Value) -> Value:
            found = api.substitute_vars(c, body, 1, array([self.t.ast(b.const(point, domain))]))
            api.inc_ref(c, found)
            found = api.simplify(c, found)
            api.inc_ref(c, found)
            return self.value(found, range_, model)

        if domain is BOOL:
            return {(True,): at(True)}, at(False)
        points, others = probes(domain, self._numerals(body))
        table: dict[tuple[Value, ...], Value] = {(n,): at(n) for n in points}
        elsewhere = {at(n) for n in others - points} or {next(iter(table.values()))}
        if len(elsewhere) > 1:
            raise SolverError("z3's model has an array that cannot be read back")
        return table, elsewhere.pop()

    def _numerals(self, ast: int) -> set[int | Fraction]:
        api, c = self.t.api, self.t.context
        found, seen, todo = set(), set(), [ast]
        while todo:
            node = todo.pop()
            kind = api.get_ast_kind(c, node)
            if kind == _NUMERAL:
                found.add(self._number(node))
            elif kind == _QUANTIFIER:
                todo.append(api.get_quantifier_body(c, node))
            elif kind == _APP and node not in seen:
                seen.add(node)
                todo += [api.get_app_arg(c, node, k) for k in range(api.get_app_num_args(c, node))]
        return found

    def _function(
        self, decl: int, domain: tuple[Sort, ...], range_: Sort, model: int
    ) -> tuple[dict[tuple[Value, ...], Value], Value]:
        """A function's table and default in the model."""
        api, c = self.t.api, self.t.context
        interp = api.model_get_func_interp(c, model, decl)
        if not interp:
            return {}, default_value(range_)
        api.func_interp_inc_ref(c, interp)
        try:
            otherwise = api.func_interp_get_else(c, interp)
            table: dict[tuple[Value, ...], Value] = {}
            default = default_value(range_)
            if otherwise:
                table, default = self._otherwise(otherwise, domain, range_, model)
            for number in range(api.func_interp_get_num_entries(c, interp)):
                entry = api.func_interp_get_entry(c, interp, number)
                api.func_entry_inc_ref(c, entry)
                key = tuple(
                    self.value(api.func_entry_get_arg(c, entry, i), sort, model)
                    for i, sort in enumerate(domain)
                )
                table[key] = self.value(api.func_entry_get_value(c, entry), range_, model)
                api.func_entry_dec_ref(c, entry)
            return table, default
        finally:
            api.func_interp_dec_ref(c, interp)

    def _otherwise(
        self, body: int, domain: tuple[Sort, ...], range_: Sort, model: int
    ) -> tuple[dict[tuple[Value, ...], Value], Value]:
        try:
            return {}, self.value(body, range_, model)
        except SolverError:
            if len(domain) != 1:
                raise
            return self._by_cases(body, domain[0], range_, model)

    def interpretation(self, symbol: FunctionSymbol, model: int) -> Callable[..., Value]:
        """An uninterpreted function in the model, as a Python function."""
        decl = self.t.function(symbol)
        table, default = self._function(decl, symbol.domain, symbol.range, model)
        return lambda *args: table.get(args, default)

    # ------------------------------------------------------------------ terms

    def term(self, ast: int) -> Term:
        """A whole formula; raises :class:`SolverError` on operators that have no counterpart."""
        api, c = self.t.api, self.t.context
        memo: dict[int, Term] = {}
        stack = [ast]
        while stack:
            node = stack[-1]
            if node in memo:
                stack.pop()
                continue
            kind = api.get_ast_kind(c, node)
            if kind == _QUANTIFIER:
                memo[node] = self._quantifier(node)
                continue
            count = api.get_app_num_args(c, node) if kind == _APP else 0
            args = [api.get_app_arg(c, node, i) for i in range(count)]
            missing = [arg for arg in args if arg not in memo]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            memo[node] = self._app(node, kind, [memo[arg] for arg in args])
        return memo[ast]

    def _quantifier(self, node: int) -> Term:
        api, c = self.t.api, self.t.context
        if api.is_lambda(c, node):
            raise SolverError("z3's answer has an array that cannot be read back")
        count = api.get_quantifier_num_bound(c, node)
        bound = []
        for number in range(count):
            self._fresh += 1
            sort = self.sort(api.get_quantifier_bound_sort(c, node, number))
            bound.append(b.var(f"q!{self._fresh}", sort))
        # De Bruijn index 0 is the last bound variable.
        handles = [self.t.ast(variable) for variable in reversed(bound)]
        body = api.substitute_vars(c, api.get_quantifier_body(c, node), count, array(handles))
        api.inc_ref(c, body)
        inner = self.term(body)
        if api.is_quantifier_forall(c, node):
            return b.forall(bound, inner)
        return b.exists(bound, inner)

    def _decl_kind(self, ast: int) -> int:
        api, c = self.t.api, self.t.context
        if api.get_ast_kind(c, ast) != _APP:
            return -1
        return int(api.get_decl_kind(c, api.get_app_decl(c, ast)))

    def _app(self, node: int, kind: int, args: list[Term]) -> Term:
        api, c = self.t.api, self.t.context
        if kind == _NUMERAL:
            sort = self.sort(api.get_sort(c, node))
            if isinstance(sort, FloatSort):
                return b.const(self._float(node, sort, 0), sort)
            number = self._number(node)
            return b.const(Fraction(number) if sort is REAL else number, sort)
        if kind != _APP:
            raise SolverError(f"z3 AST of kind {kind} has no counterpart")
        decl = api.get_app_decl(c, node)
        variable = self.t.variables.get(decl)
        if variable is not None:
            return variable
        operator = api.get_decl_kind(c, decl)
        if operator == _OP_UNINTERPRETED:
            symbol = self.t.symbols.get(decl)
            if symbol is not None:
                return b.apply(symbol, *args)
            if not args:
                sort = self.sort(api.get_range(c, decl))
                return b.var(self._symbol(api.get_decl_name(c, decl)), sort)
            raise SolverError("z3 introduced a function of its own")
        return self._operator(operator, decl, node, args)

    def _operator(self, operator: int, decl: int, node: int, args: list[Term]) -> Term:
        api, c = self.t.api, self.t.context
        simple = _SIMPLE.get(operator)
        if simple is not None:
            return build_node(simple, tuple(args), None, self.sort(api.get_sort(c, node)))
        special = _SPECIAL.get(operator)
        if special is None:
            name = self._symbol(api.get_decl_name(c, decl))
            raise SolverError(f"z3 operator {name} has no counterpart")
        parameters = []
        if operator in _PARAMETRIC:
            parameters = [
                api.get_decl_int_parameter(c, decl, i) for i in range(api.get_decl_num_parameters(c, decl))
            ]
        return special(args, parameters, self.sort(api.get_sort(c, node)))


_CODE = constants()
_OP_UNINTERPRETED = _CODE["Z3_OP_UNINTERPRETED"]
_OP_STORE, _OP_CONST_ARRAY = _CODE["Z3_OP_STORE"], _CODE["Z3_OP_CONST_ARRAY"]
_OP_FPA_NAN = _CODE["Z3_OP_FPA_NAN"]

_Special = Callable[[list[Term], list[int], Sort], Term]


def _left(fold: Callable[[Term, Term], Term]) -> _Special:
    """z3's bit-vector operators are n-ary, ours binary."""

    def build(args: list[Term], parameters: list[int], sort: Sort) -> Term:
        result = args[0]
        for arg in args[1:]:
            result = fold(result, arg)
        return result

    return build


def _swapped(compare: Callable[[Term, Term], Term]) -> _Special:
    return lambda args, parameters, sort: compare(args[1], args[0])


def _unary(make: Callable[[Term], Term]) -> _Special:
    return lambda args, parameters, sort: make(args[0])


def _minus(args: list[Term], parameters: list[int], sort: Sort) -> Term:
    return b.add(args[0], *(b.neg(arg) for arg in args[1:]))


def _width(sort: Sort) -> int:
    assert isinstance(sort, BitVecSort)
    return sort.width


# Operators whose node is ours up to the name.
_SAME = {
    "EQ": Op.EQ, "ITE": Op.ITE, "AND": Op.AND, "OR": Op.OR, "NOT": Op.NOT, "LE": Op.LE, "LT": Op.LT,
    "ADD": Op.ADD, "MUL": Op.MUL, "DIV": Op.RDIV, "IDIV": Op.DIV, "MOD": Op.MOD,
    "TO_REAL": Op.TO_REAL, "TO_INT": Op.TO_INT, "STORE": Op.STORE, "SELECT": Op.SELECT,
    "CONST_ARRAY": Op.CONST_ARRAY,
}
_OTHER: dict[str, _Special] = {
    "TRUE": lambda a, p, s: b.TRUE,
    "FALSE": lambda a, p, s: b.FALSE,
    "DISTINCT": lambda a, p, s: b.distinct(a),
    "IFF": lambda a, p, s: b.iff(a[0], a[1]),
    "XOR": lambda a, p, s: b.xor(a[0], a[1]),
    "IMPLIES": lambda a, p, s: b.implies(a[0], a[1]),
    "GE": _swapped(b.le), "GT": _swapped(b.lt), "SUB": _minus, "UMINUS": _unary(b.neg),
    "BADD": _left(b.bvadd), "BSUB": _left(b.bvsub), "BMUL": _left(b.bvmul), "BAND": _left(b.bvand),
    "BOR": _left(b.bvor), "BXOR": _left(b.bvxor), "CONCAT": _left(b.concat), "BSHL": _left(b.bvshl),
    "BLSHR": _left(b.bvlshr), "BASHR": _left(b.bvashr), "ULEQ": _left(b.bvule), "SLEQ": _left(b.bvsle),
    "ULT": _left(b.bvult), "SLT": _left(b.bvslt), "UGEQ": _swapped(b.bvule), "SGEQ": _swapped(b.bvsle),
    "UGT": _swapped(b.bvult), "SGT": _swapped(b.bvslt), "BNEG": _unary(b.bvneg), "BNOT": _unary(b.bvnot),
    "BV2INT": _unary(b.bv2nat),
    # z3 writes …_I for a division whose divisor it has tested for zero.
    **{name + suffix: _left(make) for suffix in ("", "_I") for name, make in (
        ("BSDIV", b.bvsdiv), ("BUDIV", b.bvudiv), ("BSREM", b.bvsrem), ("BUREM", b.bvurem),
        ("BSMOD", b.bvsmod),
    )},
    "SIGN_EXT": lambda a, p, s: b.sign_extend(p[0], a[0]),
    "ZERO_EXT": lambda a, p, s: b.zero_extend(p[0], a[0]),
    "EXTRACT": lambda a, p, s: b.extract(p[0], p[1], a[0]),
    "BIT2BOOL": lambda a, p, s: b.bit(a[0], p[0]),
    "INT2BV": lambda a, p, s: b.int2bv(_width(s), a[0]),
}
_SIMPLE = {_CODE["Z3_OP_" + name]: op for name, op in _SAME.items()}
_SPECIAL = {_CODE["Z3_OP_" + name]: make for name, make in _OTHER.items()}
_PARAMETRIC = {_CODE["Z3_OP_" + name] for name in ("SIGN_EXT", "ZERO_EXT", "EXTRACT", "BIT2BOOL")}
