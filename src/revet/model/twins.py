"""A design beside a copy of itself, as designers and tools name them.

Who compares a design with a changed copy puts both into one model, and front ends keep the names: two
instances of one module (``ref.state`` and ``uut.state``), or registers with the endings that Yosys gives them
when it prepares an equivalence check (``state_gold`` and ``state_gate``). Names prove nothing: they say where
to look.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_ENDING = re.compile(r"(.+)_(?:gold|gate)((?:\[\d+\])*)")


def twins(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of names of the same thing in two copies, that which comes first being the first of a pair; a
    third copy is paired with the first one, too. Instances of a row (``fifo[3].head``) are no such copies."""
    first: dict[str, str] = {}
    found = []
    for name in names:
        what = _within(name)
        other = name if what is None else first.setdefault(what, name)
        if other != name:
            found.append((other, name))
    return found


def _within(name: str) -> str | None:
    """What a name is called in each copy."""
    ending = _ENDING.fullmatch(name)
    if ending:
        return f"{ending[1]} {ending[2]}"
    instance, dot, rest = name.partition(".")
    return rest if instance and dot and rest and not instance.endswith("]") else None
