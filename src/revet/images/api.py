"""``revet.post``, ``revet.pre``, ``revet.wp`` and ``revet.abstract``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.api import as_program
from revet.budget import Budget
from revet.errors import UsageError
from revet.images.abstraction import Abstraction, AbstractReachability, predicates_of
from revet.images.reading import statement_automaton
from revet.images.space import Space

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from revet.images.space import StateSet


def post(formula: str, model: Any = None, *, times: int = 1, **given: Any) -> StateSet:
    """The states after one step (or ``times`` steps) from the formula's states.

    ``model`` is what :func:`revet.check` takes, ``edge`` (a name such as ``"l1 -> l2"``, a number, or
    several) the step; without ``edge`` every edge is one. Or ``statement`` gives the step itself
    ("x := x + 1") and ``variables`` the sorts of its variables ("b: bool"; others are integers).
    ``timeout`` is in seconds.
    """
    return _images("post", formula, model, times, **given)


def pre(formula: str, model: Any = None, *, times: int = 1, **given: Any) -> StateSet:
    """The states from which some step leads into the formula's states; parameters as for :func:`post`."""
    return _images("pre", formula, model, times, **given)


def wp(formula: str, model: Any = None, *, times: int = 1, **given: Any) -> StateSet:
    """The states from which every step leads into the formula's states (also those without a step);
    parameters as for :func:`post`."""
    return _images("wp", formula, model, times, **given)


def abstract(formula: str, model: Any = None, *, predicates: str, **given: Any) -> Abstraction:
    """The predicates ("at l1, y >= z") that hold in all states of the formula, and their conjunction."""
    space = space_of(model, formula=f"{formula} {predicates}", **given)
    return Abstraction.of(space, space.read(formula), predicates_of(space, predicates))


def abstract_reachability(model: Any, *, predicates: str, **given: Any) -> AbstractReachability:
    """Abstract post images from the initial states until nothing is new."""
    space = space_of(model, **given)
    return AbstractReachability(space, predicates_of(space, predicates))


def _images(
    kind: str, formula: str, model: Any, times: int, edge: str | Sequence[str] = (), **given: Any
) -> StateSet:
    space = space_of(model, formula=formula, **given)
    edges = space.edges([edge] if isinstance(edge, str) else edge)
    states = space.read(formula)
    for _ in range(times):
        states = getattr(space, kind)(states, edges)
    return states


def space_of(
    model: Any = None,
    *,
    formula: str = "",
    statement: str | None = None,
    variables: str = "",
    timeout: float | None = None,
    **language_options: Any,
) -> Space:
    """The states of a model, or of the variables of a statement."""
    if (model is None) == (statement is None) and not (model is None and variables):
        raise UsageError("give a model or a statement (or, for predicates alone, variables)")
    if model is not None and variables:
        raise UsageError("variables are declared for a statement; a model has its own")
    if model is None:
        subject: Any = statement_automaton(statement or "skip", formula, variables)
    else:
        subject = as_program(model, language_options).model
    return Space(subject, Budget(timeout))
