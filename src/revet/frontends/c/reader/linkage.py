"""What the files of one program share while they are read, and small questions about declarations."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node, TypeText
from revet.frontends.c.reader.entries import Records
from revet.frontends.c.types import CType, Function, Record, innermost


@dataclass
class Linkage:
    """What the files of one program share: objects and functions with external linkage."""

    variables: dict[str, ast.Variable] = field(default_factory=dict)
    globals: list[tuple[tuple[int, int], ast.Variable]] = field(default_factory=list)  # with their order
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    order: dict[str, tuple[int, int]] = field(default_factory=dict)  # of functions: unit, place in it
    declared: dict[str, Function] = field(default_factory=dict)
    system: set[str] = field(default_factory=set)
    noreturn: set[str] = field(default_factory=set)
    constructors: list[tuple[int, str]] = field(default_factory=list)  # priority, name
    destructors: list[tuple[int, str]] = field(default_factory=list)
    ends: bool = False  # does something run when the program ends?
    volatile_reads: list[Position] = field(default_factory=list)
    notes: dict[str, list[Position]] = field(default_factory=dict)  # what an answer assumes, and where
    aligned_types: list[Position] = field(default_factory=list)  # names with an alignment of their own
    mentioned: dict[str, set[str | None]] = field(default_factory=dict)  # functions, and where
    wanted: dict[str, None] = field(default_factory=dict)  # external names that are mentioned
    records: Records = field(default_factory=Records)
    definitions: Counter[str] = field(default_factory=Counter)  # of each external name, in all files
    counter: int = 0
    approximate: bool = False
    volatile: str = "plain"  # or "any"

    def note(self, assumption: str, at: Position) -> None:
        """An answer is to say that this was assumed here."""
        self.notes.setdefault(assumption, []).append(at)


def incomplete(type: CType) -> bool:
    type = innermost(type)
    return isinstance(type, Record) and not type.complete


def is_constant(text: TypeText | None) -> bool:
    """Is an object of this type one that nobody may write?"""
    shown = (text.desugared_qual_type or text.qual_type) if text is not None else ""
    return "const" in shown.rpartition("*")[2].split("[")[0].split()


def is_constant_target(text: TypeText | None) -> bool:
    """Does a pointer of this type lead to what nobody may write through it?"""
    shown = (text.desugared_qual_type or text.qual_type) if text is not None else ""
    return "const" in shown.rpartition("*")[0].split()


def initial_value(node: Node) -> Node | None:
    """The initialiser of a variable's declaration."""
    if node.init is None:
        return None
    return next(
        child for child in node.inner if not child.kind.endswith(("Attr", "Comment", "Type", "Decl"))
    )
