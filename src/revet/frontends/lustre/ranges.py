"""Subranges: that a variable stays within its own is a property of its own.

Inputs of the main node are within their ranges by assumption; a caller owes it to a node, and a node
owes it for its outputs and locals.
"""

from __future__ import annotations

from dataclasses import replace

from revet.frontends.lustre.syntax import Binary, Declaration, File, Name, Node, Property, TypeName


def oblige_ranges(file: File) -> File:
    aliases = {definition.name: definition.alias for definition in file.types if definition.alias}
    return replace(file, nodes=tuple(_obliged(node, aliases) for node in file.nodes))


def _obliged(node: Node, aliases: dict[str, TypeName]) -> Node:
    inside = _clauses((*node.outputs, *node.locals), aliases)
    inputs = _clauses(node.inputs, aliases)
    if not inside and not inputs:
        return node
    return replace(node, assumes=(*node.assumes, *inputs), guarantees=(*node.guarantees, *inside))


def _clauses(declarations: tuple[Declaration, ...], aliases: dict[str, TypeName]) -> list[Property]:
    found = []
    for declaration in declarations:
        type_ = declaration.type
        seen: set[str] = set()
        while not type_.sizes and type_.low is None and type_.name in aliases and type_.name not in seen:
            seen.add(type_.name)
            type_ = aliases[type_.name]
        if type_.low is None or type_.high is None or type_.sizes:
            continue
        at = declaration.position
        variable = Name(at, declaration.name)
        formula = Binary(
            at, "and", Binary(at, "<=", type_.low, variable), Binary(at, "<=", variable, type_.high)
        )
        found.append(Property(f"range of {declaration.name}", formula, at))
    return found
