"""``__attribute__((cleanup(f)))``: ``f(&x)`` is called wherever the scope of ``x`` is left.

The calls are written out: at the end of the block, and before each ``break``, ``continue``, ``goto`` and
``return`` that leaves it, the last variable first; what is returned is computed before. (``longjmp`` and
``exit`` leave without them, as compiled. Jumps past the declaration are errors for clang.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from revet.errors import Unsupported
from revet.frontends.c import ast
from revet.frontends.c.types import VOID, Function, Pointer
from revet.frontends.c.walk import all_expressions, statements

if TYPE_CHECKING:
    from revet.frontends.c.reader.unit import UnitReader

Alive = tuple[ast.Variable, ...]  # variables with a cleanup function, the outermost first
Cleanups = dict[ast.Variable, ast.FunctionRef]
_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Goto)


def with_cleanups(unit: UnitReader, body: ast.Block, cleanups: Cleanups) -> ast.Block:
    """The body of a function with the calls; raises ``Unsupported`` for what is left out."""
    if unit.linkage.ends and unit.current == "main":
        raise Unsupported("cleanup functions in a main with functions that run at its end", body.span.start)
    for one in all_expressions(body):
        if isinstance(one, ast.StatementExpr) and any(
            isinstance(s, _LEAVING) or (isinstance(s, ast.Declare) and s.variable in cleanups)
            for s in statements(one.body)
        ):
            raise Unsupported("a statement expression and cleanup functions in one function", one.at)
    writer = _Writer(unit, cleanups, {})
    writer.find_labels(body, ())
    found = writer.write(body, (), _Around(0, 0))
    assert isinstance(found, ast.Block)
    return found


@dataclass(frozen=True, slots=True)
class _Around:
    """How many variables were alive where the statement began that ``break`` or ``continue`` is about."""

    leave: int
    again: int


@dataclass(eq=False)
class _Writer:
    unit: UnitReader
    cleanups: Cleanups
    labels: dict[str, Alive]

    def find_labels(self, statement: ast.Stmt, alive: Alive) -> None:
        """Which variables are alive at each label."""
        if isinstance(statement, ast.Block):
            for inner in statement.body:
                self.find_labels(inner, alive)
                alive += self._declared(inner)
            return
        if isinstance(statement, ast.Label):
            self.labels[statement.name] = alive
        for inner in _inside(statement):
            if self._declared(inner):
                raise Unsupported("this place of a variable with a cleanup function", inner.span.start)
            self.find_labels(inner, alive)

    def _declared(self, statement: ast.Stmt) -> Alive:
        if isinstance(statement, ast.Declare) and statement.variable in self.cleanups:
            return (statement.variable,)
        return ()

    def write(self, statement: ast.Stmt, alive: Alive, around: _Around) -> ast.Stmt:
        match statement:
            case ast.Block(body, span):
                return self._block(body, span, alive, around)
            case ast.Return(value, span):
                return self._return(value, span, alive)
            case ast.Break(span):
                return self._before(statement, alive[around.leave :], span)
            case ast.Continue(span):
                return self._before(statement, alive[around.again :], span)
            case ast.Goto(label, span):
                return self._before(statement, alive[len(self.labels[label]) :], span)
            case ast.If(_, then, otherwise):
                other = None if otherwise is None else self.write(otherwise, alive, around)
                return replace(statement, then=self.write(then, alive, around), otherwise=other)
            case ast.While(body=inner) | ast.DoWhile(body=inner) | ast.For(body=inner):
                loop = _Around(len(alive), len(alive))
                return replace(statement, body=self.write(inner, alive, loop))
            case ast.Switch(body=inner):
                return replace(
                    statement, body=self.write(inner, alive, replace(around, leave=len(alive)))
                )
            case ast.Case(body=inner) | ast.Label(body=inner):
                return replace(statement, body=self.write(inner, alive, around))
        return statement

    def _block(
        self, body: tuple[ast.Stmt, ...], span: ast.Span, alive: Alive, around: _Around
    ) -> ast.Stmt:
        written: list[ast.Stmt] = []
        outside = len(alive)
        for statement in body:
            written.append(self.write(statement, alive, around))
            alive += self._declared(statement)
        end = ast.Span(span.end, span.end, "}")
        return ast.Block((*written, *self._calls(alive[outside:], end)), span)

    def _return(self, value: ast.Expr | None, span: ast.Span, alive: Alive) -> ast.Stmt:
        if value is None or not alive or value.type == VOID:
            return self._before(ast.Return(value, span), alive, span)
        at = span.start
        saved = ast.VarRef(self.unit.variables.temporary(value.type, at), value.type, at)
        save = ast.Evaluate(ast.Assign(saved, value, value.type, at), span)
        return ast.Block((save, *self._calls(alive, span), ast.Return(saved, span)), span)

    def _before(self, statement: ast.Stmt, left: Alive, span: ast.Span) -> ast.Stmt:
        return ast.Block((*self._calls(left, span), statement), span) if left else statement

    def _calls(self, left: Alive, span: ast.Span) -> list[ast.Stmt]:
        return [ast.Evaluate(self._call(variable, span), span) for variable in reversed(left)]

    def _call(self, variable: ast.Variable, span: ast.Span) -> ast.Expr:
        at = span.start
        function = replace(self.cleanups[variable], at=at)
        assert isinstance(function.type, Function)
        size = self.unit.model.pointer_size
        address: ast.Expr = ast.AddressOf(
            ast.VarRef(variable, variable.type, at), Pointer(variable.type, size), at
        )
        wanted = function.type.parameters
        if wanted and address.type != wanted[0]:
            address = ast.Cast(address, wanted[0], at)
        return ast.Call(function, (address,), function.type.result, at)


def _inside(statement: ast.Stmt) -> list[ast.Stmt]:
    match statement:
        case ast.If(_, then, otherwise):
            return [then] if otherwise is None else [then, otherwise]
        case ast.For(start=start, body=body):
            return [body] if start is None else [start, body]
        case ast.While(body=body) | ast.DoWhile(body=body) | ast.Switch(body=body):
            return [body]
        case ast.Case(body=body) | ast.Label(body=body):
            return [body]
    return []
