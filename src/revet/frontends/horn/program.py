"""A file of Horn clauses; derivations are re-evaluated on the assertions as they were written.

The model's clauses were split and rearranged; here a step counts only if its fact follows from the
*assertion* itself: instantiated with the step's values, the assertion is false wherever the facts
derived so far hold and the new one does not, whatever the other predicates in it say. Quantifiers inside
of an assertion are instantiated, too: a formula follows from ``forall`` where it is asserted and gives
``exists`` where it is assumed, whichever values are taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

from revet.budget import Budget
from revet.frontends.horn.open_values import OPEN, OpenEvaluator
from revet.frontends.horn.reader import HornScript
from revet.frontends.horn.writing import written_model, written_proof
from revet.frontends.program import Program, ReplayFailed, WritesModels
from revet.logic.core import const
from revet.logic.evaluate import Evaluator
from revet.logic.terms import FunctionSymbol, Op, Term
from revet.logic.values import Value, default_value
from revet.logic.walk import substitute, subterms
from revet.result.trace import Derivation, DerivationStep, Trace
from revet.result.verdict import Verdict

Fact = tuple[FunctionSymbol, tuple[Value, ...]]

_MOST_INSTANCES = 1000  # of the quantifiers inside of an assertion
_MOST_OPEN = 12  # predicates in an instance that are neither derived nor the new fact


class HornProgram(Program, WritesModels):
    language = "horn"

    def __init__(self, script: HornScript, path: Path) -> None:
        super().__init__(script.system, (path,), script.assumptions)
        self.script = script

    def smtlib_model(self, verdict: Verdict) -> str | None:
        return written_model(self.script.system, verdict)

    def smtlib_proof(self, verdict: Verdict) -> str | None:
        return written_proof(self.script.system, verdict)

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        """Raises :class:`ReplayFailed` unless every step follows and false is derived."""
        if not isinstance(trace, Derivation):
            raise ReplayFailed("not a derivation")
        facts: set[Fact] = set()
        for number, step in enumerate(trace.steps):
            if budget is not None:
                budget.poll()
            clause = self.script.system.clauses[step.clause]
            new = None if clause.head is None else _fact(clause.head, Evaluator(step.values))
            index = clause.number - 1
            if new not in facts and not _forced(self.script.open_assertions[index], step, facts, new):
                place = self.script.position(clause.number)
                if _forced(self.script.assertions[index], step, facts, new):
                    raise ReplayFailed(f"step {number} rests on what a division by zero gives, at {place}")
                raise ReplayFailed(f"step {number} does not follow from the assertion at {place}")
            if new is None:
                count = len(trace.steps)
                return [f"{count} step{'s' * (count != 1)} re-evaluated on the assertions: false is derived"]
            facts.add(new)
        raise ReplayFailed("the derivation does not end with false")


def _fact(atom: Term, evaluator: Evaluator) -> Fact:
    return atom.payload, tuple(evaluator(x) for x in atom.args)


def _forced(assertion: Term, step: DerivationStep, facts: set[Fact], new: Fact | None) -> bool:
    """Is the instance false in every case in which ``facts`` hold and ``new`` does not?"""
    values = dict(step.values)
    matrix = assertion
    while matrix.op == Op.FORALL:
        for x in matrix.payload:
            values.setdefault(x, default_value(x.sort))  # does not occur in the clause
        matrix = matrix.args[0]
    return any(_is_false(one, values, facts, new) for one in _instances(matrix, values))


def _is_false(
    matrix: Term, values: dict[Term, Value], facts: set[Fact], new: Fact | None
) -> bool:
    applied = [node for node in subterms(matrix) if node.op == Op.APPLY]
    ground = OpenEvaluator(values)
    atoms = {node: _fact(node, ground) for node in applied}
    undecided = {node: OPEN for node, (_, given) in atoms.items() if any(value is OPEN for value in given)}
    atoms = {node: fact for node, fact in atoms.items() if node not in undecided}
    known = {**values, **undecided}
    return all(OpenEvaluator({**known, **truth})(matrix) is False for truth in _cases(atoms, facts, new))


def _instances(matrix: Term, values: dict[Term, Value]) -> Iterator[Term]:
    """Formulas without quantifiers that follow from the matrix: bound variables have values of the step's
    variables of that name (or of one that was renamed from it)."""
    todo = [matrix]
    for _ in range(_MOST_INSTANCES):
        if not todo:
            return
        formula = todo.pop()
        found = _outer_quantifier(formula)
        if found is None:
            yield formula
            continue
        choices = [
            [values[y] for y in values if y.sort is x.sort and f"{y.name}!".startswith(f"{x.name}!")]
            or [default_value(x.sort)]
            for x in found.payload
        ]
        for choice in product(*choices):
            chosen = {x: const(value, x.sort) for x, value in zip(found.payload, choice, strict=True)}
            todo.append(substitute(formula, {found: substitute(found.args[0], chosen)}))
    raise ReplayFailed("an assertion with very many instances is not evaluated")


def _outer_quantifier(formula: Term) -> Term | None:
    """A quantifier with none around it, asserted if it is universal and assumed if it is existential."""
    todo, signs = [(formula, True)], dict[Term, set[bool]]()
    while todo:
        node, sign = todo.pop()
        if not node.quantified or sign in signs.setdefault(node, set()):
            continue
        signs[node].add(sign)
        if node.op in (Op.NOT, Op.AND, Op.OR):
            todo += [(arg, sign is not (node.op == Op.NOT)) for arg in node.args]
        elif node.op not in (Op.FORALL, Op.EXISTS):
            raise ReplayFailed(f"an assertion with a quantifier below '{node.op}' is not evaluated")
    outer = [node for node in signs if node.op in (Op.FORALL, Op.EXISTS)]
    if not outer:
        return None
    last = max(outer, key=lambda node: node.id)  # so it does not occur inside of another one
    if signs[last] != {last.op == Op.FORALL}:
        raise ReplayFailed("an assertion with a quantifier of the wrong kind is not evaluated")
    return last


def _cases(
    atoms: dict[Term, Fact], facts: set[Fact], new: Fact | None
) -> Iterator[dict[Term, Value]]:
    """All truth values of the atoms in which those derived are true and the new one is false."""
    others = list(dict.fromkeys(fact for fact in atoms.values() if fact not in facts and fact != new))
    if len(others) > _MOST_OPEN:
        raise ReplayFailed(f"an assertion with {len(others)} underived predicates is not evaluated")
    for choice in product((False, True), repeat=len(others)):
        chosen = dict(zip(others, choice, strict=True))
        yield {node: fact in facts or chosen.get(fact, False) for node, fact in atoms.items()}
