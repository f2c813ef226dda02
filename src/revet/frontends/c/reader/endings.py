"""What runs when a program ends: functions given to ``atexit``, then destructors.

``exit(s)`` and a ``return`` from ``main`` call one function of our own first (:data:`AT_EXIT`), which is
written once the whole program is read (:func:`at_exit`). Programs without such functions stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import Position, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.types import VOID, Function, Int, Pointer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.frontends.c.reader.linkage import Linkage
    from revet.frontends.c.reader.unit import UnitReader

AT_EXIT = "__revet_at_exit"
EXITS = ("exit", "__builtin_exit", "pthread_exit")
HANDLERS = "revet_exit_handlers"  # library/models/stdlib.c
_TYPE = Function(VOID, ())


def before_exit(unit: UnitReader, call: ast.Call) -> ast.Expr:
    """``exit(s)`` with the call of what runs first."""
    at = call.at
    if unit.current is None or len(call.arguments) != 1:
        return call
    status = call.arguments[0]
    saved = ast.VarRef(unit.variables.temporary(status.type, at), status.type, at)
    end = ast.Call(call.function, (saved,), call.type, at)
    last = ast.Comma(_run(at), end, end.type, at)
    return ast.Comma(ast.Assign(saved, status, status.type, at), last, end.type, at)


def before_return(unit: UnitReader, value: ast.Expr | None, span: ast.Span) -> ast.Stmt:
    """``return value;`` in ``main`` with the call of what runs then."""
    at = span.start
    if value is None:
        return ast.Block((ast.Evaluate(_run(at), span), ast.Return(None, span)), span)
    saved = ast.VarRef(unit.variables.temporary(value.type, at), value.type, at)
    save = ast.Evaluate(ast.Assign(saved, value, value.type, at), span)
    return ast.Block((save, ast.Evaluate(_run(at), span), ast.Return(saved, span)), span)


def with_end(unit: UnitReader, body: ast.Block) -> ast.Block:
    """The body of ``main``, whose end is a ``return 0``."""
    last = body.body[-1] if body.body else None
    if isinstance(last, ast.Block) and last.body and isinstance(last.body[-1], ast.Return):
        return body
    span = ast.Span(body.span.end, body.span.end, "")
    zero = ast.IntConst(0, unit.result, span.start) if isinstance(unit.result, Int) else None
    return ast.Block((*body.body, before_return(unit, zero, span)), body.span)


def _run(at: Position) -> ast.Expr:
    return ast.Call(ast.FunctionRef(AT_EXIT, _TYPE, at), (), VOID, at)


def at_exit(linkage: Linkage, destructors: Sequence[str], pointer_size: int) -> ast.FunctionDef:
    """What ends run first: handlers, the last one first, then destructors."""
    if "main" in linkage.mentioned:
        at = linkage.functions["main"].position if "main" in linkage.functions else None
        raise Unsupported("functions that run at the end of a program that calls main", at)
    at = Position("", 1, 1)
    calls: list[ast.Expr] = []
    if HANDLERS in linkage.functions:
        function = linkage.functions[HANDLERS]
        handler = function.type.parameters[0] if function.type.parameters else Pointer(_TYPE, pointer_size)
        none = ast.Cast(ast.IntConst(0, Int(32, True), at), handler, at)
        run = ast.FunctionRef(HANDLERS, function.type, at)
        calls.append(ast.Call(run, (none,), function.type.result, at))
    for name in destructors:
        type = linkage.declared[name]
        at = linkage.functions[name].position
        if type.parameters:
            raise Unsupported(f"the destructor {name} has parameters", at)
        calls.append(ast.Call(ast.FunctionRef(name, type, at), (), type.result, at))
    span = ast.Span(at, at, "")
    body = ast.Block(tuple(ast.Evaluate(call, ast.Span(call.at, call.at, "")) for call in calls), span)
    return ast.FunctionDef(AT_EXIT, _TYPE, (), body, at)
