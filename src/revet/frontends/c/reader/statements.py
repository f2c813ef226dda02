"""Statements, iteratively along lists and recursively into nests (:mod:`revet.frontends.kit.deep`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node
from revet.frontends.c.reader.assembly import assembly
from revet.frontends.c.reader.attributes import check_attributes
from revet.frontends.c.reader.constants import constant
from revet.frontends.c.reader.endings import before_return

if TYPE_CHECKING:
    from revet.frontends.c.reader.unit import UnitReader

_TYPES = ("RecordDecl", "EnumDecl", "TypedefDecl")


class StatementReader:
    def __init__(self, unit: UnitReader) -> None:
        self.unit = unit
        self._readers: dict[str, Callable[[Node, ast.Span], ast.Stmt]] = {
            "CompoundStmt": self._block, "DeclStmt": self._declarations, "IfStmt": self._if,
            "WhileStmt": self._while, "DoStmt": self._do, "ForStmt": self._for, "SwitchStmt": self._switch,
            "CaseStmt": self._case, "DefaultStmt": self._case, "LabelStmt": self._label,
            "IndirectGotoStmt": unit.labels.go, "GotoStmt": self._goto,
            "BreakStmt": lambda node, span: ast.Break(span),
            "ContinueStmt": lambda node, span: ast.Continue(span), "ReturnStmt": self._return,
            "NullStmt": lambda node, span: ast.Empty(span),
            "GCCAsmStmt": lambda node, span: assembly(unit, node, span), "AttributedStmt": self._attributed,
        }

    def read(self, node: Node) -> ast.Stmt:
        span = self.unit.sources.span(node)
        reader = self._readers.get(node.kind)
        if reader is not None:
            return reader(node, span)
        if node.kind.endswith("Stmt"):
            raise self.unit.unsupported(node, f"{node.kind} is not modelled")
        return ast.Evaluate(self._expression(node), span)

    def _expression(self, node: Node) -> ast.Expr:
        return self.unit.expressions.read(node)

    def _block(self, node: Node, span: ast.Span) -> ast.Stmt:
        body: list[ast.Stmt] = []
        self.unit.types.push()
        for child in node.inner:
            statement = self.read(child)
            if child.kind == "DeclStmt" and isinstance(statement, ast.Block):
                body += statement.body  # declarations belong to this block's scope
            else:
                body.append(statement)
        self.unit.types.pop()
        return ast.Block(tuple(body), span)

    def _declarations(self, node: Node, span: ast.Span, movable: bool = True) -> ast.Stmt:
        found: list[ast.Stmt] = []
        for child in node.inner:
            if child.kind == "VarDecl":
                variable = self.unit.variables.declare(child, node if movable else None)
                if not variable.static and not variable.is_global:
                    found.append(ast.Declare(variable, span))
            elif child.kind in _TYPES:
                self.unit.declare_type(child)
                self.unit.variables.name_type(child, node if movable else None)
            elif child.kind == "FunctionDecl":
                self.unit.declare_local_function(child)
            elif child.kind not in ("StaticAssertDecl", "EmptyDecl", "LabelDecl"):
                raise self.unit.unsupported(child, f"{child.kind} is not modelled")
        return found[0] if len(found) == 1 else ast.Block(tuple(found), span)

    def _if(self, node: Node, span: ast.Span) -> ast.Stmt:
        """A chain of else-ifs is read from its end, so that its length costs no stack."""
        chain: list[tuple[ast.Expr, ast.Stmt, ast.Span]] = []
        otherwise: ast.Stmt | None = None
        current: Node | None = node
        while current is not None:
            if current.has_init or current.has_var:
                raise self.unit.unsupported(current, "a declaration in a condition is not modelled")
            condition, then, *rest = current.inner
            chain.append((self._expression(condition), self.read(then), span))
            current = None
            if rest and rest[0].kind == "IfStmt":
                current = rest[0]
                span = self.unit.sources.span(current)
            elif rest:
                otherwise = self.read(rest[0])
        for test, then_branch, place in reversed(chain):
            otherwise = ast.If(test, then_branch, otherwise, place)
        assert otherwise is not None
        return otherwise

    def _while(self, node: Node, span: ast.Span) -> ast.Stmt:
        condition, body = node.inner
        return ast.While(self._expression(condition), self.read(body), span)

    def _do(self, node: Node, span: ast.Span) -> ast.Stmt:
        body, condition = node.inner
        return ast.DoWhile(self.read(body), self._expression(condition), span)

    def _for(self, node: Node, span: ast.Span) -> ast.Stmt:
        """Absent parts are nodes without a kind; the second is a variable in the condition (C++)."""
        first, _, test, last, body = node.inner
        self.unit.types.push()
        start: ast.Stmt | None = None
        if first.kind == "DeclStmt":
            start = self._declarations(first, self.unit.sources.span(first), movable=False)
        elif first.kind:
            start = self.read(first)
        condition = self._expression(test) if test.kind else None
        step = self._expression(last) if last.kind else None
        inner = self.read(body)
        self.unit.types.pop()
        return ast.For(start, condition, step, inner, span)

    def _switch(self, node: Node, span: ast.Span) -> ast.Stmt:
        value, body = node.inner
        return ast.Switch(self._expression(value), self.read(body), span)

    def _case(self, node: Node, span: ast.Span) -> ast.Stmt:
        """``case 1: case 2: …`` nests in clang; a long run of them is read in a loop."""
        labels: list[tuple[int | None, int | None, ast.Span]] = []
        current = node
        while current.kind in ("CaseStmt", "DefaultStmt"):
            *values, body = current.inner
            bounds = [constant(self._expression(value)) for value in values]
            if None in bounds:
                raise self.unit.unsupported(current, "this case label is not modelled")
            low = bounds[0] if bounds else None
            labels.append((low, bounds[-1] if bounds else None, span))
            current = body
            span = self.unit.sources.span(current)
        statement = self.read(current)
        for low, high, place in reversed(labels):
            statement = ast.Case(low, high, statement, place)
        return statement

    def _label(self, node: Node, span: ast.Span) -> ast.Stmt:
        return ast.Label(self.unit.labels.name(node), self.read(node.inner[-1]), span)

    def _goto(self, node: Node, span: ast.Span) -> ast.Stmt:
        return ast.Goto(self.unit.labels.name(node), span)

    def _return(self, node: Node, span: ast.Span) -> ast.Stmt:
        value: ast.Expr | None = None
        if node.inner:
            value = self.unit.expressions.convert(self._expression(node.inner[0]), self.unit.result)
        if self.unit.linkage.ends and self.unit.current == "main":
            return before_return(self.unit, value, span)
        return ast.Return(value, span)

    def _attributed(self, node: Node, span: ast.Span) -> ast.Stmt:
        check_attributes(node, span.start)
        return self.read(next(child for child in node.inner if not child.kind.endswith("Attr")))
