"""The call graph: which functions may call themselves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from revet.frontends.c import ast
from revet.frontends.c.types import CType, Function, Pointer, Record, Void
from revet.frontends.c.walk import all_expressions
from revet.frontends.inlining import recursion_limits as limits_of


@lru_cache(maxsize=1)
def notable(program: ast.CProgram) -> dict[str, list[ast.Expr]]:
    """Calls and mentions of functions in every body: one walk for all analyses that need them."""
    kinds = (ast.Call, ast.FunctionRef, ast.StatementExpr)
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
    functions, count = program.functions, len(call.arguments)
    return [name for name in taken if name in functions and _compatible(functions[name].type, wanted, count)]


def functions_with_address(program: ast.CProgram) -> list[str]:
    """Functions with a body whose address is taken somewhere."""
    return [name for name in mentioned_functions(program) if name in program.functions]


def _functions_in(variable: ast.Variable) -> dict[str, None]:
    from revet.frontends.c.walk import initial_values, parts

    found: dict[str, None] = {}
    stack = initial_values(variable)
    while stack:
        expression = stack.pop()
        if isinstance(expression, ast.FunctionRef):
            found[expression.name] = None
        stack += parts(expression)
    return found


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


def _compatible(function: Function, wanted: Function, arguments: int) -> bool:
    """May a call with this pointer type mean this function? Otherwise it would be undefined."""
    if function.parameters is None or wanted.parameters is None:
        return function.parameters is None or len(function.parameters) == arguments
    if len(function.parameters) != len(wanted.parameters) or function.variadic != wanted.variadic:
        return False
    pairs = [*zip(function.parameters, wanted.parameters, strict=True), (function.result, wanted.result)]
    return all(_same_representation(one, other) for one, other in pairs)


def _same_representation(one: CType, other: CType) -> bool:
    if isinstance(one, Void) or isinstance(other, Void):
        return isinstance(one, Void) and isinstance(other, Void)
    if isinstance(one, Record) or isinstance(other, Record):
        return one is other
    return type(one) is type(other) and getattr(one, "size", 0) == getattr(other, "size", 0)
