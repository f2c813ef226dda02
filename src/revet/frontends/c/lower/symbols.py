"""Variables of the automaton: their names, sorts, and what they stand for in the source.

Globals keep their name, locals are ``function::name``; a structure's parts are ``s.field``, an
unfolded array's ``a[2]``. Two variables of one name in one function differ by ``#2``; the copies
for deeper activations of a recursive function by ``^1``, ``^2``, …. A non-recursive function has
one set of variables however often it is inlined, because it is active at most once at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.lower import floating
from revet.frontends.c.lower.arithmetic import Arithmetic
from revet.frontends.c.types import CType, DataModel, Floating, Function, Int, Pointer
from revet.logic import build as b
from revet.logic.sorts import Array as ArraySort
from revet.logic.sorts import Sort
from revet.logic.terms import Term

Key = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a variable of the automaton is in the source.

    ``expression`` is C text valid in ``function`` (None: anywhere), or None for temporaries.
    """

    type: CType
    function: str | None
    expression: str | None
    variable: ast.Variable | None = None
    position: Position | None = None
    array: bool = False
    depth: int = 0

    @property
    def is_global(self) -> bool:
        """Is there one of it for the whole run, not one for each activation of a function?"""
        return self.function is None or (self.variable is not None and self.variable.lives_forever)


class Symbols:
    def __init__(self, arithmetic: Arithmetic, model: DataModel, unbounded: bool = False) -> None:
        """``unbounded``: addresses are mathematical integers, as large as it takes to keep objects apart; the
        type of addresses is the one in which programs see them as integers."""
        self.arithmetic = arithmetic
        self.model = model
        self.unbounded = unbounded
        self.address_type = Int(64 if unbounded else model.pointer_size * 8, False, name="address")
        self.meanings: dict[Term, Meaning] = {}
        self._leaves: dict[tuple[ast.Variable, int, Key, bool], Term] = {}
        self._stems: dict[tuple[ast.Variable, int], str] = {}
        self._taken: dict[str, int] = {}  # names, and how many were made from each
        self._temporaries: dict[tuple[object, int, str], Term] = {}

    def sort(self, type: CType) -> Sort:
        if isinstance(type, Floating):
            return floating.sort_of(type)
        return self.arithmetic.sort(self.integer_type(type))

    def integer_type(self, type: CType) -> Int:
        """The integer type whose values represent a scalar (pointers are addresses)."""
        if isinstance(type, Int):
            return type
        assert isinstance(type, Pointer | Function), type
        return self.address_type

    @property
    def index_sort(self) -> Sort:
        return self.arithmetic.sort(self.address_type)

    def leaf(
        self, variable: ast.Variable, depth: int, key: Key, type: CType, arrayed: bool = False
    ) -> Term:
        """The automaton's variable for a scalar part (or, ``arrayed``, for all such parts)."""
        found = self._leaves.get((variable, depth, key, arrayed))
        if found is None:
            path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in key)
            name = self._stem(variable, depth) + path
            named = not variable.made and not any(str(step).startswith("$") for step in key)
            text = variable.name + _shown(key) if named else None
            meaning = Meaning(
                type, variable.function, text, variable, variable.position, arrayed, depth
            )
            found = self._declare(name, type, meaning, arrayed)
            self._leaves[(variable, depth, key, arrayed)] = found
        return found

    def _stem(self, variable: ast.Variable, depth: int) -> str:
        stem = self._stems.get((variable, depth))
        if stem is None:
            scope = f"{variable.function}::" if variable.function else ""
            base = f"{scope}{variable.name}" + (f"^{depth}" if depth else "")
            stem = self._unused(base)
            self._stems[(variable, depth)] = stem
        return stem

    def _unused(self, base: str) -> str:
        count = self._taken.get(base, 0) + 1
        self._taken[base] = count
        if count == 1:
            return base
        return self._unused(f"{base}#{count}")

    def _declare(self, name: str, type: CType, meaning: Meaning, arrayed: bool) -> Term:
        sort = self.sort(type)
        variable = b.var(name, ArraySort(self.index_sort, sort) if arrayed else sort)
        self.meanings[variable] = meaning
        if not arrayed and not isinstance(type, Floating):
            integer = self.integer_type(type)
            if not (self.unbounded and integer is self.address_type):
                self.arithmetic.declare(variable, integer)
        return variable

    def temporary(self, owner: object, depth: int, function: str, stem: str, type: CType) -> Term:
        """A variable of our own, one for each syntax node and activation."""
        found = self._temporaries.get((owner, depth, stem))
        if found is None:
            base = f"{function}::${stem}" + (f"^{depth}" if depth else "")
            name = self._unused(base)
            found = self._declare(name, type, Meaning(type, function, None), False)
            self._temporaries[(owner, depth, stem)] = found
        return found

    def own_array(self, name: str, index: Sort, type: CType) -> Term:
        """An array of our own (a memory region)."""
        found = b.var(name, ArraySort(index, self.sort(type)))
        self.meanings.setdefault(found, Meaning(type, None, None, array=True))
        return found

    def own(self, name: str, type: CType) -> Term:
        """A scalar of our own, global."""
        found = b.var(name, self.sort(type))
        if found not in self.meanings:
            self._declare(name, type, Meaning(type, None, None), False)
        return found


def _shown(key: Key) -> str:
    """The path to a part in C, where the steps into unnamed records are not written."""
    return "".join(
        f"[{step}]" if isinstance(step, int) else f".{step}" for step in key if not str(step).startswith("#")
    )
