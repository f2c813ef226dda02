"""The call graph: which functions may call themselves."""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.walk import all_expressions


def called(program: ast.CProgram) -> dict[str, dict[str, None]]:
    """For every function the functions it mentions (called, or taken the address of); a call
    through a pointer may reach every function whose address is taken."""
    mentioned: dict[str, dict[str, None]] = {}
    indirect: dict[str, None] = {}
    taken: dict[str, None] = {}
    for function in program.functions.values():
        found = mentioned.setdefault(function.name, {})
        for expression in all_expressions(function.body):
            if isinstance(expression, ast.FunctionRef) and expression.name in program.functions:
                found[expression.name] = None
            elif isinstance(expression, ast.AddressOf) and isinstance(expression.operand, ast.FunctionRef):
                taken[expression.operand.name] = None
            elif isinstance(expression, ast.Call) and not isinstance(expression.function, ast.FunctionRef):
                indirect[function.name] = None
    for variable in program.globals:
        if variable.initialiser is not None:
            taken.update(_functions_in(variable))
    for name in indirect:
        mentioned[name].update((other, None) for other in taken if other in program.functions)
    return mentioned


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


def recursive_functions(program: ast.CProgram) -> frozenset[str]:
    """Functions on a cycle of the call graph (Tarjan's components, iteratively)."""
    import rustworkx

    edges = called(program)
    graph = rustworkx.PyDiGraph()
    index = {name: graph.add_node(name) for name in edges}
    for name, targets in edges.items():
        graph.add_edges_from_no_data([(index[name], index[target]) for target in targets])
    found: set[str] = set()
    for component in rustworkx.strongly_connected_components(graph):
        names = [graph[number] for number in component]
        if len(names) > 1 or names[0] in edges[names[0]]:
            found.update(names)
    return frozenset(found)
