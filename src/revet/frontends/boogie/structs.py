"""ULTIMATE's structs, taken away: one variable, map or function for every field.

``p: { base: int, offset: int }`` becomes ``p!base`` and ``p!offset`` (no name that a user can write has a
``!``); a map to structs becomes a map a field; a map *from* structs has an index a field; structs are equal
if all fields are. ULTIMATE does the same before it verifies anything. Its translation of C has pointers
that are structs.

A checked program goes in, an unchecked one comes out, so that the checker fills it in as usual.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.struct_expressions import Expander, Leaf


def expand(checked: s.Checked) -> s.Program:
    program, structs = checked.program, _Structs(checked.program)
    declared: list[s.Function | s.Procedure] = [*program.functions, *program.procedures]
    for one in declared:
        if one.type_parameters:
            raise program.unsupported("type parameters next to structs are not supported", one.position)
    return replace(
        program,
        types=tuple(one for one in program.types if one.synonym is None),
        constants=structs.variables(program.constants),
        functions=tuple(new for one in program.functions for new in structs.function(one)),
        axioms=tuple(s.Axiom(x.position, structs.one(x.formula), x.attributes) for x in program.axioms),
        globals=structs.variables(program.globals),
        procedures=tuple(map(structs.procedure, program.procedures)),
        implementations=tuple(map(structs.implementation, program.implementations)),
    )


class _Structs:
    def __init__(self, program: s.Program) -> None:
        self._program = program
        self._expander = Expander(program)

    def one(self, expr: s.Expr) -> s.Expr:
        """An expression that is no struct."""
        (found,) = self._expander.expand(expr)
        return found

    # -- declarations

    def variables(self, declared: Iterable[s.Variable]) -> tuple[s.Variable, ...]:
        found: list[s.Variable] = []
        for variable in declared:
            where = None if variable.where is None else self.one(variable.where)
            leaves = self._expander.leaves(variable.type, variable.position)
            if variable.unique and len(leaves) > 1:
                raise self._program.unsupported("a unique constant that is a struct", variable.position)
            found += [self._expander.variable(variable, leaf, where) for leaf in leaves]
        return tuple(found)

    def function(self, function: s.Function) -> list[s.Function]:
        """A function for every field of the result."""
        results = self._expander.leaves(function.result_type, function.position)
        parameters = self.variables(function.parameters)
        bodies = self._expander.expand(function.body) if function.body else [None] * len(results)
        each = [parameters] * len(results)
        if self._expander.is_constant_array(function):
            each = [(parameter,) for parameter in parameters]
        at, name, attributes = function.position, function.name, function.attributes
        return [
            s.Function(at, name + leaf.path, (), own, s.Given(at, leaf.type), body, attributes)
            for leaf, own, body in zip(results, each, bodies, strict=True)
        ]

    def procedure(self, procedure: s.Procedure) -> s.Procedure:
        return s.Procedure(
            procedure.position, procedure.name, (), self.variables(procedure.inputs),
            self.variables(procedure.outputs), self._clauses(procedure.requires),
            self._clauses(procedure.ensures), self._names(procedure.modifies),
            None if procedure.body is None else self._body(procedure.body), procedure.attributes,
        )  # fmt: skip

    def implementation(self, implementation: s.Implementation) -> s.Implementation:
        return s.Implementation(
            implementation.position, implementation.name, (), self.variables(implementation.inputs),
            self.variables(implementation.outputs), self._body(implementation.body),
            implementation.attributes,
        )  # fmt: skip

    def _clauses(self, clauses: tuple[s.Clause, ...]) -> tuple[s.Clause, ...]:
        return tuple(replace(clause, formula=self.one(clause.formula)) for clause in clauses)

    def _names(self, names: tuple[s.Name, ...]) -> tuple[s.Name, ...]:
        return tuple(
            s.Name(name.position, name.name + leaf.path)
            for name in names
            for leaf in self._expander.leaves(name.type, name.position)
        )

    # -- statements

    def _body(self, body: s.Body) -> s.Body:
        return replace(
            body, locals=self.variables(body.locals), statements=self._block(body.statements)
        )

    def _block(self, block: tuple[s.Statement, ...]) -> tuple[s.Statement, ...]:
        found: list[s.Statement] = []
        for statement in block:
            if isinstance(statement, s.If):
                then = self._block(statement.then)
                otherwise = self._block(statement.otherwise)
                found.append(s.If(statement.position, self._condition(statement), then, otherwise))
            elif isinstance(statement, s.While):
                body = self._block(statement.body)
                invariants = self._clauses(statement.invariants)
                found.append(s.While(statement.position, self._condition(statement), invariants, body))
            else:
                found.append(self._simple(statement))
        return tuple(found)

    def _condition(self, statement: s.If | s.While) -> s.Expr | None:
        return None if statement.condition is None else self.one(statement.condition)

    def _simple(self, statement: s.Statement) -> s.Statement:
        position = statement.position
        match statement:
            case s.Assert(formula=formula):
                return s.Assert(position, self.one(formula), statement.attributes)
            case s.Assume(formula=formula):
                return s.Assume(position, self.one(formula), statement.attributes)
            case s.Havoc(variables=names):
                return s.Havoc(position, self._names(names))
            case s.Assign(targets=targets, values=values):
                each = [new for target in targets for new in self._targets(target)]
                new_values = [new for value in values for new in self._expander.expand(value)]
                return s.Assign(position, tuple(each), tuple(new_values))
            case s.Call(name=name, results=results):
                arguments = self._arguments(statement)
                attributes = statement.attributes
                return s.Call(position, name, arguments, self._names(results), statement.free, attributes)
            case s.CallForall(name=name):
                return s.CallForall(position, name, self._arguments(statement))
        return statement  # labels and jumps

    def _arguments(self, statement: s.Call | s.CallForall) -> tuple[s.Expr | None, ...]:
        found: list[s.Expr | None] = []
        for argument, parameter in zip(statement.arguments, statement.callee.inputs, strict=True):
            if argument is None:
                found += [None] * len(self._expander.leaves(parameter.type, parameter.position))
            else:
                found += self._expander.expand(argument)
        return tuple(found)

    def _targets(self, target: s.Target) -> list[s.Target]:
        """``m[i]!x`` is ``m!x[i]``."""
        accessors = target.accessors if isinstance(target, s.StructTarget) else target.indices
        path, indices = "", []
        for accessor in accessors:
            if isinstance(accessor, str):
                path += f"!{accessor}"
            else:
                indices.append(tuple(new for index in accessor for new in self._expander.expand(index)))
        name, position = target.variable.name + path, target.variable.position
        leaves: list[Leaf] = self._expander.leaves(target.type, position)
        return [s.Target(s.Name(position, name + leaf.path), tuple(indices)) for leaf in leaves]
