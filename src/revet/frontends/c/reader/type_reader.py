"""Types: clang's canonical types turned into :mod:`revet.frontends.c.types`, each once."""

from __future__ import annotations

from revet.frontends.c.clang import Cursor, CXType, Library
from revet.frontends.c.types import (
    VOID,
    Array,
    CType,
    DataModel,
    Field,
    Floating,
    Function,
    Int,
    Pointer,
    Record,
)


class UnknownType(Exception):
    """A type that the front end does not model; the reader adds the position."""


def _integer_kinds(model: DataModel) -> dict[int, Int]:
    long = model.long_bits
    return {
        3: Int(8, False, True, "_Bool"), 4: Int(8, False, name="char"),
        5: Int(8, False, name="unsigned char"), 6: Int(16, False, name="char16_t"),
        7: Int(32, False, name="char32_t"), 8: Int(16, False, name="unsigned short"),
        9: Int(32, False, name="unsigned int"), 10: Int(long, False, name="unsigned long"),
        11: Int(64, False, name="unsigned long long"), 12: Int(128, False, name="unsigned __int128"),
        13: Int(8, True, name="char"), 14: Int(8, True, name="signed char"),
        15: Int(32, True, name="wchar_t"), 16: Int(16, True, name="short"),
        17: Int(32, True, name="int"), 18: Int(long, True, name="long"),
        19: Int(64, True, name="long long"), 20: Int(128, True, name="__int128"),
    }


class TypeReader:
    """``read`` is called for every expression: the cache is keyed by clang's type pointer."""

    def __init__(self, library: Library, model: DataModel, records: dict[str, Record]) -> None:
        self._lib = library
        self._model = model
        self._by_pointer: dict[int, CType] = {}
        self._integers = _integer_kinds(model)
        self._records: dict[int, Record] = {}
        self._shared = records  # tagged records of all files: one type for one tag
        self.fields: dict[int, Field] = {}  # FieldDecl pointer → field

    def of(self, cursor: Cursor) -> CType:
        return self.read(self._lib.getCursorType(cursor))

    def read(self, type: CXType) -> CType:
        key = type.data[0]
        found = self._by_pointer.get(key)
        if found is None:
            found = self._convert(self._lib.getCanonicalType(type))
            self._by_pointer[key] = found
        return found

    def adjusted(self, type: CType) -> CType:
        """A parameter's type: arrays and functions are pointers (libclang shows them as written)."""
        if isinstance(type, Array):
            return Pointer(type.element, self._model.pointer_size)
        return Pointer(type, self._model.pointer_size) if isinstance(type, Function) else type

    def _convert(self, type: CXType) -> CType:
        lib = self._lib
        kind = type.kind
        if kind in self._integers:
            return self._integers[kind]
        match kind:
            case 2:
                return VOID
            case 21:
                return Floating(32, 4, "float")
            case 22:
                return Floating(64, 8, "double")
            case 23:
                return Floating(80, int(lib.Type_getSizeOf(type)), "long double")
            case 101:
                return Pointer(self.read(lib.getPointeeType(type)), self._model.pointer_size)
            case 105:
                return self._record(type)
            case 106:
                declared = self.read(lib.getEnumDeclIntegerType(lib.getTypeDeclaration(type)))
                return declared if isinstance(declared, Int) else self._integers[9]
            case 110:
                return Function(self.read(lib.getResultType(type)), None)
            case 111:
                arguments = range(lib.getNumArgTypes(type))
                return Function(
                    self.read(lib.getResultType(type)),
                    tuple(self.adjusted(self.read(lib.getArgType(type, number))) for number in arguments),
                    bool(lib.isFunctionTypeVariadic(type)),
                )
            case 112:
                return Array(self.read(lib.getArrayElementType(type)), int(lib.getArraySize(type)))
            case 114 | 115:
                return Array(self.read(lib.getArrayElementType(type)), None)
        raise UnknownType(f"the type {lib.text(lib.getTypeSpelling(type))} is not modelled")

    def _record(self, type: CXType) -> Record:
        """Registered before its fields are read, because records mention themselves."""
        lib = self._lib
        declaration = lib.getCanonicalCursor(lib.getTypeDeclaration(type))
        key = declaration.data[0]
        record = self._records.get(key)
        if record is None:
            record = self._records[key] = self._new_record(type, declaration)
        # The record may be cached as a pointer's target first and completed later in the file.
        self._by_pointer[type.data[0]] = record
        if not record.complete and (size := lib.Type_getSizeOf(type)) >= 0:
            record.complete = True
            record.size = int(size)
            record.align = int(lib.Type_getAlignOf(type))
            record.fields = tuple(self._field(field) for field in lib.fields(type))
        return record

    def _new_record(self, type: CXType, declaration: Cursor) -> Record:
        """The same structure declared in two files is one type, so that globals can be shared."""
        lib = self._lib
        tag = lib.text(lib.getCursorSpelling(declaration))
        tag = "" if "(" in tag else tag
        other = self._shared.get(tag)
        if tag and other is not None and other.complete and other.size == lib.Type_getSizeOf(type):
            cursors = lib.fields(type)
            names = [lib.text(lib.getCursorSpelling(cursor)) for cursor in cursors]
            if names == [field.name for field in other.fields]:
                self.fields.update(
                    (cursor.data[0], field) for cursor, field in zip(cursors, other.fields, strict=True)
                )
                return other
        record = Record(tag, declaration.kind == 3)
        if tag:
            self._shared[tag] = record
        return record

    def _field(self, cursor: Cursor) -> Field:
        lib = self._lib
        width = int(lib.getFieldDeclBitWidth(cursor)) if lib.Cursor_isBitField(cursor) else None
        name = lib.text(lib.getCursorSpelling(cursor))
        if "(" in name:  # clang's description of an unnamed record or field
            name = ""
        field = Field(name, self.of(cursor), int(lib.Cursor_getOffsetOfField(cursor)), width)
        self.fields[cursor.data[0]] = field
        return field
