"""The fields of a certificate as plain data: written by one function, read back with checks by another.

Every kind of certificate (:mod:`revet.result.certificate`) has one codec: ``fields(term)`` gives lists,
dictionaries, numbers and texts, with ``term`` applied to the formulas, and ``read(fields)`` makes the
certificate again. Files write formulas as SMT-LIB, worker processes as numbers in a table of terms; that
is the only difference between the two. What does not fit is an :class:`InputError` that says what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    from revet.logic.terms import Term
    from revet.model.cfa import Cfa, Location
    from revet.model.circuit import Circuit
    from revet.model.horn import HornSystem
    from revet.model.kind import Model
    from revet.model.procedures import Procedures
    from revet.model.system import TransitionSystem

    Scope: TypeAlias = Callable[[], Iterable[Term]]
    ReadTerm: TypeAlias = Callable[[object, Scope, str], Term]

_ALWAYS = ("revet", "kind", "model", "comment")


class Fields:
    """``record`` about ``model``. ``term(data, scope, what)`` reads a term over the variables that
    ``scope()`` gives; ``procedures`` makes the program's other model, if it has one; ``file`` is where
    the record was read."""

    def __init__(
        self, record: Mapping[str, Any], model: Model, term: ReadTerm,
        procedures: Callable[[], Procedures] | None = None, file: str = "",
    ) -> None:
        self.record = record
        self.model = model
        self._term = term
        self._file = file
        self._procedures = procedures
        self._places: dict[str, Location] | None = None

    def require_keys(self, *allowed: str) -> None:
        """Nothing but these (and what every file has) may be there."""
        for key in self.record:
            if key not in (*_ALWAYS, *allowed):
                raise InputError(f"{shown(key)} is unknown here; allowed are: {', '.join(allowed)}")

    def number(self, key: str, default: int | None = None) -> int:
        """A natural number; without a default it must be there."""
        if default is None and key not in self.record:
            raise InputError(f'"{key}" is missing')
        value = self.record.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise InputError(f"{shown(key)} must be a natural number, not {shown(value)}")
        return value

    def flag(self, key: str) -> bool:
        value = self.record.get(key, False)
        if not isinstance(value, bool):
            raise InputError(f"{shown(key)} must be true or false, not {shown(value)}")
        return value

    def listed(self, key: str, what: str) -> list[Any]:
        value = self.record.get(key)
        if not isinstance(value, list | tuple):
            raise InputError(f'"{key}" must be {what}')
        return list(value)

    def table(self, key: str, what: str) -> dict[str, Any]:
        value = self.record.get(key)
        if not isinstance(value, dict):
            raise InputError(f'"{key}" must be an object: {what}')
        return value

    def term(self, data: object, scope: Scope, what: str) -> Term:
        """A term over the variables of ``scope()``; ``what`` it is, for messages."""
        return self._term(data, scope, f"{self._file}: {what}")

    def formula(self, data: object, scope: Scope, what: str) -> Term:
        """A Boolean term."""
        from revet.logic.sorts import BOOL
        from revet.position import Position

        formula = self.term(data, scope, what)
        if formula.sort is not BOOL:
            wrong = f"not a formula, but a term of sort {formula.sort}"
            raise InputError(wrong, Position(f"{self._file}: {what}", 1, 1), str(data))
        return formula

    def location(self, name: object) -> Location:
        """The automaton's location of this name."""
        if self._places is None:
            known = self.automaton("locations belong to automata").locations
            self._places = {place.name: place for place in known}
        if not isinstance(name, str) or name not in self._places:
            raise InputError(f"there is no location {shown(name)}; there are: {_some(self._places)}")
        return self._places[name]

    def clauses(self, otherwise: str) -> HornSystem:
        from revet.model.horn import HornSystem

        if not isinstance(self.model, HornSystem):
            raise InputError(otherwise)
        return self.model

    def automaton(self, otherwise: str) -> Cfa:
        """The automaton; linear Horn clauses as one."""
        cfa = self.model.as_automaton()
        if cfa is None:
            raise InputError(otherwise)
        return cfa

    def circuit(self, otherwise: str) -> Circuit:
        from revet.model.circuit import Circuit

        if not isinstance(self.model, Circuit):
            raise InputError(otherwise)
        return self.model

    def system(self, otherwise: str) -> TransitionSystem:
        """The transition system; a circuit as one."""
        system = self.model.as_system()
        if system is None:
            raise InputError(otherwise)
        return system

    def everything(self) -> Iterable[Term]:
        """All variables of all procedures, and their values at entry: the checker looks at the scopes."""
        if self._procedures is None:
            raise InputError('"contracts" are for programs with recursive procedures')
        program = self._procedures()
        names: dict[Term, None] = dict.fromkeys(program.globals)
        for one in program.procedures.values():
            names.update(dict.fromkeys((*one.cfa.variables, *program.entry_copies(one).values())))
        return names


def shown(value: object) -> str:
    """As in JSON, for messages."""
    import json

    return json.dumps(value)


def _some(names: Iterable[str], limit: int = 12) -> str:
    listed = list(names)
    return ", ".join(listed[:limit]) + (", …" if len(listed) > limit else "")
