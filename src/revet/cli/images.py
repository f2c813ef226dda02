"""``revet post``, ``pre``, ``wp`` and ``abstract``."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING

from revet.budget import OutOfBudget
from revet.cli.output import echo
from revet.errors import UsageError
from revet.images.abstraction import Abstraction, AbstractReachability, predicates_of
from revet.images.api import space_of
from revet.images.graph import abstract_graph
from revet.images.paths import path_answer, read_path
from revet.report.drawing import drawing_dot, drawing_svg
from revet.smt.errors import SolverError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from revet.images.space import Space


def run_image(
    kind: str, words: tuple[str, ...], edges: tuple[str, ...], times: int, every: bool, given: dict[str, Any]
) -> int:
    """Print the image; with ``every`` also those of fewer steps."""
    model, formula = _model_and_formula(words, given)

    def work() -> int:
        return _image(kind, space_of(model, formula=formula, **given), formula, edges, times, every)

    return in_time(work)


def in_time(work: Callable[[], int]) -> int:
    """Exit status 3 if the time or the solver does not suffice."""
    try:
        return work()
    except (OutOfBudget, SolverError) as reason:
        echo(f"revet: not decided: {reason}", err=True)
        return 3


def _image(kind: str, space: Space, formula: str, edges: tuple[str, ...], times: int, every: bool) -> int:
    chosen = space.edges(edges)
    states = space.read(formula)
    for number in range(1, times + 1):
        states = getattr(space, kind)(states, chosen)
        if every:
            echo(f"{kind}^{number}\n" + "\n".join(f"  {line}" for line in str(states).splitlines()))
    if not every:
        echo(str(states))
    return 0


def run_path(model: str, text: str, json_: bool, given: dict[str, Any]) -> int:
    """Exit status 0: the path is feasible; 1: it is not."""
    return in_time(lambda: _path(space_of(model, **given), text, json_))


def _path(space: Space, text: str, json_: bool) -> int:
    found = path_answer(space.cfa, read_path(space, text), space.budget)
    echo(dumps(found.data(), indent=2) if json_ else str(found))
    return 0 if found.feasible else 1


def run_abstract(words: tuple[str, ...], predicates: str, given: dict[str, Any], system: str | None) -> int:
    """With a formula its entailments and abstraction, without one the abstractly reachable states, or the
    whole abstract system in the format ``system``.

    Exit status 3: they do not exclude an error.
    """
    model: str | None = words[0]
    formula: str | None = None
    if len(words) > 1 or given["variables"]:
        model, formula = _model_and_formula(words, given)
    used = f"{formula or ''} {predicates}"
    if system is not None and formula is not None:
        raise UsageError("--system is about a model, not about a formula")
    return in_time(lambda: _abstract(space_of(model, formula=used, **given), formula, predicates, system))


def _abstract(space: Space, formula: str | None, predicates: str, system: str | None) -> int:
    asked = predicates_of(space, predicates)
    if system is not None:
        graph = abstract_graph(space, asked)
        drawn = {"dot": drawing_dot, "svg": drawing_svg}.get(system)
        echo(graph.text() if drawn is None else drawn(graph.drawing()).rstrip("\n"))
        return 0
    if formula is None:
        return _reachability(AbstractReachability(space, asked))
    found = Abstraction.of(space, space.read(formula), asked)
    if asked:
        echo(found.table(formula))
    echo(f"alpha({formula}) = {found.formula}")
    return 0


def _reachability(found: AbstractReachability) -> int:
    echo(str(found))
    if not found.space.cfa.errors:
        return 0
    for name, state in found.errors().items():
        echo(f"{name} is not excluded by {state}: with these predicates nothing is known")
    if found.errors():
        return 3
    if not found.accepted():
        echo("no error is in it, but the checker does not accept it as an inductive invariant")
        return 3
    echo("no error is in it, and the checker accepts it as an inductive invariant of the model")
    return 0


def _model_and_formula(words: tuple[str, ...], given: dict[str, Any]) -> tuple[str | None, str]:
    alone = given["statement"] is not None or bool(given["variables"])
    if len(words) != (1 if alone else 2):
        raise UsageError("write MODEL FORMULA, or only FORMULA with --statement or --variables")
    return (None if alone else words[0]), words[-1]
