"""The parts of typed expressions, and what follows from looking at them."""

from __future__ import annotations

from collections.abc import Iterator

from revet.frontends.lustre import core


def children(expr: core.Expr) -> tuple[core.Expr, ...]:
    """The direct parts, including a call's arguments."""
    match expr:
        case core.Op(arguments=parts) | core.Make(items=parts):
            return parts
        case core.If():
            return (expr.condition, expr.then, expr.otherwise)
        case core.Arrow() | core.SetOp() | core.Join():
            return (expr.left, expr.right)
        case core.At(argument=argument, index=index):
            return (argument, index)
        case core.Put():
            return (expr.argument, expr.index, expr.value)
        case core.PutPart():
            return (expr.argument, expr.value)
        case core.In():
            return (expr.element, expr.container)
        case core.Quantify(body=body) | core.ArrayDef(body=body):
            return (body,)
        case core.Free(constraints=constraints):
            return tuple(constraints)
        case core.Choice(captured=captured, constraints=constraints):
            return (*captured, *constraints)
        case core.Ascribed():
            return (expr.argument, *expr.clauses)
        case core.Output(call=call):
            return tuple(call_parts(call))
        case core.Decrease(call=call):
            return call.arguments
        case (
            core.Pre(argument=argument) | core.Base(argument=argument) | core.Fill(argument=argument)
            | core.Project(argument=argument) | core.Test(argument=argument) | core.Select(argument=argument)
            | core.Slice(argument=argument)
        ):
            return (argument,)
    return ()


def call_parts(call: core.Call) -> Iterator[core.Expr]:
    yield from call.arguments
    yield from call.defaults or ()
    if call.clock is not None:
        yield call.clock
    if call.restart is not None:
        yield call.restart
    if call.decrease is not None:
        yield call.decrease


def subexpressions(*roots: core.Expr) -> Iterator[core.Expr]:
    """Every expression below the roots, once."""
    seen: set[core.Expr] = set()
    todo = list(roots)
    while todo:
        expr = todo.pop()
        if expr not in seen:
            seen.add(expr)
            yield expr
            todo += children(expr)


def is_temporal(expr: core.Expr) -> bool:
    """Does its value depend on the instants at which it is evaluated?"""
    return any(
        isinstance(part, (core.Pre, core.Arrow, core.Free))
        or (isinstance(part, core.Output) and not part.call.node.function)
        for part in subexpressions(expr)
    )


def called(node: core.Node) -> list[core.Node]:
    """A node and all that it calls, directly or not."""
    found: dict[core.Node, None] = {}
    todo = [node]
    while todo:
        one = todo.pop(0)
        if one not in found:
            found[one] = None
            todo += callees(one)
    return list(found)


def callees(node: core.Node) -> list[core.Node]:
    """The nodes that occur in a node's body and contract."""
    parts = subexpressions(*node.expressions)
    return list(dict.fromkeys(part.call.node for part in parts if isinstance(part, core.Output)))


def is_within(wanted: core.Expr, formula: core.Expr) -> bool:
    """Is an expression part of a formula, or of a node that is called in it, directly or not?"""
    parts = list(subexpressions(formula))
    below = {node: None for part in parts if isinstance(part, core.Output) for node in called(part.call.node)}
    return wanted in parts or any(wanted in subexpressions(*node.expressions) for node in below)


def has_obligations(node: core.Node) -> bool:
    """Is there anything to be shown about a node or what it calls?"""
    for one in called(node):
        own = (one.properties, one.guarantees, one.duties, one.modes, one.conditions, one.doubled, one.family)
        if any(own) or (one.assumes and one is not node):
            return True
        for expr in subexpressions(*one.expressions):
            match expr:
                case core.Ascribed() | core.Select(checked=False):
                    return True
    return False


def guards(body: core.Expr, universal: bool) -> Iterator[core.Expr]:
    """The conditions under which the body matters."""
    match body:
        case core.Op(operator="=>", arguments=(guard, rest)) if universal:
            yield from _conjuncts(guard)
            yield from guards(rest, universal)
        case core.If(condition=condition, then=then, otherwise=core.Const(value=value)) if value is universal:
            yield from _conjuncts(condition)
            yield from guards(then, universal)
        case core.Op(operator="and") if not universal:
            yield from _conjuncts(body)


def _conjuncts(expr: core.Expr) -> Iterator[core.Expr]:
    match expr:
        case core.Op(operator="and", arguments=arguments):
            for part in arguments:
                yield from _conjuncts(part)
        case core.If(condition=condition, then=then, otherwise=core.Const(value=False)):
            yield from _conjuncts(condition)
            yield from _conjuncts(then)
        case _:
            yield expr


def bounds(test: core.Expr, variable: core.Bound) -> tuple[str, core.Expr, int] | None:
    """(low or high, bound, correction) if the test bounds the variable."""
    if not isinstance(test, core.Op) or len(test.arguments) != 2:
        return None
    left, right = test.arguments
    turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
    operator = test.operator
    if isinstance(right, core.Bound) and right.name == variable.name and operator in turned:
        left, right, operator = right, left, turned[operator]
    if not isinstance(left, core.Bound) or left.name != variable.name:
        return None
    match operator:
        case "<":
            return "high", right, -1
        case "<=":
            return "high", right, 0
        case ">":
            return "low", right, 1
        case ">=":
            return "low", right, 0
    return None
