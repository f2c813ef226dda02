"""Reads a script in SMT-LIB's HORN logic."""

from __future__ import annotations

from functools import cached_property

from revet.collector import without_collector
from revet.errors import InputError, Position, Unsupported
from revet.frontends.horn.clauses import ClauseReader, NotHorn
from revet.logic.sexpr import Source
from revet.logic.smtlib_read import Reader
from revet.logic.sorts import BOOL, Sort
from revet.logic.terms import FunctionSymbol, Term
from revet.model.horn import HornClause, HornSystem


class _HornReader(Reader):
    """Every declared name is a predicate."""

    def declared(self, name: str, domain: list[Sort], range_: Sort) -> None:
        if range_ is not BOOL:
            raise self.tokens.unsupported(
                f"{name} is not a predicate: in the logic HORN only functions to Bool are declared"
            )
        self.add_function(FunctionSymbol(name, domain, range_))


class HornScript:
    """A script: the assertions as they were written, and the clauses they are."""

    def __init__(self, text: str, file: str, name: str) -> None:
        self._reader = _HornReader(Source(text, file))
        with without_collector():
            self._reader.run()
            self._split(file, name)

    def _split(self, file: str, name: str) -> None:
        script = self._reader.script
        if script.logic not in ("HORN", "ALL", None):
            raise InputError(
                f"{file}: the logic is {script.logic}; of SMT-LIB scripts Revet reads those in the logic HORN"
            )
        self.assertions: list[Term] = script.assertions
        predicates = tuple(script.functions.values())
        split = ClauseReader()
        clauses: list[HornClause] = []
        for number, assertion in enumerate(self.assertions, 1):
            try:
                clauses += split.clauses(assertion, number)
            except NotHorn as reason:
                error = self._reader.tokens.error(f"not a Horn clause: {reason}", script.places[number - 1])
                raise Unsupported(error.message, error.position, error.source_line) from None
        self.system = HornSystem(predicates, tuple(clauses), name)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What SMT-LIB leaves open and an answer takes as settled."""
        sorts = [sort.name for sort in self._reader.declared_sorts]
        if not sorts:
            return self._reader.assumptions
        endless = f"there is no end of elements of {', '.join(sorts)}: SMT-LIB leaves open how many there are"
        return (*self._reader.assumptions, endless)

    @cached_property
    def _positions(self) -> list[Position]:
        return self._reader.tokens.positions(self._reader.script.places)

    def position(self, number: int) -> Position:
        """Where the assertion with this number (from 1) begins."""
        return self._positions[number - 1]
