"""Constrained Horn clauses for z3's Spacer.

A Horn system has unknown predicates over states and rules ``body -> head`` whose variables are
universally quantified. Spacer either *derives* the goal (there is a run to the error) or finds
an interpretation of the predicates that satisfies every rule and makes the goal false (an
invariant for each predicate)::

    horn = Horn(backend)
    inv, bad = horn.predicate("inv", [x, y]), horn.predicate("bad", [])
    horn.rule([init], inv(x, y))
    horn.rule([inv(x, y), step], inv(x1, y1))
    horn.rule([inv(x, y), not_(property)], bad())
    match horn.query(bad(), budget):
        case Refuted(model): model[inv]      # a formula over x and y
        case Derivable(facts): ...           # ground facts, goal first
        case Undecided(reason): ...

Traps, each met in practice: Spacer's preprocessing inlines and slices predicates away, so it is
turned off by default; a rule must be an implication in z3's eyes, which is why it is not
built with our own ``implies`` (a disjunction); the answer's bound variables are numbered by the
predicate's arguments, not by their position in the quantifier.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from weakref import finalize

from revet.budget import Budget, OutOfBudget
from revet.logic.core import apply, conjunction
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, FunctionSymbol, Term
from revet.logic.walk import free_vars, free_vars_of
from revet.smt.protocol import SolverError
from revet.smt.z3.backend import Z3
from revet.smt.z3.native import array, constants

_CODE = constants()
_OP_EQ, _OP_AND, _OP_NOT = (_CODE["Z3_OP_" + name] for name in ("EQ", "AND", "NOT"))
_OP_HYPER_RESOLVE = _CODE["Z3_OP_PR_HYPER_RESOLVE"]
_PROOF_STEPS = frozenset(code for name, code in _CODE.items() if name.startswith("Z3_OP_PR_"))
_APP, _VAR, _QUANTIFIER = 1, 2, 3

# The predicates of the question must still be there in the answer.
_KEEP_PREDICATES = {"xform.inline_linear": False, "xform.inline_eager": False, "xform.slice": False}


@dataclass(frozen=True, eq=False)
class Predicate:
    """An unknown predicate. ``arguments`` are the variables its formula in the answer speaks of."""

    symbol: FunctionSymbol
    arguments: tuple[Term, ...]

    def __call__(self, *values: Term) -> Term:
        return apply(self.symbol, *values)


@dataclass(frozen=True, eq=False)
class Refuted:
    """The goal cannot be derived: a formula for each predicate, over its arguments."""

    model: dict[Predicate, Term]


@dataclass(frozen=True, eq=False)
class Derivable:
    """The goal can be derived; ``facts`` are the ground facts used, first the goal's premise.

    For linear rules (at most one predicate in a body) this is the run backwards. Empty when
    z3's proof could not be read. ``premises`` are the numbers of the facts that each follows from.
    """

    facts: list[Term]
    premises: list[list[int]] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Undecided:
    reason: str


HornAnswer = Refuted | Derivable | Undecided


class Horn:
    """A set of rules. ``parameters`` are Spacer's Boolean options, e.g. ``spacer.global``."""

    def __init__(
        self, backend: Z3, parameters: dict[str, bool] | None = None, *, keep_predicates: bool = True
    ) -> None:
        self.backend = backend
        self.predicates: dict[FunctionSymbol, Predicate] = {}
        a, c = backend.api, backend.context
        self._handle: int = a.mk_fixedpoint(c)
        a.fixedpoint_inc_ref(c, self._handle)
        finalize(self, _release, backend, self._handle)
        self._configure({**(_KEEP_PREDICATES if keep_predicates else {}), **(parameters or {})})

    def _configure(self, switches: dict[str, bool]) -> None:
        a, c = self.backend.api, self.backend.context

        def symbol(name: str) -> int:
            made: int = a.mk_string_symbol(c, name.encode())
            return made

        parameters = a.mk_params(c)
        a.params_inc_ref(c, parameters)
        a.params_set_symbol(c, parameters, symbol("engine"), symbol("spacer"))
        for name, value in switches.items():
            a.params_set_bool(c, parameters, symbol(name), value)
        a.fixedpoint_set_params(c, self._handle, parameters)
        a.params_dec_ref(c, parameters)
        a.check_error(c)

    def predicate(self, name: str, arguments: Sequence[Term]) -> Predicate:
        """Declare an unknown predicate over these variables."""
        symbol = FunctionSymbol(name, [argument.sort for argument in arguments], BOOL)
        if symbol in self.predicates:
            raise SolverError(f"two Horn predicates are called {name}")
        found = self.predicates[symbol] = Predicate(symbol, tuple(arguments))
        a, c = self.backend.api, self.backend.context
        a.fixedpoint_register_relation(c, self._handle, self.backend.translator.function(symbol))
        a.check_error(c)
        return found

    def rule(self, body: Iterable[Term], head: Term) -> None:
        """``body`` (a conjunction) implies ``head``, for all values of their variables."""
        a, c = self.backend.api, self.backend.context
        ast = self.backend.translator.ast
        premise = conjunction(body)
        bound = sorted(free_vars_of([premise, head]), key=lambda v: v.id)
        clause = a.mk_implies(c, ast(premise), ast(head)) if premise is not TRUE else ast(head)
        a.inc_ref(c, clause)
        rule = clause
        if bound:
            handles = array([ast(variable) for variable in bound])
            rule = a.mk_forall_const(c, 0, len(bound), handles, 0, array([]), clause)
        a.inc_ref(c, rule)
        a.fixedpoint_add_rule(c, self._handle, rule, None)
        a.dec_ref(c, rule)
        a.dec_ref(c, clause)
        a.check_error(c)

    def query(self, goal: Term, budget: Budget | None = None) -> HornAnswer:
        """Can the ground fact ``goal`` (a predicate without arguments) be derived?"""
        if free_vars(goal):
            raise SolverError("a Horn goal has no variables: add a rule that derives a nullary one")
        a, c = self.backend.api, self.backend.context
        with self.backend.timed(budget):
            code = a.fixedpoint_query(c, self._handle, self.backend.translator.ast(goal))
        if code == 0:
            if budget is not None and budget.exhausted:
                raise OutOfBudget("time is up")
            reason = a.fixedpoint_get_reason_unknown(c, self._handle).decode(errors="replace")
            return Undecided("it gave up without saying why" if reason in ("", "ok") else reason)
        answer = a.fixedpoint_get_answer(c, self._handle)
        if not answer:
            return Derivable([]) if code == 1 else Undecided("Spacer has no model")
        a.inc_ref(c, answer)
        try:
            return self._derivation(answer) if code == 1 else Refuted(self._model(answer))
        finally:
            a.dec_ref(c, answer)

    def depth(self, predicate: Predicate) -> int:
        """How many levels Spacer has unfolded the predicate to: a bound on the derivation."""
        decl = self.backend.translator.function(predicate.symbol)
        found: int = self.backend.api.fixedpoint_get_num_levels(self.backend.context, self._handle, decl)
        return found

    # ------------------------------------------------------------------ reading answers

    def _args(self, node: int) -> list[int]:
        a, c = self.backend.api, self.backend.context
        if a.get_ast_kind(c, node) != _APP:
            return []
        return [a.get_app_arg(c, node, i) for i in range(a.get_app_num_args(c, node))]

    def _kind(self, node: int) -> int:
        a, c = self.backend.api, self.backend.context
        if a.get_ast_kind(c, node) != _APP:
            return -1
        return int(a.get_decl_kind(c, a.get_app_decl(c, node)))

    def _predicate_of(self, node: int) -> Predicate | None:
        a, c = self.backend.api, self.backend.context
        if a.get_ast_kind(c, node) != _APP:
            return None
        symbol = self.backend.translator.symbols.get(a.get_app_decl(c, node))
        return None if symbol is None else self.predicates.get(symbol)

    def _model(self, answer: int) -> dict[Predicate, Term]:
        """The answer is a conjunction of ``forall x. P(x) = formula``."""
        a, c = self.backend.api, self.backend.context
        model = {}
        for part in self._args(answer) if self._kind(answer) == _OP_AND else [answer]:
            quantified = a.get_ast_kind(c, part) == _QUANTIFIER
            body = a.get_quantifier_body(c, part) if quantified else part
            defined = self._definition(body)
            if defined is not None:
                predicate, term = defined
                model[predicate] = term
        return model

    def _definition(self, body: int) -> tuple[Predicate, Term] | None:
        """``P(x) = formula``, or just ``P(x)``, or ``not P(x)``, over de Bruijn variables."""
        a, c = self.backend.api, self.backend.context
        if self._kind(body) == _OP_EQ:
            left, right = self._args(body)
            head, formula = (left, right) if self._predicate_of(left) is not None else (right, left)
        elif self._kind(body) == _OP_NOT:
            head, formula = self._args(body)[0], a.mk_false(c)
        else:
            head, formula = body, a.mk_true(c)
        predicate = self._predicate_of(head)
        if predicate is None:
            return None
        numbers = [a.get_index_value(c, arg) for arg in self._args(head)]
        named = [0] * len(numbers)
        for number, argument in zip(numbers, predicate.arguments, strict=True):
            named[number] = self.backend.translator.ast(argument)
        if named:
            formula = a.substitute_vars(c, formula, len(named), array(named))
        a.inc_ref(c, formula)
        try:
            return predicate, self.backend.reader.term(formula)
        finally:
            a.dec_ref(c, formula)

    def _derivation(self, answer: int) -> Derivable:
        """The conclusions of the hyper-resolution steps of a proof, outermost first."""
        numbers: dict[int, int] = {}
        facts: list[Term] = []
        premises: list[list[int]] = []
        queue = self._steps_below([answer])
        for node in queue:
            if node in numbers:
                continue
            *below, conclusion = self._args(node)
            steps = self._steps_below(below)
            queue += steps
            if self._predicate_of(conclusion) is not None:
                numbers[node] = len(facts)
                facts.append(self.backend.reader.term(conclusion))
                premises.append(steps)
        return Derivable(facts, [[numbers[node] for node in steps if node in numbers] for steps in premises])

    def _steps_below(self, nodes: list[int]) -> list[int]:
        """The uppermost hyper-resolution steps in these parts of a proof, in order."""
        found: list[int] = []
        stack = list(reversed(nodes))
        while stack:
            node = stack.pop()
            if self._kind(node) == _OP_HYPER_RESOLVE:
                found.append(node)
            elif self._kind(node) in _PROOF_STEPS:
                stack += reversed(self._args(node))
        return found


def _release(backend: Z3, handle: int) -> None:
    backend.api.fixedpoint_dec_ref(backend.context, handle)
