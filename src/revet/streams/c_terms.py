"""Terms of :mod:`revet.logic` as C: a second way from a specification to C, for comparison with the first.

Every operator is written down from its meaning in :mod:`revet.logic.semantics`, on unsigned integers that
hold the bit patterns; nothing is shared with :mod:`revet.streams.c_operators`, which the generated code is
made of. An operator or a sort that is not listed here raises :class:`NotInC`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from revet.errors import RevetError
from revet.logic import softfloat
from revet.logic.sorts import BOOL, FLOAT32, FLOAT64, BitVecSort, FloatSort, Sort
from revet.logic.terms import Op, Term

WIDTHS = (8, 16, 32, 64)


class NotInC(RevetError):
    """A term has an operator or a sort that this printer does not know."""


def c_sort(sort: Sort) -> str:
    if sort is BOOL:
        return "bool"
    if isinstance(sort, BitVecSort) and sort.width in WIDTHS:
        return f"uint{sort.width}_t"
    if sort in (FLOAT32, FLOAT64):
        return "float" if sort is FLOAT32 else "double"
    raise NotInC(f"the sort {sort} has no C type")


class CTerms:
    """Statements that compute terms, each once: ``lines``, and the name of each term's value.

    ``variables`` are C expressions for the terms' variables. ``applied`` numbers the applications of
    each function that the logic does not have; they are calls of ``function(name, number)`` on doubles.
    """

    def __init__(self, variables: Mapping[Term, str], function: Callable[[str, int], str]) -> None:
        self.names: dict[Term, str] = dict(variables)
        self.function = function
        self.lines: list[str] = []
        self.helpers: dict[str, str] = {}
        self.applied: dict[str, dict[Term, int]] = {}

    def name(self, term: Term) -> str:
        """The C expression for a term, after the ``lines``."""
        for part in _parts(term, self.names):
            if part.is_const:
                self.names[part] = constant(part)
                continue
            if part.is_var:
                raise NotInC(f"the variable {part.name} has no C expression")
            made = f"revet_r{len(self.lines)}"
            arguments = [self.names[arg] for arg in part.args]
            self.lines.append(f"const {c_sort(part.sort)} {made} = {self._expression(part, arguments)};")
            self.names[part] = made
        return self.names[term]

    def _expression(self, term: Term, args: list[str]) -> str:
        op = term.op
        if op == Op.APPLY:
            return self._application(term, args)
        if op == Op.ITE:
            return f"{args[0]} ? {args[1]} : {args[2]}"
        if op in (Op.AND, Op.OR):
            return (" && " if op == Op.AND else " || ").join(args)
        if op == Op.NOT:
            return f"!{args[0]}"
        if op == Op.EQ:
            if isinstance(term.args[0].sort, FloatSort):
                raise NotInC("equality of bit patterns of floats")
            return f"{args[0]} == {args[1]}"
        if op in _FLOATS:
            return _FLOATS[op].format(*args)
        if op.startswith(("fp.", "to_fp")):
            return self._float(term, args)
        return self._bits(term, args)

    def _application(self, term: Term, args: list[str]) -> str:
        name = term.payload.name.partition(".")[0]
        numbers = self.applied.setdefault(name, {})
        number = numbers.setdefault(term, len(numbers))
        call = f"{self.function(name, number)}({', '.join(f'(double){arg}' for arg in args)})"
        return f"({c_sort(term.sort)}){call}"

    def _float(self, term: Term, args: list[str]) -> str:
        op, own, suffix = term.op, c_sort(term.sort), "f" if term.args[0].sort is FLOAT32 else ""
        mode = term.payload
        if op == Op.FP_ABS:
            return f"fabs{suffix}({args[0]})"
        if op == Op.FP_SQRT and mode == "RNE":
            return f"sqrt{suffix}({args[0]})"
        if op == Op.FP_ROUND and mode in ("RTN", "RTP"):
            return f"{'floor' if mode == 'RTN' else 'ceil'}{suffix}({args[0]})"
        if op in (Op.FP_FROM_FP, Op.FP_FROM_UBV, Op.FP_FROM_SBV) and mode == "RNE":
            signed = f"(int{_width(term.args[0])}_t)" if op == Op.FP_FROM_SBV else ""
            return f"({own}){signed}{args[0]}"
        if op in (Op.FP_TO_SBV, Op.FP_TO_UBV):
            return self._to_integer(term, args[0])
        if op in (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV) and mode == "RNE":
            symbol = {Op.FP_ADD: "+", Op.FP_SUB: "-", Op.FP_MUL: "*", Op.FP_DIV: "/"}[op]
            return f"{args[0]} {symbol} {args[1]}"
        raise NotInC(f"the operator {op} {mode or ''} is not written in C")

    def _to_integer(self, term: Term, arg: str) -> str:
        """Towards zero; 0 for what is no number of the type after that. Doubles hold all bounds exactly."""
        width, signed = _width(term), term.op == Op.FP_TO_SBV
        below = f"> -0x1p{width - 1} - 1.0" if signed else "> -1.0"
        if signed and width == 64:
            below = ">= -0x1p63"  # the next double below is far off
        integer = f"{'' if signed else 'u'}int{width}_t"
        inside = f"(double){arg} {below} && (double){arg} < 0x1p{width - signed}"
        return f"{inside} ? (uint{width}_t)({integer})(double){arg} : (uint{width}_t)0"

    def _bits(self, term: Term, args: list[str]) -> str:
        own, width = c_sort(term.sort), _width(term.args[0])
        wide = f"(uint{max(32, width)}_t)"
        op = term.op
        if op in _PLAIN:
            return f"({own})({f' {_PLAIN[op]} '.join(wide + arg for arg in args)})"
        if op in _UNSIGNED:
            return f"{args[0]} {_UNSIGNED[op]} {args[1]}"
        if op in _SIGNED:
            return f"(int{width}_t){args[0]} {_SIGNED[op]} (int{width}_t){args[1]}"
        if op == Op.BVNOT:
            return f"({own})~{wide}{args[0]}"
        if op == Op.BVNEG:
            return f"({own})(0u - {wide}{args[0]})"
        if op == Op.ZERO_EXTEND:
            return f"({own}){args[0]}"
        if op == Op.SIGN_EXTEND:
            return f"({own})(int{width}_t){args[0]}"
        if op == Op.EXTRACT:
            return f"({own})({args[0]} >> {term.payload[1]})"
        if op in _PARTIAL:
            name = f"revet_{op}_{width}"
            body = _PARTIAL[op].format(w=width, u=own, i=f"int{width}_t", wide=wide)
            self.helpers[name] = f"static {own} {name}({own} a, {own} b) {{ {body} }}"
            return f"{name}({', '.join(args)})"
        raise NotInC(f"the operator {op} is not written in C")


_PLAIN = {
    Op.BVADD: "+", Op.BVSUB: "-", Op.BVMUL: "*", Op.BVAND: "&", Op.BVOR: "|", Op.BVXOR: "^",
}
_UNSIGNED = {Op.BVULT: "<", Op.BVULE: "<="}
_SIGNED = {Op.BVSLT: "<", Op.BVSLE: "<="}
_FLOATS = {
    Op.FP_NEG: "-{0}", Op.FP_LE: "{0} <= {1}", Op.FP_LT: "{0} < {1}", Op.FP_EQ: "{0} == {1}",
    Op.FP_IS_NAN: "{0} != {0}", Op.FP_IS_ZERO: "{0} == 0", Op.FP_IS_INF: "isinf({0}) != 0",
}
# What C leaves undefined has a meaning in SMT-LIB: division by zero and of the least number, large shifts.
_PARTIAL = {
    Op.BVUDIV: "return b == 0 ? ({u})~{wide}0 : ({u})(a / b);",
    Op.BVUREM: "return b == 0 ? a : ({u})(a % b);",
    Op.BVSDIV: "const {i} x = ({i})a, y = ({i})b; if (y == 0) return x < 0 ? ({u})1 : ({u})~{wide}0; "
    "if (y == -1) return ({u})(0u - {wide}a); return ({u})(x / y);",
    Op.BVSREM: "const {i} x = ({i})a, y = ({i})b; if (y == 0) return a; if (y == -1) return 0; "
    "return ({u})(x % y);",
    Op.BVSMOD: "const {i} x = ({i})a, y = ({i})b; if (y == 0) return a; if (y == -1) return 0; "
    "const {i} m = ({i})(x % y); return m != 0 && (m < 0) != (y < 0) ? ({u})(m + y) : ({u})m;",
    Op.BVSHL: "return b < {w} ? ({u})({wide}a << b) : ({u})0;",
    Op.BVLSHR: "return b < {w} ? ({u})(a >> b) : ({u})0;",
    Op.BVASHR: "const {u} n = b < {w} ? b : {w} - 1; "
    "return ({i})a < 0 ? ({u})~(({u})~{wide}a >> n) : ({u})(a >> n);",
}


def constant(term: Term) -> str:
    """A constant as a C expression of the type of its sort."""
    own, value = c_sort(term.sort), term.value
    if term.sort is BOOL:
        return "true" if value else "false"
    assert isinstance(value, int)
    if isinstance(term.sort, BitVecSort):
        return f"({own})UINT{term.sort.width}_C({value})"
    assert isinstance(term.sort, FloatSort)
    return f"({own}){_float_text(value, term.sort)}"


def _float_text(bits: int, sort: FloatSort) -> str:
    if softfloat.is_nan(bits, sort):
        return "NAN"
    sign = "-" if softfloat.is_negative(bits, sort) else ""
    if softfloat.is_infinite(bits, sort):
        return f"({sign}INFINITY)"
    return f"({sign}{abs(float(softfloat.to_rational(bits, sort))).hex()})"


def _width(term: Term) -> int:
    if not isinstance(term.sort, BitVecSort) or term.sort.width not in WIDTHS:
        raise NotInC(f"a value of sort {term.sort} is no C integer")
    return term.sort.width


def _parts(term: Term, known: Mapping[Term, str]) -> Iterable[Term]:
    """The subterms that are not known yet, arguments first (they were made first)."""
    found = {term} - known.keys()
    stack = list(found)
    while stack:
        for arg in stack.pop().args:
            if arg not in found and arg not in known:
                found.add(arg)
                stack.append(arg)
    return sorted(found, key=lambda part: part.id)
