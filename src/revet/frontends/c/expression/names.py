"""What variables of the automaton are called in the source, and what C cannot say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from revet.frontends.c.types import CType
from revet.logic.terms import Term


class NotExpressible(Exception):
    """No C expression over source variables means this."""


@dataclass(frozen=True, slots=True)
class Name:
    """``text`` is a C expression for the variable; ``type`` its type, of the elements for arrays.

    ``count`` is the number of elements of an array whose index is the SMT array's index."""

    text: str
    type: CType
    count: int | None = None


Names = Mapping[Term, Name]


def name_of(variable: Term, names: Names) -> Name:
    found = names.get(variable)
    if found is None:
        raise NotExpressible(f"{variable.name} is no variable of the source")
    return found


def element_of(array: Term, index: Term, names: Names) -> Name:
    """A select with a constant index inside the array's bounds."""
    if not array.is_var or not index.is_const or not isinstance(index.payload, int):
        raise NotExpressible("an array element whose index is not constant")
    found = name_of(array, names)
    if found.count is None or not 0 <= index.payload < found.count:
        raise NotExpressible(f"{found.text}[{index.payload}] is not known to exist")
    return Name(f"{found.text}[{index.payload}]", found.type)
