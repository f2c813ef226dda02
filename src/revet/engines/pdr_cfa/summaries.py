"""Lifted PDR on programs with recursive procedures: frames per location of every procedure, and summaries.

A cube after a call is blocked when, from what is known before the call and of the callee, no return leads
into it. If one does, something must become known, and three questions are asked in turn, each by blocking:

1. can the caller be where this happens, if the callee does all that its summary allows?
2. can the callee do it? An obligation at its exit, one level lower, about entry values, globals and results;
3. can the callee do just what the solver's model says?

Before the second, globals that the model changes: does the callee change them at all? Most do not, and *it is
as it was* is what no projection around a model finds.

A *no* strengthens the frames, and the query is repeated. If all are *yes*, the callee is taken at the model's
values, and the caller before such a call is the next obligation.

Every lemma is learnt by a query from the frames before it, so at the fixpoint the frames are contracts: what
holds at entries is required, what holds at exits is ensured. Paper: Komuravelli, Gurfinkel, Chaki (CAV 2014);
their under-approximations are here single values, asked for anew each time.

Limits: proofs only. An error that is reached through calls ends in *unknown*; unrolled calls show the run.
"""

from __future__ import annotations

from revet.engines.common.context import Context
from revet.engines.common.pdr.obligations import Obligation
from revet.engines.pdr_cfa.algorithm import LiftedPdr, Placed
from revet.engines.pdr_cfa.frames import Cube, clause_of
from revet.engines.pdr_cfa.graph import Step
from revet.engines.pdr_cfa.options import Options
from revet.engines.pdr_cfa.procedures import Joined, Return, SummaryQueries, joined
from revet.logic.core import and_, const, eq, not_
from revet.logic.terms import TRUE, Term
from revet.logic.walk import free_vars, substitute
from revet.model.cfa import Location
from revet.model.procedures import Contract, Procedures, at_entry
from revet.result.certificate import ProcedureContracts
from revet.result.verdict import Unknown, Verdict
from revet.smt import Model
from revet.smt.z3 import Z3


class SummaryPdr(LiftedPdr):
    """See the module's text."""

    def __init__(self, program: Procedures, options: Options, context: Context, backend: Z3) -> None:
        self._whole: Joined = joined(program)
        self._program = program
        self._changed: set[tuple[Location, Term, int]] = set()
        super().__init__(self._whole.cfa, options, context, backend)

    def make_queries(self) -> SummaryQueries:
        return SummaryQueries(self.graph, self.frames, self.backend, self.context, self._whole)

    def predecessors(
        self, obligation: Obligation[Placed], step: Step, level: int, model: Model
    ) -> list[Obligation[Placed]] | None:
        what = self._whole.returns.get(step.edge)
        if what is None:
            return super().predecessors(obligation, step, level, model)
        cube = obligation.cube.cube
        assert isinstance(self.queries, SummaryQueries)
        before = self.queries.summary_level(step, level)
        caller = self._caller(step, cube, self._told(what, before), model)
        if self._blocks(level, Placed(step.source, caller)):
            return None
        if self._keeps_a_global(what, before, model):
            return None
        values = [eq(x, const(model.value(x), x.sort)) for x in what.inside.values()]
        for wanted in (self._at_exit(step, level, cube, what, model), self._renamed(values, what)):
            if self._blocks(before, Placed(what.exit, wanted)):
                return None
        placed = Placed(step.source, self._caller(step, cube, values, model), step)
        return [self._obligation(level, placed, obligation)]

    def _keeps_a_global(self, what: Return, level: int, model: Model) -> bool:
        """Does the callee leave a global alone that it changes in the model? Then the summary says so now."""
        for x in self._program.globals:
            before = at_entry(x)
            asked = (what.exit, x, level)
            if asked in self._changed or model.value(what.inside[before]) == model.value(what.inside[x]):
                continue
            if self._blocks(level, Placed(what.exit, (not_(eq(x, before)),))):
                return True
            self._changed.add(asked)
        return False

    def _told(self, what: Return, level: int) -> list[Term]:
        """What is known of the callee, in the words of the return edge."""
        lemmas = self.frames.above(what.exit, level)
        return [substitute(clause_of(lemma), what.inside) for lemma in lemmas]

    def _blocks(self, level: int, placed: Placed) -> bool:
        """Can that be excluded? Only for the level asked: what happens later does not matter now."""
        pushes, self.pushes = self.pushes, False
        try:
            return self.block(self._obligation(level, placed)) is None
        finally:
            self.pushes = pushes

    def _at_exit(self, step: Step, level: int, cube: Cube, what: Return, model: Model) -> Cube:
        """What the callee must have done, for a caller that is known to be where it is."""
        known = map(clause_of, self.frames.above(step.source, level))
        formula = and_(step.relation.guard, *map(step.before, cube), *known)
        inside = frozenset(what.inside.values())
        gone = sorted(free_vars(formula) - inside, key=lambda variable: variable.id)
        return self._renamed(list(self.lifter.project_onto(formula, gone, model)), what)

    @staticmethod
    def _renamed(literals: list[Term], what: Return) -> Cube:
        outside = what.outside()
        found = (substitute(literal, outside) for literal in literals)
        return tuple(sorted((each for each in found if each is not TRUE), key=lambda literal: literal.id))

    def _caller(self, step: Step, cube: Cube, told: list[Term], model: Model) -> Cube:
        """Where the caller was, given what the callee did."""
        formula = and_(step.relation.guard, *map(step.before, cube), *told)
        return self.lifter.project_onto(formula, list(step.relation.locals), model)

    # ------------------------------------------------------------------ answers

    def certificate(self, level: int) -> ProcedureContracts:  # type: ignore[override]
        invariants = self._invariants(level)
        contracts = {}
        for procedure in self._program.procedures.values():
            if procedure.name == self._program.main:
                continue
            start = {copy: x for x, copy in self._program.entry_copies(procedure).items()}
            requires = substitute(invariants.get(procedure.cfa.initial, TRUE), start)
            contracts[procedure.name] = Contract(requires, invariants.get(procedure.exit, TRUE))
        errors = set(self.cfa.errors)
        named = {at.name: formula for at, formula in invariants.items() if at not in errors}
        return ProcedureContracts(contracts, named)

    def _unsafe(self, start: Obligation[Placed]) -> Verdict:
        return Unknown("an error can be reached through recursive calls; unrolling shows the run")


def check_procedures(program: Procedures, options: Options, context: Context) -> Verdict:
    backend = Z3()
    with context.stats.solving(backend):
        return SummaryPdr(program, options, context, backend).run()

