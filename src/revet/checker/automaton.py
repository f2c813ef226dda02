"""Certificates for automata: a formula for each cut location, inductive from cut to cut.

With k = 1 each cut is taken by itself: its formula, the paths to the next cuts, and the negation of
a formula there have no model. Where every location has a formula this is edge by edge.

With k > 1, and for exhaustion, the cuts are unfolded step by step (:mod:`revet.checker.unfolding`), or the
runs are followed one by one (:mod:`revet.checker.each_run`) or round by round of their loops
(:mod:`revet.checker.rounds`), as the certificate says.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from revet.checker.each_run import EachRun
from revet.checker.paths import Crossing, Paths, put, relevant
from revet.checker.queries import Queries
from revet.checker.report import Condition, malformed
from revet.checker.rounds import Rounds
from revet.checker.unfolding import Unfolding
from revet.logic.core import conjunction, implies, not_, or_
from revet.logic.sorts import BOOL
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.values import Value
from revet.logic.walk import conjuncts, free_vars, free_vars_of
from revet.model.cfa import Cfa, Location
from revet.model.names import at
from revet.model.statements import Assign, Assume, Block, Havoc
from revet.result.certificate import Exhausted, LocationInvariants
from revet.smt.protocol import Model


class AutomatonChecker:
    def __init__(self, cfa: Cfa, queries: Queries) -> None:
        self.cfa = cfa
        self.queries = queries
        self.errors = set(cfa.errors)
        self._split: dict[Term, dict[Term, None]] = {}

    def invariants(self, certificate: LocationInvariants) -> None:
        """Safety: an error location's formula is false. Initiation: the precondition implies the
        initial location's formula. Consecution: from cut to cut."""
        self._require_form(certificate)
        given = certificate.formulas
        paths = Paths(self.cfa, given, [location for location in given if location not in self.errors])
        formulas = self._with_defaults(given, paths)
        for location in self.cfa.errors:
            self.queries.require_unsat(
                [given.get(location, FALSE)],
                "safety",
                f"the formula of error location {location} is not false",
                self._state,
            )
        self.queries.require_unsat(
            [self.cfa.precondition, not_(formulas[self.cfa.initial])],
            "initiation",
            f"at {self.cfa.initial}",
            self._state,
        )
        if certificate.k == 1:
            for cut in paths.sources:
                self._consecution(paths, cut, formulas)
        else:
            self._k_induction(paths, formulas, certificate)

    def _require_form(self, certificate: LocationInvariants) -> None:
        locations, variables = set(self.cfa.locations), set(self.cfa.variables)
        if certificate.k < 1:
            raise malformed(f"k is {certificate.k}, but must be at least 1")
        for location, formula in certificate.formulas.items():
            if location not in locations:
                raise malformed(f"{location} is not a location of the automaton")
            if formula.sort is not BOOL:
                raise malformed(f"what is given for {location} is not a formula")
            strangers = free_vars(formula) - variables
            if strangers:
                names = ", ".join(sorted(x.name for x in strangers))
                raise malformed(f"the formula of {location} mentions {names}, not a variable")

    def _with_defaults(self, given: Mapping[Location, Term], paths: Paths) -> dict[Location, Term]:
        """Nothing is known at the initial location if runs come back to it, else the precondition."""
        initial = self.cfa.initial
        again = any(initial in paths.targets(cut) for cut in paths.sources)
        default = TRUE if again else self.cfa.precondition
        return {initial: default, **given, **dict.fromkeys(self.cfa.errors, FALSE)}

    def _consecution(self, paths: Paths, cut: Location, formulas: Mapping[Location, Term]) -> None:
        targets = [target for target in paths.targets(cut) if formulas[target] is not TRUE]
        if formulas[cut] is FALSE or not targets:
            return
        queries = self.queries
        known = self._conjuncts(formulas[cut])
        paths.forget_names()
        queries.push()
        queries.add(formulas[cut])
        crossing = paths.cross(cut, TRUE, {})
        queries.add(*crossing.formulas)
        for target in targets:
            joining: list[Term] = []
            arrivals = crossing.arrivals.get(target)
            if arrivals is None:
                continue
            arrival = paths.join(arrivals, joining, {})
            # what was known before and is about other variables needs no proof
            goal = conjunction(
                put(c, arrival.values, {})
                for c in self._conjuncts(formulas[target])
                if c not in known or not free_vars(c).isdisjoint(arrival.values)
            )
            if goal is TRUE:
                continue
            queries.add(*joining)
            queries.require_unsat(
                [arrival.taken, not_(goal)],
                "consecution",
                partial(_describe, crossing, cut, target),
                self._state,
            )
        queries.pop()

    def _conjuncts(self, formula: Term) -> dict[Term, None]:
        found = self._split.get(formula)
        if found is None:
            found = self._split[formula] = dict.fromkeys(conjuncts(formula))
        return found

    def _k_induction(
        self, paths: Paths, formulas: Mapping[Location, Term], certificate: LocationInvariants
    ) -> None:
        k, queries = certificate.k, self.queries
        base = Unfolding(self.cfa, paths, queries)
        queries.push()
        base.start([self.cfa.initial])
        queries.add(base.put(self.cfa.precondition, self.cfa.initial, 0))
        for step in range(k):
            for cut in base.cuts[step]:
                queries.require_unsat(
                    [base.literal(cut, step), not_(base.put(formulas[cut], cut, step))],
                    "initiation",
                    partial(base.describe, step, cut),
                    base.state,
                )
            if step + 1 < k:
                base.step()
        queries.pop()
        induction = Unfolding(self.cfa, paths, queries)
        queries.push()
        induction.start([cut for cut in paths.sources if formulas[cut] is not FALSE])
        for step in range(k):
            for cut in induction.cuts[step]:
                holds = induction.put(formulas[cut], cut, step)
                queries.add(implies(induction.literal(cut, step), holds))
            induction.step()
        exclude = induction.shortcuts(self._cone(paths, formulas)) if certificate.simple_path else None
        for cut in induction.cuts[k]:
            queries.require_unsat(
                [induction.literal(cut, k), not_(induction.put(formulas[cut], cut, k))],
                "consecution",
                partial(induction.describe, k, cut),
                induction.state,
                partial(exclude, cut) if exclude is not None else None,
            )
        queries.pop()

    def exhausted(self, certificate: Exhausted) -> None:
        depth, queries = certificate.depth, self.queries
        cuts = self.cfa.locations if certificate.cuts is None else certificate.cuts
        if depth < 0:
            raise malformed(f"the depth is {depth}")
        if certificate.backward and certificate.simple_path:
            raise malformed("backward exhaustion does not consider simple paths")
        if certificate.one_by_one and (certificate.backward or certificate.simple_path):
            raise malformed("runs are followed one by one only forward, and whole")
        others = certificate.backward or certificate.simple_path or certificate.one_by_one
        if certificate.by_rounds and others:
            raise malformed("loops are followed round by round only forward, and by all runs")
        if not set(cuts) <= set(self.cfa.locations):
            raise malformed("a cut is not a location of the automaton")
        if certificate.by_rounds:
            self._rounds_end(depth)
            return
        paths = Paths(self.cfa, cuts, ())
        if certificate.one_by_one:
            EachRun(self.cfa, paths, queries).ends_before(depth)
            return
        if certificate.backward:
            self._no_long_violation(paths, depth)
        unfolding = Unfolding(self.cfa, paths, queries)
        queries.push()
        unfolding.start([self.cfa.initial])
        queries.add(unfolding.put(self.cfa.precondition, self.cfa.initial, 0))
        for step in range(depth):
            self._no_error(unfolding, step, "safety")
            unfolding.step()
        if not certificate.backward:
            self._no_run(unfolding, certificate, paths)
        queries.pop()

    def _rounds_end(self, depth: int) -> None:
        def state(model: Model) -> Mapping[Term, Value]:
            return {x: model.value(at(x, 0)) for x in self.cfa.variables}

        self.queries.push()
        rounds = Rounds(self.cfa, relevant(self.cfa, [*self.cfa.errors]), self.queries)
        for visits in rounds.follow(depth):
            failing = visits[0].location in self.errors
            where = "at " + ", ".join(dict.fromkeys(visit.location.name for visit in visits))
            runs = or_(*(visit.passed for visit in visits))
            self.queries.require_unsat([runs], "safety" if failing else "exhaustion", where, state)
        self.queries.pop()

    def _no_run(self, unfolding: Unfolding, certificate: Exhausted, paths: Paths) -> None:
        exclude = unfolding.shortcuts(self._cone(paths, {})) if certificate.simple_path else None
        for cut in unfolding.cuts[certificate.depth]:
            self.queries.require_unsat(
                [unfolding.literal(cut, certificate.depth)],
                "exhaustion",
                partial(unfolding.describe, certificate.depth, cut),
                unfolding.state,
                partial(exclude, cut) if exclude is not None else None,
            )

    def _no_long_violation(self, paths: Paths, depth: int) -> None:
        unfolding = Unfolding(self.cfa, paths, self.queries)
        self.queries.push()
        entered = {self.cfa.initial, *(e.target for edges in paths.leaving.values() for e in edges)}
        unfolding.start([cut for cut in self.cfa.locations if cut in paths.cuts and cut in entered])
        for _ in range(depth):
            unfolding.step()
        self._no_error(unfolding, depth, "exhaustion")
        self.queries.pop()

    def _no_error(self, unfolding: Unfolding, step: int, condition: Condition) -> None:
        for cut in unfolding.cuts[step]:
            if cut in self.errors:
                self.queries.require_unsat(
                    [unfolding.literal(cut, step)],
                    condition,
                    partial(unfolding.describe, step, cut),
                    unfolding.state,
                )

    def _state(self, model: Model) -> Mapping[Term, Value]:
        return model.valuation(self.cfa.variables)

    def _cone(self, paths: Paths, formulas: Mapping[Location, Term]) -> list[Term]:
        """The variables that decide how a run goes on: two states at one location that agree on
        these can be exchanged."""
        wanted = set(free_vars_of([self.cfa.precondition, *formulas.values()]))
        uses: list[tuple[Term, frozenset[Term]]] = []
        for edges in paths.leaving.values():
            for edge in edges:
                for statement in edge.statements:
                    match statement:
                        case Assume(condition):
                            wanted |= free_vars(condition)
                        case Assign(variable, value):
                            uses.append((variable, free_vars(value)))
                        case Block(relation):
                            wanted |= free_vars(relation.guard)
                            uses += [(x, free_vars(value)) for x, value in relation.updates.items()]
                        case Havoc():
                            pass
        size = -1
        while size != len(wanted):
            size = len(wanted)
            for variable, used in uses:
                if variable in wanted:
                    wanted |= used
        return [x for x in self.cfa.variables if x in wanted]


def _describe(crossing: Crossing, cut: Location, target: Location, model: Model | None) -> str:
    if model is None:
        return f"from {cut} to {target}"
    edges = crossing.path(target, cut, model)
    if len(edges) == 1:
        return f"on edge {edges[0]!r}"
    return f"from {cut} to {target} along " + " -> ".join(str(e.source) for e in edges) + f" -> {target}"
