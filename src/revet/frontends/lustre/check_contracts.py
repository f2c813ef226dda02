"""The type checker on contracts: ghost variables, clauses, modes, and imports of contract nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from revet.errors import Position
from revet.frontends.lustre import declarations as d
from revet.frontends.lustre import syntax as s
from revet.frontends.lustre.check_types import conjunction, unify, variables
from revet.frontends.lustre.contract_alone import COVERED
from revet.frontends.lustre.core import Base, Clause, Const, Expr, Global, Node, Op, Stream, Var
from revet.frontends.lustre.scopes import Scope
from revet.frontends.lustre.types import BOOL, Type, compatible, plain
from revet.frontends.lustre.walk import is_temporal

if TYPE_CHECKING:
    from revet.frontends.lustre.check_expressions import Expressions
    from revet.frontends.lustre.check_types import Types


class ContractChecker:
    """Checks one contract into a node; imported ones are checked by their own, below."""

    def __init__(
        self, expressions: Expressions, known: Mapping[str, d.ContractNode], node: Node, contract: d.Contract,
        scope: Scope, prefix: str, path: tuple[str, ...], parameter: Callable[[Global, Type], None],
    ) -> None:
        self.expressions = expressions
        self.types: Types = expressions.types
        self.known = known
        self.node = node
        self.contract = contract
        self.prefix = prefix
        self.path = path
        self.parameter = parameter
        self.names: dict[str, Expr] = dict(scope.names)
        self.scope = replace(scope, names=self.names, modes=self._mode_reference)
        self.imports: dict[str, ContractChecker] = {}
        self._given: list[Expr] = []  # to the inputs of imported contracts
        self._requirements: dict[str, Expr | None] = {}

    def _label(self, name: str) -> str:
        return f"{self.prefix}{name}"

    # -- the contract's parts, in the order in which they may be used

    def declare(self) -> None:
        """Ghost constants and variables, and the imports."""
        for constant in self.contract.constants:
            self._constant(constant)
        for variable in self.contract.variables:
            type_ = self.types.resolve(variable.type, self.scope)
            hidden = f"{self.prefix}{variable.name}~ghost"
            self.names[variable.name] = Var(variable.position, plain(type_), hidden)
            self.node.ghosts.append(Stream(hidden, type_, variable.position))
        for item in self.contract.imports:
            self._import(item)

    def _constant(self, constant: d.Constant) -> None:
        at = constant.position
        if constant.value is None:
            assert constant.type is not None
            type_ = self.types.resolve(constant.type, self.scope)
            made = Global(at, plain(type_), f"{self.node.name}.{self._label(constant.name)}")
            self.parameter(made, type_)
            found: Expr = made
        else:
            wanted = None if constant.type is None else self.types.resolve(constant.type, self.scope)
            found = self.expressions.one(constant.value, self.scope, wanted and plain(wanted))
            if wanted is not None:
                if not compatible(wanted, found.type):
                    raise self.types.error(f"{constant.name} is a {wanted}, its value a {found.type}", at)
                for clause in self.types.membership(wanted, found):
                    self.node.duties.append(Clause(self._label(f"type of {constant.name}"), clause, at))
        self.names[constant.name] = found

    def _import(self, item: d.Import) -> None:
        at = item.position
        if item.contract in self.path:
            raise self.types.error(f"contract {item.contract} imports itself", at)
        imported = self.known.get(item.contract)
        if imported is None:
            raise self.types.error(f"there is no contract {item.contract}", at)
        formals = (*imported.inputs, *imported.outputs)
        actuals = [
            v for a in (*item.arguments, *item.outputs) for v in self.expressions.values(a, self.scope)
        ]
        if len(formals) != len(actuals) or len(imported.outputs) != len(item.outputs):
            raise self.types.error(
                f"{item.contract} takes {len(imported.inputs)} inputs and {len(imported.outputs)} outputs", at
            )
        actuals = [Base(a.position, a.type, a) if is_temporal(a) else a for a in actuals]
        self._given += actuals[: len(imported.inputs)]
        types = self._type_arguments(item, imported, formals, actuals)
        scope = replace(
            self.scope, names=dict(zip([f.name for f in formals], actuals, strict=True)), types=types
        )
        inner = ContractChecker(
            self.expressions, self.known, self.node, imported.body, scope, f"{self.prefix}{item.contract}.",
            (*self.path, item.contract), self.parameter,
        )
        for number, (formal, actual) in enumerate(zip(formals, actuals, strict=True)):
            type_ = self.types.resolve(formal.type, scope)
            if not compatible(type_, actual.type):
                raise self.types.error(
                    f"{formal.name} of {item.contract} is a {type_}, this is a {actual.type}", actual.position
                )
            into = self.node.assumes if number < len(imported.inputs) else self.node.guarantees
            into += [Clause(inner._label(f"type of {formal.name}"), m, at, typing=True)
                     for m in self.types.membership(type_, actual)]
        inner.declare()
        self.imports.setdefault(item.contract, inner)
        inner.clauses()

    def _type_arguments(
        self,
        item: d.Import,
        imported: d.ContractNode,
        formals: tuple[s.Declaration, ...],
        actuals: list[Expr],
    ) -> Mapping[str, Type]:
        if not imported.parameters:
            return {}
        if item.type_arguments:
            given = [self.types.resolve(a, self.scope) for a in item.type_arguments]
            if len(given) != len(imported.parameters):
                raise self.types.error(
                    f"{item.contract} takes {len(imported.parameters)} types", item.position
                )
            return dict(zip(imported.parameters, given, strict=True))
        found: dict[str, Type] = {}
        scope = Scope(types=variables(imported.parameters))
        for formal, actual in zip(formals, actuals, strict=True):
            unify(self.types.resolve(formal.type, scope), actual.type, found)
        if any(f"?{name}" not in found for name in imported.parameters):
            raise self.types.error(f"write {item.contract}@<…>: its types cannot be inferred", item.position)
        return {name: found[f"?{name}"] for name in imported.parameters}

    def clauses(self) -> None:
        """Definitions of ghosts, assumptions, guarantees, modes."""
        node = self.node
        for equation in self.contract.equations:
            self._ghosts(equation)
        for item in self.contract.assumes:
            node.assumes.append(self._clause(item))
        for item in self.contract.guarantees:
            node.guarantees.append(self._clause(item))
        for mode in self.contract.modes:
            requires = self._requires(mode.name, mode.position)
            node.modes.append((self._label(mode.name), requires))
            for ensure in mode.ensures:
                formula = self.expressions.formula(ensure.formula, self.scope)
                implied = Op(ensure.position, BOOL, "=>", (requires, formula))
                name = self._label(f"{mode.name}: {ensure.name}")
                node.guarantees.append(Clause(name, implied, ensure.position))

    def coverage(self) -> None:
        """The modes of the whole contract, imported ones among them, cover all cases."""
        if not self.node.modes:
            return
        (_, some), *others = self.node.modes
        at = self.contract.modes[0].position if self.contract.modes else some.position
        for _, test in others:
            some = Op(at, BOOL, "or", (some, test))
        self.node.duties.append(Clause(COVERED, some, at))

    def _ghosts(self, equation: d.Equation) -> None:
        at = equation.position
        targets = [self.names[left.name] for left in equation.names]
        values = self.expressions.values(equation.value, self.scope, [t.type for t in targets])
        if len(values) != len(targets):
            raise self.types.error(
                f"{len(targets)} variables on the left, {len(values)} values on the right", at
            )
        for left, target, value in zip(equation.names, targets, values, strict=True):
            if not compatible(target.type, value.type):
                message = f"{left.name} is a {target.type}, but its definition is a {value.type}"
                raise self.types.error(message, left.position)
            assert isinstance(target, Var)
            self.node.definitions[target.name] = value
            self.node.places[target.name] = left.position

    def _clause(self, item: d.Property) -> Clause:
        return Clause(
            self._label(item.name), self.expressions.formula(item.formula, self.scope), item.position,
            weak=item.weak,
        )

    # -- modes

    def _requires(self, name: str, at: Position) -> Expr:
        if name in self._requirements:
            found = self._requirements[name]
            if found is None:
                raise self.types.error(f"the requirements of mode {name} refer to themselves", at)
            return found
        mode = next((m for m in self.contract.modes if m.name == name), None)
        if mode is None:
            raise self.types.error(f"there is no mode {name}", at)
        self._requirements[name] = None
        parts = [self.expressions.formula(r.formula, self.scope) for r in mode.requires]
        found = conjunction(parts, mode.position)
        self._requirements[name] = found
        return found

    def _mode_reference(self, path: tuple[str, ...], at: Position) -> Expr:
        checker = self
        for name in path[:-1]:
            if name not in checker.imports:
                raise self.types.error(f"no contract {name} is imported here", at)
            checker = checker.imports[name]
        return checker._requires(path[-1], at)

    def require_no_outputs(self, outputs: set[str], depends: Callable[[Expr], set[str]]) -> None:
        """Assumptions, requirements and inputs of imported contracts must not depend on what the node answers
        at the same instant."""
        for actual in self._given:
            self._refuse_outputs(actual, actual.position, outputs, depends, "an input of a contract")
        for item in self.node.assumes:
            self._refuse_outputs(item.formula, item.position, outputs, depends, "an assumption")
        for mode in self.contract.modes:
            requires = self._requirements.get(mode.name)
            if requires is not None:
                self._refuse_outputs(requires, mode.position, outputs, depends, "a requirement")

    def _refuse_outputs(
        self, formula: Expr, at: Position, outputs: set[str], depends: Callable[[Expr], set[str]], what: str
    ) -> None:
        if found := sorted(depends(formula) & outputs):
            raise self.types.error(f"{what} depends on the output {found[0]} at the same instant", at)


def true(at: Position) -> Expr:
    return Const(at, BOOL, True)
