"""One translation unit: declarations, and the tables that the other readers share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from revet.errors import Position, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.clang import Cursor, CursorKind, Library, SourceLocation
from revet.frontends.c.reader.source import Source
from revet.frontends.c.reader.type_reader import TypeReader, UnknownType
from revet.frontends.c.types import Array, CType, DataModel, Function, Record


@dataclass
class Linkage:
    """What the files of one program share: objects and functions with external linkage."""

    variables: dict[str, ast.Variable] = field(default_factory=dict)
    globals: list[ast.Variable] = field(default_factory=list)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    declared: dict[str, Function] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    counter: int = 0
    approximate: bool = False


class UnitReader:
    """Reads all declarations of a translation unit into ``linkage``."""

    def __init__(
        self, lib: Library, source: Source, base: int, model: DataModel, linkage: Linkage, number: int
    ) -> None:
        from revet.frontends.c.reader.expressions import ExpressionReader
        from revet.frontends.c.reader.initialisers import InitialiserReader
        from revet.frontends.c.reader.statements import StatementReader

        self.lib = lib
        self.source = source
        self.model = model
        self.linkage = linkage
        self.types = TypeReader(lib, model, linkage.records)
        self.expressions = ExpressionReader(self)
        self.initialisers = InitialiserReader(self)
        self.statements = StatementReader(self)
        self._base = base
        self._number = number
        self._variables: dict[int, ast.Variable] = {}
        self._functions: dict[int, str] = {}
        self.current: str | None = None

    # ---- places -----------------------------------------------------------------------------

    def extent(self, cursor: Cursor) -> tuple[int, int]:
        """Byte offsets of a cursor's text."""
        span = self.lib.getCursorExtent(cursor)
        return self._offset(span.begin, span.data), self._offset(span.end, span.data)

    def start(self, cursor: Cursor) -> int:
        span = self.lib.getCursorExtent(cursor)
        return self._offset(span.begin, span.data)

    def _offset(self, raw: int, data: object) -> int:
        if raw < 0x80000000:
            return raw - self._base
        location = SourceLocation(data, raw)  # inside a macro: where it was used
        return self.lib.offset(location)[1]

    def position(self, cursor: Cursor) -> Position:
        return self.source.position(self.start(cursor))

    def text_of(self, cursor: Cursor) -> bytes:
        start, end = self.extent(cursor)
        return self.source.text[start:end]

    def text_at(self, cursor: Cursor) -> bytes:
        """The text from the cursor's start on (a little of it)."""
        start = self.start(cursor)
        return self.source.text[start : start + 24]

    def unsupported(self, cursor: Cursor, message: str) -> Unsupported:
        start = self.start(cursor)
        return Unsupported(message, self.source.position(start), self.source.line_text(start))

    # ---- declarations -----------------------------------------------------------------------

    def read(self, unit: Cursor) -> None:
        cursors = self.lib.children(unit)
        for cursor in cursors:
            if cursor.kind == CursorKind.VAR:
                self._guarded(cursor, self.declare_variable)
            elif cursor.kind == CursorKind.FUNCTION:
                self._guarded(cursor, self._function)

    def _guarded(self, cursor: Cursor, reader: Callable[[Cursor], object]) -> None:
        try:
            reader(cursor)
        except UnknownType as problem:
            raise self.unsupported(cursor, str(problem)) from problem

    def new_variable(self, name: str, type: CType, at: Position) -> ast.Variable:
        self.linkage.counter += 1
        variable = ast.Variable(name, type, self.current, at, self.linkage.counter)
        if self.current is None:
            self.linkage.globals.append(variable)
        return variable

    def variable(self, declaration: Cursor) -> ast.Variable:
        """The variable of a declaration; redeclarations of one object are one variable."""
        canonical = self.lib.getCanonicalCursor(declaration)
        key: int = canonical.data[0]
        found = self._variables.get(key)
        if found is None:
            found = self._new_declared(canonical)
            self._variables[key] = found
        return found

    def _new_declared(self, cursor: Cursor) -> ast.Variable:
        lib = self.lib
        name = lib.text(lib.getCursorSpelling(cursor))
        type = self.types.of(cursor)
        at = self.source.position(self._offset_of_name(cursor))
        parameter = cursor.kind == CursorKind.PARAMETER
        if parameter:
            type = self.types.adjusted(type)
        storage = 1 if parameter else lib.Cursor_getStorageClass(cursor)
        external = storage == 2 or (self.current is None and storage != 3)
        if external:
            shared = self.linkage.variables.get(name)
            if shared is not None:
                if isinstance(type, Array) and type.count is not None:
                    shared.type = type
                return shared
        self.linkage.counter += 1
        function = None if external else self.current
        variable = ast.Variable(
            name, type, function, at, self.linkage.counter, storage == 3, parameter, external
        )
        if external:
            self.linkage.variables[name] = variable
        if function is None or storage == 3:
            self.linkage.globals.append(variable)
        return variable

    def _offset_of_name(self, cursor: Cursor) -> int:
        location = self.lib.getCursorLocation(cursor)
        return self._offset(location.raw, location.data)

    def declare_variable(self, cursor: Cursor) -> ast.Variable:
        variable = self.variable(cursor)
        type = self.types.of(cursor)
        if isinstance(type, Array) and type.count is not None:
            variable.type = type  # `extern int a[]; int a[4];`
        if self.lib.Cursor_getStorageClass(cursor) != 2:
            variable.external = False
        initialiser = self.lib.Cursor_getVarDeclInitializer(cursor)
        if not self.lib.Cursor_isNull(initialiser):
            variable.initialiser = self.initialisers.read(initialiser, variable.type)
            variable.external = False
        if isinstance(type, Array) and type.count is None and variable.function is not None:
            variable.length = self._length(cursor)
        return variable

    def _length(self, cursor: Cursor) -> ast.Expr | None:
        """The size expression in ``int a[n]``: the declaration's only expression."""
        for child in self.lib.children(cursor):
            if CursorKind.FIRST_EXPRESSION <= child.kind <= CursorKind.LAST_EXPRESSION:
                return self.expressions.read(child)
        return None

    def function_name(self, declaration: Cursor) -> str:
        """A function's name in the program; static ones of later files get a suffix if needed."""
        canonical = self.lib.getCanonicalCursor(declaration)
        key: int = canonical.data[0]
        name = self._functions.get(key)
        if name is None:
            name = self.lib.text(self.lib.getCursorSpelling(canonical))
            if self._number and self.lib.Cursor_getStorageClass(canonical) == 3:
                name = f"{name}#{self._number}"
            self._functions[key] = name
        type = self.types.of(declaration)
        known = self.linkage.declared.get(name)
        if isinstance(type, Function) and (known is None or known.parameters is None):
            self.linkage.declared[name] = type
        return name

    def _function(self, cursor: Cursor) -> None:
        name = self.function_name(cursor)
        children = self.lib.children(cursor)
        if not children or children[-1].kind != CursorKind.BLOCK:
            return
        if name in self.linkage.functions:
            raise self.unsupported(cursor, f"{name} is defined twice")
        type = self.types.of(cursor)
        assert isinstance(type, Function)
        self.linkage.declared[name] = type
        self.current = name
        parameters = tuple(
            self.variable(child) for child in children if child.kind == CursorKind.PARAMETER
        )
        body = self.statements.read(children[-1])
        self.current = None
        assert isinstance(body, ast.Block)
        position = self.source.position(self._offset_of_name(cursor))
        self.linkage.functions[name] = ast.FunctionDef(name, type, parameters, body, position)
