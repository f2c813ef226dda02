"""The type checker on nodes: signatures, instances of polymorphic nodes, bodies, calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from revet.errors import Position
from revet.frontends.lustre import declarations as d
from revet.frontends.lustre import syntax as s
from revet.frontends.lustre.check_blocks import Blocks
from revet.frontends.lustre.check_causality import Causality
from revet.frontends.lustre.check_contracts import ContractChecker
from revet.frontends.lustre.check_expressions import Expressions
from revet.frontends.lustre.check_recursion import USED, find_families
from revet.frontends.lustre.check_types import unify, variables
from revet.frontends.lustre.core import Call, Clause, Const, Expr, Free, Global, Node, Op, Output, Stream, Var
from revet.frontends.lustre.fold import substituted
from revet.frontends.lustre.scopes import Scope
from revet.frontends.lustre.types import BOOL, Abstract, ArrayOf, Record, TupleOf, Type, compatible, plain


class Nodes:
    def __init__(
        self, file: d.File, expressions: Expressions, parameter: Callable[[Global, Type], None]
    ) -> None:
        self.file = file
        self.expressions = expressions
        self.types = expressions.types
        self.parameter = parameter
        self.causality = Causality(self.types.error)
        self.declared: dict[str, d.Node] = {}
        self.contracts: dict[str, d.ContractNode] = {}
        self.instances: dict[tuple[str, tuple[Type, ...]], Node] = {}
        self.called: set[str] = set()
        self.warnings: list[str] = []
        self._open: list[str] = []
        self._building: dict[tuple[str, tuple[Type, ...]], Node] = {}
        for node in file.nodes:
            if node.name in self.declared:
                raise self.types.error(f"two nodes are called {node.name}", node.position)
            if node.opaque and node.contract is None:
                raise self.types.error(f"{node.name} is opaque and has no contract", node.position)
            if node.transparent and node.imported:
                raise self.types.error(f"{node.name} is transparent and has no body", node.position)
            self.declared[node.name] = node
        for contract in file.contracts:
            if contract.name in self.contracts:
                raise self.types.error(f"two contracts are called {contract.name}", contract.position)
            self.contracts[contract.name] = contract

    def check_all(self) -> None:
        """Look at every node and contract, also at those that nobody uses."""
        for contract in self.file.contracts:
            self._standalone(contract)
        for declared in self.file.nodes:
            if not declared.parameters:
                self.instance(declared, ())
        for declared in self.file.nodes:
            if declared.parameters and declared.name not in self.called:
                self.instance(declared, tuple(Abstract(p) for p in declared.parameters))
        find_families(list(self.instances.values()), self.types.error)

    def instance(self, declared: d.Node, arguments: tuple[Type, ...]) -> Node:
        key = (declared.name, arguments)
        if key in self.instances:
            return self.instances[key]
        if key in self._building and declared.recursive:
            return self._building[key]
        if declared.name in self._open:
            raise self.types.error(f"node {declared.name} calls itself", declared.position)
        name = declared.name
        if arguments and not all(isinstance(a, Abstract) for a in arguments):
            name = f"{declared.name}<{'; '.join(map(str, arguments))}>"
        node = Node(name, declared.position, declared.function, declared.imported, declared.main)
        node.recursive, node.lemma = declared.recursive, declared.lemma
        node.opaque = declared.opaque and not (declared.recursive or declared.imported)
        node.transparent = declared.transparent
        self._building[key] = node
        self._open.append(declared.name)
        _NodeChecker(self, declared, node, dict(zip(declared.parameters, arguments, strict=True))).run()
        self._open.pop()
        del self._building[key]
        self.instances[key] = node
        return node

    def _standalone(self, contract: d.ContractNode) -> None:
        """A contract node, checked as the contract of an imported node."""
        declared = d.Node(
            contract.name, contract.position, contract.parameters, contract.inputs, contract.outputs,
            contract=contract.body, imported=True,
        )
        node = Node(contract.name, contract.position, False, True)
        types: dict[str, Type] = {p: Abstract(p) for p in contract.parameters}
        before = set(self.called)
        _NodeChecker(self, declared, node, types).run()
        self.called = before  # being mentioned in a contract that nobody imports is no call

    # -- calls

    def call(self, expr: s.Call, scope: Scope, clock: Expr | None) -> list[Expr]:
        declared, at = self.declared[expr.node], expr.position
        self.called.add(declared.name)
        if scope.forbidden and not declared.function:
            raise self.types.error(f"a call of node {declared.name} in {scope.forbidden}", at)
        wanted: list[Type] | None = None
        if not declared.parameters and len(expr.arguments) == len(declared.inputs):
            wanted = [plain(stream.type) for stream in self.instance(declared, ()).inputs]
        arguments = [
            value for k, argument in enumerate(expr.arguments)
            for value in self.expressions.values(argument, scope, None if wanted is None else [wanted[k]])
        ]
        if len(arguments) != len(declared.inputs):
            raise self.types.error(
                f"{declared.name} takes {len(declared.inputs)} inputs, not {len(arguments)}", at
            )
        node = self.instance(declared, self._type_arguments(declared, expr, arguments, scope))
        for stream, argument in zip(node.inputs, arguments, strict=True):
            if not compatible(stream.type, argument.type):
                raise self.types.error(
                    f"{stream.name} of {declared.name} is a {plain(stream.type)}, this is a {argument.type}",
                    argument.position,
                )
        restart = None if expr.restart is None else self.expressions.formula(expr.restart, scope)
        actual = dict(zip([stream.name for stream in node.inputs], arguments, strict=True))
        types = [_in_terms_of(plain(stream.type), actual) for stream in node.outputs]
        made = Call(node, tuple(arguments), at, clock, self._defaults(expr, types, scope), restart)
        return [Output(at, type_, made, k) for k, type_ in enumerate(types)]

    def _defaults(self, expr: s.Call, types: list[Type], scope: Scope) -> tuple[Expr, ...] | None:
        if expr.defaults is None:
            return None
        values = [v for d in expr.defaults for v in self.expressions.values(d, scope)]
        if len(values) != len(types) or not all(
            compatible(v.type, t) for v, t in zip(values, types, strict=True)
        ):
            raise self.types.error(
                f"{expr.node} returns {len(types)} streams: as many defaults of their types", expr.position
            )
        return tuple(values)

    def without_defaults(self, outputs: list[Expr], at: Position) -> list[Expr]:
        """Of an activated call: before its first activation it has any value, which it keeps until then."""
        for call in {output.call for output in outputs if isinstance(output, Output)}:
            call.defaults = tuple(Free(at, o.type, self.types.fresh("any"), []) for o in outputs)
            self.warnings.append(f"{at}: {call.node.name} has no default: any value until it is activated")
        return outputs

    def _type_arguments(
        self, declared: d.Node, expr: s.Call, arguments: list[Expr], scope: Scope
    ) -> tuple[Type, ...]:
        if len(expr.type_arguments) not in (0, len(declared.parameters)):
            raise self.types.error(f"{declared.name} takes {len(declared.parameters)} types", expr.position)
        if expr.type_arguments:
            return tuple(self.types.resolve(a, scope) for a in expr.type_arguments)
        found: dict[str, Type] = {}
        if declared.parameters:
            formal = Scope(types=variables(declared.parameters))
            for declaration, argument in zip(declared.inputs, arguments, strict=True):
                self._unify(declaration.type, argument.type, formal, found)
        if missing := [name for name in declared.parameters if f"?{name}" not in found]:
            raise self.types.error(
                f"write {declared.name}@<…>: {missing[0]} cannot be inferred", expr.position
            )
        return tuple(found[f"?{name}"] for name in declared.parameters)

    def _unify(self, written: s.TypeExpr, actual: Type, scope: Scope, found: dict[str, Type]) -> None:
        """As far as it goes: whether the types fit is checked when they are known."""
        if isinstance(written, s.RefinementType):
            self._unify(written.base, actual, scope, found)
        elif isinstance(written, s.ArrayType):
            if isinstance(actual, ArrayOf):
                self._unify(written.element, actual.element, scope, found)
        elif not isinstance(written, s.SubrangeType):
            unify(self.types.resolve(written, scope), actual, found)


def _in_terms_of(type_: Type, actual: dict[str, Expr]) -> Type:
    """A type of a node's output with sizes in terms of the call's arguments."""
    match type_:
        case ArrayOf(element=element, size=size):
            return ArrayOf(_in_terms_of(element, actual), substituted(size, actual))
        case TupleOf(items=items):
            return TupleOf(tuple(_in_terms_of(item, actual) for item in items))
        case Record(name=name, fields=fields):
            return Record(name, tuple((f, _in_terms_of(part, actual)) for f, part in fields))
    return type_


class _NodeChecker:
    """Checks one instance of one node."""

    def __init__(self, nodes: Nodes, declared: d.Node, node: Node, types: dict[str, Type]) -> None:
        self.nodes = nodes
        self.declared = declared
        self.node = node
        self.expressions = nodes.expressions
        self.types = nodes.types
        self.signature: dict[str, Expr] = {}
        self.names: dict[str, Expr] = {}
        forbidden = f"function {declared.name}" if declared.function else ""
        self.outer = Scope(self.signature, types, None, None, forbidden, self._hidden, node.name)
        self.scope = replace(self.outer, names=self.names)

    def _hidden(self, stream: Stream, value: Expr | None) -> None:
        self.node.ghosts.append(stream)
        if value is not None:
            self.node.definitions[stream.name] = value

    def run(self) -> None:
        declared, node = self.declared, self.node
        inputs = sorted(declared.inputs, key=lambda d: not d.constant)  # sizes mention constant inputs
        streams = {d.name: self._stream(d) for d in (*inputs, *declared.outputs)}
        node.inputs = [streams[d.name] for d in declared.inputs]
        node.outputs = [streams[d.name] for d in declared.outputs]
        if node.lemma:
            node.outputs = [Stream(USED, BOOL, node.position, hidden=True)]
            node.definitions[USED] = Const(node.position, BOOL, True)
        checker = self._contract()
        for stream in node.inputs:
            node.assumes[:0] = self._typing(stream)
        for stream in node.outputs:
            node.guarantees += self._typing(stream)
        if not declared.imported:
            self._body()
        for stream in node.ghosts:
            node.duties += self._typing(stream)
        _unique(node)
        self.nodes.causality.check(node)
        if checker is not None:
            outputs = {stream.name for stream in node.outputs}
            checker.require_no_outputs(
                outputs, lambda e: self.nodes.causality.all(node, list(self.nodes.causality.direct(e)))
            )

    def _stream(self, declaration: s.Declaration) -> Stream:
        name, at = declaration.name, declaration.position
        if name in self.signature or name in self.names:
            raise self.types.error(f"{name} is declared twice", at)
        if self.expressions.constant(name, at) is not None:
            raise self.types.error(f"{name} is already a constant", at)
        type_ = self.types.resolve(declaration.type, self.outer)
        self.signature[name] = self.names[name] = Var(at, plain(type_), name, declaration.constant)
        return Stream(name, type_, at, declaration.constant)

    def _typing(self, stream: Stream) -> list[Clause]:
        shown = stream.name.split("~")[0]
        value = Var(stream.position, plain(stream.type), stream.name)
        found = self.types.membership(stream.type, value)
        return [Clause(f"range of {shown}", formula, stream.position, typing=True) for formula in found]

    def _contract(self) -> ContractChecker | None:
        contract, node = self.declared.contract, self.node
        if contract is None:
            return None
        if contract.decreases and not node.recursive:
            message = "'decreases' is for recursive functions and lemmas"
            raise self.types.error(message, self.declared.position)
        node.contract = True
        checker = ContractChecker(
            self.expressions, self.nodes.contracts, node, contract, self.outer, "", (), self.nodes.parameter
        )
        checker.declare()
        checker.clauses()
        checker.coverage()
        node.measure = [self.expressions.one(part, self.outer) for part in contract.decreases]
        for variable in contract.assumption_vars:
            if variable.name not in self.signature:
                message = f"{variable.name} is not an input or output of {self.declared.name}"
                raise self.types.error(message, variable.position)
            node.assumption_vars.append(variable.name)
        self.scope = replace(self.scope, modes=checker.scope.modes)  # bodies may refer to modes
        return checker

    def _body(self) -> None:
        declared, node = self.declared, self.node
        for constant in declared.constants:
            self._local_constant(constant)
        outer_names = dict(self.signature)
        self.outer = replace(self.outer, names=self.names)
        node.locals = []
        for declaration in declared.locals:
            node.locals.append(self._stream(declaration))
        self.signature.clear()
        self.signature.update(outer_names)
        defined = {stream.name: stream.type for stream in (*node.outputs, *node.locals)}
        blocks = Blocks(self.expressions, node, defined)
        node.definitions.update(blocks.run(declared.statements, self.scope))
        node.locals += blocks.uses
        self.nodes.warnings += blocks.warnings
        for formula in declared.asserts:
            node.asserts.append(self.expressions.formula(formula, self.scope))
        for item in declared.properties:
            self._property(item)
        for stream in node.locals:
            node.duties += self._typing(stream)
        for stream in (*node.outputs, *node.locals):
            if stream.name not in node.definitions:
                self.nodes.warnings.append(f"{stream.position}: {stream.name} has no definition: any value")

    def _local_constant(self, constant: d.Constant) -> None:
        at = constant.position
        wanted = None if constant.type is None else self.types.resolve(constant.type, self.scope)
        if constant.value is None:
            assert wanted is not None
            made = Global(at, plain(wanted), f"{self.node.name}.{constant.name}")
            self.nodes.parameter(made, wanted)
            found: Expr = made
        else:
            found = self.expressions.one(constant.value, self.scope, wanted and plain(wanted))
            if wanted is not None:
                if not compatible(wanted, found.type):
                    raise self.types.error(f"{constant.name} is a {wanted}, its value a {found.type}", at)
                self.node.duties += [
                    Clause(f"range of {constant.name}", m, at) for m in self.types.membership(wanted, found)
                ]
        if constant.name in self.names:
            raise self.types.error(f"{constant.name} is declared twice", at)
        self.names[constant.name] = found

    def _property(self, item: d.Property) -> None:
        formula = self.expressions.formula(item.formula, self.scope)
        if item.provided is not None:
            guard = self.expressions.formula(item.provided, self.scope)
            self.node.conditions.append((f"the condition of {item.name}", guard))
            formula = Op(item.position, BOOL, "=>", (guard, formula))
        self.node.properties.append(Clause(item.name, formula, item.position, item.reach))


def _unique(node: Node) -> None:
    """Different clauses have different names."""
    taken = {clause.name for clause in node.properties}
    for clause in (*node.assumes, *node.guarantees, *node.duties):
        name, number = clause.name, 1
        while name in taken:
            number += 1
            name = f"{clause.name} ({number})"
        taken.add(name)
        clause.name = name
