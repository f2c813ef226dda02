"""The certificate checker: *safe* is said only of what passes here.

It works on the model that the front end made, with a solver of its own, from the definitions in
:mod:`revet.result.certificate`; it knows no engine and no pass. To be read in one sitting:

=================  ===================================================================
``system``         k-induction and exhaustion for transition systems
``circuit``        clauses over latches, for circuits, with a SAT solver
``automaton``      formulas at locations, and exhaustion, for automata
``cases``          cases of what is drawn, by intervals, for automata with floats
``procedures``     contracts of procedures, each proved on an automaton
``paths``          all paths between locations that carry formulas, as formulas
``queries``        the solver; what it leaves open is undecided, never accepted
``replay``         traces, by evaluation
=================  ===================================================================
"""

from __future__ import annotations

from revet.checker.circuit import CircuitChecker
from revet.checker.report import CheckReport, Refused, malformed
from revet.model.circuit import Circuit
from revet.result.certificate import (
    Cases,
    CircuitInvariant,
    Exhausted,
    KInductive,
    LocationInvariants,
    ProcedureContracts,
)
from revet.smt import default_backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from revet.budget import Budget
    from revet.model.cfa import Cfa
    from revet.model.procedures import Procedures
    from revet.model.system import TransitionSystem
    from revet.result.certificate import (
        Certificate,
    )
    from revet.smt import SolverFactory


def check_certificate(
    model: Cfa | TransitionSystem | Circuit | Procedures,
    certificate: Certificate,
    budget: Budget | None = None,
    backend: SolverFactory | None = None,
) -> CheckReport:
    """Does the certificate prove that the model is safe?

    ``backend`` chooses the solver (a fresh z3 context by default). Raises
    :class:`revet.budget.OutOfBudget` when the budget ends first.
    """
    if isinstance(model, Circuit):
        return _check_circuit(model, certificate, budget, backend)
    from revet.checker.automaton import AutomatonChecker
    from revet.checker.cases import CaseChecker
    from revet.checker.procedures import ProcedureChecker
    from revet.checker.queries import Queries
    from revet.checker.system import SystemChecker
    from revet.model.cfa import Cfa
    from revet.model.procedures import Procedures
    from revet.model.system import TransitionSystem

    queries = Queries(backend or default_backend(), budget)
    try:
        match model, certificate:
            case TransitionSystem(), KInductive():
                SystemChecker(model, queries).k_inductive(certificate)
            case TransitionSystem(), Exhausted():
                if certificate.cuts is not None:
                    raise malformed("a transition system has no locations to cut at")
                SystemChecker(model, queries).exhausted(certificate)
            case Cfa(), LocationInvariants():
                AutomatonChecker(model, queries).invariants(certificate)
            case Cfa(), Exhausted():
                AutomatonChecker(model, queries).exhausted(certificate)
            case Cfa(), Cases():
                CaseChecker(model, budget).cases(certificate)
            case Procedures(), ProcedureContracts():
                ProcedureChecker(model, queries).contracts(certificate)
            case _:
                raise malformed(f"a {type(certificate).__name__} says nothing about a {type(model).__name__}")
    except Refused as refused:
        return refused.report
    return CheckReport("accepted", queries=queries.count)


def _check_circuit(
    circuit: Circuit, certificate: Certificate, budget: Budget | None, backend: SolverFactory | None
) -> CheckReport:
    """Clauses by SAT; what engines for transition systems say on the circuit as a system."""
    if isinstance(certificate, KInductive) or (
        isinstance(certificate, Exhausted) and (certificate.backward or certificate.simple_path)
    ):
        from revet.model.circuit_system import system_of

        return check_certificate(system_of(circuit).system, certificate, budget, backend)
    checker = CircuitChecker(circuit, budget)
    try:
        match certificate:
            case CircuitInvariant():
                checker.invariant(certificate)
            case Exhausted():
                checker.exhausted(certificate)
            case _:
                raise malformed(f"a {type(certificate).__name__} says nothing about a circuit")
    except Refused as refused:
        return refused.report
    return CheckReport("accepted", queries=checker.queries)
