"""The texts of what clang's tree says too little about: the operands of ``offsetof``, templates of assembly.

They are read in what clang prints of the whole file with all macros expanded (``-ast-print``), where the n-th
of a kind is the n-th one of the tree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from revet.frontends.c.clang.nodes import Declaration, Node, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_PRINTED = {
    "OffsetOfExpr": re.compile(  # texts first: they may hold one
        rb'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|'
        rb"\b(?P<found>__builtin_offsetof\((?:[^()]|\([^()]*\))*\))"
    ),
    "GCCAsmStmt": re.compile(
        rb'^[ \t]+(?P<found>asm (?:volatile )?(?:goto )?\((?:"(?:[^"\\]|\\.)*"|[^"\n])*\)(?=;$))',
        re.MULTILINE,
    ),
}


class ExpandedTexts:
    """The texts of all nodes of these kinds in a file."""

    def __init__(self, declarations: Sequence[Declaration], printed: Callable[[], bytes]) -> None:
        self._declarations = declarations
        self._printed = printed
        self._texts: dict[str, dict[str, bytes]] = {}

    def text(self, node: Node) -> bytes | None:
        """The node's text without macros; None if it is not known."""
        if node.kind not in self._texts:
            self._texts[node.kind] = self._all(node.kind)
        return self._texts[node.kind].get(node.id)

    def _all(self, kind: str) -> dict[str, bytes]:
        concerned = [declaration for declaration in self._declarations if declaration.mentions(kind)]
        nodes = [node for declaration in concerned for node in walk(declaration.node) if node.kind == kind]
        matches = _PRINTED[kind].finditer(self._printed())
        texts = [match["found"] for match in matches if match["found"] is not None]
        if len(nodes) != len(texts):
            return {}
        in_lists = {
            part.id
            for declaration in concerned if declaration.mentions("InitListExpr")
            for outer in walk(declaration.node) if outer.kind == "InitListExpr"
            for part in walk(outer)
        }  # printed in the order of the text, but in the tree in that of the members
        return {
            node.id: text.strip() for node, text in zip(nodes, texts, strict=True) if node.id not in in_lists
        }
