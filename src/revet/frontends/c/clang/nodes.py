"""The JSON that ``clang -ast-dump=json`` writes, as typed structures.

A translation unit is kept as the raw text of its declarations, with a few words about each
(:class:`Head`): headers declare thousands of functions and a program uses a handful, so a
declaration is decoded when somebody asks for it. Positions are delta-coded in the order of the
text: a file is named only where it differs from the last one that was named. :func:`_name_files`
walks a declaration in that order and fills the gaps; of a declaration that is all in the main file, as nearly
every one of a large program is, places are left without a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from revet.frontends.c.clang.child import Text

_UNUSUAL = {"array_filler": "array_filler", "cleanup_function": "cleanup_function", "gnu_range": "isGNURange"}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return _UNUSUAL.get(name) or first + "".join(word.title() for word in rest)


_QUALIFIER = re.compile(r"\b(const|volatile|restrict|__restrict)\b")


class Place(msgspec.Struct, rename=_camel, gc=False):
    """A place in a file, or (in a macro) two: where the text stands and where the macro was used.
    Without a name, the file is the main one."""

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
    """Any node of the tree. ``begin`` and ``end`` are (file, byte offset), see :class:`Place`."""

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
    """A declaration at file scope: its head, and its tree once it is wanted. It is not copied: it is what
    stands in ``text`` between two offsets."""

    __slots__ = ("_end", "_file", "_in_main", "_node", "_start", "_text", "head")

    def __init__(self, text: Text, start: int, end: int, file: str) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._file = file  # the last file named before
        self._in_main = False
        self._node: Node | None = None
        self.head = _head.decode(self._without_parts())

    def _without_parts(self) -> bytes:
        """The text without what the declaration consists of, which clang writes last."""
        at = self._text.find(b'"inner": [', self._start, self._end)
        if at < 0:
            return self._text[self._start : self._end]
        return self._text[self._start : at].rstrip(b", \n") + b"}"

    def last_file(self) -> str | None:
        """The file that is named last. (``includedFrom`` names one too, but without a line.)"""
        text, start, at = self._text, self._start, self._end
        if text.find(b'"file":', start, at) < 0:  # most have none; blanks in what is looked for make it slow
            return None
        while (at := text.rfind(b'"file": "', start, at)) >= 0:
            found = _NAMED.match(text, at)
            if found is not None:
                name: str = msgspec.json.decode(found[1])
                return name
        return None

    def leave_unnamed(self) -> None:
        """All of it is in the main file."""
        self._in_main = True

    @property
    def node(self) -> Node:
        if self._node is None:
            self._node = _node.decode(memoryview(self._text)[self._start : self._end])
            if not self._in_main:
                _name_files(self._node, self._file)
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
        at = self._text.find(name, self._start, self._end)
        return at >= 0 and self._text.find(b'"kind": ' + name, self._start, self._end) >= 0

    @property
    def has_body(self) -> bool:
        return self.mentions("CompoundStmt")


class _Unit(msgspec.Struct):
    inner: list[msgspec.Raw] = []


_unit = msgspec.json.Decoder(_Unit)
_head = msgspec.json.Decoder(Head)
_node = msgspec.json.Decoder(Node)
_WITH_ID = 64  # bytes of a declaration that include its id, which no other node has
_NAMED = re.compile(rb'"file": ("(?:[^"\\]|\\.)*"),\s*"line":')


def declarations(text: Text, start: int, main: str | None = None) -> Iterator[Declaration]:
    """The declarations of a translation unit, whose tree begins at ``start``, in order. ``main``: what clang
    calls its main file; if that is given, places in it may be without a name."""
    file, at = "", start
    for found in _unit.decode(memoryview(text)[start:]).inner:
        view = memoryview(found)
        at = text.find(view[:_WITH_ID], at)
        declaration = Declaration(text, at, at + len(view), file)
        at += len(view)
        named = declaration.last_file()
        if named is not None:
            file = named
        elif file == main:
            declaration.leave_unnamed()
        yield declaration


def _name_files(root: Node, file: str) -> None:
    """Give every place the name of its file; ``file`` was the last one named before."""
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

