"""Statements, iteratively along lists and recursively into nests (see ``deep.py``)."""

from __future__ import annotations

from collections.abc import Callable

from revet.frontends.c import ast
from revet.frontends.c.clang import Cursor, CursorKind
from revet.frontends.c.reader.unit import UnitReader


class StatementReader:
    def __init__(self, unit: UnitReader) -> None:
        self.unit = unit
        self.lib = unit.lib
        self._children = unit.lib.children
        self._readers: dict[int, Callable[[Cursor, ast.Span], ast.Stmt]] = {
            CursorKind.BLOCK: self._block, CursorKind.DECLARATION: self._declarations,
            CursorKind.IF: self._if, CursorKind.WHILE: self._while, CursorKind.DO: self._do,
            CursorKind.FOR: self._for, CursorKind.SWITCH: self._switch,
            CursorKind.CASE: self._case, CursorKind.DEFAULT: self._default,
            CursorKind.LABEL: self._label, CursorKind.GOTO: self._goto,
            CursorKind.BREAK: lambda cursor, span: ast.Break(span),
            CursorKind.CONTINUE: lambda cursor, span: ast.Continue(span),
            CursorKind.RETURN: self._return,
            CursorKind.NULL: lambda cursor, span: ast.Empty(span),
            CursorKind.ASM: lambda cursor, span: ast.Asm(span),
        }

    def read(self, cursor: Cursor) -> ast.Stmt:
        start, end = self.unit.extent(cursor)
        span = self.unit.source.span(start, end)
        reader = self._readers.get(cursor.kind)
        if reader is not None:
            return reader(cursor, span)
        if CursorKind.FIRST_EXPRESSION <= cursor.kind <= CursorKind.LAST_EXPRESSION:
            return ast.Evaluate(self._expression(cursor), span)
        if cursor.kind == 200:  # an attributed statement, e.g. __attribute__((fallthrough));
            inner = [child for child in self._children(cursor) if child.kind < CursorKind.FIRST_ATTRIBUTE]
            if len(inner) == 1:
                return self.read(inner[0])
        raise self.unit.unsupported(cursor, "this statement is not modelled")

    def _expression(self, cursor: Cursor) -> ast.Expr:
        return self.unit.expressions.read(cursor)

    def _block(self, cursor: Cursor, span: ast.Span) -> ast.Stmt:
        body: list[ast.Stmt] = []
        for child in self._children(cursor):
            statement = self.read(child)
            if child.kind == CursorKind.DECLARATION and isinstance(statement, ast.Block):
                body += statement.body  # declarations belong to this block's scope
            else:
                body.append(statement)
        return ast.Block(tuple(body), span)

    def _declarations(self, cursor: Cursor, span: ast.Span) -> ast.Stmt:
        found: list[ast.Stmt] = []
        for child in self._children(cursor):
            if child.kind == CursorKind.VAR:
                variable = self.unit.declare_variable(child)
                if not variable.static and not variable.is_global:
                    found.append(ast.Declare(variable, span))
            elif child.kind == CursorKind.FUNCTION:
                self.unit.function_name(child)
        return found[0] if len(found) == 1 else ast.Block(tuple(found), span)

    def _if(self, cursor: Cursor, span: ast.Span) -> ast.Stmt:
        """A chain of else-ifs is read from its end, so that its length costs no stack."""
        chain: list[tuple[ast.Expr, ast.Stmt, ast.Span]] = []
        otherwise: ast.Stmt | None = None
        current: Cursor | None = cursor
        while current is not None:
            condition, then, *rest = self._children(current)
            chain.append((self._expression(condition), self.read(then), span))
            current = None
            if rest and rest[0].kind == CursorKind.IF:
                current = rest[0]
                span = self.unit.source.span(*self.unit.extent(current))
            elif rest:
                otherwise = self.read(rest[0])
        for test, then_branch, place in reversed(chain):
            otherwise = ast.If(test, then_branch, otherwise, place)
        assert otherwise is not None
        return otherwise

    def _while(self, cursor: Cursor, span: ast.Span) -> ast.Stmt:
        condition, body = self._children(cursor)
        return ast.While(self._expression(condition), self.read(body), span)

    def _do(self, cursor: Cursor, span: ast.Span) -> ast.Stmt:
        body, condition = self._children(cursor)
        return ast.DoWhile(self.read(body), self._expression(condition), span)

    def _for(self, cursor: Cursor, span: ast.Span) -> ast.Stmt:
        """Absent parts have no cursor: which part a child is follows from the semicolons."""
        *header, body = self._children(cursor)
        first, second = _semicolons(self.unit.source.text, self.unit.start(cursor))
        start: ast.Stmt | None = None
        condition: ast.Expr | None = None
        step: ast.Expr | None = None
        for part in header:
            where = self.unit.start(part)
            if where < first:
                start = self.read(part)
            elif where < second:
                condition = self._expression(part)
            else:
                step = self._expression(part)
        return ast.For(start, condition, step, self.read(body), span)

    def _switch(self, cursor: Cursor, span: ast.Span) -> ast.Stmt:
        value, body = self._children(cursor)
        return ast.Switch(self._expression(value), self.read(body), span)

    def _case(self, cursor: Cursor, span: ast.Span) -> ast.Stmt:
        """``case 1: case 2: …`` nests in clang; a long run of them is read in a loop."""
        labels: list[tuple[int | None, int | None, ast.Span]] = []
        current = cursor
        while current.kind in (CursorKind.CASE, CursorKind.DEFAULT):
            *values, body = self._children(current)
            bounds = [self.lib.integer_value(value) for value in values]
            if None in bounds:
                raise self.unit.unsupported(current, "this case label is not modelled")
            low = bounds[0] if bounds else None
            labels.append((low, bounds[-1] if bounds else None, span))
            current = body
            span = self.unit.source.span(*self.unit.extent(current))
        statement = self.read(current)
        for low, high, place in reversed(labels):
            statement = ast.Case(low, high, statement, place)
        return statement

    _default = _case

    def _label(self, cursor: Cursor, span: ast.Span) -> ast.Stmt:
        name = self.lib.text(self.lib.getCursorSpelling(cursor))
        return ast.Label(name, self.read(self._children(cursor)[-1]), span)

    def _goto(self, cursor: Cursor, span: ast.Span) -> ast.Stmt:
        return ast.Goto(self.lib.text(self.lib.getCursorSpelling(self._children(cursor)[0])), span)

    def _return(self, cursor: Cursor, span: ast.Span) -> ast.Stmt:
        children = self._children(cursor)
        return ast.Return(self._expression(children[0]) if children else None, span)


def _semicolons(text: bytes, start: int) -> tuple[int, int]:
    """Where the two semicolons of a ``for`` header are."""
    found: list[int] = []
    depth = 0
    at = text.index(b"(", start)
    while len(found) < 2 and at < len(text):
        character = text[at : at + 1]
        if character in b"([{":
            depth += 1
        elif character in b")]}":
            depth -= 1
        elif character in (b'"', b"'"):
            at = _skip_quoted(text, at)
        elif text.startswith(b"/*", at):
            at = text.index(b"*/", at) + 1
        elif text.startswith(b"//", at):
            at = text.index(b"\n", at)
        elif character == b";" and depth == 1:
            found.append(at)
        at += 1
    return found[0], found[1]


def _skip_quoted(text: bytes, at: int) -> int:
    quote = text[at]
    at += 1
    while text[at] != quote:
        at += 2 if text[at : at + 1] == b"\\" else 1
    return at
