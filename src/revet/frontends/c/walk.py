"""Generic walks over the syntax tree: children of a node, all expressions of a function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from revet.frontends.c import ast

_EXPRESSION_PARTS: dict[type, tuple[str, ...]] = {
    ast.Deref: ("pointer",), ast.Index: ("array", "index"), ast.Member: ("record",),
    ast.AddressOf: ("operand",), ast.Decay: ("array",), ast.Cast: ("operand",),
    ast.Unary: ("operand",), ast.Binary: ("left", "right"), ast.PointerAdd: ("pointer", "index"),
    ast.PointerDiff: ("left", "right"), ast.Logical: ("left", "right"),
    ast.Conditional: ("condition", "then", "otherwise"), ast.Comma: ("first", "second"),
    ast.Assign: ("target", "value"), ast.CompoundAssign: ("target", "value"),
    ast.Increment: ("target",), ast.VaArg: ("operand",),
}
_STATEMENT_EXPRESSIONS: dict[type, tuple[str, ...]] = {
    ast.Evaluate: ("expression",), ast.If: ("condition",), ast.While: ("condition",),
    ast.DoWhile: ("condition",), ast.For: ("condition", "step"), ast.Switch: ("value",),
    ast.Return: ("value",),
}
_STATEMENT_PARTS: dict[type, tuple[str, ...]] = {
    ast.If: ("then", "otherwise"), ast.While: ("body",), ast.DoWhile: ("body",),
    ast.For: ("start", "body"), ast.Switch: ("body",), ast.Case: ("body",), ast.Label: ("body",),
}


def _getter(names: tuple[str, ...]) -> Callable[[ast.Expr], list[ast.Expr]]:
    """The named attributes as a list: attrgetter gives a tuple of several, but the value of one."""
    if not names:
        return lambda expression: []
    get: Callable[[ast.Expr], Any] = attrgetter(*names)
    return (lambda expression: [get(expression)]) if len(names) == 1 else (lambda e: list(get(e)))


_PARTS: defaultdict[type, Callable[[ast.Expr], list[ast.Expr]]] = defaultdict(
    lambda: _getter(()), {kind: _getter(names) for kind, names in _EXPRESSION_PARTS.items()}
)


def _of_call(call: ast.Expr) -> list[ast.Expr]:
    assert isinstance(call, ast.Call)
    return [call.function, *call.arguments]


def _of_compound(literal: ast.Expr) -> list[ast.Expr]:
    assert isinstance(literal, ast.CompoundLiteral)
    return initial_values(literal.variable)


_PARTS[ast.Call], _PARTS[ast.CompoundLiteral] = _of_call, _of_compound


def parts(expression: ast.Expr) -> list[ast.Expr]:
    """The direct subexpressions (not those of an embedded statement)."""
    return _PARTS[type(expression)](expression)


def initial_values(variable: ast.Variable) -> list[ast.Expr]:
    if variable.initialiser is None:
        return []
    return [entry.value for entry in variable.initialiser.entries]


def expressions_below(roots: Iterable[ast.Expr]) -> Iterator[ast.Expr]:
    """These expressions and all below them (not those of embedded statements)."""
    stack = list(roots)
    while stack:
        expression = stack.pop()
        yield expression
        stack += parts(expression)


def statements(root: ast.Stmt) -> Iterator[ast.Stmt]:
    """All statements below (and with) ``root``, outer before inner; not those in expressions."""
    stack: list[ast.Stmt] = [root]
    while stack:
        statement = stack.pop()
        yield statement
        stack.extend(reversed(_statement_parts(statement)))


def _statement_parts(statement: ast.Stmt) -> Sequence[ast.Stmt]:
    if isinstance(statement, ast.Block):
        return statement.body
    inner = (getattr(statement, name) for name in _STATEMENT_PARTS.get(type(statement), ()))
    return [part for part in inner if part is not None]


def cases_of(switch: ast.Switch) -> Iterator[ast.Case]:
    """The case labels of a switch, in order, not those of switches inside it."""
    stack: list[ast.Stmt] = [switch.body]
    while stack:
        statement = stack.pop()
        if isinstance(statement, ast.Case):
            yield statement
        if not isinstance(statement, ast.Switch):
            stack.extend(reversed(_statement_parts(statement)))


def expressions_of(statement: ast.Stmt) -> list[ast.Expr]:
    """The expressions that stand directly in a statement."""
    if isinstance(statement, ast.Declare):
        return initial_values(statement.variable)
    names = _STATEMENT_EXPRESSIONS.get(type(statement), ())
    found = (getattr(statement, name) for name in names)
    return [expression for expression in found if expression is not None]


def all_expressions(root: ast.Stmt) -> Iterator[ast.Expr]:
    """Every expression below ``root``, statement expressions included; outer before inner."""
    pending: list[ast.Stmt] = [root]
    while pending:
        for statement in statements(pending.pop()):
            stack = expressions_of(statement)
            while stack:
                expression = stack.pop()
                yield expression
                if isinstance(expression, ast.StatementExpr):
                    pending.append(expression.body)
                stack += parts(expression)


def every_expression(program: ast.CProgram) -> Iterator[ast.Expr]:
    """All expressions of all functions, and those that globals begin with."""
    for function in program.functions.values():
        yield from all_expressions(function.body)
    yield from expressions_below(value for variable in program.globals for value in initial_values(variable))


def mentioned(program: ast.CProgram) -> set[ast.Variable]:
    """The variables that stand in some expression of the program; headers declare many more."""
    return {expr.variable for expr in every_expression(program) if isinstance(expr, ast.VarRef)}


_EFFECTS = (
    ast.Assign, ast.CompoundAssign, ast.Increment, ast.Call, ast.StatementExpr, ast.VaArg,
    ast.CompoundLiteral,
)


class Effects:
    """Does evaluating an expression change anything (or call anything)?"""

    def __init__(self, pure_functions: frozenset[str] = frozenset()) -> None:
        self._pure = pure_functions
        self._memo: dict[ast.Expr, bool] = {}

    def __call__(self, expression: ast.Expr) -> bool:
        known = self._memo.get(expression)
        if known is None:
            known = self._own(expression) or any(self(part) for part in parts(expression))
            self._memo[expression] = known
        return known

    def _own(self, expression: ast.Expr) -> bool:
        if isinstance(expression, ast.Call):
            function = expression.function
            return not (isinstance(function, ast.FunctionRef) and function.name in self._pure)
        return isinstance(expression, _EFFECTS)


def all_statements(body: ast.Stmt) -> Iterator[ast.Stmt]:
    """The statement and all inside of it, those in statement expressions last."""
    yield from statements(body)
    for expression in all_expressions(body):
        if isinstance(expression, ast.StatementExpr):
            yield from statements(expression.body)


def before_and_value(body: ast.Block) -> tuple[list[ast.Stmt], ast.Expr | None]:
    """All statements of a statement expression, and the expression at its end, which is its value."""
    last = body.body[-1] if body.body else None
    value = last.expression if isinstance(last, ast.Evaluate) else None
    outermost = body.body if value is None else body.body[:-1]
    return [inner for statement in outermost for inner in statements(statement)], value
