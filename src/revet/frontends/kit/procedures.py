"""From one flow graph to a model with procedures: what is reached from an entry belongs to it.

A front end lowers ``main`` and every recursive procedure into one collection of edges, with calls of
the recursive ones recorded instead of inlined; :func:`split` makes a :class:`Procedures` of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from revet.logic.terms import TRUE, Term
from revet.logic.walk import free_vars, free_vars_of
from revet.model.cfa import Cfa, Edge, Location
from revet.model.procedures import Call, Procedure, Procedures
from revet.model.statements import Assign, Assume, Havoc

Interface = Callable[[str], tuple[tuple[Term, ...], tuple[Term, ...]]]


def variables_of(edges: Iterable[Edge]) -> set[Term]:
    """What plain statements (no blocks: front ends make none) mention."""
    used: set[Term] = set()
    for edge in edges:
        for statement in edge.statements:
            match statement:
                case Assign(variable, value):
                    used.add(variable)
                    used |= free_vars(value)
                case Assume(condition):
                    used |= free_vars(condition)
                case Havoc(variable):
                    used.add(variable)
    return used


def used_in(edges: Iterable[Edge], calls: Iterable[Call]) -> set[Term]:
    """The variables that edges and calls mention."""
    return variables_of(edges) | free_vars_of(x for call in calls for x in (*call.arguments, *call.results))


def split(
    title: str, main: str, bodies: dict[str, tuple[Location, Location]], edges: Sequence[Edge],
    calls: Sequence[Call], errors: Collection[Location], variables: Sequence[Term],
    shared: Sequence[Term], interface: Interface, precondition: Term = TRUE,
) -> Procedures:
    """``bodies`` have an entry and an exit each, ``variables`` the order in which they are declared;
    ``shared`` are the globals, ``interface`` gives parameters and results (``main`` has none).

    A global that only ``main`` mentions is a variable of ``main``: contracts need not speak of it.
    """
    leaving: dict[Location, list[Edge]] = {}
    calling: dict[Location, list[Call]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    for call in calls:
        calling.setdefault(call.source, []).append(call)
    parts: dict[str, tuple[dict[Location, None], tuple[Edge, ...], tuple[Call, ...]]] = {}
    elsewhere: set[Term] = set()  # mentioned outside of main
    for name, (entry, _) in bodies.items():
        found = _reached(entry, leaving, calling)
        inside = tuple(edge for place in found for edge in leaving.get(place, ()))
        own = tuple(call for place in found for call in calling.get(place, ()))
        parts[name] = (found, inside, own)
        if name != main:
            elsewhere |= used_in(inside, own)
    shared = [x for x in shared if x in elsewhere]
    procedures = {}
    for name, (found, inside, own) in parts.items():
        entry, exit_ = bodies[name]
        parameters, results = ((), ()) if name == main else interface(name)
        start = precondition if name == main else TRUE
        local = used_in(inside, own) | {*parameters, *results} | free_vars(start)
        known = (*shared, *(x for x in variables if x in local and x not in shared))
        places = tuple(dict.fromkeys((*found, exit_)))
        cfa = Cfa(known, places, inside, entry, tuple(e for e in errors if e in found), start, name)
        procedures[name] = Procedure(name, cfa, exit_, parameters, results, own)
    return Procedures(tuple(shared), procedures, main, title)


def _reached(
    entry: Location, leaving: dict[Location, list[Edge]], calling: dict[Location, list[Call]]
) -> dict[Location, None]:
    found = {entry: None}
    stack = [entry]
    while stack:
        place = stack.pop()
        for step in (*leaving.get(place, ()), *calling.get(place, ())):
            if step.target not in found:
                found[step.target] = None
                stack.append(step.target)
    return found
