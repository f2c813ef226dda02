"""Lowering: new values of a type, which terms are values of it, and equality."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from revet.errors import Position, Unsupported
from revet.frontends.lustre.core import Expr, Op, Program, Quantify
from revet.frontends.lustre.lower_context import Context, Instance, Obligation
from revet.frontends.lustre.shapes import (
    Table,
    Value,
    entry,
    has_container,
    is_code,
    key_sorts,
    lifted,
    scalar_sort,
    select,
    terms,
    zero,
    zip_terms,
)
from revet.frontends.lustre.types import (
    Abstract,
    ArrayOf,
    Datatype,
    Enum,
    MapOf,
    Record,
    SetOf,
    TupleOf,
    Type,
    parts,
    plain,
)
from revet.frontends.lustre.walk import subexpressions
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, ArraySort, Sort
from revet.logic.terms import Term
from revet.logic.walk import substitute

_LARGE = 300  # elements of an array from which on it is an array of the logic


class Values(ABC):
    """The system under construction, and what is common to all its values."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.inputs: list[Term] = []
        self.updates: dict[Term, Term] = {}
        self.init: list[Term] = []
        self.definitions: list[Term] = []  # of inputs in terms of other inputs: they exclude no run
        self.givens: dict[Instance, list[Term]] = {}
        self.trusted: dict[Instance, list[Term]] = {}  # what is shown in the checks of separate functions
        self.obligations: list[Obligation] = []
        self.codes: dict[str, list[tuple[Term, tuple[Term, ...], tuple[int, ...]]]] = {}
        self._taken: set[str] = set()
        # Only by comparing sets or maps as a whole can one see keys that are no values of their type.
        roots = [*program.constraints, *(duty.formula for duty in program.duties)]
        roots += [expr for node in program.nodes for expr in node.expressions]
        self._compares_containers = any(
            isinstance(expr, Op) and expr.operator in ("=", "<>") and has_container(expr.arguments[0].type)
            for expr in subexpressions(*roots)
        )
        # Without a quantifier over it, nobody can tell how many values an abstract type has.
        self._with_domain = {
            part
            for expr in subexpressions(*roots) if isinstance(expr, Quantify)
            for variable in expr.variables for part in parts(variable.type) if isinstance(part, Abstract)
        }
        self.domains: dict[Type, Term] = {}

    def unsupported(self, message: str, position: Position) -> Unsupported:
        return Unsupported(message, position, self.program.line(position))

    @abstractmethod
    def value(self, expr: Expr, context: Context) -> Value: ...

    def term(self, expr: Expr, context: Context) -> Term:
        found = self.value(expr, context)
        assert isinstance(found, Term)
        return found

    # -- variables

    def fresh_name(self, wanted: str) -> str:
        name, number = wanted, 1
        while name in self._taken:
            number += 1
            name = f"{wanted}.{number}"
        self._taken.add(name)
        return name

    def input(self, name: str, sort: Sort) -> Term:
        found = b.var(self.fresh_name(name), sort)
        self.inputs.append(found)
        return found

    def state(self, name: str, sort: Sort) -> Term:
        """A state variable; it keeps its value unless it is given an update."""
        found = b.var(self.fresh_name(name), sort)
        self.updates[found] = found
        return found

    def length(self, type_: ArrayOf, context: Context) -> int | Term:
        """The size of an array: a number, or a term if it is a parameter."""
        if type_.length is not None and 0 <= type_.length <= _LARGE:
            return type_.length
        size = self.term(type_.size, context.root)
        if size.is_const:
            number = max(0, size.number)
            if number <= _LARGE:
                return number
        return size

    def make(
        self, name: str, type_: Type, context: Context, variable: Callable[[str, Sort], Term],
        keys: tuple[Sort, ...] = (),
    ) -> Value:
        """A value made of variables; ``keys`` are those of the tables around it."""
        match plain(type_):
            case TupleOf(items=items):
                return tuple(
                    self.make(f"{name}[{k}]", t, context, variable, keys) for k, t in enumerate(items)
                )
            case Record(fields=fields):
                return tuple(self.make(f"{name}.{f}", t, context, variable, keys) for f, t in fields)
            case ArrayOf(element=element) as array:
                size = self.length(array, context)
                if isinstance(size, int):
                    return tuple(
                        self.make(f"{name}[{k}]", element, context, variable, keys) for k in range(size)
                    )
                return Table(self.make(name, element, context, variable, (*keys, INT)), (INT,))
            case SetOf(element=element):
                return variable(name, lifted(BOOL, (*keys, *key_sorts(element))))
            case MapOf(key=key, value=part):
                sorts = tuple(key_sorts(key))
                domain = variable(f"{name}.keys", lifted(BOOL, (*keys, *sorts)))
                return (domain, Table(self.make(name, part, context, variable, (*keys, *sorts)), sorts))
            case Datatype(constructors=constructors) as data if not is_code(data):
                return (
                    variable(f"{name}?", lifted(INT, keys)),
                    *(tuple(self.make(f"{name}.{f}", t, context, variable, keys) for f, t in c.fields)
                      for c in constructors),
                )
        return variable(name, lifted(scalar_sort(plain(type_)), keys))

    def fresh(self, name: str, type_: Type, context: Context) -> Value:
        """Any value of the type, at every instant."""
        return self.make(name, type_, context, self.input)

    # -- which terms are values

    def valid(self, type_: Type, value: Value, context: Context) -> Term:
        """That terms are a value of the plain type: an enumeration's number, say."""
        type_ = plain(type_)
        if not self.is_partial(type_):
            return b.TRUE
        match type_:
            case Enum(values=names):
                assert isinstance(value, Term)
                return b.and_(value >= 0, value < len(names))
            case Abstract():
                assert isinstance(value, Term)
                return b.select(self.domain(type_), value)
            case TupleOf(items=items):
                assert isinstance(value, tuple)
                return b.conjunction(self.valid(t, v, context) for t, v in zip(items, value, strict=True))
            case Record(fields=fields):
                assert isinstance(value, tuple)
                return b.conjunction(
                    self.valid(t, v, context) for (_, t), v in zip(fields, value, strict=True)
                )
            case ArrayOf(element=element):
                if isinstance(value, tuple):
                    return b.conjunction(self.valid(element, part, context) for part in value)
                assert isinstance(value, Table)
                index = b.var(self.fresh_name("i!"), INT)
                inside = self.in_range(index, type_, context)
                return _every(
                    (index,), b.implies(inside, self.valid(element, entry(value, (index,)), context))
                )
            case SetOf(element=element):
                assert isinstance(value, Term)
                key, key_terms = self.key("e!", element, context)
                inner = b.implies(select(value, key_terms), self.valid(element, key, context))
                return _every(key_terms, inner)
            case MapOf(key=key_type, value=part):
                assert isinstance(value, tuple) and isinstance(value[0], Term) and isinstance(value[1], Table)
                key, key_terms = self.key("k!", key_type, context)
                each = b.and_(
                    self.valid(key_type, key, context), self.valid(part, entry(value[1], key_terms), context)
                )
                return _every(key_terms, b.implies(select(value[0], key_terms), each))
            case Datatype() if is_code(type_):
                assert isinstance(value, Term)
                return self.valid_code(type_, value)
            case Datatype():
                return self._valid_data(type_, value, context)
        raise AssertionError(type_)

    @abstractmethod
    def valid_code(self, type_: Datatype, value: Term) -> Term: ...

    def domain(self, type_: Abstract) -> Term:
        """The values of an abstract type, which may be few: a set that never changes and is not empty."""
        found = self.domains.get(type_)
        if found is None:
            found = self.domains[type_] = self.state(f"values of {type_}", lifted(BOOL, (INT,)))
            self.init.append(b.select(found, self.state(f"some {type_}", INT)))
        return found

    def _valid_data(self, type_: Datatype, value: Value, context: Context) -> Term:
        assert isinstance(value, tuple) and isinstance(value[0], Term)
        tag = value[0]
        found = [tag >= 0, tag < len(type_.constructors)]
        for number, constructor in enumerate(type_.constructors):
            here = b.eq(tag, b.integer(number))
            fields = value[number + 1]
            assert isinstance(fields, tuple)
            for (_, part), field in zip(constructor.fields, fields, strict=True):
                blank = b.TRUE
                if not has_container(part):
                    blank = b.conjunction(map(b.eq, terms(field), terms(zero(part))))
                found.append(b.ite(here, self.valid(part, field, context), blank))
        return b.conjunction(found)

    def is_partial(self, type_: Type) -> bool:
        """Are there terms of the right sorts that are no value of the type?"""
        match plain(type_):
            case Enum() | Datatype():
                return True
            case Abstract() as abstract:
                return abstract in self._with_domain
            case TupleOf(items=items):
                return any(map(self.is_partial, items))
            case Record(fields=fields):
                return any(self.is_partial(part) for _, part in fields)
            case ArrayOf(element=element):
                return self.is_partial(element)
            case SetOf(element=element):
                return self._compares_containers and self.is_partial(element)
            case MapOf(key=key, value=value):
                return (self._compares_containers and self.is_partial(key)) or self.is_partial(value)
        return False

    def key(self, name: str, type_: Type, context: Context) -> tuple[Value, tuple[Term, ...]]:
        """A value of a key's type made of new variables, to be quantified over."""
        value = self.make(name, type_, context, lambda n, sort: b.var(self.fresh_name(n), sort))
        return value, tuple(terms(value))

    def in_range(self, index: Term, type_: ArrayOf, context: Context) -> Term:
        size = self.length(type_, context)
        return b.and_(index >= 0, index < size)

    # -- equality

    def equal(self, type_: Type, left: Value, right: Value, context: Context) -> Term:
        match plain(type_):
            case TupleOf(items=items):
                return self._equal_parts(items, left, right, context)
            case Record(fields=fields):
                return self._equal_parts(tuple(part for _, part in fields), left, right, context)
            case ArrayOf(element=element) as array:
                return self._equal_arrays(array, element, left, right, context)
            case MapOf(key=key_type, value=part):
                assert isinstance(left, tuple) and isinstance(right, tuple)
                assert isinstance(left[0], Term) and isinstance(right[0], Term)
                assert isinstance(left[1], Table) and isinstance(right[1], Table)
                _, keys = self.key("k!", key_type, context)
                same = self.equal(part, entry(left[1], keys), entry(right[1], keys), context)
                return b.and_(b.eq(left[0], right[0]), _every(keys, b.implies(select(left[0], keys), same)))
            case Datatype(constructors=constructors) as data if not is_code(data):
                assert isinstance(left, tuple) and isinstance(right, tuple)
                assert isinstance(left[0], Term) and isinstance(right[0], Term)
                found = [b.eq(left[0], right[0])]
                for number, c in enumerate(constructors):
                    same = self._equal_parts(
                        tuple(part for _, part in c.fields), left[number + 1], right[number + 1], context
                    )
                    found.append(b.implies(b.eq(left[0], b.integer(number)), same))
                return b.conjunction(found)
        assert isinstance(left, Term) and isinstance(right, Term)
        return b.eq(left, right)

    def _equal_parts(self, types: tuple[Type, ...], left: Value, right: Value, context: Context) -> Term:
        assert isinstance(left, tuple) and isinstance(right, tuple)
        return b.conjunction(
            self.equal(t, x, y, context) for t, x, y in zip(types, left, right, strict=True)
        )

    def _equal_arrays(
        self, type_: ArrayOf, element: Type, left: Value, right: Value, context: Context
    ) -> Term:
        if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
            return b.conjunction(self.equal(element, x, y, context) for x, y in zip(left, right, strict=True))
        x, y = (self.as_table(v, type_, context) for v in (left, right))
        index = b.var(self.fresh_name("i!"), INT)
        same = self.equal(element, entry(x, (index,)), entry(y, (index,)), context)
        return _every((index,), b.implies(self.in_range(index, type_, context), same))

    # -- arrays of numbers of elements that are, and are not, numbers

    def as_table(self, value: Value, type_: ArrayOf, context: Context) -> Table:
        if isinstance(value, Table):
            return value
        assert isinstance(value, tuple)
        self.refuse_bound(context, "an array of constant size where one of another size is expected")
        made = self.make("array!", type_.element, context, self.input, (INT,))
        for k, part in enumerate(value):
            made = zip_terms(lambda array, v, k=k: b.store(array, b.integer(k), v), made, part)
        return Table(made, (INT,))

    def fit(self, value: Value, type_: Type, context: Context) -> Value:
        """The value in the form in which the type's values are kept here."""
        type_ = plain(type_)
        if not isinstance(type_, ArrayOf) or not isinstance(value, (tuple, Table)):
            return value
        size = self.length(type_, context)
        if isinstance(size, int) and isinstance(value, Table):
            return tuple(entry(value, (b.integer(k),)) for k in range(size))
        if isinstance(size, int) and isinstance(value, tuple) and len(value) < size:
            more = self.fresh("beyond", ArrayOf(type_.element, type_.size), context)
            assert isinstance(more, tuple)
            return (*value, *more[len(value) :])
        if isinstance(size, int) and isinstance(value, tuple):
            return value[:size]
        return self.as_table(value, type_, context)

    # -- formulas with quantifiers

    def refuse_bound(self, context: Context, what: str) -> None:
        if context.bound:
            raise self.unsupported(f"{what} inside a quantifier is not supported",
                                   context.instance.node.position)

    def define(self, formula: Term, context: Context) -> None:
        """A formula that fixes new inputs, whatever else happens."""
        self.refuse_bound(context, "a value that is defined element by element")
        self.definitions.append(formula)

    def box(self, formula: Term, context: Context) -> Term:
        """A Boolean that says whether a formula holds: updates of states have no quantifiers."""
        if context.bound or not formula.quantified:
            return formula
        found = self.input("holds!", BOOL)
        self.definitions.append(b.eq(found, formula))
        return found

    def give(self, formula: Term, context: Context, trusted: bool = False) -> None:
        """What may be taken for granted at the instants of a context."""
        formula = b.implies(context.clock, formula)
        if context.bound:
            formula = _every(context.bound, b.implies(context.domain, formula))
        top = context.instance.top or context.instance
        (self.trusted if trusted else self.givens).setdefault(top, []).append(formula)

    def owe(
        self, name: str, value: Term, context: Context, position: Position, formula: Expr | None,
        site: Expr | None = None,
    ) -> None:
        value = b.implies(context.clock, value)
        if context.bound:
            value = _every(context.bound, b.implies(context.domain, value))
            context = context.instance.context
        instance = context.instance
        unfolded = instance.unfolded or (instance.node.separate and instance.top and site is not None)
        if unfolded or (value is b.TRUE and site is not None):
            return  # what an unfolded body owes is owed in the check of its function
        top = instance.top or instance
        where = None if site is None else (instance.path, site, context.bindings)
        self.obligations.append(Obligation(
            f"{instance.prefix}{name}", top, instance, self.box_value(value), position, formula, where
        ))

    def box_value(self, value: Term) -> Term:
        if not value.quantified:
            return value
        found = self.input("holds!", BOOL)
        self.definitions.append(b.eq(found, value))
        return found


def _every(variables: tuple[Term, ...], body: Term) -> Term:
    used = tuple(v for v in variables if not isinstance(v.sort, ArraySort))
    if len(used) != len(variables):
        raise AssertionError("keys are scalars")
    for v in used:
        if v.sort is BOOL:  # few enough to be written out
            body = b.and_(substitute(body, {v: b.TRUE}), substitute(body, {v: b.FALSE}))
    used = tuple(v for v in used if v.sort is not BOOL)
    return body if body is b.TRUE or not used else b.forall(used, body)
