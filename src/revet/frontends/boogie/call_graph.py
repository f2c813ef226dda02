"""Who calls whom, which procedures a run may start in, and what they read of the past."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from revet.frontends.boogie import syntax as s
from revet.frontends.kit.inlining import kept_once
from revet.frontends.kit.inlining import recursion_limits as limits_of

START = "ULTIMATE.start"
_ALL = ""  # stands for the start of a run, which enters every entry


def entries(checked: s.Checked) -> list[s.Procedure]:
    """``ULTIMATE.start`` if there is one, else every procedure with an implementation."""
    start = checked.procedures.get(START)
    if start is not None and start.implementations:
        return [start]
    return [procedure for procedure in checked.procedures.values() if procedure.implementations]


def is_library(checked: s.Checked) -> bool:
    return [procedure.name for procedure in entries(checked)] != [START]


def only_implementation(procedure: s.Procedure, program: s.Program) -> s.Implementation:
    if len(procedure.implementations) > 1:
        at = procedure.implementations[1].position
        raise program.unsupported(f"{procedure.name} has several implementations", at)
    return procedure.implementations[0]


def calls(checked: s.Checked) -> dict[str, Counter[str]]:
    """For every procedure with an implementation, how often it calls which others of them."""
    found: dict[str, Counter[str]] = {}
    for procedure in checked.procedures.values():
        for implementation in procedure.implementations:
            counts = found.setdefault(procedure.name, Counter())
            for statement in s.statements(implementation.body.statements):
                if isinstance(statement, s.Call) and statement.callee.implementations:
                    counts[statement.callee.name] += 1
    return found


def recursion_limits(checked: s.Checked, wanted: int = 0) -> dict[str, int]:
    """For every recursive procedure, how many activations at a time are modelled."""
    graph = calls(checked)

    def branching(name: str, component: frozenset[str]) -> int:
        return sum(count for callee, count in graph[name].items() if callee in component)

    return limits_of(graph, branching, wanted)


def copied_once(checked: s.Checked, recursive: dict[str, int]) -> frozenset[str]:
    """The procedures that are too many to be copied at every call."""
    graph = calls(checked)
    sizes = {
        procedure.name: sum(
            1 for one in procedure.implementations for _ in s.statements(one.body.statements)
        )
        for procedure in checked.procedures.values()
    }
    graph[_ALL] = Counter(procedure.name for procedure in entries(checked))
    return kept_once({**sizes, _ALL: 0}, graph, recursive, _ALL)


def read_as_old(procedure: s.Procedure) -> list[s.Variable]:
    """The globals whose value at entry the contract or the body speaks of."""
    found: dict[s.Variable, None] = {}
    for expression in _expressions(procedure):
        for node in s.preorder(expression):
            if isinstance(node, s.Old):
                inside = (part for part in s.preorder(node.argument) if isinstance(part, s.Name))
                found |= {part.variable: None for part in inside if part.variable.kind == "global"}
    return list(found)


def _expressions(procedure: s.Procedure) -> Iterator[s.Expr]:
    yield from (clause.formula for clause in (*procedure.requires, *procedure.ensures))
    for implementation in procedure.implementations:
        for statement in s.statements(implementation.body.statements):
            match statement:
                case s.Assert(formula=formula) | s.Assume(formula=formula):
                    yield formula
                case s.Assign(targets=targets, values=values):
                    yield from values
                    yield from (index for one in targets for group in one.indices for index in group)
                case s.Call(arguments=arguments):
                    yield from (argument for argument in arguments if argument is not None)
                case s.If(condition=condition) if condition is not None:
                    yield condition
                case s.While(condition=condition, invariants=invariants):
                    yield from (clause.formula for clause in invariants)
                    if condition is not None:
                        yield condition
