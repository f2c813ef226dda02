"""cvc5 as a second opinion: the same protocol, translated through its Python API.

For cross-checking, not for speed: engines run on z3, and a checker or a test that asks another
solver catches what one solver alone would get wrong. The package is optional
(``pip install 'revet[crosscheck]'``); without it :class:`Cvc5` raises :class:`SolverError`.

A solver is rebuilt never: assumptions are literals (proxies for other formulas), as with z3.
Operators that SMT-LIB leaves partly open are made total by :func:`revet.logic.totality.totalized`.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from revet.budget import Budget, OutOfBudget
from revet.logic import softfloat
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT, REAL, ArraySort, BitVecSort, FloatSort, Sort, UninterpretedSort
from revet.logic.terms import FunctionSymbol, Op, Term
from revet.logic.totality import totalized
from revet.logic.values import ArrayValue, Value, default_value
from revet.logic.walk import bottom_up, free_vars, subterms
from revet.smt.meter import METER
from revet.smt.protocol import SolverError, Status

_KINDS = {
    Op.NOT: "NOT", Op.AND: "AND", Op.OR: "OR", Op.ITE: "ITE", Op.EQ: "EQUAL", Op.ADD: "ADD", Op.MUL: "MULT",
    Op.DIV: "INTS_DIVISION", Op.MOD: "INTS_MODULUS", Op.RDIV: "DIVISION", Op.LE: "LEQ", Op.LT: "LT",
    Op.TO_REAL: "TO_REAL", Op.TO_INT: "TO_INTEGER", Op.BVADD: "BITVECTOR_ADD", Op.BVSUB: "BITVECTOR_SUB",
    Op.BVMUL: "BITVECTOR_MULT", Op.BVNEG: "BITVECTOR_NEG", Op.BVUDIV: "BITVECTOR_UDIV",
    Op.BVUREM: "BITVECTOR_UREM", Op.BVSDIV: "BITVECTOR_SDIV", Op.BVSREM: "BITVECTOR_SREM",
    Op.BVSMOD: "BITVECTOR_SMOD", Op.BVAND: "BITVECTOR_AND", Op.BVOR: "BITVECTOR_OR",
    Op.BVXOR: "BITVECTOR_XOR", Op.BVNOT: "BITVECTOR_NOT", Op.BVSHL: "BITVECTOR_SHL",
    Op.BVLSHR: "BITVECTOR_LSHR", Op.BVASHR: "BITVECTOR_ASHR", Op.BVULT: "BITVECTOR_ULT",
    Op.BVULE: "BITVECTOR_ULE", Op.BVSLT: "BITVECTOR_SLT", Op.BVSLE: "BITVECTOR_SLE",
    Op.CONCAT: "BITVECTOR_CONCAT", Op.EXTRACT: "BITVECTOR_EXTRACT",
    Op.ZERO_EXTEND: "BITVECTOR_ZERO_EXTEND", Op.SIGN_EXTEND: "BITVECTOR_SIGN_EXTEND",
    Op.BV2NAT: "BITVECTOR_UBV_TO_INT", Op.INT2BV: "INT_TO_BITVECTOR", Op.SELECT: "SELECT",
    Op.STORE: "STORE", Op.FP_ADD: "FLOATINGPOINT_ADD", Op.FP_SUB: "FLOATINGPOINT_SUB",
    Op.FP_MUL: "FLOATINGPOINT_MULT", Op.FP_DIV: "FLOATINGPOINT_DIV", Op.FP_REM: "FLOATINGPOINT_REM",
    Op.FP_NEG: "FLOATINGPOINT_NEG", Op.FP_ABS: "FLOATINGPOINT_ABS", Op.FP_SQRT: "FLOATINGPOINT_SQRT",
    Op.FP_FMA: "FLOATINGPOINT_FMA",
    Op.FP_ROUND: "FLOATINGPOINT_RTI", Op.FP_LE: "FLOATINGPOINT_LEQ", Op.FP_LT: "FLOATINGPOINT_LT",
    Op.FP_EQ: "FLOATINGPOINT_EQ", Op.FP_IS_NAN: "FLOATINGPOINT_IS_NAN",
    Op.FP_IS_INF: "FLOATINGPOINT_IS_INF", Op.FP_IS_ZERO: "FLOATINGPOINT_IS_ZERO",
    Op.FP_IS_NEGATIVE: "FLOATINGPOINT_IS_NEG", Op.FP_IS_NORMAL: "FLOATINGPOINT_IS_NORMAL",
    Op.FP_IS_SUBNORMAL: "FLOATINGPOINT_IS_SUBNORMAL", Op.FP_TO_REAL: "FLOATINGPOINT_TO_REAL",
    Op.FP_FROM_FP: "FLOATINGPOINT_TO_FP_FROM_FP", Op.FP_FROM_REAL: "FLOATINGPOINT_TO_FP_FROM_REAL",
    Op.FP_FROM_SBV: "FLOATINGPOINT_TO_FP_FROM_SBV", Op.FP_FROM_UBV: "FLOATINGPOINT_TO_FP_FROM_UBV",
    Op.FP_FROM_BITS: "FLOATINGPOINT_TO_FP_FROM_IEEE_BV", Op.FP_TO_SBV: "FLOATINGPOINT_TO_SBV",
    Op.FP_TO_UBV: "FLOATINGPOINT_TO_UBV", Op.FORALL: "FORALL", Op.EXISTS: "EXISTS",
    Op.APPLY: "APPLY_UF",
}
_MODES = {
    "RNE": "ROUND_NEAREST_TIES_TO_EVEN", "RTZ": "ROUND_TOWARD_ZERO", "RTP": "ROUND_TOWARD_POSITIVE",
    "RTN": "ROUND_TOWARD_NEGATIVE", "RNA": "ROUND_NEAREST_TIES_TO_AWAY",
}


def _package() -> Any:
    try:
        return importlib.import_module("cvc5")
    except ImportError as error:
        raise SolverError("cvc5 is not installed: pip install 'revet[crosscheck]'") from error


class Cvc5:
    """A factory of cvc5 solvers; see :class:`revet.smt.protocol.SolverFactory`."""

    name = "cvc5"

    def __init__(self, options: dict[str, str] | None = None) -> None:
        self.package = _package()
        self.manager = self.package.TermManager()
        self.options = options or {}
        self.translator = _Translator(self.package, self.manager)
        self.queries = 0
        self.seconds = 0.0

    def solver(self, logic: str | None = None, budget: Budget | None = None) -> Cvc5Solver:
        return Cvc5Solver(self, logic, budget)


class _Translator:
    """Terms to cvc5's; one memo per manager. Iterative."""

    def __init__(self, package: Any, manager: Any) -> None:
        self.package = package
        self.manager = manager
        self._terms: dict[Term, Any] = {}
        self._made: dict[Term, Any] = {}
        self._sorts: dict[Sort, Any] = {}
        self._functions: dict[FunctionSymbol, Any] = {}

    def __call__(self, term: Term) -> Any:
        found = self._made.get(term)
        if found is None:
            found = self._made[term] = self._translate(totalized(term))
        return found

    def _translate(self, term: Term) -> Any:
        try:
            return bottom_up(term, self._terms, lambda node, _: self._node(node))
        except RuntimeError as error:
            raise SolverError(f"cvc5: {error}") from error

    def sort(self, sort: Sort) -> Any:
        found = self._sorts.get(sort)
        if found is None:
            found = self._sorts[sort] = self._make_sort(sort)
        return found

    def _make_sort(self, sort: Sort) -> Any:
        m = self.manager
        match sort:
            case BitVecSort(width=width):
                return m.mkBitVectorSort(width)
            case FloatSort(exponent=exponent, significand=significand):
                return m.mkFloatingPointSort(exponent, significand)
            case ArraySort(index=index, element=element):
                return m.mkArraySort(self.sort(index), self.sort(element))
            case UninterpretedSort(name=name):
                return m.mkUninterpretedSort(name)
        return {BOOL: m.getBooleanSort, INT: m.getIntegerSort, REAL: m.getRealSort}[sort]()

    def kind(self, op: str) -> Any:
        return getattr(self.package.Kind, _KINDS[op])

    def _node(self, node: Term) -> Any:
        m, op, payload = self.manager, node.op, node.payload
        args = [self._terms[arg] for arg in node.args]
        if op == Op.VAR:
            return m.mkConst(self.sort(node.sort), node.name)
        if op == Op.CONST:
            return self.value(node.value, node.sort)
        if op == Op.CONST_ARRAY:
            return m.mkConstArray(self.sort(node.sort), args[0])
        if op == Op.APPLY:
            return m.mkTerm(self.kind(op), self.function(payload), *args) if args else self.function(payload)
        if op in (Op.FORALL, Op.EXISTS):
            return self._quantifier(node, args[0])
        return m.mkTerm(self._operator(node), *self._mode(node), *args)

    def _mode(self, node: Term) -> list[Any]:
        mode = node.payload[0] if op_takes_pair(node.op) else node.payload
        if isinstance(mode, str):
            return [self.manager.mkRoundingMode(getattr(self.package.RoundingMode, _MODES[mode]))]
        return []

    def _operator(self, node: Term) -> Any:
        """The kind, with its indices if it has some."""
        kind, payload = self.kind(node.op), node.payload
        if op_takes_pair(node.op):
            return self.manager.mkOp(kind, payload[1])
        if node.op == Op.EXTRACT:
            return self.manager.mkOp(kind, payload[0], payload[1])
        if node.op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.INT2BV):
            return self.manager.mkOp(kind, payload)
        conversions = (Op.FP_FROM_FP, Op.FP_FROM_REAL, Op.FP_FROM_SBV, Op.FP_FROM_UBV, Op.FP_FROM_BITS)
        if node.op in conversions and isinstance(node.sort, FloatSort):
            return self.manager.mkOp(kind, node.sort.exponent, node.sort.significand)
        return kind

    def _quantifier(self, node: Term, body: Any) -> Any:
        """cvc5 binds variables of a kind of their own, which replace the constants."""
        m = self.manager
        constants = [self._translate(variable) for variable in node.payload]
        bound = [m.mkVar(self.sort(variable.sort), variable.name) for variable in node.payload]
        names = m.mkTerm(self.package.Kind.VARIABLE_LIST, *bound)
        return m.mkTerm(self.kind(node.op), names, body.substitute(constants, bound))

    def function(self, symbol: FunctionSymbol) -> Any:
        found = self._functions.get(symbol)
        if found is None:
            domain = [self.sort(sort) for sort in symbol.domain]
            range_ = self.sort(symbol.range)
            sort = self.manager.mkFunctionSort(domain, range_) if domain else range_
            found = self._functions[symbol] = self.manager.mkConst(sort, symbol.name)
        return found

    def value(self, value: Value, sort: Sort) -> Any:
        m = self.manager
        if sort is BOOL:
            return m.mkBoolean(bool(value))
        if isinstance(value, ArrayValue):
            assert isinstance(sort, ArraySort)
            made = m.mkConstArray(self.sort(sort), self.value(value.default, sort.element))
            for index, entry in value.entries.items():
                at, what = self.value(index, sort.index), self.value(entry, sort.element)
                made = m.mkTerm(self.package.Kind.STORE, made, at, what)
            return made
        if sort is INT:
            return m.mkInteger(str(value))
        if sort is REAL:
            return m.mkReal(str(Fraction(value)))
        if isinstance(sort, BitVecSort):
            return m.mkBitVector(sort.width, str(value), 10)
        if isinstance(sort, FloatSort):
            bits = m.mkBitVector(sort.width, str(value), 10)
            return m.mkFloatingPoint(sort.exponent, sort.significand, bits)
        raise SolverError(f"cvc5 has no constants of the uninterpreted sort {sort}")


def op_takes_pair(op: str) -> bool:
    """Is the payload (rounding mode, width)?"""
    return op in (Op.FP_TO_SBV, Op.FP_TO_UBV)


class Cvc5Solver:
    """One incremental solver; see :class:`revet.smt.protocol.Solver`."""

    def __init__(self, backend: Cvc5, logic: str | None, budget: Budget | None) -> None:
        self.backend = backend
        self.budget = budget
        self._solver = backend.package.Solver(backend.manager)
        for key, value in {
            "incremental": "true", "produce-models": "true", "produce-unsat-assumptions": "true",
            "fp-exp": "true", "arrays-exp": "true", **backend.options,
        }.items():
            self._solver.setOption(key, value)
        self._solver.setLogic(logic or "ALL")
        self._asked: dict[Any, Term] = {}
        self._proxies: dict[Term, Any] = {}
        self._scopes: list[list[Term]] = []
        self._status = Status.UNKNOWN
        self.reason_unknown = ""

    def add(self, formula: Term) -> None:
        self._solver.assertFormula(self._formula(formula))

    def _formula(self, formula: Term) -> Any:
        if formula.sort is not BOOL:
            raise SolverError(f"expected a formula, got {formula!r} of sort {formula.sort}")
        return self.backend.translator(formula)

    def push(self) -> None:
        self._solver.push(1)
        self._scopes.append([])

    def pop(self) -> None:
        if not self._scopes:
            raise SolverError("pop without push")
        self._solver.pop(1)
        for formula in self._scopes.pop():
            del self._proxies[formula]

    def _literal(self, formula: Term) -> Any:
        atom = formula.args[0] if formula.op == Op.NOT else formula
        if atom.op == Op.VAR:
            return self._formula(formula)
        proxy = self._proxies.get(formula)
        if proxy is None:
            manager = self.backend.manager
            proxy = manager.mkConst(manager.getBooleanSort(), f"assume!{formula.id}")
            self._proxies[formula] = proxy
            if self._scopes:
                self._scopes[-1].append(formula)
            implication = manager.mkTerm(self.backend.package.Kind.IMPLIES, proxy, self._formula(formula))
            self._solver.assertFormula(implication)
        return proxy

    def check(self, assumptions: Iterable[Term] = ()) -> Status:
        self._status = Status.UNKNOWN
        self._asked = {self._literal(formula): formula for formula in assumptions}
        if self.budget is not None:
            self.budget.poll()
            left = self.budget.remaining()
            if left is not None:  # cvc5 has no interrupt from outside; its own limit is per query
                self._solver.setOption("tlimit-per", str(max(1, int(left * 1000))))
        self.backend.queries += 1
        METER.queries += 1
        start = time.perf_counter()
        try:
            result = self._solver.checkSatAssuming(*self._asked)
        except RuntimeError as error:
            raise SolverError(f"cvc5: {error}") from error
        finally:
            self.backend.seconds += time.perf_counter() - start
        if result.isSat():
            self._status = Status.SAT
        elif result.isUnsat():
            self._status = Status.UNSAT
        else:
            why = result.getUnknownExplanation()
            if self.budget is not None:
                self.budget.poll()
                if why == self.backend.package.UnknownExplanation.TIMEOUT:
                    # cvc5 counts whole milliseconds, so its limit can end just before the budget does
                    raise OutOfBudget("time is up")
            self.reason_unknown = str(why)
        return self._status

    def core(self) -> list[Term]:
        if self._status is not Status.UNSAT:
            raise SolverError("a core needs an unsatisfiable query first")
        return [self._asked[term] for term in self._solver.getUnsatAssumptions()]

    def model(self) -> Cvc5Model:
        if self._status is not Status.SAT:
            raise SolverError("a model needs a satisfiable query first")
        return Cvc5Model(self.backend, self._solver)


class Cvc5Model:
    """A satisfying assignment. cvc5 forgets its model at the next query, so every variable and
    function that the backend knows is read at once."""

    def __init__(self, backend: Cvc5, solver: Any) -> None:
        self._values: dict[Term, Value] = {}
        self._raw = {term: made for term, made in backend.translator._terms.items() if term.op == Op.VAR}
        for variable, made in self._raw.items():
            self._values[variable] = _read(backend, solver.getValue(made), variable.sort)
        self._functions = bool(backend.translator._functions)

    def value(self, term: Term) -> Value:
        if self._functions and any(node.op == Op.APPLY for node in subterms(term)):
            raise SolverError("functions cannot be read from a cvc5 model")
        valuation = self.valuation(free_vars(term))
        return Evaluator(valuation)(term)

    def valuation(self, variables: Iterable[Term]) -> dict[Term, Value]:
        return {v: self._values[v] if v in self._values else default_value(v.sort) for v in variables}

    def holds(self, formula: Term) -> bool:
        return self.value(formula) is True


def _read(backend: Cvc5, made: Any, sort: Sort) -> Value:
    kind = backend.package.Kind
    if sort is BOOL:
        return bool(made.getBooleanValue())
    if sort is INT:
        return int(made.getIntegerValue())
    if sort is REAL:
        return Fraction(made.getRealValue())
    if isinstance(sort, BitVecSort):
        return int(made.getBitVectorValue(10))
    if isinstance(sort, FloatSort):
        if made.isFloatingPointNaN():
            return softfloat.nan(sort)
        return softfloat.canonical(int(made.getFloatingPointValue()[2].getBitVectorValue(10)), sort)
    if isinstance(sort, ArraySort):
        entries: dict[Value, Value] = {}
        while made.getKind() == kind.STORE:
            entries.setdefault(_read(backend, made[1], sort.index), _read(backend, made[2], sort.element))
            made = made[0]
        return ArrayValue(_read(backend, made.getConstArrayBase(), sort.element), entries)
    digits = "".join(c for c in str(made).rpartition("_")[2] if c.isdigit())
    if not digits:
        raise SolverError(f"cvc5's value {made} cannot be read")
    return int(digits)
