"""Predecessors: from one model of a step to a cube of states that all take the step.

The step's formula is first cut down to the literals that make it true in the model (an
implicant: one branch of every disjunction, one arm of every ``ite``). Definitions among them
eliminate most locals by substitution; what is left is projected by z3 around the model.
"""

from __future__ import annotations

from collections.abc import Sequence

from revet.engines.pdr_cfa.frames import Cube
from revet.engines.pdr_cfa.graph import Graph, Step
from revet.logic.core import and_, conjunction, const, eq
from revet.logic.dnf import cubes_of
from revet.logic.evaluate import Evaluator
from revet.logic.implicant import implicant
from revet.logic.linear import normalize_literal, split_equality
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.values import Value
from revet.logic.walk import conjuncts, free_vars, free_vars_of, subterms
from revet.model.definitions import eliminate_definitions
from revet.smt.protocol import Model, Projector, SolverError

_MOST_CUBES = 8  # a weakest precondition with more is projected around a model instead


def has_ite(literal: Term) -> bool:
    return any(node.op == Op.ITE for node in subterms(literal))


class Lifter:
    def __init__(self, projector: Projector, graph: Graph, split_equalities: bool) -> None:
        self._projector = projector
        self._graph = graph
        self._split = split_equalities

    def lift(self, step: Step, cube: Cube, model: Model) -> Cube:
        """States at the step's source, the model's among them, that lead into the cube."""
        target = conjunction(step.before(literal) for literal in cube)
        return self.project_onto(and_(step.relation.guard, target), step.relation.locals, model)

    def project_onto(self, formula: Term, gone: Sequence[Term], model: Model) -> Cube:
        """States of the model's kind for which ``gone`` have values that make the formula true."""
        values = model.valuation(free_vars(formula))
        literals = implicant(formula, Evaluator(values))
        literals = eliminate_definitions(literals, frozenset(gone))
        rest = [v for v in gone if v in free_vars_of(literals)]
        if rest:
            literals = self._project(rest, literals, model)
        return self.as_cube(literals, values)

    def precondition_cubes(self, step: Step, cube: Cube) -> list[Cube] | None:
        """All cubes of the weakest precondition of the cube; None if locals stay or they are many."""
        formula = and_(step.relation.guard, *(step.before(literal) for literal in cube))
        cubes = cubes_of(formula, _MOST_CUBES)
        if cubes is None:
            return None
        gone = frozenset(step.relation.locals)
        found: dict[Cube, None] = {}
        for literals in cubes:
            left = eliminate_definitions(list(literals), gone)
            if FALSE in left:
                continue
            if any(has_ite(literal) for literal in left) or not free_vars_of(left).isdisjoint(gone):
                return None
            found[self._ordered(left)] = None
        return list(found)

    def _project(self, variables: list[Term], literals: list[Term], model: Model) -> list[Term]:
        """Only the literals that mention a variable go to the solver.

        Where the theory has no projection, the model's own state stands for the set.
        """
        gone = frozenset(variables)
        kept = [literal for literal in literals if not free_vars(literal) & gone]
        concerned = [literal for literal in literals if free_vars(literal) & gone]
        try:
            projected = self._projector.project(variables, conjunction(concerned), model)
        except SolverError:
            projected = FALSE
        if projected is FALSE:
            state = sorted(free_vars_of(concerned) - gone, key=lambda variable: variable.id)
            return kept + [eq(x, const(model.value(x), x.sort)) for x in state]
        return kept + conjuncts(projected)

    def as_cube(self, literals: list[Term], values: dict[Term, Value]) -> Cube:
        """Literals true in the model, equalities split, in a fixed order."""
        evaluator = Evaluator(values)
        return self._ordered([part for literal in literals for part in implicant(literal, evaluator)])

    def _ordered(self, literals: list[Term]) -> Cube:
        found: dict[Term, None] = {}
        for part in literals:
            for piece in split_equality(part) if self._splits(part) else (part,):
                # Bounds come in many spellings; equations read better as they were written.
                bound = normalize_literal(piece) if piece.op in (Op.LE, Op.LT) else piece
                if bound is not TRUE:
                    found[bound] = None
        return tuple(sorted(found, key=lambda literal: literal.id))

    def _splits(self, equation: Term) -> bool:
        """An equation between numbers generalises in halves; one of discrete values does not."""
        return self._split and not all(map(self._graph.discrete.is_discrete, free_vars(equation)))
