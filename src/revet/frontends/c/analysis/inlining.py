"""Which functions are copied at every call, and which are kept once.

Copying is what checking engines like best, but a program of a few thousand lines whose
functions call each other from many places can grow to millions of copied statements. Where the whole
would pass a limit, functions that contribute most are kept as one piece of control flow that
remembers its caller. Only functions that are never recursive are kept: they have one activation
at a time, so one set of variables and one remembered caller are exact.
"""

from __future__ import annotations

from collections import Counter

from revet.frontends.c import ast
from revet.frontends.c.analysis.call_graph import functions_with_address, notable
from revet.frontends.c.walk import statements

_LIMIT = 20_000  # statements after inlining
_WORTH = 400  # statements that sharing a function must save


def shared_functions(program: ast.CProgram, recursive: frozenset[str], entry: str) -> frozenset[str]:
    sizes = {name: sum(1 for _ in statements(f.body)) for name, f in program.functions.items()}
    taken = functions_with_address(program)
    calls = {name: _calls(program, name, taken) for name in program.functions}
    order = _callers_first(calls, entry, recursive)
    shared: set[str] = set()
    for name in order:  # decided from the top: sharing a caller reduces the copies below it
        copies = _copies(order, calls, entry, shared)
        if sum(copies[n] * sizes[n] for n in order) <= _LIMIT:
            break
        if name != entry and (copies[name] - 1) * _inlined(name, order, calls, sizes) > _WORTH:
            shared.add(name)
    return frozenset(shared)


def _calls(program: ast.CProgram, function: str, taken: list[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for expression in notable(program)[function]:
        if isinstance(expression, ast.Call) and isinstance(expression.function, ast.FunctionRef):
            name = expression.function.name
            if name in program.functions:
                found[name] += 1
        elif isinstance(expression, ast.Call):
            count = len(expression.arguments)
            found.update(name for name in taken if len(program.functions[name].parameters) == count)
    return found


def _callers_first(calls: dict[str, Counter[str]], entry: str, recursive: frozenset[str]) -> list[str]:
    """Non-recursive functions that ``entry`` reaches, every caller before its callees."""
    finished: list[str] = []
    seen: set[str] = set()
    stack: list[tuple[str, bool]] = [(entry, False)]
    while stack:
        name, done = stack.pop()
        if done:
            finished.append(name)
        elif name not in seen and name not in recursive:
            seen.add(name)
            stack.append((name, True))
            stack += [(callee, False) for callee in calls[name]]
    return finished[::-1]


def _copies(
    order: list[str], calls: dict[str, Counter[str]], entry: str, shared: set[str]
) -> dict[str, int]:
    """How often each function's body is lowered."""
    copies = dict.fromkeys(order, 0)
    if entry in copies:
        copies[entry] = 1
    for name in order:
        if name in shared:
            copies[name] = min(copies[name], 1)
        for callee, count in calls[name].items():
            if callee in copies:
                copies[callee] += copies[name] * count
    return copies


def _inlined(
    name: str, order: list[str], calls: dict[str, Counter[str]], sizes: dict[str, int]
) -> int:
    """The size of one copy with everything below it inlined."""
    total: dict[str, int] = {}
    for function in reversed(order):
        below = sum(count * total.get(callee, 0) for callee, count in calls[function].items())
        total[function] = min(sizes[function] + below, 10 * _LIMIT)
    return total[name]
