"""The z3 backend: one context, its solvers and its models."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from weakref import finalize

from revet.budget import Budget
from revet.logic.core import var
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, FunctionSymbol, Op, Term
from revet.logic.values import Value, default_value
from revet.logic.walk import free_vars, subterms
from revet.smt.meter import METER
from revet.smt.protocol import Model, SolverError, Status
from revet.smt.z3.native import Api, api, array
from revet.smt.z3.readback import Reader
from revet.smt.z3.translate import Translator

_STATUS = {1: Status.SAT, -1: Status.UNSAT, 0: Status.UNKNOWN}

Garbage = deque[tuple[Callable[[int, int], None], int]]
"""Handles that nobody needs any more, and what releases them."""


def _collect(context: int, garbage: Garbage) -> None:
    while garbage:
        release, handle = garbage.popleft()
        release(context, handle)


def _delete(api: Api, context: int, translator: Translator, garbage: Garbage) -> None:
    """Deletes a context. Terms are released first: z3 would look for them round by round, each time among all
    of them, which takes seconds where they are deep."""
    _collect(context, garbage)
    translator.release()
    api.del_context(context)


class Z3:
    """A z3 context. Everything made by one backend shares translated terms; see
    :mod:`revet.smt.protocol` for what the methods promise."""

    name = "z3"

    def __init__(self, parameters: dict[str, str] | None = None, seed: int = 0) -> None:
        """``seed``: another number, another order of the solvers' choices."""
        self.seed = seed
        self.api: Api = api()
        self.context = self.api.new_context({"auto_config": "true", **(parameters or {})})
        self.translator = Translator(self.api, self.context)
        self.reader = Reader(self.translator)
        self.queries = 0
        self.seconds = 0.0
        self.interrupted = False
        # Python may collect a solver or model at any moment and in any thread, a context serves
        # one thread: what is to be released waits here for the next call into z3.
        self.garbage: Garbage = deque()
        # Not at exit: the system frees the memory at once.
        finalize(self, _delete, self.api, self.context, self.translator, self.garbage).atexit = False

    def collect(self) -> None:
        """Release what Python has let go of."""
        _collect(self.context, self.garbage)

    def solver(self, logic: str | None = None, budget: Budget | None = None) -> Z3Solver:
        return Z3Solver(self, logic, budget)

    def project(
        self, variables: Sequence[Term], formula: Term, model: Model, budget: Budget | None = None
    ) -> Term:
        from revet.smt.z3 import quantifiers

        return quantifiers.project(self, variables, formula, model, budget)

    def eliminate(self, variables: Sequence[Term], formula: Term, budget: Budget | None = None) -> Term:
        from revet.smt.z3 import quantifiers

        return quantifiers.eliminate(self, variables, formula, budget)

    def interrupt(self) -> None:
        """Stops what runs in this context, which gives no more answers afterwards: the signal
        stays set inside z3, and a query that meets it can come back *sat* where it is not.
        Solvers have an interrupt of their own without that trap."""
        self.interrupted = True
        self.api.interrupt(self.context)

    def timed(self, budget: Budget | None, interrupt: Callable[[], None] | None = None) -> _Timed:
        """``with backend.timed(budget): …`` counts a query and lets the budget interrupt it."""
        return _Timed(self, budget, interrupt or self.interrupt)


class _Timed:
    def __init__(self, backend: Z3, budget: Budget | None, interrupt: Callable[[], None]) -> None:
        self.backend = backend
        self.budget = budget
        self._interrupt = interrupt

    def __enter__(self) -> None:
        self.backend.queries += 1
        METER.queries += 1
        if self.backend.garbage:
            self.backend.collect()
        if self.budget is not None:
            self._undo = self.budget.on_expiry(self._interrupt)
            if self.budget.exhausted:
                self._undo()
                self.budget.poll()
        if self.backend.interrupted:
            if self.budget is not None:
                self._undo()
            raise SolverError("this z3 context was interrupted; make a new one")
        self._start = time.perf_counter()

    def __exit__(self, *exception: object) -> None:
        self.backend.seconds += time.perf_counter() - self._start
        if self.budget is not None:
            self._undo()


class Z3Solver:
    """One incremental solver."""

    def __init__(self, backend: Z3, logic: str | None, budget: Budget | None) -> None:
        self.backend = backend
        self.budget = budget
        a, c = backend.api, backend.context
        if logic is None:
            self._handle: int = a.mk_simple_solver(c)
        else:
            self._handle = a.mk_solver_for_logic(c, a.mk_string_symbol(c, logic.encode()))
        if not self._handle:
            raise SolverError(f"z3 has no solver for logic {logic}")
        a.solver_inc_ref(c, self._handle)
        if backend.seed:
            self._set_seed(backend.seed)
        finalize(self, backend.garbage.append, (a.solver_dec_ref, self._handle))
        # What was asked for stands behind the literal that z3 is given.
        self._proxies: dict[Term, Term] = {}
        self._asked: dict[int, Term] = {}
        self._scopes: list[list[Term]] = []
        self._status = Status.UNKNOWN

    def _set_seed(self, seed: int) -> None:
        a, c = self.backend.api, self.backend.context
        parameters = a.mk_params(c)
        a.params_inc_ref(c, parameters)
        a.params_set_uint(c, parameters, a.mk_string_symbol(c, b"random_seed"), seed)
        a.solver_set_params(c, self._handle, parameters)
        a.params_dec_ref(c, parameters)
        a.check_error(c)

    def add(self, formula: Term) -> None:
        self._assert(self.backend.translator.ast(require_formula(formula)))

    def _assert(self, ast: int) -> None:
        a, c = self.backend.api, self.backend.context
        a.solver_assert(c, self._handle, ast)
        a.check_error(c)

    def push(self) -> None:
        self.backend.api.solver_push(self.backend.context, self._handle)
        self._scopes.append([])

    def pop(self) -> None:
        if not self._scopes:
            raise SolverError("pop without push")
        self.backend.api.solver_pop(self.backend.context, self._handle, 1)
        for formula in self._scopes.pop():  # the definitions of these proxies are gone
            del self._proxies[formula]

    def _literal(self, formula: Term) -> Term:
        """A literal that implies the formula."""
        atom = formula.args[0] if formula.op == Op.NOT else formula
        if atom.op == Op.VAR:
            return formula
        proxy = self._proxies.get(formula)
        if proxy is None:
            proxy = var(f"assume!{require_formula(formula).id}", BOOL)
            self._proxies[formula] = proxy
            if self._scopes:
                self._scopes[-1].append(formula)
            a, c = self.backend.api, self.backend.context
            ast = self.backend.translator.ast
            implication = a.mk_implies(c, ast(proxy), ast(formula))
            a.inc_ref(c, implication)
            self._assert(implication)
            a.dec_ref(c, implication)
        return proxy

    def check(self, assumptions: Iterable[Term] = ()) -> Status:
        ast = self.backend.translator.ast
        self._status = Status.UNKNOWN
        self._asked = {ast(self._literal(formula)): formula for formula in assumptions}
        a, c = self.backend.api, self.backend.context
        handles = list(self._asked)
        with self.backend.timed(self.budget, self._interrupt):
            code = a.solver_check_assumptions(c, self._handle, len(handles), array(handles))
        status = _STATUS[code]
        if status is Status.UNKNOWN:
            if self.budget is not None:
                self.budget.poll()
            a.check_error(c)
        self._status = status
        return status

    def _interrupt(self) -> None:
        """Ends a running query; without effect on any other, before or after."""
        self.backend.api.solver_interrupt(self.backend.context, self._handle)

    def model(self) -> Z3Model:
        a, c = self.backend.api, self.backend.context
        if self._status is not Status.SAT:
            raise SolverError("a model needs a satisfiable query first")
        handle = a.solver_get_model(c, self._handle)
        if not handle:
            a.check_error(c)
            raise SolverError("z3 has no model")
        return Z3Model(self.backend, handle)

    def core(self) -> list[Term]:
        a, c = self.backend.api, self.backend.context
        if self._status is not Status.UNSAT:
            raise SolverError("a core needs an unsatisfiable query first")
        vector = a.solver_get_unsat_core(c, self._handle)
        a.ast_vector_inc_ref(c, vector)
        found = [
            self._asked[a.ast_vector_get(c, vector, i)] for i in range(a.ast_vector_size(c, vector))
        ]
        a.ast_vector_dec_ref(c, vector)
        return found

    @property
    def reason_unknown(self) -> str:
        text: bytes = self.backend.api.solver_get_reason_unknown(self.backend.context, self._handle)
        return text.decode(errors="replace")


def require_formula(formula: Term) -> Term:
    """z3 would drop anything else and only set an error code."""
    if formula.sort is not BOOL:
        raise SolverError(f"expected a formula, got {formula!r} of sort {formula.sort}")
    return formula


class Z3Model:
    """Reads variables straight from z3; everything else is evaluated by our own semantics."""

    def __init__(self, backend: Z3, handle: int) -> None:
        self.backend = backend
        self.handle = handle
        backend.api.model_inc_ref(backend.context, handle)
        finalize(self, backend.garbage.append, (backend.api.model_dec_ref, handle))
        self._values: dict[Term, Value] = {}
        self._evaluator = Evaluator({})

    def value(self, term: Term) -> Value:
        if term.op == Op.VAR:
            return self._variable(term)
        if term.op == Op.CONST:
            return term.value
        if term.op == Op.NOT and term.args[0].op == Op.VAR:
            return not self._variable(term.args[0])
        for variable in free_vars(term):
            self._evaluator.define(variable, self._variable(variable))
        if not _has_functions(self.backend):
            return self._evaluator(term)
        functions = {
            node.payload: self.backend.reader.interpretation(node.payload, self.handle)
            for node in subterms(term)
            if node.op == Op.APPLY and isinstance(node.payload, FunctionSymbol)
        }
        return Evaluator(self._values, functions)(term)

    def _variable(self, variable: Term) -> Value:
        found = self._values.get(variable)
        if found is None:
            found = self._values[variable] = self._read(variable)
        return found

    def _read(self, variable: Term) -> Value:
        decl = self.backend.translator.decls.get(variable)
        if decl is None:
            return default_value(variable.sort)
        ast = self.backend.api.model_get_const_interp(self.backend.context, self.handle, decl)
        if not ast:
            return default_value(variable.sort)
        return self.backend.reader.value(ast, variable.sort, self.handle)

    def valuation(self, variables: Iterable[Term]) -> dict[Term, Value]:
        return {variable: self._variable(variable) for variable in variables}

    def holds(self, formula: Term) -> bool:
        return self.value(formula) is True

    def truths(self, variables: Iterable[Term]) -> list[bool]:
        # One C call a variable: z3 has a single AST for true.
        read, c, handle = self.backend.api.model_get_const_interp, self.backend.context, self.handle
        decls, true = self.backend.translator.decls, self.backend.translator.ast(TRUE)
        return [read(c, handle, decls[variable]) == true for variable in variables]


def _has_functions(backend: Z3) -> bool:
    return bool(backend.translator.functions)


