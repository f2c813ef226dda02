"""Which functions are copied at every call, and which are kept once (:mod:`revet.frontends.kit.inlining`)."""

from __future__ import annotations

from collections import Counter

from revet.frontends.c import ast
from revet.frontends.c.analysis.call_graph import functions_with_address, notable, reached_through
from revet.frontends.c.reader.jumps import LEAVE, SET
from revet.frontends.c.walk import statements
from revet.frontends.kit.inlining import kept_once


def shared_functions(program: ast.CProgram, recursive: frozenset[str], entry: str) -> frozenset[str]:
    sizes = {name: sum(1 for _ in statements(f.body)) for name, f in program.functions.items()}
    taken = functions_with_address(program)
    calls = {name: _calls(program, name, taken) for name in program.functions}
    return kept_once(sizes, calls, recursive | _by_copies(program, calls), entry)


def _by_copies(program: ast.CProgram, calls: dict[str, Counter[str]]) -> frozenset[str]:
    """Functions that take variable arguments or jump out, or call one that does: whose, and where to, only
    their copies know."""
    found = {name for name, notes in notable(program).items() if any(map(_needs_copies, notes))}
    while True:
        more = {name for name, called in calls.items() if name not in found and not found.isdisjoint(called)}
        if not more:
            return frozenset(found)
        found |= more


def _calls(program: ast.CProgram, function: str, taken: list[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for expression in notable(program)[function]:
        if isinstance(expression, ast.Call) and isinstance(expression.function, ast.FunctionRef):
            name = expression.function.name
            if name in program.functions:
                found[name] += 1
        elif isinstance(expression, ast.Call):
            found.update(reached_through(program, expression, taken))
    return found


def _needs_copies(expression: ast.Expr) -> bool:
    if isinstance(expression, ast.FunctionRef):
        return expression.name in (SET, LEAVE)
    return isinstance(expression, ast.VaArg)
