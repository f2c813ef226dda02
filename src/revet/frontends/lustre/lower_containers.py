"""Lowering of arrays, sets, maps and quantifiers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from revet.frontends.lustre import core
from revet.frontends.lustre.lower_codes import Codes
from revet.frontends.lustre.lower_context import Context
from revet.frontends.lustre.shapes import (
    Table,
    Value,
    changed,
    choice,
    constant,
    contains,
    entry,
    key_sorts,
    select,
    store,
    terms,
)
from revet.frontends.lustre.types import BOOL, INT, ArrayOf, Enum, MapOf, SetOf, plain
from revet.frontends.lustre.walk import bounds, guards, subexpressions
from revet.logic import build as b
from revet.logic.sorts import INT as INT_SORT
from revet.logic.terms import Term

_EXPANDED = 64  # values of a quantified variable up to which a quantifier is written out


class Containers(Codes):
    def __init__(self, program: core.Program) -> None:
        super().__init__(program)
        self.beyond: dict[tuple[object, ...], Table] = {}
        self.empty_values: dict[tuple[object, ...], Value] = {}

    @abstractmethod
    def at_path(self, expr: core.Expr, path: tuple[int, ...], context: Context) -> Value: ...

    # -- arrays

    def array_item(self, expr: core.At, context: Context) -> Value:
        index = self.term(expr.index, context)
        type_ = plain(expr.argument.type)
        assert isinstance(type_, ArrayOf)
        size = self.length(type_, context)
        if isinstance(size, int) and index.is_const:
            k = index.number
            if 0 <= k < size:
                return self.at_path(expr.argument, (k,), context)
            return entry(self.junk(expr.argument, type_, context), (index,))
        value = self.value(expr.argument, context)
        if isinstance(value, Table):
            return entry(value, (index,))
        assert isinstance(value, tuple)
        inside = self.in_range(index, type_, context)
        if not value:
            return entry(self.junk(expr.argument, type_, context), (index,))
        found = value[-1]
        if not self._surely_inside(expr.index, len(value)):
            found = choice(inside, found, entry(self.junk(expr.argument, type_, context), (index,)))
        for k in reversed(range(len(value) - 1)):
            found = choice(b.eq(index, b.integer(k)), value[k], found)
        return found

    def _surely_inside(self, index: core.Expr, size: int) -> bool:
        return False

    def junk(self, expr: core.Expr, type_: ArrayOf, context: Context) -> Table:
        """What an array has beyond its bounds: anything, but the same for every look at it."""
        if isinstance(expr, core.If):
            condition = self.term(expr.condition, context)
            left, right = self.junk(expr.then, type_, context), self.junk(expr.otherwise, type_, context)
            found = choice(condition, left, right)
            assert isinstance(found, Table)
            return found
        instance = context.instance
        key: tuple[object, ...] = (instance.path, expr, context.bindings)
        name = "beyond"
        if isinstance(expr, core.Var) and context.special(expr.name) is None:
            key, name = (instance.path, expr.name), f"beyond {instance.prefix}{expr.name}"
        key = (instance.top or instance, *key)
        if key not in self.beyond:
            self.beyond[key] = Table(
                self.make(name, type_.element, context, self.input, (INT_SORT,)), (INT_SORT,)
            )
        return self.beyond[key]

    def array_definition(self, expr: core.ArrayDef, context: Context) -> Value:
        type_ = plain(expr.type)
        assert isinstance(type_, ArrayOf)
        size = self.length(type_, context)
        if isinstance(size, int):
            return tuple(
                self.value(expr.body, context.with_index(expr.variable.name, k)) for k in range(size)
            )
        self.refuse_bound(context, "the definition of an array")
        made = self.make("array!", type_.element, context, self.input, (INT_SORT,))
        return self.fill_definition(expr, Table(made, (INT_SORT,)), context)

    def fill_definition(self, expr: core.ArrayDef, table: Table, context: Context) -> Table:
        """Say what the elements of a new array of unknown size are."""
        indices: list[Term] = []
        part: Value = table
        body: core.Expr = expr
        inner = context
        while isinstance(body, core.ArrayDef) and isinstance(part, Table):
            type_ = plain(body.type)
            assert isinstance(type_, ArrayOf)
            index = b.var(self.fresh_name("i!"), INT_SORT)
            inside = self.in_range(index, type_, context)
            inner = inner.quantified({body.variable.name: index}, (index,), inside)
            indices.append(index)
            part, body = entry(part, (index,)), body.body
        value = self.fit(self.value(body, inner), body.type, inner)
        same = self.equal(body.type, part, value, inner)
        self.definitions.append(b.forall(tuple(indices), b.implies(inner.domain, same)))
        return table

    def filled(self, expr: core.Fill, context: Context) -> Value:
        type_ = plain(expr.type)
        assert isinstance(type_, ArrayOf)
        element = self.value(expr.argument, context)
        size = self.length(type_, context)
        if isinstance(size, int):
            return (element,) * size
        self.refuse_bound(context, "an array of unknown size")
        table = Table(self.make("array!", type_.element, context, self.input, (INT_SORT,)), (INT_SORT,))
        index = b.var(self.fresh_name("i!"), INT_SORT)
        same = self.equal(type_.element, entry(table, (index,)), element, context)
        self.definitions.append(
            b.forall((index,), b.implies(self.in_range(index, type_, context), same))
        )
        return table

    def joined(self, expr: core.Join, context: Context) -> Value:
        left, right = self.value(expr.left, context), self.value(expr.right, context)
        if not isinstance(left, tuple) or not isinstance(right, tuple):
            raise self.unsupported(
                "'|' of arrays whose sizes are not numbers is not supported", expr.position
            )
        return (*left, *right)

    def sliced(self, expr: core.Slice, context: Context) -> Value:
        value, type_ = self.value(expr.argument, context), plain(expr.type)
        assert isinstance(type_, ArrayOf) and type_.length is not None
        if isinstance(value, Table):
            return tuple(entry(value, (b.integer(expr.low + k),)) for k in range(type_.length))
        assert isinstance(value, tuple)
        return value[expr.low : expr.low + type_.length]

    # -- sets and maps

    def item(self, expr: core.At, context: Context) -> Value:
        if isinstance(plain(expr.argument.type), ArrayOf):
            return self.array_item(expr, context)
        value = self.value(expr.argument, context)
        assert isinstance(value, tuple) and isinstance(value[1], Table)
        return entry(value[1], tuple(terms(self.value(expr.index, context))))

    def empty(self, expr: core.Empty, context: Context) -> Value:
        match plain(expr.type):
            case SetOf(element=element):
                return constant(b.FALSE, key_sorts(element))
            case MapOf(key=key, value=part):
                sorts = tuple(key_sorts(key))
                site = (context.instance, expr, context.bindings)
                if site not in self.empty_values:
                    self.empty_values[site] = self.make("nothing!", part, context, self.input, sorts)
                return (constant(b.FALSE, sorts), Table(self.empty_values[site], sorts))
        raise AssertionError(expr)

    def put(self, expr: core.Put, context: Context) -> Value:
        whole, type_ = self.value(expr.argument, context), plain(expr.type)
        if isinstance(type_, ArrayOf):
            return self._put_element(expr, type_, whole, context)
        keys = tuple(terms(self.value(expr.index, context)))
        if isinstance(type_, SetOf):
            assert isinstance(whole, Term)
            return store(whole, keys, b.TRUE)
        assert isinstance(whole, tuple) and isinstance(whole[0], Term) and isinstance(whole[1], Table)
        assert isinstance(type_, MapOf)
        value = self.fit(self.value(expr.value, context), type_.value, context)
        return (store(whole[0], keys, b.TRUE), changed(whole[1], keys, value))

    def _put_element(self, expr: core.Put, type_: ArrayOf, whole: Value, context: Context) -> Value:
        index = self.term(expr.index, context)
        value = self.fit(self.value(expr.value, context), type_.element, context)
        if isinstance(whole, Table):
            return changed(whole, (index,), value)
        assert isinstance(whole, tuple)
        return tuple(choice(b.eq(index, b.integer(k)), value, part) for k, part in enumerate(whole))

    def member(self, expr: core.In, context: Context) -> Term:
        container = expr.container
        if isinstance(container, core.SetOp):
            left = self.member(core.In(expr.position, BOOL, expr.element, container.left), context)
            right = self.member(core.In(expr.position, BOOL, expr.element, container.right), context)
            return {"+": b.or_, "*": b.and_, "-": lambda x, y: b.and_(x, b.not_(y))}[container.operator](
                left, right
            )
        value = self.value(container, context)
        keys = tuple(terms(self.value(expr.element, context)))
        domain = value[0] if isinstance(value, tuple) else value
        assert isinstance(domain, Term)
        return contains(domain, keys)

    def set_operation(self, expr: core.SetOp, context: Context) -> Value:
        type_ = plain(expr.type)
        assert isinstance(type_, (SetOf, MapOf))
        left = self.value(expr.left, context)
        domain, rest = (left[0], left[1:]) if isinstance(left, tuple) else (left, ())
        literal = list(_elements(expr.right))
        if literal and expr.operator in ("+", "-"):
            mark = b.boolean(expr.operator == "+")
            for element in reversed(literal):
                assert isinstance(domain, Term)
                domain = store(domain, tuple(terms(self.value(element, context))), mark)
            return (domain, *rest) if rest else domain
        self.refuse_bound(context, "an operation on sets")
        _, keys = self.key("e!", type_.key, context)
        right = self.value(expr.right, context)
        assert isinstance(domain, Term) and isinstance(right, Term)
        made = self.input("set!", domain.sort)
        x, y = select(domain, keys), select(right, keys)
        both = {"+": b.or_(x, y), "*": b.and_(x, y), "-": b.and_(x, b.not_(y))}[expr.operator]
        self.definitions.append(b.forall(keys, b.eq(select(made, keys), both)))
        return (made, *rest) if rest else made

    # -- quantifiers

    def quantifier(self, expr: core.Quantify, context: Context) -> Term:
        for position, variable in enumerate(expr.variables):
            values = self._few(variable, expr, context)
            if values is not None:
                rest = expr.variables[:position] + expr.variables[position + 1 :]
                found = [
                    self._instance(expr, rest, variable, value, context) for value in values
                ]
                return b.conjunction(found) if expr.universal else b.disjunction(found)
        environment: dict[str, Value] = {}
        bound: list[Term] = []
        domains: list[Term] = []
        for variable in expr.variables:
            value, key_terms = self.key(variable.name.split("~")[0] + "!", variable.type, context)
            environment[variable.name] = value
            bound += key_terms
            domains.append(self.valid(variable.type, value, context))
        domain = b.conjunction(domains)
        inner = context.quantified(environment, tuple(bound), domain)
        body = self.term(expr.body, inner)
        if expr.universal:
            formula = b.implies(domain, body)
            found_term = b.forall(tuple(bound), formula) if bound and formula is not b.TRUE else formula
        else:
            formula = b.and_(domain, body)
            found_term = b.exists(tuple(bound), formula) if bound and formula is not b.FALSE else formula
        return self.box(found_term, context)

    def _instance(
        self, expr: core.Quantify, rest: tuple[core.Bound, ...], variable: core.Bound, value: int,
        context: Context,
    ) -> Term:
        inner = context.with_index(variable.name, value)
        if variable.type == BOOL:
            inner = context.with_index(f"{variable.name}", value)
            inner.environment[variable.name] = b.boolean(bool(value))
        if not rest:
            return self.term(expr.body, inner)
        return self.quantifier(core.Quantify(expr.position, BOOL, expr.universal, rest, expr.body), inner)

    def _few(self, variable: core.Bound, expr: core.Quantify, context: Context) -> range | None:
        """The values of a variable, if they are few."""
        if variable.type == BOOL:
            return range(2)
        if isinstance(variable.type, Enum):
            return range(len(variable.type.values))
        if variable.type != INT:
            return None
        low = high = None
        inner = {v.name for v in expr.variables}
        for test in guards(expr.body, expr.universal):
            bound = bounds(test, variable)
            if bound is None or _uses(bound[1], inner):
                continue
            limit = self.value(bound[1], context)
            if not isinstance(limit, Term) or not limit.is_const:
                continue
            number = limit.number
            if bound[0] == "low":
                low = number + bound[2] if low is None else max(low, number + bound[2])
            else:
                high = number + bound[2] if high is None else min(high, number + bound[2])
        if low is None or high is None or high - low >= _EXPANDED:
            return None
        return range(low, high + 1)


def _uses(expr: core.Expr, names: set[str]) -> bool:
    return any(isinstance(part, core.Bound) and part.name in names for part in subexpressions(expr))


def _elements(expr: core.Expr) -> Iterator[core.Expr]:
    """The elements of a set literal; nothing if it is not one."""
    found = []
    while isinstance(expr, core.Put) and isinstance(plain(expr.type), SetOf):
        found.append(expr.index)
        expr = expr.argument
    if isinstance(expr, core.Empty):
        yield from found
