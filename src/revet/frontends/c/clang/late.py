"""Attributes behind the brace: ``struct S { char c; int i; } __attribute__((packed));``.

clang, asked for the layouts of all records (``-fdump-record-layouts-complete``), lays a record out when it
meets the brace, does not see what comes after it, and stays with that layout in everything that it computes
later on. So a file with such an attribute is read again: layouts are then written when they are needed, and
a text at the end of the file needs those of all records that have a name there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from revet.frontends.c.clang.nodes import Node, declarations, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from revet.frontends.c.clang.child import Text
    from revet.frontends.c.clang.layouts import Layout

_KINDS = ("PackedAttr", "AlignedAttr")
_WORDS = ("sizeof", "struct", "union", "_Static_assert")


def has_late(node: Node) -> bool:
    """Does a record have an attribute that may change its layout, perhaps behind its brace?"""
    return any(child.kind in _KINDS for child in node.inner)


def needing_all(text: Text, start: int) -> bytes | None:
    """The text that needs all layouts; None if no record of the file, whose tree begins at ``start``, has
    such an attribute."""
    if all(text.find(b'"%s"' % kind.encode()) < 0 for kind in _KINDS):
        return None
    late = False
    names: list[tuple[str, str]] = []
    for declaration in declarations(text, start):
        if declaration.mentions("RecordDecl"):
            mentioned = any(declaration.mentions(kind) for kind in _KINDS)
            late = late or (mentioned and any(map(has_late, _records(declaration.node))))
        if declaration.head.kind == "RecordDecl":
            names += [(node.tag_used or "", node.name) for node in _records(declaration.node) if node.name]
        elif declaration.head.kind == "TypedefDecl":
            inner = declaration.node.inner
            decl = inner[0].decl if inner and inner[0].kind == "RecordType" else None
            if decl is not None and not decl.name:
                names.append(("", declaration.head.name))
    if not late:
        return None
    undefined = "".join(f"#undef {name}\n" for name in (*_WORDS, *(name for _, name in names)))
    needed = "".join(f"_Static_assert(sizeof({word} {name}) + 1, \"\");\n" for word, name in names)
    return f"\n\n{undefined}{needed}".encode()


def _records(node: Node) -> Iterator[Node]:
    """The definitions of records in a declaration at file scope."""
    return (one for one in walk(node) if one.kind == "RecordDecl" and one.complete_definition)


def merged(
    early: dict[str, list[Layout]], late: dict[str, list[Layout]], old: str, new: str
) -> dict[str, list[Layout]]:
    """The layouts that were written when they were needed. Where there is none, and where one key stands for
    several records, those at the brace, marked: they are right for records that such an attribute has
    nothing to do with. ``old`` and ``new`` are the names of the file in the two runs."""
    found = dict(late)
    for key, layouts in early.items():
        here = key.replace(f"({old}:", f"({new}:")
        if len(layouts) > 1 or here not in found:
            found[here] = [replace(layout, early=True) for layout in layouts]
    return found
