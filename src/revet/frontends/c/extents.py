"""Where the life of a function's local variables ends, from the text alone.

A variable lives until its block is left: at the block's end, by a jump out of it, or by returning from the
function. A scope is written as the statements that make it, outermost first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from revet.frontends.c import ast
from revet.frontends.c.walk import expressions_of, parts

Scope = tuple[ast.Stmt, ...]


@dataclass(eq=False)
class Extents:
    """``scopes`` has the scope of every local variable (parameters have the function's, which is empty);
    ``ended`` the variables whose life ends with a block or a ``for``, or by a jump. ``begun`` has those whose
    declaration a jump may pass by: their life begins, with any value, at the jump into their block, or where
    the block is entered from above."""

    scopes: dict[ast.Variable, Scope] = field(default_factory=dict)
    ended: dict[ast.Stmt, list[ast.Variable]] = field(default_factory=dict)
    begun: dict[ast.Stmt, list[ast.Variable]] = field(default_factory=dict)

    def is_inner(self, variable: ast.Variable) -> bool:
        """Does the variable die before its function returns?"""
        return bool(self.scopes.get(variable))


@dataclass(frozen=True, slots=True)
class _Visit:
    statement: ast.Stmt
    scope: Scope
    breaks: Scope = ()
    continues: Scope = ()
    switch: _Place | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a jump starts or ends: ``before`` declarations stand above it."""

    statement: ast.Stmt
    scope: Scope
    before: int


def extents_of(function: ast.FunctionDef) -> Extents:
    """Of one function. A jump out of a statement expression ends no variable of the blocks around it."""
    found = Extents(dict.fromkeys(function.parameters, ()))
    labels: dict[str, Scope] = {}
    jumps: list[tuple[ast.Stmt, Scope, Scope | str]] = []
    declared: list[ast.Variable] = []
    targets: dict[str, _Place] = {}
    entering: list[tuple[_Place, _Place | str]] = []
    outermost = function.body.body if isinstance(function.body, ast.Block) else (function.body,)
    stack = [_Visit(statement, ()) for statement in reversed(outermost)]
    while stack:
        visit = stack.pop()
        here = _Place(visit.statement, visit.scope, len(declared))
        match visit.statement:
            case ast.Declare(variable):
                found.scopes[variable] = visit.scope
                declared.append(variable)
            case ast.Break():
                jumps.append((visit.statement, visit.scope, visit.breaks))
            case ast.Continue():
                jumps.append((visit.statement, visit.scope, visit.continues))
            case ast.Goto(label):
                jumps.append((visit.statement, visit.scope, label))
                entering.append((here, label))
            case ast.Label(name):
                labels[name] = visit.scope
                targets[name] = here
            case ast.Case() if visit.switch is not None:
                entering.append((visit.switch, here))
        for expression in _below(visit.statement):
            if isinstance(expression, ast.CompoundLiteral):
                found.scopes[expression.variable] = visit.scope
            elif isinstance(expression, ast.StatementExpr):
                stack.append(_Visit(expression.body, visit.scope))
        stack += reversed(_inside(visit, here))
    for statement, scope, target in jumps:
        to = labels.get(target, ()) if isinstance(target, str) else target
        found.ended[statement] = [v for v, own in found.scopes.items() if _encloses(own, scope, to)]
    for variable, own in found.scopes.items():
        if own:
            found.ended.setdefault(own[-1], []).append(variable)
    for start, aim in entering:
        _begin(found, function.body, declared, start, targets[aim] if isinstance(aim, str) else aim)
    return found


def _begin(
    found: Extents, body: ast.Stmt, declared: list[ast.Variable], start: _Place, target: _Place
) -> None:
    """The variables whose declaration is above the target of a jump, and not between its block's beginning
    and the jump."""
    for number, variable in enumerate(declared[: target.before]):
        own = found.scopes[variable]
        if _encloses(own, target.scope, start.scope):
            at = start.statement
        elif number >= start.before and own == target.scope[: len(own)]:
            at = own[-1] if own else body
        else:
            continue
        if variable not in found.begun.setdefault(at, []):
            found.begun[at].append(variable)


def _encloses(own: Scope, here: Scope, target: Scope) -> bool:
    """Is a scope left by a jump from one place to another?"""
    return own == here[: len(own)] and own != target[: len(own)]


def _below(statement: ast.Stmt) -> Iterator[ast.Expr]:
    """The expressions of a statement, not those of statements in it."""
    stack = expressions_of(statement)
    while stack:
        expression = stack.pop()
        yield expression
        stack += parts(expression)


def _inside(visit: _Visit, here: _Place) -> list[_Visit]:
    """The statements in a statement, which is at ``here``, with their scopes."""
    scope, breaks, continues, switch = visit.scope, visit.breaks, visit.continues, visit.switch
    match visit.statement:
        case ast.Block(body) as block:
            if not all(isinstance(inner, ast.Declare) for inner in body):  # not just several declarators
                scope = (*scope, block)
            return [_Visit(inner, scope, breaks, continues, switch) for inner in body]
        case ast.If(_, then, otherwise):
            arms = [arm for arm in (then, otherwise) if arm is not None]
            return [_Visit(arm, scope, breaks, continues, switch) for arm in arms]
        case ast.While(body=body) | ast.DoWhile(body=body):
            return [_Visit(body, scope, scope, scope, switch)]
        case ast.For(start=start, body=body) as loop:
            scope = (*scope, loop)
            both = [part for part in (start, body) if part is not None]
            return [_Visit(part, scope, scope, scope, switch) for part in both]
        case ast.Switch(body=body):
            return [_Visit(body, scope, scope, continues, here)]
        case ast.Case(body=body) | ast.Label(body=body):
            return [_Visit(body, scope, breaks, continues, switch)]
    return []
