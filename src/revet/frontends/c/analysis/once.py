"""Calls that are made at most once in a run: an allocation there is as good as a variable.

A call is made once if it is not inside a loop (``for``, ``while``, ``do``, or between a label and a
``goto`` back to it) of a function that is itself entered once: the entry function, or a
function that is called from one place only, which is made once, and never through a pointer.
"""

from __future__ import annotations

from collections import Counter

from revet.frontends.c import ast
from revet.frontends.c.analysis.call_graph import functions_with_address, notable
from revet.frontends.c.reader.jumps import SET
from revet.frontends.c.walk import all_expressions, statements


def calls_made_once(program: ast.CProgram, entry: str) -> frozenset[ast.Call]:
    if entry not in program.functions:
        return frozenset()
    sites = Counter(
        expression.function.name
        for expressions in notable(program).values()
        for expression in expressions
        if isinstance(expression, ast.Call) and isinstance(expression.function, ast.FunctionRef)
    )
    taken = frozenset(functions_with_address(program))
    found: set[ast.Call] = set()
    pending, seen = [entry], {entry}
    while pending:
        for call in _outside_loops(program.functions[pending.pop()]):
            found.add(call)
            if not isinstance(call.function, ast.FunctionRef):
                continue
            name = call.function.name
            alone = sites[name] == 1 and name not in taken and name in program.functions
            if alone and name not in seen and name != entry:
                seen.add(name)
                pending.append(name)
    return frozenset(found) if sites[entry] == 0 else frozenset()


def _outside_loops(function: ast.FunctionDef) -> list[ast.Call]:
    if _jumps_back(function):
        return []
    inside: set[ast.Call] = set()
    for statement in statements(function.body):
        if isinstance(statement, ast.While | ast.DoWhile | ast.For):
            inside.update(_calls(statement))
    return [call for call in _calls(function.body) if call not in inside]


def _calls(statement: ast.Stmt) -> list[ast.Call]:
    return [call for call in all_expressions(statement) if isinstance(call, ast.Call)]


def _jumps_back(function: ast.FunctionDef) -> bool:
    """Is there a goto to a label that stands before it, or a setjmp? (A statement expression's count too.)"""
    labels: set[str] = set()
    for statement in statements(function.body):
        if isinstance(statement, ast.Label):
            labels.add(statement.name)
        elif isinstance(statement, ast.Goto) and statement.label in labels:
            return True
    return any(
        isinstance(e, ast.StatementExpr) or (isinstance(e, ast.FunctionRef) and e.name == SET)
        for e in all_expressions(function.body)
    )
