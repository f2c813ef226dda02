"""Variables derived from variables: primed copies, copies at a time step, fresh ones.

``x'`` is the next-state copy, ``x@3`` the copy at step 3. Front ends must not produce names that
contain ``'``, ``@`` or ``!``; those are ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from revet.logic.core import var
from revet.logic.sorts import Sort
from revet.logic.terms import Term

RESERVED = "'@!"

UNDEFINED = ".undefined"
"""How the name of a local ends that stands for what the source leaves undefined (not for an input)."""


def prime(variable: Term) -> Term:
    """The next-state copy of a variable."""
    return var(variable.name + "'", variable.sort)


def at(variable: Term, step: int) -> Term:
    """The copy of a variable at a time step."""
    return var(f"{variable.name}@{step}", variable.sort)


def is_plain(name: str) -> bool:
    """May a front end use this name?"""
    return bool(name) and not any(mark in name for mark in RESERVED)


def content_stem(array: Term) -> str:
    """How a variable is called that holds what an array has in a watched cell."""
    return f"{array.name}[]"


def is_content(variable: Term) -> bool:
    """Does the variable hold what an array has in a watched cell?"""
    return "[]!" in variable.name


class Fresh:
    """A supply of variables that occur nowhere else in one model."""

    def __init__(self, taken: Iterable[Term] = ()) -> None:
        self._taken = {variable.name for variable in taken}
        self._counters: dict[str, Iterator[int]] = {}

    def __call__(self, stem: str, sort: Sort) -> Term:
        from itertools import count

        stem = stem.split("!")[0]
        numbers = self._counters.setdefault(stem, count(1))
        name = next(
            candidate for n in numbers if (candidate := f"{stem}!{n}") not in self._taken
        )
        self._taken.add(name)
        return var(name, sort)
