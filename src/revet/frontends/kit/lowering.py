"""From syntax trees to terms, with type errors that point at the operator concerned.

:meth:`Lowering.lower` gives each tree a term and a *side condition*: the formula that says no
division by zero is evaluated. ``and``, ``or``, ``implies`` and ``ite`` evaluate their later
arguments only when needed, so ``x != 0 and 10 / x > 2`` has the side condition ``true``.
What a division by zero means is the language's choice, made by ``on_zero``:

* :func:`total` (formulas): Revet's own total operators;
* :func:`blocking` (``.spa``, ``.aut``): the statement cannot be executed;
* THETA's automata have a third (:mod:`revet.frontends.kit.automaton`): any value.

Integers are converted to reals where a real is needed; an integer *constant* also to a
bit-vector that can hold it. ``sorts`` remembers the sort of every node for the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from revet.errors import InputError, SortError
from revet.frontends.kit.parsing import Source
from revet.frontends.kit.syntax import DIVISIONS, Expr, postorder
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, REAL, Array, ArraySort, BitVecSort, FloatSort, Sort
from revet.logic.terms import FALSE, TRUE, Term

Lowered = tuple[Term, Term]
OnZero = Callable[[Expr, Term, Term, Term], Lowered]
"""(node, dividend, divisor, the total operator's result) -> (value, side condition)."""


def total(node: Expr, dividend: Term, divisor: Term, value: Term) -> Lowered:
    return value, TRUE


def blocking(node: Expr, dividend: Term, divisor: Term, value: Term) -> Lowered:
    return value, b.not_(b.eq(divisor, b.lift(0, divisor.sort)))


def sort_name(sort: Sort) -> str:
    """A sort in the words of the small languages."""
    if isinstance(sort, BitVecSort):
        return f"bv[{sort.width}]"
    if isinstance(sort, FloatSort):
        return f"fp[{sort.exponent}:{sort.significand}]"
    if isinstance(sort, ArraySort):
        return f"[{sort_name(sort.index)}] -> {sort_name(sort.element)}"
    return {BOOL: "bool", INT: "int", REAL: "rational"}.get(sort, sort.name)


def remainder(left: Term, right: Term) -> Term:
    """``rem`` of SMT solvers and of THETA: mod, with the sign of the divisor."""
    value = b.mod(left, right)
    return b.ite(b.ge(right, b.integer(0)), value, b.neg(value))


_BINARY_BITS: dict[str, Callable[[Term, Term], Term]] = {
    "bvadd": b.bvadd, "bvsub": b.bvsub, "bvmul": b.bvmul, "bvudiv": b.bvudiv, "bvurem": b.bvurem,
    "bvsdiv": b.bvsdiv, "bvsrem": b.bvsrem, "bvsmod": b.bvsmod, "bvand": b.bvand, "bvor": b.bvor,
    "bvxor": b.bvxor, "bvshl": b.bvshl, "bvlshr": b.bvlshr, "bvashr": b.bvashr,
    "bvult": b.bvult, "bvule": b.bvule, "bvslt": b.bvslt, "bvsle": b.bvsle,
    "bvugt": lambda x, y: b.bvult(y, x), "bvuge": lambda x, y: b.bvule(y, x),
    "bvsgt": lambda x, y: b.bvslt(y, x), "bvsge": lambda x, y: b.bvsle(y, x),
    "rotate_left": lambda x, y: _rotate(x, y, leftwards=True),
    "rotate_right": lambda x, y: _rotate(x, y, leftwards=False),
}  # fmt: skip
_UNARY_BITS: dict[str, Callable[[Term], Term]] = {"bvneg": b.bvneg, "bvnot": b.bvnot, "bvpos": lambda x: x}
_COMPARISONS: dict[str, Callable[[Term, Term], Term]] = {
    "<": b.less, "<=": b.at_most, ">": lambda x, y: b.less(y, x), ">=": lambda x, y: b.at_most(y, x),
}  # fmt: skip
_ARITHMETIC = {"+": b.plus, "-": b.minus, "*": b.times}
_DIVISIONS = {"div": b.div, "mod": b.mod, "rem": remainder, "tdiv": b.tdiv, "trem": b.trem}
_CONNECTIVES = {"and", "or", "implies", "iff", "xor", "not"}


def _rotate(term: Term, count: Term, *, leftwards: bool) -> Term:
    width = b.width_of(term)
    size = b.bv(width, b.width_of(count))
    steps = b.bvurem(count, size)
    back = b.bvsub(size, steps)
    there, rest = (b.bvshl, b.bvlshr) if leftwards else (b.bvlshr, b.bvshl)
    return b.bvor(there(term, steps), rest(term, back))


class Lowering:
    """Lowers expressions over ``variables``; ``nondet`` gives the variables of choice nodes."""

    def __init__(
        self, source: Source, variables: Mapping[str, Term], on_zero: OnZero = total
    ) -> None:
        self.source = source
        self.variables = variables
        self.on_zero = on_zero
        self.nondet: dict[Expr, Term] = {}
        self.sorts: dict[Expr, Sort] = {}

    def lower(self, expr: Expr, expected: Sort | None = None) -> Lowered:
        """Term and side condition; ``expected`` is the sort the context needs."""
        stack: list[Lowered] = []
        for node in postorder(expr):
            count = len(node.args)
            args = stack[len(stack) - count :]
            del stack[len(stack) - count :]
            try:
                lowered = self._node(node, args)
            except SortError as error:
                raise self.source.error(str(error), node.offset) from error
            self.sorts[node] = lowered[0].sort
            stack.append(lowered)
        term, side = stack.pop()
        if expected is not None:
            term = self.coerced(expr, term, expected)
        return term, side

    def condition(self, expr: Expr) -> Lowered:
        return self.lower(expr, BOOL)

    def coerced(self, expr: Expr, term: Term, sort: Sort) -> Term:
        found = self.converted(term, sort)
        if found is None:
            wanted = "a condition" if sort is BOOL else sort_name(sort)
            message = f"expected {wanted}, but this is of type {sort_name(term.sort)}"
            raise self.error(expr, message)
        return found

    def converted(self, term: Term, sort: Sort) -> Term | None:
        """The term as one of the sort, or None if it cannot be."""
        if term.sort is sort:
            return term
        if sort is REAL and term.sort is INT:
            return b.to_real(term)
        if isinstance(sort, BitVecSort) and term.sort is INT and term.is_const:
            value = int(term.payload)
            if -(1 << (sort.width - 1)) <= value < 1 << sort.width:
                return b.bv(value, sort.width)
        return None

    def error(self, expr: Expr, message: str) -> InputError:
        return self.source.error(message, expr.offset)

    def unified(self, node: Expr, x: Term, y: Term) -> tuple[Term, Term]:
        """Two operands of one sort."""
        if x.sort is y.sort:
            return x, y
        converted = self.converted(y, x.sort)
        if converted is not None:
            return x, converted
        converted = self.converted(x, y.sort)
        if converted is not None:
            return converted, y
        raise self.error(
            node, f"'{node.spelling}' cannot combine {sort_name(x.sort)} and {sort_name(y.sort)}"
        )

    def _node(self, node: Expr, args: list[Lowered]) -> Lowered:
        op = node.op
        if not args:
            return self._leaf(node), TRUE
        terms = [term for term, _ in args]
        if op in _CONNECTIVES:
            return self._connective(node, args)
        if op == "ite":
            return self._ite(node, args)
        side = b.conjunction([s for _, s in args])
        if op in DIVISIONS:
            value, more = self._division(node, terms[0], terms[1])
            return value, b.and_(side, more)
        return self._strict(node, terms), side

    def _leaf(self, node: Expr) -> Term:
        match node.op:
            case "name":
                found = self.variables.get(node.payload)
                if found is None:
                    raise self.error(node, f"unknown variable {node.payload}")
                return found
            case "number":
                return b.integer(node.payload)
            case "decimal":
                return b.real(node.payload)
            case "bool":
                return TRUE if node.payload else FALSE
            case "bits":
                value, width = node.payload
                return b.bv(value, width)
            case "nondet":
                return self.nondet[node]
        raise self.source.unsupported(f"{node.op} is not supported", node.offset)

    def _connective(self, node: Expr, args: list[Lowered]) -> Lowered:
        for (term, _), arg in zip(args, node.args, strict=True):
            if term.sort is not BOOL:
                raise self.error(
                    arg, f"'{node.spelling}' expects conditions, but this is of type {sort_name(term.sort)}"
                )
        x, side_x = args[0]
        if node.op == "not":
            return b.not_(x), side_x
        y, side_y = args[1]
        match node.op:
            case "and":
                return b.and_(x, y), b.and_(side_x, b.implies(x, side_y))
            case "or":
                return b.or_(x, y), b.and_(side_x, b.or_(x, side_y))
            case "implies":
                return b.implies(x, y), b.and_(side_x, b.implies(x, side_y))
            case "iff":
                return b.iff(x, y), b.and_(side_x, side_y)
            case _:
                return b.xor(x, y), b.and_(side_x, side_y)

    def _ite(self, node: Expr, args: list[Lowered]) -> Lowered:
        (condition, side), (x, side_x), (y, side_y) = args
        condition = self.coerced(node.args[0], condition, BOOL)
        x, y = self.unified(node, x, y)
        return b.ite(condition, x, y), b.and_(side, b.ite(condition, side_x, side_y))

    def _division(self, node: Expr, x: Term, y: Term) -> Lowered:
        x, y = self.unified(node, x, y)
        if x.sort is REAL and node.op == "/":
            value = b.rdiv(x, y)
        elif x.sort is INT:
            value = _DIVISIONS["div" if node.op == "/" else node.op](x, y)
        elif isinstance(x.sort, FloatSort) and node.op == "/":
            return self._strict(node, [x, y]), TRUE
        else:
            raise self.error(node, f"'{node.spelling}' does not apply to {sort_name(x.sort)}")
        if y.is_const and y.payload != 0:
            return value, TRUE
        return self.on_zero(node, x, y, value)

    def _strict(self, node: Expr, terms: list[Term]) -> Term:
        op = node.op
        if any(isinstance(term.sort, FloatSort) for term in terms) or op.startswith(("fp.", "float")):
            from revet.frontends.kit.lowering_floats import lower_float

            return lower_float(self, node, terms)
        if op in ("=", "!="):
            x, y = self.unified(node, terms[0], terms[1])
            return b.eq(x, y) if op == "=" else b.not_(b.eq(x, y))
        if op in _COMPARISONS or op in _ARITHMETIC:
            x, y = self.unified(node, terms[0], terms[1])
            self._require_number(node, x.sort)
            return (_COMPARISONS.get(op) or _ARITHMETIC[op])(x, y)
        if op in ("neg", "pos"):
            self._require_number(node, terms[0].sort)
            return b.negate(terms[0]) if op == "neg" else terms[0]
        if op in ("select", "store", "array"):
            return self._array(node, terms)
        return self._bits(node, terms)

    def _require_number(self, node: Expr, sort: Sort) -> None:
        if sort not in (INT, REAL) and not isinstance(sort, BitVecSort):
            raise self.error(node, f"'{node.spelling}' expects numbers, not {sort_name(sort)}")

    def _array(self, node: Expr, terms: list[Term]) -> Term:
        if node.op == "array":
            return self._array_literal(node, terms)
        array = terms[0]
        if not isinstance(array.sort, ArraySort):
            raise self.error(node, f"only arrays have elements, not {sort_name(array.sort)}")
        index = self.coerced(node.args[1], terms[1], array.sort.index)
        if node.op == "select":
            return b.select(array, index)
        return b.store(array, index, self.coerced(node.args[2], terms[2], array.sort.element))

    def _array_literal(self, node: Expr, terms: list[Term]) -> Term:
        """Arguments: index, value, index, value, …, default; payload: the index sort or None."""
        default = terms[-1]
        index_sort = node.payload or terms[0].sort
        sort = Array(index_sort, default.sort)
        result = b.const_array(sort, default)
        for position in range(0, len(terms) - 1, 2):
            index = self.coerced(node.args[position], terms[position], index_sort)
            value = self.coerced(node.args[position + 1], terms[position + 1], default.sort)
            result = b.store(result, index, value)
        return result

    def _bits(self, node: Expr, terms: list[Term]) -> Term:
        op = node.op
        if op in _BINARY_BITS:
            x, y = self.unified(node, terms[0], terms[1])
            self._require_bits(node, x)
            return _BINARY_BITS[op](x, y)
        for term in terms:
            self._require_bits(node, term)
        if op in _UNARY_BITS:
            return _UNARY_BITS[op](terms[0])
        if op == "concat":
            return b.concat(terms[0], terms[1])
        if op == "extract":
            high, low = node.payload
            return b.extract(high, low, terms[0])
        if op in ("zero_extend", "sign_extend"):
            more = node.payload - b.width_of(terms[0])
            if more < 0:
                raise self.error(node, f"cannot extend {sort_name(terms[0].sort)} to {node.payload} bits")
            return (b.zero_extend if op == "zero_extend" else b.sign_extend)(more, terms[0])
        raise self.source.unsupported(f"'{node.spelling}' is not supported", node.offset)

    def _require_bits(self, node: Expr, term: Term) -> None:
        if not isinstance(term.sort, BitVecSort):
            raise self.error(node, f"'{node.spelling}' expects bit-vectors, not {sort_name(term.sort)}")
