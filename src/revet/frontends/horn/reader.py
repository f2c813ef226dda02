"""Reads a script in SMT-LIB's HORN logic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, reduce

from revet.collector import without_collector
from revet.errors import Position, Unsupported
from revet.frontends.horn.clauses import ClauseReader, NotHorn
from revet.logic import build as b
from revet.logic.sexpr import Mark, Source
from revet.logic.smtlib_read import Reader
from revet.logic.sorts import BOOL, Sort
from revet.logic.terms import FunctionSymbol, Term
from revet.model.horn import HornClause, HornSystem


class _HornReader(Reader):
    """Every declared name is a predicate."""

    _asked = False

    def command(self, name: str, mark: Mark) -> bool:
        if name == "assert" and self._asked:
            raise self.tokens.unsupported("several questions: an assertion after check-sat", mark)
        more = super().command(name, mark)
        self._asked = self._asked or name == "check-sat"
        if name == "set-logic" and self.script.logic not in ("HORN", "ALL"):
            what = f"the logic is {self.script.logic}; of SMT-LIB scripts Revet reads those in the logic HORN"
            raise self.tokens.error(what, mark)
        return more

    def declared(self, name: str, domain: list[Sort], range_: Sort) -> None:
        if range_ is not BOOL:
            raise self.tokens.unsupported(
                f"{name} is not a predicate: in the logic HORN only functions to Bool are declared"
            )
        self.add_function(FunctionSymbol(name, domain, range_))


class _OpenReader(_HornReader):
    """Divisions by zero are variables without a name in the script, another one for each dividend."""

    def __init__(self, source: Source) -> None:
        self._count = 0
        super().__init__(source)

    def _division(self, operator: Callable[..., Term]) -> Callable[..., Term]:
        def divide(left: Term, right: Term) -> Term:
            quotient = operator(left, right)
            self._count += 1
            anything = b.var(f"division|{self._count}", quotient.sort)  # no name has a bar
            return b.ite(b.eq(right, b.const(0, right.sort)), anything, quotient)

        return lambda *args: reduce(divide, args) if len(args) > 1 else operator(*args)


class HornScript:
    """A script: the assertions as they were written, and the clauses they are."""

    def __init__(self, text: str, file: str, name: str) -> None:
        self._text = text
        self._reader = _HornReader(Source(text, file))
        with without_collector():
            self._reader.run()
            self._split(name)

    def _split(self, name: str) -> None:
        script = self._reader.script
        self.assertions: Sequence[Term] = script.assertions
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
    def open_assertions(self) -> Sequence[Term]:
        """The assertions with free variables in the place of divisions by zero, which may give anything."""
        if not self._reader.divides_by_zero:
            return self.assertions
        reader = _OpenReader(Source(self._text, self._reader.tokens.source.file))
        reader.run()
        return reader.script.assertions

    @cached_property
    def _positions(self) -> list[Position]:
        return self._reader.tokens.positions(self._reader.script.places)

    def position(self, number: int) -> Position:
        """Where the assertion with this number (from 1) begins."""
        return self._positions[number - 1]
