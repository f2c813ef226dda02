"""The call graph: which functions may call themselves."""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.walk import all_expressions


def called(program: ast.CProgram) -> dict[str, dict[str, None]]:
    """For every function the functions it mentions (called, or taken the address of); a call
    through a pointer may reach every function whose address is taken."""
    mentioned: dict[str, dict[str, None]] = {}
    indirect: dict[str, None] = {}
    for function in program.functions.values():
        found = mentioned.setdefault(function.name, {})
        for expression in all_expressions(function.body):
            if isinstance(expression, ast.FunctionRef) and expression.name in program.functions:
                found[expression.name] = None
            elif isinstance(expression, ast.Call) and not isinstance(expression.function, ast.FunctionRef):
                indirect[function.name] = None
    taken = functions_with_address(program)
    for name in indirect:
        mentioned[name].update((other, None) for other in taken)
    return mentioned


def functions_with_address(program: ast.CProgram) -> list[str]:
    """Functions with a body whose address is taken somewhere."""
    taken: dict[str, None] = {}
    for function in program.functions.values():
        for expression in all_expressions(function.body):
            if isinstance(expression, ast.AddressOf) and isinstance(expression.operand, ast.FunctionRef):
                taken[expression.operand.name] = None
    for variable in program.globals:
        taken.update(_functions_in(variable))
    return [name for name in taken if name in program.functions]


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


# Activations that are inlined by default, by the number of recursive calls in a body: the copies
# grow linearly with one call and exponentially with more.
_DEPTHS = {0: 28, 1: 28, 2: 6, 3: 4}


def recursion_limits(program: ast.CProgram, wanted: int = 0) -> dict[str, int]:
    """For every recursive function, how many activations at a time are modelled."""
    import rustworkx

    edges = called(program)
    graph = rustworkx.PyDiGraph()
    index = {name: graph.add_node(name) for name in edges}
    for name, targets in edges.items():
        graph.add_edges_from_no_data([(index[name], index[target]) for target in targets])
    limits: dict[str, int] = {}
    for component in rustworkx.strongly_connected_components(graph):
        names = [graph[number] for number in component]
        if len(names) > 1 or names[0] in edges[names[0]]:
            branching = max(_branching(program, name, frozenset(names)) for name in names)
            limits.update(dict.fromkeys(names, wanted or _DEPTHS.get(branching, 3)))
    return limits


def _branching(program: ast.CProgram, name: str, component: frozenset[str]) -> int:
    """How many calls in a function's body lead back into its own component."""
    count = 0
    for expression in all_expressions(program.functions[name].body):
        if isinstance(expression, ast.Call):
            callee = expression.function
            count += not isinstance(callee, ast.FunctionRef) or callee.name in component
    return count
