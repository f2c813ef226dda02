"""Lowering of datatypes that contain themselves: a value is an integer, its code.

Tables that never change say what a code stands for: ``T?`` its constructor, ``T.f`` the code or value of
a field, ``T!C`` the code of a constructor's application, ``T!size`` a number that is greater than
that of its parts. What the tables must satisfy is asked of the codes that occur, not of all integers: the
finitely many values of a run have codes for which it holds, so every run of the program is a run
of the model. A run of the model is read back through the tables, and the interpreter judges it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from revet.errors import Position
from revet.frontends.lustre.core import Program
from revet.frontends.lustre.lower_context import Context
from revet.frontends.lustre.lower_values import Values
from revet.frontends.lustre.shapes import Table as Family
from revet.frontends.lustre.shapes import Value, entry, is_code, lifted, select, terms
from revet.frontends.lustre.types import ArrayOf, Datatype, MapOf, Record, TupleOf, Type, parts, plain
from revet.logic import build as b
from revet.logic.arrays import array_sort
from revet.logic.sorts import INT
from revet.logic.terms import Term


@dataclass(eq=False)
class CodeTables:
    type: Datatype
    tag: Term
    size: Term
    fields: list[list[Value]]  # of each constructor, with terms that are arrays over codes
    made: list[Term]  # of each constructor, an array over the terms of its fields


class Codes(Values):
    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.tables: dict[str, CodeTables] = {}

    def code_tables(self, type_: Datatype, context: Context | None = None) -> CodeTables:
        name = str(type_)
        found = self.tables.get(name)
        if found is None:
            inside = list(parts(type_))
            if any(isinstance(p, MapOf) or (isinstance(p, ArrayOf) and p.length is None) for p in inside):
                at = Position(self.program.path, 1, 1) if context is None else context.instance.node.position
                what = "contains itself and maps, or arrays of unknown size"
                raise self.unsupported(f"{name}, which {what}, is not supported", at)
            found = self.tables[name] = CodeTables(
                type_, self.state(f"{name}?", lifted(INT, (INT,))),
                self.state(f"{name}!size", lifted(INT, (INT,))), [], [],
            )
            for constructor in type_.constructors:
                fields = [
                    self.make(f"{name}.{field}", part, context, self.state, (INT,))  # type: ignore[arg-type]
                    for field, part in constructor.fields
                ]
                sorts = [array_sort(term).element for field in fields for term in terms(field)]
                found.made.append(self.state(f"{name}!{constructor.name}", lifted(INT, sorts)))
                found.fields.append(fields)
        return found

    def code_of(self, type_: Datatype, constructor: int, fields: tuple[Value, ...]) -> tuple[Term, Term]:
        """The code of a constructor's application, and what is known about it."""
        tables = self.code_tables(type_)
        parts = [term for field in fields for term in terms(field)]
        code = select(tables.made[constructor], parts)
        facts = [b.eq(select(tables.tag, (code,)), b.integer(constructor))]
        for table, field in zip(tables.fields[constructor], fields, strict=True):
            facts += map(b.eq, terms(entry(Family(table, (INT,)), (code,))), terms(field))
        facts += self._smaller(tables, constructor, code, fields)
        return code, b.conjunction(facts)

    def field_of(self, type_: Datatype, constructor: int, index: int, code: Term) -> Value:
        table = self.code_tables(type_).fields[constructor][index]
        return entry(Family(table, (INT,)), (code,))

    def _smaller(
        self, tables: CodeTables, constructor: int, code: Term, fields: tuple[Value, ...]
    ) -> list[Term]:
        size = select(tables.size, (code,))
        found = [size >= 0]
        declared = tables.type.constructors[constructor].fields
        for (_, part), field in zip(declared, fields, strict=True):
            for type_, inner in _codes(part, field):
                part_size = select(self.code_tables(type_).size, (inner,))
                found += [part_size < size, part_size >= 0]
        return found

    def valid_code(self, type_: Datatype, value: Term) -> Term:
        """The code is that of its constructor's application to its fields."""
        tables = self.code_tables(type_)
        tag = select(tables.tag, (value,))
        found = [tag >= 0, tag < len(type_.constructors)]
        for number in range(len(type_.constructors)):
            fields = tuple(self.field_of(type_, number, k, value) for k in range(len(tables.fields[number])))
            code, facts = self.code_of(type_, number, fields)
            found.append(b.implies(b.eq(tag, b.integer(number)), b.and_(b.eq(code, value), facts)))
        return b.conjunction(found)


def _codes(type_: Type, value: Value) -> Iterator[tuple[Datatype, Term]]:
    """The codes in a value, also in tuples, records and arrays."""
    match plain(type_):
        case Datatype() as data if is_code(data):
            assert isinstance(value, Term)
            yield data, value
        case TupleOf(items=items) if isinstance(value, tuple):
            for part, inner in zip(items, value, strict=True):
                yield from _codes(part, inner)
        case Record(fields=fields) if isinstance(value, tuple):
            for (_, part), inner in zip(fields, value, strict=True):
                yield from _codes(part, inner)
        case ArrayOf(element=element) if isinstance(value, tuple):
            for inner in value:
                yield from _codes(element, inner)
