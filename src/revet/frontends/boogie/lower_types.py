"""Boogie's types as sorts, and the names that its variables have in the automaton.

A map of several indices is a map of maps (equality means the same for both). A type of the user's
own becomes the integers: programs without quantifiers can only compare its elements, so a run over
elements of any kind is a run over as many integers, and the other way round. For the same reason its
``unique`` constants can be *given* numbers, 0, 1, …: any other run is one of these with the elements
renamed. (Quantifiers over such types are never interpreted; see :mod:`lower_formulas`.)
"""

from __future__ import annotations

from collections.abc import Iterable

from revet.errors import Position
from revet.frontends.boogie import syntax as s
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, REAL, Array, ArraySort, BitVec, Sort
from revet.logic.terms import Term
from revet.model.names import RESERVED


def sort_of(type: s.Type, program: s.Program, at: Position) -> Sort:
    """Raises Unsupported for types of which the logic has no values."""
    if type is s.BOOL:
        return BOOL
    if type is s.INT:
        return INT
    if type is s.REAL:
        return REAL
    match type:
        case s.BitVectorType(width=width) if width > 0:
            return BitVec(width)
        case s.NamedType():
            return INT
        case s.MapType(domain=domain, range=range_):
            sort = sort_of(range_, program, at)
            for index in reversed(domain):
                of_index = sort_of(index, program, at)
                if isinstance(of_index, ArraySort):
                    raise program.unsupported(f"a map that is indexed by maps is not supported: {type}", at)
                sort = Array(of_index, sort)
            return sort
    raise program.unsupported(f"the type {type} is not supported", at)


class Names:
    """Names of variables in the automaton: the source's, made different where they are not."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self.variables: list[Term] = []

    def variable(self, stem: str, sort: Sort) -> Term:
        """A new variable; ``stem`` loses the characters that Revet keeps for itself."""
        for mark in RESERVED:
            stem = stem.replace(mark, "_")
        name, number = stem, 1
        while name in self._taken:
            number += 1
            name = f"{stem}#{number}"
        self._taken.add(name)
        self.variables.append(b.var(name, sort))
        return self.variables[-1]


def numbered(constants: Iterable[s.Variable]) -> dict[s.Variable, int]:
    """The numbers of unique constants of the user's own types."""
    counts: dict[s.Type, int] = {}
    found: dict[s.Variable, int] = {}
    for constant in constants:
        if constant.unique and isinstance(constant.type, s.NamedType):
            found[constant] = counts.get(constant.type, 0)
            counts[constant.type] = found[constant] + 1
    return found
