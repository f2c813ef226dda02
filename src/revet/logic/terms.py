"""Terms: interned, immutable nodes of a DAG that belongs to no solver.

Two structurally equal terms are the same object, so equality is identity and a term can be a
dictionary key at the cost of a pointer. Arguments are created before the node that uses them,
hence ``id`` numbers are a topological order: walks sort by ``id`` instead of recursing
(:mod:`revet.logic.walk`), and no term is too deep.

Every operator is *total* and its meaning is fixed by :mod:`revet.logic.evaluate`: division by
zero gives 0 and ``mod`` by zero its first argument (SMT-LIB leaves them open; the solver
translation closes them in the same way). Side conditions are the business of front ends.

Build terms with the smart constructors of :mod:`revet.logic.build`, never with :func:`intern`.
The intern table holds terms for the life of the process: a worker process is the unit of
reclamation.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from revet.logic.sorts import BOOL, ArraySort, Sort

if TYPE_CHECKING:
    from revet.logic.values import Value


class Op:
    """Operator names. Plain strings: cheap to compare, readable in a debugger.

    The names are SMT-LIB's. Parameters (extract's bounds, a rounding mode) are in ``payload``.
    """

    VAR, CONST, APPLY = "var", "const", "apply"
    NOT, AND, OR, ITE, EQ = "not", "and", "or", "ite", "="
    FORALL, EXISTS = "forall", "exists"
    ADD, MUL, DIV, MOD, RDIV, LE, LT = "+", "*", "div", "mod", "/", "<=", "<"
    TO_REAL, TO_INT = "to_real", "to_int"
    BVADD, BVSUB, BVMUL, BVNEG = "bvadd", "bvsub", "bvmul", "bvneg"
    BVUDIV, BVUREM, BVSDIV, BVSREM, BVSMOD = "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"
    BVAND, BVOR, BVXOR, BVNOT = "bvand", "bvor", "bvxor", "bvnot"
    BVSHL, BVLSHR, BVASHR = "bvshl", "bvlshr", "bvashr"
    BVULT, BVULE, BVSLT, BVSLE = "bvult", "bvule", "bvslt", "bvsle"
    CONCAT, EXTRACT, ZERO_EXTEND, SIGN_EXTEND = "concat", "extract", "zero_extend", "sign_extend"
    BV2NAT, INT2BV = "bv2nat", "int2bv"
    SELECT, STORE, CONST_ARRAY = "select", "store", "const-array"
    FP_ADD, FP_SUB, FP_MUL, FP_DIV, FP_REM = "fp.add", "fp.sub", "fp.mul", "fp.div", "fp.rem"
    FP_FMA = "fp.fma"
    FP_NEG, FP_ABS, FP_SQRT, FP_ROUND = "fp.neg", "fp.abs", "fp.sqrt", "fp.roundToIntegral"
    FP_LE, FP_LT, FP_EQ = "fp.leq", "fp.lt", "fp.eq"
    FP_IS_NAN, FP_IS_INF, FP_IS_ZERO = "fp.isNaN", "fp.isInfinite", "fp.isZero"
    FP_IS_NEGATIVE, FP_IS_NORMAL, FP_IS_SUBNORMAL = "fp.isNegative", "fp.isNormal", "fp.isSubnormal"
    FP_FROM_FP, FP_FROM_REAL, FP_FROM_SBV, FP_FROM_UBV = (
        "to_fp", "to_fp_real", "to_fp_signed", "to_fp_unsigned",
    )
    FP_FROM_BITS, FP_TO_SBV, FP_TO_UBV, FP_TO_REAL = (
        "to_fp_bits", "fp.to_sbv", "fp.to_ubv", "fp.to_real",
    )


class FunctionSymbol:
    """An uninterpreted function: a name and its signature."""

    __slots__ = ("_hash", "domain", "name", "range")

    def __init__(self, name: str, domain: Iterable[Sort], range: Sort) -> None:
        self.name = name
        self.domain = tuple(domain)
        self.range = range
        self._hash = hash(self._key())  # of a predicate with a hundred arguments it takes a while

    def _key(self) -> tuple[str, tuple[Sort, ...], Sort]:
        return (self.name, self.domain, self.range)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, FunctionSymbol) and self._key() == other._key())

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return self.name


class Term:
    """A node. ``payload`` is a variable's name, a constant's value, or an operator's parameter."""

    __slots__ = ("_free", "applied", "args", "id", "op", "payload", "quantified", "sort")

    op: str
    args: tuple[Term, ...]
    sort: Sort
    payload: Any
    id: int
    _free: frozenset[Term] | None
    quantified: bool  # is there a quantifier in it?
    applied: bool  # is a declared function or predicate applied in it?

    @property
    def is_var(self) -> bool:
        return self.op == Op.VAR

    @property
    def is_const(self) -> bool:
        return self.op == Op.CONST

    @property
    def name(self) -> str:
        """The name of a variable."""
        if self.op != Op.VAR:
            raise TypeError(f"only variables have a name, not {self!r}")
        return str(self.payload)

    @property
    def value(self) -> Value:
        """The value of a constant."""
        if self.op != Op.CONST:
            raise TypeError(f"only constants have a value, not {self!r}")
        value: Value = self.payload
        return value

    @property
    def number(self) -> int:
        """The value of a constant that is an integer or a bit-vector."""
        value = self.value
        if not isinstance(value, int):
            raise TypeError(f"not a number: {self!r}")
        return value

    def __repr__(self) -> str:
        from revet.logic.pretty import pretty

        return pretty(self, limit=200)

    def __str__(self) -> str:
        from revet.logic.pretty import pretty

        return pretty(self)

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        from revet.logic.serialize import dumps, loads_one

        return (loads_one, (dumps([self]),))

    def __bool__(self) -> bool:
        raise TypeError(
            "a term has no truth value in Python: use and_(), or_(), not_(), or .eq() for equality"
        )

    # Operator spellings for people who build models in Python. `==` stays identity, because
    # terms are dictionary keys everywhere; write `x.eq(y)` for the equation.

    def __add__(self, other: Term | int) -> Term:
        from revet.logic import build

        return build.plus(self, build.lift(other, self.sort))

    def __radd__(self, other: int) -> Term:
        from revet.logic import build

        return build.plus(build.lift(other, self.sort), self)

    def __sub__(self, other: Term | int) -> Term:
        from revet.logic import build

        return build.minus(self, build.lift(other, self.sort))

    def __rsub__(self, other: int) -> Term:
        from revet.logic import build

        return build.minus(build.lift(other, self.sort), self)

    def __mul__(self, other: Term | int) -> Term:
        from revet.logic import build

        return build.times(self, build.lift(other, self.sort))

    def __rmul__(self, other: int) -> Term:
        from revet.logic import build

        return build.times(build.lift(other, self.sort), self)

    def __neg__(self) -> Term:
        from revet.logic import build

        return build.negate(self)

    def __le__(self, other: Term | int) -> Term:
        from revet.logic import build

        return build.at_most(self, build.lift(other, self.sort))

    def __lt__(self, other: Term | int) -> Term:
        from revet.logic import build

        return build.less(self, build.lift(other, self.sort))

    def __ge__(self, other: Term | int) -> Term:
        from revet.logic import build

        return build.at_most(build.lift(other, self.sort), self)

    def __gt__(self, other: Term | int) -> Term:
        from revet.logic import build

        return build.less(build.lift(other, self.sort), self)

    def __and__(self, other: Term) -> Term:
        from revet.logic import build

        return build.and_(self, other)

    def __or__(self, other: Term) -> Term:
        from revet.logic import build

        return build.or_(self, other)

    def __invert__(self) -> Term:
        from revet.logic import build

        return build.not_(self)

    def __getitem__(self, index: Term | int) -> Term:
        from revet.logic import build

        assert isinstance(self.sort, ArraySort), "only arrays can be indexed"
        return build.select(self, build.lift(index, self.sort.index))

    def eq(self, other: Term | int | bool | Fraction) -> Term:
        """The equation ``self = other``."""
        from revet.logic import build

        return build.eq(self, build.lift(other, self.sort))

    def ne(self, other: Term | int | bool | Fraction) -> Term:
        from revet.logic import build

        return build.not_(build.eq(self, build.lift(other, self.sort)))


_table: dict[tuple[Any, ...], Term] = {}


def intern(op: str, args: tuple[Term, ...], sort: Sort, payload: Any = None) -> Term:
    """The one node with these parts. No simplification, no checking: for constructors only."""
    key = (op, args, sort, payload)
    term = _table.get(key)
    if term is None:
        term = Term.__new__(Term)
        term.op = op
        term.args = args
        term.sort = sort
        term.payload = payload
        term.id = len(_table)
        term._free = None
        quantified = op == Op.FORALL or op == Op.EXISTS
        applied = op == Op.APPLY
        for arg in args:
            if arg.quantified:
                quantified = True
            if arg.applied:
                applied = True
        term.quantified = quantified
        term.applied = applied
        _table[key] = term
    return term


# True and 1 are equal in Python and would share a table entry but for the sort in the key.
TRUE = intern(Op.CONST, (), BOOL, True)
FALSE = intern(Op.CONST, (), BOOL, False)
