"""The call graph: which functions may call themselves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from revet.frontends.c import ast
from revet.frontends.c.analysis.calling import alike, fits, passed_types
from revet.frontends.c.types import CType, Function, Pointer, Record, Void
from revet.frontends.c.walk import all_expressions, expressions_below, initial_values
from revet.frontends.kit.inlining import recursion_limits as limits_of


@lru_cache(maxsize=1)
def notable(program: ast.CProgram) -> dict[str, list[ast.Expr]]:
    """Calls, mentions of functions and what may give pointers to them another type, in every body: one walk
    for all analyses that need them."""
    kinds = (ast.Call, ast.FunctionRef, ast.StatementExpr, ast.Cast, ast.Member, ast.VaArg)
    return {
        function.name: [e for e in all_expressions(function.body) if isinstance(e, kinds)]
        for function in program.functions.values()
    }


def mentioned_functions(program: ast.CProgram) -> dict[str, None]:
    """Functions that are mentioned other than as what is called, with a body or without."""
    taken: dict[str, None] = {}
    for expressions in notable(program).values():
        callees = {e.function for e in expressions if isinstance(e, ast.Call)}
        for expression in expressions:
            if isinstance(expression, ast.FunctionRef) and expression not in callees:
                taken[expression.name] = None
    for variable in program.globals:
        taken.update(_functions_in(variable))
    return taken


def called(program: ast.CProgram) -> dict[str, dict[str, None]]:
    """For every function the functions it calls, by name or through pointers."""
    taken = functions_with_address(program)
    found: dict[str, dict[str, None]] = {}
    for function, expressions in notable(program).items():
        callees = found.setdefault(function, {})
        for expression in expressions:
            if not isinstance(expression, ast.Call):
                continue
            if not isinstance(expression.function, ast.FunctionRef):
                callees.update(dict.fromkeys(reached_through(program, expression, taken)))
            elif expression.function.name in program.functions:
                callees[expression.function.name] = None
    return found


def reached_through(program: ast.CProgram, call: ast.Call, taken: Iterable[str]) -> list[str]:
    """What a call through a pointer may call: lowering and all analyses agree on this. ``taken`` are the
    functions whose address is taken; to call one as if it had another type is undefined."""
    wanted = call.function.type
    wanted = wanted.target if isinstance(wanted, Pointer) else wanted
    assert isinstance(wanted, Function)
    types = passed_types(call)
    found: list[str] = []
    for name in taken:
        definition = program.functions.get(name)
        if definition is not None and fits(definition, types, call.type):
            prototypes = wanted.parameters is not None and definition.type.parameters is not None
            if not prototypes or wanted.variadic == definition.type.variadic:
                found.append(name)
    return found


def retyped_functions(program: ast.CProgram, taken: Iterable[str]) -> list[str]:
    """Functions with a body whose address is converted to another type than their own: a call through a
    pointer of another type may reach them. (Else a function pointer would have to be read from memory
    that was written with another type.)"""
    mentions = [e for expressions in notable(program).values() for e in expressions]
    for variable in program.globals:
        mentions += expressions_below(initial_values(variable))
    converted = [type for mention in mentions for type in _retyped(mention)]
    functions = program.functions
    return [name for name in taken if name in functions and any(
        _similar(type, functions[name].type) for type in converted
    )]


def _retyped(expression: ast.Expr) -> list[Function]:
    """Types of functions to which a pointer gets another type here, or may get one: by a cast, in a union, as
    an argument without a prototype."""
    match expression:
        case ast.Cast(operand, type) if type != operand.type and not isinstance(type, Void):
            types = [operand.type]
        case ast.Member(record, field) if isinstance(record.type, Record) and record.type.union:
            types = [field.type]
        case ast.Call(function, arguments):
            wanted = _target(function.type)
            known = wanted.parameters or () if isinstance(wanted, Function) else ()
            types = [argument.type for argument in arguments[len(known) :]]
        case _:
            return []
    return [target for target in map(_target, types) if isinstance(target, Function)]


def _similar(one: Function, other: Function) -> bool:
    if one.parameters is None or other.parameters is None:
        return alike(one.result, other.result)
    same = len(one.parameters) == len(other.parameters) and alike(one.result, other.result)
    return same and all(map(alike, one.parameters, other.parameters))


def _target(type: CType) -> CType:
    return type.target if isinstance(type, Pointer) else type


def functions_with_address(program: ast.CProgram) -> list[str]:
    """Functions with a body whose address is taken somewhere."""
    return [name for name in mentioned_functions(program) if name in program.functions]


def _functions_in(variable: ast.Variable) -> dict[str, None]:
    values = expressions_below(initial_values(variable))
    return {value.name: None for value in values if isinstance(value, ast.FunctionRef)}


def recursion_limits(program: ast.CProgram, wanted: int = 0) -> dict[str, int]:
    """For every recursive function, how many activations at a time are modelled."""

    def branching(name: str, component: frozenset[str]) -> int:
        return _branching(program, name, component)

    return limits_of(called(program), branching, wanted)


def _branching(program: ast.CProgram, name: str, component: frozenset[str]) -> int:
    """How many calls in a function's body lead back into its own component."""
    count = 0
    for expression in notable(program)[name]:
        if isinstance(expression, ast.Call):
            callee = expression.function
            count += not isinstance(callee, ast.FunctionRef) or callee.name in component
    return count
