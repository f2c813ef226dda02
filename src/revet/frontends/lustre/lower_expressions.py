"""Lowering of expressions: what a stream is at an instant, as terms over inputs and memories."""

from __future__ import annotations

from abc import abstractmethod

from revet.frontends.lustre import core
from revet.frontends.lustre.lower_context import Context, Instance
from revet.frontends.lustre.lower_functions import OpenFunctions
from revet.frontends.lustre.operators import operator_term
from revet.frontends.lustre.pushing import pushed_once, uses_bound
from revet.frontends.lustre.shapes import (
    Table,
    Value,
    choice,
    entry,
    is_code,
    scalar_constant,
    select,
    terms,
    zero,
)
from revet.frontends.lustre.types import INT, REAL, ArrayOf, Datatype, Type, plain
from revet.logic import build as b
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.walk import free_vars


class Lowered(OpenFunctions):
    """``sources`` says which terms hold a value that the program leaves open, by place."""

    def __init__(self, program: core.Program) -> None:
        super().__init__(program)
        self.parameters: dict[str, Value] = {}
        self.sources: dict[tuple[object, ...], tuple[bool, Value]] = {}  # (at the first instant only, value)
        self.warnings: dict[str, None] = {}
        self._values: dict[tuple[core.Expr, Context], Value] = {}
        self._memories: dict[tuple[object, Context], Value] = {}
        self._first_users: dict[tuple[object, Context], core.Expr] = {}
        self._pending: list[tuple[Value, core.Expr, Context]] = []

    @abstractmethod
    def stream(self, instance: Instance, name: str, path: tuple[int, ...] = ()) -> Value: ...

    @abstractmethod
    def smaller(self, expr: core.Decrease, context: Context) -> Term: ...

    @abstractmethod
    def call_output(self, expr: core.Output, context: Context) -> Value: ...

    def value(self, expr: core.Expr, context: Context) -> Value:
        key = (expr, context)
        found = self._values.get(key)
        if found is None:
            latched = isinstance(expr, (core.Output, core.Free, core.Pre))
            if context.outside is not None and latched and not uses_bound(expr):
                context = context.outside if not context.guarded else context.outside.as_guarded()
            found = self._expression(expr, context)
            if not isinstance(expr, (core.Var, core.Bound)):
                self._values[key] = found
        return found

    def _expression(self, expr: core.Expr, context: Context) -> Value:
        match expr:
            case core.Const(value=value, type=type_):
                return scalar_constant(value, type_)
            case core.Var(name=name):
                special = context.special(name)
                return special if special is not None else self.stream(context.instance, name)
            case core.Bound(name=name):
                return context.environment[name]
            case core.Op(operator=("=" | "<>") as operator, arguments=(left, right)):
                same = self._equality(left, right, context)
                return same if operator == "=" else b.not_(same)
            case core.Op(operator="/" | "div" | "mod", arguments=(left, right)) if left.type in (INT, REAL):
                return self._division(expr, self.term(left, context), self.term(right, context), context)
            case core.Op(arguments=arguments):
                return operator_term(expr, [self.term(a, context) for a in arguments])
            case core.If():
                return self._if(expr, (), context)
            case core.Pre():
                return self._pre(expr, context)
            case core.Arrow():
                return self._arrow(expr, (), context)
            case core.Output():
                return self.call_output(expr, context)
            case core.Base(argument=argument):
                return self.value(argument, context.instance.context)
            case core.Global(name=name):
                return self._parameter(expr)
            case core.Free():
                return self._free(expr, context)
            case core.Choice():
                return self._choose(expr, context)
            case core.Decrease():
                return self.smaller(expr, context)
            case core.Ascribed():
                self._ascribe(expr, context)
                return self.value(expr.argument, context)
        return self._structure(expr, context)

    def _structure(self, expr: core.Expr, context: Context) -> Value:
        match expr:
            case core.Make():
                return self._make(expr, context)
            case core.Project(argument=argument, index=index):
                whole = self.value(argument, context)
                assert isinstance(whole, tuple)
                return whole[index]
            case core.PutPart(argument=argument, index=index, value=part):
                whole = self.value(argument, context)
                assert isinstance(whole, tuple)
                return (*whole[:index], self.value(part, context), *whole[index + 1 :])
            case core.Test(argument=argument, constructor=number):
                return self._tag(argument, number, context)
            case core.Select():
                return self._select(expr, context)
            case core.At():
                return self.item(expr, context)
            case core.Put():
                return self.put(expr, context)
            case core.ArrayDef():
                return self.array_definition(expr, context)
            case core.Fill():
                return self.filled(expr, context)
            case core.Empty():
                return self.empty(expr, context)
            case core.In():
                return self.member(expr, context)
            case core.SetOp():
                return self.set_operation(expr, context)
            case core.Join():
                return self.joined(expr, context)
            case core.Slice():
                return self.sliced(expr, context)
            case core.Quantify():
                return self.quantifier(expr, context)
        raise AssertionError(f"not an expression: {expr}")

    def _equality(self, left: core.Expr, right: core.Expr, context: Context) -> Term:
        x, y = self.value(left, context), self.value(right, context)
        return self.box(self.equal(left.type, x, y, context), context)

    def _division(self, expr: core.Op, dividend: Term, divisor: Term, context: Context) -> Value:
        """By zero: any value, the same for the same dividend."""
        zero_ = b.eq(divisor, b.const(0, divisor.sort))
        usual = operator_term(expr, [dividend, divisor])
        if zero_ is b.FALSE:
            return usual
        arguments = [(expr.type, dividend)]
        return choice(zero_, self.applied(f"{expr.operator} by zero", arguments, expr.type, context), usual)

    # -- elements of arrays, one by one

    def at_path(self, expr: core.Expr, path: tuple[int, ...], context: Context) -> Value:
        """The element at a path of numbers; only what is needed for it is looked at."""
        if not path:
            return self.value(expr, context)
        match expr:
            case core.Var(name=name) if context.special(name) is None:
                return self.stream(context.instance, name, path)
            case core.ArrayDef(type=type_, variable=variable, body=body):
                assert isinstance(type_, ArrayOf)
                if isinstance(self.length(type_, context), int):
                    return self.at_path(body, path[1:], context.with_index(variable.name, path[0]))
            case core.If():
                return self._if(expr, path, context)
            case core.Arrow():
                return self._arrow(expr, path, context)
            case core.Base(argument=argument):
                return self.at_path(argument, path, context.instance.context)
            case core.Make(items=items, type=ArrayOf()) if path[0] < len(items):
                return self.at_path(items[path[0]], path[1:], context)
            case core.Fill(argument=argument):
                return self.at_path(argument, path[1:], context)
            case core.At(argument=inner, index=index) if isinstance(array := plain(inner.type), ArrayOf):
                term, size = self.term(index, context), self.length(array, context)
                if term.is_const and isinstance(size, int) and 0 <= term.number < size:
                    return self.at_path(inner, (term.number, *path), context)
        return descend(self.value(expr, context), path)

    def _if(self, expr: core.If, path: tuple[int, ...], context: Context) -> Value:
        condition = self.term(expr.condition, context)
        if condition.is_const:
            taken, other = expr.then, expr.otherwise
            if condition is b.FALSE:
                taken, other = other, taken
            if not context.bindings and not expr.lazy:  # calls in there have obligations
                self.at_path(other, path, context)
            return self.at_path(taken, path, context)
        yes = no = context
        if expr.lazy:
            yes = context.branch((expr.condition, True), condition, self.first_of)
            no = context.branch((expr.condition, False), b.not_(condition), self.first_of)
        then, otherwise = self.at_path(expr.then, path, yes), self.at_path(expr.otherwise, path, no)
        if isinstance(then, Table) is not isinstance(otherwise, Table) and not path:
            type_ = expr.type
            then, otherwise = self.fit(then, type_, context), self.fit(otherwise, type_, context)
        return choice(condition, then, otherwise)

    def _arrow(self, expr: core.Arrow, path: tuple[int, ...], context: Context) -> Value:
        first = context.first
        left = self.at_path(expr.left, path, context)
        right = self.at_path(expr.right, path, context.as_guarded())
        if isinstance(left, Table) is not isinstance(right, Table) and not path:
            left, right = self.fit(left, expr.type, context), self.fit(right, expr.type, context)
        return choice(first, left, right)

    # -- memory

    def first_of(self, context: Context) -> Term:
        """Is this the first active instant of a context with a clock of its own?"""
        if context.bound:
            raise self.unsupported("'->' or 'pre' in a lazy branch inside a quantifier",
                                   context.instance.node.position)
        flag = self.state("first", BOOL)
        self.init.append(flag)
        now = b.or_(context.reset, flag)
        self.updates[flag] = b.and_(now, b.not_(context.clock))
        return now

    def memory(self, key: object, name: str, type_: Type, context: Context) -> Value:
        """State variables for a value of the last active instant."""
        found = self._memories.get((key, context))
        if found is None:
            found = self.make(f"pre.{context.instance.prefix}{name}", type_, context, self.state)
            self._memories[key, context] = found
            self.init.append(self.valid(type_, found, context))
        return found

    def remember(self, memory: Value, value: Value, context: Context) -> None:
        """Write a memory at the active instants."""
        for variable, term in zip(terms(memory), terms(value), strict=True):
            self.updates[variable] = b.ite(context.clock, term, variable)

    def _pre(self, expr: core.Pre, context: Context) -> Value:
        argument = expr.argument
        if context.bound and uses_bound(argument):
            return self.value(pushed_once(expr, self.program), context)
        if context.bound and not free_vars(context.clock).isdisjoint(context.bound):
            message = "'pre' where the variable of a quantifier decides on the clock"
            raise self.unsupported(message, expr.position)
        root = context.root
        key: object = argument.name if isinstance(argument, core.Var) else argument
        new = (key, root) not in self._memories
        name = argument.name if isinstance(argument, core.Var) else f"line{argument.position.line}"
        memory = self.memory(key, name, argument.type, root)
        if new:
            self._pending.append((memory, argument, root))
        if context.guarded:
            return memory
        return self._unguarded(expr, key, memory, root)

    def _unguarded(self, expr: core.Pre, key: object, memory: Value, context: Context) -> Value:
        """At the first instant, every occurrence may be anything: the first one takes what the memory
        begins with, others an input of their own."""
        site = ("pre", context.instance.path, expr, context.bindings, context.instance.top)
        text = f"{expr.position}: this pre has no value at the first instant: any value is taken there"
        self.warnings[text] = None
        user = self._first_users.setdefault((key, context), expr)
        if user is expr and context.reset is b.FALSE:
            self.sources[site] = (True, memory)
            return memory
        if context.bound:
            raise self.unsupported("a 'pre' without '->' inside a quantifier", expr.position)
        oracle = self.fresh("any.pre", expr.type, context)
        self.give(self.valid(expr.type, oracle, context), context)
        self.sources[site] = (False, oracle)
        return choice(context.first, oracle, memory)

    # -- open values

    def _parameter(self, expr: core.Global) -> Value:
        found = self.parameters.get(expr.name)
        if found is None:
            raise AssertionError(f"parameter {expr.name}")
        return found

    def _free(self, expr: core.Free, context: Context) -> Value:
        if context.bound:
            raise self.unsupported("'any' inside a quantifier", expr.position)
        found = self.fresh(f"{context.instance.prefix}any.{expr.position.line}", expr.type, context)
        site = ("any", context.instance.path, expr, context.bindings, context.instance.top)
        self.sources[site] = (False, found)
        self._constrain(expr.name, expr.constraints, expr.type, found, context)
        return found

    def _constrain(
        self, name: str, constraints: list[core.Expr], type_: Type, value: Value, context: Context
    ) -> None:
        self.give(self.valid(type_, value, context), context)
        context.instance.specials[name, context.bindings] = value
        for constraint in constraints:
            self.give(self.term(constraint, context.root), context)

    def _choose(self, expr: core.Choice, context: Context) -> Value:
        arguments = [(part.type, self.value(part, context)) for part in expr.captured]
        found = self.applied(expr.function, arguments, expr.type, context)
        self._constrain(expr.name, expr.constraints, expr.type, found, context)
        return found

    def _ascribe(self, expr: core.Ascribed, context: Context) -> None:
        for clause in expr.clauses:
            name = f"type at {expr.position.line}:{expr.position.column}"
            self.owe(name, self.term(clause, context), context, expr.position, clause, expr)

    # -- datatypes

    def _make(self, expr: core.Make, context: Context) -> Value:
        items = tuple(self.value(item, context) for item in expr.items)
        type_ = plain(expr.type)
        if not isinstance(type_, Datatype):
            return items
        if is_code(type_):
            code, facts = self.code_of(type_, expr.constructor, items)
            self.give(facts, context)
            return code
        fields: list[Value] = []
        for number, constructor in enumerate(type_.constructors):
            if number == expr.constructor:
                fields.append(items)
            else:
                fields.append(tuple(self._blank(part, context) for _, part in constructor.fields))
        return (b.integer(expr.constructor), *fields)

    def _blank(self, type_: Type, context: Context) -> Value:
        try:
            return zero(type_)
        except KeyError:
            return self.fresh("blank!", type_, context)

    def _tag(self, argument: core.Expr, number: int, context: Context) -> Term:
        value, type_ = self.value(argument, context), plain(argument.type)
        if isinstance(value, Term) and isinstance(type_, Datatype):
            return b.eq(select(self.code_tables(type_).tag, (value,)), b.integer(number))
        assert isinstance(value, tuple) and isinstance(value[0], Term)
        return b.eq(value[0], b.integer(number))

    def _select(self, expr: core.Select, context: Context) -> Value:
        value, type_ = self.value(expr.argument, context), plain(expr.argument.type)
        assert isinstance(type_, Datatype)
        if not expr.checked:
            position, wanted = expr.position, type_.constructors[expr.constructor].name
            test = core.Test(position, expr.type, expr.argument, expr.constructor)
            tag = self._tag(expr.argument, expr.constructor, context)
            self.owe(f"{wanted} at {position.line}:{position.column}", tag, context, position, test, expr)
        if isinstance(value, Term):
            found = self.field_of(type_, expr.constructor, expr.index, value)
            self.give(self.valid(expr.type, found, context), context)
            return found
        assert isinstance(value, tuple)
        fields = value[expr.constructor + 1]
        assert isinstance(fields, tuple)
        return fields[expr.index]


def descend(value: Value, path: tuple[int, ...]) -> Value:
    for k in path:
        value = entry(value, (b.integer(k),)) if isinstance(value, Table) else value[k]
    return value
