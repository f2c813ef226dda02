"""Resolution and type checking of Boogie programs.

:func:`check` fills in what :mod:`revet.frontends.boogie.syntax` promises of a checked program, or raises
an :class:`~revet.errors.InputError` at the first mistake. Signatures come first, in any order of the file,
then formulas and bodies. Types are simple once written types are resolved (:mod:`.type_resolution`): two
types are the same or they are not; only the arguments of polymorphic functions and procedures are matched
against patterns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.structs import expand
from revet.frontends.boogie.type_expressions import ExpressionChecker, Scope, a
from revet.frontends.boogie.type_resolution import TypeResolver, unknown, variables
from revet.frontends.boogie.type_statements import StatementChecker

Declared = TypeVar("Declared", s.Variable, s.Function, s.Procedure)


def check(program: s.Program) -> s.Checked:
    checker = _Checker(program)
    checked = checker.check()
    if checker.resolver.structs:
        return replace(check(expand(checked)), notes=checked.notes)
    return checked


class _Checker:
    def __init__(self, program: s.Program) -> None:
        self.program = program
        self.resolver = TypeResolver(program)
        self.state = self._table((*program.constants, *program.globals), "")
        self.functions = self._table(program.functions, "function ")
        self.procedures = self._table(program.procedures, "procedure ")
        self.expressions = ExpressionChecker(program, self.resolver, self.functions)

    def check(self) -> s.Checked:
        program = self.program
        for variable in self.state.values():
            variable.type = self.resolver.resolve(variable.written, {})
        for function in program.functions:
            self._signature_of_function(function)
        for procedure in program.procedures:
            self._signature_of_procedure(procedure)
        self._formulas()
        for function in program.functions:
            self._function_body(function)
        for procedure in program.procedures:
            self._contract(procedure)
        self._join()
        for procedure in program.procedures:
            for implementation in procedure.implementations:
                self._implementation(implementation)
        return s.Checked(
            program, self.resolver.declarations, {one.name: one for one in program.constants},
            {one.name: one for one in program.globals}, self.functions, program.axioms, self.procedures,
            tuple(self._notes()),
        )  # fmt: skip

    def _notes(self) -> Iterator[str]:
        place = self.expressions.integer_division
        if place is not None:
            yield f"'/' between integers is 'div', as in ULTIMATE (line {place.line})"

    def _table(self, declarations: Iterable[Declared], what: str) -> dict[str, Declared]:
        """By name; functions, procedures and variables may share names with each other."""
        found: dict[str, Declared] = {}
        for one in declarations:
            if one.name in found:
                line = found[one.name].position.line
                message = f"{what}{one.name} is declared twice (first in line {line})"
                raise self.program.error(message, one.position)
            found[one.name] = one
        return found

    # -- constants, functions, axioms

    def _formulas(self) -> None:
        for variable in self.state.values():
            if variable.where is not None:
                self.expressions.require(variable.where, Scope(self.state, {}), s.BOOL, "a 'where'")
        for axiom in self.program.axioms:
            scope = Scope(self.state, {}, "an axiom")
            self.expressions.require(axiom.formula, scope, s.BOOL, "an axiom")

    def _signature_of_function(self, function: s.Function) -> None:
        types = variables(self.program, function.type_parameters, function.position)
        function.type_variables = tuple(types.values())
        for parameter in function.parameters:
            parameter.type = self.resolver.resolve(parameter.written, types)
        function.result_type = self.resolver.resolve(function.result, types)
        self._distinct(function.parameters)
        for attribute in function.attributes:
            if attribute.name == "smtdefined":
                message = "functions defined by ':smtdefined' are not supported"
                raise self.program.unsupported(message, attribute.position)
            if attribute.name == "const_array":
                self._constant_array(function)

    def _constant_array(self, function: s.Function) -> None:
        """ULTIMATE's ``{:const_array}``: the map that is everywhere the argument."""
        result, parameters = function.result_type, function.parameters
        if not isinstance(result, s.MapType) or [one.type for one in parameters] != [result.range]:
            message = f"const_array: {function.name} must take a value and return a map to such values"
            raise self.program.error(message, function.position)

    def _function_body(self, function: s.Function) -> None:
        if function.body is None:
            return
        names = self.state | {one.name: one for one in function.parameters}
        types: dict[str, s.Type] = dict(zip(function.type_parameters, function.type_variables, strict=True))
        scope = Scope(names, types, "the body of a function")
        what = f"the body of function {function.name}"
        self.expressions.require(function.body, scope, function.result_type, what)

    def _distinct(self, declared: Sequence[s.Variable]) -> dict[str, s.Variable]:
        found: dict[str, s.Variable] = {}
        for variable in declared:
            if not variable.name:
                continue
            if variable.name in found:
                raise self.program.error(f"{variable.name} is declared twice", variable.position)
            found[variable.name] = variable
        return found

    # -- procedures

    def _signature_of_procedure(self, procedure: s.Procedure) -> None:
        types = variables(self.program, procedure.type_parameters, procedure.position)
        procedure.type_variables = tuple(types.values())
        for variable in (*procedure.inputs, *procedure.outputs):
            variable.type = self.resolver.resolve(variable.written, types)
        for name in procedure.modifies:
            changed = self.state.get(name.name)
            if changed is None:
                globals_ = [one.name for one in self.program.globals]
                raise unknown(self.program, "global variable", name.name, globals_, name.position)
            if changed.kind != "global":
                raise self.program.error(f"{name.name} is a constant and cannot be changed", name.position)
            name.variable, name.type = changed, changed.type

    def _contract(self, procedure: s.Procedure) -> None:
        types: dict[str, s.Type] = dict(zip(procedure.type_parameters, procedure.type_variables, strict=True))
        inputs = self.state | self._distinct(procedure.inputs)
        both = self.state | self._distinct((*procedure.inputs, *procedure.outputs))
        self._wheres(procedure.inputs, Scope(inputs, types))
        self._wheres(procedure.outputs, Scope(both, types))
        for clause in procedure.requires:
            scope = Scope(inputs, types, old=True)  # ULTIMATE's: the state at the start of the procedure
            self.expressions.require(clause.formula, scope, s.BOOL, "a precondition")
        for clause in procedure.ensures:
            scope = Scope(both, types, old=True)
            self.expressions.require(clause.formula, scope, s.BOOL, "a postcondition")

    def _wheres(self, declared: Iterable[s.Variable], scope: Scope) -> None:
        for variable in declared:
            if variable.where is not None:
                self.expressions.require(variable.where, scope, s.BOOL, "a 'where'")

    def _join(self) -> None:
        """Give every procedure its implementations; a body of its own counts as one."""
        for procedure in self.program.procedures:
            if procedure.body is not None:
                own = s.Implementation(
                    procedure.position, procedure.name, procedure.type_parameters, procedure.inputs,
                    procedure.outputs, procedure.body, procedure.attributes,
                )  # fmt: skip
                own.procedure = procedure
                procedure.implementations = (own,)
        for implementation in self.program.implementations:
            found = self.procedures.get(implementation.name)
            if found is None:
                position = implementation.position
                raise unknown(self.program, "procedure", implementation.name, self.procedures, position)
            implementation.procedure = found
            found.implementations += (implementation,)
            self._signature_of_implementation(implementation)

    def _signature_of_implementation(self, implementation: s.Implementation) -> None:
        """The same types as the procedure's; the names may differ."""
        procedure, position = implementation.procedure, implementation.position
        if len(implementation.type_parameters) != len(procedure.type_parameters):
            message = f"the type parameters of {procedure.name} differ from the procedure's"
            raise self.program.error(message, position)
        pairs = (
            ("parameters", implementation.inputs, procedure.inputs),
            ("results", implementation.outputs, procedure.outputs),
        )
        types = dict(zip(implementation.type_parameters, procedure.type_variables, strict=True))
        for what, own, declared in pairs:
            if len(own) != len(declared):
                message = f"procedure {procedure.name} has {len(declared)} {what}, not {len(own)}"
                raise self.program.error(message, position)
            for variable, model in zip(own, declared, strict=True):
                variable.type = self.resolver.resolve(variable.written, types)
                if variable.type is not model.type:
                    message = (f"{variable.name} is {a(variable.type)}, in the declaration of "
                               f"procedure {procedure.name} {a(model.type)}")  # fmt: skip
                    raise self.program.error(message, variable.position)

    def _implementation(self, implementation: s.Implementation) -> None:
        procedure, body = implementation.procedure, implementation.body
        types: dict[str, s.Type] = dict(
            zip(implementation.type_parameters, procedure.type_variables, strict=True)
        )
        for variable in body.locals:
            variable.type = self.resolver.resolve(variable.written, types)
        names = self.state | self._names(implementation, body)
        self._wheres((*implementation.inputs, *implementation.outputs, *body.locals), Scope(names, types))
        scope = Scope(names, types, old=True)
        StatementChecker(self.program, self.expressions, self.procedures, scope, procedure).check(body)

    def _names(self, implementation: s.Implementation, body: s.Body) -> dict[str, s.Variable]:
        return self._distinct((*implementation.inputs, *implementation.outputs, *body.locals))
