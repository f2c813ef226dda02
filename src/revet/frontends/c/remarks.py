"""What an answer about a C program is about: how many places were checked, and whether runs come there."""

from __future__ import annotations

from collections.abc import Mapping

from revet.frontends.c.checks import Check
from revet.logic.terms import FALSE
from revet.model.cfa import Cfa, Location
from revet.result.certificate import LocationInvariants
from revet.result.verdict import Safe, Verdict


def checked_places(model: Cfa, verdict: Verdict, broken: Mapping[Location, Check]) -> list[str]:
    """The number of places at which the property can fail, and those that no run comes near."""
    nouns = dict.fromkeys(broken[error].kind.noun for error in model.errors) or {"assertion": None}
    what = next(iter(nouns)) if len(nouns) == 1 else "place"
    if not model.errors:
        return [f"warning: no {what} is checked: the program has none that a run can reach"]
    found = [f"{len(model.errors)} {what}{'s' if len(model.errors) > 1 else ''} checked"]
    if isinstance(verdict, Safe):
        before: dict[Location, list[Location]] = {}
        for edge in model.edges:
            before.setdefault(edge.target, []).append(edge.source)
        certificate = verdict.certificate
        invariants = certificate.formulas if isinstance(certificate, LocationInvariants) else {}
        idle = [
            error for error in model.errors
            if all(invariants.get(source) is FALSE for source in before.get(error, ()))
        ]
        places = ", ".join(str(error.position) for error in idle)
        if len(idle) == len(model.errors):
            found.append(f"warning: no run comes to any {what} that is checked ({places})")
        elif idle:
            found.append(f"warning: no run comes to the {what} at {places}")
    return found
