"""libclang's C interface, as much of it as reading a syntax tree needs, with little overhead.

The Python bindings that ship with libclang build rich objects for every cursor and lack the
operator kinds; this module calls the library with ctypes directly. Cursors and types are the
library's small structures, passed by value; ``children`` collects a cursor's children in one visit
(the callback never nests, so deep trees cost no C stack).
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_longlong, c_uint, c_ulong, c_void_p
from functools import cache
from pathlib import Path
from typing import Any

from revet.errors import UsageError


class CXString(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("flags", c_uint)]


class Cursor(ctypes.Structure):
    _fields_ = [("kind", c_int), ("xdata", c_int), ("data", c_void_p * 3)]


class CXType(ctypes.Structure):
    _fields_ = [("kind", c_int), ("data", c_void_p * 2)]


class SourceLocation(ctypes.Structure):
    _fields_ = [("data", c_void_p * 2), ("raw", c_uint)]


class SourceRange(ctypes.Structure):
    _fields_ = [("data", c_void_p * 2), ("begin", c_uint), ("end", c_uint)]


class UnsavedFile(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("contents", c_char_p), ("length", c_ulong)]


_CursorVisitor = ctypes.CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
_FieldVisitor = ctypes.CFUNCTYPE(c_int, Cursor, c_void_p)

_SIGNATURES: dict[str, tuple[list[Any], Any]] = {
    "createIndex": ([c_int, c_int], c_void_p),
    "disposeIndex": ([c_void_p], None),
    "parseTranslationUnit2": (
        [c_void_p, c_char_p, POINTER(c_char_p), c_int, POINTER(UnsavedFile), c_uint, c_uint,
         POINTER(c_void_p)],
        c_int,
    ),
    "disposeTranslationUnit": ([c_void_p], None),
    "getTranslationUnitCursor": ([c_void_p], Cursor),
    "getNumDiagnostics": ([c_void_p], c_uint),
    "getDiagnostic": ([c_void_p, c_uint], c_void_p),
    "getDiagnosticSeverity": ([c_void_p], c_int),
    "getDiagnosticSpelling": ([c_void_p], CXString),
    "getDiagnosticLocation": ([c_void_p], SourceLocation),
    "disposeDiagnostic": ([c_void_p], None),
    "getExpansionLocation": (
        [SourceLocation, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)], None,
    ),
    "getFile": ([c_void_p, c_char_p], c_void_p),
    "getLocationForOffset": ([c_void_p, c_void_p, c_uint], SourceLocation),
    "getCString": ([CXString], c_char_p),
    "disposeString": ([CXString], None),
    "visitChildren": ([Cursor, _CursorVisitor, c_void_p], c_uint),
    "Type_visitFields": ([CXType, _FieldVisitor, c_void_p], c_uint),
    "getCursorSpelling": ([Cursor], CXString),
    "getCursorType": ([Cursor], CXType),
    "getCursorExtent": ([Cursor], SourceRange),
    "getCursorLocation": ([Cursor], SourceLocation),
    "getCursorReferenced": ([Cursor], Cursor),
    "getCanonicalCursor": ([Cursor], Cursor),
    "getCursorBinaryOperatorKind": ([Cursor], c_int),
    "getCursorUnaryOperatorKind": ([Cursor], c_int),
    "Cursor_getStorageClass": ([Cursor], c_int),
    "Cursor_getVarDeclInitializer": ([Cursor], Cursor),
    "Cursor_isNull": ([Cursor], c_int),
    "Cursor_getOffsetOfField": ([Cursor], c_longlong),
    "Cursor_isBitField": ([Cursor], c_uint),
    "getFieldDeclBitWidth": ([Cursor], c_int),
    "getEnumConstantDeclValue": ([Cursor], c_longlong),
    "getEnumDeclIntegerType": ([Cursor], CXType),
    "Cursor_Evaluate": ([Cursor], c_void_p),
    "EvalResult_getKind": ([c_void_p], c_int),
    "EvalResult_isUnsignedInt": ([c_void_p], c_uint),
    "EvalResult_getAsLongLong": ([c_void_p], c_longlong),
    "EvalResult_getAsUnsigned": ([c_void_p], ctypes.c_ulonglong),
    "EvalResult_getAsDouble": ([c_void_p], c_double),
    "EvalResult_dispose": ([c_void_p], None),
    "getCanonicalType": ([CXType], CXType),
    "getTypeDeclaration": ([CXType], Cursor),
    "getPointeeType": ([CXType], CXType),
    "getArrayElementType": ([CXType], CXType),
    "getArraySize": ([CXType], c_longlong),
    "getResultType": ([CXType], CXType),
    "getNumArgTypes": ([CXType], c_int),
    "getArgType": ([CXType, c_uint], CXType),
    "isFunctionTypeVariadic": ([CXType], c_uint),
    "Type_getSizeOf": ([CXType], c_longlong),
    "Type_getAlignOf": ([CXType], c_longlong),
    "getTypeSpelling": ([CXType], CXString),
}


class Library:
    """The loaded library; attributes are its functions without the ``clang_`` prefix."""

    def __init__(self) -> None:
        spec = importlib.util.find_spec("clang")
        if spec is None or not spec.submodule_search_locations:
            raise UsageError("reading C needs the package libclang (pip install libclang)")
        names = {"darwin": "libclang.dylib", "win32": "libclang.dll"}
        folder = Path(next(iter(spec.submodule_search_locations))) / "native"
        handle = ctypes.CDLL(str(folder / names.get(sys.platform, "libclang.so")))
        self._found: list[Cursor] = []
        self._visitor = _CursorVisitor(self._visit)  # one for all visits: making it is not cheap
        for name, (arguments, result) in _SIGNATURES.items():
            function = getattr(handle, "clang_" + name)
            function.argtypes = arguments
            function.restype = result
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:  # for mypy: every function is set in __init__
        raise AttributeError(name)

    def text(self, string: CXString) -> str:
        data: bytes | None = self.getCString(string)
        self.disposeString(string)
        return "" if data is None else data.decode("utf-8", "replace")

    def children(self, cursor: Cursor) -> list[Cursor]:
        found: list[Cursor] = []
        self._found = found
        self.visitChildren(cursor, self._visitor, None)
        return found

    def _visit(self, child: Cursor, parent: Cursor, data: object) -> int:
        self._found.append(child)
        return 1  # go on with the next sibling

    def fields(self, type: CXType) -> list[Cursor]:
        found: list[Cursor] = []

        def visit(field: Cursor, data: object) -> int:
            found.append(field)
            return 1

        self.Type_visitFields(type, _FieldVisitor(visit), None)
        return found

    def integer_value(self, cursor: Cursor) -> int | None:
        """The value of a constant integer expression, or None."""
        result = self.Cursor_Evaluate(cursor)
        if not result:
            return None
        try:
            if self.EvalResult_getKind(result) != 1:
                return None
            if self.EvalResult_isUnsignedInt(result):
                return int(self.EvalResult_getAsUnsigned(result))
            return int(self.EvalResult_getAsLongLong(result))
        finally:
            self.EvalResult_dispose(result)

    def offset(self, location: SourceLocation) -> tuple[c_void_p, int]:
        """File and byte offset of a location (of the expansion, inside macros)."""
        file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
        self.getExpansionLocation(location, byref(file), byref(line), byref(column), byref(offset))
        return file, offset.value


@cache
def library() -> Library:
    # libclang parses in a thread of its own whose small stack overflows on about 1,500 nested
    # parentheses; on the calling thread (deep.py) there is room.
    os.environ.setdefault("LIBCLANG_NOTHREADS", "1")
    return Library()


class CursorKind:
    """The cursor kinds of ``clang-c/Index.h`` that occur in C."""

    STRUCT, UNION, ENUM, FIELD, ENUM_CONSTANT, FUNCTION, VAR, PARAMETER = 2, 3, 5, 6, 7, 8, 9, 10
    MEMBER_REFERENCE = 47
    UNEXPOSED, NAME, MEMBER, CALL = 100, 101, 102, 103
    INTEGER, FLOATING, STRING, CHARACTER, PAREN, UNARY = 106, 107, 109, 110, 111, 112
    SUBSCRIPT, BINARY, COMPOUND_ASSIGN, CONDITIONAL, CAST = 113, 114, 115, 116, 117
    COMPOUND_LITERAL, INIT_LIST, STATEMENT_EXPR, SIZEOF = 118, 119, 121, 136
    LABEL, BLOCK, CASE, DEFAULT, IF, SWITCH, WHILE, DO, FOR = 201, 202, 203, 204, 205, 206, 207, 208, 209
    GOTO, CONTINUE, BREAK, RETURN, ASM, NULL, DECLARATION = 210, 212, 213, 214, 215, 230, 231
    FIRST_EXPRESSION, LAST_EXPRESSION = 100, 199
    FIRST_ATTRIBUTE = 400


UNARY_OPERATORS = {
    1: "p++", 2: "p--", 3: "++p", 4: "--p", 5: "&", 6: "*", 7: "+", 8: "-", 9: "~", 10: "!",
    13: "__extension__",
}
BINARY_OPERATORS = {
    3: "*", 4: "/", 5: "%", 6: "+", 7: "-", 8: "<<", 9: ">>", 11: "<", 12: ">", 13: "<=", 14: ">=",
    15: "==", 16: "!=", 17: "&", 18: "^", 19: "|", 20: "&&", 21: "||", 22: "=", 23: "*", 24: "/",
    25: "%", 26: "+", 27: "-", 28: "<<", 29: ">>", 30: "&", 31: "^", 32: "|", 33: ",",
}
