"""The call graph: which functions may call themselves."""

from __future__ import annotations

from functools import lru_cache

from revet.frontends.c import ast
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
    """For every function the functions it mentions (called, or taken the address of); a call
    through a pointer may reach every function whose address is taken."""
    mentioned: dict[str, dict[str, None]] = {}
    indirect: dict[str, None] = {}
    for function, expressions in notable(program).items():
        found = mentioned.setdefault(function, {})
        for expression in expressions:
            if isinstance(expression, ast.FunctionRef) and expression.name in program.functions:
                found[expression.name] = None
            elif isinstance(expression, ast.Call) and not isinstance(expression.function, ast.FunctionRef):
                indirect[function] = None
    taken = functions_with_address(program)
    for name in indirect:
        mentioned[name].update((other, None) for other in taken)
    return mentioned


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
