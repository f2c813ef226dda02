"""Types: the meaning of the names in them, by scope, and the layouts of structures.

clang prints types as texts. Records are resolved by declaration: two ``struct S`` of different
scopes are different, and the same one in two files is one type if it is laid out alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from revet.errors import Position
from revet.frontends.c.clang.late import has_late
from revet.frontends.c.clang.layouts import Layout, record_key
from revet.frontends.c.clang.nodes import Node, TypeText, walk
from revet.frontends.c.reader.argument_lists import CURSOR, NUMBER
from revet.frontends.c.reader.attributes import check_attributes
from revet.frontends.c.reader.entries import (
    HIDDEN,
    Distinct,
    RecordEntry,
    Records,
    Resolved,
    TypedefEntry,
    alike,
    basic_types,
    underlying,
)
from revet.frontends.c.reader.scopes import Scopes
from revet.frontends.c.reader.type_of import expression_type
from revet.frontends.c.reader.type_text import (
    ArrayOf,
    FunctionOf,
    Named,
    Pointing,
    Qualified,
    TypeOf,
    TypeTree,
    UnknownType,
    parse_type,
)
from revet.frontends.c.types import (
    Array,
    CType,
    DataModel,
    Field,
    Floating,
    Function,
    Int,
    Pointer,
    Record,
    innermost,
)


class TypeReader(Scopes):
    def __init__(
        self, model: DataModel, layouts: dict[str, list[Layout]], records: Records,
        place: Callable[[Node], str], position: Callable[[Node], Position],
        all_records: Callable[[], Iterator[Node]],
    ) -> None:
        super().__init__()
        self._model = model
        self._layouts = layouts
        self._numbered: dict[str, list[str]] | None = None
        self._all_records = all_records
        self._records = records
        self._place = place
        self._position = position
        self._basic = basic_types(model)
        self._ids: dict[str, RecordEntry] = {}
        self._enums: dict[str, Int] = {}
        self._completed: set[int] = set()
        self._unsettled: set[int] = set()  # records with attributes behind a brace, or not known to have none
        self.enumerators: dict[str, int] = {}
        self.fields: dict[str, Field] = {}  # by the declaration's id

    # ---- declarations -----------------------------------------------------------------------

    def declare(self, node: Node) -> None:
        """A record, an enumeration or a typedef, and the records and enumerations inside it."""
        if node.kind == "TypedefDecl":
            inner = node.inner[0] if node.inner else None
            tagged = inner is not None and inner.kind in ("RecordType", "EnumType")
            owned = inner.decl.id if tagged and inner is not None and inner.decl is not None else None
            assert node.type is not None
            entry = TypedefEntry(node.type, owned, len(self._scopes) == 1)
            self._declare(node.name, entry)
            if len(self._scopes) > 1:
                self._typedef(entry)
            if owned in self._ids:
                self._named_layout(self._ids[owned], node.name)
            if owned is not None and node.type.qual_type.endswith(f" {node.name}") and owned in self._ids:
                self._scopes[-1].setdefault(node.type.qual_type, self._ids[owned])
        elif node.kind == "EnumDecl":
            self._enumeration(node)
        else:
            self._record_declaration(node)

    def _record_declaration(self, node: Node) -> None:
        for child in node.inner:
            if child.kind in ("RecordDecl", "EnumDecl"):
                self.declare(child)
        key = self._key(node)
        entry = self._ids.get(node.previous_decl or "")
        if entry is None and node.name:
            known = self._scopes[-1].get(key)
            entry = known if isinstance(known, RecordEntry) else None
        if entry is None:
            entry = RecordEntry(key, self._new_record(node), global_=len(self._scopes) == 1)
        self._ids[node.id] = entry
        self._declare(key, entry)
        if node.complete_definition:
            entry.node = node
            entry.layout = self._layout(key, node)
            if len(self._scopes) > 1:
                self._complete(entry)

    def _new_record(self, node: Node) -> Record:
        """The same structure declared in two files is one type, so that globals can be shared."""
        tag = node.name
        record = Record(tag, node.tag_used == "union")
        if tag and len(self._scopes) == 1 and tag not in self._records.distinct:
            return self._records.shared.setdefault(f"{node.tag_used} {tag}", record)
        return record

    def basic_name(self, text: str) -> str | None:
        """The name of an arithmetic type, if the text names one (perhaps by a typedef)."""
        try:
            type = self.resolve(text).type
        except UnknownType:
            return None
        enumerated = isinstance(self._lookup(text), Int) or "enum" in text
        return str(type) if isinstance(type, Int | Floating) and not enumerated else None

    def layout(self, text: str) -> Layout | None:
        """Of a record that clang's tree does not show because it is declared in an expression."""
        key = record_key(text)
        found = self._layouts.get(key, [])
        certain = bool(found) and all(one == found[0] and not one.early for one in found)  # macros repeat it
        return found[0] if certain and self._lookup(key) is None else None

    def _named_layout(self, entry: RecordEntry, name: str) -> None:
        """A layout that was written when it was needed has the name that a typedef gives the record."""
        found = self._layouts.get(name, [])
        if len(found) == 1 and entry.node is not None and not entry.node.name:
            entry.layout = found[0]

    def _layout(self, key: str, node: Node) -> Layout | None:
        """Of several definitions with this key, the n-th in the file has the n-th layout. None if
        that cannot be told, because clang's tree does not show them all."""
        found = self._layouts.get(key, [])
        if len(set(found)) == 1:
            return found[0]
        if self._numbered is None:
            self._numbered = {}
            for one in self._all_records():
                self._numbered.setdefault(self._key(one), []).append(one.id)
        ids = self._numbered.get(key, [])
        return found[ids.index(node.id)] if len(ids) == len(found) and node.id in ids else None

    def _key(self, node: Node) -> str:
        return f"{node.tag_used} {node.name}" if node.name else f"{node.tag_used} ({self._place(node)})"

    def _enumeration(self, node: Node) -> None:
        value = -1
        values, names = [], []
        for child in node.inner:
            if child.kind != "EnumConstantDecl":
                continue
            written = [part for part in child.inner if not part.kind.endswith(("Attr", "Comment"))]
            values_of = [part.value for one in written for part in walk(one) if part.kind == "ConstantExpr"]
            if written and not (values_of and values_of[0] is not None):
                raise UnknownType(f"the value of {child.name} is not known")
            value = int(str(values_of[0])) if written else value + 1
            self.enumerators[child.id] = value
            values.append(value)
            names.append(child.name)
        key = f"enum {node.name}" if node.name else f"enum ({self._place(node)})"
        if not values and node.fixed_underlying_type is None:
            return  # a forward declaration
        packed = any(child.kind == "PackedAttr" for child in node.inner)
        type = underlying(values, packed, self._basic)
        if node.fixed_underlying_type is not None:
            fixed = self.read(node.fixed_underlying_type).type
            if isinstance(fixed, Int):
                type = fixed
        type = replace(type, enumerators=tuple(zip(values, names, strict=True)))
        self._enums[node.id] = type
        self._declare(key, type)

    def _complete(self, entry: RecordEntry) -> None:
        """Fill in fields and sizes, once; a record of an earlier file must have the same ones."""
        node, layout, record = entry.node, entry.layout, entry.record
        if node is None or id(record) in self._completed:
            return
        self._completed.add(id(record))
        self._unsettled.add(id(record))
        if layout is None:
            raise UnknownType(f"the layout of {record} is not known")
        check_attributes(node, self._position(node))
        with self.at_file_scope(entry.global_):
            fields = self._fields(record, node, layout)
        self._check_early(record, node, layout, fields)
        if record.complete:
            self._same(record, fields, layout)
            return
        record.complete = True
        record.size, record.align = layout.size // 8, layout.align // 8
        record.fields = tuple(fields)

    def _check_early(self, record: Record, node: Node, layout: Layout, fields: list[Field]) -> None:
        """Refuse a layout that was made before all attributes that matter for it were known."""
        late = has_late(node) or any(id(innermost(field.type)) in self._unsettled for field in fields)
        if late and layout.early:
            raise UnknownType(f"the layout of {record}, with attributes behind the brace, is not known")
        if not late:
            self._unsettled.discard(id(record))

    def _fields(self, record: Record, node: Node, layout: Layout) -> list[Field]:
        fields: list[Field] = []
        number = 0
        for child in node.inner:
            if child.kind in ("RecordDecl", "EnumDecl") and not child.name:
                self._again(child)
            elif child.kind == "FieldDecl":
                check_attributes(child, self._position(child))
                if number >= len(layout.offsets):
                    raise UnknownType(f"the layout of {record} is not known")
                made = self._field(child, layout.offsets[number])
                number += 1
                if made is not None:
                    fields.append(made)
        return fields

    def _again(self, node: Node) -> None:
        """Of unnamed records that one macro makes in one place, the field's is the one before it."""
        entry = self._ids.get(node.id) or self._enums.get(node.id)
        if entry is not None:
            key = f"{node.tag_used or 'enum'} ({self._place(node)})"
            self._scopes[0 if len(self._scopes) == 1 else -1][key] = entry

    def _same(self, record: Record, fields: list[Field], layout: Layout) -> None:
        same = record.size == layout.size // 8 and record.align == layout.align // 8
        kept: dict[int, Field] = {}
        if not same or not alike(record.fields, fields, kept):
            raise Distinct(record.tag)
        for key, made in self.fields.items():
            self.fields[key] = kept.get(id(made), made)

    def _field(self, node: Node, offset: int) -> Field | None:
        width = None
        if node.is_bitfield:
            width = next((int(str(part.value)) for part in node.inner if part.kind == "ConstantExpr"), None)
            if width is None:
                raise UnknownType("a bit-field whose width is not known")
            if not node.name:
                return None  # padding
        assert node.type is not None
        resolved = self.read(node.type)
        if resolved.open:
            raise UnknownType("a field of variable length")
        made = Field(node.name, resolved.type, offset, width, node.type.spelled if node.type else "")
        self.fields[node.id] = made
        return made

    # ---- types ------------------------------------------------------------------------------

    def read(self, text: TypeText) -> Resolved:
        """The type that a text means here."""
        desugared = text.desugared_qual_type
        if desugared is None:
            return self.resolve(text.qual_type)
        basic = self._basic.get(desugared)
        if basic is not None:  # a typedef of the same name may be nearer than the one that is meant
            return Resolved(basic)
        try:
            return self.resolve(text.qual_type)
        except UnknownType:
            return self.resolve(desugared)

    def resolve(self, text: str) -> Resolved:
        cache = self._caches[-1]
        found = cache.get(text)
        if found is None:
            found = self._meaning(parse_type(text))
            if " at " not in text and "typeof" not in text and not found.open:
                self._caches[-1][text] = found
        return found

    def _meaning(self, tree: TypeTree) -> Resolved:
        size = self._model.pointer_size
        match tree:
            case Named(name, tagged):
                return self._named(name, tagged)
            case Qualified(inner, volatile, _):
                found = self._meaning(inner)
                return Resolved(found.type, found.volatile or volatile, found.open)
            case Pointing(target):
                found = self._meaning(target)
                if found.open:  # a pointer to its first element: reader/rows.py
                    return Resolved(Pointer(_element(found), size), open=found.open)
                return Resolved(Pointer(found.type, size))
            case ArrayOf(element, count):
                found = self._meaning(element)
                if found.open or isinstance(count, str):
                    of = _element(found) if found.open else found.type
                    return Resolved(Array(of, None), found.volatile, (str(count), *found.open))
                return Resolved(Array(found.type, count), found.volatile)
            case FunctionOf(result, parameters, variadic):
                types = None
                if parameters is not None:
                    types = tuple(self.adjusted(self._meaning(each).type) for each in parameters)
                return Resolved(Function(self._meaning(result).type, types, variadic))
            case TypeOf(text):
                return Resolved(self._type_of(text))

    def _type_of(self, text: str) -> CType:
        def variable(name: str) -> CType | None:
            found = self.named_variable(name)
            if found is not None and found.rows:
                raise UnknownType("typeof an array of variable length")
            return None if found is None else found.type

        def resolve(text: str) -> CType:
            found = self.resolve(text)
            if found.open:
                raise UnknownType("typeof an array of variable length")
            return found.type

        with suppress(UnknownType):
            return expression_type(text, variable, resolve, self._model.pointer_size)
        with suppress(UnknownType):
            return resolve(text)
        raise UnknownType(f"the type typeof ({text}) is not modelled")

    def adjusted(self, type: CType) -> CType:
        """A parameter's type: arrays and functions are pointers."""
        if isinstance(type, Array):
            return Pointer(type.element, self._model.pointer_size)
        return Pointer(type, self._model.pointer_size) if isinstance(type, Function) else type

    def _named(self, name: str, tagged: bool) -> Resolved:
        if not tagged and (basic := self._basic.get(name)) is not None:
            return Resolved(basic)
        if name == "__builtin_va_list" and self._model.pointer_size == NUMBER.size:
            return Resolved(NUMBER)  # the compiler's is a pointer of that size
        found = self._lookup(name)
        match found:
            case None if name == "struct __va_list_tag":
                return Resolved(self._argument_list())
            case None if tagged and not name.startswith("enum") and "(" not in name:
                return Resolved(self._incomplete(name))
            case RecordEntry():
                self._complete(found)
                return Resolved(found.record)
            case TypedefEntry():
                return self._typedef(found)
            case Int() if found is not HIDDEN:
                return Resolved(found)
        raise UnknownType(f"the type {name} is not modelled")

    def _incomplete(self, key: str) -> Record:
        word, tag = key.split(" ", 1)
        record = self._records.shared.setdefault(key, Record(tag, word == "union"))
        self._scopes[0][key] = RecordEntry(key, record)
        return record

    def _argument_list(self) -> Record:
        """What ``va_list`` is an array of: its members are ours."""
        layout = self._layouts["struct __va_list_tag"][0]
        record = self._records.shared.setdefault("struct __va_list_tag", Record("__va_list_tag", False))
        record.complete, record.size, record.align = True, layout.size // 8, layout.align // 8
        record.fields = (CURSOR,)
        return record

    def _typedef(self, entry: TypedefEntry) -> Resolved:
        if entry.resolved is None:
            record = self._ids.get(entry.owned or "")
            enumeration = self._enums.get(entry.owned or "")
            if record is not None or enumeration is not None:
                if record is not None:
                    self._complete(record)
                volatile = "volatile" in entry.type.qual_type.split()
                entry.resolved = Resolved(record.record if record else enumeration, volatile)  # type: ignore[arg-type]
            else:
                with self.at_file_scope(entry.global_):
                    entry.resolved = self.read(entry.type)
        return entry.resolved


def _element(resolved: Resolved) -> CType:
    """What an array of (arrays of) variable length consists of."""
    if not isinstance(resolved.type, Array):
        raise UnknownType("a pointer to, or an array of, pointers to arrays of variable length")
    return resolved.type.element
