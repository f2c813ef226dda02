"""The JSON that ``clang -ast-dump=json`` writes, as typed structures.

A translation unit is kept as the raw text of its declarations, with a few words about each
(:class:`Head`): headers declare thousands of functions and a program uses a handful, so a
declaration is decoded when somebody asks for it. Positions are delta-coded in the order of the
text: a file is named only where it differs from the last one that was named. :func:`decoded` walks
a declaration in that order and fills the gaps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

_UNUSUAL = {"array_filler": "array_filler", "cleanup_function": "cleanup_function", "gnu_range": "isGNURange"}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return _UNUSUAL.get(name) or first + "".join(word.title() for word in rest)


_QUALIFIER = re.compile(r"\b(const|volatile|restrict|__restrict)\b")


class Place(msgspec.Struct, rename=_camel, gc=False):
    """A place in a file, or (in a macro) two: where the text stands and where the macro was used."""

    offset: int = -1
    file: str | None = None
    tok_len: int = 0
    spelling_loc: Place | None = None
    expansion_loc: Place | None = None


class Range(msgspec.Struct, gc=False):
    begin: Place
    end: Place


class TypeText(msgspec.Struct, rename=_camel, gc=False):
    """A type as clang prints it; ``desugared`` where a typedef's name stands outermost."""

    qual_type: str
    desugared_qual_type: str | None = None

    @property
    def spelled(self) -> str:
        """The type as C text without qualifiers; typedefs of pointers and arrays as what they stand for."""
        plain = " ".join(_QUALIFIER.sub(" ", self.qual_type).split())
        derived = self.desugared_qual_type or ""
        if "*" in plain or "[" in plain or not ("*" in derived or "[" in derived):
            return plain
        return " ".join(_QUALIFIER.sub(" ", derived).split())


class Reference(msgspec.Struct, rename=_camel, gc=False):
    """A mention of a declaration."""

    id: str
    kind: str = ""
    name: str = ""
    type: TypeText | None = None


class Head(msgspec.Struct, rename=_camel, gc=False):
    """What is looked at in every declaration of the file."""

    id: str = ""
    kind: str = ""
    name: str = ""
    loc: Place | None = None
    type: TypeText | None = None
    previous_decl: str | None = None
    is_implicit: bool = False
    storage_class: str | None = None
    inline: bool = False


class Node(msgspec.Struct, rename=_camel, gc=False):
    """Any node of the tree. ``begin`` and ``end`` are (file, byte offset), after :func:`decoded`."""

    id: str = ""
    kind: str = ""
    name: str = ""
    loc: Place | None = None
    range: Range | None = None
    type: TypeText | None = None
    value: str | int | bool | None = None
    inner: tuple[Node, ...] = ()
    array_filler: tuple[Node, ...] = ()
    opcode: str = ""
    cast_kind: str = ""
    value_category: str = ""
    is_postfix: bool = False
    is_part_of_explicit_cast: bool = False
    is_arrow: bool = False
    is_bitfield: bool = False
    is_implicit: bool = False
    gnu_range: bool = False
    complete_definition: bool = False
    selected: bool = False
    has_else: bool = False
    has_init: bool = False
    has_var: bool = False
    storage_class: str | None = None
    tls: str | None = None
    init: str | None = None
    tag_used: str = ""
    previous_decl: str | None = None
    parent_decl_context_id: str | None = None
    referenced_decl: Reference | None = None
    referenced_member_decl: str | None = None
    label_decl_id: str | None = None
    target_label_decl_id: str | None = None
    decl_id: str | None = None
    decl: Reference | None = None
    field: Reference | None = None
    cleanup_function: Reference | None = None
    aliasee: str | None = None
    arg_type: TypeText | None = None
    fixed_underlying_type: TypeText | None = None
    compute_l_h_s_type: TypeText | None = msgspec.field(default=None, name="computeLHSType")
    compute_result_type: TypeText | None = None

    @property
    def begin(self) -> Place:
        assert self.range is not None
        return _expanded(self.range.begin)

    @property
    def end(self) -> Place:
        assert self.range is not None
        return _expanded(self.range.end)

    @property
    def spot(self) -> Place:
        """Where a declaration's name stands."""
        place = _expanded(self.loc) if self.loc is not None else None
        return self.begin if place is None or place.offset < 0 else place

    @property
    def in_macro(self) -> bool:
        assert self.range is not None
        return self.range.begin.expansion_loc is not None or self.range.end.expansion_loc is not None


def _expanded(place: Place) -> Place:
    return place if place.expansion_loc is None else place.expansion_loc


class Declaration:
    """A declaration at file scope: its head, and its tree once it is wanted."""

    __slots__ = ("_file", "_node", "_raw", "head")

    def __init__(self, raw: bytes, head: Head, file: str) -> None:
        self._raw = raw
        self._file = file  # the last file named before
        self._node: Node | None = None
        self.head = head

    @property
    def node(self) -> Node:
        if self._node is None:
            self._node = decoded(self._raw, self._file)
        return self._node

    @property
    def place(self) -> tuple[str, int]:
        """The file and the offset of its name."""
        loc = self.head.loc
        if loc is None:
            return self._file, -1
        if loc.expansion_loc is not None:
            spelled = loc.spelling_loc.file if loc.spelling_loc is not None else None
            return loc.expansion_loc.file or spelled or self._file, loc.expansion_loc.offset
        return loc.file or self._file, loc.offset

    def mentions(self, kind: str) -> bool:
        """Is there a node of this kind in it?"""
        name = b'"%s"' % kind.encode()  # without blanks, of which the text is full, the search is quicker
        return name in self._raw and b'"kind": ' + name in self._raw

    @property
    def has_body(self) -> bool:
        return self.mentions("CompoundStmt")


class _Unit(msgspec.Struct):
    inner: list[msgspec.Raw] = []


_unit = msgspec.json.Decoder(_Unit)
_head = msgspec.json.Decoder(Head)
_node = msgspec.json.Decoder(Node)
_NAMED = re.compile(rb'"file": ("(?:[^"\\]|\\.)*"),\s*"line":')


def declarations(text: memoryview) -> Iterator[Declaration]:
    """The declarations of a translation unit, in order."""
    file = ""
    for found in _unit.decode(text).inner:
        raw = bytes(found)
        yield Declaration(raw, _head.decode(_without_parts(raw)), file)
        file = _last_file(raw) or file


def _without_parts(raw: bytes) -> bytes:
    """A declaration without what it consists of, which clang writes last."""
    at = raw.find(b'"inner": [')
    return raw if at < 0 else raw[:at].rstrip(b", \n") + b"}"


def _last_file(raw: bytes) -> str | None:
    """The file that is named last. (``includedFrom`` names one too, but without a line.)"""
    at = len(raw)
    if raw.find(b'"file":') < 0:  # most have none; blanks in what is looked for would make it slow
        return None
    while (at := raw.rfind(b'"file": "', 0, at)) >= 0:
        found = _NAMED.match(raw, at)
        if found is not None:
            name: str = msgspec.json.decode(found[1])
            return name
    return None


def decoded(raw: bytes, file: str) -> Node:
    """The tree of a declaration; ``file`` was the last one named before it."""
    root: Node = _node.decode(raw)
    stack = [root]
    while stack:  # a million times for a large file: no calls for the usual place
        node = stack.pop()
        if node.loc is not None:
            file = _named(node.loc, file)
        if node.range is not None:
            for place in (node.range.begin, node.range.end):
                if place.offset < 0:
                    file = _named(place, file)
                elif place.file is None:
                    place.file = file
                else:
                    file = place.file
        below = node.inner or node.array_filler
        if below:
            stack += below[::-1]
    return root


def _named(place: Place, file: str) -> str:
    if place.offset >= 0:
        if place.file is None:
            place.file = file
            return file
        return place.file
    if place.spelling_loc is not None:
        file = _named(place.spelling_loc, file)
    if place.expansion_loc is not None:
        file = _named(place.expansion_loc, file)
    return file


def children(node: Node) -> tuple[Node, ...]:
    return node.inner or node.array_filler


def walk(node: Node) -> Iterator[Node]:
    """All nodes, outer before inner, in the order of the text."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(children(current)))

