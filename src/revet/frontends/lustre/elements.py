"""The elements of a program that proofs rest on, and the program without some of them.

An element without which the program is still a program: an equation (its stream may then be anything), an
assertion, an assumption of the node that is looked at, a guarantee of a node that is imported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from revet.frontends.lustre.core import Clause, Expr, Node, Program
from revet.frontends.lustre.walk import called

if TYPE_CHECKING:
    from revet.errors import Position

Kind: TypeAlias = Literal["equation", "assertion", "assumption", "guarantee"]
KINDS: tuple[Kind, ...] = ("equation", "assertion", "assumption", "guarantee")


@dataclass(frozen=True)
class Element:
    """``name`` is the stream that an equation defines, or the name of a clause."""

    kind: Kind
    node: str
    name: str
    position: Position
    weak: bool = False

    def __str__(self) -> str:
        what = f"{self.kind} {self.name}" if self.name else self.kind
        return f"{what} of {self.node} (line {self.position.line})"

    def data(self) -> dict[str, str | int]:
        return {
            "category": self.kind, "node": self.node, "name": self.name,
            "line": self.position.line, "column": self.position.column,
        }


def elements(program: Program, kinds: Collection[Kind] = KINDS) -> list[Element]:
    """All elements of the only top node and of what it calls, in the order of the nodes."""
    return [element for element, _ in _owned(program) if element.kind in kinds]


@contextmanager
def without(program: Program, removed: Collection[Element]) -> Iterator[None]:
    """Within, the program lacks these elements. It is changed in place: its nodes refer to each other."""
    gone = set(removed)
    owners = [(element, owner) for element, owner in _owned(program) if element in gone]
    nodes = _reachable(program)
    saved = [(n, n.definitions, n.asserts, n.assumes, n.guarantees) for n in nodes]
    try:
        for node in nodes:
            mine = [owner for _, (at, owner) in owners if at is node]
            names = {owner for owner in mine if isinstance(owner, str)}
            node.definitions = {k: v for k, v in node.definitions.items() if k not in names}
            node.asserts = [formula for formula in node.asserts if formula not in mine]
            node.assumes = [clause for clause in node.assumes if clause not in mine]
            node.guarantees = [clause for clause in node.guarantees if clause not in mine]
        yield
    finally:
        for node, definitions, asserts, assumes, guarantees in saved:
            node.definitions, node.asserts = definitions, asserts
            node.assumes, node.guarantees = assumes, guarantees


_Owner: TypeAlias = tuple[Node, "str | Expr | Clause"]


def _owned(program: Program) -> Iterator[tuple[Element, _Owner]]:
    """Elements and what they are in their nodes: a stream's name, a formula or a clause."""
    (top,) = program.tops
    for node in _reachable(program):
        if not node.imported:
            for stream in (*node.outputs, *node.locals, *node.ghosts):
                name, _, hidden = stream.name.partition("~")
                value = node.definitions.get(stream.name)
                if value is not None and hidden in ("", "ghost") and not (node.lemma and stream.hidden):
                    at = node.places.get(stream.name, value.position)
                    yield Element("equation", node.name, name, at), (node, stream.name)
            for number, formula in enumerate(node.asserts):
                name = f"{number + 1}" if len(node.asserts) > 1 else ""
                yield Element("assertion", node.name, name, formula.position), (node, formula)
        for clause in (*(node.assumes if node is top else ()), *(node.guarantees if node.imported else ())):
            if not clause.typing:
                kind: Kind = "assumption" if clause in node.assumes else "guarantee"
                yield Element(kind, node.name, clause.name, clause.position, clause.weak), (node, clause)


def _reachable(program: Program) -> list[Node]:
    """The top node and the nodes that it calls, directly or not."""
    (top,) = program.tops
    return called(top)
