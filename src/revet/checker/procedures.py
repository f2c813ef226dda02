"""Contracts of procedures: each procedure by itself, against the contracts of those it calls.

:meth:`Procedures.against` makes the automaton of one procedure in which a call assumes the callee's
``ensures`` and in which broken contracts are errors; the location invariants must prove that
automaton safe. That every procedure keeps its contract then follows by induction on the number of
calls in a run: a shortest run that breaks a contract contains only calls that kept theirs.
"""

from __future__ import annotations

from revet.checker.automaton import AutomatonChecker
from revet.checker.queries import Queries
from revet.checker.report import malformed
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, Term
from revet.logic.walk import free_vars
from revet.model.procedures import Procedure, Procedures
from revet.result.certificate import LocationInvariants, ProcedureContracts


class ProcedureChecker:
    def __init__(self, program: Procedures, queries: Queries) -> None:
        self.program = program
        self.queries = queries

    def contracts(self, certificate: ProcedureContracts) -> None:
        self._require_form(certificate)
        for procedure in self.program.procedures.values():
            automaton = self.program.against(procedure, certificate.contracts)
            named = certificate.invariants
            formulas = {place: named[place.name] for place in procedure.cfa.locations if place.name in named}
            errors = set(procedure.cfa.errors)
            formulas = {place: formula for place, formula in formulas.items() if place not in errors}
            AutomatonChecker(automaton, self.queries).invariants(LocationInvariants(formulas))

    def _require_form(self, certificate: ProcedureContracts) -> None:
        procedures = self.program.procedures
        known = {place.name for one in procedures.values() for place in one.cfa.locations}
        for name in certificate.invariants:
            if name not in known:
                raise malformed(f"{name} is not a location of any procedure")
        for name, contract in certificate.contracts.items():
            if name not in procedures:
                raise malformed(f"there is no procedure {name}")
            if name == self.program.main and (contract.requires, contract.ensures) != (TRUE, TRUE):
                raise malformed("nobody calls the main procedure: it has no contract")
            self._require_scope(procedures[name], contract.requires, contract.ensures)

    def _require_scope(self, procedure: Procedure, requires: Term, ensures: Term) -> None:
        """A contract speaks of what caller and callee both see, and of nothing else."""
        before = {*self.program.globals, *procedure.parameters}
        copies = set(self.program.entry_copies(procedure).values())
        after = {*copies, *self.program.globals, *procedure.results}
        for formula, visible in ((requires, before), (ensures, after)):
            if formula.sort is not BOOL:
                raise malformed(f"the contract of {procedure.name} is not made of formulas")
            strangers = free_vars(formula) - visible
            if strangers:
                names = ", ".join(sorted(x.name for x in strangers))
                raise malformed(f"the contract of {procedure.name} mentions {names}")
