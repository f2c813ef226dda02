"""Derivations from Horn clauses, for people and as data."""

from __future__ import annotations

from typing import Any

from revet.logic.evaluate import evaluate
from revet.logic.pretty import format_value
from revet.model.horn import HornClause, HornSystem
from revet.model.kind import Model
from revet.result.trace import Derivation, DerivationStep


def render_derivation(system: Model, derivation: Derivation) -> str:
    """One line a step: the fact, the clause and the steps it follows from."""
    assert isinstance(system, HornSystem), "whose derivation it is"
    lines = ["a derivation of false"]
    for number, step in enumerate(derivation.steps):
        clause = system.clauses[step.clause]
        origin = f"assertion {clause.number}" if clause.number else f"clause {step.clause + 1}"
        reasons = "".join(f", step {premise}" for premise in step.premises)
        lines.append(f"  step {number}: {_fact_text(clause, step)}    by {origin}{reasons}")
    return "\n".join(lines)


def _fact_text(clause: HornClause, step: DerivationStep) -> str:
    if clause.head is None:
        return "false"
    values = [format_value(evaluate(x, step.values), x.sort) for x in clause.head.args]
    return f"{clause.head.payload.name}({', '.join(values)})"


def derivation_data(derivation: Derivation) -> dict[str, Any]:
    steps = [
        {
            "step": number,
            "clause": step.clause,
            "premises": list(step.premises),
            "values": {x.name: format_value(value, x.sort) for x, value in step.values.items()},
        }
        for number, step in enumerate(derivation.steps)
    ]
    return {"violated": derivation.violated, "length": len(derivation), "steps": steps}
