"""Labels as values (GNU C): ``&&label`` is the address of an object of its own, ``goto *p`` compares.

Only labels whose address the function takes can be meant; going anywhere else is undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node, walk
from revet.frontends.c.types import VOID, Function, Int, Pointer

if TYPE_CHECKING:
    from revet.errors import Position
    from revet.frontends.c.reader.unit import UnitReader


class LabelReader:
    """The labels of the function that is being read."""

    def __init__(self, unit: UnitReader) -> None:
        self._unit = unit
        self._names: dict[str, str] = {}  # by their declarations' ids
        self._objects: dict[str, ast.Variable] = {}  # what stands for a label's address, by its name

    def enter(self, function: Node, has_labels: bool, has_addresses: bool) -> None:
        """Forget the last function's labels and look for this one's; local ones may share a name."""
        self._names, self._objects = {}, {}
        for node in walk(function) if has_labels else ():
            if node.kind == "LabelStmt" and node.decl_id is not None:
                taken = node.name in self._names.values()
                self._names[node.decl_id] = f"{node.name}#{len(self._names)}" if taken else node.name
        for node in walk(function) if has_addresses else ():
            if node.kind == "AddrLabelExpr":
                name = self.name(node)
                if name not in self._objects:
                    at = self._unit.position(node)
                    self._objects[name] = self._unit.variables.unnamed_global(f"&{name}", Int(8, True), at)

    def name(self, node: Node) -> str:
        """The label that a statement names or goes to, or whose address is taken."""
        name = self._names.get(node.decl_id or node.target_label_decl_id or node.label_decl_id or "")
        if name is None:
            raise self._unit.unsupported(node, "this label is not modelled")
        return name

    def address(self, node: Node, at: Position) -> ast.Expr:
        """``&&label``."""
        return self._address(self._objects[self.name(node)], Pointer(VOID, self._unit.model.pointer_size), at)

    def _address(self, target: ast.Variable, type: Pointer, at: Position) -> ast.Expr:
        address = ast.AddressOf(ast.VarRef(target, target.type, at), Pointer(target.type, type.size), at)
        return ast.Cast(address, type, at)

    def go(self, node: Node, span: ast.Span) -> ast.Stmt:
        """``goto *value;``"""
        value = self._unit.expressions.read(node.inner[0])
        at = span.start
        if not isinstance(value.type, Pointer):
            raise self._unit.unsupported(node, "this goto is not modelled")
        variable = self._unit.variables.temporary(value.type, at)
        target = ast.VarRef(variable, value.type, at)
        nowhere = ast.FunctionRef("__builtin_unreachable", Function(VOID, ()), at)
        chosen: ast.Stmt = ast.Evaluate(ast.Call(nowhere, (), VOID, at), span)
        for name, label in self._objects.items():
            address = self._address(label, value.type, at)
            same = ast.Binary("==", target, address, self._unit.model.int, at)
            chosen = ast.If(same, ast.Goto(name, span), chosen, span)
        save = ast.Evaluate(ast.Assign(target, value, value.type, at), span)
        return ast.Block((save, chosen), span)


def labels_apart(body: ast.Block) -> ast.Block:
    """The block of a statement expression: labels of the last statement, whose value is wanted, before it."""
    *before, last = body.body or (ast.Empty(body.span),)
    while isinstance(last, ast.Label):
        before.append(ast.Label(last.name, ast.Empty(last.span), last.span))
        last = last.body
    return ast.Block((*before, last), body.span)


def has_label(node: Node) -> bool:
    """Does the address of a label occur in it?"""
    return any(part.kind == "AddrLabelExpr" for part in walk(node))
