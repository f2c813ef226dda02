"""The type checker: from the syntax tree to the typed program (:mod:`.core`).

``typecheck`` looks at everything in a file, used or not, and raises an error with its place.
"""

from __future__ import annotations

from revet.errors import Position
from revet.frontends.lustre.check_expressions import Expressions
from revet.frontends.lustre.check_nodes import Nodes
from revet.frontends.lustre.check_recursion import outside_calls
from revet.frontends.lustre.check_types import Types
from revet.frontends.lustre.core import Clause, Expr, Global, Node, Program, Stream, Var
from revet.frontends.lustre.declarations import Constant, File
from revet.frontends.lustre.scopes import Scope
from revet.frontends.lustre.syntax import NamedType
from revet.frontends.lustre.types import Type, compatible, plain


class _Constants:
    """Global constants, looked at when they are first used."""

    def __init__(self, file: File, types: Types, expressions: Expressions) -> None:
        self.types = types
        self.expressions = expressions
        self.declared: dict[str, Constant] = {}
        self.found: dict[str, Expr] = {}
        self.free: dict[str, Global] = {}
        self.free_types: list[tuple[Global, Type]] = []
        self.duties: list[Clause] = []
        self._pending: list[tuple[Constant, Type, Expr]] = []
        self._open: list[str] = []
        for constant in file.constants:
            if constant.name in self.declared:
                raise types.error(f"{constant.name} is already declared", constant.position)
            self.declared[constant.name] = constant

    def value(self, name: str, at: Position) -> Expr | None:
        if name in self.found:
            return self.found[name]
        constant = self.declared.get(name)
        if constant is None:
            return None
        if name in self._open:
            raise self.types.error(f"constant {name} is defined by itself", constant.position)
        self._open.append(name)
        found = self._define(constant)
        self._open.pop()
        self.found[name] = found
        return found

    def _define(self, constant: Constant) -> Expr:
        at, scope = constant.position, Scope()
        type_ = None if constant.type is None else self.types.resolve(constant.type, scope)
        if constant.value is None:
            assert type_ is not None
            made = Global(at, plain(type_), constant.name)
            self.parameter(made, type_)
            return made
        value = self.expressions.one(constant.value, scope, None if type_ is None else plain(type_))
        if type_ is not None:
            if not compatible(type_, value.type):
                raise self.types.error(f"{constant.name} is a {plain(type_)}, its value a {value.type}", at)
            self._pending.append((constant, type_, value))
        return value

    def parameter(self, made: Global, type_: Type) -> None:
        self.free[made.name] = made
        self.free_types.append((made, type_))

    def constraints(self) -> list[Expr]:
        """What the types of the free constants say."""
        return [m for made, type_ in self.free_types for m in self.types.membership(type_, made)]

    def domains(self, file: File) -> list[tuple[Node, list[Expr]]]:
        """Refined types and free constants as nodes without inputs that return such a value, each with the
        constraints of the (other) free constants."""
        found = [
            (f"constant {made.name}", type_, made.position, [t for t in self.free_types if t[0] is not made])
            for made, type_ in self.free_types
        ]
        for one in file.types:
            if one.type is not None and not one.parameters:
                type_ = self.types.resolve(NamedType(one.position, one.name), Scope())
                found.append((f"type {one.name}", type_, one.position, self.free_types))
        return [
            (self._domain(name, type_, at), [m for free, t in others for m in self.types.membership(t, free)])
            for name, type_, at, others in found if self.types.membership(type_, Var(at, plain(type_), ""))
        ]

    def _domain(self, name: str, type_: Type, at: Position) -> Node:
        node = Node(name, at, False, True, outputs=[Stream("value", type_, at)])
        for formula in self.types.membership(type_, Var(at, plain(type_), "value")):
            node.guarantees.append(Clause("range of value", formula, at, typing=True))
        return node

    def obligations(self) -> list[Clause]:
        return [
            Clause(f"range of {constant.name}", m, constant.position)
            for constant, type_, value in self._pending for m in self.types.membership(type_, value)
        ]


def typecheck(file: File) -> Program:
    types = Types(file)
    expressions = Expressions(types)
    types.expressions = expressions
    constants = _Constants(file, types, expressions)
    expressions.constant = constants.value
    nodes = Nodes(file, expressions, constants.parameter)
    expressions.nodes = nodes
    types.check_all()
    for constant in file.constants:
        constants.value(constant.name, constant.position)
    nodes.check_all()
    instances = list(nodes.instances.values())
    marked = [node for node in instances if node.main]
    by_name = {declared.name: declared for declared in file.nodes}
    called = outside_calls(instances, nodes.called)
    uncalled = [node for node in instances if node.name in by_name and node.name not in called]
    return Program(
        file.path, instances, marked or uncalled, constants.free, constants.constraints(),
        constants.obligations(), list(dict.fromkeys(nodes.warnings)), file.texts, constants.domains(file),
    )
