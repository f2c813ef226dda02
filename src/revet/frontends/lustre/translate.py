"""Lustre to a transition system: one step of the system is one instant of the main node.

State variables are the memories: one for every ``pre`` (its argument's value at the last
instant; any value before the first one), one flag ``first`` for ``->``, and one Boolean per
property that records its value at the last instant. Everything else is a function of the
memories and of the instant's inputs, so the state stays small and steps are functional.

Node calls are instantiated. A stream that depends on itself within an instant is an error that
names the streams on the cycle.
"""

from __future__ import annotations

from fractions import Fraction

from revet.errors import InputError
from revet.frontends.lustre.obligations import environment, owed
from revet.frontends.lustre.operators import binary_term, unary_term
from revet.frontends.lustre.syntax import (
    Binary,
    Call,
    Expr,
    IfThenElse,
    Literal,
    Name,
    Node,
    Property,
    Tuple,
    Unary,
)
from revet.frontends.lustre.types import Type, Typing
from revet.logic import build as b
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.model.relation import Relation
from revet.model.system import TransitionSystem

Key = tuple["Instance", Expr]


class Instance:
    """A node at one place in the call tree; ``path`` prefixes the names of its streams."""

    def __init__(self, node: Node, path: str, caller: Instance | None, call: Call | None) -> None:
        self.node = node
        self.path = path
        self.caller = caller
        self.call = call
        self.definitions: dict[str, tuple[Expr, int]] = {}
        for equation in node.equations:
            for position, name in enumerate(equation.names):
                self.definitions[name.name] = (equation.value, position)
        self.inputs = {declaration.name: n for n, declaration in enumerate(node.inputs)}
        self.children: dict[Expr, Instance] = {}
        self._names: dict[str, Name] = {}
        self._counts: dict[Node, int] = {}

    def count(self, callee: Node) -> int:
        """How many calls of a node have been counted before this one."""
        number = self._counts.get(callee, 0)
        self._counts[callee] = number + 1
        return number

    def one_name(self, name: Name) -> Name:
        """One syntax node to stand for all uses of a variable."""
        return self._names.setdefault(name.name, name)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that lead here from the main node."""
        found: list[Call] = []
        instance: Instance | None = self
        while instance is not None and instance.call is not None:
            found.append(instance.call)
            instance = instance.caller
        return tuple(reversed(found))

    def stream(self, name: str) -> str:
        return f"{self.path}{name}"


class Translator:
    """Translates the main node of a checked file."""

    def __init__(self, typing: Typing, main: Node) -> None:
        self.typing = typing
        self.main = Instance(main, "", None, None)
        self.first = b.var("first", BOOL)
        self.inputs: dict[str, Term] = {}
        self.memories: dict[Key, tuple[Term, ...]] = {}  # of each ``pre``
        self._pending: list[tuple[Key, Expr | None]] = []
        self._streams: dict[tuple[Instance, str], Term] = {}
        self._values: dict[Key, tuple[Term, ...]] = {}
        self._open: dict[tuple[Instance, str], None] = {}  # the streams being computed, outermost first
        self._instances = [self.main]
        self.obligations: dict[str, tuple[Instance, Property]] = {}
        self.free: dict[tuple[Instance, str], Term] = {}  # outputs of imported nodes
        self._ranges: list[Term] = []
        self._taken: set[str] = {"first"}
        self._asked = 0  # of the instances, how many have been asked for their assertions

    # -- the system

    def system(self) -> TransitionSystem:
        node = self.main.node
        scope = self.typing.variables[node]
        for declaration in node.inputs:
            self.inputs[declaration.name] = self._any(declaration.name, scope[declaration.name])
        for clause in (*node.properties, *node.guarantees):
            self.obligations[clause.name] = (self.main, clause)
        for declaration in (*node.outputs, *node.locals):  # every equation is looked at
            self._stream(self.main, declaration.name)
        updates: dict[Term, Term] = {}
        asserts = self._complete(updates)
        values: dict[str, Term] = {}
        while missing := [name for name in self.obligations if name not in values]:
            for name in missing:
                instance, clause = self.obligations[name]
                values[name] = self._one(instance, clause.formula)
            asserts += self._complete(updates)
        updates[self.first] = b.FALSE
        flags = {name: b.var(self._fresh_name(f"ok.{name}"), BOOL) for name in values}
        updates.update({flags[name]: value for name, value in values.items()})
        step = Relation(
            b.and_(*self._ranges, *asserts),
            {x: value for x, value in updates.items() if value is not x},
            (*self.inputs.values(), *self.free.values()),
        )
        return TransitionSystem(
            variables=tuple(updates),
            init=b.and_(self.first, *flags.values()),
            step=step,
            properties=dict(flags),
            name=node.name,
            positions={name: clause.position for name, (_, clause) in self.obligations.items()},
        )

    def _complete(self, updates: dict[Term, Term]) -> list[Term]:
        """Give every memory its update, which may bring new memories and instances."""
        asserts: list[Term] = []
        while self._pending or self._asked < len(self._instances):
            while self._asked < len(self._instances):
                instance = self._instances[self._asked]
                self._asked += 1
                # also what no output needs: a call in there has obligations, and assertions count
                node = instance.node
                for declaration in (*node.inputs, *node.outputs, *node.locals):
                    self._stream(instance, declaration.name)
                taken = environment(instance.node, instance is self.main)
                asserts += [self._one(instance, formula) for formula in taken]
                if instance is not self.main:
                    self._oblige(instance)
            while self._pending:
                (instance, argument), clock = self._pending.pop()
                values = self._tuple(instance, argument)
                memories = self.memories[instance, argument]
                if clock is not None:
                    values = self._choice(self._one(instance, clock), values, memories)
                updates.update(zip(memories, values, strict=True))
        return asserts

    def _oblige(self, instance: Instance) -> None:
        """The caller owes the assumptions, a node with a body its guarantees."""
        for clause in owed(instance.node):
            name, number = f"{instance.path}{clause.name}", 1
            while name in self.obligations:
                number += 1
                name = f"{instance.path}{clause.name} ({number})"
            self.obligations[name] = (instance, clause)

    def _any(self, name: str, type_: Type) -> Term:
        """An input of the system: any value of the type."""
        variable = b.var(self._fresh_name(name), type_.sort)
        self._ranges.append(_in_range(variable, type_))
        return variable

    def _fresh_name(self, wanted: str) -> str:
        name, number = wanted, 1
        while name in self._taken:
            number += 1
            name = f"{wanted}.{number}"
        self._taken.add(name)
        return name

    # -- streams and expressions

    def _stream(self, instance: Instance, name: str) -> Term:
        key = (instance, name)
        found = self._streams.get(key)
        if found is not None:
            return found
        if key in self._open:
            self._refuse_loop(key)
        self._open[key] = None
        if name in instance.inputs:
            found = self._argument(instance, name)
        elif name in instance.definitions:
            value, position = instance.definitions[name]
            found = self._tuple(instance, value)[position]
        else:
            found = self._any(instance.stream(name), self.typing.variables[instance.node][name])
            self.free[instance, name] = found
        del self._open[key]
        self._streams[key] = found
        return found

    def _argument(self, instance: Instance, name: str) -> Term:
        if instance.caller is None or instance.call is None:
            return self.inputs[name]
        wanted = instance.inputs[name]
        for argument in instance.call.arguments:
            width = len(self.typing.of[argument])
            if wanted < width:
                return self._tuple(instance.caller, argument)[wanted]
            wanted -= width
        raise AssertionError("the type checker counted the arguments")

    def _refuse_loop(self, key: tuple[Instance, str]) -> None:
        path = list(self._open)
        cycle = [*path[path.index(key) :], key]
        names = " -> ".join(instance.stream(name) for instance, name in cycle)
        value = key[0].definitions.get(key[1])
        position = value[0].position if value else key[0].node.position
        raise InputError(
            f"a stream depends on itself within one instant: {names} (put a pre on the cycle)",
            position,
            self.typing.file.line(position),
        )

    def _one(self, instance: Instance, expr: Expr) -> Term:
        return self._tuple(instance, expr)[0]

    def _tuple(self, instance: Instance, expr: Expr) -> tuple[Term, ...]:
        if isinstance(expr, Name):
            return (self._name(instance, expr.name),)
        key = (instance, expr)
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = self._expression(instance, expr)
        return found

    def _name(self, instance: Instance, name: str) -> Term:
        if name in self.typing.variables[instance.node]:
            return self._stream(instance, name)
        local = self.typing.local_constants[instance.node].get(name)
        constant = local or self.typing.constants.get(name)
        if constant is not None:
            return self._one(instance, constant[1])
        return b.integer(self.typing.enumerators[name][1])

    def _expression(self, instance: Instance, expr: Expr) -> tuple[Term, ...]:
        match expr:
            case Literal(text=text):
                return (literal_term(text),)
            case Unary(operator="pre", argument=argument):
                return self._pre(instance, argument)
            case Unary(operator=operator, argument=argument):
                type_ = self.typing.type_of(argument)
                return (unary_term(operator, self._one(instance, argument), type_),)
            case Binary(operator="->", left=left, right=right):
                return self._choice(self.first, self._tuple(instance, left), self._tuple(instance, right))
            case Binary(operator="fby", left=left, right=right):
                return self._choice(self.first, self._tuple(instance, left), self._pre(instance, right))
            case Binary(operator="pre~", left=left, right=right):
                return self._pre(instance, left, right)
            case Binary(operator=operator, left=left, right=right):
                type_ = self.typing.type_of(left)
                return (binary_term(operator, self._one(instance, left), self._one(instance, right), type_),)
            case IfThenElse(condition=condition, then=then, otherwise=otherwise):
                return self._choice(
                    self._one(instance, condition),
                    self._tuple(instance, then),
                    self._tuple(instance, otherwise),
                )
            case Call(node="#", arguments=arguments):
                return (_at_most_one([self._one(instance, a) for a in arguments]),)
            case Call():
                return self._call(instance, expr)
            case Tuple(items=items):
                return tuple(term for item in items for term in self._tuple(instance, item))
        raise AssertionError(f"not an expression: {expr}")

    @staticmethod
    def _choice(condition: Term, then: tuple[Term, ...], otherwise: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(b.ite(condition, left, right) for left, right in zip(then, otherwise, strict=True))

    def _pre(self, instance: Instance, argument: Expr, clock: Expr | None = None) -> tuple[Term, ...]:
        """The memories of an argument; two ``pre x`` of one variable share theirs.

        They are written when the clock holds; all of one instance have the same one.
        """
        if isinstance(argument, Name):
            argument = instance.one_name(argument)
        key = (instance, argument)
        found = self.memories.get(key)
        if found is None:
            label = argument.name if isinstance(argument, Name) else f"line{argument.position.line}"
            found = tuple(
                b.var(self._fresh_name(f"pre.{instance.stream(label)}"), type_.sort)
                for type_ in self.typing.of[argument]
            )
            self.memories[key] = found
            self._pending.append((key, clock))
        return found

    def _call(self, instance: Instance, call: Call) -> tuple[Term, ...]:
        child = instance.children.get(call)
        if child is None:
            callee = self.typing.nodes[call.node]
            number = instance.count(callee)
            suffix = f"[{number}]" if number else ""
            child = Instance(callee, f"{instance.path}{callee.name}{suffix}.", instance, call)
            instance.children[call] = child
            self._instances.append(child)
        return tuple(self._stream(child, declaration.name) for declaration in child.node.outputs)


def literal_term(text: str) -> Term:
    if text in ("true", "false"):
        return b.boolean(text == "true")
    return b.integer(int(text)) if text.isdigit() else b.real(Fraction(text.rstrip(".")))


def _in_range(variable: Term, type_: Type) -> Term:
    if type_.names:
        return b.and_(variable >= 0, variable < len(type_.names))
    if type_.low is not None and type_.high is not None:
        return b.and_(variable >= type_.low, variable <= type_.high)
    return b.TRUE


def _at_most_one(terms: list[Term]) -> Term:
    pairs = [(x, y) for position, x in enumerate(terms) for y in terms[position + 1 :]]
    return b.conjunction(b.not_(b.and_(x, y)) for x, y in pairs)
