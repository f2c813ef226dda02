"""The certificate checker: *safe* is said only of what passes here.

It works on the model that the front end made, with a solver of its own, from the definitions in
:mod:`revet.result.certificate`; it knows no engine, no pass and no language. To be read in one sitting:

=================  ===================================================================
``system``         k-induction and exhaustion for transition systems
``circuit``        clauses over latches, for circuits, with a SAT solver
``automaton``      formulas at locations, and exhaustion, for automata
``cases``          cases of what is drawn, by intervals, for automata with floats
``procedures``     contracts of procedures, each proved on an automaton
``horn``           models of Horn clauses, clause by clause, and derivations
``only_run``       programs with one run or few, made by the interpreter of their language
``paths``          all paths between locations that carry formulas, as formulas
``unfolding``      the runs of an automaton up to a depth, for exhaustion
``each_run``       the same, run by run
``rounds``         the same, merged where the automaton joins them, loops round by round
``queries``        the solver; what it leaves open is undecided, never accepted
``replay``         traces, by evaluation
=================  ===================================================================

``CHECKS`` has a row for each kind of certificate: a function that raises
:class:`revet.checker.report.Refused` unless the certificate proves the subject safe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.budget import Budget
from revet.checker.circuit import CircuitChecker
from revet.checker.report import CheckReport, Refused, malformed
from revet.model.circuit import Circuit
from revet.model.kind import Model
from revet.result.certificate import (
    Cases,
    CircuitInvariant,
    Exhausted,
    FewRuns,
    HornModel,
    KInductive,
    LocationInvariants,
    OnlyRun,
    ProcedureContracts,
)
from revet.smt import default_backend

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from revet.checker.only_run import Runs
    from revet.checker.queries import Queries
    from revet.logic.terms import Term
    from revet.model.cfa import Cfa
    from revet.model.procedures import Procedures
    from revet.model.system import TransitionSystem
    from revet.result.certificate import Certificate
    from revet.smt import SolverFactory

    Subject: TypeAlias = Model | Procedures | Runs


class Tools:
    """What a check may use: a budget, a solver of its own, and where it counts its questions."""

    def __init__(self, budget: Budget | None, backend: SolverFactory | None) -> None:
        self.budget = budget
        self._backend = backend
        self._queries: Queries | None = None
        self.sat_queries = 0
        self.seen = ""  # what is to be said of an accepted certificate besides the number of queries

    @property
    def queries(self) -> Queries:
        """The questions to an SMT solver; a fresh one at the first use."""
        from revet.checker.queries import Queries

        if self._queries is None:
            self._queries = Queries(self._backend or default_backend(), self.budget)
        return self._queries

    def queries_about(self, model: Cfa | TransitionSystem, *claims: Term) -> Queries:
        """The same, by a solver that is made for what this model and the claims about it consist of."""
        from revet.checker.queries import Queries
        from revet.smt.logics import logic_of

        self._queries = Queries(self._backend or default_backend(), self.budget, logic_of(model, *claims))
        return self._queries

    @property
    def count(self) -> int:
        return self.sat_queries + (self._queries.count if self._queries else 0)


def check_certificate(
    subject: Subject,
    certificate: Certificate,
    budget: Budget | None = None,
    backend: SolverFactory | None = None,
) -> CheckReport:
    """Does the certificate prove that the subject is safe?

    ``subject`` is what ``certificate.about`` says: the model, the program's procedures, or the
    interpreter that runs the source. ``backend`` chooses the solver (a fresh z3 context by default).
    Raises :class:`revet.budget.OutOfBudget` when the budget ends first.
    """
    tools = Tools(budget, backend)
    try:
        check = CHECKS.get(type(certificate))
        if check is None:
            raise malformed(f"nothing is known about certificates of the kind {certificate.kind}")
        check(subject, certificate, tools)
    except Refused as refused:
        return refused.report
    return CheckReport("accepted", where=tools.seen, queries=tools.count)


def _unfit(certificate: Certificate, subject: object) -> Refused:
    return malformed(f"a {type(certificate).__name__} says nothing about a {type(subject).__name__}")


def _system(subject: Any, certificate: Certificate) -> TransitionSystem:
    """The subject as a transition system, which a circuit is, too."""
    system = subject.as_system() if isinstance(subject, Model) else None
    if system is None:
        raise _unfit(certificate, subject)
    return system


def _automaton(subject: Any, certificate: Certificate) -> Cfa:
    """The subject as an automaton, which linear Horn clauses are, too."""
    cfa = subject.as_automaton() if isinstance(subject, Model) else None
    if cfa is None:
        raise _unfit(certificate, subject)
    return cfa


def _k_inductive(subject: Any, certificate: KInductive, tools: Tools) -> None:
    system = _system(subject, certificate)
    from revet.checker.system import SystemChecker

    SystemChecker(system, tools.queries_about(system, certificate.formula)).k_inductive(certificate)


def _location_invariants(subject: Any, certificate: LocationInvariants, tools: Tools) -> None:
    cfa = _automaton(subject, certificate)
    from revet.checker.automaton import AutomatonChecker

    queries = tools.queries_about(cfa, *certificate.formulas.values())
    AutomatonChecker(cfa, queries).invariants(certificate)


def _exhausted(subject: Any, certificate: Exhausted, tools: Tools) -> None:
    cfa = subject.as_automaton() if isinstance(subject, Model) else None
    if cfa is not None:
        from revet.checker.automaton import AutomatonChecker

        return AutomatonChecker(cfa, tools.queries_about(cfa)).exhausted(certificate)
    if isinstance(subject, Circuit) and not (certificate.backward or certificate.simple_path):
        return _on_circuit(subject, tools, lambda checker: checker.exhausted(certificate))
    system = _system(subject, certificate)
    from revet.checker.system import SystemChecker

    if certificate.cuts is not None:
        raise malformed("a transition system has no locations to cut at")
    return SystemChecker(system, tools.queries_about(system)).exhausted(certificate)


def _circuit_invariant(subject: Any, certificate: CircuitInvariant, tools: Tools) -> None:
    if not isinstance(subject, Circuit):
        raise _unfit(certificate, subject)
    _on_circuit(subject, tools, lambda checker: checker.invariant(certificate))


def _on_circuit(circuit: Circuit, tools: Tools, check: Callable[[CircuitChecker], None]) -> None:
    checker = CircuitChecker(circuit, tools.budget)
    check(checker)
    tools.sat_queries += checker.queries


def _cases(subject: Any, certificate: Cases, tools: Tools) -> None:
    cfa = _automaton(subject, certificate)
    from revet.checker.cases import CaseChecker

    CaseChecker(cfa, tools.budget).cases(certificate)


def _contracts(subject: Any, certificate: ProcedureContracts, tools: Tools) -> None:
    from revet.checker.procedures import ProcedureChecker
    from revet.model.procedures import Procedures

    if not isinstance(subject, Procedures):
        raise _unfit(certificate, subject)
    ProcedureChecker(subject, tools.queries).contracts(certificate)


def _horn_model(subject: Any, certificate: HornModel, tools: Tools) -> None:
    from revet.checker.horn import HornChecker
    from revet.model.horn import HornSystem

    if not isinstance(subject, HornSystem):
        raise _unfit(certificate, subject)
    HornChecker(subject, tools.queries).model(certificate)


def _only_run(subject: Any, certificate: OnlyRun, tools: Tools) -> None:
    from revet.checker.only_run import check_only_run

    if not callable(subject):
        raise _unfit(certificate, subject)
    check_only_run(subject, certificate, tools.budget or Budget())
    tools.seen = f"run by its interpreter: the program reads nothing and ends after {certificate.steps} steps"


def _few_runs(subject: Any, certificate: FewRuns, tools: Tools) -> None:
    from revet.checker.only_run import check_few_runs

    if not callable(subject):
        raise _unfit(certificate, subject)
    check_few_runs(subject, certificate, tools.budget or Budget())
    tools.seen = f"run by its interpreter: the program has {certificate.runs} runs, and all of them end"


CHECKS: dict[type[Certificate], Callable[[Any, Any, Tools], None]] = {
    KInductive: _k_inductive,
    LocationInvariants: _location_invariants,
    Exhausted: _exhausted,
    CircuitInvariant: _circuit_invariant,
    Cases: _cases,
    ProcedureContracts: _contracts,
    HornModel: _horn_model,
    OnlyRun: _only_run,
    FewRuns: _few_runs,
}
