"""What an answer about a C program is about: how many places were checked, and whether runs come there."""

from __future__ import annotations

from collections import Counter

from revet.frontends.c.checks import Check
from revet.frontends.c.lower.program import Lowered
from revet.logic.terms import FALSE
from revet.model.cfa import Cfa, Location
from revet.result.certificate import LocationInvariants
from revet.result.verdict import Safe, Verdict

_MOST = 3  # places that a warning names


def checked_places(
    model: Cfa, verdict: Verdict, lowered: Lowered, asked: frozenset[Check]
) -> list[str]:
    """The number of places at which something that is ``asked`` about can fail, and those that no run comes
    near."""
    nouns = Counter(lowered.broken[error].kind.noun for error in model.errors)
    if not nouns:
        what = "assertion is" if asked <= {Check.ASSERTION} else "place is"
        return [f"warning: no {what} checked: the program has none that a run can reach"]
    what = next(iter(nouns)) if len(nouns) == 1 else "place"
    kinds = ", ".join(_counted(number, noun) for noun, number in nouns.items())
    found = [f"{kinds} checked" if len(nouns) == 1 else f"{len(model.errors)} places checked: {kinds}"]
    idle = _idle(model, verdict, lowered)
    places = ", ".join(str(error.position) for error in idle[:_MOST])
    places += f" and {len(idle) - _MOST} more" if len(idle) > _MOST else ""
    if len(idle) == len(model.errors):
        found.append(f"warning: no run comes to any {what} that is checked ({places})")
    elif idle:
        found.append(f"warning: no run comes to the {what} at {places}")
    return found


def _counted(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    first, _, rest = noun.partition(" through ")  # accesses through a pointer
    first, _, rest = noun.partition(" of ") if not rest else (first, "", rest)
    joined = noun.removeprefix(first)
    return f"{number} {first}{'es' if first.endswith('s') else 's'}{joined}"


def _idle(model: Cfa, verdict: Verdict, lowered: Lowered) -> list[Location]:
    """Error locations to whose predecessors, the proof says, no run comes. What holds whatever the run is
    (``assert(sizeof(int) == 4)``) has none; there it counts whether its statement is begun."""
    if not isinstance(verdict, Safe):
        return []
    before: dict[Location, list[Location]] = {}
    for edge in model.edges:
        before.setdefault(edge.target, []).append(edge.source)
    certificate = verdict.certificate
    invariants = certificate.formulas if isinstance(certificate, LocationInvariants) else {}
    kept = {location for edge in model.edges for location in (edge.source, edge.target)}
    begun = {
        statement.span.start for location, statements in lowered.starts.items() if location in kept
        for statement, _ in statements
    }
    return [
        error for error in model.errors
        if all(invariants.get(source) is FALSE for source in before.get(error, ()))
        and (error in before or error.position not in begun)
    ]
