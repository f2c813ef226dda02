"""Two instances of one module, as a designer names them: ``ref.state`` and ``uut.state``.

Who compares a design with a changed copy of itself puts both into one model, and front ends keep the path of
instances in names. Names prove nothing: they say where to look.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def twins(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of names that differ in their first part only, the first one of each pair being the one that
    comes first; a third instance is paired with the first one, too."""
    first: dict[str, str] = {}
    found = []
    for name in names:
        instance, dot, rest = name.partition(".")
        if not (instance and dot and rest):
            continue
        other = first.setdefault(rest, name)
        if other != name:
            found.append((other, name))
    return found
