"""The main loop: explore, refine, cut; and the order in which the domains are tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from revet.budget import OutOfBudget
from revet.collector import without_collector
from revet.engines.cegar.explain import explained
from revet.engines.cegar.explore import NAME, Explorer
from revet.engines.cegar.graph import Graph
from revet.engines.cegar.options import Options
from revet.engines.cegar.precision import Precision
from revet.engines.cegar.predicates import PredicateAbstraction
from revet.engines.cegar.refine import Pivot, Refiner
from revet.engines.common.context import Context
from revet.engines.common.supported import Construct, obstacle
from revet.events import Note, PredicateFound, Refined, TreeBuilt
from revet.logic.smtlib import read_script
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.cfa import Cfa
from revet.result.certificate import LocationInvariants
from revet.result.verdict import Safe, Unknown, Verdict
from revet.smt.interpolation import predicates
from revet.smt.protocol import SolverError
from revet.smt.z3 import Z3
from revet.transform.blocks import large_blocks
from revet.transform.clean import clean
from revet.transform.differences import differences
from revet.transform.merge_errors import merge_errors
from revet.transform.reduction import chain

_SMALL = 150  # statements: beyond, blocks are large and their interpolants a burden
_ENDLESS = 60.0  # seconds for a stage that has others after it, when there is no limit


@dataclass(frozen=True)
class Stage:
    """A domain on single statements or on large blocks, with a share of the time that is left."""

    domain: Literal["product", "predicates", "explicit"]
    blocks: bool
    share: float = 1.0

    def __str__(self) -> str:
        return f"{self.domain} on {'large blocks' if self.blocks else 'single statements'}"


def stages(cfa: Cfa, options: Options, given: Sequence[Term]) -> list[Stage]:
    """What is tried in turn when the engine runs alone (``blocks=auto``); in the portfolio each stage is a
    configuration of its own, and the portfolio shares the time. Values need no solver, and many programs
    nothing else; predicates alone do better on large blocks, predicates beside many values on single
    statements."""
    if options.blocks != "auto":
        return [Stage(options.domain, options.blocks == "true")]
    if given or not options.refine:
        return [Stage(options.domain, blocks=False)]
    if options.domain != "product":
        return [Stage(options.domain, blocks=options.domain == "predicates")]
    if len(cfa.edges) > _SMALL:
        return [Stage("product", False, 0.8), Stage("predicates", True)]
    return [Stage("explicit", False, 0.3), Stage("predicates", True, 0.7), Stage("product", False)]


def check(cfa: Cfa, options: Options, context: Context) -> Verdict:
    """See the package's text."""
    found = obstacle(cfa, [Construct.QUANTIFIER])
    if found is not None:
        return found.refusal(NAME)
    given = _given(cfa, options, context)
    verdict: Verdict = Unknown("nothing was tried")
    for stage in stages(cfa, options, given):
        verdict = _stage(cfa, stage, options, context, given)
        if not isinstance(verdict, Unknown):
            break
        context.observe(Note(NAME, f"{stage}: {verdict.reason}"))
    return verdict


def _stage(cfa: Cfa, stage: Stage, options: Options, context: Context, given: Sequence[Term]) -> Verdict:
    options = replace(options, domain=stage.domain)
    if stage.share == 1.0:
        return _run(cfa, options, context, given, stage.blocks)
    left = context.budget.remaining()
    with context.budget.part(_ENDLESS if left is None else stage.share * left) as limit:
        try:
            return _run(cfa, options, context.within(limit), given, stage.blocks)
        except OutOfBudget:
            context.budget.poll()
            return Unknown("no answer in its share of the time")
        except SolverError as error:
            return Unknown(f"the solver failed: {error}")


def _given(cfa: Cfa, options: Options, context: Context) -> list[Term]:
    """The user's predicates; those about variables that reduction removed cannot matter."""
    if not options.predicates:
        return []
    found = []
    for predicate in read_script(options.predicates, "predicates").assertions:
        if free_vars(predicate) <= frozenset(cfa.variables):
            found.append(predicate)
            context.observe(PredicateFound(NAME, predicate))
        else:
            text = f"{predicate} speaks of variables that do not matter for the property: left out"
            context.observe(Note(NAME, text))
    return found


def _run(cfa: Cfa, options: Options, context: Context, given: Sequence[Term], blocks: bool) -> Verdict:
    passes = [clean, merge_errors, large_blocks] if blocks else []
    if options.domain != "predicates" and not given:
        passes.append(differences)
    reduction = chain(cfa, passes)
    backend = Z3()
    with context.stats.solving(backend), without_collector():
        cegar = Cegar(reduction.model, options, context, backend, given, blocks, _own_atoms(cfa))
        return reduction.verdict_back(cegar.prove())


def _own_atoms(cfa: Cfa) -> list[Term]:
    """Atoms of the program's text, before statements were put together; none if it is large."""
    if len(cfa.edges) > _SMALL:
        return []
    relations = [cfa.relation(edge) for edge in cfa.edges]
    known = frozenset(cfa.variables)
    texts = [term for relation in relations for term in (relation.guard, *relation.updates.values())]
    return [atom for atom in predicates(texts) if free_vars(atom) <= known]


class Cegar:
    def __init__(
        self,
        cfa: Cfa,
        options: Options,
        context: Context,
        backend: Z3,
        given: Sequence[Term],
        blocks: bool,
        own_atoms: Sequence[Term] = (),
    ) -> None:
        self._context = context
        self._explain = options.explain
        self.graph = Graph(cfa, whole=bool(given))
        self.precision = Precision(self.graph, options, given, every_step=blocks or bool(given))
        abstraction = PredicateAbstraction(self.graph, options, backend, context)
        self.explorer = Explorer(self.graph, self.precision, abstraction, options, context)
        self.refiner = Refiner(self.graph, self.precision, options, context, backend, own_atoms)

    def prove(self) -> Verdict:
        refinements = 0
        while True:
            with self._context.stats.phase("explore"):
                error = self.explorer.explore()
            if error is None:
                self._report("nothing is left to explore")
                return Safe(LocationInvariants(self.explorer.invariants()))
            with self._context.stats.phase("refine"):
                outcome = self.refiner.refine(error)
            refinements += 1
            self._report(f"error path {refinements}")
            if not isinstance(outcome, Pivot):
                return outcome
            self._context.stats.counts["refinements"] += 1
            self.explorer.cut(outcome.node)
            self._context.observe(Refined(NAME, refinements, error.depth, self.explorer.tree.size))

    def _report(self, title: str) -> None:
        """The tree as it is now, where somebody wants to see it (a large one takes its time)."""
        if self._explain:
            tree = self.explorer.tree.snapshot(self.graph.errors)
            self._context.observe(TreeBuilt(NAME, tree))
            self._context.observe(explained(NAME, title, tree))
