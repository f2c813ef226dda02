"""Lowering of functions of which nothing is known but that equal arguments have equal results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from revet.frontends.lustre.core import Program
from revet.frontends.lustre.lower_containers import Containers
from revet.frontends.lustre.lower_context import Context
from revet.frontends.lustre.shapes import Value, select, terms, zip_terms
from revet.frontends.lustre.types import Type
from revet.logic import build as b
from revet.logic.sorts import ArraySort

_COMPARED = 20  # applications of a function that are compared with each other

Argument = tuple[Type, Value]


@dataclass(frozen=True)
class Application:
    """What a function yields for arguments that are no keys of a table."""

    arguments: tuple[Argument, ...]
    result: Value


class OpenFunctions(Containers):
    """``functions``: tables that never change, by name. ``applications``: of functions of sets, maps or
    arrays of unknown size, which have no table. Each of them is any value, but results at the same instant
    are equal where the arguments are; that they are at different instants is left open, so runs are
    confirmed only where the results are those of one function (:mod:`.trace_oracle`)."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.functions: dict[str, Value] = {}
        self.applications: dict[str, list[Application]] = {}

    def applied(self, name: str, arguments: Sequence[Argument], type_: Type, context: Context) -> Value:
        keys = [term for _, value in arguments for term in terms(value)]
        if any(isinstance(key.sort, ArraySort) for key in keys):
            return self._without_table(name, tuple(arguments), type_, context)
        table = self.functions.get(name)
        if table is None:
            sorts = tuple(key.sort for key in keys)
            table = self.make(name, type_, context, lambda n, s: self.state(n, s), sorts)
            self.functions[name] = table
        return zip_terms(lambda array: select(array, keys), table)

    def _without_table(
        self, name: str, arguments: tuple[Argument, ...], type_: Type, context: Context
    ) -> Value:
        self.refuse_bound(context, "a function without a body of sets, maps or arrays of unknown size")
        found = self.fresh(name, type_, context)
        known = self.applications.setdefault(name, [])
        for other in known[-_COMPARED:]:
            same = b.conjunction(
                self.equal(part, left, right, context)
                for (part, left), (_, right) in zip(arguments, other.arguments, strict=True)
            )
            self.definitions.append(b.implies(same, self.equal(type_, found, other.result, context)))
        known.append(Application(arguments, found))
        return found
