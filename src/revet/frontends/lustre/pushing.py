"""``pre`` of an expression with bound variables, which do not change: the ``pre`` goes to the parts of
the expression that have none. Shared by the interpreter and the lowering."""

from __future__ import annotations

from revet.errors import Unsupported
from revet.frontends.lustre import core
from revet.frontends.lustre.walk import subexpressions


def uses_bound(expr: core.Expr) -> bool:
    """Does the expression mention a variable that is bound outside of it?"""
    inner: set[str] = set()
    used: set[str] = set()
    for part in subexpressions(expr):
        match part:
            case core.Bound(name=name):
                used.add(name)
            case core.Quantify(variables=variables):
                inner |= {variable.name for variable in variables}
            case core.ArrayDef(variable=variable):
                inner.add(variable.name)
    return bool(used - inner)


def pushed_once(expr: core.Pre, program: core.Program) -> core.Expr:
    """See :func:`pushed`; made once for a program: its parts are places of their own."""
    if expr not in program.pushed:
        program.pushed[expr] = pushed(expr.argument)
    return program.pushed[expr]


def pushed(expr: core.Expr) -> core.Expr:
    """``pre expr``, with the ``pre`` where it depends on no bound variable."""
    at, type_ = expr.position, expr.type
    if isinstance(expr, (core.Bound, core.Const)):
        return expr
    if not uses_bound(expr):
        return core.Pre(at, type_, expr)
    match expr:
        case core.At(argument=argument, index=index):
            return core.At(at, type_, pushed(argument), pushed(index))
        case core.Op(operator=operator, arguments=arguments):
            return core.Op(at, type_, operator, tuple(map(pushed, arguments)), expr.bits)
        case core.If(condition=condition, then=then, otherwise=otherwise):
            return core.If(at, type_, pushed(condition), pushed(then), pushed(otherwise), expr.lazy)
        case core.In(element=element, container=container):
            return core.In(at, type_, pushed(element), pushed(container))
        case core.Make(items=items, constructor=constructor):
            return core.Make(at, type_, tuple(map(pushed, items)), constructor)
        case core.Project(argument=argument, index=index):
            return core.Project(at, type_, pushed(argument), index)
    raise Unsupported("this 'pre' depends on a bound variable", at)
