"""Statements: names, types, labels, and what may be assigned."""

from __future__ import annotations

from collections.abc import Sequence

from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.type_expressions import ExpressionChecker, Scope, a
from revet.frontends.boogie.type_resolution import instantiate, unknown


class StatementChecker:
    """Checks one body; ``modifiable`` are the globals that its procedure may change."""

    def __init__(
        self,
        program: s.Program,
        expressions: ExpressionChecker,
        procedures: dict[str, s.Procedure],
        scope: Scope,
        procedure: s.Procedure,
    ) -> None:
        self._program = program
        self._expressions = expressions
        self._procedures = procedures
        self._scope = scope
        self._procedure = procedure
        self._modifiable = {name.name for name in procedure.modifies}
        self._labels: dict[str, s.Label] = {}
        self._around: list[tuple[s.If | s.While, tuple[str, ...]]] = []

    def check(self, body: s.Body) -> None:
        for statement in s.statements(body.statements):
            if isinstance(statement, s.Label):
                if statement.name in self._labels:
                    message = f"label {statement.name} is declared twice"
                    raise self._program.error(message, statement.position)
                self._labels[statement.name] = statement
        self._block(body.statements)

    # -- structure

    def _block(self, block: tuple[s.Statement, ...]) -> None:
        names: list[str] = []  # the labels directly before
        for statement in block:
            if isinstance(statement, s.Label):
                names.append(statement.name)
                continue
            if isinstance(statement, (s.If, s.While)):
                self._around.append((statement, tuple(names)))
                self._structured(statement)
                self._around.pop()
            else:
                self._simple(statement)
            names.clear()

    def _structured(self, statement: s.If | s.While) -> None:
        if statement.condition is not None:
            self._require(statement.condition, s.BOOL, "the condition")
        if isinstance(statement, s.If):
            self._block(statement.then)
            self._block(statement.otherwise)
            return
        for clause in statement.invariants:
            self._require(clause.formula, s.BOOL, "an invariant")
        self._block(statement.body)

    def _simple(self, statement: s.Statement) -> None:
        match statement:
            case s.Assert(formula=formula) | s.Assume(formula=formula):
                self._require(formula, s.BOOL, "a condition")
            case s.Assign():
                self._assign(statement)
            case s.Havoc(variables=names):
                for name in names:
                    self._assignable(name)
            case s.Call():
                self._call(statement)
            case s.CallForall():
                self._call_forall(statement)
            case s.Goto():
                self._goto(statement)
            case s.Break():
                self._break(statement)

    def _require(self, expr: s.Expr, wanted: s.Type, what: str) -> None:
        self._expressions.require(expr, self._scope, wanted, what)

    # -- jumps

    def _goto(self, statement: s.Goto) -> None:
        for label in statement.labels:
            if label not in self._labels:
                raise unknown(self._program, "label", label, self._labels, statement.position)

    def _break(self, statement: s.Break) -> None:
        for target, labels in reversed(self._around):
            wanted = statement.label in labels if statement.label else isinstance(target, s.While)
            if wanted:
                statement.target = target
                return
        if statement.label is None:
            raise self._program.error("'break' outside of a loop", statement.position)
        message = f"there is no loop or 'if' with the label {statement.label} around this 'break'"
        raise self._program.error(message, statement.position)

    # -- assignments

    def _assignable(self, name: s.Name) -> s.Type:
        type_ = self._expressions.check(name, self._scope)
        variable = name.variable
        if variable.kind in ("constant", "input"):
            what = "constant" if variable.kind == "constant" else "parameter"
            raise self._program.error(f"{name.name} is a {what} and cannot be changed", name.position)
        if variable.kind == "global" and name.name not in self._modifiable:
            message = f"{name.name} is not in the 'modifies' of {self._procedure.name}"
            raise self._program.error(message, name.position)
        return type_

    def _distinct(self, names: Sequence[s.Name]) -> None:
        seen: set[s.Variable] = set()
        for name in names:
            if name.variable in seen:
                raise self._program.error(f"{name.name} is assigned twice here", name.position)
            seen.add(name.variable)

    def _assign(self, statement: s.Assign) -> None:
        for target in statement.targets:
            target.type = self._target(target)
        # Fields are variables of their own once structs are expanded, and then compared.
        whole = [one.variable for one in statement.targets if not isinstance(one, s.StructTarget)]
        self._distinct(whole)
        for target, value in zip(statement.targets, statement.values, strict=True):
            shown = target.variable.name + "[…]" * len(target.indices)
            found = self._expressions.check(value, self._scope)
            if found is not target.type:
                message = f"{shown} is {a(target.type)}, the value {a(found)}"
                raise self._program.error(message, value.position)

    def _target(self, target: s.Target) -> s.Type:
        type_, place = self._assignable(target.variable), target.variable.position
        for accessor in target.accessors if isinstance(target, s.StructTarget) else target.indices:
            if isinstance(accessor, str):
                type_ = self._expressions.field(type_, accessor, place)
                continue
            for index in accessor:
                self._expressions.check(index, self._scope)
            type_ = self._expressions.element(type_, accessor, place)
        return type_

    # -- calls

    def _arguments(self, statement: s.Call | s.CallForall) -> s.Procedure:
        """The procedure called, and its type arguments; its arguments are checked."""
        callee = self._procedures.get(statement.name)
        if callee is None:
            raise unknown(self._program, "procedure", statement.name, self._procedures, statement.position)
        statement.callee = callee
        for argument in statement.arguments:
            if argument is not None:
                self._expressions.check(argument, self._scope)
        what, place, open_ = f"procedure {callee.name}", statement.position, callee.type_variables
        wanted = [variable.type for variable in callee.inputs]
        binding = self._expressions.arguments(what, place, statement.arguments, wanted, open_)
        statement.instance = self._expressions.instance(what, place, binding, open_)
        return callee

    def _call(self, statement: s.Call) -> None:
        callee = self._arguments(statement)
        what = f"procedure {callee.name}"
        binding = dict(zip(callee.type_variables, statement.instance, strict=True))
        if len(statement.results) != len(callee.outputs):
            message = f"{what} has {len(callee.outputs)} results, not {len(statement.results)}"
            raise self._program.error(message, statement.position)
        for name, output in zip(statement.results, callee.outputs, strict=True):
            type_, result = self._assignable(name), instantiate(output.type, binding)
            if type_ is not result:
                message = f"{name.name} is {a(type_)}, the result {output.name} of {what} {a(result)}"
                raise self._program.error(message, name.position)
        self._distinct(statement.results)
        for changed in callee.modifies:
            if changed.name not in self._modifiable:
                message = (f"{what} may change {changed.name}, which is not in the 'modifies' of "
                           f"{self._procedure.name}")  # fmt: skip
                raise self._program.error(message, statement.position)

    def _call_forall(self, statement: s.CallForall) -> None:
        callee = self._arguments(statement)
        if callee.outputs or callee.modifies:
            message = f"'call forall' of {callee.name}, which has results or modifies variables"
            raise self._program.error(message, statement.position)
